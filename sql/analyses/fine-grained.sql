-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Small remote accesses that could be combined
-- group: accesses
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: pattern TEXT -  contiguous, strided by so many bytes, same address, irregular, unknown
-- column: groups INTEGER count  how many groups of accesses
-- column: accesses INTEGER count  how many accesses in all
-- column: mean_bytes REAL B  data of one access
-- column: time_ns INTEGER ns  in the accesses
-- column: saving_ns INTEGER ns  estimated saving of one access per peer
-- column: threads INTEGER count  threads that do it
-- column: thread INTEGER -  the one that spends most on it
-- column: advice TEXT -  what to do instead
--
-- A group is at least 16 blocking remote gets or puts of one line and thread between two synchronizations of the thread,
-- 1 to 256 bytes each, without polling (`avoidable-accesses`). The saving assumes one access per peer: the group's time
-- less the longest access to each peer.
--
-- The pattern is that of the addresses on each peer. Cyclic arrays visit the peers in turn; that is one group.
--
-- **What misleads:** the higher cost of the larger access is not subtracted, nor the cost of recording inside each
-- access (`worst` subtracts that).
WITH lines AS (
  SELECT p.operation, p.location, p.type, f.pattern, f.thread_id, sum(f.groups) AS groups, sum(f.accesses) AS accesses,
    sum(f.bytes) AS bytes, sum(f.time_ns) AS time_ns, sum(f.saving_ns) AS saving_ns
  FROM fine_grained_total f JOIN place p ON p.source_id = f.source_id
  GROUP BY p.operation, p.location, p.type, f.pattern, f.thread_id
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY operation, location, type, pattern ORDER BY time_ns DESC, thread_id) AS place_no
  FROM lines
)
SELECT operation, location, pattern,
  sum(groups) AS groups,
  sum(accesses) AS accesses,
  1.0 * sum(bytes) / sum(accesses) AS mean_bytes,
  sum(time_ns) AS time_ns,
  sum(saving_ns) AS saving_ns,
  count(*) AS threads,
  max(thread_id) FILTER (WHERE place_no = 1) AS thread,
  CASE
    WHEN pattern = 'contiguous' THEN iif(type = 'get', 'one get of the whole (memget, getmem)',
      'one put of the whole (memput, putmem)')
    WHEN pattern LIKE 'strided%' THEN iif(type = 'get', 'one get of all that they span, or a strided one (iget) where the library has it',
      'lay them out side by side, or one strided put (iput) where the library has it')
    WHEN pattern = 'same address' THEN iif(type = 'get', 'keep a local copy, or wait for the word to change',
      'put the last value only')
    ELSE 'collect by peer and transfer together, or use non-blocking accesses and one quiet'
  END AS advice
FROM ranked
GROUP BY operation, location, type, pattern
ORDER BY sum(saving_ns) DESC, operation, location, pattern, type
LIMIT :limit;
