-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: POP efficiencies: causes of lost time
-- group: efficiency
-- param: whole INTEGER - 0  one of 0|1: 1 for all of the run, else from the last end of an init to the first finalize
-- column: efficiency TEXT -  its name
-- column: percent REAL %  100: nothing is lost; empty where there is no computation, or no time
-- column: part_ns REAL ns  the part ...
-- column: of_ns REAL ns  ... of this
-- column: meaning TEXT -  what part and whole are
--
-- The multiplicative efficiencies of the POP Centre of Excellence. T is the length of the region, U the computation of a
-- thread in it (time outside of all calls into a runtime):
--
-- * **parallel** efficiency = average U / T = load balance x communication
-- * **load balance** = average U / most U: 100 % if all threads compute equally long
-- * **communication** = most U / T = serialization x transfer
-- * **serialization** = most U / ideal T: loss by dependences between threads
-- * **transfer** = ideal T / T: loss by the duration of communication
--
-- *ideal T* is how long the region would take on a network that costs nothing, by replay of the recorded run (replay,
-- zero-cost network): each thread's computation, allocation and unrecorded time take as long as recorded, all else takes
-- no time. At each matched message, barrier, collective, lock hand-over and signal a thread continues no earlier than
-- the threads it depends on have arrived, whether the recorded call waited or not. Locks keep the recorded order.
--
-- A last row, **without a processor**, appears if threads lost processor time to others while they computed. The
-- computation in the rows above contains that time: the larger it is, the less they say about the program.
--
-- **How to read it:** follow the smallest of the factors. Load balance: `load-imbalance` and `barrier-wait` name the
-- thread and the line. Serialization: see `critical-path` for the dependences. Transfer: fewer, larger, earlier
-- messages.
--
-- **What misleads:** threads without a log are left out, and dependences on them cost nothing; unrecorded time counts as
-- the thread's own work in the ideal run, but not as computation. A send depends on its receiver only if it waited for
-- it when recorded. Initialization and finalization are left out unless whole=1. The speed of the computation itself
-- does not matter: code that gets slower with more threads looks efficient here.
--
-- Of a run recorded as a profile, or whose trace ended at a size limit, load balance and communication efficiency are known; the
-- ideal time needs a trace of all of it.
--
-- Figures per thread are in table `pop_thread`; parts of the run, by function, phase, host or over time, in
-- `efficiency`.
WITH region AS (
  SELECT p.whole, p.end_ns - p.start_ns AS t_ns, p.ideal_ns FROM pop p WHERE p.whole = (:whole <> 0)
), used AS (
  SELECT r.t_ns, r.ideal_ns, avg(t.computation_ns) AS average_ns, max(t.computation_ns) AS most_ns
  FROM region r JOIN pop_thread t ON t.whole = r.whole
  GROUP BY r.whole HAVING r.t_ns > 0
)
SELECT e.efficiency AS efficiency, 100.0 * e.part_ns / nullif(e.of_ns, 0) AS percent, e.part_ns AS part_ns,
  e.of_ns AS of_ns, replace(replace(e.meaning, '{thread}', w.thread), '{threads}', w.threads) AS meaning
FROM (
  SELECT 1 AS place_no, 'parallel' AS efficiency, average_ns AS part_ns, 1.0 * t_ns AS of_ns,
    'mean computation of a {thread} / elapsed time' AS meaning FROM used
  UNION ALL
  SELECT 2, 'load balance', average_ns, 1.0 * most_ns, 'mean / most computation of a {thread}' FROM used
  UNION ALL
  SELECT 3, 'communication', 1.0 * most_ns, 1.0 * t_ns, 'most computation of a {thread} / elapsed time' FROM used
  UNION ALL
  SELECT 4, 'serialization', 1.0 * most_ns, 1.0 * ideal_ns, iif(ideal_ns IS NULL, 'needs a trace of all of it', 'most computation of a {thread} / ideal time') FROM used
  UNION ALL
  SELECT 5, 'transfer', 1.0 * ideal_ns, 1.0 * t_ns, iif(ideal_ns IS NULL, 'needs a trace of all of it', 'ideal time (zero-cost network) / elapsed time') FROM used
  UNION ALL
  SELECT 6, 'without a processor', 1.0 * u.ns, 1.0 * c.ns, 'of the computation: no efficiency, but time that other {threads} had the processors'
  FROM (SELECT sum(t.computation_ns) AS ns FROM region r JOIN pop_thread t ON t.whole = r.whole) c, (
    SELECT sum(u.time_ns) AS ns FROM unserved u CROSS JOIN pop p
    WHERE p.whole = (:whole <> 0) AND u.event_id IS NULL AND u.start_ns < p.end_ns AND u.end_ns > p.start_ns) u
  WHERE u.ns > 0 AND c.ns > 0
) e CROSS JOIN run_word w
ORDER BY e.place_no;
