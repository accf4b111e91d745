-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time by call path
-- group: time
-- param: limit INTEGER - 200  at least -1: rows at most, -1 for all
-- param: min_share REAL % 0.1  at least 0: leave out what takes less of the threads' time
-- param: root INTEGER - NULL  found in callpath.id: only this path (column `path`) and what lies below it
-- param: thread INTEGER - NULL  found in thread.id: figures of this thread only
-- column: call TEXT -  the call, or the function of the program, indented by depth
-- column: location TEXT -  where: file and line, or module and offset
-- column: share REAL %  total of the time of all threads, or of the one
-- column: total_ns INTEGER ns  time inside, callees included
-- column: self_ns INTEGER ns  time inside, callees excluded; empty for user events
-- column: calls INTEGER count  how often
-- column: mean_ns REAL ns  of one call, callees included; each of several folded calls counts
-- column: min_ns INTEGER ns  shortest call
-- column: max_ns INTEGER ns  longest call
-- column: deviation_ns REAL ns  standard deviation of the calls, of the population
-- column: bytes INTEGER B  moved by the calls, for the thread that called; empty if they move none
-- column: threads INTEGER count  how many threads took this path
-- column: max_thread INTEGER -  the thread that spent most there
-- column: max_thread_ns INTEGER ns  its total
-- column: path INTEGER -  callpath.id, for --root
--
-- The profile, split by caller: a row is a call at a line, reached through the less indented calls above it. Depth
-- first, and within a call the longest first (also with --thread, so that threads can be compared).
--
-- Total is inclusive, self exclusive; self times of a line over all its paths add up to those in `profile`. The tree has
-- recorded calls only: without the program's functions, runtime calls are its roots. With call stacks (`gaspdb record
-- --stack=8`) the functions that made a call are above it; their figures are those of the calls below. User events are an
-- overlay: what began while one was open is below it, but its time belongs to no one's self time and is not taken from the
-- call above (calls with call stacks are below functions, not below user events). The runtime's own calls are below the call
-- that made them.
--
-- **What misleads:** times are summed over threads, so they exceed the run's duration; `max_thread_ns` does not. Calls
-- deeper than 128 count as if their ancestor at depth 127 had made them, so a deep recursion folds onto its last levels;
-- there, total counts the outermost of the folded calls. If two events of a thread overlap without one containing the
-- other, the later is below the earlier, and may end after it.
WITH spent AS (
  SELECT nullif(sum(last_ns - first_ns), 0) AS ns FROM thread WHERE :thread IS NULL OR id = :thread
), figures AS (
  SELECT c.id, c.source_id, c.depth, c.position, c.last_position, c.threads, c.calls, c.total_ns, c.inner_ns, c.self_ns, c.min_ns,
    c.max_ns, c.variation, c.bytes, c.longest_thread_id AS max_thread, c.longest_ns AS max_thread_ns
  FROM callpath c WHERE :thread IS NULL
  UNION ALL
  SELECT c.id, c.source_id, c.depth, c.position, c.last_position, 1, t.calls, t.total_ns, t.inner_ns, t.self_ns, t.min_ns, t.max_ns,
    t.variation, t.bytes, t.thread_id, t.total_ns
  FROM callpath_total t JOIN callpath c ON c.id = t.callpath_id WHERE t.thread_id = :thread
)
SELECT printf('%*s%s', 2 * (f.depth - coalesce(r.depth, 1)), '',
    CASE p.type WHEN 'function' THEN coalesce(p.function, p.operation) ELSE p.operation END) AS call,
  p.location,
  100.0 * f.total_ns / (SELECT ns FROM spent) AS share,
  f.total_ns, iif(p.symbol = 'USER', NULL, f.self_ns) AS self_ns, f.calls,
  1.0 * (f.total_ns + f.inner_ns) / f.calls AS mean_ns,
  f.min_ns, f.max_ns, sqrt(f.variation) / f.calls AS deviation_ns, nullif(f.bytes, 0) AS bytes, f.threads, f.max_thread, f.max_thread_ns,
  f.id AS path
FROM figures f JOIN place p ON p.source_id = f.source_id
LEFT JOIN callpath r ON r.id = :root
WHERE (:root IS NULL OR f.position BETWEEN r.position AND r.last_position)
  AND coalesce(100.0 * f.total_ns / (SELECT ns FROM spent), 0) >= :min_share
ORDER BY f.position
LIMIT :limit;
