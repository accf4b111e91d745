-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tables of the page (`gaspdb report --html`), each a chunk of it: cli/html/tables.c lists them.  Times are ns since the run's start.

-- The shown name of the file of source s.
-- fragment: shown_file
coalesce((SELECT name FROM file_name n WHERE n.file = s.file), replace(s.file, rtrim(s.file, replace(s.file, '/', '')), ''))

-- The events that the page has one by one, as ranges of ids, and of the ids of their waits (none: to -1): filled before the
-- statements below.
-- name: page_make_ranges
CREATE TEMP TABLE page_range(first INTEGER PRIMARY KEY, last INTEGER, first_wait INTEGER, last_wait INTEGER)

-- All events.
-- name: page_all_ranges
INSERT INTO page_range SELECT 0, max(id), 0, (SELECT max(id) FROM wait) FROM event

-- A range: first and last event, first and last wait.
-- name: page_add_range
INSERT INTO page_range VALUES(?1, ?2, ?3, ?4)

-- The ids of the events among these that wait longest: a page of many has no other's arguments.
-- name: page_make_waiting
CREATE TEMP TABLE page_waiting(event_id INTEGER PRIMARY KEY)

-- Of all events.
-- name: page_all_waiting
INSERT OR IGNORE INTO page_waiting SELECT event_id FROM wait ORDER BY end_ns - start_ns DESC, id LIMIT 3000

-- One event: its id.
-- name: page_add_waiting
INSERT INTO page_waiting VALUES(?1)

-- The ids of their messages.
-- name: page_make_messages
CREATE TEMP TABLE page_message(id INTEGER PRIMARY KEY)

-- All messages.
-- name: page_all_messages
INSERT INTO page_message SELECT id FROM message

-- One message: its id.
-- name: page_add_message
INSERT INTO page_message VALUES(?1)

-- The ids of the collectives whose last member is one of these events.
-- name: page_make_collectives
CREATE TEMP TABLE page_collective(id INTEGER PRIMARY KEY)

-- All collectives.
-- name: page_all_collectives
INSERT INTO page_collective SELECT id FROM collective

-- One collective: its id.
-- name: page_add_collective
INSERT INTO page_collective VALUES(?1)

-- The ids of the longest segments of the critical path.
-- name: page_make_segments
CREATE TEMP TABLE page_segment(id INTEGER PRIMARY KEY)

-- One segment: its id.
-- name: page_add_segment
INSERT INTO page_segment VALUES(?1)

-- Sums by thread: time on the critical path; number and time of its waits, and of waits for it.
-- name: page_make_threads
CREATE TEMP TABLE page_thread(id INTEGER PRIMARY KEY, path_ns INTEGER, waits INTEGER, waited_ns INTEGER, caused INTEGER, blamed_ns INTEGER)

-- A thread's sums.
-- name: page_add_thread
INSERT INTO page_thread VALUES(?1, ?2, ?3, ?4, ?5, ?6)

-- What these sums are of: thread, thread waited for, number, ns.
-- name: page_wait_sums
SELECT thread_id, cause_thread_id, waits, time_ns FROM wait_total

-- The largest waits, first the longest of each finding: where a window of events is worth its place.  Start, end in ns.
-- name: page_window_waits
WITH longest AS MATERIALIZED (
  SELECT kind, coalesce(cause_source_id, source_id) AS source_id, longest_ns, longest_wait_id FROM wait_total
  WHERE (longest_ns, kind) IN (SELECT longest_ns, kind FROM loss_total WHERE longest_ns > 0 ORDER BY longest_ns DESC LIMIT 32)
    AND NOT below_error
)
SELECT start_ns, end_ns FROM (
  SELECT * FROM (
    SELECT 1 AS no, t.longest_ns AS ns, min(w.start_ns) AS start_ns, w.end_ns FROM longest t JOIN wait w ON w.id = t.longest_wait_id
    GROUP BY t.kind, t.source_id, t.longest_ns)
  UNION ALL
  SELECT * FROM (SELECT 2, t.longest_ns, w.start_ns, w.end_ns
    FROM (SELECT longest_ns, longest_wait_id FROM wait_total WHERE NOT below_error ORDER BY longest_ns DESC, longest_wait_id LIMIT 64) t
    JOIN wait w ON w.id = t.longest_wait_id)
)
ORDER BY no, ns DESC, start_ns, end_ns LIMIT 96

