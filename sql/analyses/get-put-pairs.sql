-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Blocking accesses of each line by initiator and owner
-- group: accesses
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: only accesses by this thread
-- param: peer INTEGER - NULL  found in thread.id: only accesses to this process, by its first thread
-- column: operation TEXT -  the call
-- column: type TEXT -  get, put, atomic, atomic_fetch; of a copy: its get or its put
-- column: location TEXT -  its line
-- column: thread INTEGER -  the initiator
-- column: peer INTEGER -  the owner of the memory
-- column: calls INTEGER count  how many
-- column: bytes INTEGER B  their data
-- column: total_ns INTEGER ns  time in the calls
-- column: min_ns INTEGER ns  shortest call
-- column: median_ns INTEGER ns  half of the calls took no longer
-- column: p95_ns INTEGER ns  95 % of the calls took no longer
-- column: max_ns INTEGER ns  longest call
-- column: bandwidth REAL B/s  bytes by total time
-- column: strict INTEGER count  of the calls: strict ones of UPC, as the runtime tells; empty: it does not
--
-- The rows of `get-put`, split by initiator and owner; most time first. A row whose `peer` is the
-- first thread of the process of `thread` is local: the process's own memory. A copy from shared to shared memory has a
-- row for the owner of its source (get) and one for that of its target (put), with half of its time each.
--
-- **How to read it:** compare the medians of one line. One peer slower than the others: its process is busy, or far
-- away. One thread slower than the others, whatever the peer: it shares its core or its link with others. A 95th
-- percentile far above the median: slow at times only.
--
-- **What misleads:** as in `get-put`: the cost of a put after its return is in `drain`, local accesses of UPC programs
-- are recorded only with `--inst-local`, and `strict` is a lower bound under GNU and Clang UPC.
--
-- Definition: gaspdb's own.
--
WITH piece AS (
  -- The pairs with the most time are in the pieces with the largest most_ns, as many as there are rows wanted.
  SELECT first_pair, last_pair FROM access_piece
  WHERE (:thread IS NULL OR :thread BETWEEN first_thread AND last_thread)
    AND (:thread IS NOT NULL OR :peer IS NOT NULL OR :limit < 0 OR most_ns >= coalesce(
      (SELECT most_ns FROM access_piece ORDER BY most_ns DESC LIMIT 1 OFFSET max(:limit, 1) - 1), 0))
)
SELECT p.operation, iif(p.type = 'copy', a.direction, p.type) AS type, p.location,
  a.thread_id AS thread, a.peer,
  a.calls, a.bytes,
  a.time_ns AS total_ns,
  a.min_ns, a.median_ns, a.p95_ns, a.max_ns,
  1e9 * a.bytes / nullif(a.time_ns, 0) AS bandwidth,
  a.strict
FROM piece c CROSS JOIN access_pair a ON a.id BETWEEN c.first_pair AND c.last_pair
JOIN place p ON p.source_id = a.source_id
WHERE (:thread IS NULL OR a.thread_id = :thread) AND (:peer IS NULL OR a.peer = :peer)
ORDER BY a.time_ns DESC, a.calls DESC, p.operation, p.location, a.thread_id, a.direction, a.peer, a.source_id
LIMIT :limit;
