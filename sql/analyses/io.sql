-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Files: time, data and waiting, by line or by file
-- group: memory
-- needs: trace
-- param: limit INTEGER - 30  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|file: a row a file, operation and line, or a row a file
-- column: file TEXT -  its name as the program gave it; empty: not known
-- column: operation TEXT -  by=line: the call; else NULL
-- column: location TEXT -  by=line: its line; else NULL
-- column: threads INTEGER count  threads that made such calls
-- column: calls INTEGER count  how many
-- column: collective REAL %  of the calls: those that all who have the file open make together
-- column: time_ns INTEGER ns  in the calls
-- column: share REAL %  of the time of all threads
-- column: waiting_ns INTEGER ns  of that: waiting for other threads
-- column: read_bytes INTEGER B  read
-- column: written_bytes INTEGER B  written
-- column: bandwidth REAL B/s  both, by the time in calls that read or write; empty: no data
--
-- MPI-IO (`MPI_File_*`), and with `record --io` calls of POSIX and stdio, most time first. Files of one name are one file,
-- whoever opens them and however often. Bytes are those read or written; of non-blocking calls and of split collectives the
-- size of the buffer. What MPI-IO calls itself is part of its calls.
--
-- **How to read it:** much time at a low bandwidth, in many calls of few bytes that are not collective: use one collective
-- call (`MPI_File_write_at_all`), or larger pieces. Waiting in collective calls is for the thread that comes last:
-- `collectives` has it.
--
-- **What misleads:** a write may end in the memory of the node, and the disk's time is in a later `MPI_File_sync`,
-- `MPI_File_close` or `fsync`. A stream's write may end in its buffer, and the write's time is in a later call on it, `fflush`
-- or `fclose`. Non-blocking accesses take their time in the call that completes them (`overlap`), which is not here:
-- their bandwidth is too high; by line that of the first half of a split collective is, too. MPI promises of no call on a
-- file that it synchronizes: waiting is known only where no member left before all had entered.
--
-- Definition: gaspdb's own.
WITH used AS (
  SELECT t.name AS file, iif(:by = 'line', p.operation, NULL) AS operation, iif(:by = 'line', p.location, NULL) AS location,
    p.type, u.thread_id, u.calls, u.time_ns, u.wait_ns, u.bytes,
    EXISTS (SELECT 1 FROM source s JOIN argument a ON a.operation_id = s.operation_id
      WHERE s.id = u.source_id AND a.name = 'sequence') AS collective,
    p.type NOT IN ('file', 'file_sync') AS moves
  FROM file_use u JOIN place p ON p.source_id = u.source_id LEFT JOIN team t ON t.id = u.team_id
)
SELECT file, operation, location,
  count(DISTINCT thread_id) AS threads,
  sum(calls) AS calls,
  100.0 * sum(iif(collective, calls, 0)) / sum(calls) AS collective,
  sum(time_ns) AS time_ns,
  100.0 * sum(time_ns) / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  sum(wait_ns) AS waiting_ns,
  sum(iif(type GLOB 'file_read*', bytes, 0)) AS read_bytes,
  sum(iif(type GLOB 'file_write*', bytes, 0)) AS written_bytes,
  1e9 * nullif(sum(bytes), 0) / nullif(sum(iif(moves, time_ns, 0)), 0) AS bandwidth
FROM used
GROUP BY file, operation, location
ORDER BY sum(time_ns) DESC, sum(calls) DESC, file, operation, location
LIMIT :limit;
