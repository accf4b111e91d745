-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Memory that was never freed, and frees of unknown memory
-- group: memory
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: shared INTEGER - NULL  one of 0|1: 1: shared memory only, 0: private memory only
-- column: what TEXT -  never freed, or free of unknown memory
-- column: location TEXT -  the line that allocated it; that freed it
-- column: operation TEXT -  the operation called there
-- column: function TEXT -  the function that contains the line
-- column: shared INTEGER -  1: shared memory
-- column: blocks INTEGER count  never freed; freed without a recorded allocation
-- column: bytes INTEGER B  their sizes; empty where they are not known
-- column: of_blocks INTEGER count  all blocks of the line; all frees of the line
-- column: threads INTEGER count  threads that did it
-- column: first_event INTEGER -  event.id of the first call that did; empty for counted private memory
-- column: most_thread INTEGER -  the thread with the most bytes; of frees the most
-- column: most_rank INTEGER -  its rank
-- column: most_blocks INTEGER count  its blocks
-- column: most_bytes INTEGER B  their sizes
-- column: growing INTEGER count  processes whose memory from this line grew to the end
--
-- Memory that was allocated and never freed, what grew first, what libraries allocated for themselves last, most bytes first; then
-- memory that was freed without a recorded allocation:
-- freed twice, allocated while recording was off, or by a call that is not recorded.
--
-- A line whose blocks all remain at the end often allocates memory for the whole run. Suspect lines leak *some* of their
-- blocks (`blocks` below `of_blocks`), or more with a longer run. Of private memory that `record --memory` counted, `growing`
-- says on how many processes more of it was live at the end of each quarter of the time since the line's first allocation
-- than at the end of the one before (where that time is at least half of the process's, without the runtime's start and end): that is a leak, or a collection that grows to the end. Memory that is set up once does not grow. Such memory counts on its
-- process's first thread.
--
-- **What misleads:** memory freed by the runtime's finalization or the program's end counts as never freed. So does
-- memory freed while recording was off, and memory that a killed process would have freed.
WITH line AS (
  SELECT l.*, row_number() OVER (PARTITION BY source_id ORDER BY leaked_bytes DESC, unknown_frees DESC, thread_id) AS place_no
  FROM memory_line l
), found AS (
  SELECT 'never freed' AS what, p.location, p.operation, p.function, max(l.shared) AS shared, sum(l.leaked) AS blocks,
    sum(l.leaked_bytes) AS bytes, sum(l.blocks) AS of_blocks, sum(l.leaked > 0) AS threads,
    min(l.leaked_event_id) AS first_event,
    max(l.thread_id) FILTER (WHERE l.place_no = 1) AS most_thread,
    max(l.leaked) FILTER (WHERE l.place_no = 1) AS most_blocks, max(l.leaked_bytes) AS most_bytes,
    coalesce(sum(l.grows), 0) AS growing, p.file IS NOT NULL AND p.line IS NULL AS is_library
  FROM line l JOIN place p ON p.source_id = l.source_id
  WHERE :shared IS NULL OR l.shared = :shared
  GROUP BY l.source_id HAVING sum(l.leaked) > 0
  UNION ALL
  SELECT 'free of unknown memory', p.location, p.operation, p.function, max(l.shared), sum(l.unknown_frees), NULL,
    sum(l.frees), sum(l.unknown_frees > 0), min(l.unknown_event_id),
    max(l.thread_id) FILTER (WHERE l.place_no = 1),
    max(l.unknown_frees) FILTER (WHERE l.place_no = 1), NULL, 0, 0
  FROM line l JOIN place p ON p.source_id = l.source_id
  WHERE :shared IS NULL OR l.shared = :shared
  GROUP BY l.source_id HAVING sum(l.unknown_frees) > 0
)
SELECT what, location, operation, function, shared, blocks, bytes, of_blocks, threads, first_event, most_thread,
  (SELECT rank FROM thread WHERE id = most_thread) AS most_rank, most_blocks, most_bytes, growing
FROM found
ORDER BY what DESC, growing > 0 DESC, is_library, bytes DESC, blocks DESC, first_event
LIMIT :limit;
