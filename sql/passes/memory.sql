-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/access/memory.c.

-- The old address of a reallocation; NULL: its log has none.
-- name: old_address
SELECT @argument_of(?1, 'old_address')

-- The number of parts of a block, and the bytes of each; NULL: its log has none.
-- name: block_parts
SELECT @argument_of(?1, 'blocks'), @argument_of(?1, 'block_bytes')

-- Inserts the blocks of a line and thread.
-- name: memory_line_add
INSERT INTO memory_line(source_id, thread_id, shared, blocks, bytes, largest_bytes, peak_bytes, failed, unseen, leaked,
  leaked_bytes, leaked_event_id, frees, unknown_frees, unknown_event_id)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- Inserts the peak of a thread, a line or the run (NULL for the others).
-- name: memory_peak_add
INSERT INTO memory_peak(thread_id, source_id, shared, peak_bytes, peak_ns, end_bytes) VALUES(?, ?, ?, ?, ?, ?)
