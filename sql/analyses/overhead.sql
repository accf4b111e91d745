-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: What recording took of each thread's time, estimated
-- group: recording
-- column: thread INTEGER -  thread id
-- column: rank INTEGER -  rank of its process
-- column: raw_events INTEGER count  recorded: a start, an end and an atomic event are one each
-- column: event_cost_ns REAL ns  what recording one takes, as the collector measured it where the thread ran
-- column: events_ns INTEGER ns  that for all of them
-- column: tool_ns INTEGER ns  the collector's other work, as recorded (gaps of kind tool)
-- column: overhead_ns INTEGER ns  both
-- column: total_ns INTEGER ns  the thread's time, overhead included
-- column: share REAL %  of the thread's time
-- column: masked INTEGER count  raw events that a mask kept out
--
-- Raw events times the cost of one, which the collector measures in each process and leaves in the log, and the work that
-- it recorded as its own.  Empty where the log does not tell what an event costs: not known, not zero.
--
-- **What misleads:** it is the cost of recording in a warm cache, and a lower bound.  Where there are more threads than
-- cores, a thread's time is also time in which it did not run, and the share smaller than that of what it did.  What the adapter does besides (looking up requests and
-- teams; tests in vain that are one event), what a mask still costs, and what the program loses because caches are shared, are not in it; nor is what
-- other threads lose while they wait for this one, nor what it takes to begin and to end a thread's log: close to a
-- millisecond, which programs that start threads by the hundred pay each time.  To know the slowdown, run the program without recording.
SELECT o.thread_id AS thread, o.rank, o.raw_events, o.event_cost_ns, o.events_ns, o.tool_ns, o.overhead_ns, o.total_ns, o.overhead_pct AS share,
  o.masked
FROM overhead o
ORDER BY o.overhead_pct DESC, o.thread_id;
