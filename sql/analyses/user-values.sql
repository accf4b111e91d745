-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Values given with user events
-- group: time
-- needs: trace
-- param: by TEXT - event  one of event|line|thread|time: a row an event and argument, or that and its line, thread or bin
-- param: bins INTEGER - 20  at least 1: by=time: into how many bins the run is cut, at most
-- param: limit INTEGER - -1  at least -1: rows at most, -1 for all
-- column: event TEXT -  the user event's name
-- column: argument TEXT -  arg1 is the first of the format
-- column: label TEXT -  the word before it in the format; empty: none
-- column: at TEXT -  given at the event's start, or its end; start: also marks
-- column: location TEXT -  by=line: the line; else NULL
-- column: thread INTEGER -  by=thread: the thread; else NULL
-- column: start_ns INTEGER ns  by=time: the bin is from here ...
-- column: end_ns INTEGER ns  by=time: ... to here; the last may end after the run
-- column: threads INTEGER count  that gave values; by=time: NULL
-- column: count INTEGER count  finite values; the following are of these
-- column: sum REAL -  their sum
-- column: mean REAL -  sum by count
-- column: minimum REAL -  the least
-- column: maximum REAL -  the largest
-- column: deviation REAL -  standard deviation, of the population; empty: beyond a double's range
-- column: not_numbers INTEGER count  values that are no number (NaN), left out
-- column: infinite INTEGER count  infinite values, left out
-- column: integer_sum INTEGER -  the exact sum of integers; empty: real numbers, or beyond 64 bits
--
-- Statistics of the numbers that the program gives with `pupc_event_start`, `pupc_event_end` and `pupc_event_atomic`: a
-- residual, a queue's length, a size. The format of `pupc_create_event` names them: with `"residual %g, iteration %d"` `arg1`
-- is labelled residual, `arg2` iteration. Values at the start and at the end of an event are apart. Strings and pointers are
-- left out; table `event_arg` has them.
--
-- **How to read it:** a deviation that is large beside the mean: see `--by=thread`, whether threads differ (work is spread
-- unevenly), and `--by=time`, whether it changes in the course of the run (a solver converges, a queue fills).
--
-- **What misleads:** the mean over all threads weighs each value alike, so a thread that gives more values counts more. A
-- number has no unit here. Real numbers are summed plainly, in the order of each thread's events: the last digits of a sum
-- depend on it. Two events of one name and different formats are two rows.
--
-- Bins are those of `operations-over-time`: at most 256 cover the run. A value counts in the bin of its event's start,
-- given at an end in that of the end.
--
-- Definition: count, mean, minimum, maximum and standard deviation of user-defined events as in TAU (Shende, "The role of
-- instrumentation and mapping in performance measurement", 2001, figure 4).
WITH width AS MATERIALIZED (
  SELECT ((SELECT max(last_ns) FROM thread) - 1) / value / :bins * value + value AS ns FROM meta
  WHERE key = 'source_bin_ns' AND value > 0 AND :by = 'time'
), part AS (
  SELECT source_id, argument_id, iif(:by = 'thread', thread_id, NULL) AS thread, NULL AS start_ns, thread_id,
    n, not_numbers, infinite, integer_sum, sum, mean, squares, minimum, maximum
  FROM user_value WHERE :by <> 'time'
  UNION ALL
  SELECT source_id, argument_id, NULL, start_ns / w.ns * w.ns, NULL,
    n, not_numbers, infinite, integer_sum, sum, mean, squares, minimum, maximum
  FROM user_value_bin, width w
), placed AS (
  SELECT f.*, iif(:by = 'line', s.location, NULL) AS location, iif(:by = 'line', s.file, NULL) AS file,
    iif(:by = 'line', s.line, NULL) AS line
  FROM part f JOIN place s ON s.source_id = f.source_id
), centred AS (
  SELECT *, sum(n * mean) OVER same / nullif(sum(n) OVER same, 0) AS centre FROM placed
  WINDOW same AS (PARTITION BY argument_id, file, line, location, thread, start_ns)
), summed AS (
  SELECT argument_id, file, line, location, thread, start_ns,
    nullif(count(DISTINCT thread_id), 0) AS threads, sum(n) AS n, sum(not_numbers) AS not_numbers, sum(infinite) AS infinite,
    iif(count(integer_sum) = count(*), sum(integer_sum), NULL) AS integer_sum, sum(sum) AS real_sum, min(minimum) AS minimum, max(maximum) AS maximum,
    sum(squares + n * (mean - centre) * (mean - centre)) AS squares
  FROM centred GROUP BY argument_id, file, line, location, thread, start_ns
), exact AS (
  SELECT *, iif(n = 0, NULL, coalesce(1.0 * whole, real_sum)) AS sum
  FROM (SELECT *, iif(integer_sum BETWEEN -9223372036854775806 AND 9223372036854775806, integer_sum, NULL) AS whole FROM summed)
)
SELECT o.name AS event, a.name AS argument, u.label, a.phase AS at, f.location, f.thread,
  f.start_ns, f.start_ns + (SELECT ns FROM width) AS end_ns,
  f.threads, f.n AS count, f.sum,
  f.sum / f.n AS mean,
  f.minimum, f.maximum,
  iif(f.squares <= 1.7976931348623157e308, sqrt(f.squares / nullif(f.n, 0)), NULL) AS deviation,
  f.not_numbers, f.infinite, f.whole AS integer_sum
FROM exact f JOIN argument a ON a.id = f.argument_id JOIN operation o ON o.id = a.operation_id
LEFT JOIN user_argument u ON u.argument_id = a.id
ORDER BY o.name, o.id, a.phase DESC, CAST(substr(a.name, 4) AS INTEGER), a.name, f.file, f.line, f.location, f.thread,
  f.start_ns, a.id
LIMIT :limit;
