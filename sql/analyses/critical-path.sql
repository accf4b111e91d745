-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Critical path: what the run's length is made of
-- group: time
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|category: what is added up
-- column: what TEXT -  the call, or the computation by its function, or by the calls around it; by=category: the category
-- column: category TEXT -  category of time; waiting: for nobody known; not started; ended: after the end of a log
-- column: time_ns INTEGER ns  on the critical path
-- column: share REAL %  of the run's length
-- column: mean_ns REAL ns  of a thread, on the path or not, without waiting
-- column: imbalance_ns REAL ns  what the path has more than that mean; never less than 0
--
-- The critical path is walked from the run's last moment back: along the thread that ended last, and wherever that thread had
-- been waiting, from the end of the wait on along the thread that it waited for.  It leaves nothing out, so `time_ns` of all
-- rows is the run's length, exactly.  The run gets shorter only if something on the path does.
--
-- **How to read it:** the first rows say what to make faster; work that is not listed here can take longer without any harm.
-- `imbalance_ns` says how much of that would be gone if the work were spread evenly over the threads: large where one thread
-- does what others could share, 0 where all do as much.
--
-- Computation is named by the innermost of the program's own functions (and UPC's loops) that was open, where these are
-- recorded: calls into a runtime, and functions that it calls, are rows of their own.  In none, it is by what comes before
-- and after it, calls or functions.  User events name nothing.
--
-- **What misleads:** a line gets the run no more than its `time_ns` shorter, and mostly less: another path takes over that is
-- nearly as long.  Waits that the analyses do not see (a full send buffer, a disk; threads of one process that wait for each
-- other, by pthread_join or OpenMP) are the call's or the computation's time, and the path stays on the thread that waits.  A
-- call is its line's whole, even where the collector worked in it or it switched recording off, which `categories` tells apart.  At
-- *waiting* nobody is known who was waited for: a lock's hand-over, a member whose log is missing.  *not started* is time
-- before the first record of the thread that the path came to; a thread that a process created later is followed to that
-- process's first thread, as logs do not tell who created it.
--
-- Segments of the path with their waits are in table `critical_path`.  Who was waited for while the path lay on it, by
-- kind of waiting and line, is in table `path_wait`.
--
-- Definition: Boehme's critical path and its imbalance, as in Scalasca, over gaspdb's waits of all kinds.
WITH threads AS (
  SELECT count(*) AS n, max(last_ns) - min(first_ns) AS run_ns FROM thread WHERE first_ns IS NOT NULL
), sums AS (
  SELECT CASE :by WHEN 'line' THEN r.reason ELSE r.category END AS what, r.category, sum(r.time_ns) AS time_ns,
    1.0 * sum(r.threads_ns) / t.n AS mean_ns, t.run_ns
  FROM path_reason r CROSS JOIN threads t
  GROUP BY 1, r.category
)
SELECT what, category, time_ns, 100.0 * time_ns / nullif(run_ns, 0) AS share, mean_ns,
  max(0.0, time_ns - mean_ns) AS imbalance_ns
FROM sums WHERE time_ns > 0
ORDER BY time_ns DESC, what, category
LIMIT :limit;
