-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Data moved between processes
-- group: messages
-- param: limit INTEGER - 100  at least -1: pairs at most, -1 for all
-- param: direction TEXT - NULL  one of get|put|atomic|send: this direction only
-- param: by_host INTEGER - 0  one of 0|1: 1: hosts instead of processes
-- param: min_bytes INTEGER B 0  power of two: only accesses and messages of this size or larger
-- param: below_bytes INTEGER B NULL  power of two: only accesses and messages smaller than this
-- column: initiator TEXT -  the process (its first thread) or host that accessed or sent
-- column: owner TEXT -  the process (its first thread) or host that owns the memory or received
-- column: operations INTEGER count  accesses and messages
-- column: bytes INTEGER B  their data
-- column: mean_bytes REAL B  data of one
-- column: time_ns INTEGER ns  the initiator's time in the calls
-- column: gets INTEGER count  of the operations: gets
-- column: puts INTEGER count  of the operations: puts
-- column: atomics INTEGER count  of the operations: atomics
-- column: sends INTEGER count  of the operations: messages
-- column: get_bytes INTEGER B  data of the gets
-- column: put_bytes INTEGER B  data of the puts
-- column: atomic_bytes INTEGER B  data of the atomics
-- column: send_bytes INTEGER B  data of the messages
--
-- The traffic between processes as a list of pairs, most bytes first: each row is one cell of the matrix with initiators
-- as rows and owners as columns. A process is named by its first thread. A get by process 3 of process 0's memory is in
-- row 3, column 0, though the data flow the other way; so are a put and a message from 3 to 0. A copy by one process
-- between two others is a get from the one and a put to the other, each with half of its time.
--
-- **How to read it:** equal traffic in both directions between neighbours is a stencil; one column much fuller than the
-- others is a hot owner (`hot-owners`); many operations with a small `mean_bytes` should be combined (`fine-grained`).
-- `--below-bytes=64` keeps the small ones, `--min-bytes=64KiB` the large ones; `message-sizes` has the distribution.
-- Sizes are kept in powers of two, so others are refused. With `--by-host=1` compare what stays on a host with what goes
-- over the network.
--
-- **What misleads:** collective operations are not in it, though they move data too (`collectives`). The time of
-- non-blocking calls is that of starting them. A process's accesses to its own memory are on the diagonal; of UPC
-- programs only if compiled with `--inst-local`.
--
-- Definition: PPW's communication matrix (with its filter by size), split by direction.
WITH wanted AS NOT MATERIALIZED (
  SELECT * FROM traffic_total t
  WHERE (:direction IS NULL OR t.direction = :direction)
    AND t.from_bytes >= :min_bytes AND (:below_bytes IS NULL OR t.from_bytes < :below_bytes)
), pairs AS ( -- of these few the rest is summed up
  SELECT initiator, owner FROM wanted WHERE NOT :by_host
  GROUP BY initiator, owner
  ORDER BY sum(bytes) DESC, sum(operations) DESC, initiator, owner LIMIT :limit
), flows AS (
  SELECT w.initiator, w.owner, w.direction, w.operations, w.bytes, w.time_ns
  FROM pairs p CROSS JOIN wanted w ON w.initiator = p.initiator AND w.owner = p.owner
  UNION ALL
  SELECT coalesce(i.host, ''), coalesce(o.host, ''), w.direction, w.operations, w.bytes, w.time_ns
  FROM wanted w JOIN thread i ON i.id = w.initiator JOIN thread o ON o.id = w.owner WHERE :by_host
)
SELECT CAST(t.initiator AS TEXT) AS initiator, CAST(t.owner AS TEXT) AS owner,
  sum(t.operations) AS operations,
  sum(t.bytes) AS bytes,
  1.0 * sum(t.bytes) / sum(t.operations) AS mean_bytes,
  sum(t.time_ns) AS time_ns,
  sum(CASE t.direction WHEN 'get' THEN t.operations ELSE 0 END) AS gets,
  sum(CASE t.direction WHEN 'put' THEN t.operations ELSE 0 END) AS puts,
  sum(CASE t.direction WHEN 'atomic' THEN t.operations ELSE 0 END) AS atomics,
  sum(CASE t.direction WHEN 'send' THEN t.operations ELSE 0 END) AS sends,
  sum(CASE t.direction WHEN 'get' THEN t.bytes ELSE 0 END) AS get_bytes,
  sum(CASE t.direction WHEN 'put' THEN t.bytes ELSE 0 END) AS put_bytes,
  sum(CASE t.direction WHEN 'atomic' THEN t.bytes ELSE 0 END) AS atomic_bytes,
  sum(CASE t.direction WHEN 'send' THEN t.bytes ELSE 0 END) AS send_bytes
FROM flows t
GROUP BY t.initiator, t.owner
ORDER BY sum(t.bytes) DESC, sum(t.operations) DESC, t.initiator, t.owner
LIMIT :limit;
