-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/io/files.c.

-- Waits in the order of their events: event, ns.
-- name: waits_of_events
SELECT event_id, end_ns - start_ns FROM wait ORDER BY id

-- Inserts the calls on a file by a line and thread.
-- name: file_use_add
INSERT INTO file_use VALUES (?, ?, ?, ?, ?, ?, ?)
