-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: POP efficiencies: what the time was lost to
-- group: efficiency
-- param: whole INTEGER - 0  one of 0|1: 1 for all of the run, else from the last end of an init to the first finalize
-- column: efficiency TEXT -  which of them
-- column: percent REAL %  100: nothing is lost; empty where there is no computation, or no time
-- column: part_ns REAL ns  what it is the part of ...
-- column: of_ns REAL ns  ... of this
-- column: meaning TEXT -  what these are
--
-- The multiplicative efficiencies of the POP Centre of Excellence.  T is the length of the region, U the computation of a
-- thread in it (time outside of all calls into a runtime):
--
-- * **parallel** efficiency = average U / T = load balance x communication
-- * **load balance** = average U / most U: 100 % if all threads compute equally long
-- * **communication** = most U / T = serialization x transfer
-- * **serialization** = most U / ideal T: what is lost because threads depend on each other
-- * **transfer** = ideal T / T: what is lost because communication takes time
--
-- *ideal T* is how long the region would take on a network that costs nothing, by replay of the recorded run (replay,
-- zero-cost network): each thread's computation, allocation, and time not recorded take as long as they did, all else takes
-- none; but at each matched message, barrier, collective, lock hand-over and signal a thread goes on no earlier than those
-- whom it needs have come there, whether it waited for them when it was recorded or not.  Locks keep the recorded order.
--
-- A last row, **without a processor**, stands there where threads lost them to others while they computed: the computation of
-- all of the above contains that time. The larger it is, the less do the others tell of the program.
--
-- **How to read it:** follow the smallest of the factors.  Load balance: `load-imbalance` and `barrier-wait` name the thread and
-- the line.  Serialization: see `critical-path`, that is where the dependencies lie.  Transfer: fewer, larger, earlier messages.
--
-- **What misleads:** threads without a log are left out, and what needed them looks free; what was not recorded counts as
-- the thread's own work in the ideal run, but not as computation.  A send needs its receiver only where it was seen to
-- wait for it.  Initialization and finalization are left out unless whole=1.  It tells nothing about how fast the
-- computation itself is: code that gets slower with more threads looks efficient here.
--
-- Figures per thread are in table `pop_thread`; parts of the run, by function, phase, host or over time, in `efficiency`.
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
  SELECT 4, 'serialization', 1.0 * most_ns, 1.0 * ideal_ns, 'most computation of a {thread} / ideal time' FROM used
  UNION ALL
  SELECT 5, 'transfer', 1.0 * ideal_ns, 1.0 * t_ns, 'ideal time (zero-cost network) / elapsed time' FROM used
  UNION ALL
  SELECT 6, 'without a processor', 1.0 * u.ns, 1.0 * c.ns, 'of the computation: no efficiency, but time that other {threads} had the processors'
  FROM (SELECT sum(t.computation_ns) AS ns FROM region r JOIN pop_thread t ON t.whole = r.whole) c, (
    SELECT sum(u.time_ns) AS ns FROM unserved u CROSS JOIN pop p
    WHERE p.whole = (:whole <> 0) AND u.event_id IS NULL AND u.start_ns < p.end_ns AND u.end_ns > p.start_ns) u
  WHERE u.ns > 0 AND c.ns > 0
) e CROSS JOIN run_word w
ORDER BY e.place_no;
