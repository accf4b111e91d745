-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Source lines whose calls take the most time
-- group: time
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|caller: the line of the calls, or the function that makes them
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- column: location TEXT -  file and line, or module and offset; of a caller where the function begins
-- column: function TEXT -  the function that contains the line, or makes the calls
-- column: operations TEXT -  the operations called there
-- column: calls INTEGER count  how often
-- column: self_ns INTEGER ns  time in these calls, callees excluded
-- column: share REAL %  of the time of all threads
-- column: waiting_ns INTEGER ns  waiting for other threads; of self, and of the collector's own work inside; empty: a profile
-- column: max_thread INTEGER -  the thread that spent most there
-- column: max_ns INTEGER ns  its self time there
-- column: bytes INTEGER B  moved by the calls; empty if they move none
--
-- The profile by source line, over all operations; user events are left out, as they have no self time.
--
-- By caller: the innermost functions around the calls, inlined ones too. All figures, waiting too, are of the calls that stand in
-- the function itself; those that functions called by it make count there. Callers are known where the run was recorded with
-- call stacks (`gaspdb record --stack=8`); `call-tree` has the functions above them.
--
-- **What misleads:** the line of a waiting call is the place of the loss, not of the cause: see `worst`.
WITH waits AS MATERIALIZED (
  SELECT callpath_id, thread_id, sum(time_ns) AS time_ns FROM callpath_wait WHERE :by = 'caller' GROUP BY callpath_id, thread_id
), of_callers AS (
  SELECT p.source_id, t.thread_id, t.calls, t.self_ns, t.bytes, q.operation, w.time_ns AS waiting_ns
  FROM callpath_total t JOIN callpath c ON c.id = t.callpath_id JOIN callpath u ON u.id = c.parent_id
  JOIN place p ON p.source_id = u.source_id AND p.operation = 'caller'
  JOIN place q ON q.source_id = c.source_id AND q.operation <> 'caller'
  LEFT JOIN waits w ON w.callpath_id = c.id AND w.thread_id = t.thread_id
  WHERE :by = 'caller' AND (:thread IS NULL OR t.thread_id = :thread)
), by_caller AS (
  SELECT source_id, sum(calls) AS calls, sum(self_ns) AS self_ns, sum(bytes) AS bytes, coalesce(sum(waiting_ns), (SELECT ns FROM no_wait)) AS waiting_ns
  FROM of_callers GROUP BY source_id
), most AS (
  SELECT source_id, thread_id, self_ns,
    row_number() OVER (PARTITION BY source_id ORDER BY self_ns DESC, thread_id) AS place
  FROM (SELECT source_id, thread_id, sum(self_ns) AS self_ns FROM of_callers GROUP BY source_id, thread_id)
), operations_of AS (
  SELECT source_id, group_concat(operation, ', ') AS operations
  FROM (SELECT DISTINCT source_id, operation FROM of_callers ORDER BY operation) GROUP BY source_id
), here AS (
  SELECT source_id, calls, self_ns, bytes, longest_thread_id AS max_thread, longest_ns AS max_ns FROM profile_total
  WHERE grouping = 'line' AND nested = 0 AND :thread IS NULL
  UNION ALL
  SELECT min(f.source_id), sum(f.calls), sum(f.self_ns), sum(f.bytes), f.thread_id, sum(f.self_ns)
  FROM profile f JOIN place p ON p.source_id = f.source_id
  WHERE f.thread_id = :thread AND f.nested = 0 AND f.self_ns IS NOT NULL AND p.location IS NOT NULL
  GROUP BY p.file, p.line, p.location, p.function
), waited AS (
  SELECT p.file, p.line, p.location, p.function, sum(w.time_ns) AS time_ns
  FROM wait_total w JOIN place p ON p.source_id = w.source_id
  WHERE :thread IS NULL OR w.thread_id = :thread
  GROUP BY p.file, p.line, p.location, p.function
), called AS (
  SELECT source_id FROM profile_total
  WHERE grouping = 'call' AND nested = 0 AND self_ns IS NOT NULL AND :thread IS NULL
  UNION ALL
  SELECT source_id FROM profile WHERE thread_id = :thread AND nested = 0 AND self_ns IS NOT NULL
), names AS (
  SELECT location, function, file, line, group_concat(operation, ', ') AS operations
  FROM (SELECT DISTINCT p.location, p.function, p.file, p.line, p.operation
    FROM called c JOIN place p ON p.source_id = c.source_id
    WHERE p.location IS NOT NULL
    ORDER BY p.operation)
  GROUP BY location, function, file, line
)
SELECT location, function, operations, calls, self_ns,
  100.0 * self_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  waiting_ns, max_thread, max_ns, bytes
FROM (
  SELECT p.file, p.line, p.location, p.function, n.operations, h.calls, h.self_ns, coalesce(w.time_ns, (SELECT ns FROM no_wait)) AS waiting_ns,
    h.max_thread, h.max_ns, nullif(h.bytes, 0) AS bytes
  FROM here h JOIN place p ON p.source_id = h.source_id
  JOIN names n ON n.location = p.location AND n.function IS p.function AND n.file IS p.file AND n.line IS p.line
  LEFT JOIN waited w ON w.location = p.location AND w.function IS p.function AND w.file IS p.file AND w.line IS p.line
  WHERE :by = 'line'
  UNION ALL
  SELECT p.file, p.line, p.location, p.function, o.operations, c.calls, c.self_ns, c.waiting_ns, m.thread_id, m.self_ns, nullif(c.bytes, 0)
  FROM by_caller c JOIN operations_of o USING (source_id) JOIN most m ON m.source_id = c.source_id AND m.place = 1
  JOIN place p ON p.source_id = c.source_id
)
ORDER BY self_ns DESC, file, line, location, function
LIMIT :limit;
