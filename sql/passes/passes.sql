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

-- Waiting by call path; row after row, as lock_totals.
-- name: callpath_waits
INSERT INTO callpath_wait
SELECT p.callpath_id, w.thread_id, w.kind, coalesce(f.source_id, (SELECT source_id FROM callpath WHERE id = p.callpath_id)), 1,
  w.end_ns - w.start_ns,
  iif(w.below_error, 0, w.end_ns - w.start_ns - coalesce(u.time_ns, 0))
FROM wait w CROSS JOIN event_path p ON p.event_id = w.event_id
LEFT JOIN event f ON f.id = w.cause_event_id LEFT JOIN wait_unserved u ON u.wait_id = w.id
WHERE EXISTS (SELECT 1 FROM event_path)
ON CONFLICT DO UPDATE SET waits = waits + 1, time_ns = min(9223372036854775807, time_ns + excluded.time_ns),
  lost_ns = min(9223372036854775807, lost_ns + excluded.lost_ns)

-- Callers of lines that wait.  level counts the functions above a call: 1 is the one of the call's place, 0 what is below it.
-- User events are no functions and are passed over.
-- name: wait_callers
INSERT INTO wait_caller
WITH lost AS MATERIALIZED (
  SELECT w.kind, s.spot, q.spot AS waiting_spot, w.callpath_id AS path, sum(w.lost_ns) AS ns
  FROM callpath_wait w JOIN spot s ON s.source_id = w.source_id JOIN callpath c ON c.id = w.callpath_id
  JOIN spot q ON q.source_id = c.source_id GROUP BY 1, 2, 3, 4
), above AS MATERIALIZED (
  SELECT q.spot AS waiting_spot, c.id AS path, c.parent_id AS id, s.function AS place, NULL AS function, 0 AS level, 0 AS is_function
  FROM (SELECT DISTINCT waiting_spot FROM lost) l CROSS JOIN spot q ON q.spot = l.waiting_spot
  CROSS JOIN source s ON s.id = q.source_id CROSS JOIN callpath c ON c.source_id = s.id
  UNION ALL
  SELECT a.waiting_spot, a.path, u.parent_id, a.place, coalesce(f.function, f.location, 'not known'),
    iif(f.type = 'function' AND (a.level > 0 OR f.function IS a.place), a.level + 1, iif(f.type = 'user', a.level, 0)), f.type = 'function'
  FROM above a JOIN callpath u ON u.id = a.id JOIN place f ON f.source_id = u.source_id
), split AS ( -- where the paths differ first
  SELECT waiting_spot, min(level) AS level FROM (
    SELECT waiting_spot, level, count(DISTINCT function) AS functions, count(*) AS paths,
      max(count(*)) OVER (PARTITION BY waiting_spot) AS all_paths
    FROM above WHERE level > 0 AND is_function GROUP BY waiting_spot, level)
  WHERE level > 1 AND (functions > 1 OR paths < all_paths) GROUP BY waiting_spot
), part AS (
  SELECT l.kind, l.spot, l.waiting_spot, a.function, sum(l.ns) AS ns,
    row_number() OVER (PARTITION BY l.kind, l.spot, l.waiting_spot ORDER BY sum(l.ns) DESC, a.function) AS no
  FROM split s JOIN above a ON a.waiting_spot = s.waiting_spot AND a.level = s.level AND a.is_function
  JOIN lost l ON l.waiting_spot = a.waiting_spot AND l.path = a.path
  GROUP BY l.kind, l.spot, l.waiting_spot, a.function
)
SELECT p.kind, p.spot, p.waiting_spot, p.function, p.ns, l.ns
FROM part p JOIN (SELECT kind, spot, waiting_spot, sum(ns) AS ns FROM lost GROUP BY kind, spot, waiting_spot) l
  ON l.kind = p.kind AND l.spot = p.spot AND l.waiting_spot = p.waiting_spot
WHERE p.no = 1 AND p.ns > 0

-- Whether the run was recorded as a profile alone.
-- name: is_profile
SELECT 1 FROM meta WHERE key = 'mode' AND value = 'profile'

-- Tables of passes that sums of a profile fill.
-- POP: the time between the last end of an init and the first start of a finalize is known of each process; what a thread computes
-- before its own init and after its own finalize is its time there without these calls.  Sizes of collectives are the importer's.
-- name: profile_pop
DELETE FROM pop;
DELETE FROM pop_thread;
DELETE FROM pop_bin;
INSERT INTO pop
WITH run AS (
  SELECT min(first_ns) AS first_ns, max(last_ns) AS last_ns FROM thread WHERE first_ns IS NOT NULL
), bound AS (
  SELECT max(CAST(value AS INTEGER)) FILTER (WHERE key = 'init_ns') AS init_ns,
    min(CAST(value AS INTEGER)) FILTER (WHERE key = 'finalize_ns') AS finalize_ns
  FROM thread_meta WHERE key IN ('init_ns', 'finalize_ns')
), inner_part AS (
  SELECT coalesce(b.init_ns, r.first_ns) AS start_ns, coalesce(b.finalize_ns, r.last_ns) AS end_ns FROM run r CROSS JOIN bound b
)
SELECT 0, start_ns, max(start_ns, end_ns), NULL FROM inner_part WHERE start_ns IS NOT NULL
UNION ALL SELECT 1, first_ns, last_ns, NULL FROM run WHERE first_ns IS NOT NULL;

