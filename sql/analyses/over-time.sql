-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time by category over the run
-- group: time
-- needs: trace
-- param: bins INTEGER - 20  at least 1: into how many bins the run is cut, at most
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- column: start_ns INTEGER ns  the bin is from here ...
-- column: end_ns INTEGER ns  ... to here; the last may end after the run
-- column: computation_share REAL %  of the time of the threads in the bin
-- column: waiting_share REAL %  of the time of the threads in the bin
-- column: total_ns INTEGER ns  time of all threads in the bin, from the first record of each to its last
-- column: computation_ns INTEGER ns  no runtime call open
-- column: communication_ns INTEGER ns  moving data
-- column: synchronization_ns INTEGER ns  barriers, locks, completion
-- column: allocation_ns INTEGER ns  allocating and freeing memory
-- column: io_ns INTEGER ns  opening, reading and writing files (MPI-IO; with record --io also POSIX and stdio)
-- column: runtime_ns INTEGER ns  start, end and management of the runtime
-- column: no_processor_ns INTEGER ns  ready to compute, without a processor
-- column: other_ns INTEGER ns  categories defined by the log
-- column: tool_ns INTEGER ns  the collector's own work
-- column: not_recorded_ns INTEGER ns  recording off, or lost
-- column: waiting_ns INTEGER ns  waiting for other threads; part of the calls above
--
-- `categories`, cut into bins of equal width: it shows the phases of the run. Time across a bin's edge is cut there, to
-- the nanosecond, so that columns add up over the bins to those of `categories`.
--
-- All bins are equally wide: the least multiple of the stored width (`meta.bin_ns`, a power of two; of one thread
-- `meta.thread_bin_ns`) of which as many as asked for cover the run. So the last bin may reach beyond the run's end, by
-- less than the stored width for each bin, and where more are asked for than are stored (129 to 2,048 of the run; with
-- many threads fewer of each, at least 16) there are fewer. A run of up to 2,048 ns is stored ns by ns.
--
-- The time of each operation or line is in `operations-over-time`.
--
-- **What misleads:** a bin in which threads have not begun, or have ended, has less total time.
WITH RECURSIVE stored AS (
  SELECT (SELECT value FROM meta WHERE key = iif(:thread IS NULL, 'bin_ns', 'thread_bin_ns')) AS ns,
    (SELECT max(last_ns) FROM thread) AS last_ns
), width AS (
  SELECT ((last_ns - 1) / ns / :bins + 1) * ns AS ns, last_ns FROM stored WHERE ns > 0 AND last_ns > 0
), bins(start_ns) AS (
  SELECT 0 FROM width JOIN no_wait n ON n.ns = 0 UNION ALL -- a profile has no bins
  SELECT start_ns + ns FROM bins, width WHERE start_ns + ns < last_ns
), categories AS (
  SELECT start_ns, category, time_ns FROM bin WHERE :thread IS NULL
  UNION ALL
  SELECT start_ns, category, time_ns FROM thread_bin WHERE thread_id = :thread
), spent AS (
  SELECT start_ns / w.ns * w.ns AS start_ns, sum(time_ns) AS total_ns,
    sum(iif(category = 'computation', time_ns, 0)) AS computation_ns,
    sum(iif(category = 'communication', time_ns, 0)) AS communication_ns,
    sum(iif(category = 'synchronization', time_ns, 0)) AS synchronization_ns,
    sum(iif(category = 'allocation', time_ns, 0)) AS allocation_ns,
    sum(iif(category = 'io', time_ns, 0)) AS io_ns,
    sum(iif(category = 'runtime', time_ns, 0)) AS runtime_ns,
    sum(iif(category = 'no processor', time_ns, 0)) AS no_processor_ns,
    sum(iif(category = 'tool', time_ns, 0)) AS tool_ns,
    sum(iif(category = 'not recorded', time_ns, 0)) AS not_recorded_ns
  FROM categories, width w GROUP BY 1
), waits AS (
  SELECT start_ns, time_ns FROM wait_bin WHERE :thread IS NULL
  UNION ALL
  SELECT start_ns, time_ns FROM thread_wait_bin WHERE thread_id = :thread
), waited AS (
  SELECT start_ns / w.ns * w.ns AS start_ns, sum(time_ns) AS waiting_ns FROM waits, width w GROUP BY 1
)
SELECT b.start_ns, b.start_ns + w.ns AS end_ns,
  100.0 * s.computation_ns / s.total_ns AS computation_share,
  100.0 * coalesce(d.waiting_ns, 0) / s.total_ns AS waiting_share,
  coalesce(s.total_ns, 0) AS total_ns,
  coalesce(s.computation_ns, 0) AS computation_ns,
  coalesce(s.communication_ns, 0) AS communication_ns,
  coalesce(s.synchronization_ns, 0) AS synchronization_ns,
  coalesce(s.allocation_ns, 0) AS allocation_ns,
  coalesce(s.io_ns, 0) AS io_ns,
  coalesce(s.runtime_ns, 0) AS runtime_ns,
  coalesce(s.no_processor_ns, 0) AS no_processor_ns,
  coalesce(s.total_ns - s.computation_ns - s.communication_ns - s.synchronization_ns - s.allocation_ns - s.io_ns
    - s.runtime_ns - s.no_processor_ns - s.tool_ns - s.not_recorded_ns, 0) AS other_ns,
  coalesce(s.tool_ns, 0) AS tool_ns,
  coalesce(s.not_recorded_ns, 0) AS not_recorded_ns,
  coalesce(d.waiting_ns, 0) AS waiting_ns
FROM bins b JOIN width w LEFT JOIN spent s ON s.start_ns = b.start_ns LEFT JOIN waited d ON d.start_ns = b.start_ns
ORDER BY b.start_ns;
