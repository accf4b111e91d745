-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Waiting for locks and holding them, by lock and line
-- group: accesses
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: object TEXT - NULL  found in analysis_lock_contention.lock: this lock only, by its name
-- column: lock TEXT -  name of the lock, or its place in shared memory; MPI: the window and its owner
-- column: operation TEXT -  the call that took it
-- column: location TEXT -  where that is
-- column: acquisitions INTEGER count  how often it was taken there
-- column: contended REAL %  share of these that waited for another holder
-- column: wait_ns INTEGER ns  waiting while others held it, or may have held it; hand-over included
-- column: share REAL %  of the time of all threads
-- column: longest_wait_ns INTEGER ns  of one acquisition
-- column: latency_ns INTEGER ns  the rest of the acquiring calls: the cost of taking a free lock
-- column: untold_ns INTEGER ns  of that rest: not known, as an unrecorded thread may have held it
-- column: failed_attempts INTEGER count  failed attempts before successful ones
-- column: between_ns INTEGER ns  between these attempts, up to the successful one: spinning or work
-- column: hold_ns INTEGER ns  time it was held after being taken there
-- column: mean_hold_ns REAL ns  each time
-- column: longest_hold_ns INTEGER ns  the longest time
-- column: longest_holder INTEGER -  the thread that held it longest in all
-- column: holder_share REAL %  its part of hold_ns
-- column: fairness REAL -  of acquisitions over threads: 1 all took it equally often, 1/n one thread only
--
-- One row a lock and acquiring line, most waiting first.
--
-- A lock is held from the end of the call that takes it to the moment, within the call that gives it back, at which the
-- next one can have it. Waiting is the time in the acquiring call while others held it. A lock of an MPI window (one for
-- each process's part) may be waited for in a later call of the epoch, too; a shared lock waits for exclusive ones only.
--
-- **How to read it:** much waiting and long holds: shorten the work under the lock (see `worst` for the lines). Much
-- waiting and short holds: too many acquisitions; combine them, or use an atomic operation. `untold_ns` is either
-- latency or waiting for an unrecorded thread (no log, a log that is cut, recording off). The true waiting may be longer
-- by that much; `threads` and `quality` name the unrecorded threads.
--
-- **What misleads:** time in failed attempts is a wait of its own kind (`lock attempt` in `waits`), not in `wait_ns`.
-- Time between attempts is no waiting: it may be spinning or work. A hold without a recorded end counts up to the moment
-- from which its process is unrecorded: a lower bound.
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
