-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Accesses that wait until their target calls the runtime
-- group: waiting
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: all TEXT - no  one of yes|no: lines that do not wait, too
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: inside INTEGER count  accesses whose target was inside its runtime when they began
-- column: inside_median_ns INTEGER ns  of their durations
-- column: outside INTEGER count  accesses whose target was outside
-- column: outside_median_ns INTEGER ns  of their durations
-- column: answered INTEGER count  accesses, of both, that ended right after their target's call began
-- column: starved INTEGER count  accesses that waited for the target
-- column: starved_ns INTEGER ns  how long, until it entered its runtime
-- column: share REAL %  of the time of all threads
-- column: longest_ns INTEGER ns  the longest of them
-- column: target INTEGER -  the process (its first thread) that they waited for most
-- column: target_share REAL %  how much of starved_ns
-- column: thread INTEGER -  the thread that waited most
--
-- If the target's runtime answers only during the target's own calls, an access to its memory lasts until the next such
-- call: the target's computation looks like a slow network.
--
-- A line of blocking gets, puts or atomics waits for its targets if, with 30 accesses or more of each kind, the median
-- is twice as long while the target is outside its runtime (no thread of it is in a call) as while it is inside. Of each
-- access that began outside, the time to the target's next call counts (or to its own end), if after that call it took
-- less than twice the median inside.
--
-- Otherwise a line does so if half of its accesses, and at least 30, are `answered`: the target's next call began before
-- the access ended, and the rest of the access is less than a third of the time before that call in which the target
-- could not answer (from the access's start, or from when the target left its runtime). That time counts, of these
-- accesses. Ends that do not depend on the target's calls look so in at most a quarter of cases: a call falls anywhere
-- in the access, the first of several rather early.
--
-- **How to read it:** the cause is the target's runtime: enable a progress thread, or call the runtime during the
-- target's work.
--
-- **What misleads:** sizes of one line may differ, and so may how far targets are. Threads in lockstep may call near the
-- end of each other's accesses every time, and so may a target that sees the data of a put in its memory. Allocation
-- calls count as inside. Accesses while the target was unrecorded, or before or after its log, are left out.
--
-- Definition: gaspdb's own.
WITH lines AS (
  SELECT source_id, sum(accesses) AS starved, sum(time_ns) AS starved_ns, max(longest_ns) AS longest_ns
  FROM starved_total GROUP BY source_id
), targets AS (
  SELECT source_id, peer, sum(time_ns) AS ns,
    row_number() OVER (PARTITION BY source_id ORDER BY sum(time_ns) DESC, peer) AS place_no
  FROM starved_total GROUP BY source_id, peer
), threads AS (
  SELECT source_id, thread_id,
    row_number() OVER (PARTITION BY source_id ORDER BY sum(time_ns) DESC, thread_id) AS place_no
  FROM starved_total GROUP BY source_id, thread_id
)
SELECT p.operation, p.location, t.inside, t.inside_median_ns, t.outside, t.outside_median_ns, t.answered,
  coalesce(l.starved, 0) AS starved, coalesce(l.starved_ns, 0) AS starved_ns,
  100.0 * coalesce(l.starved_ns, 0) / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  l.longest_ns, g.peer AS target, 100.0 * g.ns / nullif(l.starved_ns, 0) AS target_share, h.thread_id AS thread
FROM target_line t JOIN place p ON p.source_id = t.source_id
LEFT JOIN lines l ON l.source_id = t.source_id
LEFT JOIN targets g ON g.source_id = t.source_id AND g.place_no = 1
LEFT JOIN threads h ON h.source_id = t.source_id AND h.place_no = 1
WHERE l.starved > 0 OR :all = 'yes'
ORDER BY coalesce(l.starved_ns, 0) DESC, p.operation, p.location, t.source_id
LIMIT :limit;