-- The longest segments of the critical path that are not waiting.  Start, end in ns.
-- name: page_window_segments
SELECT c.start_ns, c.end_ns FROM page_segment s CROSS JOIN critical_path c ON c.id = s.id WHERE c.kind = 'running'
ORDER BY c.end_ns - c.start_ns DESC, c.id LIMIT 32

-- Places, first those with most time: source, whether its calls are the runtime's.
-- name: page_busy
SELECT s.source_id, s.category IN ('communication', 'synchronization', 'allocation', 'io', 'runtime') FROM spot s
JOIN (SELECT source_id, sum(self_ns) AS ns FROM profile_total WHERE grouping = 'call' GROUP BY source_id) p ON p.source_id = s.source_id
ORDER BY p.ns DESC, s.source_id

-- Rows of the time line, and the run's first and last moment and its number of events.
-- name: page_extent
SELECT count(*), min(first_ns), max(last_ns), sum(last_event - first_event + 1) FROM thread WHERE first_ns IS NOT NULL

-- Facts of the run: key, value.
-- name: page_meta
SELECT key, value FROM meta ORDER BY key

-- Rows of the time line: threads that have a log.
-- name: page_threads
SELECT t.id, t.rank, t.number, t.host, t.model, t.first_ns, t.last_ns, t.complete
FROM thread t WHERE t.first_ns IS NOT NULL ORDER BY t.id

-- Places of events: a call at a line.  spot: the first source of the same operation and location, as findings name them.
-- name: page_sources
SELECT s.id, p.name AS operation, p.type, p.category, p.location, p.place_location, @shown_file AS file, s.line, s.function,
  p.spot
FROM source s JOIN spot p ON p.source_id = s.id
WHERE s.id IN (SELECT source_id FROM profile_total WHERE grouping = 'call') ORDER BY s.id

-- Time of all threads by category, in bins.
-- name: page_bins
SELECT start_ns, category, time_ns FROM bin ORDER BY start_ns, category

-- Waiting of all threads by kind, in the same bins.
-- name: page_wait_bins
SELECT start_ns, kind, time_ns FROM wait_bin ORDER BY start_ns, kind

-- Calls of all threads by place, in bins.
-- name: page_source_bins
SELECT source_id, nested, start_ns, calls, self_ns, bytes FROM source_bin WHERE source_id IN
  (SELECT source_id FROM profile_total WHERE grouping = 'call' GROUP BY source_id ORDER BY sum(self_ns) DESC, source_id LIMIT 64)
ORDER BY source_id, nested, start_ns

-- Sums by place.
-- name: page_profile
SELECT p.source_id, p.nested, p.threads, p.calls, p.total_ns, p.self_ns, p.min_ns, p.max_ns, p.bytes, w.time_ns AS wait_ns
FROM profile_total p LEFT JOIN (SELECT source_id, sum(time_ns) AS time_ns FROM wait_total GROUP BY source_id) w
  ON w.source_id = p.source_id
WHERE p.grouping = 'call' ORDER BY p.self_ns DESC, p.source_id, p.nested LIMIT 5000

-- Time of all threads by category.
-- name: page_category_sums
SELECT category, sum(time_ns) AS time_ns FROM category_time GROUP BY category ORDER BY category

-- Time by thread and category.
-- name: page_categories
SELECT thread_id, category, time_ns FROM category_time ORDER BY thread_id, category

-- Self time of threads at the places with most of it, and their waiting there.
-- name: page_balance
SELECT p.source_id, p.thread_id, sum(p.self_ns) AS self_ns, sum(p.calls) AS calls, sum(p.bytes) AS bytes, w.time_ns AS wait_ns
FROM (SELECT source_id FROM profile_total WHERE grouping = 'call' GROUP BY source_id ORDER BY sum(self_ns) DESC, source_id
  LIMIT (SELECT max(3, min(40, 40000 / max(1, count(*)))) FROM thread)) t
