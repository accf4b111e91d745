-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/io/files.c.

-- Sources that create a team: of those the team is not the file.
-- name: creating_sources
SELECT s.id FROM source s JOIN argument a ON a.operation_id = s.operation_id WHERE a.name = 'created'

-- Waits in the order of their events: event, ns.
-- name: waits_of_events
SELECT event_id, end_ns - start_ns FROM wait ORDER BY id

-- Calls on a file.
-- name: file_use_add
INSERT INTO file_use VALUES (?, ?, ?, ?, ?, ?, ?)
