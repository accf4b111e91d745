-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Threads that access all others one by one while they wait
-- group: collectives
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: thread INTEGER -  who makes it
-- column: times INTEGER count  how often it accessed all others
-- column: accesses INTEGER count  of all these times
-- column: bytes INTEGER B  of them
-- column: time_ns INTEGER ns  inside them
-- column: waited_ns INTEGER ns  time that others waited for this thread meanwhile
-- column: share REAL %  time_ns and waited_ns, of the time of all threads
-- column: advice TEXT -  what to use instead
--
-- A hand-made broadcast, scatter or gather takes N - 1 accesses in sequence; the runtime's collective takes the height
-- of a tree. Counted are blocking gets or puts of one line between two synchronizations of a thread, one to each of all
-- the other processes, of equal sizes, if on average at least half of the others wait for that thread from the first to
-- the last access. At least four processes are needed.
--
-- **What misleads:** the waiting of the others belongs to another finding (such as a late barrier); only time_ns belongs
-- to this one.
--
-- Definition: gaspdb's own.
SELECT p.operation, p.location, h.thread_id AS thread, h.times, h.accesses, h.bytes, h.time_ns, h.waited_ns,
  100.0 * (h.time_ns + h.waited_ns) / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  iif(p.type = 'get', iif(p.model = 'OpenSHMEM', 'shmem_fcollect', 'a gather'),
    iif(p.model = 'OpenSHMEM', 'shmem_broadcast, if all get the same, or shmem_alltoall', 'a broadcast, if all get the same, or a scatter')) AS advice
FROM hand_made_total h JOIN place p ON p.source_id = h.source_id
ORDER BY h.time_ns + h.waited_ns DESC, p.operation, p.location, h.source_id, h.thread_id
LIMIT :limit;
