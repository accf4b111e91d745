-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/signals: waits for words in memory.

-- Whether the program called shmem_ptr, after which stores to other processes' memory may be unrecorded.
-- name: uses_shmem_ptr
SELECT EXISTS(SELECT 1 FROM quality WHERE kind = 'calls not seen' AND detail LIKE '%shmem_ptr%')

-- Sources: id, whether a UPC event has the address it reads, whether one has the address it writes.
-- name: spin_sources
SELECT s.id, o.model = 'UPC' AND EXISTS (SELECT 1 FROM argument a WHERE a.operation_id = o.id AND a.name = 'source'),
  o.model = 'UPC' AND o.type IN ('put', 'put_nb', 'copy', 'copy_nb')
    AND EXISTS (SELECT 1 FROM argument a WHERE a.operation_id = o.id AND a.name = 'target')
FROM source s JOIN operation o ON o.id = s.operation_id

-- Sources of calls that wait for any of several words.
-- name: any_word_sources
SELECT s.id FROM source s JOIN argument a ON a.operation_id = s.operation_id WHERE a.phase = 'end' AND a.name IN ('index', 'indices')
