-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Memory by the line that allocated it
-- group: memory
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: shared INTEGER - NULL  one of 0|1: 1: shared memory only, 0: private memory only
-- param: thread INTEGER - NULL  found in thread.id: allocated by this thread only
-- column: location TEXT -  file and line, or module and offset
-- column: operation TEXT -  the call
-- column: shared INTEGER -  1: shared memory
-- column: threads INTEGER count  threads that allocated there
-- column: blocks INTEGER count  allocated
-- column: bytes INTEGER B  their sizes
-- column: mean_bytes REAL B  of one block
-- column: largest_bytes INTEGER B  the largest block
-- column: peak_bytes INTEGER B  largest amount at one time, of all threads; with --thread of that thread
-- column: max_thread INTEGER -  the thread with the highest peak
-- column: max_thread_bytes INTEGER B  its peak
-- column: leaked INTEGER count  blocks that were never freed
-- column: leaked_bytes INTEGER B  their sizes
-- column: failed INTEGER count  allocations that returned nothing
-- column: unseen INTEGER count  blocks whose freeing was not recorded
--
-- One row for each line that allocates, most memory at once first. `gaspdb shell FILE "SELECT * FROM memory_peak"` has
-- the peaks of each thread and of the run.
--
-- Sizes are those requested, without the allocator's overhead. A block counts from the end of the call that allocates it
-- to the beginning of the call that frees it. A collective allocation of UPC (`upc_all_alloc`) is one block; a symmetric
-- allocation of OpenSHMEM is one block on each PE. A reallocation frees the block and allocates another. A runtime's own
-- allocations inside its calls are not included.
--
-- Private memory that `record --memory` counted is by process: `threads` are processes, and what a runtime or a library
-- allocates for itself is one line, the library's file.
--
-- **What misleads:** only recorded calls count: those of the runtimes, and of private memory where the compiler
-- instruments it, or with `record --memory`. A block that was freed while recording was off counts to the run's end, or until its address comes
-- back (`unseen`). Of UPC runtimes whose pointers are not read (docs/upc.md) frees cannot be attributed: such blocks are
-- counted, and are in no peak.
WITH lines AS (
  SELECT l.*, row_number() OVER (PARTITION BY source_id ORDER BY peak_bytes DESC, thread_id) AS place_no
  FROM memory_line l
  WHERE (l.blocks > 0 OR l.failed > 0) AND (:thread IS NULL OR l.thread_id = :thread)
    AND (:shared IS NULL OR l.shared = :shared)
)
SELECT p.location, p.operation, max(l.shared) AS shared,
  count(*) AS threads,
  sum(l.blocks) AS blocks,
  sum(l.bytes) AS bytes,
  1.0 * sum(l.bytes) / nullif(sum(l.blocks), 0) AS mean_bytes,
  max(l.largest_bytes) AS largest_bytes,
  coalesce(iif(:thread IS NULL, (SELECT max(peak_bytes) FROM memory_peak k WHERE k.source_id = l.source_id),
    max(l.peak_bytes)), 0) AS peak_bytes,
  max(l.thread_id) FILTER (WHERE l.place_no = 1) AS max_thread,
  max(l.peak_bytes) AS max_thread_bytes,
  sum(l.leaked) AS leaked,
  sum(l.leaked_bytes) AS leaked_bytes,
  sum(l.failed) AS failed,
  sum(l.unseen) AS unseen
FROM lines l JOIN place p ON p.source_id = l.source_id
GROUP BY l.source_id
ORDER BY 9 DESC, sum(l.bytes) DESC, l.source_id
LIMIT :limit;
