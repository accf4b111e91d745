-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/entities: time and work by entity of the program.

-- The largest entity.id.
-- name: most_entity
SELECT max(id) FROM entity

-- Parts of mixes, in order: mix, entity, weight.
-- name: entity_parts
SELECT entity_id, part_id, weight FROM entity_mix ORDER BY entity_id, position

-- Unrecorded intervals by thread and time: thread, start, end.
-- name: entity_gaps
SELECT thread_id, start_ns, end_ns FROM gap ORDER BY thread_id, start_ns, end_ns

-- Waits likewise.
-- name: entity_waits
SELECT thread_id, start_ns, end_ns FROM wait ORDER BY thread_id, start_ns, end_ns

-- Inserts a row.
-- name: entity_profile_add
INSERT INTO entity_profile VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- Inserts a row.
-- name: entity_bin_add
INSERT INTO entity_bin VALUES (?, ?, ?, ?, ?)

-- Sums over threads, by line, then of all lines.
-- name: entity_totals
CREATE TEMP TABLE entity_thread AS
SELECT entity_id, NULL AS source_id, 1 AS whole, thread_id, sum(calls) AS calls, sum(self_ns) AS self_ns, sum(inclusive_ns) AS inclusive_ns,
  sum(shared_ns) AS shared_ns, sum(wait_ns) AS wait_ns, sum(bytes) AS bytes
FROM entity_profile GROUP BY entity_id, thread_id;
INSERT INTO entity_total
WITH part AS (
  SELECT entity_id, source_id, 0 AS whole, thread_id, calls, self_ns, inclusive_ns, shared_ns, wait_ns, bytes FROM entity_profile
  UNION ALL
  SELECT * FROM temp.entity_thread
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY whole, entity_id, source_id ORDER BY self_ns DESC, thread_id) AS place FROM part
)
SELECT NULL, entity_id, source_id, whole, count(*), sum(calls), sum(self_ns), sum(inclusive_ns), sum(shared_ns), sum(wait_ns), sum(bytes),
  max(self_ns), max(CASE place WHEN 1 THEN thread_id END)
FROM ranked GROUP BY whole, entity_id, source_id ORDER BY whole, entity_id, source_id;
DROP TABLE temp.entity_thread

-- Hand-overs (put 1) and runs of work.
-- name: work_seen_make
CREATE TEMP TABLE work_seen(
  work INTEGER, put INTEGER, event_id INTEGER, thread_id INTEGER, entity_id INTEGER, start_ns INTEGER, end_ns INTEGER
)

-- Inserts one.
-- name: work_seen_add
INSERT INTO temp.work_seen VALUES (?, ?, ?, ?, ?, ?, ?)

-- Joins them.  A number that was given twice (a damaged log) counts for its first hand-over.
-- name: entity_work
CREATE TEMP TABLE process_of AS
SELECT id AS thread_id, first_value(id) OVER (PARTITION BY host, coalesce(pid, -1 - id) ORDER BY id) AS process FROM thread;
CREATE UNIQUE INDEX temp.process_of_thread ON process_of(thread_id);
CREATE TEMP TABLE work_of AS
SELECT process, s.* FROM temp.work_seen s JOIN temp.process_of USING (thread_id);
CREATE INDEX temp.work_of_process ON work_of(put, process, work, start_ns, event_id);
CREATE TEMP TABLE put_of AS
SELECT process, work, min(event_id) AS event_id, thread_id, entity_id, start_ns FROM temp.work_of WHERE put = 1 GROUP BY process, work;
CREATE TEMP TABLE run_of AS
SELECT *, row_number() OVER (PARTITION BY process, work ORDER BY start_ns, event_id) AS number FROM temp.work_of WHERE put = 0;
CREATE INDEX temp.run_of_work ON run_of(process, work);
INSERT INTO entity_work
WITH work AS (
  SELECT coalesce(p.entity_id, r.entity_id) AS entity_id, p.event_id AS put_event_id, p.thread_id AS put_thread_id,
    p.start_ns AS put_ns, r.event_id AS run_event_id, r.thread_id AS run_thread_id, r.start_ns, r.end_ns - r.start_ns AS run_ns,
    CASE r.number WHEN 1 THEN max(r.start_ns - p.start_ns, 0) END AS queued_ns
  FROM temp.put_of p LEFT JOIN temp.run_of r ON r.process = p.process AND r.work = p.work
  UNION ALL
  SELECT r.entity_id, NULL, NULL, NULL, r.event_id, r.thread_id, r.start_ns, r.end_ns - r.start_ns, NULL
  FROM temp.run_of r WHERE NOT EXISTS (SELECT 1 FROM temp.work_of p WHERE p.put = 1 AND p.process = r.process AND p.work = r.work)
)
SELECT NULL, * FROM work ORDER BY coalesce(put_event_id, run_event_id), run_event_id;
DROP TABLE temp.work_seen;
DROP TABLE temp.work_of;
DROP TABLE temp.put_of;
DROP TABLE temp.run_of;
DROP TABLE temp.process_of;
INSERT INTO entity_work_total
SELECT NULL, entity_id, put_thread_id, run_thread_id,
  count(CASE WHEN put_event_id AND (queued_ns IS NOT NULL OR run_event_id IS NULL) THEN 1 END),
  count(run_event_id), coalesce(sum(run_ns), 0), coalesce(sum(queued_ns), 0), max(queued_ns)
FROM entity_work GROUP BY entity_id, put_thread_id, run_thread_id
