-- SPDX-License-Identifier: GPL-3.0-or-later
-- Passes that are SQL alone: analysis/passes.c.

-- Holds of each lock, by line and thread.  Row after row: GROUP BY would sort, in memory, as many as there are.  Sums stop at the
-- range's end.
-- name: lock_totals
INSERT INTO lock_total
SELECT u.object, e.source_id, u.thread_id, 1, u.contended_ns > 0, u.contended_ns, u.contended_ns, u.latency_ns, u.untold_ns,
  u.released_ns - u.acquired_ns, u.released_ns - u.acquired_ns, u.attempts, u.between_ns
FROM lock_use u JOIN event e ON e.id = u.acquire_event_id WHERE true
ON CONFLICT DO UPDATE SET acquisitions = acquisitions + 1, contended = contended + excluded.contended,
  contended_ns = min(9223372036854775807, contended_ns + excluded.contended_ns),
  longest_contended_ns = max(longest_contended_ns, excluded.longest_contended_ns),
  latency_ns = min(9223372036854775807, latency_ns + excluded.latency_ns),
  untold_ns = min(9223372036854775807, untold_ns + excluded.untold_ns),
  hold_ns = min(9223372036854775807, hold_ns + excluded.hold_ns),
  longest_hold_ns = max(longest_hold_ns, excluded.longest_hold_ns),
  attempts = min(9223372036854775807, attempts + excluded.attempts),
  between_ns = min(9223372036854775807, between_ns + excluded.between_ns)

-- Short names of files: the name without folders.  Files of equal names get the fewest folders that make their names unique, at most
-- 16; beyond that, and where one path is the end of another, the whole path.
-- name: file_names
INSERT INTO file_name
WITH RECURSIVE path(path) AS (
  SELECT file FROM source WHERE file IS NOT NULL UNION SELECT module FROM source WHERE file IS NULL AND module IS NOT NULL
), part(path, name, folders) AS MATERIALIZED ( -- folders: up to the last slash; without one nothing
  SELECT path, substr(path, 1 + length(folders)), folders
  FROM (SELECT path, rtrim(path, replace(path, '/', '')) AS folders FROM path)
), same AS MATERIALIZED (
  SELECT * FROM part WHERE name IN (SELECT name FROM part GROUP BY name HAVING count(*) > 1)
), tail(path, tail, rest, depth) AS (
  SELECT path, name, rtrim(folders, '/'), 0 FROM same
  UNION ALL
  SELECT path, substr(rest, 1 + length(rtrim(rest, replace(rest, '/', '')))) || '/' || tail,
    rtrim(rtrim(rest, replace(rest, '/', '')), '/'), depth + 1
  FROM tail WHERE rest <> '' AND depth < 16
), found AS (
  SELECT path, tail, min(depth) FROM (SELECT path, tail, depth FROM tail GROUP BY tail HAVING count(*) = 1) GROUP BY path
)
SELECT s.path, coalesce(f.tail, s.path) FROM same s LEFT JOIN found f ON f.path = s.path
