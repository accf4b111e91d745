-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Accesses that need not be remote, or not be at all
-- group: accesses
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: kind TEXT - NULL  one of polling|repeated get|local access: this kind only
-- column: kind TEXT -  polling, repeated get, local access
-- column: operation TEXT -  the call
-- column: location TEXT -  its line
-- column: accesses INTEGER count  how many need not be
-- column: bytes INTEGER B  their data
-- column: time_ns INTEGER ns  time in them
-- column: share REAL %  of the time of all threads
-- column: threads INTEGER count  how many threads do it
-- column: thread INTEGER -  the one that spends most on it
-- column: advice TEXT -  what to do instead
--
-- * **polling**: blocking gets, eight or more in a row, of the same remote word, while the thread accesses nothing else
--   that is remote.  All but the last of them count, each at its line.  Atomics that only fetch are gets here.
-- * **repeated get**: a blocking get of what the thread has read before (same owner, address and size), with no
--   synchronization or strict access of its own, and no write of its own to it, since.  A strict get is never one.  Polling
--   does not count again here.
-- * **local access**: a blocking get or put whose data are the accessing process's own: a pointer would do. Lines where UPC
--   threads wait for a word of their own to change are none (`spin_total`): that is in `waits`, as *late signal*.
--
-- **How to read it:** time_ns is what would be saved if they were left out, or cost nothing.  Of polling it is waiting for the
-- one that writes the word: to wait for a word of one's own instead takes as long.
--
-- **What misleads:** repeated gets are a lower bound: 4096 addresses are remembered between two synchronizations.  Whether
-- the word could have been changed by others meanwhile, only the program's author knows; and strict accesses separate
-- only where the UPC runtime tells them from relaxed ones: GNU and Clang UPC call most of them relaxed.  Local accesses of
-- UPC programs are only seen when compiled with `--inst-local`, and where the owners are known: if there is none of them, a
-- row without figures says that they were not recorded, which is not to say that there are none.  Of UPC's pointers only
-- what is equal is known: a put to an owner counts as one to all that was read there.
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
  WHERE EXISTS (SELECT 1 FROM thread WHERE model = 'UPC') AND NOT EXISTS
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
