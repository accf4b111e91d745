-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time of each operation, all lines together
-- group: time
-- param: limit INTEGER - 30  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- param: nested INTEGER - 0  one of 0|1: 1: the calls that the runtime made to itself
-- column: operation TEXT -  the operation called
-- column: type TEXT -  its generic type
-- column: category TEXT -  computation, communication, synchronization, allocation, io, runtime; none for user events
-- column: lines INTEGER count  lines that call it
-- column: threads INTEGER count  threads that called it
-- column: calls INTEGER count  how often
-- column: total_ns INTEGER ns  time inside, callees included; recursion counts once
-- column: self_ns INTEGER ns  time inside, callees excluded; empty for user events
-- column: share REAL %  self time of the time of all threads
-- column: waiting_ns INTEGER ns  waiting for other threads; of self, and of the collector's own work inside; empty: a profile
-- column: mean_ns REAL ns  of one call, callees included; each call of a recursion counts
-- column: min_ns INTEGER ns  shortest call
-- column: max_ns INTEGER ns  longest call
-- column: deviation_ns REAL ns  standard deviation of the calls, of the population
-- column: bytes INTEGER B  moved by the calls, for the thread that called; empty if it moves none
--
-- The profile by operation, worst self time first.
--
-- `waiting_ns` is the waiting found inside these calls; the rest is the operation's own cost, or waiting without a rule.
WITH line AS (
  SELECT x.*, s.operation_id, 1.0 * (x.total_ns + x.inner_ns) / x.calls AS line_mean_ns,
    1.0 * sum(x.total_ns + x.inner_ns) OVER w / sum(x.calls) OVER w AS mean_ns
  FROM profile x JOIN source s ON s.id = x.source_id
  WHERE x.thread_id = :thread AND x.nested = :nested
  WINDOW w AS (PARTITION BY s.operation_id)
), f AS (
  SELECT source_id, sources, threads, calls, total_ns, inner_ns, self_ns, min_ns, max_ns, variation, bytes FROM profile_total
  WHERE grouping = 'operation' AND nested = :nested AND :thread IS NULL
  UNION ALL
  SELECT min(source_id), count(*), 1, sum(calls), sum(total_ns - again_ns), sum(inner_ns + again_ns), sum(self_ns), min(min_ns), max(max_ns),
    sum(calls) * sum(variation / calls + calls * pow(line_mean_ns - mean_ns, 2)), sum(bytes)
  FROM line GROUP BY operation_id
), waited AS MATERIALIZED (
  SELECT s.operation_id, sum(w.time_ns) AS time_ns FROM wait_total w JOIN source s ON s.id = w.source_id
  WHERE :thread IS NULL OR w.thread_id = :thread
  GROUP BY s.operation_id
)
SELECT o.name AS operation, o.type AS type, o.category AS category,
  f.sources AS lines,
  f.threads,
  f.calls,
  f.total_ns,
  f.self_ns,
  100.0 * f.self_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  coalesce(w.time_ns, n.ns) AS waiting_ns,
  1.0 * (f.total_ns + f.inner_ns) / f.calls AS mean_ns,
  f.min_ns,
  f.max_ns,
  sqrt(f.variation) / f.calls AS deviation_ns,
  nullif(f.bytes, 0) AS bytes
FROM f JOIN source s ON s.id = f.source_id JOIN operation o ON o.id = s.operation_id
LEFT JOIN waited w ON w.operation_id = o.id CROSS JOIN no_wait n
ORDER BY coalesce(f.self_ns, 0) DESC, f.total_ns DESC, o.name, o.id
LIMIT :limit;
