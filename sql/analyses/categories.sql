-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time of each thread, by category
-- group: time
-- param: limit INTEGER - -1  at least -1: threads at most, those with the least computation first; -1 for all
-- column: thread INTEGER -  thread id
-- column: rank INTEGER -  rank of its process
-- column: total_ns INTEGER ns  from its first record to its last
-- column: computation_ns INTEGER ns  no runtime call open
-- column: communication_ns INTEGER ns  moving data
-- column: synchronization_ns INTEGER ns  barriers, locks, completion
-- column: allocation_ns INTEGER ns  allocating and freeing memory
-- column: io_ns INTEGER ns  opening, reading and writing files (MPI-IO; with record --io also POSIX and stdio)
-- column: runtime_ns INTEGER ns  start, end and management of the runtime
-- column: no_processor_ns INTEGER ns  ready to compute, without a processor
-- column: other_ns INTEGER ns  categories defined by the log
-- column: tool_ns INTEGER ns  the collector's own work
-- column: not_recorded_ns INTEGER ns  recording off, or lost
-- column: waiting_ns INTEGER ns  waiting for other threads; part of the calls above
--
-- At every instant a thread is in exactly one category, that of its outermost open runtime call; the categories add up
-- to `total_ns`, to the nanosecond. Waiting is a second, independent split of the same time.
--
-- *No processor* is time that the operating system gave to other threads, to about a millisecond (docs/analyses.md,
-- "Processors"). Inside calls it is not separated, as most of them would have waited anyway. Logs of older collectors do
-- not have it: there it is computation.
--
-- A thread whose log is missing has no row: its times are unknown, not zero.
SELECT t.id AS thread, t.rank AS rank,
  t.last_ns - t.first_ns AS total_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'computation'), 0) AS computation_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'communication'), 0) AS communication_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'synchronization'), 0) AS synchronization_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'allocation'), 0) AS allocation_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'io'), 0) AS io_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'runtime'), 0) AS runtime_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'no processor'), 0) AS no_processor_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category NOT IN
    ('computation', 'communication', 'synchronization', 'allocation', 'io', 'runtime', 'no processor', 'tool', 'not recorded')), 0) AS other_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'tool'), 0) AS tool_ns,
  coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'not recorded'), 0) AS not_recorded_ns,
  coalesce(w.time_ns, n.ns) AS waiting_ns
FROM thread t LEFT JOIN category_time c ON c.thread_id = t.id
LEFT JOIN (SELECT thread_id, sum(time_ns) AS time_ns FROM wait_total GROUP BY thread_id) w ON w.thread_id = t.id CROSS JOIN no_wait n
WHERE t.first_ns IS NOT NULL
GROUP BY t.id
ORDER BY CASE WHEN :limit < 0 THEN t.id
  ELSE coalesce(sum(c.time_ns) FILTER (WHERE c.category = 'computation'), 0) END, t.id
LIMIT :limit;
