-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Processes whose memory or messages all others go for
-- param: limit INTEGER - 10  at least -1: rows at most, -1 for all
-- param: direction TEXT - NULL  one of get|put|atomic|send: this direction only
-- column: owner INTEGER -  the process (its first thread) that owns the memory, or receives
-- column: hot TEXT -  yes: four times the mean or more
-- column: bytes INTEGER B  data that other processes get from it, put to it or send it
-- column: bytes_factor REAL -  that, in means over all processes; 1: as all
-- column: operations INTEGER -  their accesses and messages
-- column: operations_factor REAL -  those, in means over all processes
-- column: processes INTEGER -  how many processes they come from
-- column: time_ns INTEGER ns  the others' time in these calls
-- column: operation TEXT -  the call that moves most of the data
-- column: location TEXT -  its line
-- column: advice TEXT -  what to try
--
-- A process that serves all others bounds the run however many there are.  Its own accesses are left out, and collective
-- operations.
--
-- **How to read it:** a factor of N, the number of processes, means that there is no other owner.  Few bytes in many
-- operations: a counter, a lock, a flag.
--
-- **What misleads:** time_ns is that of starting the call where it is non-blocking.  With fewer than four processes none can
-- be hot.
--
-- Definition: gaspdb's own.
WITH process AS MATERIALIZED (
  SELECT id, CASE WHEN rank IS NULL THEN id ELSE min(id) OVER (PARTITION BY rank) END AS first FROM thread
), flows AS MATERIALIZED (
  SELECT o.first AS owner, i.first AS initiator, t.source_id, sum(t.operations) AS operations, sum(t.bytes) AS bytes,
    sum(t.time_ns) AS time_ns
  FROM traffic t JOIN process i ON i.id = t.thread_id JOIN process o ON o.id = t.peer
  WHERE i.first <> o.first AND (:direction IS NULL OR t.direction = :direction)
  GROUP BY o.first, i.first, t.source_id
), lines AS (
  SELECT f.owner, p.operation, p.location, sum(f.operations) AS operations, sum(f.bytes) AS bytes,
    sum(f.time_ns) AS time_ns,
    row_number() OVER (PARTITION BY f.owner ORDER BY sum(f.bytes) DESC, sum(f.operations) DESC, p.operation, p.location)
      AS place_no
  FROM flows f JOIN place p ON p.source_id = f.source_id GROUP BY f.owner, p.operation, p.location
), owners AS (
  SELECT owner, sum(bytes) AS bytes, sum(operations) AS operations, sum(time_ns) AS time_ns,
    max(operation) FILTER (WHERE place_no = 1) AS operation, max(location) FILTER (WHERE place_no = 1) AS location
  FROM lines GROUP BY owner
), factors AS (
  SELECT o.*, n.processes_all * 1.0 * bytes / nullif(sum(bytes) OVER (), 0) AS bytes_factor,
    n.processes_all * 1.0 * operations / sum(operations) OVER () AS operations_factor
  FROM owners o, (SELECT count(DISTINCT first) AS processes_all FROM process) n
  ORDER BY max(coalesce(bytes_factor, 0), operations_factor) DESC, bytes DESC, owner
  LIMIT :limit
)
SELECT f.owner,
  iif(max(coalesce(f.bytes_factor, 0), f.operations_factor) >= 4, 'yes', 'no') AS hot,
  f.bytes, f.bytes_factor, f.operations, f.operations_factor,
  (SELECT count(DISTINCT initiator) FROM flows WHERE owner = f.owner) AS processes, f.time_ns, f.operation, f.location,
  CASE
    WHEN max(coalesce(f.bytes_factor, 0), f.operations_factor) < 4 THEN NULL
    WHEN f.operations_factor >= 4 AND f.bytes <= 8 * f.operations
      THEN 'spread the words over processes, or let each add up its own and combine them at times'
    ELSE 'spread the data (a smaller block size), give each process a copy, stagger the accesses, or use the collective'
  END AS advice
FROM factors f
ORDER BY max(coalesce(f.bytes_factor, 0), f.operations_factor) DESC, f.bytes DESC, f.owner;
