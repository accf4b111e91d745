-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Private memory over the run, by line
-- group: memory
-- param: bins INTEGER - 20  at least 1: into how many bins the run is cut
-- param: lines INTEGER - 4  at least 0: number of lines, those with the highest peaks; 0: only the processes as a whole
-- param: thread INTEGER - NULL  found in thread.id: of this thread's process only
-- column: start_ns INTEGER ns  the bin is from here ...
-- column: end_ns INTEGER ns  ... to here
-- column: location TEXT -  file and line, or the library; empty: the processes as a whole
-- column: operation TEXT -  the call
-- column: live_bytes INTEGER B  allocated and not freed at the bin's end
-- column: blocks INTEGER count  allocated in the bin; empty: the processes as a whole
-- column: bytes INTEGER B  their sizes
-- column: frees INTEGER count  blocks of this line that were freed in the bin
-- column: blocks_per_s REAL -  blocks allocated in a second
--
-- One row for each bin and line, all bins of the processes as a whole first, then those of the line with the highest peak, and so
-- on. The data is that of `record --memory`: counters of each line, which are logged at most every 10 ms, at least every second
-- while the program allocates. So a change is seen up to that much later.
--
-- **What misleads:** a line's counters are as of the last time they were logged. Symmetric and shared memory is not in
-- it: `gaspdb analyze memory` has its peaks.
WITH RECURSIVE process AS (
  SELECT id, min(id) OVER (PARTITION BY host, pid, rank) AS process FROM thread
), width AS (
  SELECT max((max(last_ns) + :bins - 1) / :bins, 1) AS ns, max(last_ns) AS last_ns FROM thread
), bins(start_ns) AS (
  SELECT 0 FROM width WHERE last_ns > 0 UNION ALL
  SELECT start_ns + ns FROM bins, width WHERE start_ns + ns < last_ns
), line AS (
  SELECT source_id, row_number() OVER (ORDER BY peak_bytes DESC, source_id) AS place_no
  FROM memory_peak WHERE source_id IN (SELECT source_id FROM memory_sample)
), sample AS (
  SELECT p.process, coalesce(s.source_id, -1) AS source_id, s.ns / w.ns AS bin_no, s.live_bytes, s.blocks, s.bytes, s.frees,
    row_number() OVER (PARTITION BY p.process, s.source_id, s.ns / w.ns 
      ORDER BY s.blocks + s.frees + s.failed DESC, s.ns DESC, s.rowid DESC) AS place_no
  FROM memory_sample s JOIN process p ON p.id = s.thread_id JOIN width w
  WHERE (s.source_id IS NULL OR s.source_id IN (SELECT source_id FROM line WHERE line.place_no <= :lines))
    AND (:thread IS NULL OR p.process = (SELECT process FROM process WHERE id = :thread))
), step AS ( -- changes from the last sample of one bin to that of the next that has one
  SELECT source_id, bin_no,
    live_bytes - coalesce(lag(live_bytes) OVER before, 0) AS live_bytes,
    blocks - coalesce(lag(blocks) OVER before, 0) AS blocks,
    bytes - coalesce(lag(bytes) OVER before, 0) AS bytes,
    frees - coalesce(lag(frees) OVER before, 0) AS frees
  FROM sample WHERE place_no = 1
  WINDOW before AS (PARTITION BY process, source_id ORDER BY bin_no)
), change AS (
  SELECT source_id, bin_no, sum(live_bytes) AS live_bytes, sum(blocks) AS blocks, sum(bytes) AS bytes, sum(frees) AS frees
  FROM step GROUP BY 1, 2
), known AS (
  SELECT DISTINCT source_id FROM change
)
SELECT b.start_ns, b.start_ns + w.ns AS end_ns, p.location, p.operation,
  sum(coalesce(c.live_bytes, 0)) OVER (PARTITION BY k.source_id ORDER BY b.start_ns) AS live_bytes,
  iif(k.source_id < 0, NULL, coalesce(c.blocks, 0)) AS blocks,
  iif(k.source_id < 0, NULL, coalesce(c.bytes, 0)) AS bytes,
  iif(k.source_id < 0, NULL, coalesce(c.frees, 0)) AS frees,
  iif(k.source_id < 0, NULL, coalesce(c.blocks, 0) * 1e9 / w.ns) AS blocks_per_s
FROM known k JOIN bins b JOIN width w
LEFT JOIN change c ON c.source_id = k.source_id AND c.bin_no = b.start_ns / w.ns
LEFT JOIN place p ON p.source_id = k.source_id
LEFT JOIN line l ON l.source_id = k.source_id
ORDER BY coalesce(l.place_no, 0), b.start_ns;
