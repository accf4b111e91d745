-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Who moved how much data to or from whom
-- param: limit INTEGER - 100  pairs at most, -1 for all
-- param: direction TEXT - NULL  only get, put, atomic or send
-- param: by_host INTEGER - 0  1: hosts instead of processes
-- column: initiator TEXT -  the thread (or host) that accessed or sent
-- column: owner TEXT -  the thread (or host) that owns the memory or received
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
SELECT CASE WHEN :by_host THEN i.host ELSE t.thread_id END AS initiator,
  CASE WHEN :by_host THEN o.host ELSE t.peer END AS owner,
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
FROM traffic t JOIN thread i ON i.id = t.thread_id JOIN thread o ON o.id = t.peer
WHERE :direction IS NULL OR t.direction = :direction
GROUP BY 1, 2
ORDER BY sum(t.bytes) DESC, sum(t.operations) DESC, 1, 2
LIMIT :limit;
