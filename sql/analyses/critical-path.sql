-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Critical path: the parts of the run's length
-- group: time
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|category: what is added up
-- column: what TEXT -  the call, or the computation by its function, or by the calls around it; by=category: the category
-- column: category TEXT -  category of time; waiting: with unknown cause; not started; ended: after the end of a log
-- column: time_ns INTEGER ns  on the critical path
-- column: share REAL %  of the run's length
-- column: mean_ns REAL ns  of a thread, on the path or not, without waiting
-- column: imbalance_ns REAL ns  the path's time above that mean; at least 0
-- column: error_ns INTEGER ns  by how much time_ns may be off by the error of the clocks of several hosts, at most; empty: not, or not known
--
-- The critical path is walked back from the run's last moment, along the thread that ended last; at the end of each wait
-- it changes to the thread that was waited for. It leaves nothing out, so `time_ns` of all rows is the run's length,
-- exactly. The run gets shorter only if a part of the path does.
--
-- **How to read it:** make the first rows faster; work that is not listed can take longer without effect. `imbalance_ns`
-- is the time saved by spreading the work evenly over the threads: large where one thread does all, 0 where all do the
-- same.
--
-- Computation is named by the innermost open function of the program (or UPC loop), if these are recorded; calls into a
-- runtime, and functions called inside, are rows of their own. Outside of functions it is named by the calls or
-- functions before and after it. User events name nothing.
--
-- **What misleads:** a line can shorten the run by its `time_ns` at most, and mostly by less: another path takes over
-- that is nearly as long. Waits that are not recorded (a full send buffer, a disk, pthread_join or OpenMP in one
-- process) count as time of the call or the computation, and the path stays on the waiting thread. A call's time
-- includes the collector's work and unrecorded time inside it, which `categories` separates. *waiting* has no known
-- cause: a lock's hand-over, a member whose log is missing. *not started* is time before the first record of the thread
-- that the path came to; a thread that a process created later is followed to that process's first thread, as logs do
-- not have its creator.
--
-- Where the path changes to a thread of another host, it does so at a time that is off by the error of both clocks
-- (`critical_path.error_ns`). What one part loses by that, another gains. So `error_ns` is the sum of these errors, for
-- each row: a row may be off by that if it is at all changes. That the path itself may be another one, if waits begin
-- or end at other times, is not in it.
--
-- Segments of the path with their waits are in table `critical_path`. Table `path_wait` has the path's time on threads
-- that were waited for, by kind of waiting and line.
--
-- Definition: Boehme's critical path and its imbalance, as in Scalasca, over gaspdb's waits of all kinds.
WITH threads AS (
  SELECT count(*) AS n, max(last_ns) - min(first_ns) AS run_ns,
    (SELECT iif(count(*) = count(error_ns), nullif(sum(error_ns), 0), NULL) FROM critical_path) AS error_ns
  FROM thread WHERE first_ns IS NOT NULL
), sums AS (
  SELECT CASE :by WHEN 'line' THEN r.reason ELSE r.category END AS what, r.category, sum(r.time_ns) AS time_ns,
    1.0 * sum(r.threads_ns) / t.n AS mean_ns, t.run_ns, t.error_ns
  FROM path_reason r CROSS JOIN threads t
  GROUP BY 1, r.category
)
SELECT what, category, time_ns, 100.0 * time_ns / nullif(run_ns, 0) AS share, mean_ns,
  max(0.0, time_ns - mean_ns) AS imbalance_ns, error_ns
FROM sums WHERE time_ns > 0
ORDER BY time_ns DESC, what, category
LIMIT :limit;
