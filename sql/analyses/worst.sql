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
-- column: thread_share REAL %  how much of the loss is due to it; 50 and more: always this thread, else alternating
-- column: operation TEXT -  what was waited for: its call, or the call that accesses
-- column: location TEXT -  where that call is
-- column: waiting_operation TEXT -  the call in which most was waited
-- column: waiting_location TEXT -  where that is
-- column: reason TEXT -  what the thread to blame was doing instead, most of it
-- column: reason_share REAL %  how much of what that thread is blamed for
-- column: because TEXT -  kind of another finding that the reason belongs to, if there is one
-- column: meaning TEXT -  what happens, in a sentence
-- column: advice TEXT -  what to try
-- column: more TEXT -  the analysis that shows more, as typed after `gaspdb analyze`
--
-- The ranked list of findings.  Every wait of the run belongs to one finding: its kind and the line that was waited for.
-- Groups of small remote accesses are findings of their own.  First comes what is longest on the critical path (`on_path_ns`:
-- how long the path lay on a thread that was waited for, or in the calls), then what lost most.
--
-- * **barrier, all-to-all**: `thread` came last; `reason` is what it did longer than the other members since their last
--   common barrier.
-- * **late sender, late receiver**: `location` is the send (the receive) that came late; `reason` is what its thread did
--   while the other waited.  In half of that and more a message sent earlier may be received only later: `meaning` tells.
-- * **late signal**: `location` is the put or atomic that changed the word another thread waited for.
-- * **lock**: `location` is where the holder had taken the lock; `reason` is what it did with the lock held.  *lock
--   hand-over* is waiting while nobody held it; *lock attempt*, time in attempts that failed.
-- * **fine-grained get, put**: at least 16 accesses of up to 256 bytes between two synchronizations of a thread;
--   `saving_ns` is what one access a peer would save.
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
-- will: other work may take over; findings share time on the path, where one waits for another.  Computation is named by
-- the calls before and after it.
--
-- Definitions: waits after Scalasca's patterns; critical path after Boehme; fine-grained access, reasons and
-- the share of a finding in the path are gaspdb's own.
-- Lines of one operation and place count together: a spot is the first of them.
WITH spot AS MATERIALIZED (
  SELECT source_id, operation, location, min(source_id) OVER (PARTITION BY operation, location) AS spot FROM place
), losses AS MATERIALIZED (
  SELECT l.kind, l.source_id AS spot, l.lost_ns, l.cases, l.longest_ns, l.saving_ns, l.thread_id AS thread, l.thread_ns,
    l.threads, l.detail, l.path_ns, s.operation, s.location
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
), reasons AS ( -- of the thread most at fault
  SELECT l.kind, l.spot, d.reason, sum(d.time_ns) AS ns,
    row_number() OVER (PARTITION BY l.kind, l.spot ORDER BY d.what = 'unexplained', sum(d.time_ns) DESC, d.reason) AS place_no
  FROM losses l CROSS JOIN spot s ON s.spot = l.spot
  CROSS JOIN doing d ON d.source_id = s.source_id AND d.kind = l.kind AND d.thread_id = l.thread
  WHERE d.about = 'delay'
  GROUP BY l.kind, l.spot, d.reason
), others AS ( -- findings that a reason may belong to
  SELECT kind, call, row_number() OVER (PARTITION BY call ORDER BY ns DESC, kind) AS place_no FROM (
    SELECT kind, operation || coalesce(' at ' || location, '') AS call, lost_ns AS ns FROM losses WHERE detail IS NOT NULL
    UNION ALL
    SELECT kind, 'itself waiting in ' || waiting_operation || coalesce(' at ' || waiting_location, ''), sum(ns)
    FROM waited WHERE kind <> 'lock hand-over' GROUP BY kind, waiting_operation, waiting_location)
), total AS (
  SELECT sum(last_ns - first_ns) AS ns, max(last_ns) - min(first_ns) AS run_ns FROM thread
), found AS (
  SELECT l.*,
    CASE WHEN EXISTS (SELECT 1 FROM critical_path)
      THEN coalesce(min(l.path_ns, t.run_ns), o.ns, 0) END AS on_path_ns,
    iif(l.kind = 'no progress', l.operation, w.waiting_operation) AS waiting_operation,
    iif(l.kind = 'no progress', l.location, w.waiting_location) AS waiting_location, coalesce(r.reason, l.detail) AS reason, r.ns AS reason_ns
  FROM losses l CROSS JOIN total t
  LEFT JOIN on_path o ON o.kind = l.kind AND o.spot = l.spot
  LEFT JOIN waited w ON w.kind = l.kind AND w.spot = l.spot AND w.place_no = 1
  LEFT JOIN reasons r ON r.kind = l.kind AND r.spot = l.spot AND r.place_no = 1
), kinds(kind, meaning, advice, more) AS (VALUES
  ('barrier', 'all stand at a barrier until the last one arrives',
    'give that thread less work, or move what nobody waits for behind the barrier, or between the halves of a split one',
    'barrier-wait'),
  ('barrier by turns', 'all stand at a barrier until the last one arrives',
    'the late thread changes: fewer barriers, or split ones (notify, work, wait), let delays even out', 'barrier-wait'),
  ('notify drain', 'a split barrier lets nobody go before the last one is through its first half',
    'call the first half (notify) earlier', 'collectives'),
  ('all-to-all', 'nobody gets a result before the last one has joined the call',
    'give that thread less work before the call', 'collectives'),
  ('late broadcast', 'the others wait for the root, which has the data', 'let the root make the call earlier', 'collectives'),
  ('early reduce', 'the root waits for data that the others have not sent yet',
    'let the root do other work first, or the others less before the call', 'collectives'),
  ('early scan', 'each waits for those of lower rank', 'spread the work before the call more evenly', 'collectives'),
  ('other group', 'each waits for the other group of an intercommunicator',
    'give that thread less work before the call', 'collectives'),
  ('late sender', 'a receiver waits for a message that has not been sent yet',
    'send as soon as the data is there, or do other work before waiting for it (MPI_Irecv, work, MPI_Wait)', 'messages'),
  ('late sender in wrong order',
    'a receiver waits for a message not sent yet, while an earlier one of the same sender is only received later',
    'receive the messages of a sender in the order in which it sends them, or whichever comes first (MPI_Waitany)', 'messages'),
  ('late receiver', 'a sender waits until the receiver is ready to take the message',
    'post the receive before the work (MPI_Irecv), or send with MPI_Isend and work on', 'messages'),
  ('late signal', 'a thread waits for another one to change a word in its memory',
    'write the word earlier, or do other work before waiting for it', 'waits --kind="late signal"'),
  ('lock', 'threads wait for a lock while another one holds it',
    'shorten what is done with the lock held, take it less often, or use an atomic', 'lock-contention'),
  ('lock hand-over', 'nobody holds the lock, but passing it on takes time', 'take the lock less often', 'lock-contention'),
  ('lock attempt', 'threads try to take a lock that another one holds, in vain',
    'do other work between attempts, or wait in the lock', 'lock-holders'),
  ('fine-grained get contiguous', 'many small reads of other processes'' memory, and each pays for the way there and back',
    'they lie side by side: fetch them with one get a peer', 'fine-grained'),
  ('fine-grained get strided', 'many small reads of other processes'' memory, and each pays for the way there and back',
    'they are equally far apart: fetch them with one strided get a peer (iget)', 'fine-grained'),
  ('fine-grained get', 'many small reads of other processes'' memory, and each pays for the way there and back',
    'gather what is needed and fetch it in larger pieces, or with non-blocking gets and one quiet', 'fine-grained'),
  ('fine-grained put contiguous', 'many small writes to other processes'' memory, and each pays for the way there and back',
    'they lie side by side: collect them and write with one put a peer', 'fine-grained'),
  ('fine-grained put strided', 'many small writes to other processes'' memory, and each pays for the way there and back',
    'they are equally far apart: write them with one strided put a peer (iput)', 'fine-grained'),
  ('fine-grained put', 'many small writes to other processes'' memory, and each pays for the way there and back',
    'collect the data and put larger pieces, or use non-blocking puts and one quiet', 'fine-grained'),
  ('polling', 'a thread reads a word of another process again and again until it changes',
    'let the owner write a word of this thread''s own, and wait for that (wait_until)', 'avoidable-accesses'),
  ('repeated get', 'data is fetched that was fetched before, and cannot have changed since',
    'keep a copy until the next synchronization', 'avoidable-accesses'),
  ('local access', 'the communication library is called for memory that the process has itself',
    'use a pointer to one''s own memory: a cast in UPC, the address itself in OpenSHMEM', 'avoidable-accesses'),
  ('drain', 'puts return at once, and are paid for in the call that makes sure that they have arrived',
    'put earlier, or larger pieces; complete many at a time', 'drain'),
  ('no overlap', 'a transfer goes on in the background, but only while the thread waits for it',
    'call the runtime now and then (MPI_Test), or let it have a progress thread', 'overlap'),
  ('no overlap at once', 'a transfer could go on in the background, but the thread waits for it at once',
    'do other work between the call and the one that completes it', 'overlap'),
  ('back-to-back barriers', 'a barrier right after another one, and nobody has communicated in between',
    'leave one of the two out', 'barrier-cost'),
  ('frequent barriers', 'barriers themselves take much of the time between them, whoever is late',
    'merge them, use one that completes nothing (sync for barrier), or signals between those that depend on each other',
    'barrier-cost'),
  ('no progress', 'an access is served when its target calls the runtime, and the target does not',
    'let the runtime have a progress thread, or the target call it now and then', 'no-progress'),
  ('slow delivery', 'a word has been written, but the thread that waits for it goes on much later',
    'see that both sides make progress: a quiet after the write, a progress thread, a processor for each thread',
    'signal-delivery'),
  ('hot owner', 'one process gets many more accesses than others, and serves one after the other',
    'spread the data (a smaller block size), give each process a copy, stagger the accesses, or use a collective',
    'hot-owners'),
  ('hand-made collective', 'one thread goes for all others, one by one, while they wait for it',
    'use the collective operation: a broadcast, scatter or gather', 'hand-made-collectives')
)
SELECT f.kind, f.lost_ns,
  100.0 * f.lost_ns / nullif(t.ns, 0) AS share,
  f.on_path_ns,
  100.0 * f.on_path_ns / nullif(t.run_ns, 0) AS on_path_share,
  f.cases, f.longest_ns, f.saving_ns, f.thread,
  CASE WHEN f.thread IS NOT NULL THEN 100.0 * f.thread_ns / f.lost_ns END AS thread_share,
  f.operation, f.location, f.waiting_operation, f.waiting_location, f.reason,
  100.0 * f.reason_ns / nullif(f.thread_ns, 0) AS reason_share,
  o.kind AS because,
  k.meaning, k.advice,
  -- Other collectives may synchronize as barriers do.
  iif(k.more <> 'barrier-wait' OR f.operation IN (SELECT operation FROM place
    WHERE type IN ('barrier', 'notify', 'barrier_wait')), k.more, 'collectives') AS more
FROM found f CROSS JOIN total t
LEFT JOIN others o ON o.call = f.reason AND o.place_no = 1
LEFT JOIN wrong_order u ON u.spot = f.spot
LEFT JOIN kinds k ON k.kind = f.kind || CASE
  WHEN f.kind = 'barrier' AND 2 * f.thread_ns < f.lost_ns THEN ' by turns'
  WHEN f.kind = 'late sender' AND 2 * u.ns >= f.lost_ns THEN ' in wrong order'
  WHEN f.kind = 'no overlap' AND f.reason LIKE '%, at once' THEN ' at once'
  WHEN f.kind LIKE 'fine-grained %' AND f.reason LIKE '%, contiguous' THEN ' contiguous'
  WHEN f.kind LIKE 'fine-grained %' AND f.reason LIKE '%, strided by %' THEN ' strided' ELSE '' END
WHERE f.lost_ns >= :min_share / 100.0 * coalesce(t.ns, 0)
  OR f.on_path_ns >= :min_share / 100.0 * coalesce(t.run_ns, 0)
ORDER BY f.on_path_ns DESC, f.lost_ns DESC, f.kind, f.operation, f.location
LIMIT :limit;
