-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/access/memory.c.

-- Sources whose operations have an argument of a name.
-- name: sources_with
SELECT s.id FROM source s JOIN argument a ON a.operation_id = s.operation_id WHERE a.name = ?1

-- What a reallocation was given.
-- name: old_address
SELECT x.value FROM event_arg x JOIN argument a ON a.id = x.argument_id
WHERE x.id BETWEEN ?1 * 64 AND ?1 * 64 + 63 AND a.name = 'old_address'

-- Of how many parts of how many bytes a block is.
-- name: block_parts
SELECT (SELECT x.value FROM event_arg x JOIN argument a ON a.id = x.argument_id
    WHERE x.id BETWEEN ?1 * 64 AND ?1 * 64 + 63 AND a.name = 'blocks'),
  (SELECT x.value FROM event_arg x JOIN argument a ON a.id = x.argument_id
    WHERE x.id BETWEEN ?1 * 64 AND ?1 * 64 + 63 AND a.name = 'block_bytes')

-- Blocks of a line and thread.
-- name: memory_line_add
INSERT INTO memory_line(source_id, thread_id, shared, blocks, bytes, largest_bytes, peak_bytes, failed, unseen, leaked,
  leaked_bytes, leaked_event_id, frees, unknown_frees, unknown_event_id)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- The most that was there at once.
-- name: memory_peak_add
INSERT INTO memory_peak(thread_id, source_id, shared, peak_bytes, peak_ns, end_bytes) VALUES(?, ?, ?, ?, ?, ?)
