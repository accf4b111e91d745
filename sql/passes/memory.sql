-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/access/memory.c.

-- The block given to a reallocation: its address.
-- name: old_address
SELECT x.value FROM event_arg x JOIN argument a ON a.id = x.argument_id
WHERE x.id BETWEEN ?1 * 64 AND ?1 * 64 + 63 AND a.name = 'old_address'

-- The parts of a shared block: their number, bytes of each.
-- name: block_parts
SELECT (SELECT x.value FROM event_arg x JOIN argument a ON a.id = x.argument_id
    WHERE x.id BETWEEN ?1 * 64 AND ?1 * 64 + 63 AND a.name = 'blocks'),
  (SELECT x.value FROM event_arg x JOIN argument a ON a.id = x.argument_id
    WHERE x.id BETWEEN ?1 * 64 AND ?1 * 64 + 63 AND a.name = 'block_bytes')

-- Inserts the blocks of a line and thread.
-- name: memory_line_add
INSERT INTO memory_line(source_id, thread_id, shared, blocks, bytes, largest_bytes, peak_bytes, failed, unseen, leaked,
  leaked_bytes, leaked_event_id, frees, unknown_frees, unknown_event_id)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- Inserts the peak of a thread, a line or the run (NULL for the others).
-- name: memory_peak_add
INSERT INTO memory_peak(thread_id, source_id, shared, peak_bytes, peak_ns, end_bytes) VALUES(?, ?, ?, ?, ?, ?)