INSERT INTO pop_thread
WITH moment AS (
  SELECT thread_id, max(CAST(value AS INTEGER)) FILTER (WHERE key = 'init_ns') AS init_ns,
    min(CAST(value AS INTEGER)) FILTER (WHERE key = 'finalize_ns') AS finalize_ns
  FROM thread_meta WHERE key IN ('init_ns', 'finalize_ns') GROUP BY thread_id
), around AS ( -- calls of init and finalize
  SELECT p.thread_id, sum(p.total_ns) FILTER (WHERE o.type = 'init') AS init_ns,
    sum(p.total_ns) FILTER (WHERE o.type = 'finalize') AS finalize_ns
  FROM operation o CROSS JOIN source s CROSS JOIN profile p
  WHERE o.type IN ('init', 'finalize') AND s.operation_id = o.id AND p.source_id = s.id AND p.nested = 0 GROUP BY p.thread_id
), computed AS (
  SELECT t.id, coalesce(c.time_ns, 0) AS ns,
    max(0, coalesce(m.init_ns - t.first_ns - coalesce(a.init_ns, 0), 0))
      + max(0, coalesce(t.last_ns - m.finalize_ns - coalesce(a.finalize_ns, 0), 0)) AS outside_ns
  FROM thread t LEFT JOIN (SELECT thread_id, sum(time_ns) AS time_ns FROM category_time
    WHERE category IN ('computation', 'no processor') GROUP BY thread_id) c ON c.thread_id = t.id
  LEFT JOIN moment m ON m.thread_id = t.id LEFT JOIN around a ON a.thread_id = t.id
  WHERE t.first_ns IS NOT NULL
)
SELECT p.whole, c.id, iif(p.whole, c.ns, min(p.end_ns - p.start_ns, max(0, c.ns - c.outside_ns))), NULL
FROM pop p CROSS JOIN computed c ORDER BY p.whole, c.id;

INSERT INTO pop_bin
SELECT whole, 1, start_ns, end_ns, sum(computation_ns), max(computation_ns), min(thread_id) FILTER (WHERE computation_ns = most_ns)
FROM (SELECT p.whole, p.start_ns, p.end_ns, t.thread_id, t.computation_ns, max(t.computation_ns) OVER (PARTITION BY p.whole) AS most_ns
  FROM pop p JOIN pop_thread t ON t.whole = p.whole WHERE p.end_ns > p.start_ns)
GROUP BY whole

-- Blocking accesses; the distribution of their times is not known. The shortest and the longest are those of the line's calls, if all
-- calls of a thread there have one owner.
-- name: profile_accesses
DELETE FROM access_pair;
DELETE FROM access_piece;
DELETE FROM access_line;
CREATE TEMP TABLE blocking AS
SELECT t.thread_id, t.peer, t.source_id, t.direction, sum(t.operations) AS calls, sum(t.bytes) AS bytes, sum(t.time_ns) AS time_ns
FROM traffic t JOIN source s ON s.id = t.source_id JOIN operation o ON o.id = s.operation_id
WHERE o.type IN ('get', 'put', 'atomic', 'atomic_fetch', 'copy') AND o.model <> 'MPI'
GROUP BY t.thread_id, t.source_id, t.direction, t.peer;

INSERT INTO access_pair
SELECT row_number() OVER (ORDER BY b.thread_id, b.source_id, b.direction, b.peer), b.source_id, b.thread_id, b.direction, b.peer,
  b.calls, b.bytes, b.time_ns, p.min_ns, NULL, NULL, p.max_ns, NULL
FROM (SELECT *, count(*) OVER (PARTITION BY thread_id, source_id) AS pairs FROM blocking) b
LEFT JOIN profile p ON p.thread_id = b.thread_id AND p.source_id = b.source_id AND p.nested = 0 AND b.pairs = 1
ORDER BY b.thread_id, b.source_id, b.direction, b.peer;

INSERT INTO access_piece
SELECT min(a.id), max(a.id), min(a.thread_id), max(a.thread_id), max(a.time_ns), sum(t.rank IS o.rank)
FROM access_pair a JOIN thread t ON t.id = a.thread_id JOIN thread o ON o.id = a.peer GROUP BY (a.id - 1) / 256;

INSERT INTO access_line
SELECT a.source_id, a.direction, t.rank IS NOT o.rank, sum(a.calls), sum(a.bytes), sum(a.time_ns),
  iif(count(a.min_ns) = count(*), min(a.min_ns), NULL), NULL, NULL, iif(count(a.max_ns) = count(*), max(a.max_ns), NULL), NULL
