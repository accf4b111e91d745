-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/locks.

-- Was something not recorded?
-- name: any_unrecorded_gap
SELECT 1 FROM gap WHERE kind <> 'tool' LIMIT 1

-- Threads whose pointers-to-shared were shorter than the collector was built for: the first, and how many.
-- name: packed_pointers
SELECT min(thread_id), count(*) FROM thread_meta WHERE key = 'upc_pts_packed' HAVING count(*) > 0
