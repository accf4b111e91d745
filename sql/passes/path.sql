-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/path: the critical path and delays.

-- Segments of the critical path on threads, in order: thread, start and end in ns, wait, whether the thread ran, error in ns.
-- name: path_segments
SELECT thread_id, start_ns, end_ns, wait_id, kind = 'running', error_ns FROM critical_path WHERE kind IN ('running', 'waiting')
ORDER BY thread_id, start_ns

-- Time of the critical path that waits of a kind at a line delay, in ns: a row of path_wait; ?5: how many errors are not known.
-- name: path_wait_add
INSERT INTO path_wait(thread_id, source_id, time_ns, error_ns, kind) VALUES(?1, ?2, ?3, iif(?5 > 0, NULL, ?4), ?6)

-- Teams whose members waited for each other.
-- name: waiting_teams
SELECT DISTINCT team_id FROM collective_total WHERE wait_ns > 0

-- Causes of waiting: kind of wait, causing thread and line, ns that unserved time does not explain, error in ns, NULL: not known.
-- name: waited_for
SELECT w.kind, w.cause_thread_id, w.cause_source_id, sum(w.time_ns - w.unserved_ns), iif(count(*) > count(w.error_ns), NULL,
  sum(w.error_ns)) FROM wait_total w
WHERE w.cause_source_id IS NOT NULL AND NOT w.below_error GROUP BY 1, 2, 3

-- A share of a delay, in ns: a row of delay.
-- name: delay_add
INSERT INTO delay(thread_id, source_id, function_source_id, from_source_id, to_source_id, time_ns, error_ns, what, kind)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
