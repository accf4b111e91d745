-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/access/memory.c and heap.c.

-- The old address of a reallocation; NULL: its log has none.
-- name: old_address
SELECT @argument_of(?1, 'old_address')

-- The number of parts of a block, and the bytes of each; NULL: its log has none.
-- name: block_parts
SELECT @argument_of(?1, 'blocks'), @argument_of(?1, 'block_bytes')

-- Inserts the blocks of a line and thread.
-- name: memory_line_add
INSERT INTO memory_line(source_id, thread_id, shared, blocks, bytes, largest_bytes, peak_bytes, failed, unseen, leaked,
  leaked_bytes, leaked_event_id, frees, unknown_frees, unknown_event_id, grows)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- Inserts the peak of a thread, a line or the run (NULL for the others).
-- name: memory_peak_add
INSERT INTO memory_peak(thread_id, source_id, shared, peak_bytes, peak_ns, end_bytes) VALUES(?, ?, ?, ?, ?, ?)

-- The counters of private memory in the order of time: the process's first thread, the line (NULL: the process), time and counters.
-- Any thread of a process may have logged them.
-- name: memory_samples
SELECT t.process, s.source_id, s.ns, s.blocks, s.bytes, s.frees, s.live_bytes, s.peak_bytes, s.largest_bytes, s.failed, s.uncounted
FROM memory_sample s
JOIN (SELECT id, min(id) OVER (PARTITION BY host, pid, rank) AS process FROM thread) t ON t.id = s.thread_id
ORDER BY s.ns, s.rowid

-- The end of the runtime's start and the start of its end, of threads that have them.
-- name: runtime_times
SELECT thread_id, max(iif(key = 'init_ns', CAST(value AS INTEGER), NULL)), max(iif(key = 'finalize_ns', CAST(value AS INTEGER), NULL))
FROM thread_meta WHERE key IN ('init_ns', 'finalize_ns') GROUP BY thread_id
