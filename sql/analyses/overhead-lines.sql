-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Share of recording in the time of each line
-- group: recording
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: least REAL % 0  at least 0: leave out lines with a smaller share
-- param: of_run REAL % 0  at least 0: leave out lines that take less of all threads' time
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: calls INTEGER count  calls on threads with a known cost of an event
-- column: raw_events INTEGER count  starts, ends and atomic events of these calls
-- column: cost_ns INTEGER ns  estimated cost of recording these, inside the calls and around them
-- column: self_ns INTEGER ns  self time of the calls, as measured
-- column: inside_ns INTEGER ns  of that: recording, estimated
-- column: share REAL %  of the self time
-- column: of_run REAL %  the self time, of the time of all threads
--
-- A call is a start and an end. The start is recorded before the call, but the part of that work that follows its
-- reading of the clock lies inside what is measured; so does the part of the end's work that precedes its reading.
-- Together they are about what one event costs: that much of each call is recording, and as much again lies around it,
-- in the caller's self time or in computation. Events recorded within a call (calls of a user function, atomic events,
-- phases) count in its self time in the same way.
--
-- **How to read it:** where the share is large, the time of the line says little about the program. Leave the operation
-- out (`gaspdb record --except=NAME`), or make fewer, larger calls.
--
-- **What misleads:** it is an estimate from one figure per thread; a share above 100 means that these calls were
-- recorded faster than measured. The adapter's other work is not in it. Atomic and user events have no self time.
WITH lines AS (
  SELECT p.operation, p.location, sum(f.costed_calls) AS calls, sum(f.costed_events) AS raw_events,
    CAST(round(sum(f.cost_ns)) AS INTEGER) AS cost_ns, sum(f.costed_ns) AS self_ns,
    CASE WHEN count(f.self_ns) THEN CAST(round(sum(f.inside_ns)) AS INTEGER) END AS inside_ns
  FROM profile_total f JOIN place p ON p.source_id = f.source_id
  WHERE f.grouping = 'call' AND f.costed_calls > 0
  GROUP BY p.operation, p.file, p.location
), shares AS (
  SELECT *, 100.0 * inside_ns / nullif(self_ns, 0) AS share,
    100.0 * self_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS of_run
  FROM lines
)
SELECT l.operation, l.location, l.calls, l.raw_events, l.cost_ns, l.self_ns, l.inside_ns, l.share, l.of_run
FROM shares l
WHERE coalesce(l.share, 0) >= :least AND coalesce(l.of_run, 0) >= :of_run
ORDER BY l.inside_ns DESC, l.cost_ns DESC, l.operation, l.location, l.calls
LIMIT :limit;