CROSS JOIN thread h CROSS JOIN profile p ON p.thread_id = h.id AND p.source_id = t.source_id AND p.nested = 0
LEFT JOIN (SELECT source_id, thread_id, sum(time_ns) AS time_ns FROM wait_total GROUP BY source_id, thread_id) w
  ON w.source_id = p.source_id AND w.thread_id = p.thread_id
GROUP BY p.source_id, p.thread_id ORDER BY p.source_id, p.thread_id

-- Waiting by kind, place, thread and what it waited for: the largest sums.
-- name: page_wait_totals
SELECT w.kind, w.source_id, w.thread_id, w.cause_thread_id, w.cause_source_id, w.waits, w.time_ns, w.longest_ns, w.longest_wait_id,
  w.below_error
FROM (SELECT * FROM wait_total ORDER BY time_ns DESC, longest_wait_id LIMIT 5000) w
ORDER BY w.source_id, w.thread_id, w.longest_wait_id

-- Waiting of each thread, and for each thread, with the number of these waits.
-- name: page_thread_waits
SELECT h.id AS thread_id, nullif(s.waits, 0) AS waits, iif(s.waits > 0, s.waited_ns, NULL) AS waited_ns, nullif(s.caused, 0) AS caused,
  iif(s.caused > 0, s.blamed_ns, NULL) AS blamed_ns
FROM thread h LEFT JOIN page_thread s ON s.id = h.id WHERE h.first_ns IS NOT NULL ORDER BY h.id

-- Time of each thread on the critical path.
-- name: page_thread_path
SELECT id AS thread_id, path_ns AS time_ns FROM page_thread WHERE path_ns > 0 ORDER BY id

-- The longest wait of each row above.
-- name: page_longest_waits
SELECT w.id, w.thread_id, w.event_id, w.kind, w.start_ns, w.end_ns, w.cause_thread_id, w.cause_event_id, w.cause_ns, e.source_id,
  c.source_id AS cause_source_id
FROM (SELECT longest_wait_id AS id FROM wait_total WHERE NOT below_error ORDER BY longest_ns DESC, longest_wait_id LIMIT 1000) t
JOIN wait w ON w.id = t.id JOIN event e ON e.id = w.event_id LEFT JOIN event c ON c.id = w.cause_event_id
ORDER BY w.id

-- Calls, one by one.
-- name: page_events
SELECT e.id, e.thread_id, e.source_id, e.start_ns, e.duration_ns, e.parent_id, e.bytes, e.peer, e.nested, e.open
FROM page_range r CROSS JOIN event e ON e.id BETWEEN r.first AND r.last ORDER BY r.first, e.id

-- Arguments of these calls. If there are more than 30,000 calls, only the calls with the longest waits have arguments.
-- name: page_arguments
SELECT g.id >> 6 AS event_id, g.argument_id, g.value
FROM (SELECT * FROM page_range ORDER BY first LIMIT (SELECT iif(sum(last - first + 1) > 30000, 0, -1) FROM page_range)) r
CROSS JOIN event_arg g ON g.id BETWEEN r.first << 6 AND (r.last << 6) + 63
WHERE typeof(g.value) = 'integer'
UNION ALL
SELECT g.id >> 6, g.argument_id, g.value
FROM (SELECT event_id FROM page_waiting LIMIT (SELECT iif(sum(last - first + 1) > 30000, -1, 0) FROM page_range)) w
CROSS JOIN event_arg g ON g.id BETWEEN w.event_id << 6 AND (w.event_id << 6) + 63
WHERE typeof(g.value) = 'integer'
ORDER BY 2, 1

-- Names of arguments.
-- name: page_argument_names
SELECT id, phase, name, code FROM argument ORDER BY id

-- Waits in these calls.
-- name: page_waits
SELECT w.id, w.event_id, w.kind, w.start_ns, w.end_ns, w.cause_thread_id, w.cause_event_id, w.cause_ns, w.below_error
FROM page_range r CROSS JOIN wait w ON w.id BETWEEN r.first_wait AND r.last_wait ORDER BY r.first, w.id

-- Messages of these calls.
-- name: page_messages
SELECT m.id, m.send_event_id, m.receive_event_id, m.post_event_id, m.sender, m.receiver, m.team_id, m.tag, m.bytes, m.sent_ns,
  m.received_ns
