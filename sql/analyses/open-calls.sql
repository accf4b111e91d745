-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Calls that threads were in when their recording ended
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: of this thread only
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: threads INTEGER -  how many were in it
-- column: thread INTEGER -  the first of them
-- column: first_ns INTEGER ns  when the first came to it, since the run's start
-- column: last_ns INTEGER ns  when the last did
--
-- Where a program hangs that was killed, or which call ended it.  Of each thread the innermost call into a runtime that has no
-- end, most threads first.  A thread that computed then is in none.
--
-- **How to read it:** threads that wait in different places wait for each other: a barrier that some never come to, a receive
-- whose message has another tag (`unmatched`).  The one that came last to another place than most is where to look first.
--
-- **What misleads:** a process that is killed writes no more: how long it had been in its call is not known, and no waiting is
-- counted after the last record.  A call that never returns, as MPI_Abort, is here in every run.  One of which only the end was
-- lost, with a damaged block or because the program jumped out of it, is not.
WITH inside AS (
  SELECT e.thread_id, e.start_ns, p.operation, p.location,
    row_number() OVER (PARTITION BY e.thread_id ORDER BY e.start_ns DESC, e.id DESC) AS place_no
  FROM quality q JOIN event e ON e.id = q.event_id JOIN thread t ON t.id = e.thread_id
    JOIN place p ON p.source_id = e.source_id
  WHERE q.kind = 'open event' AND e.start_ns + e.duration_ns = t.last_ns AND NOT e.nested AND p.category IN ('communication', 'synchronization', 'allocation', 'runtime')
    AND (:thread IS NULL OR q.thread_id = :thread)
)
SELECT operation, location, count(*) AS threads, min(thread_id) AS thread, min(start_ns) AS first_ns,
  max(start_ns) AS last_ns
FROM inside WHERE place_no = 1
GROUP BY operation, location
ORDER BY threads DESC, last_ns DESC, operation, location
LIMIT :limit;
