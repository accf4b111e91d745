-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of importer/import.c.

-- What the threads agree on is a fact about the run: the first's is taken.
-- name: common_facts
INSERT OR IGNORE INTO meta(key, value) SELECT key, value FROM thread_meta
WHERE key IN ('program', 'arguments', 'directory', 'runtime', 'collector') GROUP BY key HAVING thread_id = min(thread_id);

-- Logs that were full, or their disk; not those that go on as a profile.
-- fragment: full_logs
FROM thread t JOIN thread_meta m ON m.thread_id = t.id
WHERE m.key = 'end' AND (m.value = 'size limit' OR m.value GLOB 'recording stopped: *') AND t.last_ns IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM thread_meta p WHERE p.thread_id = t.id AND p.key = 'profile_from_ns')

-- The times in temp.full, cut at the bounds of bins of that width in meta.
-- fragment: cut_at_bins(width)
WITH RECURSIVE width(ns) AS (SELECT value FROM meta WHERE key = $width),
  part(id, start_ns, from_ns, to_ns) AS (SELECT id, from_ns / ns * ns, from_ns, to_ns FROM full, width WHERE to_ns > from_ns
    UNION ALL SELECT id, start_ns + ns, from_ns, to_ns FROM part, width WHERE start_ns + ns < to_ns),
  cut AS (SELECT id, start_ns, min(to_ns, start_ns + width.ns) - max(from_ns, start_ns) AS ns FROM part, width)

-- Is there such a log?
-- name: any_full_log
SELECT 1 @full_logs

-- What came after its end until the run's end was not recorded.
-- name: mark_full_logs
CREATE TEMP TABLE full AS SELECT t.id, t.last_ns AS from_ns, iif(m.value = 'size limit', 'size limit', 'stopped') AS kind,
  (SELECT max(last_ns) FROM thread) AS to_ns @full_logs;
INSERT INTO gap(thread_id, kind, start_ns, end_ns) SELECT id, kind, from_ns, to_ns FROM full WHERE to_ns > from_ns ORDER BY id;
INSERT INTO category_time SELECT id, 'not recorded', to_ns - from_ns FROM full WHERE to_ns > from_ns
  ON CONFLICT DO UPDATE SET time_ns = time_ns + excluded.time_ns;
INSERT INTO thread_bin @cut_at_bins('thread_bin_ns') SELECT id, start_ns, 'not recorded', ns FROM cut WHERE true
  ON CONFLICT DO UPDATE SET time_ns = time_ns + excluded.time_ns;
INSERT INTO bin @cut_at_bins('bin_ns') SELECT start_ns, 'not recorded', sum(ns) FROM cut GROUP BY start_ns
  ON CONFLICT DO UPDATE SET time_ns = time_ns + excluded.time_ns;
UPDATE quality SET time_ns = to_ns - from_ns FROM full WHERE quality.kind = 'size limit' AND thread_id = full.id AND to_ns > from_ns;
UPDATE thread SET last_ns = to_ns FROM full WHERE thread.id = full.id;
DROP TABLE full;

-- Calls without a line: module, how many.
-- name: calls_without_line
SELECT s.module, sum(p.calls) FROM profile_total p JOIN source s ON s.id = p.source_id
WHERE p.grouping = 'call' AND s.file IS NULL AND s.module IS NOT NULL GROUP BY s.module ORDER BY s.module

-- Operations by size that a profile has of threads with a trace; own: besides those of the trace, else instead.
-- name: make_profile_sizes
CREATE TEMP TABLE IF NOT EXISTS profile_size(thread_id, direction, from_bytes, operations, bytes, own)

-- A row of that table.
-- name: add_profile_size
INSERT INTO temp.profile_size VALUES(?1, ?2, ?3, ?4, ?5, ?6)
