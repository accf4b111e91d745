-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Findings: costliest waiting and accesses, with advice
-- group: time
-- needs: trace
-- param: limit INTEGER - 10  at least -1: rows at most, -1 for all
-- param: effects INTEGER - 1  one of 0|1: 1: also rows that are effects of another row
-- param: min_share REAL % 1  at least 0: leave out what has less of all threads' time and of the run's length
-- column: kind TEXT -  kind of waiting, or of costly access
-- column: lost_ns INTEGER ns  thread time lost: waiting, or time in the accesses
-- column: share REAL %  of the time of all threads
-- column: on_path_ns INTEGER ns  of the critical path: by how much the run can get shorter; empty: not known
-- column: on_path_share REAL %  of the run's length
-- column: at_most INTEGER -  1: on_path_ns is an upper bound; 0: it is an estimate, and more may be saved
-- column: equal_share_ns INTEGER ns  saving with equal shares of the work for all; empty: another kind
-- column: cases INTEGER count  waits; or else operations, barriers, or words seen late
-- column: longest_ns INTEGER ns  the longest wait, access without progress, or delay of a word; else empty
-- column: error_ns INTEGER ns  by how much lost_ns may be off by the error of the clocks of several hosts; empty: not, or not known
-- column: on_path_error_ns INTEGER ns  likewise of on_path_ns; empty: not, or not known
-- column: saving_ns INTEGER ns  estimated saving; empty: not known
-- column: thread INTEGER -  the thread most at fault: late, holder, target, else calling or waiting; empty if none
-- column: thread_share REAL %  its share of the loss
-- column: threads INTEGER count  threads at fault
-- column: pattern TEXT -  always: half of the loss or more is due to `thread`, of two threads three quarters; alternating: it is not
-- column: operation TEXT -  the call that was waited for, or the call that accesses
-- column: location TEXT -  that call's line
-- column: waiting_operation TEXT -  the call with most of the waiting
-- column: waiting_location TEXT -  its line
-- column: function TEXT -  the function of the program that `location` is in; empty: recorded without call stacks, or not known
-- column: waiting_function TEXT -  likewise, of `waiting_location`
-- column: caller TEXT -  of the callers of `waiting_function` the one with most of the waiting; empty: it has one caller, or not known
-- column: caller_share REAL %  its share of the waiting of this kind at `waiting_location`
-- column: reason TEXT -  what the thread at fault did instead, mostly
-- column: reason_share REAL %  its share of that thread's part
-- column: reason_caller TEXT -  of the callers of the function in `reason` the one with most of the thread's excess; empty: as caller
-- column: reason_caller_share REAL %  its share of the excess of all callers
-- column: because TEXT -  kind of another finding that has most of the reason's time, if any
-- column: because_location TEXT -  location of that finding, as in its row: of the waiting, else of the call
-- column: object TEXT -  the lock, of several the one with most waiting
-- column: meaning TEXT -  the meaning, in a sentence
-- column: advice TEXT -  advice
-- column: holds_when TEXT -  condition for the advice to be safe and to help; empty: always
-- column: excess_ns INTEGER ns  imbalance: computation of `thread` there above the mean of the threads
-- column: number INTEGER -  rank among the rows that are no effect; empty for an effect
-- column: effect_of INTEGER -  number of the row that causes it, if it is an effect
-- column: effects TEXT -  the effects of a row: kind, place and amount of the waiting
-- column: more TEXT -  the analysis that shows more, as typed after `gaspdb analyze`
--
-- The ranked list of findings. Every wait of the run belongs to one finding: its kind and the line that was waited for.
-- Groups of small remote accesses are findings of their own. The order is by time on the critical path (`on_path_ns`: of
-- the threads that were waited for, or of the calls), then by loss. If a process has several recorded threads,
-- `on_path_ns` is not known: they wait for each other without recorded calls (pthread_join, OpenMP), and the path may go
-- through them.
--
-- Causes come before their effects. A row is an effect (`effect_of`) if at least half of its waiting begins at
-- imbalances in this list, or if the thread at fault mostly waited itself, for the cause of another row; fixing that
-- fixes it.
--
-- * **imbalance**: `thread` computes more than the others at `reason`, and others wait for it, directly or through other
--   threads; `lost_ns` is all of that (`root-causes`). `equal_share_ns` is the saving of an equal share, `on_path_ns`
--   that of less work there.
-- * **barrier, all-to-all**: `thread` came last; `reason` is its excess over the other members since their last common
--   barrier; *not explained*, if no part is a tenth (a thread that began late, left that barrier late, or came late to
--   the first half of a split phase, where no thread waits). At MPI_Finalize, shmem_finalize and the exit of UPC
--   finished threads wait: the load is uneven up to the program's end, or the late thread waited for others itself.
-- * **late sender, late receiver**: `location` is the send (the receive) that came late; `reason` is what its thread did
--   while the other waited. If in at least half of it an earlier message is received later, `meaning` says so.
-- * **late signal**: `location` is the put or atomic that changed the word another thread waited for.
-- * **lock**: `location` is where the holder had taken the lock (`object`); `reason` is its activity with the lock held.
--   *lock hand-over* is waiting while no thread held it; *lock attempt*, time in attempts that failed. While an
--   unrecorded thread may have held it, the time is waiting with unknown cause, or not known to be waiting
--   (`lock-contention`, `untold_ns`).
-- * **fine-grained get, put**: at least 16 accesses of up to 256 bytes between two synchronizations of a thread;
--   `saving_ns` is the saving of one access per peer.
-- * **late post, early wait, late complete**: epochs of one-sided windows (MPI): `location` is the post, or the
--   complete, that others waited for; `reason` is what its thread did meanwhile.
-- * **polling**: waiting for the thread that writes the word. **repeated get, local access**: accesses that could be
--   local or left out: see `avoidable-accesses`.
-- * **no overlap**: a non-blocking operation of which less than a tenth overlaps with computation: `lost_ns` is the time
--   to begin and to complete it, without waiting. **drain**: a blocking put that costs more in the completing call,
--   without waiting, than itself, or than a quarter of that where puts are completed one by one; `lost_ns` is that cost.
-- * **no progress**: `thread` did not call its runtime while others accessed its memory; see `no-progress`. Of
--   non-blocking operations: `thread` worked between, and still waits for the transfer, in the call that `reason` names;
--   see `overlap`.
-- * **slow delivery**: `thread` waits for a word; `lost_ns` is from the write to the end of the wait.
-- * **hot owner**: `thread` is of the process with at least four times the mean of all; see `hot-owners`.
-- * **hand-made collective**: `thread` gets from all others, or puts to all, one by one, while they wait for it; see
--   `hand-made-collectives`.
-- * **back-to-back barriers, frequent barriers**: the cost of barriers after the last arrival; `thread` has most of it;
--   see `barrier-cost`.
--
-- With call stacks (`gaspdb record --stack=8`) or recorded functions the findings name functions: the innermost one outside of
-- libraries, as the line.
-- Callers are compared from there outwards: a wrapper that only one function calls is passed over, and `caller` is one of the
-- first functions that differ. An imbalance has the caller of its largest effect. `call-tree` shows all callers.
-- With recorded functions `reason_caller` is likewise the caller for which the thread at fault computes more in the function of
-- `reason` than the mean of the threads.
--
-- Waits between hosts that are no longer than their clocks' error (`wait.below_error`) are in no finding.
--
-- An access belongs to one finding: polling first, then fine-grained, then repeated, no progress, hand-made collective,
-- hot owner. A barrier's time besides waiting: to the puts and non-blocking operations that it completes, if they are a
-- finding, then to back-to-back, then to frequent.
--
-- **What misleads:** losses of different findings must not be added to the run's duration: threads wait at the same
-- time, and removing one wait may only move it to the next. `on_path_ns` is an upper bound where `at_most` is 1 (waiting
-- for messages, collectives, signals, windows; polling): other work may take over, and findings may share time on the
-- path. Elsewhere it is an estimate: the time of the calls, without the cost of recording inside them (for fine-grained
-- puts also their completion); for a lock the waiting, or its acquisition and release, if that is more. Time between
-- these calls may be saved as well. `equal_share_ns`: with the same work in equal shares all arrive at the mean arrival.
-- `saving_ns` and `lost_ns` are sums over threads. `advice` requires `holds_when`, which no recording shows
-- (docs/advice.md). Computation is named by the innermost open function of the program, if functions are recorded; else
-- by the calls before and after it.
--
-- Definitions: waits after Scalasca's patterns; critical path after Boehme; fine-grained access, reasons and the share
-- of a finding in the path are gaspdb's own.
WITH losses AS MATERIALIZED (
  SELECT l.kind, l.source_id AS spot, l.lost_ns, l.cases, l.longest_ns, l.saving_ns, l.thread_id AS thread, l.thread_ns,
    iif(l.threads = 2, 4 * l.thread_ns >= 3 * l.lost_ns, 2 * l.thread_ns >= l.lost_ns) AS always, -- turns would not give as much
    l.threads, l.detail, l.path_ns, s.operation, s.location, s.model, s.type IN ('barrier', 'notify', 'barrier_wait') AS is_barrier,
    s.type = 'window_sync' AS is_fence, s.type = 'finalize' AS is_end,
    l.kind IN ('drain', 'no overlap') OR l.kind = 'no progress' AND l.detail LIKE 'completed by %' AS is_transfer
  FROM loss_total l JOIN spot s ON s.source_id = l.source_id
), on_path AS (
  SELECT w.kind, s.spot, sum(w.time_ns) AS ns, iif(count(*) = count(w.error_ns), sum(w.error_ns), NULL) AS error_ns
  FROM path_wait w JOIN spot s ON s.source_id = w.source_id GROUP BY w.kind, s.spot
), lock_calls AS ( -- taking a lock and giving it back, without waiting: that goes with it
  SELECT u.spot, coalesce(p.ns, 0) + CAST(coalesce(g.ns, 0) * u.part AS INTEGER) AS ns
  FROM (SELECT s.spot, 1.0 * sum(l.acquisitions) / sum(sum(l.acquisitions)) OVER () AS part
    FROM lock_total l JOIN spot s ON s.source_id = l.source_id GROUP BY s.spot) u
  LEFT JOIN (SELECT s.spot, sum(c.time_ns) AS ns FROM path_call c JOIN spot s ON s.source_id = c.source_id
    WHERE s.type IN ('lock', 'window_lock') GROUP BY s.spot) p ON p.spot = u.spot
  CROSS JOIN (SELECT sum(c.time_ns) AS ns FROM path_call c JOIN spot s ON s.source_id = c.source_id
    WHERE s.type IN ('unlock', 'window_unlock')) g
), lines_waited AS MATERIALIZED (
  SELECT kind, cause_source_id, source_id, sum(time_ns) AS ns, sum(iif(wrong_order = 1, time_ns, 0)) AS wrong_ns,
    iif(count(*) = count(error_ns), sum(error_ns), NULL) AS error_ns
  FROM wait_total WHERE NOT below_error GROUP BY kind, cause_source_id, source_id
), waited AS MATERIALIZED (
  SELECT w.kind, s.spot, q.spot AS waiting_spot, q.operation AS waiting_operation, q.location AS waiting_location, sum(w.ns) AS ns,
    row_number() OVER (PARTITION BY w.kind, s.spot ORDER BY sum(w.ns) DESC, q.operation, q.location) AS place_no
  FROM lines_waited w JOIN spot s ON s.source_id = coalesce(w.cause_source_id, w.source_id)
  JOIN spot q ON q.source_id = w.source_id
  GROUP BY w.kind, s.spot, q.spot
), uncertain AS (
  SELECT w.kind, s.spot, nullif(iif(count(*) = count(w.error_ns), sum(w.error_ns), NULL), 0) AS error_ns
  FROM lines_waited w JOIN spot s ON s.source_id = coalesce(w.cause_source_id, w.source_id)
  GROUP BY w.kind, s.spot
), wrong_order AS (
  SELECT s.spot, sum(w.wrong_ns) AS ns
  FROM lines_waited w JOIN spot s ON s.source_id = w.cause_source_id WHERE w.wrong_ns > 0 GROUP BY s.spot
), delays AS (
  SELECT l.kind, l.spot, d.reason, d.what, f.spot AS reason_spot, max(d.function_source_id) AS reason_function, sum(d.time_ns) AS ns,
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
    EXISTS (SELECT 1 FROM critical_path) AND max(number) = 0 AS knows_path, EXISTS (SELECT 1 FROM event_path) AS has_stacks, count(*) AS n_threads,
    (SELECT thread FROM run_word) AS member
  FROM thread
), sized AS MATERIALIZED ( -- without reasons: a CTE is prepared anew wherever it is named, and `begun` needs no more
  SELECT l.*, t.ns AS all_ns, t.run_ns, t.n_threads, t.member, t.has_stacks,
    CASE WHEN t.knows_path
      THEN min(t.run_ns, coalesce(l.path_ns, max(coalesce(o.ns, 0), coalesce(h.ns, 0)))) END AS on_path_ns,
    CASE WHEN t.knows_path AND l.path_ns IS NULL AND o.ns >= coalesce(h.ns, 0) THEN nullif(o.error_ns, 0) END AS on_path_error_ns
  FROM losses l CROSS JOIN total t
  LEFT JOIN on_path o ON o.kind = l.kind AND o.spot = l.spot
  LEFT JOIN lock_calls h ON l.kind = 'lock' AND h.spot = l.spot
), big AS (
  SELECT * FROM sized WHERE lost_ns >= :min_share / 100.0 * coalesce(all_ns, 0)
    OR on_path_ns >= :min_share / 100.0 * coalesce(run_ns, 0)
), shown AS MATERIALIZED (
  SELECT l.*,
    iif(l.kind = 'no progress' AND NOT l.is_transfer, l.spot, w.waiting_spot) AS waiting_spot,
    iif(l.kind = 'no progress' AND NOT l.is_transfer, l.operation, w.waiting_operation) AS waiting_operation,
    iif(l.kind = 'no progress' AND NOT l.is_transfer, l.location, w.waiting_location) AS waiting_location,
    -- Figures that are those of the thread most at fault.
    coalesce(r.reason, iif(l.threads > 1 AND (l.kind IN ('slow delivery', 'hand-made collective') OR l.kind LIKE 'fine-grained %'
      OR l.kind LIKE '% barriers'), printf('%s %d: ', l.member, l.thread), '') || l.detail) AS reason, r.ns AS reason_ns, r.what, r.reason_spot,
    r.reason_function,
    iif(l.is_transfer, -- those are paid for in another call
      replace(replace(replace(replace(substr(l.detail, 14), ', at once', ''), ', in flight for long', ''),
        ', in spite of work between', ''), ', one by one', ''),
      l.operation || coalesce(' at ' || l.location, '')) AS call
  FROM big l
  LEFT JOIN waited w ON w.kind = l.kind AND w.spot = l.spot AND w.place_no = 1
  LEFT JOIN reasons r ON r.kind = l.kind AND r.spot = l.spot AND r.place_no = 1
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
    iif(f.what = 'inherited' AND (coalesce(o.on_path_ns, 0), o.lost_ns) > (coalesce(f.on_path_ns, 0), f.lost_ns), o.spot, NULL) AS because_spot,
    row_number() OVER (PARTITION BY f.kind, f.spot ORDER BY o.lost_ns DESC, o.kind, o.spot) AS place_no
  FROM shown f LEFT JOIN called c ON c.spot = f.reason_spot
  LEFT JOIN own_calls m ON m.spot = f.reason_spot AND m.thread = f.thread
  LEFT JOIN waited_by w ON w.kind = f.kind AND w.spot = f.spot AND 2 * w.ns > w.all_ns
    AND (w.because, w.because_spot) <> (w.kind, w.spot)
  LEFT JOIN shown o ON o.call = coalesce(w.call, f.reason) AND CASE f.what
    WHEN 'inherited' THEN o.kind = w.because
    WHEN 'call' THEN o.path_ns IS NOT NULL AND c.ns IS NOT NULL
      AND iif(o.threads > 1 OR o.kind IN ('no progress', 'hot owner') OR o.is_transfer, 2 * o.lost_ns > c.ns,
        o.thread = f.thread AND 2 * o.lost_ns > coalesce(m.ns, c.ns)) END
), locks AS (
  SELECT kind, spot, object, row_number() OVER (PARTITION BY kind, spot ORDER BY sum(ns) DESC, object) AS place_no FROM (
    SELECT iif(k.column1 = 'lock', 'lock', 'lock attempt') AS kind, s.spot, w.object,
      iif(k.column1 = 'lock', w.time_ns - w.attempts_ns, w.attempts_ns) AS ns
    FROM lock_wait_total w JOIN spot s ON s.source_id = w.holder_source_id, (VALUES ('lock'), ('lock attempt')) k
    UNION ALL
    SELECT 'lock hand-over', s.spot, l.object, l.latency_ns FROM lock_total l JOIN spot s ON s.source_id = l.source_id)
  GROUP BY kind, spot, object
), equal AS ( -- the part of all waiting that is the last one's work beyond the mean: one member's
  SELECT s.spot, sum(1.0 * c.wait_ns * c.instances / c.members) / sum(c.wait_ns) AS part
  FROM collective_total c JOIN spot s ON s.source_id = c.source_id WHERE c.wait_ns > 0 GROUP BY s.spot
), words AS MATERIALIZED (
  SELECT * FROM advice_here
), never AS ( -- waiting for calls that never came
  SELECT w.kind, s.spot FROM lines_waited w JOIN spot s ON s.source_id = coalesce(w.cause_source_id, w.source_id)
  WHERE w.kind IN ('late sender', 'late receiver', 'late broadcast', 'early reduce', 'early scan', 'late neighbour')
  GROUP BY w.kind, s.spot HAVING count(w.cause_source_id) = 0
), worded AS ( -- words: the key of their texts
  SELECT f.*, f.kind || CASE
    WHEN f.kind = 'barrier' AND f.is_end THEN ' at the end' || iif(f.thread IS NULL, ' with unknown cause', f.late)
    WHEN f.kind IN ('barrier', 'all-to-all', 'late signal', 'lock') AND f.thread IS NULL THEN ' with unknown cause'
    WHEN n.spot IS NOT NULL THEN ' that never came'
    WHEN f.late <> '' AND (f.always OR f.late = ' late by waiting') THEN f.late
    WHEN f.kind = 'barrier' AND f.is_fence THEN ' of a window'
    WHEN f.kind = 'all-to-all' AND f.waiting_operation <> f.operation THEN ' begun before'
    WHEN f.kind IN ('barrier', 'all-to-all', 'other group') AND NOT f.always THEN ' by turns'
    WHEN f.kind = 'late sender' AND 2 * u.ns >= f.lost_ns THEN ' in wrong order'
    WHEN f.kind = 'no overlap' AND f.reason LIKE '%, at once' THEN ' at once'
    WHEN f.kind = 'no progress' AND f.waiting_operation IS NULL THEN ' of transfers'
    WHEN f.kind = 'drain' AND f.reason LIKE '%, one by one' THEN ' one by one'
    WHEN f.kind LIKE 'fine-grained %' AND f.reason LIKE '%, contiguous' THEN ' contiguous'
    WHEN f.kind LIKE 'fine-grained %' AND f.reason LIKE '%, strided by %' THEN ' strided'
    WHEN f.kind LIKE 'fine-grained %' AND f.reason LIKE '%, same address' THEN ' same address' ELSE '' END AS words
  FROM (
    SELECT *, iif(kind IN ('barrier', 'all-to-all') AND 2 * reason_ns >= thread_ns,
      CASE what WHEN 'inherited' THEN ' late by waiting' WHEN 'call' THEN ' late by calls' ELSE '' END, '') AS late
    FROM explained) f
  LEFT JOIN wrong_order u ON u.spot = f.spot LEFT JOIN never n ON n.kind = f.kind AND n.spot = f.spot
  WHERE f.place_no = 1
), begun AS MATERIALIZED ( -- waiting that begins at imbalances; led: most of what is lost there begins at them
  SELECT w.root_cause_id AS id, w.kind, w.source_id AS spot, w.time_ns AS ns,
    row_number() OVER (PARTITION BY w.root_cause_id ORDER BY w.time_ns DESC, w.kind, w.source_id) AS place_no,
    2 * sum(w.time_ns) OVER (PARTITION BY w.kind, w.source_id) >= l.lost_ns
      AND (w.kind <> 'late sender' OR 2 * coalesce(u.ns, 0) < l.lost_ns) AS led -- another order of receiving mends that
  FROM imbalances i JOIN root_cause_wait w ON w.root_cause_id = i.id
  JOIN big l ON l.kind = w.kind AND l.spot = w.source_id
  LEFT JOIN wrong_order u ON u.spot = w.source_id
), led AS ( -- the imbalance that most of it begins at
  SELECT kind, spot, id, ns FROM (
    SELECT kind, spot, id, ns, row_number() OVER (PARTITION BY kind, spot ORDER BY ns DESC, id) AS no FROM begun WHERE led)
  WHERE no = 1
), uneven AS MATERIALIZED ( -- those that lead to a finding
  SELECT i.*, t.ns AS all_ns, t.run_ns, t.has_stacks, CASE WHEN t.knows_path THEN (SELECT coalesce(sum(o.ns), 0) FROM begun b
    JOIN on_path o ON o.kind = b.kind AND o.spot = b.spot WHERE b.id = i.id) END AS waited_on_path_ns,
    (SELECT iif(count(*) = count(o.error_ns), sum(o.error_ns), NULL) FROM begun b
    JOIN on_path o ON o.kind = b.kind AND o.spot = b.spot WHERE b.id = i.id) AS waited_on_path_error_ns
  FROM imbalances i CROSS JOIN total t WHERE i.id IN (SELECT id FROM begun WHERE led)
), answered AS (
  SELECT f.kind, f.spot, NULL AS cause_id, f.because AS because_kind, f.because_spot,
    f.lost_ns, 100.0 * f.lost_ns / nullif(f.all_ns, 0) AS share, f.on_path_ns,
    100.0 * f.on_path_ns / nullif(f.run_ns, 0) AS on_path_share,
    -- What waits for another thread does not wait longer than that; calls that are left out take more along than themselves.
    iif(f.on_path_ns IS NULL, NULL, f.path_ns IS NULL AND f.kind NOT LIKE 'lock%' OR f.kind = 'polling') AS at_most,
    CASE WHEN f.kind IN ('barrier', 'all-to-all') AND (f.always OR f.is_end) AND f.what IN ('computation', 'function', 'call')
      THEN min(f.on_path_ns, CAST(round(f.lost_ns * coalesce(q.part, 1.0 / f.n_threads)) AS INTEGER)) END AS equal_share_ns,
    f.cases, f.longest_ns, f.saving_ns, f.thread,
    CASE WHEN f.thread IS NOT NULL THEN 100.0 * f.thread_ns / f.lost_ns END AS thread_share,
    f.threads, CASE WHEN f.thread IS NOT NULL THEN iif(f.always, 'always', 'alternating') END AS pattern,
    f.operation, f.location, f.waiting_operation, f.waiting_location,
    iif(f.has_stacks, (SELECT function FROM source WHERE id = f.spot), NULL) AS function,
    iif(f.has_stacks, (SELECT function FROM source WHERE id = f.waiting_spot), NULL) AS waiting_function,
    c.caller, 100.0 * c.caller_ns / c.time_ns AS caller_share, f.reason,
    100.0 * f.reason_ns / nullif(f.thread_ns, 0) AS reason_share,
    m.caller AS reason_caller, 100.0 * m.caller_ns / m.time_ns AS reason_caller_share, f.because, f.because_location,
    iif(l.object IS NULL, NULL, coalesce(n.name, w.name, printf('0x%x', l.object))) AS object,
    NULL AS excess_ns, f.words, NULL AS also, f.model, f.is_barrier, y.error_ns, f.on_path_error_ns
  FROM worded f
  LEFT JOIN wait_caller c ON c.kind = f.kind AND c.source_id = f.spot AND c.waiting_source_id = f.waiting_spot
  LEFT JOIN work_caller m ON m.function_source_id = f.reason_function AND m.thread_id = f.thread
  LEFT JOIN equal q ON q.spot = f.spot AND f.kind IN ('barrier', 'all-to-all')
  LEFT JOIN locks l ON l.kind = f.kind AND l.spot = f.spot AND l.place_no = 1
  LEFT JOIN object n ON n.id = l.object
  LEFT JOIN lock_name w ON w.object = l.object AND l.object >> 61 = 1
  LEFT JOIN uncertain y ON y.kind = f.kind AND y.spot = f.spot
  UNION ALL
  SELECT 'imbalance', NULL, u.id, NULL, NULL,
    u.time_ns, 100.0 * u.time_ns / nullif(u.all_ns, 0), min(u.waited_on_path_ns, u.path_ns),
    100.0 * min(u.waited_on_path_ns, u.path_ns) / nullif(u.run_ns, 0), iif(u.waited_on_path_ns IS NULL, NULL, 1),
    iif(u.waited_on_path_ns IS NULL, NULL, min(u.excess_ns, u.waited_on_path_ns, u.path_ns)), NULL, NULL, NULL, u.thread_id,
    100.0 * u.thread_ns / u.time_ns, u.threads, 'always', s.operation, s.location, e.waiting_operation, e.waiting_location,
    iif(u.has_stacks, (SELECT function FROM source WHERE id = u.to_source_id), NULL),
    iif(u.has_stacks, (SELECT function FROM source WHERE id = e.waiting_spot), NULL),
    c.caller, 100.0 * c.caller_ns / c.time_ns, d.reason,
    100.0, m.caller, 100.0 * m.caller_ns / m.time_ns, NULL, NULL, NULL, u.excess_ns, 'imbalance',
    iif(b.kind LIKE 'late %', b.kind, NULL), s.model, 0, nullif(u.error_ns, 0),
    iif(u.waited_on_path_ns <= u.path_ns, nullif(u.waited_on_path_error_ns, 0), NULL)
  FROM uneven u JOIN doing d ON d.about = 'cause' AND d.id = u.id
  LEFT JOIN work_caller m ON m.function_source_id = u.function_source_id AND m.thread_id = u.thread_id
  LEFT JOIN spot s ON s.source_id = u.to_source_id
  LEFT JOIN begun b ON b.id = u.id AND b.place_no = 1
  LEFT JOIN waited e ON e.kind = b.kind AND e.spot = b.spot AND e.place_no = 1
  LEFT JOIN wait_caller c ON c.kind = b.kind AND c.source_id = b.spot AND c.waiting_source_id = e.waiting_spot
), kept AS ( -- key: of what a row is an effect, else its own; all in one partition of it, in the order of findings
  SELECT a.*, coalesce('imbalance ' || coalesce(c.id, b.id), iif(a.reason_share >= 50, a.because_kind || a.because_spot, NULL)) AS of,
    coalesce('imbalance ' || a.cause_id, a.kind || a.spot) AS own,
    a.kind || coalesce(' at ' || a.waiting_location, '') || coalesce(' (' || a.waiting_operation || ')', '') || ', '
      || coalesce(c.ns, a.lost_ns) || ' ns' AS text
  FROM answered a
  LEFT JOIN led c ON c.kind = a.kind AND c.spot = a.spot
  LEFT JOIN led b ON c.id IS NULL AND b.kind = a.because_kind AND b.spot = a.because_spot AND a.reason_share >= 50
), keyed AS (
  SELECT *, coalesce(of, own) AS key, max(of IS NULL) OVER (PARTITION BY coalesce(of, own)) AS has_lead FROM kept
), grouped AS ( -- what is the effect of an effect stands for itself
  SELECT *, iif(has_lead, key, own) AS lead, of IS NULL OR NOT has_lead AS leads FROM keyed
), ordered AS (
  SELECT *, sum(leads) OVER (ORDER BY on_path_ns DESC, lost_ns DESC, kind, operation, location) AS so_far FROM grouped
), numbered AS (
  SELECT *, max(iif(leads, so_far, NULL)) OVER (PARTITION BY lead) AS number,
    group_concat(iif(leads, NULL, text), '; ') OVER (PARTITION BY lead ORDER BY leads, on_path_ns DESC, lost_ns DESC, kind, operation, location
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS effects
  FROM ordered
)
SELECT f.kind, f.lost_ns, f.share, f.on_path_ns, f.on_path_share, f.at_most, f.equal_share_ns, f.cases, f.longest_ns,
  f.error_ns, f.on_path_error_ns, f.saving_ns, f.thread, f.thread_share, f.threads, f.pattern, f.operation, f.location, f.waiting_operation, f.waiting_location,
  f.function, f.waiting_function, f.caller, f.caller_share, f.reason, f.reason_share, f.reason_caller,
  f.reason_caller_share, f.because, f.because_location, f.object, k.meaning, coalesce(a.advice, k.advice) || coalesce('; or ' || coalesce(ta.advice, t.advice), '')
    AS advice,
  iif(a.words IS NULL, k.holds_when, a.holds_when) || coalesce('; ' || iif(ta.words IS NULL, t.holds_when, ta.holds_when), '') AS holds_when,
  f.excess_ns, iif(f.leads, f.number, NULL) AS number, iif(f.leads, NULL, f.number) AS effect_of,
  iif(f.leads, f.effects, NULL) AS effects,
  -- Other collectives may synchronize as barriers do.
  iif(k.more <> 'barrier-wait' OR f.is_barrier, k.more, 'collectives') AS more
FROM numbered f
LEFT JOIN words k ON k.words = f.words AND k.model IS NULL
LEFT JOIN words a ON a.words = f.words AND a.model = f.model AND (f.is_barrier OR f.words NOT LIKE 'barrier%')
LEFT JOIN words t ON t.words = f.also AND t.model IS NULL
LEFT JOIN words ta ON ta.words = f.also AND ta.model = f.model
WHERE :effects OR f.leads
ORDER BY NOT f.leads, f.on_path_ns DESC, f.lost_ns DESC, f.kind, f.operation, f.location
LIMIT :limit;
