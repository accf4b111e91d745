-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Waiting threads when the program was killed, and causes
-- group: waiting
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: thread INTEGER -  the thread in a call that never ended
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: since_ns INTEGER ns  when it entered the call, since the run's start
-- column: waiting_ns INTEGER ns  how long it had waited when the program ended
-- column: waits_for INTEGER -  the thread that it waited for; of several missing members of a collective, one; empty: not known
-- column: others INTEGER count  number of further missing members
-- column: kind TEXT -  kind of waiting, as in `wait`
-- column: tag INTEGER -  of the message that it receives or sends; empty: no call of its own for one message, or any tag
-- column: circle INTEGER -  1: it waited, directly or through others, for a thread that waited for it
-- column: waited_for_operation TEXT -  the call that `waits_for` was in; empty: it computed, or its log is missing
-- column: waited_for_location TEXT -  its line
--
-- Threads that wait for each other in a circle hang for ever (`circle`): one of them must make its calls in another
-- order. If two wait for each other, one in a send and the other in a receive, the message is not the one that is
-- received: their tags (`tag`) or communicators differ. Without a circle look at the threads that are waited for and do not wait: they compute, ended, or made another
-- call.
--
-- The duration is known if `gaspdb record` ran the program and its status was not 0: an open call then lasts until the
-- command ended.
--
-- **What misleads:** the cause is not known for a call that completes any of several requests, or receives from any
-- source. A thread that crashed inside a call looks as if it waited there.
WITH stuck AS MATERIALIZED (
  SELECT *, thread_id AS thread FROM last_call
), missing AS ( -- members that never came
  SELECT o.thread, min(t.thread_id) AS waits_for, count(*) - 1 AS others
  FROM stuck o JOIN collective_member m ON m.event_id = o.id JOIN collective c ON c.id = m.collective_id
  JOIN team_member t ON t.team_id = c.team_id
  WHERE c.seen < c.expected AND t.thread_id NOT IN (
    SELECT coalesce(p.id, e.thread_id) FROM collective_member x JOIN event e ON e.id = x.event_id JOIN thread h ON h.id = e.thread_id
    LEFT JOIN thread p ON p.rank = h.rank AND p.number = 0 WHERE x.collective_id = c.id)
  GROUP BY o.thread
), tags AS MATERIALIZED (
  SELECT event_id, min(tag) AS tag FROM quality WHERE kind IN ('unmatched send', 'unmatched receive') GROUP BY event_id
), blocked AS MATERIALIZED (
  SELECT o.thread, o.operation, o.location, o.start_ns, w.kind, t.tag, w.end_ns - w.start_ns AS waiting_ns, coalesce(w.cause_thread_id, m.waits_for) AS waits_for,
    iif(w.cause_thread_id IS NULL, m.others, 0) AS others
  FROM stuck o JOIN wait w ON w.event_id = o.id AND w.end_ns = o.end_ns LEFT JOIN missing m ON m.thread = o.thread
  LEFT JOIN tags t ON t.event_id = o.id
), walk(first, thread, step) AS ( -- from 64 threads along whom they wait for; who is met after as many steps as there are threads is in a circle
  SELECT * FROM (SELECT thread, thread, 0 FROM blocked ORDER BY thread LIMIT 64)
  UNION ALL
  SELECT k.first, b.waits_for, k.step + 1 FROM walk k JOIN blocked b ON b.thread = k.thread
  WHERE b.waits_for IS NOT NULL AND k.step < 2 * (SELECT count(*) FROM blocked)
), circles AS (
  SELECT DISTINCT thread FROM walk WHERE step >= (SELECT count(*) FROM blocked)
)
SELECT b.thread, b.operation, b.location, b.start_ns AS since_ns, b.waiting_ns, b.waits_for, b.others, b.kind, b.tag,
  b.thread IN (SELECT thread FROM circles) AS circle, o.operation AS waited_for_operation, o.location AS waited_for_location
FROM blocked b LEFT JOIN stuck o ON o.thread = b.waits_for
ORDER BY circle DESC, b.thread
LIMIT :limit;
