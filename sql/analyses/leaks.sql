-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Memory that was never freed, and frees of unknown memory
-- group: memory
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: shared INTEGER - NULL  one of 0|1: 1: shared memory only, 0: private memory only
-- column: what TEXT -  never freed, or free of unknown memory
-- column: location TEXT -  the line that allocated it; that freed it
-- column: operation TEXT -  what was called there
-- column: function TEXT -  the function that contains the line
-- column: shared INTEGER -  1: shared memory
-- column: blocks INTEGER count  that were never freed; that were freed, and not known
-- column: bytes INTEGER B  their sizes; empty where they are not known
-- column: of_blocks INTEGER count  all blocks of the line; all frees of the line
-- column: threads INTEGER count  how many threads did it
-- column: first_event INTEGER -  event.id of the first call that did
--
-- What the program allocated and never freed, most bytes first; then memory that it freed, but that was not known to be
-- allocated: freed twice, allocated while recording was off, or by a call that is not recorded.
--
-- A line of which every block is there at the end is often meant so: memory for the whole run. A line that leaks *some* of
-- its blocks (`blocks` below `of_blocks`), or more the longer the run, is the suspect.
--
-- **What misleads:** what is freed by finalizing the runtime, or by the program's end, counts as never freed. So does what
-- was freed while recording was off, and, where a process was killed, what it would have freed yet.
WITH found AS (
  SELECT 'never freed' AS what, p.location, p.operation, p.function, max(l.shared) AS shared, sum(l.leaked) AS blocks,
    sum(l.leaked_bytes) AS bytes, sum(l.blocks) AS of_blocks, sum(l.leaked > 0) AS threads,
    min(l.leaked_event_id) AS first_event
  FROM memory_line l JOIN place p ON p.source_id = l.source_id
  WHERE :shared IS NULL OR l.shared = :shared
  GROUP BY l.source_id HAVING sum(l.leaked) > 0
  UNION ALL
  SELECT 'free of unknown memory', p.location, p.operation, p.function, max(l.shared), sum(l.unknown_frees), NULL,
    sum(l.frees), sum(l.unknown_frees > 0), min(l.unknown_event_id)
  FROM memory_line l JOIN place p ON p.source_id = l.source_id
  WHERE :shared IS NULL OR l.shared = :shared
  GROUP BY l.source_id HAVING sum(l.unknown_frees) > 0
)
SELECT what, location, operation, function, shared, blocks, bytes, of_blocks, threads, first_event
FROM found
ORDER BY what DESC, bytes DESC, blocks DESC, first_event
LIMIT :limit;
