-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/pop: POP's efficiencies.

-- Calls of type ? by thread and source: first and last event of the thread, source, number of calls.  The cross joins fix the order
-- of the tables, because profile has many more rows.
-- name: calls_of_type
SELECT t.first_event, t.last_event, f.source_id, f.calls FROM operation o CROSS JOIN source s CROSS JOIN thread t CROSS JOIN profile f
WHERE o.type = ? AND s.operation_id = o.id AND f.thread_id = t.id AND f.source_id = s.id AND f.nested = 0

-- Ends of a thread's calls of one line, in ns; NULL: without an end.  They are few, and near the first of its events.
-- name: ends_of_inits
SELECT iif(open, NULL, start_ns + duration_ns) FROM event WHERE id BETWEEN ? AND ? AND source_id = ? AND nested = 0
ORDER BY id LIMIT ?

-- Negated starts of such calls, in ns: near the last of its events.
-- name: starts_of_finalizes
SELECT -start_ns FROM event WHERE id BETWEEN ? AND ? AND source_id = ? AND nested = 0 ORDER BY id DESC LIMIT ?

-- Whether there is a wait of one call for one other; ?: count late senders, for probes.
-- name: any_pair_wait
SELECT 1 FROM wait_total WHERE kind IN ('late post', 'early wait', 'late complete', 'late receiver') OR (kind = 'late sender' AND ?)
LIMIT 1

-- Uses of locks, except of windows, in order: id, lock, acquiring and releasing call.
-- name: lock_uses
SELECT id, object, acquire_event_id, release_event_id FROM lock_use WHERE object >> 61 <> 1 ORDER BY id
