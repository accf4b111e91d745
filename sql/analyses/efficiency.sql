-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: POP efficiencies of phases, functions, hosts, over time
-- group: efficiency
-- param: by TEXT - region  one of run|region|event|path|host|time: the parts; region: functions, loops and user events
-- param: whole INTEGER - 0  one of 0|1: 1 for all of the run, else from the last end of an init to the first finalize
-- param: bins INTEGER - 16  one of 1|2|4|8|16|32|64: number of bins of the time
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: what TEXT -  the part
-- column: location TEXT -  where it begins
-- column: start_ns INTEGER ns  hosts, bins, run: from here ...
-- column: end_ns INTEGER ns  ... to here
-- column: threads INTEGER count  threads that were in it
-- column: parallel REAL %  average computation of the time; empty where there is no time
-- column: load_balance REAL %  average computation of the most; empty where there is no computation
-- column: communication REAL %  most computation of the time
-- column: serialization REAL %  most computation of the ideal time; run only
-- column: transfer REAL %  ideal time of the time; run only
-- column: time_ns INTEGER ns  length; of a function, loop, event or path: the longest of one thread inside
-- column: longest_thread INTEGER -  that thread
-- column: average_ns REAL ns  computation per thread; threads that were not in it count as 0
-- column: most_ns INTEGER ns  the most computation of one thread
-- column: most_thread INTEGER -  that thread
-- column: lost_ns REAL ns  time without computation, on average: time less average
--
-- The efficiencies of `pop`, for parts of the run. With U the computation of a thread in a part (time outside of all
-- calls into a runtime), T the part's length:
--
-- * **parallel** efficiency = average U / T = load balance x communication
-- * **load balance** = average U / most U: 100 % if all threads compute equally long
-- * **communication** = most U / T: what calls into the runtime, and waiting in them, leave for computing
--
-- *region*, *event*, *path*: U is the computation of a thread inside, what it calls included, over all times that it was
-- there, and T the longest time that a thread was inside; averages are over all threads with a log, those that never
-- came there with 0. A function is known by its name and file, a user event (a phase that the program marked) by its
-- name, a loop by its line; of a recursion the outermost counts. *event*: user events only. *path*: by call path, as in
-- `call-tree`. *host*: the threads of a host; T is the length of the region that `whole` chooses. *time*: that region in
-- bins of equal length. *run*: all of it, the figures of `pop`. The part with the most `lost_ns` comes first; bins by
-- time.
--
-- **How to read it:** begin with `--by=event` or `--by=region`: the part with the largest loss, and the smaller of its
-- two factors. Load balance: `most_thread` has more to compute than the others; see `load-imbalance --by=event`.
-- Communication: see `call-tree` for which calls, `waits` for why. A load balance that is good in the whole run, and bad
-- in each bin of `--by=time`: threads are busy in turns. A region with a bad load balance of which few threads are
-- inside (`threads`): the others wait elsewhere, or do something else.
--
-- **What misleads:** parts are nested (the loss of a function is also in its callers): do not add them. Functions
-- include time before init and after the last communication. Serialization and transfer need the replay of the whole
-- run: they are not known of its parts. Time that was not recorded is no computation. A function called by the runtime
-- itself counts as computation of the functions around it, but not in the run, the bins and the hosts, where all of a
-- call is the runtime's. Threads without a log are left out.
--
-- Definition: POP Centre of Excellence; of parts as in Cube, which takes a selected call path inclusively.
WITH logged AS (
  SELECT count(*) AS n FROM thread WHERE first_ns IS NOT NULL
), stretch AS (
  SELECT whole, start_ns, end_ns, ideal_ns FROM pop WHERE whole = (:whole <> 0)
), host_thread AS (
  SELECT h.host, h.id, c.computation_ns, max(c.computation_ns) OVER (PARTITION BY h.host) AS most_ns
  FROM stretch s JOIN pop_thread c ON c.whole = s.whole JOIN thread h ON h.id = c.thread_id WHERE :by = 'host'
), parts AS (
  SELECT CASE p.type WHEN 'function' THEN coalesce(p.function, p.operation) ELSE p.operation END AS what, p.location,
    NULL AS start_ns, NULL AS end_ns, r.threads, l.n, r.longest_ns AS t_ns, r.longest_thread_id AS longest_thread,
    r.computation_ns AS computation_ns, r.most_ns, r.most_thread_id AS most_thread, NULL AS ideal_ns, r.id
  FROM region r JOIN place p ON p.source_id = r.source_id CROSS JOIN logged l
  WHERE :by = 'region' OR :by = 'event' AND p.type = 'user'
  UNION ALL
  SELECT printf('%*s%s', 2 * (c.depth - 1), '',
      CASE p.type WHEN 'function' THEN coalesce(p.function, p.operation) ELSE p.operation END), p.location,
    NULL, NULL, c.threads, l.n, c.longest_ns, c.longest_thread_id, c.computation_ns, c.most_ns, c.most_thread_id, NULL,
    c.position
  FROM callpath c JOIN place p ON p.source_id = c.source_id CROSS JOIN logged l
  WHERE :by = 'path' AND c.computation_ns IS NOT NULL
  UNION ALL
  SELECT coalesce(h.host, 'unknown'), NULL, s.start_ns, s.end_ns, count(*), count(*), s.end_ns - s.start_ns, NULL,
    sum(h.computation_ns), h.most_ns, min(h.id) FILTER (WHERE h.computation_ns = h.most_ns), NULL, min(h.id)
  FROM host_thread h JOIN stretch s ON s.end_ns > s.start_ns GROUP BY h.host
  UNION ALL
  SELECT 'run', NULL, b.start_ns, b.end_ns, l.n, l.n, b.end_ns - b.start_ns, NULL, b.computation_ns, b.most_ns,
    b.most_thread_id, s.ideal_ns, 1
  FROM stretch s JOIN pop_bin b ON b.whole = s.whole AND b.bins = 1 CROSS JOIN logged l WHERE :by = 'run'
  UNION ALL
  SELECT 'time', NULL, b.start_ns, b.end_ns, l.n, l.n, b.end_ns - b.start_ns, NULL, b.computation_ns, b.most_ns,
    b.most_thread_id, NULL, b.start_ns
  FROM stretch s JOIN pop_bin b ON b.whole = s.whole
    AND b.bins = (SELECT max(bins) FROM pop_bin WHERE bins <= :bins) CROSS JOIN logged l
  WHERE :by = 'time'
)
SELECT what, location, start_ns, end_ns, threads,
  100.0 * computation_ns / n / nullif(t_ns, 0) AS parallel,
  100.0 * computation_ns / n / nullif(most_ns, 0) AS load_balance,
  100.0 * most_ns / nullif(t_ns, 0) AS communication,
  100.0 * most_ns / nullif(ideal_ns, 0) AS serialization,
  100.0 * ideal_ns / nullif(t_ns, 0) AS transfer,
  t_ns AS time_ns, longest_thread,
  1.0 * computation_ns / n AS average_ns,
  most_ns, most_thread,
  t_ns - 1.0 * computation_ns / n AS lost_ns
FROM parts
ORDER BY iif(:by IN ('path', 'time'), id, 0), lost_ns DESC, what, location, id
LIMIT :limit;
