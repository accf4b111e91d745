-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Histogram of the sizes of transfers and messages
-- group: messages
-- param: direction TEXT - NULL  one of get|put|atomic|send|collective: this direction only
-- param: thread INTEGER - NULL  found in thread.id: of this thread only
-- column: direction TEXT -  get, put, atomic, send, collective
-- column: from_bytes INTEGER B  sizes from this ...
-- column: to_bytes INTEGER B  ... to this
-- column: operations INTEGER count  how many
-- column: share REAL %  of the operations of this direction
-- column: bytes INTEGER B  their data
-- column: byte_share REAL %  of the data of this direction
-- column: threads INTEGER count  threads that have some
--
-- The bins are powers of two. Collectives count once for each member, with the bytes it sent; barriers are left out.
-- Non-blocking transfers count like blocking ones; a copy between shared memories is a get and a put.
SELECT s.direction, s.from_bytes,
  CASE s.from_bytes WHEN 0 THEN 0 ELSE 2 * s.from_bytes - 1 END AS to_bytes,
  sum(s.operations) AS operations,
  100.0 * sum(s.operations) / sum(sum(s.operations)) OVER (PARTITION BY s.direction) AS share,
  sum(s.bytes) AS bytes,
  100.0 * sum(s.bytes) / nullif(sum(sum(s.bytes)) OVER (PARTITION BY s.direction), 0) AS byte_share,
  count(*) AS threads
FROM size_total s
WHERE (:direction IS NULL OR s.direction = :direction) AND (:thread IS NULL OR s.thread_id = :thread)
GROUP BY s.direction, s.from_bytes
ORDER BY s.direction, s.from_bytes;
