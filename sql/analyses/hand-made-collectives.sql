-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Threads that go for all others one by one while these wait
-- group: collectives
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: thread INTEGER -  who makes it
-- column: times INTEGER count  how often it went for all others
-- column: accesses INTEGER count  of all these times
-- column: bytes INTEGER B  of them
-- column: time_ns INTEGER ns  inside them
-- column: waited_ns INTEGER ns  what others meanwhile waited for this thread
-- column: share REAL %  time_ns and waited_ns, of the time of all threads
-- column: advice TEXT -  what to use instead
--
-- A broadcast, scatter or gather made by hand takes N - 1 accesses one after the other; the runtime's own takes a tree's
-- height.  Counted are blocking gets or puts of one line between two synchronizations of a thread, one to each of all the
-- other processes, of equal sizes, if on average half of the others or more wait for that thread from the first to the last
-- of them.  It takes four processes.
--
-- **What misleads:** what the others wait is part of their own finding (a late barrier, say); only time_ns is this one's.
--
-- Definition: gaspdb's own.
SELECT p.operation, p.location, h.thread_id AS thread, h.times, h.accesses, h.bytes, h.time_ns, h.waited_ns,
  100.0 * (h.time_ns + h.waited_ns) / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  iif(p.type = 'get', iif(p.model = 'OpenSHMEM', 'shmem_fcollect', 'a gather'),
    iif(p.model = 'OpenSHMEM', 'shmem_broadcast, if all get the same, or shmem_alltoall', 'a broadcast, if all get the same, or a scatter')) AS advice
FROM hand_made_total h JOIN place p ON p.source_id = h.source_id
ORDER BY h.time_ns + h.waited_ns DESC, p.operation, p.location, h.source_id, h.thread_id
LIMIT :limit;
