-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Calls that threads were in when their recording ended
-- group: waiting
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: of this thread only
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: threads INTEGER count  threads that were in it
-- column: thread INTEGER -  the first of them
-- column: first_ns INTEGER ns  when the first entered it, since the run's start
-- column: last_ns INTEGER ns  when the last entered it
--
-- The place where a killed program hung, or the call that ended it: for each thread the innermost call into a runtime
-- without an end, most threads first. A thread that computed is not here.
--
-- **How to read it:** threads in different places wait for each other: a barrier that some never reach, a receive whose
-- message has another tag (`unmatched`). Look first at the thread that came last to another place than most.
--
-- **What misleads:** a killed process writes no more: the duration of its last call is not known, and waiting is counted
-- up to the last record only. A call that never returns, such as MPI_Abort, is here in every run. A call whose end alone
-- was lost, with a damaged block or by a jump out of it, is not.
SELECT operation, location, count(*) AS threads, min(thread_id) AS thread, min(start_ns) AS first_ns,
  max(start_ns) AS last_ns
FROM last_call WHERE :thread IS NULL OR thread_id = :thread
GROUP BY operation, location
ORDER BY threads DESC, last_ns DESC, operation, location
LIMIT :limit;
