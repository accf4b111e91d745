-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time of each operation at each source line
-- group: time
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- param: type TEXT - NULL  found in operation.type: this operation type only
-- param: nested INTEGER - 0  one of 0|1: 1: the calls that the runtime made to itself
-- column: operation TEXT -  the operation called
-- column: location TEXT -  file and line, or module and offset
-- column: function TEXT -  the function that contains the line
-- column: category TEXT -  computation, communication, synchronization, allocation, io, runtime; none for user events
-- column: threads INTEGER count  threads that called it
-- column: calls INTEGER count  how often
-- column: total_ns INTEGER ns  time inside, callees included; recursion counts once
-- column: self_ns INTEGER ns  time inside, callees excluded; empty for user events
-- column: share REAL %  self time of the time of all threads
-- column: mean_ns REAL ns  of one call, callees included; each call of a recursion counts
-- column: min_ns INTEGER ns  shortest call
-- column: max_ns INTEGER ns  longest call
-- column: deviation_ns REAL ns  standard deviation of the calls, of the population
-- column: bytes INTEGER B  moved by the calls, for the thread that called; empty if it moves none
-- column: open INTEGER count  calls that never ended
--
-- The flat profile: one row for each operation at each line, worst self time first.
--
-- Times are summed over threads, so they exceed the run's duration. Self time excludes other recorded calls inside,
-- unrecorded time and the collector's own work; self times of one category add up. User events are an overlay: they have
-- no self time and take none from others.
--
-- The total of a recursion counts the outermost call, so that it never exceeds the threads' time; mean, minimum, maximum
-- and deviation are of all calls, inner ones too. So mean x calls may exceed the total.
--
-- **What misleads:** where functions are not recorded, computation has no row of its own here (see `categories`). A call
-- site that several functions inline may be one row. Optimised tail calls show the caller's line.
WITH f AS (
  SELECT source_id, threads, calls, total_ns, inner_ns, self_ns, min_ns, max_ns, variation, bytes, open FROM profile_total
  WHERE grouping = 'call' AND nested = :nested AND :thread IS NULL
  UNION ALL
  SELECT source_id, 1, calls, total_ns, inner_ns, self_ns, min_ns, max_ns, variation, bytes, open FROM profile
  WHERE thread_id = :thread AND nested = :nested
)
SELECT p.operation, p.location, p.function, p.category,
  f.threads,
  f.calls,
  f.total_ns,
  f.self_ns,
  100.0 * f.self_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  1.0 * (f.total_ns + f.inner_ns) / f.calls AS mean_ns,
  f.min_ns,
  f.max_ns,
  sqrt(f.variation) / f.calls AS deviation_ns,
  nullif(f.bytes, 0) AS bytes,
  f.open
FROM f JOIN place p ON p.source_id = f.source_id
WHERE :type IS NULL OR p.type = :type
ORDER BY coalesce(f.self_ns, 0) DESC, f.total_ns DESC, p.operation, p.file, p.line, p.location, p.function,
  f.source_id
LIMIT :limit;