FROM access_pair a JOIN thread t ON t.id = a.thread_id JOIN thread o ON o.id = a.peer GROUP BY 1, 2, 3;
DROP TABLE blocking

-- Has a trace gone on as a profile? Its sums are those of both.
-- name: any_rest
SELECT 1 FROM thread_meta WHERE key = 'profile_from_ns' LIMIT 1

-- Operations by size of threads that have a profile beside or after a trace: the importer keeps them until those of the trace are known.
-- name: profile_sizes
CREATE TEMP TABLE IF NOT EXISTS profile_size(thread_id, direction, from_bytes, operations, bytes, own);
DELETE FROM size_total WHERE thread_id IN (SELECT thread_id FROM temp.profile_size WHERE NOT own);
INSERT INTO size_total(thread_id, direction, from_bytes, operations, bytes)
SELECT thread_id, direction, from_bytes, operations, bytes FROM temp.profile_size WHERE true
ON CONFLICT DO UPDATE SET operations = operations + excluded.operations, bytes = min(9223372036854775807, bytes + excluded.bytes);
DROP TABLE temp.profile_size

-- Callers of functions whose computation others waited for.  level counts the functions above it: 1 is the nearest.
-- User events are no functions and are passed over.
-- name: work_callers
INSERT INTO work_caller
WITH late AS MATERIALIZED ( -- the threads that others waited for
  SELECT function_source_id AS function_id, thread_id FROM root_cause WHERE function_source_id IS NOT NULL
  UNION SELECT function_source_id, thread_id FROM delay WHERE function_source_id IS NOT NULL
), named AS MATERIALIZED (
  SELECT DISTINCT function_id FROM late
), above AS MATERIALIZED (
  SELECT n.function_id, c.id AS path, c.parent_id AS id, NULL AS function, 0 AS level, 0 AS is_function
  FROM named n CROSS JOIN callpath c ON c.source_id = n.function_id
  UNION ALL
  SELECT a.function_id, a.path, u.parent_id, coalesce(f.function, f.location, 'not known'), a.level + (f.type = 'function'),
    f.type = 'function'
  FROM above a JOIN callpath u ON u.id = a.id JOIN place f ON f.source_id = u.source_id
), split AS ( -- where the paths differ first
  SELECT function_id, min(level) AS level FROM (
    SELECT a.function_id, a.level, count(DISTINCT a.function) AS functions, count(*) AS paths, max(p.paths) AS all_paths
    FROM above a JOIN (SELECT function_id, count(DISTINCT path) AS paths FROM above GROUP BY 1) p ON p.function_id = a.function_id
    WHERE a.is_function GROUP BY a.function_id, a.level)
  WHERE functions > 1 OR paths < all_paths GROUP BY function_id
), spent AS MATERIALIZED (
  SELECT n.function_id, t.id AS thread_id, x.callpath_id AS path, x.self_ns AS ns
  FROM named n CROSS JOIN thread t CROSS JOIN callpath_part x ON x.thread_id = t.id AND x.source_id = n.function_id
  UNION ALL
  SELECT n.function_id, t.id, (SELECT min(id) FROM callpath WHERE source_id = n.function_id), coalesce(p.self_ns, 0)
  FROM named n CROSS JOIN thread t CROSS JOIN profile p ON p.thread_id = t.id AND p.source_id = n.function_id
  WHERE NOT EXISTS (SELECT 1 FROM callpath_part x WHERE x.thread_id = t.id AND x.source_id = n.function_id)
), mean AS MATERIALIZED (
  SELECT function_id, path, 1.0 * sum(ns) / (SELECT count(*) FROM thread WHERE first_ns IS NOT NULL) AS ns FROM spent GROUP BY 1, 2
), part AS ( -- the excess by caller
  SELECT l.function_id, l.thread_id, a.function AS caller, CAST(round(sum(coalesce(s.ns, 0) - m.ns)) AS INTEGER) AS ns
  FROM split p JOIN late l ON l.function_id = p.function_id
  JOIN mean m ON m.function_id = l.function_id
  LEFT JOIN spent s ON s.function_id = l.function_id AND s.path = m.path AND s.thread_id = l.thread_id
  LEFT JOIN above a ON a.function_id = p.function_id AND a.path = m.path AND a.level = p.level AND a.is_function
  GROUP BY l.function_id, l.thread_id, a.function
), ranked AS (
  SELECT *, sum(ns) OVER (PARTITION BY function_id, thread_id) AS all_ns,
    row_number() OVER (PARTITION BY function_id, thread_id ORDER BY caller IS NULL, ns DESC, caller) AS no
  FROM part WHERE ns > 0
)
SELECT function_id, thread_id, caller, ns, all_ns FROM ranked WHERE no = 1 AND caller IS NOT NULL