FROM page_message p CROSS JOIN message m ON m.id = p.id ORDER BY m.sent_ns, m.id

-- Members of collectives to whose last member one of these calls belongs.
-- name: page_collectives
SELECT m.collective_id, m.event_id
FROM page_collective p CROSS JOIN collective_member m ON m.collective_id = p.id
ORDER BY m.collective_id, m.event_id LIMIT 300000

-- These collectives: where on which team, who came last.
-- name: page_collective_calls
SELECT id, team_id, sequence, root, expected, seen, first_enter_ns, last_enter_ns, last_thread_id, last_event_id
FROM (SELECT id AS page_id FROM page_collective ORDER BY id LIMIT 100000) p CROSS JOIN collective c ON c.id = p.page_id ORDER BY id

-- The critical path: its longest segments.
-- name: page_path
SELECT c.thread_id, c.kind, c.start_ns, c.end_ns FROM page_segment s CROSS JOIN critical_path c ON c.id = s.id
ORDER BY c.start_ns, c.id

-- Computing between two calls, all threads.
-- name: page_between
SELECT from_source_id AS before, to_source_id AS after, sum(threads_ns) AS ns FROM path_line
WHERE from_source_id IS NOT NULL AND to_source_id IS NOT NULL AND what IN ('computation', 'function')
GROUP BY 1, 2 ORDER BY ns DESC, 1, 2 LIMIT 2000

-- Stretches of threads that are not recorded, or lost: the longest.
-- name: page_gaps
SELECT thread_id, kind, start_ns, end_ns
FROM (SELECT * FROM gap WHERE kind <> 'tool' ORDER BY end_ns - start_ns DESC, id LIMIT 20000) ORDER BY thread_id, start_ns, id

-- Communicators and teams.
-- name: page_teams
SELECT id, coalesce(name, kind) AS name, kind, size FROM team ORDER BY id LIMIT 10000

-- Communication of processes: initiator, owner, direction, operations, bytes, ns.
-- name: page_traffic
SELECT * FROM (SELECT initiator, owner, direction, sum(operations) AS operations, sum(bytes) AS bytes, sum(time_ns) AS time_ns
  FROM traffic_total GROUP BY initiator, owner, direction ORDER BY bytes DESC, initiator, owner, direction LIMIT 30000)
ORDER BY initiator, owner, direction

-- How many operations moved how much.
-- name: page_sizes
SELECT direction, from_bytes, sum(operations) AS operations, sum(bytes) AS bytes FROM size_total GROUP BY direction, from_bytes
ORDER BY direction, from_bytes

-- The call tree.
-- name: page_callpaths
SELECT id, parent_id, source_id, threads, calls, total_ns, self_ns, bytes
FROM (SELECT * FROM callpath ORDER BY total_ns DESC, id LIMIT 10000) ORDER BY position

