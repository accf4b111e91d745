-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Source lines whose calls take the most time
-- group: time
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- column: location TEXT -  file and line, or module and offset
-- column: function TEXT -  the function that contains the line
-- column: operations TEXT -  the operations called there
-- column: calls INTEGER count  how often
-- column: self_ns INTEGER ns  time in these calls, callees excluded
-- column: share REAL %  of the time of all threads
-- column: waiting_ns INTEGER ns  waiting for other threads; of self, and of the collector's own work inside
-- column: max_thread INTEGER -  the thread that spent most there
-- column: max_ns INTEGER ns  its self time there
-- column: bytes INTEGER B  moved by the calls; empty if they move none
--
-- The profile by source line, over all operations; user events are left out, as they have no self time.
--
-- **What misleads:** the line of a waiting call is the place of the loss, not of the cause: see `worst`.
WITH here AS (
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
SELECT p.location, p.function, n.operations,
  h.calls,
  h.self_ns,
  100.0 * h.self_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  coalesce(w.time_ns, 0) AS waiting_ns,
  h.max_thread,
  h.max_ns,
  nullif(h.bytes, 0) AS bytes
FROM here h JOIN place p ON p.source_id = h.source_id
JOIN names n ON n.location = p.location AND n.function IS p.function AND n.file IS p.file AND n.line IS p.line
LEFT JOIN waited w ON w.location = p.location AND w.function IS p.function AND w.file IS p.file AND w.line IS p.line
ORDER BY h.self_ns DESC, p.file, p.line, p.location, p.function
LIMIT :limit;
