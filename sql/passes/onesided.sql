-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/onesided: MPI windows.

-- Sources of calls on a window.
-- name: window_sources
SELECT s.id FROM source s JOIN argument a ON a.operation_id = s.operation_id WHERE a.name = 'window'

-- Threads that lack calls in the middle.
-- name: threads_with_gaps
SELECT DISTINCT thread_id FROM gap WHERE kind IN ('off', 'damage')
