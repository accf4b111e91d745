-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Cost of the barriers themselves, and their intervals
-- group: collectives
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|thread: a row a line, or a row a line and thread
-- column: operation TEXT -  the barrier
-- column: location TEXT -  where it is
-- column: thread INTEGER -  by=thread: whose; else NULL
-- column: barriers INTEGER count  arrivals of threads
-- column: time_ns INTEGER ns  time without waiting: operation, drain and completion
-- column: share REAL %  of the time of all threads
-- column: operation_ns INTEGER ns  from the last enter to the first leave, summed over members
-- column: drain_ns INTEGER ns  the same, of barriers that were long because of pending puts
-- column: completion_ns INTEGER ns  from the first leave to the member's own; in a first half (notify): all
-- column: slack_ns INTEGER ns  between the two halves of split-phase barriers; empty: none is split-phase
-- column: mean_operation_ns INTEGER ns  per barrier; empty: no barrier has all members recorded
-- column: mean_interval_ns INTEGER ns  since the thread left the team's previous barrier; empty: none
-- column: back_to_back INTEGER count  arrivals at barriers right after another one
-- column: back_to_back_ns INTEGER ns  operation and completion of these
-- column: advice TEXT -  advice; empty: barriers are rare enough
--
-- A barrier consists of waiting for the last arrival (see `barrier-wait`) and of this cost, which remains if all arrive
-- at once.
--
-- * **back to back**: the team's next collective after a barrier is a barrier again, and every member arrives less than
--   5 us after it left the previous one, without communication in between: one of the two suffices. In OpenSHMEM and UPC
--   programs, and with MPI windows, plain loads and stores of shared memory, which are no calls, may lie between them.
--   There the line has no advice.
-- * **frequent**: the mean interval is less than ten times the mean operation.
-- * **drain**: a barrier such as shmem_barrier_all completes puts, too. If any member's call did so, and an operation
--   exceeds three times the median of its line, it is time of these puts, on all members: it is here, not in
--   operation_ns.
--
-- **How to read it:** time_ns is the sum over all threads. Much drain_ns: complete the puts earlier, rather than use
-- fewer barriers; `drain` names their lines.
--
-- **Split-phase barriers** (notify, work, wait): slack_ns is the work that hides waiting. With waiting (`barrier-wait`)
-- and little slack, move independent work between the halves.
--
-- **What misleads:** a line whose barriers all complete puts is long each time, and none of it is drain here; `drain`
-- has the cost to the members that made the puts, in any case. Barriers count only if the enter and leave of all members
-- are recorded; slack counts for all. The interval of a split-phase barrier ends at its first half, and both halves
-- count at its line. Barriers are not back to back on a thread that was unrecorded in between, or has masked calls.
-- Threads that share processors make barriers slow: the last to be woken leaves late.
--
-- Definitions: operation and completion after Scalasca; back to back, frequent and slack are gaspdb's own.
WITH lines AS (
  SELECT b.source_id, iif(:by = 'thread', b.thread_id, NULL) AS thread, sum(b.barriers) AS barriers,
    sum(b.operation_ns) AS operation_ns, sum(b.drain_ns) AS drain_ns, sum(b.completion_ns) AS completion_ns, sum(b.intervals) AS intervals,
    sum(b.interval_ns) AS interval_ns, sum(b.split) AS split, sum(b.slack_ns) AS slack_ns, sum(b.back_to_back) AS back_to_back, sum(b.back_to_back_ns) AS back_to_back_ns,
    max(l.advice) AS advice
  FROM barrier_total b LEFT JOIN (
    SELECT source_id, CASE max(kind = 'back-to-back barriers')
      WHEN 1 THEN 'leave one of two out, if no plain load or store of shared memory lies between them'
      ELSE 'merge them, use one that completes nothing where no put is pending (sync for barrier), or signals between neighbours' END AS advice
    FROM close_barriers WHERE time_ns > 0 GROUP BY source_id) l ON l.source_id = b.source_id
  GROUP BY 1, 2
)
SELECT p.operation, p.location, l.thread, l.barriers, l.operation_ns + l.drain_ns + l.completion_ns AS time_ns,
  100.0 * (l.operation_ns + l.drain_ns + l.completion_ns) / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  l.operation_ns, l.drain_ns, l.completion_ns, iif(l.split, l.slack_ns, NULL) AS slack_ns,
  l.operation_ns / nullif(l.barriers, 0) AS mean_operation_ns,
  l.interval_ns / nullif(l.intervals, 0) AS mean_interval_ns,
  l.back_to_back, l.back_to_back_ns, l.advice
FROM lines l JOIN place p ON p.source_id = l.source_id
ORDER BY l.operation_ns + l.drain_ns + l.completion_ns DESC, p.operation, p.location, l.source_id, l.thread
LIMIT :limit;
