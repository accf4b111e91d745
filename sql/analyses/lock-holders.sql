-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Who waited for a lock while who held it
-- param: limit INTEGER - 50  at least -1: pairs at most, -1 for all
-- column: waiter INTEGER -  the thread that waited
-- column: holder INTEGER -  the thread that held the lock
-- column: location TEXT -  where the holder had taken it
-- column: waits INTEGER -  how many waits, or failed attempts
-- column: wait_ns INTEGER ns  their time
-- column: longest_ns INTEGER ns  the longest of them
-- column: attempts_ns INTEGER ns  of wait_ns: in attempts that failed
--
-- The matrix of lock waiting: each wait is cut at the holds that it crossed, each piece to its holder.  What no hold
-- covers is hand-over and stands in `waits`.
SELECT w.thread_id AS waiter, w.cause_thread_id AS holder, c.location AS location,
  sum(w.waits) AS waits,
  sum(w.time_ns) AS wait_ns,
  max(w.longest_ns) AS longest_ns,
  sum(CASE w.kind WHEN 'lock attempt' THEN w.time_ns ELSE 0 END) AS attempts_ns
FROM wait_total w JOIN place c ON c.source_id = w.cause_source_id
WHERE w.kind IN ('lock', 'lock attempt') AND w.cause_thread_id IS NOT NULL
GROUP BY w.thread_id, w.cause_thread_id, c.location
ORDER BY sum(w.time_ns) DESC, w.thread_id, w.cause_thread_id, c.location
LIMIT :limit;
