-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time inside calls of each line, and its spread over threads
-- group: time
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: category TEXT - NULL  one of communication|synchronization|allocation|io|runtime: calls of this category only
-- param: type TEXT - NULL  found in operation.type: calls of this type only, such as lock
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: category TEXT -  communication, synchronization, allocation, io, runtime
-- column: threads INTEGER count  threads that called it
-- column: calls INTEGER count  how often
-- column: time_ns INTEGER ns  time inside, of all threads, callees excluded
-- column: share REAL %  of the time of all threads
-- column: mean_ns REAL ns  of a thread; threads with a log that never called it count as 0
-- column: most_ns INTEGER ns  the most of one thread
-- column: most_thread INTEGER -  that thread
-- column: least_ns INTEGER ns  the least of one thread
-- column: least_thread INTEGER -  that thread
-- column: spread_ns INTEGER ns  most_ns less least_ns
-- column: call_ns REAL ns  of one call, on average, callees included
-- column: longest_ns INTEGER ns  longest call, callees included
-- column: bytes INTEGER B  moved by the calls; empty if they move none
--
-- Calls into a runtime by line, most time first, and how their time is spread over the threads: gets, puts, locks,
-- barriers, messages. It needs sums only, and so is there for runs that were recorded as a profile (`gaspdb record
-- --mode=profile`), too.
--
-- **How to read it:** a line with a large mean and a small spread costs all threads alike: a slow network, or many calls.
-- A line with a large spread at which some threads take long and others do not: either they wait there for the others,
-- which have more to do, or they do more there (`calls`, `bytes`). `load-imbalance` shows who computes longer.
--
-- **What misleads:** time inside is not waiting. Nor is what exceeds the least of a thread: even the thread that comes
-- last may wait in other calls of the line, and who comes last is another one each time. In a measured run 675 ms of
-- excess over the least stood for 548 ms of waiting. `waits` and `worst` know waiting and its cause, from a trace.
--
-- Definition: gaspdb's own.
WITH logged AS (
  SELECT count(*) AS n FROM thread WHERE first_ns IS NOT NULL
)
SELECT p.operation, p.location, p.category, f.threads, f.calls,
  f.self_ns AS time_ns,
  100.0 * f.self_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  1.0 * f.self_ns / l.n AS mean_ns,
  s.maximum AS most_ns, s.max_thread_id AS most_thread,
  iif(s.first_other_id IS NULL, s.minimum, 0) AS least_ns,
  coalesce(s.first_other_id, s.min_thread_id) AS least_thread,
  s.maximum - iif(s.first_other_id IS NULL, s.minimum, 0) AS spread_ns,
  1.0 * (f.total_ns + f.inner_ns) / f.calls AS call_ns,
  f.max_ns AS longest_ns,
  nullif(f.bytes, 0) AS bytes
FROM profile_total f JOIN place p ON p.source_id = f.source_id
JOIN spread s ON s.grouping = 'call' AND s.nested = 0 AND s.source_id = f.source_id AND s.quantity = 'time'
CROSS JOIN logged l
WHERE f.grouping = 'call' AND f.nested = 0 AND p.category IN ('communication', 'synchronization', 'allocation', 'io', 'runtime')
  AND (:category IS NULL OR p.category = :category) AND (:type IS NULL OR p.type = :type)
ORDER BY f.self_ns DESC, p.operation, p.location, f.source_id
LIMIT :limit;
