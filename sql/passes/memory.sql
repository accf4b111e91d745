-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/access/memory.c.

-- Sources whose operations have an argument of that name.
-- name: sources_with
SELECT s.id FROM source s JOIN argument a ON a.operation_id = s.operation_id WHERE a.name = ?1

-- The old address of a reallocation; NULL: its log has none.
-- name: old_address
SELECT @argument_of(?1, 'old_address')

-- The number of parts of a block, and the bytes of each; NULL: its log has none.
-- name: block_parts
SELECT @argument_of(?1, 'blocks'), @argument_of(?1, 'block_bytes')

-- Sums of the blocks of a line and thread.
-- name: memory_line_add
INSERT INTO memory_line(source_id, thread_id, shared, blocks, bytes, largest_bytes, peak_bytes, failed, unseen, leaked,
  leaked_bytes, leaked_event_id, frees, unknown_frees, unknown_event_id)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- The most memory allocated at one time, of a thread or source (NULL: of all).
-- name: memory_peak_add
INSERT INTO memory_peak(thread_id, source_id, shared, peak_bytes, peak_ns, end_bytes) VALUES(?, ?, ?, ?, ?, ?)
