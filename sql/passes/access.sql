-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/access: gets, puts and memory.

-- Arguments of accesses that the passes read, at each source: argument, source, name.
-- name: access_arguments
SELECT a.id, s.id, a.name FROM argument a JOIN operation o ON o.id = a.operation_id JOIN source s ON s.operation_id = o.id
WHERE a.id >= 0 AND s.id >= 0 AND (a.name = 'relaxed' AND o.type IN ('get', 'put', 'get_nb', 'put_nb')
  OR a.name IN ('source', 'source_high') AND o.type = 'get' AND o.model = 'UPC'
  OR a.name IN ('target', 'target_high') AND o.type = 'put' AND o.model = 'UPC'
  OR a.name = 'address' AND o.type = 'shared_free'
  OR a.name = 'old_address' AND o.type = 'shared_alloc'
  OR a.name IN ('element_bytes', 'elements', 'target_stride', 'signal') AND o.type IN ('put', 'put_nb')
  OR a.name IN ('after', 'after_known', 'signal_value', 'signal_adds')
  OR a.name IN ('source_thread', 'target_thread') AND o.type = 'copy')

-- Inserts a line's accesses in one direction.
-- name: access_line_add
INSERT INTO access_line(source_id, remote, calls, bytes, time_ns, min_ns, median_ns, p95_ns, max_ns, strict, direction)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)

-- Inserts a group of small accesses.
-- name: fine_grained_add
INSERT INTO fine_grained(thread_id, source_id, first_event_id, peers, accesses, bytes, time_ns, saving_ns, repeated_ns, pattern)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)

-- Deletes groups without a saving, and fills fine_grained_total from the others.
-- name: fine_grained_finish
DELETE FROM fine_grained WHERE saving_ns <= 0;
INSERT INTO fine_grained_total(source_id, thread_id, pattern, groups, peers, accesses, bytes, time_ns, saving_ns, repeated_ns)
SELECT source_id, thread_id, pattern, count(*), max(peers), sum(accesses), sum(bytes), sum(time_ns), sum(saving_ns),
  sum(repeated_ns)
FROM fine_grained GROUP BY source_id, thread_id, pattern

-- Inserts a thread's polling reads of a peer by a line.
-- name: polling_add
INSERT INTO polling_total(source_id, peer, series, gets, bytes, time_ns, thread_id) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)

-- Inserts a thread's repeated reads of a peer by a line.
-- name: reread_add
INSERT INTO reread_total(source_id, peer, gets, bytes, time_ns, thread_id) VALUES(?1, ?2, ?3, ?4, ?5, ?6)

-- Whether the run has a wait.
-- name: any_wait
SELECT 1 FROM wait LIMIT 1

-- Inserts a thread's hand-made collectives of a line; line_ns is set by line_times.
-- name: hand_made_add
INSERT INTO hand_made_total(source_id, thread_id, times, accesses, bytes, time_ns, waited_ns, line_ns)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)

-- Inserts a thread's starved accesses to an owner by a line; line_ns is set by line_times.
-- name: starved_add
INSERT INTO starved_total(source_id, thread_id, peer, accesses, time_ns, longest_ns, line_ns) VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0)

-- Whether line_times has a line to set.
-- name: any_found_line
SELECT 1 FROM starved_total UNION ALL SELECT 1 FROM hand_made_total LIMIT 1

-- Sets line_ns: the time of all blocking accesses to other processes' memory at the lines of both tables, which are few.
-- name: line_times
CREATE TEMP TABLE gaspdb_line AS SELECT a.source_id, a.thread_id, sum(a.time_ns) AS ns
FROM access_pair a JOIN thread t ON t.id = a.thread_id JOIN thread o ON o.id = a.peer
WHERE a.peer <> a.thread_id AND (o.rank IS NULL OR t.rank IS NULL OR o.rank <> t.rank) AND (a.source_id, a.thread_id) IN (
  SELECT source_id, thread_id FROM starved_total UNION SELECT source_id, thread_id FROM hand_made_total)
GROUP BY 1, 2;
CREATE INDEX temp.gaspdb_line_key ON gaspdb_line(source_id, thread_id);
UPDATE starved_total SET line_ns = coalesce((SELECT ns FROM temp.gaspdb_line l
  WHERE l.source_id = starved_total.source_id AND l.thread_id = starved_total.thread_id), 0);
UPDATE hand_made_total SET line_ns = coalesce((SELECT ns FROM temp.gaspdb_line l
  WHERE l.source_id = hand_made_total.source_id AND l.thread_id = hand_made_total.thread_id), 0);
DROP TABLE temp.gaspdb_line
