-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time of each operation or line over time
-- group: time
-- needs: trace
-- param: bins INTEGER - 20  at least 1: into how many bins the run is cut, at most
-- param: by TEXT - operation  one of operation|line: a group is an operation, or an operation at a line
-- param: limit INTEGER - 8  at least -1: groups at most, those with most self time; -1 for all
-- column: what TEXT -  the operation, or operation and line
-- column: start_ns INTEGER ns  the bin is from here ...
-- column: end_ns INTEGER ns  ... to here; the last may end after the run
-- column: share REAL %  self time of the time of all threads in the bin
-- column: self_ns INTEGER ns  time inside, callees excluded; empty for user events
-- column: total_ns INTEGER ns  time inside, callees included; recursion counts once
-- column: calls INTEGER count  that ended in the bin
-- column: mean_ns REAL ns  total by calls; empty where none ended
-- column: bytes INTEGER B  moved by the calls that ended in the bin
-- column: bandwidth REAL B/s  bytes by total; empty if there are none
--
-- The profile, cut into bins of equal width: one row for each group and non-empty bin, group by group. A call across a
-- bin's edge is cut there, to the nanosecond, so that columns add up over the bins to those of `operations` or
-- `profile`.
--
-- **How to read it:** go down one group. A growing share: the calls get slower, or more; see whether `calls` or
-- `mean_ns` grows. A group in the first bins only is set-up. A lower bandwidth in some bins: others used the network, or
-- the accesses got smaller.
--
-- **What misleads:** a call counts in the bin in which it ends, its time where it was spent. So a bin within a long call
-- has time without calls, and the mean of the bin in which it ends is too small. The mean of a recursive operation is
-- too small as well, for its total counts the outermost calls only (`operations` has the mean of all). Bytes of a
-- receive count when it was completed.
--
-- All bins are equally wide: the least multiple of the stored width (`meta.source_bin_ns`: at most 256 bins cover the
-- run, fewer if the program has many lines) of which as many as asked for cover the run. Calls that a runtime made to
-- itself are left out.
--
-- Definition: gaspdb's own; the categories over time are in `over-time`.
WITH stored AS (
  SELECT (SELECT value FROM meta WHERE key = 'source_bin_ns') AS ns, (SELECT max(last_ns) FROM thread) AS last_ns
), width AS MATERIALIZED (
  SELECT ((last_ns - 1) / ns / :bins + 1) * ns AS ns FROM stored WHERE ns > 0 AND last_ns > 0
), groups AS MATERIALIZED (
  SELECT CASE :by WHEN 'line' THEN f.source_id ELSE s.operation_id END AS id,
    row_number() OVER (ORDER BY coalesce(f.self_ns, 0) DESC, f.total_ns DESC, f.source_id) AS place_no
  FROM profile_total f JOIN source s ON s.id = f.source_id
  WHERE f.grouping = iif(:by = 'line', 'call', 'operation') AND f.nested = 0
), spent AS MATERIALIZED (
  SELECT start_ns / w.ns * w.ns AS start_ns, sum(time_ns) AS ns FROM bin, width w GROUP BY 1
), cut AS (
  SELECT g.id, g.place_no, b.start_ns / w.ns * w.ns AS start_ns, sum(b.self_ns) AS self_ns, sum(b.total_ns) AS total_ns,
    sum(b.calls) AS calls, sum(b.bytes) AS bytes, min(b.source_id) AS source_id
  FROM groups g JOIN source s ON CASE :by WHEN 'line' THEN s.id ELSE s.operation_id END = g.id
  JOIN source_bin b ON b.source_id = s.id AND b.nested = 0 JOIN width w
  WHERE :limit < 0 OR g.place_no <= :limit
  GROUP BY g.id, 3
)
SELECT p.operation || iif(:by = 'line', coalesce(' ' || p.location, ''), '') AS what,
  c.start_ns, c.start_ns + w.ns AS end_ns,
  100.0 * c.self_ns / nullif(t.ns, 0) AS share,
  c.self_ns, c.total_ns, c.calls,
  1.0 * c.total_ns / nullif(c.calls, 0) AS mean_ns,
  c.bytes,
  1e9 * nullif(c.bytes, 0) / nullif(c.total_ns, 0) AS bandwidth
FROM cut c JOIN width w JOIN place p ON p.source_id = c.source_id LEFT JOIN spent t ON t.start_ns = c.start_ns
ORDER BY c.place_no, c.start_ns;
