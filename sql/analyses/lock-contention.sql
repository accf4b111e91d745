-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Waiting for locks and holding them, by lock and line
-- group: accesses
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: object TEXT - NULL  found in analysis_lock_contention.lock: this lock only, by its name
-- column: lock TEXT -  name of the lock, or its place in shared memory; MPI: the window and its owner
-- column: operation TEXT -  the call that took it
-- column: location TEXT -  where that is
-- column: acquisitions INTEGER count  how often it was taken there
-- column: contended REAL %  how many of these had to wait for another holder
-- column: wait_ns INTEGER ns  waiting there while others held it, or may have; hand-over included
-- column: share REAL %  of the time of all threads
-- column: longest_wait_ns INTEGER ns  of one acquisition
-- column: latency_ns INTEGER ns  the rest of the acquiring calls: what taking a free lock costs
-- column: untold_ns INTEGER ns  of that rest what is not known: some thread was not recorded then, and may have held it
-- column: failed_attempts INTEGER count  attempts that did not get it, before those that did
-- column: between_ns INTEGER ns  between these attempts, up to the one that got it: spinning, or work meanwhile
-- column: hold_ns INTEGER ns  how long it was held by those who took it there
-- column: mean_hold_ns REAL ns  each time
-- column: longest_hold_ns INTEGER ns  the longest time
-- column: longest_holder INTEGER -  the thread that held it longest in all
-- column: holder_share REAL %  its part of hold_ns
-- column: fairness REAL -  of acquisitions over threads: 1 all took it equally often, 1/n one thread only
--
-- One row a lock and acquiring line, most waiting first.
--
-- A lock is held from the end of the call that takes it to the moment, within the call that gives it back, at which the
-- next one can have it.  Waiting is the time in the acquiring call while others held it.  The lock of an MPI window (those of
-- different processes' parts are different locks) may be waited for in a later call of the epoch, too; a shared lock waits
-- for exclusive ones only.
--
-- **How to read it:** much waiting and long holds: shorten what is done with the lock held (see `worst` for the lines).
-- Much waiting and short holds: too many acquisitions; combine them, or use an atomic operation.  `untold_ns` is waiting for a
-- thread that was not recorded (no log, a log that is cut, recording off), or latency: nobody can tell.  Where it is much, the
-- true waiting may be that much longer; `threads` and `quality` say who was not recorded.
--
-- **What misleads:** time in failed attempts is a wait of its own kind (`lock attempt` in `waits`), not in `wait_ns`.
-- What lies between attempts is no waiting at all: nobody can tell a loop that spins from work done meanwhile.  A hold whose
-- end was not recorded counts up to where its process was not recorded any more: a lower bound.
WITH lines AS (
  SELECT b.name AS lock, l.object,
    p.operation, p.location, l.thread_id, sum(l.acquisitions) AS acquisitions, sum(l.contended) AS contended,
    sum(l.contended_ns) AS wait_ns, max(l.longest_contended_ns) AS longest_ns, sum(l.latency_ns) AS latency_ns,
    sum(l.untold_ns) AS untold_ns,
    sum(l.attempts) AS attempts, sum(l.between_ns) AS between_ns, sum(l.hold_ns) AS hold_ns, max(l.longest_hold_ns) AS longest_hold_ns
  FROM lock_total l JOIN place p ON p.source_id = l.source_id JOIN lock_name b ON b.object = l.object
  GROUP BY l.object, p.operation, p.location, l.thread_id
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY object, operation, location ORDER BY hold_ns DESC, thread_id) AS place_no
  FROM lines WHERE :object IS NULL OR lock = :object
)
SELECT lock, operation, location,
  sum(acquisitions) AS acquisitions,
  100.0 * sum(contended) / sum(acquisitions) AS contended,
  sum(wait_ns) AS wait_ns,
  100.0 * sum(wait_ns) / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  max(longest_ns) AS longest_wait_ns,
  sum(latency_ns) AS latency_ns,
  sum(untold_ns) AS untold_ns,
  sum(attempts) AS failed_attempts,
  sum(between_ns) AS between_ns,
  sum(hold_ns) AS hold_ns,
  1.0 * sum(hold_ns) / sum(acquisitions) AS mean_hold_ns,
  max(longest_hold_ns) AS longest_hold_ns,
  max(thread_id) FILTER (WHERE place_no = 1) AS longest_holder,
  100.0 * max(hold_ns) / nullif(sum(hold_ns), 0) AS holder_share,
  pow(sum(acquisitions), 2) / ((SELECT count(*) FROM thread WHERE first_ns IS NOT NULL)
    * sum(1.0 * acquisitions * acquisitions)) AS fairness
FROM ranked
GROUP BY object, operation, location
ORDER BY sum(wait_ns) DESC, sum(acquisitions) DESC, lock, object, operation, location
LIMIT :limit;
