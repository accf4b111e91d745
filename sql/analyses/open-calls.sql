-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Calls that threads were in when their recording ended
-- group: waiting
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: of this thread only
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: threads INTEGER count  how many were in it
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
SELECT operation, location, count(*) AS threads, min(thread_id) AS thread, min(start_ns) AS first_ns,
  max(start_ns) AS last_ns
FROM last_call WHERE :thread IS NULL OR thread_id = :thread
GROUP BY operation, location
ORDER BY threads DESC, last_ns DESC, operation, location
LIMIT :limit;
