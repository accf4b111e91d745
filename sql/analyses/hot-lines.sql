-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Source lines whose calls take the most time
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- column: location TEXT -  file and line, or module and offset
-- column: function TEXT -  the function that contains the line
-- column: operations TEXT -  what is called there
-- column: calls INTEGER -  how often
-- column: self_ns INTEGER ns  time in these calls, what they called left out
-- column: share REAL %  of the time of all threads
-- column: waiting_ns INTEGER ns  of that: waiting for other threads
-- column: max_thread INTEGER -  the thread that spent most there
-- column: max_ns INTEGER ns  its self time there
-- column: bytes INTEGER B  moved by the calls; empty if they move none
--
-- The profile by source line, whatever is called there; user events are left out, for they take no time from others.
--
-- **What misleads:** the line of a call that waits is where time is lost, not where the cause is: see `worst`.
WITH here AS (
  SELECT p.file, p.line, p.location, p.function, f.thread_id, sum(f.calls) AS calls, sum(f.self_ns) AS self_ns,
    sum(f.bytes) AS bytes, group_concat(DISTINCT p.operation) AS operations
  FROM profile f JOIN place p ON p.source_id = f.source_id
  WHERE f.nested = 0 AND f.self_ns IS NOT NULL AND p.location IS NOT NULL
    AND (:thread IS NULL OR f.thread_id = :thread)
  GROUP BY p.file, p.line, p.location, p.function, f.thread_id
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY file, line, location, function ORDER BY self_ns DESC, thread_id) AS place_no
  FROM here
), waited AS (
  SELECT p.file, p.line, p.location, p.function, sum(w.time_ns) AS time_ns
  FROM wait_total w JOIN place p ON p.source_id = w.source_id
  WHERE :thread IS NULL OR w.thread_id = :thread
  GROUP BY p.file, p.line, p.location, p.function
), names AS (
  SELECT location, function, file, line, group_concat(operation, ', ') AS operations
  FROM (SELECT DISTINCT p.location, p.function, p.file, p.line, p.operation
    FROM profile f JOIN place p ON p.source_id = f.source_id
    WHERE f.nested = 0 AND f.self_ns IS NOT NULL AND p.location IS NOT NULL
      AND (:thread IS NULL OR f.thread_id = :thread)
    ORDER BY p.operation)
  GROUP BY location, function, file, line
)
SELECT r.location, r.function, n.operations,
  sum(r.calls) AS calls,
  sum(r.self_ns) AS self_ns,
  100.0 * sum(r.self_ns) / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  coalesce(w.time_ns, 0) AS waiting_ns,
  max(r.thread_id) FILTER (WHERE r.place_no = 1) AS max_thread,
  max(r.self_ns) AS max_ns,
  sum(r.bytes) AS bytes
FROM ranked r
JOIN names n ON n.location = r.location AND n.function IS r.function AND n.file IS r.file AND n.line IS r.line
LEFT JOIN waited w ON w.location = r.location AND w.function IS r.function AND w.file IS r.file AND w.line IS r.line
GROUP BY r.file, r.line, r.location, r.function
ORDER BY sum(r.self_ns) DESC, r.file, r.line, r.location, r.function
LIMIT :limit;
