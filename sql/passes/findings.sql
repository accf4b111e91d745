-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/findings: losses, root causes, communication phases.

-- Losses by line, from view loss_line.
-- name: loss_total_fill
INSERT INTO loss_total SELECT * FROM loss_line

-- Sources as findings name them, from view spots.
-- name: spot_fill
INSERT INTO spot SELECT * FROM spots

-- Sources: source, its spot, its place.
-- name: spot_places
SELECT source_id, spot, place_source_id FROM spot

-- Sources with a line: source, number of its file and function.
-- name: numbered_functions
SELECT id, dense_rank() OVER (ORDER BY file, function) FROM source WHERE function IS NOT NULL AND line IS NOT NULL

-- Calls and the next ones, in order: source before and after, computation of all threads between, all computation of the run; ns.
-- name: calls_in_sequence
SELECT from_source_id, to_source_id, sum(threads_ns),
  (SELECT sum(threads_ns) FROM path_line WHERE what IN ('computation', 'function', 'other computation'))
FROM path_line
WHERE what IN ('computation', 'function') AND from_source_id IS NOT NULL AND to_source_id IS NOT NULL
GROUP BY 1, 2 ORDER BY 1, 2

-- Computation of threads by place: thread, function, call at its end, ns.
-- name: computation_of_threads
SELECT thread_id, function_source_id, to_source_id, time_ns FROM thread_computation

-- Threads with the number of thread ?1 in their processes: thread, its computation on a processor in ns, which part of all its
-- computation that is.
-- name: comparable_threads
SELECT t.id, max(0, p.computation_ns - coalesce(c.time_ns, 0)),
  max(0.0, 1 - coalesce(1.0 * c.time_ns / nullif(p.computation_ns, 0), 0))
FROM pop_thread p JOIN thread t ON t.id = p.thread_id
LEFT JOIN category_time c ON c.thread_id = t.id AND c.category = 'no processor'
WHERE p.whole = 1 AND t.number = (SELECT number FROM thread WHERE id = ?)

-- Computation on the critical path: function, call at its end, ns.
-- name: computation_on_path
SELECT function_source_id, to_source_id, time_ns FROM path_line WHERE what IN ('computation', 'function')

-- Waiting that a root cause leads to: cause, line waited for, ns, kind.
-- name: root_cause_wait_add
INSERT INTO root_cause_wait(root_cause_id, source_id, time_ns, kind) VALUES(?1, ?2, ?3, ?4)
