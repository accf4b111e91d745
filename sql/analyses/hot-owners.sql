-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Processes that most accesses or messages go to
-- group: accesses
-- param: limit INTEGER - 10  at least -1: rows at most, -1 for all
-- param: direction TEXT - NULL  one of get|put|atomic|send: this direction only
-- column: owner INTEGER -  the process (its first thread) that owns the memory, or receives
-- column: hot TEXT -  yes: four times the mean or more
-- column: bytes INTEGER B  data that other processes get from it, put to it or send it
-- column: bytes_factor REAL -  bytes divided by the mean over all processes
-- column: operations INTEGER count  their accesses and messages
-- column: operations_factor REAL -  operations divided by the mean over all processes
-- column: processes INTEGER count  processes that they come from
-- column: time_ns INTEGER ns  the others' time in these calls
-- column: operation TEXT -  the call that moves most of the data
-- column: location TEXT -  its line
-- column: advice TEXT -  advice
--
-- A process that serves all others bounds the run, whatever their number. Its own accesses and collective operations are
-- left out.
--
-- **How to read it:** a factor of N, the number of processes, means that there is no other owner. Few bytes in many
-- operations: a counter, a lock, a flag.
--
-- **What misleads:** time_ns is that of starting the call where it is non-blocking. With fewer than four processes none
-- can be hot. One thread that accesses all others in place of a collective is in `hand-made-collectives`.
--
-- Definition: gaspdb's own.
WITH process AS MATERIALIZED (
  SELECT id, CAST(CASE WHEN rank IS NULL THEN id ELSE min(id) OVER (PARTITION BY rank) END AS INTEGER) AS first FROM thread
), flows AS MATERIALIZED (
  SELECT owner, initiator, sum(operations) AS operations, sum(bytes) AS bytes, sum(time_ns) AS time_ns
  FROM traffic_total
  WHERE initiator <> owner AND (:direction IS NULL OR direction = :direction)
  GROUP BY owner, initiator
), owners AS (
  SELECT owner, count(*) AS processes, sum(bytes) AS bytes, sum(operations) AS operations, sum(time_ns) AS time_ns
  FROM flows GROUP BY owner
), factors AS MATERIALIZED (
  SELECT o.*, n.processes_all * 1.0 * bytes / nullif(sum(bytes) OVER (), 0) AS bytes_factor,
    n.processes_all * 1.0 * operations / sum(operations) OVER () AS operations_factor
  FROM owners o, (SELECT count(DISTINCT first) AS processes_all FROM process) n
  ORDER BY max(coalesce(bytes_factor, 0), operations_factor) DESC, bytes DESC, owner
  LIMIT :limit
), places AS MATERIALIZED ( -- numbers take less to bring into order than names
  SELECT source_id, dense_rank() OVER (ORDER BY operation, location) AS nr FROM place
), called AS (
  -- From these owners to who went for them, and to their lines: rows of traffic by its key.
  SELECT f.owner, p.nr, min(t.source_id) AS source_id, sum(t.bytes) AS bytes, sum(t.operations) AS operations
  FROM factors f CROSS JOIN flows w ON w.owner = f.owner CROSS JOIN process i ON i.first = w.initiator
  CROSS JOIN traffic t ON t.thread_id = i.id AND t.peer = f.owner CROSS JOIN places p ON p.source_id = t.source_id
  WHERE :direction IS NULL OR t.direction = :direction
  GROUP BY f.owner, p.nr
), lines AS MATERIALIZED (
  SELECT owner, source_id FROM (
    SELECT owner, source_id, row_number() OVER (PARTITION BY owner ORDER BY bytes DESC, operations DESC, nr) AS place_no
    FROM called)
  WHERE place_no = 1
)
SELECT f.owner,
  iif(max(coalesce(f.bytes_factor, 0), f.operations_factor) >= 4, 'yes', 'no') AS hot,
  f.bytes, f.bytes_factor, f.operations, f.operations_factor,
  f.processes, f.time_ns, p.operation, p.location,
  CASE
    WHEN max(coalesce(f.bytes_factor, 0), f.operations_factor) < 4 THEN NULL
    WHEN f.operations_factor >= 4 AND f.bytes <= 8 * f.operations
      THEN 'spread the words over processes, or let each add up its own and combine them at times'
    ELSE 'spread the data (a smaller block size), give each process a copy of what is not written meanwhile, stagger the accesses, or use the collective'
  END AS advice
FROM factors f LEFT JOIN lines l ON l.owner = f.owner LEFT JOIN place p ON p.source_id = l.source_id
ORDER BY max(coalesce(f.bytes_factor, 0), f.operations_factor) DESC, f.bytes DESC, f.owner;
