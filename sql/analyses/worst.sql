-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: What costs most: who is waited for, where, and why
-- param: limit INTEGER - 10  at least -1: rows at most, -1 for all
-- param: min_share REAL % 1  at least 0: leave out what has less of all threads' time and of the run's length
-- column: kind TEXT -  kind of waiting, or of costly access
-- column: lost_ns INTEGER ns  thread time lost: waiting, or time in the accesses
-- column: share REAL %  of the time of all threads
-- column: on_path_ns INTEGER ns  of the critical path: the most that the run can get shorter; empty: not known
-- column: on_path_share REAL %  of the run's length
-- column: cases INTEGER -  waits; or else operations, barriers, or words seen late
-- column: longest_ns INTEGER ns  the longest wait, access without progress, or delay of a word; else empty
-- column: saving_ns INTEGER ns  what could be saved, estimated; empty where nobody can tell
-- column: thread INTEGER -  most at fault: the late one, the holder, the target, else the one that calls or waits; empty if none
-- column: thread_share REAL %  how much of the loss is due to it
-- column: threads INTEGER -  how many are at fault
-- column: pattern TEXT -  always: half of the loss or more is due to `thread`, of two threads three quarters; alternating: it is not
-- column: operation TEXT -  what was waited for: its call, or the call that accesses
-- column: location TEXT -  where that call is
-- column: waiting_operation TEXT -  the call in which most was waited
-- column: waiting_location TEXT -  where that is
-- column: reason TEXT -  what the thread to blame was doing instead, most of it
-- column: reason_share REAL %  how much of what that thread is blamed for
-- column: because TEXT -  kind of another finding here that most of the reason's time belongs to, if there is one
-- column: because_location TEXT -  where that one is, as its row has it: where is waited, else the call
-- column: object TEXT -  the lock, of several the one with most waiting
-- column: meaning TEXT -  what happens, in a sentence
-- column: advice TEXT -  what to try
-- column: more TEXT -  the analysis that shows more, as typed after `gaspdb analyze`
--
-- The ranked list of findings.  Every wait of the run belongs to one finding: its kind and the line that was waited for.
-- Groups of small remote accesses are findings of their own.  First comes what is longest on the critical path (`on_path_ns`:
-- how long the path lay on a thread that was waited for, or in the calls), then what lost most.  Where a process has several
-- threads that are recorded `on_path_ns` is not known: they wait for each other where nothing is recorded (pthread_join, OpenMP), and
-- the path may have gone through them.
--
-- * **barrier, all-to-all**: `thread` came last; `reason` is what it did longer than the other members since their last
--   common barrier; *not explained*, if nothing of that is as much as a tenth (a thread that began late, left that
--   barrier late, or came late to its first half, where a split phase lets nobody wait).  At MPI_Finalize, shmem_finalize and the exit of UPC
--   those wait that are done: the load is uneven up to the program's end, or who is late has waited for others itself.
-- * **late sender, late receiver**: `location` is the send (the receive) that came late; `reason` is what its thread did
--   while the other waited.  In half of that and more a message sent earlier may be received only later: `meaning` tells.
-- * **late signal**: `location` is the put or atomic that changed the word another thread waited for.
-- * **lock**: `location` is where the holder had taken the lock (`object`); `reason` is what it did with the lock held.  *lock
--   hand-over* is waiting while nobody held it; *lock attempt*, time in attempts that failed.  Where somebody was not recorded
--   who may have held it, it is waiting for nobody known, or none at all (`lock-contention`, `untold_ns`).
-- * **fine-grained get, put**: at least 16 accesses of up to 256 bytes between two synchronizations of a thread;
--   `saving_ns` is what one access a peer would save.
-- * **late post, early wait, late complete**: epochs of one-sided windows (MPI): `location` is the post, or the complete, that
--   others waited for; `reason` is what its thread did meanwhile.
-- * **polling, repeated get, local access**: accesses that need not be remote, or not be at all: see
--   `avoidable-accesses`.
-- * **no overlap**: a non-blocking operation of which less than a tenth overlaps with computation: `lost_ns` is what it
--   takes to begin and to complete it, without waiting.  **drain**: a blocking put that costs more in the call that
--   completes it, without waiting, than itself; `lost_ns` is that.
-- * **no progress**: `thread` did not call its runtime while others accessed its memory; see `no-progress`.
-- * **slow delivery**: `thread` waits for a word; `lost_ns` is from its being written to the end of the waiting.
-- * **hot owner**: `thread` is of the process that gets four times the mean of all or more; see `hot-owners`.
-- * **hand-made collective**: `thread` gets from all others, or puts to all, one by one, and they wait for it; see
--   `hand-made-collectives`.
-- * **back-to-back barriers, frequent barriers**: what barriers take once all are there; `thread` pays most; see
--   `barrier-cost`.
--
-- Waits between hosts that are no longer than their clocks' error (`wait.below_error`) are in no finding.
--
-- An access belongs to one finding: polling first, then fine-grained, then repeated, no progress,
-- hand-made collective, hot owner.  A barrier's time besides waiting: to
-- the puts and non-blocking operations that it completes, if they are a finding, then to back-to-back, then to frequent.
--
-- **What misleads:** losses of different findings must not be added to the run's duration: threads wait at the same time,
-- and removing one wait may only move it to the next.  `on_path_ns` is the most that the run can get shorter, not what it
-- will: other work may take over; findings share time on the path, where one waits for another.  `saving_ns` is thread
-- time, of all threads together, as `lost_ns` is.  Computation is named by
-- the innermost of the program's own functions that was open, if they are recorded; else by the calls before and after it.
--
-- Definitions: waits after Scalasca's patterns; critical path after Boehme; fine-grained access, reasons and
-- the share of a finding in the path are gaspdb's own.
WITH spot AS MATERIALIZED ( -- lines of one operation and place count together: a spot is the first of them
  SELECT source_id, operation, location, type, model,
    CAST(min(source_id) OVER (PARTITION BY operation, location) AS INTEGER) AS spot -- else no index could be made of it
  FROM place
), losses AS MATERIALIZED (
  SELECT l.kind, l.source_id AS spot, l.lost_ns, l.cases, l.longest_ns, l.saving_ns, l.thread_id AS thread, l.thread_ns,
    iif(l.threads = 2, 4 * l.thread_ns >= 3 * l.lost_ns, 2 * l.thread_ns >= l.lost_ns) AS always, -- turns would not give as much
    l.threads, l.detail, l.path_ns, s.operation, s.location, s.model, s.type IN ('barrier', 'notify', 'barrier_wait') AS is_barrier,
    s.type = 'window_sync' AS is_fence, s.type = 'finalize' AS is_end
  FROM loss_total l JOIN spot s ON s.source_id = l.source_id
), on_path AS (
  SELECT w.kind, s.spot, sum(w.time_ns) AS ns
  FROM path_wait w JOIN spot s ON s.source_id = w.source_id GROUP BY w.kind, s.spot
), lines_waited AS (
  SELECT kind, cause_source_id, source_id, sum(time_ns) AS ns, sum(iif(wrong_order = 1, time_ns, 0)) AS wrong_ns
  FROM wait_total WHERE NOT below_error GROUP BY kind, cause_source_id, source_id
), waited AS MATERIALIZED (
  SELECT w.kind, s.spot, q.operation AS waiting_operation, q.location AS waiting_location, sum(w.ns) AS ns,
    row_number() OVER (PARTITION BY w.kind, s.spot ORDER BY sum(w.ns) DESC, q.operation, q.location) AS place_no
  FROM lines_waited w JOIN spot s ON s.source_id = coalesce(w.cause_source_id, w.source_id)
  JOIN spot q ON q.source_id = w.source_id
  GROUP BY w.kind, s.spot, q.spot
), wrong_order AS (
  SELECT s.spot, sum(w.wrong_ns) AS ns
  FROM lines_waited w JOIN spot s ON s.source_id = w.cause_source_id WHERE w.wrong_ns > 0 GROUP BY s.spot
), delays AS (
  SELECT l.kind, l.spot, d.reason, d.what, f.spot AS reason_spot, sum(d.time_ns) AS ns,
    sum(sum(d.time_ns)) OVER (PARTITION BY l.kind, l.spot) AS all_ns
  FROM losses l CROSS JOIN spot s ON s.spot = l.spot
  CROSS JOIN doing d ON d.source_id = s.source_id AND d.kind = l.kind AND d.thread_id = l.thread
  LEFT JOIN spot f ON f.source_id = d.from_source_id
  WHERE d.about = 'delay'
  GROUP BY l.kind, l.spot, d.reason
), reasons AS ( -- of the thread most at fault; what explains less than a tenth is none
  SELECT *, row_number() OVER (PARTITION BY kind, spot
    ORDER BY iif(what = 'unexplained', 1, 2 * (10 * ns < all_ns)), ns DESC, reason) AS place_no
  FROM delays
), total AS (
  SELECT sum(last_ns - first_ns) AS ns, max(last_ns) - min(first_ns) AS run_ns,
    EXISTS (SELECT 1 FROM critical_path) AND max(number) = 0 AS knows_path
  FROM thread
), found AS (
  SELECT l.*,
    CASE WHEN t.knows_path
      THEN coalesce(min(l.path_ns, t.run_ns), o.ns, 0) END AS on_path_ns,
    iif(l.kind = 'no progress', l.operation, w.waiting_operation) AS waiting_operation,
    iif(l.kind = 'no progress', l.location, w.waiting_location) AS waiting_location,
    -- Figures that are those of the thread most at fault.
    coalesce(r.reason, iif(l.threads > 1 AND (l.kind IN ('slow delivery', 'hand-made collective') OR l.kind LIKE 'fine-grained %'
      OR l.kind LIKE '% barriers'), printf('thread %d: ', l.thread), '') || l.detail) AS reason, r.ns AS reason_ns, r.what, r.reason_spot
  FROM losses l CROSS JOIN total t
  LEFT JOIN on_path o ON o.kind = l.kind AND o.spot = l.spot
  LEFT JOIN waited w ON w.kind = l.kind AND w.spot = l.spot AND w.place_no = 1
  LEFT JOIN reasons r ON r.kind = l.kind AND r.spot = l.spot AND r.place_no = 1
), shown AS MATERIALIZED (
  SELECT f.*, t.ns AS all_ns, t.run_ns,
    iif(f.kind IN ('drain', 'no overlap'), -- those are paid for in another call
      replace(replace(substr(f.detail, 14), ', at once', ''), ', in flight for long', ''),
      f.operation || coalesce(' at ' || f.location, '')) AS call
  FROM found f CROSS JOIN total t
  WHERE f.lost_ns >= :min_share / 100.0 * coalesce(t.ns, 0)
    OR f.on_path_ns >= :min_share / 100.0 * coalesce(t.run_ns, 0)
), called AS ( -- time in the calls of a line, without waiting
  SELECT s.spot, sum(l.threads_ns) AS ns FROM path_line l JOIN spot s ON s.source_id = l.from_source_id
  WHERE l.what = 'call' GROUP BY s.spot
), own_calls AS ( -- of the one thread that does it
  SELECT s.spot, o.thread, sum(p.total_ns) AS ns
  FROM (SELECT DISTINCT spot, thread FROM losses WHERE threads = 1 AND path_ns IS NOT NULL) o
  JOIN spot s ON s.spot = o.spot JOIN profile p ON p.thread_id = o.thread AND p.source_id = s.source_id
  GROUP BY s.spot, o.thread
), waited_by AS ( -- the waiting of the thread most at fault in the call that is the reason
  SELECT f.kind, f.spot, w.kind AS because, c.spot AS because_spot, c.operation || coalesce(' at ' || c.location, '') AS call,
    sum(w.time_ns) AS ns, sum(sum(w.time_ns)) OVER (PARTITION BY f.kind, f.spot) AS all_ns
  FROM shown f JOIN spot q ON q.spot = f.reason_spot
  JOIN wait_total w ON w.source_id = q.source_id AND w.thread_id = f.thread AND NOT w.below_error
  JOIN spot c ON c.source_id = coalesce(w.cause_source_id, w.source_id)
  WHERE f.what = 'inherited' GROUP BY f.kind, f.spot, w.kind, c.spot
), explained AS ( -- findings that explain most of a reason's time; the rest once, without
  SELECT f.*, o.kind AS because, coalesce(o.waiting_location, o.location) AS because_location,
    row_number() OVER (PARTITION BY f.kind, f.spot ORDER BY o.lost_ns DESC, o.kind, o.spot) AS place_no
  FROM shown f LEFT JOIN called c ON c.spot = f.reason_spot
  LEFT JOIN own_calls m ON m.spot = f.reason_spot AND m.thread = f.thread
  LEFT JOIN waited_by w ON w.kind = f.kind AND w.spot = f.spot AND 2 * w.ns > w.all_ns
    AND (w.because, w.because_spot) <> (w.kind, w.spot)
  LEFT JOIN shown o ON o.call = coalesce(w.call, f.reason) AND CASE f.what
    WHEN 'inherited' THEN o.kind = w.because
    WHEN 'call' THEN o.path_ns IS NOT NULL AND c.ns IS NOT NULL
      AND iif(o.threads > 1 OR o.kind IN ('no progress', 'hot owner', 'drain', 'no overlap'), 2 * o.lost_ns > c.ns,
        o.thread = f.thread AND 2 * o.lost_ns > coalesce(m.ns, c.ns)) END
), locks AS (
  SELECT kind, spot, object, row_number() OVER (PARTITION BY kind, spot ORDER BY sum(ns) DESC, object) AS place_no FROM (
    SELECT iif(k.column1 = 'lock', 'lock', 'lock attempt') AS kind, s.spot, w.object,
      iif(k.column1 = 'lock', w.time_ns - w.attempts_ns, w.attempts_ns) AS ns
    FROM lock_wait_total w JOIN spot s ON s.source_id = w.holder_source_id, (VALUES ('lock'), ('lock attempt')) k
    UNION ALL
    SELECT 'lock hand-over', s.spot, l.object, l.latency_ns FROM lock_total l JOIN spot s ON s.source_id = l.source_id)
  GROUP BY kind, spot, object
), kinds(kind, meaning, advice, more) AS (VALUES
  ('barrier', 'all stand at a barrier until the last one arrives',
    'give that thread less work, or move what nobody waits for behind the barrier', 'barrier-wait'),
  ('barrier by turns', 'all stand at a barrier until the last one arrives',
    'the late thread changes: fewer barriers let delays even out', 'barrier-wait'),
  ('barrier for nobody known', 'all stand at a barrier, and the last one is not seen to arrive',
    'see why it is not: it never came, or its recording ended before', 'barrier-wait'),
  ('barrier at the end', 'those that are done wait at the end of the program until the last one is done as well',
    'give that thread less work, or the others some of it: the run lasts until it is done', 'collectives'),
  ('barrier at the end for nobody known', 'those that are done wait at the end of the program, and the last one is not seen to come there',
    'see why it is not: it waits elsewhere, has ended otherwise, or its recording ended before', 'collectives'),
  ('barrier of a window', 'all stand at a fence of a one-sided window until the last one arrives',
    'give that thread less work, or synchronize neighbours only (MPI_Win_post and MPI_Win_start in place of MPI_Win_fence)',
    'collectives'),
  ('notify drain', 'a split barrier lets nobody go before the last one is through its first half',
    'call the first half (notify) earlier', 'collectives'),
  ('all-to-all', 'nobody gets a result before the last one has joined the call',
    'give that thread less work before the call', 'collectives'),
  ('all-to-all begun before', 'nobody gets a result before the last one has begun the call',
    'give the late thread less work before it begins, or all more between the call and the one that completes it', 'collectives'),
  ('all-to-all by turns', 'nobody gets a result before the last one has joined the call',
    'the late thread changes: fewer calls let delays even out', 'collectives'),
  ('all-to-all for nobody known', 'nobody gets a result before all have joined the call, and the last one is not seen to',
    'see why it is not: it never came, or its recording ended before', 'collectives'),
  ('late broadcast', 'the others wait for the root, which has the data', 'let the root make the call earlier', 'collectives'),
  ('late broadcast that never came', 'the others wait for the root, which never joins the call',
    'see why it does not: it waits elsewhere, has ended, or its recording has', 'collectives'),
  ('early reduce that never came', 'the root waits for others, some of which never join the call',
    'see why they do not: they wait elsewhere, have ended, or their recording has', 'collectives'),
  ('early reduce', 'the root waits for data that the others have not sent yet',
    'let the root do other work first, or the others less before the call', 'collectives'),
  ('early scan', 'each waits for those of lower rank', 'spread the work before the call more evenly', 'collectives'),
  ('early scan that never came', 'each waits for those of lower rank, some of which never join the call',
    'see why they do not: they wait elsewhere, have ended, or their recording has', 'collectives'),
  ('late neighbour', 'each waits for the neighbours in the topology that it receives from',
    'give the late one less work before the call, or begin it before the work (MPI_Ineighbor_alltoall, work, MPI_Wait)', 'collectives'),
  ('late neighbour that never came', 'each waits for the neighbours that it receives from, some of which never join the call',
    'see why they do not: they wait elsewhere, have ended, or their recording has', 'collectives'),
  ('other group', 'each waits for the other group of an intercommunicator',
    'give that thread less work before the call', 'collectives'),
  ('other group by turns', 'each waits for the other group of an intercommunicator',
    'the late thread changes: fewer calls let delays even out', 'collectives'),
  ('late sender', 'a receiver waits for a message that has not been sent yet',
    'send as soon as the data is there, or do other work before waiting for it (MPI_Irecv, work, MPI_Wait)', 'messages'),
  ('late sender that never came', 'a receiver waits to the end for a message that nobody sends',
    'see why it is not sent: its sender waits elsewhere, has ended, or sends it with another tag or communicator',
    'waits --kind="late sender"'),
  ('late sender in wrong order',
    'a receiver waits for a message not sent yet, while an earlier one of the same sender is only received later',
    'receive the messages of a sender in the order in which it sends them, or whichever comes first (MPI_Waitany)', 'messages'),
  ('late receiver', 'a sender waits until the receiver is ready to take the message',
    'post the receive before the work (MPI_Irecv), or send with MPI_Isend and work on', 'messages'),
  ('late receiver that never came', 'a sender waits to the end for a message to be received, which nobody does',
    'see why it is not: its receiver waits elsewhere, has ended, or receives with another tag or communicator',
    'waits --kind="late receiver"'),
  ('late signal', 'a thread waits for another one to change a word in its memory',
    'write the word earlier, or do other work before waiting for it', 'waits --kind="late signal"'),
  ('late signal for nobody known', 'a thread waits for a word to change, and who changes it is not known',
    'see which call writes it, and why that is not recorded: a log is missing, recording was off, or it is no call of the library',
    'waits --kind="late signal"'),
  ('lock', 'threads wait for a lock while another one holds it',
    'shorten what is done with the lock held, take it less often, or use an atomic where it guards one word', 'lock-contention'),
  ('lock for nobody known', 'threads wait for a lock, and who holds it is not recorded',
    'see why that is not recorded: a log is missing or cut, or recording was off', 'lock-contention'),
  ('lock hand-over', 'nobody holds the lock, but passing it on takes time', 'take the lock less often', 'lock-contention'),
  ('lock attempt', 'threads try to take a lock that another one holds, in vain',
    'do other work between attempts, or wait in the lock', 'lock-holders'),
  ('late post', 'a process wants to access the window of another one, which has not exposed it yet (MPI_Win_post)',
    'let that one call MPI_Win_post earlier, before its own work; or do other work before MPI_Win_complete',
    'waits --kind="late post"'),
  ('early wait', 'a process waits until others, which go on accessing its window, have completed that',
    'do other work before MPI_Win_wait; fewer and larger accesses make the others come to MPI_Win_complete earlier',
    'waits --kind="early wait"'),
  ('late complete', 'the accesses to a window are over, but their process says so only later, and the window''s owner waits',
    'call MPI_Win_complete right after the last access, and do the other work then', 'waits --kind="late complete"'),
  ('fine-grained get contiguous', 'many small reads of other processes'' memory, and each pays for the way there and back',
    'they lie side by side: fetch them with one get a peer', 'fine-grained'),
  ('fine-grained get strided', 'many small reads of other processes'' memory, and each pays for the way there and back',
    'they are equally far apart: fetch them with one strided get a peer', 'fine-grained'),
  ('fine-grained get', 'many small reads of other processes'' memory, and each pays for the way there and back',
    'gather what is needed and fetch it in larger pieces, or with non-blocking gets that are completed together', 'fine-grained'),
  ('fine-grained put contiguous', 'many small writes to other processes'' memory, and each pays for the way there and back',
    'they lie side by side: collect them and write with one put a peer', 'fine-grained'),
  ('fine-grained put strided', 'many small writes to other processes'' memory, and each pays for the way there and back',
    'they are equally far apart: write them with one strided put a peer', 'fine-grained'),
  ('fine-grained put', 'many small writes to other processes'' memory, and each pays for the way there and back',
    'collect the data and put larger pieces, or use non-blocking puts that are completed together', 'fine-grained'),
  ('polling', 'a thread reads the same memory of another process again and again, and does no other remote access meanwhile',
    'if it waits for a change, let the owner write a word of this thread''s own, and wait for that; if not, keep a copy', 'avoidable-accesses'),
  ('repeated get', 'data is fetched that the thread has fetched before, and it has synchronized with nobody since',
    'keep a copy until the next synchronization, unless its owner may write there meanwhile and that must be seen', 'avoidable-accesses'),
  ('local access', 'the communication library is called for memory that the process has itself',
    'use a pointer to one''s own memory', 'avoidable-accesses'),
  ('drain', 'puts return at once, and are paid for in the call that makes sure that they have arrived',
    'put earlier, or larger pieces; complete many at a time; a progress thread, where the target is busy meanwhile', 'drain'),
  ('no overlap', 'a transfer goes on in the background, but only while the thread waits for it',
    'call the runtime now and then, or let it have a progress thread', 'overlap'),
  ('no overlap at once', 'a transfer could go on in the background, but the thread waits for it at once',
    'do other work between the call and the one that completes it', 'overlap'),
  ('back-to-back barriers', 'a barrier right after another one, and no communication, lock or signal is seen in between',
    'leave one of the two out', 'barrier-cost'),
  ('frequent barriers', 'barriers themselves take much of the time between them, whoever is late',
    'merge them, or let only those wait that depend on each other', 'barrier-cost'),
  ('no progress', 'an access is served when its target calls the runtime, and the target does not',
    'let the runtime have a progress thread, or the target call it now and then', 'no-progress'),
  ('slow delivery', 'a word has been written, but the thread that waits for it goes on much later',
    'see that both sides make progress: a quiet after the write, a progress thread, a processor for each thread',
    'signal-delivery'),
  ('hot owner', 'many accesses go to the memory of one process, and may have to queue up there',
    'spread the data (a smaller block size), give each process a copy, stagger the accesses, or use a collective',
    'hot-owners'),
  ('hand-made collective', 'one thread goes for all others, one by one, while they wait for it',
    'use the collective operation: a broadcast, scatter or gather', 'hand-made-collectives')
), own_advice(kind, model, advice) AS (VALUES -- in the words of a model, by what it has
  ('barrier', 'UPC', 'give that thread less work (the affinity of a upc_forall), or move what nobody waits for behind the barrier, '
    || 'or between upc_notify and upc_wait'),
  ('barrier', 'MPI', 'give that thread less work, or move what nobody waits for behind the barrier, or between MPI_Ibarrier and '
    || 'its MPI_Wait'),
  ('barrier by turns', 'UPC',
    'the late thread changes: fewer barriers, or split ones (upc_notify, work, upc_wait), let delays even out'),
  ('barrier by turns', 'MPI',
    'the late thread changes: fewer barriers, or split ones (MPI_Ibarrier, work, MPI_Wait), let delays even out'),
  ('barrier by turns', 'OpenSHMEM',
    'the late thread changes: fewer barriers, or signals between those that depend on each other, let delays even out'),
  ('notify drain', 'UPC', 'call upc_notify earlier'),
  ('all-to-all', 'MPI', 'give that thread less work before the call, or make it non-blocking (MPI_Iallreduce and its like, work, MPI_Wait)'),
  ('all-to-all by turns', 'MPI', 'the late thread changes: fewer calls, or non-blocking ones (MPI_Iallreduce and its like, work, MPI_Wait), '
    || 'let delays even out'),
  ('late signal', 'OpenSHMEM', 'write the word earlier, together with its data (shmem_put_signal, of OpenSHMEM 1.5), or do other work before waiting for it'),
  ('late signal', 'UPC', 'write the word earlier, or do other work before waiting for it'),
  ('late signal for nobody known', 'UPC', 'see which thread writes the word: a store through a private pointer raises no event; or a '
    || 'log is missing, or recording was off'),
  ('lock', 'UPC', 'shorten what is done with the lock held, take it less often, or use an atomic (upc_atomic_relaxed) where it guards '
    || 'one word'),
  ('lock', 'OpenSHMEM', 'shorten what is done with the lock held, take it less often, or use an atomic (shmem_atomic_add and its like) '
    || 'where it guards one word'),
  ('lock', 'MPI', 'unlock earlier (MPI_Win_unlock), lock shared where accesses do not conflict, or use an atomic (MPI_Fetch_and_op and '
    || 'its like) where it guards one word'),
  ('fine-grained get contiguous', 'UPC', 'they lie side by side: fetch them with one upc_memget a peer'),
  ('fine-grained get contiguous', 'OpenSHMEM', 'they lie side by side: fetch them with one shmem_getmem a peer'),
  ('fine-grained get strided', 'UPC', 'they are equally far apart: fetch all that they span with one upc_memget a peer, '
    || 'or them with a strided one where the runtime has it'),
  ('fine-grained get strided', 'OpenSHMEM', 'they are equally far apart: fetch them with one shmem_iget a peer'),
  ('fine-grained get', 'UPC', 'gather what is needed and fetch it in larger pieces (upc_memget), or with upc_memget_nb and one sync'),
  ('fine-grained get', 'OpenSHMEM', 'gather what is needed and fetch it in larger pieces, or with shmem_get_nbi and one shmem_quiet'),
  ('fine-grained put contiguous', 'UPC', 'they lie side by side: collect them and write with one upc_memput a peer'),
  ('fine-grained put contiguous', 'OpenSHMEM', 'they lie side by side: collect them and write with one shmem_putmem a peer'),
  ('fine-grained put strided', 'UPC', 'they are equally far apart: write them with a strided memput where the runtime has it, or let '
    || 'their owner spread what one upc_memput brings'),
  ('fine-grained put strided', 'OpenSHMEM', 'they are equally far apart: write them with one shmem_iput a peer'),
  ('fine-grained put', 'UPC', 'collect the data and put larger pieces (upc_memput), or use upc_memput_nb and one sync'),
  ('fine-grained put', 'OpenSHMEM', 'collect the data and put larger pieces, or use shmem_put_nbi and one shmem_quiet'),
  ('polling', 'UPC', 'if it waits for a change, the writer is late: see what that one does before; a word with affinity to this thread, '
    || 'or a barrier, only costs the owner less meanwhile; if it waits for nothing, keep a copy'),
  ('polling', 'OpenSHMEM', 'if it waits for a change, let the owner write a word of this thread''s own, and wait for that (shmem_wait_until); '
    || 'if not, keep a copy'),
  ('local access', 'UPC', 'cast the pointer-to-shared to a pointer to one''s own memory, unless the access is strict or others write '
    || 'there meanwhile'),
  ('local access', 'OpenSHMEM', 'use the address itself'),
  ('drain', 'UPC', 'put earlier, or larger pieces; one fence or barrier for many, or upc_memput_nb, work, and upc_sync; '
    || 'a progress thread, where the target is busy meanwhile'),
  ('drain', 'OpenSHMEM', 'put earlier, or larger pieces; one quiet for many, a context of its own for what need not wait for the '
    || 'rest, or shmem_put_signal (OpenSHMEM 1.5) where one waits for the data; a progress thread, where the target is busy meanwhile'),
  ('no overlap', 'MPI', 'call the runtime now and then (MPI_Test), or let it have a progress thread'),
  ('no overlap', 'UPC', 'call the runtime now and then (upc_sync_attempt), or let it have a progress thread'),
  ('no overlap', 'OpenSHMEM', 'let the runtime have a progress thread: OpenSHMEM has no call that only tests'),
  ('frequent barriers', 'MPI', 'merge them, or leave it to the messages between those that depend on each other'),
  ('frequent barriers', 'UPC', 'merge them, split them (upc_notify, work, upc_wait), or let only those wait that depend on each other'),
  ('frequent barriers', 'OpenSHMEM',
    'merge them, let them complete nothing (shmem_sync for shmem_barrier), or use signals between those that depend on each other')
), never AS ( -- waiting for what nobody did
  SELECT w.kind, s.spot FROM lines_waited w JOIN spot s ON s.source_id = coalesce(w.cause_source_id, w.source_id)
  WHERE w.kind IN ('late sender', 'late receiver', 'late broadcast', 'early reduce', 'early scan', 'late neighbour')
  GROUP BY w.kind, s.spot HAVING count(w.cause_source_id) = 0
), told AS ( -- which words
  SELECT f.*, f.kind || CASE
    WHEN f.kind = 'barrier' AND f.is_end THEN ' at the end' || iif(f.thread IS NULL, ' for nobody known', '')
    WHEN f.kind IN ('barrier', 'all-to-all', 'late signal', 'lock') AND f.thread IS NULL THEN ' for nobody known'
    WHEN n.spot IS NOT NULL THEN ' that never came'
    WHEN f.kind = 'barrier' AND f.is_fence THEN ' of a window'
    WHEN f.kind = 'all-to-all' AND f.waiting_operation <> f.operation THEN ' begun before'
    WHEN f.kind IN ('barrier', 'all-to-all', 'other group') AND NOT f.always THEN ' by turns'
    WHEN f.kind = 'late sender' AND 2 * u.ns >= f.lost_ns THEN ' in wrong order'
    WHEN f.kind = 'no overlap' AND f.reason LIKE '%, at once' THEN ' at once'
    WHEN f.kind LIKE 'fine-grained %' AND f.reason LIKE '%, contiguous' THEN ' contiguous'
    WHEN f.kind LIKE 'fine-grained %' AND f.reason LIKE '%, strided by %' THEN ' strided' ELSE '' END AS words
  FROM explained f LEFT JOIN wrong_order u ON u.spot = f.spot LEFT JOIN never n ON n.kind = f.kind AND n.spot = f.spot
  WHERE f.place_no = 1
)
SELECT f.kind, f.lost_ns,
  100.0 * f.lost_ns / nullif(f.all_ns, 0) AS share,
  f.on_path_ns,
  100.0 * f.on_path_ns / nullif(f.run_ns, 0) AS on_path_share,
  f.cases, f.longest_ns, f.saving_ns, f.thread,
  CASE WHEN f.thread IS NOT NULL THEN 100.0 * f.thread_ns / f.lost_ns END AS thread_share,
  f.threads, CASE WHEN f.thread IS NOT NULL THEN iif(f.always, 'always', 'alternating') END AS pattern,
  f.operation, f.location, f.waiting_operation, f.waiting_location, f.reason,
  100.0 * f.reason_ns / nullif(f.thread_ns, 0) AS reason_share,
  f.because, f.because_location, iif(l.object IS NULL, NULL, coalesce(n.name, w.name, printf('0x%x', l.object))) AS object,
  k.meaning, coalesce(a.advice, k.advice) AS advice,
  -- Other collectives may synchronize as barriers do.
  iif(k.more <> 'barrier-wait' OR f.is_barrier, k.more, 'collectives') AS more
FROM told f
LEFT JOIN locks l ON l.kind = f.kind AND l.spot = f.spot AND l.place_no = 1
LEFT JOIN object n ON n.id = l.object
LEFT JOIN lock_name w ON w.object = l.object AND l.object >> 61 = 1
LEFT JOIN kinds k ON k.kind = f.words
LEFT JOIN own_advice a ON a.kind = f.words AND a.model = f.model AND (f.is_barrier OR f.words NOT LIKE 'barrier%')
ORDER BY f.on_path_ns DESC, f.lost_ns DESC, f.kind, f.operation, f.location
LIMIT :limit;
