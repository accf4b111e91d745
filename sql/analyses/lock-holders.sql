-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Waits for a lock by waiter and holder
-- group: accesses
-- needs: trace
-- param: limit INTEGER - 50  at least -1: pairs at most, -1 for all
-- param: object TEXT - NULL  found in analysis_lock_holders.lock: this lock only, by its name
-- column: waiter INTEGER -  the thread that waited
-- column: holder INTEGER -  the thread that held the lock
-- column: lock TEXT -  name of the lock, or its place in shared memory
-- column: location TEXT -  where the holder had taken it
-- column: waits INTEGER count  waits, or failed attempts
-- column: wait_ns INTEGER ns  their time
-- column: longest_ns INTEGER ns  the longest of them
-- column: attempts_ns INTEGER ns  of wait_ns: in attempts that failed
--
-- The matrix of lock waiting, lock by lock: each wait is cut at the holds that it crossed, each piece to its holder.
-- Most time first.
--
-- **How to read it:** one holder in all rows of a lock: look at that thread's work between the acquisition at `location`
-- and the release. All threads waiting for all: the lock is taken too often, or protects too much.
--
-- **What misleads:** time without a holder, from the release to the next acquisition, is hand-over and is in `waits`. So
-- are waits for holders whose acquisition was not recorded, or that are not known because a thread was unrecorded.
--
-- Definition: gaspdb's own.
SELECT w.thread_id AS waiter, w.holder_thread_id AS holder,
  b.name AS lock,
  p.location AS location,
  sum(w.waits) AS waits,
  sum(w.time_ns) AS wait_ns,
  max(w.longest_ns) AS longest_ns,
  sum(w.attempts_ns) AS attempts_ns
FROM lock_wait_total w JOIN place p ON p.source_id = w.holder_source_id JOIN lock_name b ON b.object = w.object
WHERE :object IS NULL
  OR :object = b.name
GROUP BY w.object, w.thread_id, w.holder_thread_id, p.location
ORDER BY sum(w.time_ns) DESC, w.thread_id, w.holder_thread_id, lock, w.object, p.location
LIMIT :limit;
