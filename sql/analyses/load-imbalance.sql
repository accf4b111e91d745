-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Imbalance of time, data or calls over threads
-- group: efficiency
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - category  one of category|operation|line|event|work: what is compared; event: user events; work: computation, then lines
-- param: quantity TEXT - time  one of time|bytes|calls: of time it is self time, of user events total
-- column: what TEXT -  the category, operation or function, or that and its line
-- column: total INTEGER :quantity  of all threads: ns, bytes or calls
-- column: average REAL :quantity  of a thread
-- column: maximum INTEGER :quantity  of the thread with most
-- column: max_thread INTEGER -  that thread
-- column: minimum INTEGER :quantity  of the thread with least
-- column: min_thread INTEGER -  that thread
-- column: imbalance REAL :quantity  maximum less average, in ns, bytes or calls
-- column: imbalance_pct REAL %  0: all have the same; 100: one thread has it all
-- column: factor REAL -  maximum by average, less 1
-- column: below REAL :quantity  average less minimum: how far the thread with the least is below the others
-- column: deviation REAL :quantity  standard deviation over the threads
-- column: quantity TEXT -  what the figures are: time (ns), bytes or calls
--
-- Work shared equally by N threads costs the run an N-th of it; work of one thread alone costs all of it, as the others
-- wait. `imbalance` is the time of the busiest thread above the average (in ns, if it is time): about the time the run
-- could save. The largest imbalance first. A thread without any counts as 0; threads without a log are left out.
--
-- imbalance % = 100 (max - avg) / max x N / (N - 1), with N threads: 0 if all have the same, 100 if one has it all. With
-- one thread, or a total of 0, all three are 0.
--
-- **How to read it:** look at computation first: its slowest thread is the one that the others wait for. Then at
-- `--by=line` or `--by=event` (phases that the program marked), for the place, and at `--quantity=bytes` or `calls`, for
-- whether that thread has more data or more work. In synchronization look at the thread with the *least*: `min_thread`
-- makes the others wait, and `below` is its difference from the average.
--
-- **What misleads:** an imbalance that alternates between threads from phase to phase cancels out here, but not in the
-- waiting: see `barrier-wait`. Time in calls that wait is not work: an imbalance there mirrors an earlier one.
-- Bytes are those of the calls themselves, for the thread that called.
--
-- Definition: CrayPat's imbalance percentage and time.
--
WITH logged(n) AS (
  SELECT count(*) FROM thread WHERE first_ns IS NOT NULL
), stored AS (
  -- Of calls, without the threads that have none.
  SELECT CASE WHEN :by = 'category' THEN p.category
      ELSE iif(p.type = 'function', coalesce(p.function, p.operation), p.operation)
        || iif(:by IN ('line', 'work'), coalesce(' ' || p.location, ''), '') END AS what,
    s.total, s.maximum, s.minimum, s.max_thread_id, s.min_thread_id, s.first_other_id, s.square, s.threads AS had,
    (SELECT n FROM logged) AS n, s.source_id AS id
  FROM spread s JOIN place p ON p.source_id = s.source_id
  WHERE s.grouping = CASE WHEN :by IN ('line', 'work') OR p.type = 'function' AND :by <> 'category' THEN 'call'
      WHEN :by = 'category' THEN 'category' ELSE 'operation' END AND s.nested = 0
    AND s.quantity = :quantity AND (:by <> 'event' OR p.type = 'user')
), time AS MATERIALIZED (
  SELECT category, sum(time_ns) AS total, max(time_ns) AS maximum, min(time_ns) AS minimum, avg(time_ns) AS average,
    count(*) AS had, (SELECT n FROM logged) AS n
  FROM category_time
  WHERE (:by = 'category' OR :by = 'work' AND category = 'computation') AND :quantity = 'time' GROUP BY category
), added AS (
  SELECT t.category AS what, t.total, t.maximum, t.minimum,
    min(c.thread_id) FILTER (WHERE c.time_ns = t.maximum) AS max_thread_id,
    min(c.thread_id) FILTER (WHERE c.time_ns = t.minimum) AS min_thread_id,
    iif(t.had < t.n, (SELECT h.id FROM thread h WHERE h.first_ns IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM category_time o WHERE o.thread_id = h.id AND o.category = t.category)
      ORDER BY h.id LIMIT 1), NULL) AS first_other_id,
    sum((c.time_ns - t.average) * (c.time_ns - t.average)) AS square, t.had, t.n, NULL AS id
  FROM time t JOIN category_time c ON c.category = t.category GROUP BY t.category
), groups AS (
  SELECT * FROM stored UNION ALL SELECT * FROM added
), stats AS (
  -- Threads that have none are 0: they lower the average and the minimum, and add to the squares.
  SELECT what, id, n, total, 1.0 * total / n AS average, maximum,
    iif(maximum = 0, min(max_thread_id, coalesce(first_other_id, max_thread_id)), max_thread_id) AS max_thread,
    iif(had < n, 0, minimum) AS minimum,
    CASE WHEN had = n THEN min_thread_id
      WHEN minimum = 0 THEN min(min_thread_id, first_other_id) ELSE first_other_id END AS min_thread,
    square + 1.0 * total / had * total * (n - had) / n AS square
  FROM groups
)
SELECT s.what, s.total, s.average, s.maximum, s.max_thread, s.minimum, s.min_thread,
  CASE WHEN s.n > 1 THEN s.maximum - s.average ELSE 0.0 END AS imbalance,
  CASE WHEN s.n > 1 AND s.maximum > 0 AND s.average > 0
    THEN 100.0 * (s.maximum - s.average) / s.maximum * s.n / (s.n - 1) ELSE 0.0 END AS imbalance_pct,
  CASE WHEN s.n > 1 AND s.average > 0 THEN s.maximum / s.average - 1 ELSE 0.0 END AS factor,
  s.average - s.minimum AS below,
  sqrt(s.square / s.n) AS deviation, :quantity AS quantity
FROM stats s
ORDER BY :by = 'work' AND s.id IS NULL DESC, s.maximum - s.average DESC, s.total DESC, s.what, s.id
LIMIT :limit;
