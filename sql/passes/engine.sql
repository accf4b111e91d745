-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/engine: threads, sources, unrecorded intervals.  Other rooms use gap_starts, unrecorded_gaps and last_* too.

-- The largest id; -1: none.
-- name: last_thread
SELECT coalesce(max(id), -1) FROM thread

-- The same.
-- name: last_source
SELECT coalesce(max(id), -1) FROM source

-- The same.
-- name: last_operation
SELECT coalesce(max(id), -1) FROM operation

-- The same.
-- name: last_argument
SELECT coalesce(max(id), -1) FROM argument

-- Threads: id, rank, first and last moment in ns, first and last event, whether recorded to the end.
-- name: threads
SELECT id, rank, first_ns, last_ns, first_event, last_event, @to_the_end FROM thread WHERE id >= 0 ORDER BY id

-- Gaps by a size limit, a stop or damage: thread, 1 for damage, end of the last such gap in ns.
-- name: ended_recordings
SELECT thread_id, kind = 'damage', max(end_ns) FROM gap WHERE kind IN ('size limit', 'stopped', 'damage') GROUP BY 1, 2

-- Sources: id, operation, type, and whether it synchronizes, calls a runtime, allocates, is a blocking access, (de)allocates with
-- all, writes, computes, allocates or moves data of files.  Operations are few, their sources may be many.  Atomics that only read
-- have no type of their own: their names identify them.
-- name: sources
WITH kind AS MATERIALIZED (SELECT o.id, o.type, o.category = 'synchronization', o.category NOT IN ('computation', 'none'),
  o.category = 'allocation',
  o.type IN ('get', 'put', 'atomic', 'atomic_fetch') AND NOT EXISTS
    (SELECT 1 FROM argument a WHERE a.operation_id = o.id AND a.name IN ('window', 'request', 'result')),
  o.type IN ('shared_alloc', 'shared_free') AND EXISTS
    (SELECT 1 FROM argument a WHERE a.operation_id = o.id AND a.name = 'context'),
  o.type IN ('put', 'put_nb', 'atomic', 'atomic_fetch') AND o.name NOT GLOB '*_fetch' AND o.name NOT GLOB '*_fetch_nbi',
  o.category = 'computation', o.category IN ('allocation', 'io') FROM operation o)
SELECT s.id, kind.* FROM source s JOIN kind ON kind.id = s.operation_id WHERE s.id >= 0

-- Threads with masked calls.
-- name: masked_threads
SELECT thread_id FROM recording WHERE masked > 0

-- Arguments: id, name, and the largest id.
-- name: arguments
SELECT id, name, (SELECT max(id) FROM argument) FROM argument WHERE id >= 0

-- Sources whose operation has an argument of name ?.
-- name: sources_with
SELECT s.id FROM source s JOIN argument a ON a.operation_id = s.operation_id WHERE a.name = ?1

-- Members of teams: team, its size, thread (NULL: no members).
-- name: team_members
SELECT t.id, t.size, m.thread_id FROM team t LEFT JOIN team_member m ON m.team_id = t.id ORDER BY t.id

-- Gaps of threads, in order: thread, start and end in ns, whether it is the collector's own work.
-- name: gaps
SELECT thread_id, start_ns, end_ns, kind = 'tool' FROM gap ORDER BY 1, 2, 3

-- Unrecorded intervals of threads, in order: thread, start and end in ns.
-- name: unrecorded_gaps
SELECT thread_id, start_ns, end_ns FROM gap WHERE kind <> 'tool' ORDER BY thread_id, start_ns

-- Starts of unrecorded intervals, in order: thread, ns.
-- name: gap_starts
SELECT thread_id, start_ns FROM gap WHERE kind <> 'tool' ORDER BY thread_id, start_ns

-- Threads without the end of their log: thread, start of the unrecorded time in ns, NULL as its end.
-- name: unended_threads
SELECT id, iif(first_ns IS NULL, 0, last_ns), NULL FROM thread WHERE first_ns IS NULL OR NOT @to_the_end

-- Number of hosts, number of threads with a log but no host.
-- name: hosts
SELECT count(DISTINCT host), count(*) FILTER (WHERE host IS NULL AND first_ns IS NOT NULL) FROM thread

-- Threads whose clock went backwards or out of range.
-- name: wrong_clocks
SELECT DISTINCT thread_id FROM quality WHERE kind IN ('time going backwards', 'time out of range') AND thread_id >= 0

-- Threads' clocks: thread, number of its host, the error of its wall clock that is known, in ns, NULL: none; 1: readings align it.
-- name: thread_clocks
SELECT t.id, dense_rank() OVER (ORDER BY t.host), coalesce(max(h.clock_error_ns, coalesce(h.wall_error_ns, 0)), nullif(h.wall_error_ns, 0)),
  h.drift_ppm IS NOT NULL FROM thread t JOIN host h ON h.name = t.host WHERE t.id >= 0

-- Clocks of aligned hosts: number of the host as in thread_clocks, time from which it holds and error, in ns, NULL: not known.
-- name: host_clocks
SELECT t.host, c.ns, c.error_ns FROM (
  SELECT DISTINCT h.name, dense_rank() OVER (ORDER BY t.host) AS host FROM thread t JOIN host h ON h.name = t.host WHERE t.id >= 0) t
JOIN host_clock c ON c.host = t.name ORDER BY 1, 2

-- Errors of two such hosts against each other: their numbers, the lower one first, and likewise.
-- name: host_pairs
WITH host_number AS (
  SELECT DISTINCT h.name, dense_rank() OVER (ORDER BY t.host) AS host FROM thread t JOIN host h ON h.name = t.host WHERE t.id >= 0
)
SELECT a.host, b.host, p.ns, p.error_ns FROM host_pair p JOIN host_number a ON a.name = p.host JOIN host_number b ON b.name = p.other
ORDER BY 1, 2, 3

-- The run's word for its threads.
-- name: thread_word
SELECT thread FROM run_word

-- A row of quality, columns in the order of the table; ?14: what {thread} stands for in the detail.
-- name: quality_add
INSERT INTO quality VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, replace(?11, '{thread}', ?14), ?12, ?13)