-- Uses of locks and windows: number and name of the lock (objects are numbers that the page's doubles do not hold), requested,
-- acquired, released.
-- name: page_lock_uses
SELECT dense_rank() OVER (ORDER BY u.object) AS lock, coalesce(n.name, 'lock') AS name, u.thread_id, u.requested_ns, u.acquired_ns,
  u.released_ns, u.contended_ns, u.acquire_event_id
FROM (SELECT * FROM lock_use ORDER BY contended_ns DESC, released_ns - acquired_ns DESC, id LIMIT 20000) u
LEFT JOIN lock_name n ON n.object = u.object ORDER BY u.object, u.acquired_ns, u.thread_id

-- Entities with most time, no mixes, and their sums.
-- name: page_entities
SELECT e.id, e.parent_id, e.kind, e.name, e.within, t.calls, t.self_ns, t.wait_ns
FROM entity e LEFT JOIN entity_total t ON t.entity_id = e.id AND t.whole = 1
WHERE NOT e.is_mix ORDER BY coalesce(t.self_ns, 0) DESC, e.id LIMIT 2000

-- Attributes of entities: of several processes that of the first.
-- name: page_entity_attributes
SELECT entity_id, key, CAST(value AS TEXT) AS value FROM entity_attribute a
WHERE thread_id = (SELECT min(thread_id) FROM entity_attribute b WHERE b.entity_id = a.entity_id AND b.key = a.key)
ORDER BY entity_id, key LIMIT 10000

-- Time of all threads over time, of the entities with most.
-- name: page_entity_bins
SELECT b.entity_id, b.start_ns, sum(b.self_ns) AS self_ns, sum(b.wait_ns) AS wait_ns
FROM entity_bin b WHERE b.entity_id IN (SELECT entity_id FROM entity_total WHERE whole = 1 AND entity_id IS NOT NULL
  ORDER BY self_ns DESC, entity_id LIMIT 40)
GROUP BY b.entity_id, b.start_ns ORDER BY b.entity_id, b.start_ns

-- Lines of the program's files that have events, the files with most time first: shown name, path, line.
-- name: page_lines
SELECT @shown_file, s.file, s.line FROM (
    SELECT s.file, sum(p.self_ns) AS ns FROM profile_total p JOIN source s ON s.id = p.source_id
    WHERE p.grouping = 'call' AND s.line IS NOT NULL GROUP BY s.file ORDER BY ns DESC, s.file LIMIT 24) f
JOIN source s ON s.file = f.file
WHERE s.line IS NOT NULL AND s.id IN (SELECT source_id FROM profile_total WHERE grouping = 'call')
GROUP BY s.file, s.line ORDER BY f.ns DESC, s.file, s.line

-- The tables that have only their largest rows, as they would be without a limit: rows and sums.  callpath_roots: the outermost
-- paths.  Sums of path are those of the run.
-- name: page_wholes
SELECT 'profile' AS chunk, count(*) AS n, total(self_ns) AS ns, total(bytes) AS bytes, total(calls) AS calls
FROM profile_total WHERE grouping = 'call'
UNION ALL
SELECT 'balance', count(DISTINCT source_id), total(self_ns), total(bytes), total(calls)
FROM profile_total WHERE grouping = 'call' AND nested = 0
UNION ALL
SELECT 'wait_totals', count(*), total(time_ns), 0.0, total(waits) FROM wait_total
UNION ALL
SELECT 'traffic', count(*), total(time_ns), total(bytes), total(operations) FROM (
  SELECT sum(operations) AS operations, sum(bytes) AS bytes, sum(time_ns) AS time_ns FROM traffic_total
  GROUP BY initiator, owner, direction)
UNION ALL
SELECT 'callpaths', count(*), total(self_ns), total(bytes), total(calls) FROM callpath
UNION ALL
SELECT 'callpath_roots', count(*), total(total_ns), total(bytes), total(calls) FROM callpath WHERE parent_id IS NULL
UNION ALL
SELECT 'lock_uses', count(*), total(contended_ns), 0.0, 0.0 FROM lock_use
UNION ALL
SELECT 'entities', (SELECT count(*) FROM entity WHERE NOT is_mix), total(self_ns), 0.0, 0.0 FROM entity_total
WHERE whole = 1 AND entity_id IS NOT NULL
UNION ALL
SELECT 'path', count(*), 0.0, 0.0, 0.0 FROM critical_path
UNION ALL
SELECT 'between', count(*), total(ns), 0.0, 0.0 FROM (
  SELECT sum(threads_ns) AS ns FROM path_line
  WHERE from_source_id IS NOT NULL AND to_source_id IS NOT NULL AND what IN ('computation', 'function')
  GROUP BY from_source_id, to_source_id)
UNION ALL
SELECT 'gaps', count(*), total(end_ns - start_ns), 0.0, 0.0 FROM gap WHERE kind <> 'tool'

-- Drops the list of events.
-- name: page_drop_ranges
DROP TABLE page_range

-- Drops the list of messages.
-- name: page_drop_messages
DROP TABLE page_message

-- Drops the list of collectives.
-- name: page_drop_collectives
DROP TABLE page_collective

-- Drops the list of segments.
-- name: page_drop_segments
DROP TABLE page_segment

-- Drops the sums by thread.
-- name: page_drop_threads
DROP TABLE page_thread

-- Drops the list of events that wait longest.
-- name: page_drop_waiting
DROP TABLE page_waiting
