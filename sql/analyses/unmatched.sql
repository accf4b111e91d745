-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Sends and receives without a partner
-- group: messages
-- needs: trace
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: of this thread only
-- column: kind TEXT -  unmatched send or unmatched receive
-- column: thread INTEGER -  the thread that started it
-- column: start_ns INTEGER ns  when it was started, since the run's start
-- column: operation TEXT -  the call that started it
-- column: location TEXT -  its line
-- column: bytes INTEGER B  of the message; empty if not known
-- column: peer INTEGER -  the process at the other end, by its first thread
-- column: tag INTEGER -  the message's tag
-- column: detail TEXT -  the same in words, and whether the other end has a log
-- column: event INTEGER -  id of the call in table `event`
--
-- In order of time. A send without a receive: the program never received it or ended before, or the receiver's log is
-- missing or damaged. Cancelled ones are not here (`quality`), nor those whose partner is known to be unrecorded.
SELECT q.kind,
  q.thread_id AS thread,
  e.start_ns, p.operation, p.location, q.bytes, q.peer, q.tag, q.detail,
  q.event_id AS event
FROM quality q JOIN event e ON e.id = q.event_id JOIN place p ON p.source_id = e.source_id
WHERE q.kind IN ('unmatched send', 'unmatched receive') AND (:thread IS NULL OR q.thread_id = :thread)
ORDER BY e.start_ns, q.event_id, q.kind, q.id
LIMIT :limit;
