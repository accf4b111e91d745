-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Remote accesses that could be local, or left out
-- group: accesses
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: kind TEXT - NULL  one of polling|repeated get|local access: this kind only
-- column: kind TEXT -  polling, repeated get, local access
-- column: operation TEXT -  the call
-- column: location TEXT -  the call's line
-- column: accesses INTEGER count  avoidable accesses
-- column: bytes INTEGER B  their data
-- column: time_ns INTEGER ns  time in them
-- column: share REAL %  of the time of all threads
-- column: threads INTEGER count  how many threads do it
-- column: thread INTEGER -  the one that spends most on it
-- column: advice TEXT -  what to do instead
--
-- * **polling**: at least eight blocking gets in a row of the same remote word, without another remote access of the
--   thread. All but the last count, each at its line. Atomics that only fetch are gets here.
-- * **repeated get**: a blocking get of data that the thread has read before (same owner, address and size), without a
--   synchronization, a strict access or a write to it by the thread in between. A strict get never counts. Polling does
--   not count again.
-- * **local access**: a blocking get or put of the accessing process's own memory: a local pointer suffices. Lines where
--   UPC threads wait for their own word to change (`spin_total`) do not count: they are in `waits`, as *late signal*.
--
-- **How to read it:** time_ns is the time saved if they were left out. For polling it is waiting for the writer of the
-- word: waiting for a local word takes as long.
--
-- **What misleads:** repeated gets are a lower bound: 4096 addresses are remembered between two synchronizations. Only
-- the program's author knows whether others may change the word meanwhile. Strict accesses separate reads only where the
-- UPC runtime reports them as strict: GNU and Clang UPC report most of them as relaxed. Local accesses of UPC programs
-- are recorded only with `--inst-local`, and where owners are known. If none is recorded, a row without figures says so.
-- UPC's pointers can only be compared for equality: a put to an owner counts as a put to all data read from it.
--
-- Definitions: gaspdb's own.
WITH spot AS MATERIALIZED (
  SELECT source_id, operation, location, type, min(source_id) OVER (PARTITION BY operation, location, type) AS spot FROM place
), lines AS MATERIALIZED (
  SELECT n.kind, s.spot, n.thread_id, sum(n.accesses) AS accesses, sum(n.bytes) AS bytes, sum(n.time_ns) AS time_ns
  FROM needless_access n JOIN spot s ON s.source_id = n.source_id
  GROUP BY n.kind, s.spot, n.thread_id
), most AS (
  SELECT kind, spot, sum(accesses) AS accesses, sum(bytes) AS bytes, sum(time_ns) AS time_ns, count(*) AS threads,
    max(time_ns) AS most_ns
  FROM lines GROUP BY kind, spot
), figures AS (
  SELECT m.kind, s.operation, s.location, s.type, m.accesses, m.bytes, m.time_ns, m.threads,
    (SELECT min(l.thread_id) FROM lines l WHERE l.kind = m.kind AND l.spot = m.spot AND l.time_ns = m.most_ns) AS thread
  FROM most m JOIN spot s ON s.source_id = m.spot
  UNION ALL
  SELECT 'local access', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  WHERE EXISTS (SELECT 1 FROM thread WHERE instr('+' || model || '+', '+UPC+')) AND NOT EXISTS
    (SELECT 1 FROM access_line a JOIN place p ON p.source_id = a.source_id
     WHERE a.remote = 0 AND p.model = 'UPC' AND p.type IN ('get', 'put'))
)
SELECT f.kind, f.operation, f.location, f.accesses, f.bytes, f.time_ns,
  100.0 * f.time_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  f.threads,
  f.thread,
  CASE iif(f.accesses IS NULL, '', f.kind)
    WHEN 'polling' THEN 'if it waits for a change, the writer is late: see what that does before it; if not, keep a copy'
    WHEN 'repeated get' THEN 'keep a copy until the next synchronization, if its owner writes nothing there meanwhile that must be seen'
    WHEN '' THEN 'not recorded: compile with --inst-local, and link the upcalls (docs/upc.md), to see them'
    ELSE 'use a pointer to one''s own memory: a cast in UPC (of no strict access, nor where others write meanwhile), '
      || 'the address itself in OpenSHMEM (nor where others access the word meanwhile)'
  END AS advice
FROM figures f
WHERE :kind IS NULL OR f.kind = :kind
ORDER BY f.time_ns DESC, f.kind, f.operation, f.location, f.type
LIMIT :limit;
