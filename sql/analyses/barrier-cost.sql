-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: What barriers take themselves, and how far they are apart
-- group: collectives
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|thread: a row a line, or a row a line and thread
-- column: operation TEXT -  the barrier
-- column: location TEXT -  where it is
-- column: thread INTEGER -  by=thread: whose; else NULL
-- column: barriers INTEGER count  arrivals of threads
-- column: time_ns INTEGER ns  in them, without waiting: operation, drain and completion
-- column: share REAL %  of the time of all threads
-- column: operation_ns INTEGER ns  from when all were there to when the first left, of all members
-- column: drain_ns INTEGER ns  the same of those that took so long because puts were pending
-- column: completion_ns INTEGER ns  from then on to when they left themselves; in a first half (notify): all
-- column: slack_ns INTEGER ns  between the two halves of split ones, where the thread need not wait; empty: none is split
-- column: mean_operation_ns INTEGER ns  a barrier; empty: of none all members were seen
-- column: mean_interval_ns INTEGER ns  since the thread left the team's barrier before; empty: there was none
-- column: back_to_back INTEGER count  arrivals of barriers that come right after another one
-- column: back_to_back_ns INTEGER ns  operation and completion of these
-- column: advice TEXT -  what to try; empty: they are rare enough
--
-- Waiting for the last to come is one part of a barrier (see `barrier-wait`); this is the rest, which it costs even if all
-- come at once.
--
-- * **back to back**: the team's next collective after a barrier is a barrier again, every member arrives less than 5 us
--   after it has left the one before, and has not communicated in between: one of the two does.
--   In programs of OpenSHMEM and UPC, and with windows of MPI, plain loads and stores of shared memory may lie between them, which
--   are no calls: there neither can be left out for that, and the line has no advice.
-- * **frequent**: the mean interval is less than ten times the mean operation.
-- * **drain**: a barrier like shmem_barrier_all completes puts, too.  Where any member's call has done so, and an operation takes
--   more than three times the median of its line, that is time of these puts, on all members: it is told here, not in
--   operation_ns.
--
-- **How to read it:** every thread pays for each barrier: time_ns is of all of them together.  Much drain_ns: the puts are to
-- be completed earlier, not the barriers to be fewer; `drain` names their lines.
--
-- **Split ones** (notify, work, wait): slack_ns is the work that hides waiting for others.  Where there is waiting (`barrier-wait`)
-- and little slack, move work that needs nothing of the others in between.
--
-- **What misleads:** a line whose barriers all complete puts takes long each time, and none of that is drain here; `drain` has
-- what the members that made the puts pay, whatever is said here of their barriers.  Barriers count only if all members
-- were seen to come and to leave; slack counts of all.  Of a barrier in two halves the interval is up to the first half, and both count at
-- its line.  Nothing is back to back on a thread that was not recorded in between, or of whose calls some are masked.
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
