-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Blocking gets, puts and atomics of each line
-- group: accesses
-- param: limit INTEGER - 30  at least -1: rows at most, -1 for all
-- param: type TEXT - NULL  one of get|put|atomic|atomic_fetch: this type only; get: atomics that fetch, too
-- column: operation TEXT -  the call
-- column: type TEXT -  get, put, atomic, atomic_fetch; of a copy: its get or its put
-- column: location TEXT -  its line
-- column: affinity TEXT -  remote: another process's memory; local: its own; unknown: not recorded
-- column: calls INTEGER count  how many
-- column: bytes INTEGER B  their data
-- column: mean_bytes REAL B  data of one
-- column: total_ns INTEGER ns  time in the calls
-- column: share REAL %  of the time of all threads
-- column: min_ns INTEGER ns  shortest call
-- column: median_ns INTEGER ns  half of the calls took no longer
-- column: p95_ns INTEGER ns  95 % of the calls took no longer
-- column: max_ns INTEGER ns  longest call
-- column: bandwidth REAL B/s  bytes by total time
-- column: strict INTEGER count  of the calls: strict ones of UPC, as the runtime tells; empty: it does not
--
-- One-sided accesses that return when they are done (of puts: when their source may be changed again): one row a line
-- and affinity, most time first. *Affinity*: the memory is the accessing process's own (local), another's (remote), or
-- not known (UPC's pointers without upcalls, docs/upc.md). Pairs of initiator and owner are in `get-put-pairs`. Atomics
-- are a type of their own; those that return a value (`atomic_fetch`) are gets, too, and `--type=get` includes them. A
-- copy from shared to shared memory (`upc_memcpy`) is a get from the owner of its source and a put to the owner of its
-- target: two rows, each with all of its bytes and half of its time, so that times add up; the time of the call is in
-- `profile`. MPI's accesses, atomics among them, are done when their window or request says so: see `overlap`.
--
-- **How to read it:** a bandwidth far below the network's with small accesses: the cost is latency, see `fine-grained`.
-- A 95th percentile far above the median: the target or the network was busy at times. Local rows: accesses that a plain
-- pointer can replace. Strict accesses of UPC wait for all earlier accesses of the thread: at a line that could be
-- relaxed they are lost time.
--
-- **What misleads:** a put is only complete at the thread's next quiet or barrier; that part of its cost is there
-- (`drain`). Local accesses of UPC programs are recorded only with `--inst-local`: without it, no row means not
-- recorded, not none. `strict` is a lower bound under GNU and Clang UPC, which call most strict accesses relaxed.
-- Percentiles are the ceil(p n)-th smallest; in runs with more than a million different durations they are rounded down,
-- by less than 0.1 %.
--
-- Definition: gaspdb's own.
SELECT p.operation, iif(p.type = 'copy', a.direction, p.type) AS type, p.location,
  CASE a.remote WHEN 0 THEN 'local' WHEN 1 THEN 'remote' ELSE 'unknown' END AS affinity,
  a.calls, a.bytes,
  1.0 * a.bytes / a.calls AS mean_bytes,
  a.time_ns AS total_ns,
  100.0 * a.time_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  a.min_ns, a.median_ns, a.p95_ns, a.max_ns,
  1e9 * a.bytes / nullif(a.time_ns, 0) AS bandwidth,
  a.strict
FROM access_line a JOIN place p ON p.source_id = a.source_id
WHERE :type IS NULL OR p.type = :type OR (:type = 'get' AND p.type = 'atomic_fetch')
  OR (p.type = 'copy' AND a.direction = :type)
ORDER BY a.time_ns DESC, a.calls DESC, p.operation, p.location, a.direction, a.remote, a.source_id
LIMIT :limit;
