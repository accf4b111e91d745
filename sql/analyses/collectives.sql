-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Collective operations by line and team
-- group: collectives
-- needs: trace
-- param: limit INTEGER - 30  at least -1: rows at most, -1 for all
-- param: type TEXT - NULL  found in operation.type: this operation type only
-- column: operation TEXT -  the collective
-- column: type TEXT -  its generic type
-- column: location TEXT -  its line, that of the late thread
-- column: team TEXT -  the team or communicator
-- column: size INTEGER count  members of the team
-- column: instances INTEGER count  number of instances
-- column: complete REAL %  recorded calls of all members' calls
-- column: wait_ns INTEGER ns  all members' waiting
-- column: mean_ns REAL ns  of one instance
-- column: longest_ns INTEGER ns  all members' waiting in the worst instance
-- column: spread_ns INTEGER ns  from the first arrival to the last, of all instances
-- column: operation_ns INTEGER ns  from the last arrival to the first departure, of all instances
-- column: completion_ns INTEGER ns  from then to their own departures, of all members; barriers and all-to-all
-- column: late_thread INTEGER -  the thread that was waited for most; without waiting, the one that was late most often
-- column: late_share REAL %  how much of the waiting was for it
-- column: late_instances INTEGER count  instances in which it was late
--
-- One row a line and team, most waiting first. Waiting depends on the type: all for all (barriers, all-to-all), all for
-- the root (broadcast, scatter), the root for the first of the others (gather, reduce), each for those before it (scan),
-- each for its sources (`MPI_Neighbor_alltoall` and similar ones). So the late thread is the root of a broadcast, the
-- first other to enter a reduction, the last source to arrive, and otherwise the last to arrive. `MPI_Finalize` and
-- `shmem_finalize` are here, too: threads that have finished wait for the last.
--
-- **What misleads:** exchanges of blocks of different sizes (`MPI_Alltoallv`) have no waiting here, as the log does not
-- have the cause. Nor have neighbourhood collectives in runs whose logs lack the neighbours (older versions).
WITH lines AS (
  SELECT p.operation, p.type, p.location, l.team_id, l.late_thread_id, sum(l.instances) AS instances,
    sum(l.members) AS members, sum(l.wait_ns) AS wait_ns, max(l.longest_ns) AS longest_ns,
    sum(l.spread_ns) AS spread_ns, sum(l.operation_ns) AS operation_ns,
    sum(l.completion_ns) AS completion_ns
  FROM collective_total l JOIN place p ON p.source_id = l.source_id
  WHERE :type IS NULL OR p.type = :type
  GROUP BY p.operation, p.type, p.location, l.team_id, l.late_thread_id
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY operation, location, team_id
    ORDER BY wait_ns DESC, instances DESC, late_thread_id) AS place_no FROM lines
)
SELECT r.operation, r.type, r.location,
  coalesce(t.name, t.kind) AS team,
  t.size AS size,
  sum(r.instances) AS instances,
  100.0 * sum(r.members) / nullif(sum(r.instances)
    * max(t.size, (SELECT count(*) FROM team_member m WHERE m.team_id = t.id)), 0) AS complete,
  sum(r.wait_ns) AS wait_ns,
  1.0 * sum(r.wait_ns) / sum(r.instances) AS mean_ns,
  max(r.longest_ns) AS longest_ns,
  sum(r.spread_ns) AS spread_ns,
  sum(r.operation_ns) AS operation_ns,
  sum(r.completion_ns) AS completion_ns,
  max(r.late_thread_id) FILTER (WHERE r.place_no = 1) AS late_thread,
  100.0 * max(r.wait_ns) / nullif(sum(r.wait_ns), 0) AS late_share,
  max(r.instances) FILTER (WHERE r.place_no = 1) AS late_instances
FROM ranked r JOIN team t ON t.id = r.team_id
GROUP BY r.operation, r.type, r.location, r.team_id
ORDER BY sum(r.wait_ns) DESC, sum(r.instances) DESC, r.operation, r.location, r.team_id
LIMIT :limit;
