-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Blocking gets, puts and atomics of each line
-- param: limit INTEGER - 30  at least -1: rows at most, -1 for all
-- param: type TEXT - NULL  one of get|put|atomic|atomic_fetch: this type only
-- column: operation TEXT -  the call
-- column: type TEXT -  get, put, atomic, atomic_fetch
-- column: location TEXT -  its line
-- column: affinity TEXT -  remote: another process's memory; local: its own
-- column: calls INTEGER -  how many
-- column: bytes INTEGER B  their data
-- column: mean_bytes REAL B  data of one
-- column: total_ns INTEGER ns  time in the calls
-- column: share REAL %  of the time of all threads
-- column: min_ns INTEGER ns  shortest call
-- column: median_ns INTEGER ns  half of the calls took no longer
-- column: p95_ns INTEGER ns  95 % of the calls took no longer
-- column: max_ns INTEGER ns  longest call
-- column: bandwidth REAL B/s  bytes by total time
--
-- One row a line and affinity, most time first; who accessed whom is in `get-put-pairs`.
--
-- **How to read it:** a bandwidth far below the network's with small accesses: see `fine-grained`.  A 95th percentile far
-- above the median: the target or the network was busy at times.  Local rows: accesses that a plain pointer could do.
--
-- **What misleads:** a put is only complete at the thread's next quiet or barrier; that part of its cost stands there.
-- Local accesses of UPC programs are only seen when compiled with `--inst-local`.  Percentiles are the ceil(p n)-th
-- smallest; in runs with more than a million different durations they are rounded down, by less than 0.1 %.
SELECT p.operation, p.type, p.location,
  CASE a.remote WHEN 1 THEN 'remote' ELSE 'local' END AS affinity,
  a.calls, a.bytes,
  1.0 * a.bytes / a.calls AS mean_bytes,
  a.time_ns AS total_ns,
  100.0 * a.time_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  a.min_ns, a.median_ns, a.p95_ns, a.max_ns,
  1e9 * a.bytes / nullif(a.time_ns, 0) AS bandwidth
FROM access_line a JOIN place p ON p.source_id = a.source_id
WHERE :type IS NULL OR p.type = :type
ORDER BY a.time_ns DESC, a.calls DESC, p.operation, p.location, a.remote, a.source_id
LIMIT :limit;
