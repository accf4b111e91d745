-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Waiting at each barrier, and the late thread
-- group: collectives
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: min_wait INTEGER ns 0  at least 0: leave out barriers with less waiting
-- column: operation TEXT -  the barrier
-- column: location TEXT -  its line, that of the last to arrive
-- column: team TEXT -  the team or communicator
-- column: instances INTEGER count  number of instances
-- column: wait_ns INTEGER ns  all members' waiting for the last to arrive
-- column: share REAL %  of the time of all threads
-- column: mean_ns REAL ns  of one instance
-- column: longest_ns INTEGER ns  all members' waiting in the worst instance
-- column: operation_ns INTEGER ns  from the last arrival to the first departure, of all instances: the barrier's own cost
-- column: late_thread INTEGER -  the thread that was waited for most
-- column: late_share REAL %  how much of the waiting was for it
-- column: late_instances INTEGER count  instances in which it came last
-- column: pattern TEXT -  always: half of the waiting or more is for late_thread, where two come late three quarters; alternating: it is not
-- column: reason TEXT -  excess of that thread before the barrier; *not explained*, if no part is a tenth of it
--
-- One row a barrier line and team, the one with most waiting first. A thread waits from its arrival until the last has
-- arrived; what follows is the barrier's own work. The first and second half of a split-phase barrier are one.
--
-- If two threads alternate, one of them has half or more: such a share is not *always*.
--
-- **How to read it:** *always* the same thread: it has too much work, or a slower processor. *Alternating*: the work
-- varies; fewer barriers, or split-phase ones, let it even out. A large `operation_ns` with little waiting is a slow
-- barrier, or too frequent a one. Computation is named by the innermost open function of the program, if functions are
-- recorded; else by the calls before and after it.
--
-- **What misleads:** where clocks of several hosts are used, waits shorter than their error mean nothing. If members are
-- missing (see `quality`), the true waiting may be larger.
--
-- Definition: Scalasca's Wait at Barrier; split phases are gaspdb's own.
WITH lines AS (
  SELECT p.operation, p.location, l.team_id, l.late_thread_id, sum(l.instances) AS instances, sum(l.wait_ns) AS wait_ns,
    max(l.longest_ns) AS longest_ns, sum(l.operation_ns) AS operation_ns
  FROM collective_total l JOIN place p ON p.source_id = l.source_id
  WHERE p.type IN ('barrier', 'notify', 'barrier_wait')
  GROUP BY p.operation, p.location, l.team_id, l.late_thread_id
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY operation, location, team_id
    ORDER BY wait_ns DESC, instances DESC, late_thread_id) AS place_no FROM lines
), barriers AS (
  SELECT operation, location, team_id, sum(instances) AS instances, sum(wait_ns) AS wait_ns,
    max(longest_ns) AS longest_ns, sum(operation_ns) AS operation_ns,
    max(late_thread_id) FILTER (WHERE place_no = 1) AS late_thread,
    max(wait_ns) AS late_ns, count(*) FILTER (WHERE wait_ns > 0) AS late_threads,
    max(instances) FILTER (WHERE place_no = 1) AS late_instances
  FROM ranked GROUP BY operation, location, team_id
), reasons AS (
  SELECT operation, location, thread_id, reason, what = 'unexplained' AS unexplained, sum(time_ns) AS ns,
    sum(sum(time_ns)) OVER (PARTITION BY operation, location, thread_id) AS all_ns
  FROM delay_reason WHERE kind = 'barrier' GROUP BY operation, location, thread_id, reason
), reasons_ranked AS ( -- what explains less than a tenth is none
  SELECT *, row_number() OVER (PARTITION BY operation, location, thread_id
    ORDER BY iif(unexplained, 1, 2 * (10 * ns < all_ns)), ns DESC, reason) AS place_no
  FROM reasons
)
SELECT b.operation, b.location,
  coalesce(t.name, t.kind) AS team,
  b.instances, b.wait_ns,
  100.0 * b.wait_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  1.0 * b.wait_ns / b.instances AS mean_ns,
  b.longest_ns, b.operation_ns,
  CASE WHEN b.wait_ns > 0 THEN b.late_thread END AS late_thread,
  100.0 * b.late_ns / nullif(b.wait_ns, 0) AS late_share,
  CASE WHEN b.wait_ns > 0 THEN b.late_instances END AS late_instances,
  CASE WHEN b.wait_ns > 0 THEN iif(iif(b.late_threads = 2, 4 * b.late_ns >= 3 * b.wait_ns, 2 * b.late_ns >= b.wait_ns),
    'always', 'alternating') END AS pattern,
  CASE WHEN b.wait_ns > 0 THEN r.reason END AS reason
FROM barriers b JOIN team t ON t.id = b.team_id
LEFT JOIN reasons_ranked r ON r.operation = b.operation AND r.location IS b.location AND r.thread_id = b.late_thread
  AND r.place_no = 1
WHERE b.wait_ns >= :min_wait
ORDER BY b.wait_ns DESC, b.instances DESC, b.operation, b.location, b.team_id
LIMIT :limit;
