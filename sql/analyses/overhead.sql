-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Estimated cost of recording, by thread
-- group: recording
-- column: thread INTEGER -  thread id
-- column: rank INTEGER -  rank of its process
-- column: raw_events INTEGER count  recorded: a start, an end and an atomic event are one each
-- column: event_cost_ns REAL ns  cost of recording one, as the collector measured it where the thread ran
-- column: events_ns INTEGER ns  that cost for all of them
-- column: tool_ns INTEGER ns  the collector's other work, as recorded (gaps of kind tool)
-- column: overhead_ns INTEGER ns  both
-- column: total_ns INTEGER ns  the thread's time, overhead included
-- column: share REAL %  of the thread's time
-- column: masked INTEGER count  raw events excluded by a mask
--
-- Raw events times the cost of one, which the collector measures in each process, plus its own recorded work. Empty
-- where the log lacks the cost of an event: not known, not zero.
--
-- **What misleads:** it is the cost of recording in a warm cache, and a lower bound. With more threads than cores, a
-- thread's time includes time in which it did not run, and the share is too small. Not included are other work of the
-- adapter (looking up requests and teams; unsuccessful tests that are one event), the remaining cost of masked events,
-- the program's losses by shared caches, and the losses of threads that wait for this one. Nor is the begin and end of a
-- thread's log included: close to a millisecond, for each thread that a program starts. To know the slowdown, run the
-- program without recording.
SELECT o.thread_id AS thread, o.rank, o.raw_events, o.event_cost_ns, o.events_ns, o.tool_ns, o.overhead_ns, o.total_ns, o.overhead_pct AS share,
  o.masked
FROM overhead o
ORDER BY o.overhead_pct DESC, o.thread_id;
