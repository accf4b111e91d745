-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/waits: table wait and its roll-ups, processors that threads lacked.

-- Number of requests passed to call ?1.
-- name: request_count
SELECT x.value FROM event_arg x JOIN argument a ON a.id = x.argument_id
WHERE x.id BETWEEN ?1 * 64 AND ?1 * 64 + 63 AND a.name = 'requests'

-- End of the run, in ns.
-- name: run_end
SELECT coalesce(max(last_ns), 0) FROM thread

-- Width of the bins of table wait_bin, in ns.
-- name: bin_width
SELECT value FROM meta WHERE key = 'bin_ns'

-- Width of the bins of table thread_wait_bin, in ns.
-- name: thread_bin_width
SELECT value FROM meta WHERE key = 'thread_bin_ns'

-- A row of wait_total; ?12: how many errors are not known.
-- name: wait_total_add
INSERT INTO wait_total(source_id, thread_id, cause_thread_id, cause_source_id, wrong_order, below_error, waits, time_ns, longest_ns,
  longest_wait_id, error_ns, kind)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, iif(?12 > 0, NULL, ?11), ?13)

-- A row of message_wait_total; ?10: how many errors are not known.
-- name: message_wait_total_add
INSERT INTO message_wait_total VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, iif(?10 > 0, NULL, ?9))

-- Edges of the wait graph: waiting thread and line, kind, causing thread and line, ns, error in ns, 1: it is not known.
-- name: wait_edges
SELECT thread_id, source_id, kind, cause_thread_id, cause_source_id, sum(time_ns - unserved_ns), total(error_ns),
  count(*) > count(error_ns)
FROM wait_total
WHERE NOT below_error GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5

-- Shares of the wait graph's nodes: kind; thread and line waited for; function, and lines before and after the computation; ns;
-- whether the thread waited itself.
-- name: wait_shares
SELECT kind, thread_id, source_id, function_source_id, from_source_id, to_source_id, time_ns, what = 'inherited' FROM delay
WHERE what = 'inherited' OR (what IN ('computation', 'function') AND kind NOT IN ('lock', 'lock hand-over', 'lock attempt'))
ORDER BY id

-- Intervals with unserved time: id, thread, call, start and end in ns, unserved ns.
-- name: unserved_times
SELECT id, thread_id, event_id, start_ns, end_ns, time_ns FROM unserved ORDER BY event_id, start_ns

-- Waits: call, start and end in ns.
-- name: wait_times
SELECT event_id, start_ns, end_ns FROM wait

-- Change of interval ?1: it starts at ?2 ns, ?3 ns of it are unserved.
-- name: unserved_set
UPDATE unserved SET start_ns = ?2, time_ns = ?3 WHERE id = ?1

-- Intervals that waits cover.
-- name: unserved_drop_empty
DELETE FROM unserved WHERE time_ns = 0

-- The collector's own work, if clocks of hosts were compared, which takes longer than recording: thread, start and end in ns.
-- name: sample_times
SELECT thread_id, start_ns, end_ns FROM gap WHERE kind = 'tool' AND (SELECT total(readings) FROM host) > 0

-- Waits with a causing thread: id, waiting and causing thread, start and end in ns, whether for a lock.
-- name: caused_waits
SELECT id, thread_id, cause_thread_id, start_ns, end_ns, kind LIKE 'lock%' FROM wait WHERE cause_thread_id IS NOT NULL

-- Waiting that unserved time explains, in ns, in wait_total.
-- name: wait_total_unserved
UPDATE wait_total AS t SET unserved_ns = s.ns FROM (
  SELECT w.kind, e.source_id, w.thread_id, w.cause_thread_id, f.source_id AS cause_source_id, w.wrong_order, w.below_error,
    sum(u.time_ns) AS ns
  FROM wait_unserved u CROSS JOIN wait w ON w.id = u.wait_id CROSS JOIN event e ON e.id = w.event_id
  LEFT JOIN event f ON f.id = w.cause_event_id GROUP BY 1, 2, 3, 4, 5, 6, 7) s
WHERE t.kind = s.kind AND t.source_id = s.source_id AND t.thread_id = s.thread_id AND t.cause_thread_id = s.cause_thread_id
  AND t.cause_source_id IS s.cause_source_id AND t.wrong_order = s.wrong_order AND t.below_error = s.below_error

-- Calls with unserved time.
-- name: unserved_share_fill
INSERT INTO unserved_share SELECT source_id, thread_id, time_ns, own, shared FROM unserved_call

-- Is the unserved time less than a thousandth of all threads' time?
-- name: unserved_is_little
SELECT (SELECT total(time_ns) FROM unserved) * 1000 < (SELECT total(last_ns - first_ns) FROM thread)

-- Unserved time within calls.
-- name: unserved_drop_calls
DELETE FROM unserved WHERE event_id IS NOT NULL

-- The part of path_wait that unserved time does not explain.
-- name: path_wait_unserved
UPDATE path_wait AS p SET time_ns = CAST(round(p.time_ns * s.part) AS INTEGER) FROM (
  SELECT w.kind, w.cause_thread_id AS thread_id, x.spot, 1.0 - 1.0 * sum(w.unserved_ns) / sum(w.time_ns) AS part
  FROM wait_total w JOIN spot x ON x.source_id = coalesce(w.cause_source_id, w.source_id)
  WHERE NOT w.below_error GROUP BY 1, 2, 3 HAVING sum(w.unserved_ns) > 0) s
WHERE p.kind = s.kind AND p.thread_id IS s.thread_id AND p.source_id = s.spot;
DELETE FROM path_wait WHERE time_ns <= 0

-- Messages of wrong channels: sending and posting call, sender, receiver.
-- name: distrusted_messages
SELECT m.send_event_id, m.post_event_id, m.sender, m.receiver FROM message m WHERE EXISTS (SELECT 1 FROM wrong_channel)
  AND EXISTS (SELECT 1 FROM wrong_channel w WHERE w.sender = m.sender AND w.receiver = m.receiver AND w.tag = m.tag
    AND w.team_id IS m.team_id)
