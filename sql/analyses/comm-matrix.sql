-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Who moved how much data to or from whom
-- param: limit INTEGER - 100  at least -1: pairs at most, -1 for all
-- param: direction TEXT - NULL  one of get|put|atomic|send: this direction only
-- param: by_host INTEGER - 0  one of 0|1: 1: hosts instead of processes
-- column: initiator TEXT -  the process (its first thread) or host that accessed or sent
-- column: owner TEXT -  the process (its first thread) or host that owns the memory or received
-- column: operations INTEGER -  accesses and messages
-- column: bytes INTEGER B  their data
-- column: mean_bytes REAL B  data of one
-- column: time_ns INTEGER ns  the initiator's time in the calls
-- column: gets INTEGER -  of the operations: gets
-- column: puts INTEGER -  of the operations: puts
-- column: atomics INTEGER -  of the operations: atomics
-- column: sends INTEGER -  of the operations: messages
-- column: get_bytes INTEGER B  data of the gets
-- column: put_bytes INTEGER B  data of the puts
-- column: atomic_bytes INTEGER B  data of the atomics
-- column: send_bytes INTEGER B  data of the messages
--
-- Process by process traffic, most bytes first.  A process is named by its first thread.  Collective operations are
-- not in it.  Time of non-blocking calls is that of starting them.
WITH process AS (
  SELECT id, host, CASE WHEN rank IS NULL THEN id ELSE min(id) OVER (PARTITION BY rank) END AS first FROM thread
), flows AS (
  SELECT CASE WHEN :by_host THEN coalesce(i.host, '') ELSE i.first END AS initiator,
    CASE WHEN :by_host THEN coalesce(o.host, '') ELSE o.first END AS owner,
    t.direction, t.operations, t.bytes, t.time_ns
  FROM traffic_total t JOIN process i ON i.id = t.initiator JOIN process o ON o.id = t.owner
  WHERE :direction IS NULL OR t.direction = :direction
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
