-- SPDX-License-Identifier: GPL-3.0-or-later
-- Passes that are SQL alone: analysis/passes.c.

-- Holds of each lock, by line and thread.
-- name: lock_totals
INSERT INTO lock_total
SELECT u.object, e.source_id, u.thread_id, count(*), sum(u.contended_ns > 0), sum(u.contended_ns), max(u.contended_ns),
  sum(u.latency_ns), sum(u.untold_ns), sum(u.released_ns - u.acquired_ns), max(u.released_ns - u.acquired_ns), sum(u.attempts),
  sum(u.between_ns)
FROM lock_use u JOIN event e ON e.id = u.acquire_event_id GROUP BY 1, 2, 3

-- A location is a file's name without its folders, so that it is short.  Where several files of the run have that name, what is
-- called by it would be taken for one line: these get as many of their folders as tell them apart, up to 16; beyond that, and
-- where one is the end of another, all of them.
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
