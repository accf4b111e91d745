-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/locks.

-- Whether a thread has an unrecorded interval (a gap that is not the collector's own work).
-- name: any_unrecorded_gap
SELECT 1 FROM gap WHERE kind <> 'tool' LIMIT 1

-- Threads whose pointers-to-shared were shorter than the collector was built for: the first thread, their number.
-- name: packed_pointers
SELECT min(thread_id), count(*) FROM thread_meta WHERE key = 'upc_pts_packed' HAVING count(*) > 0
