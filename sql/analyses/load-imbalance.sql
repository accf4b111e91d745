-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: How unevenly time or data is spread over the threads
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - category  one of category|operation|line: what is compared
-- param: quantity TEXT - time  one of time|bytes: of time it is self time, of user events total
-- column: what TEXT -  the category, operation, or operation and line
-- column: total INTEGER -  of all threads: ns or bytes
-- column: average REAL -  of a thread
-- column: maximum INTEGER -  of the thread that has most
-- column: max_thread INTEGER -  that thread
-- column: minimum INTEGER -  of the thread that has least
-- column: min_thread INTEGER -  that thread
-- column: imbalance REAL -  maximum less average: what the others may wait for, in ns or bytes
-- column: imbalance_pct REAL %  0: all have the same; 100: one thread has it all
-- column: factor REAL -  maximum by average, less 1
-- column: below REAL -  average less minimum: for synchronization this is what the thread that waits least lacks
-- column: deviation REAL -  standard deviation over the threads
--
-- The largest imbalance first.  A thread without a row counts as 0; threads without a log are left out.
--
-- imbalance % = 100 (max - avg) / max x N / (N - 1), with N threads, as CrayPat has it.  N = 1, or nothing at all: 0.
--
-- **How to read it:** look at computation first: its slowest thread is the one that the others wait for.  In
-- synchronization it is the thread with the *least* that is interesting: it waits for nobody and makes the others wait.
--
-- **What misleads:** an imbalance that alternates between threads from phase to phase cancels out here, but not in the
-- waiting: see `barrier-wait`.
--
-- Of a line the maximum and the total are in profile_total: with them only the lines that will be shown are looked at on
-- each thread.  Not so where several sources go by one name, or of user events.
WITH threads AS MATERIALIZED (
  SELECT id FROM thread WHERE first_ns IS NOT NULL
), named AS MATERIALIZED (
  SELECT f.source_id, f.longest_ns, f.total_ns, f.self_ns,
    CASE :by WHEN 'category' THEN p.category WHEN 'operation' THEN p.operation
      ELSE p.operation || coalesce(' ' || p.location, '') END AS what
  FROM profile_total f JOIN place p ON p.source_id = f.source_id
  WHERE f.grouping = 'call' AND f.nested = 0 AND (:by <> 'category' OR :quantity = 'bytes')
), ordered AS (
  SELECT what, count(*) > 1 OR max(self_ns) IS NULL OR :quantity = 'bytes' AS always,
    row_number() OVER (ORDER BY count(*) > 1 OR max(self_ns) IS NULL,
      max(longest_ns) - 1.0 * sum(self_ns) / (SELECT count(*) FROM threads) DESC, sum(self_ns) DESC, what) AS place_no
  FROM named GROUP BY what
), chosen AS MATERIALIZED (
  SELECT n.what, n.source_id FROM ordered o JOIN named n ON n.what = o.what
  WHERE o.always OR :limit < 0 OR o.place_no <= :limit
), quantities AS MATERIALIZED (
  SELECT category AS what, thread_id, time_ns AS value FROM category_time
  WHERE :by = 'category' AND :quantity = 'time'
  UNION ALL
  SELECT c.what, f.thread_id, CASE :quantity WHEN 'bytes' THEN f.bytes ELSE coalesce(f.self_ns, f.total_ns) END
  FROM chosen c CROSS JOIN threads t
  CROSS JOIN profile f ON f.thread_id = t.id AND f.source_id = c.source_id AND f.nested = 0
), sums AS (
  SELECT k.what, t.id AS thread_id, coalesce(sum(q.value), 0) AS value
  FROM (SELECT what FROM quantities GROUP BY what HAVING sum(value) IS NOT NULL) k CROSS JOIN threads t
  LEFT JOIN quantities q ON q.what = k.what AND q.thread_id = t.id
  GROUP BY k.what, t.id
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY what ORDER BY value DESC, thread_id) AS from_top,
    row_number() OVER (PARTITION BY what ORDER BY value, thread_id) AS from_bottom FROM sums
), stats AS (
  SELECT what, count(*) AS n, sum(value) AS total, avg(value) AS average, max(value) AS maximum, min(value) AS minimum,
    max(thread_id) FILTER (WHERE from_top = 1) AS max_thread,
    max(thread_id) FILTER (WHERE from_bottom = 1) AS min_thread
  FROM ranked GROUP BY what
)
SELECT s.what, s.total, s.average, s.maximum, s.max_thread, s.minimum, s.min_thread,
  CASE WHEN s.n > 1 THEN s.maximum - s.average ELSE 0.0 END AS imbalance,
  CASE WHEN s.n > 1 AND s.maximum > 0 AND s.average > 0
    THEN 100.0 * (s.maximum - s.average) / s.maximum * s.n / (s.n - 1) ELSE 0.0 END AS imbalance_pct,
  CASE WHEN s.n > 1 AND s.average > 0 THEN s.maximum / s.average - 1 ELSE 0.0 END AS factor,
  s.average - s.minimum AS below,
  (SELECT sqrt(avg((r.value - s.average) * (r.value - s.average))) FROM ranked r WHERE r.what = s.what) AS deviation
FROM stats s
ORDER BY s.maximum - s.average DESC, s.total DESC, s.what
LIMIT :limit;
