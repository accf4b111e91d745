-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Hit rate of the runtime's software cache, by line
-- group: accesses
-- needs: trace
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- column: location TEXT -  file and line, or module and offset
-- column: accesses INTEGER count  hits and misses
-- column: hits INTEGER count  found in the cache
-- column: hit_rate REAL %  hits of the accesses
-- column: bytes INTEGER B  requested by the program
-- column: line_bytes INTEGER B  fetched by misses
-- column: brought_per_used REAL -  bytes fetched for each byte requested
-- column: invalidations INTEGER count  of the whole cache
-- column: dirty_lines INTEGER count  lines that these wrote back
-- column: threads INTEGER count  how many threads
--
-- From the cache events of UPC runtimes with a software cache of shared memory (GASP_UPC_CACHE_MISS, _HIT, _INVALIDATE);
-- most bytes fetched first.
--
-- `brought_per_used` below 1: lines are used again, the cache saves traffic. Above 1: more is fetched than used;
-- accesses are far apart, or separated by synchronization, which invalidates. Then fetch whole blocks (upc_memget), or
-- switch the cache off. Many lines written back: the source line writes to shared memory shortly before it synchronizes.
WITH here AS (
  SELECT p.file, p.line, p.location, c.thread_id, c.what, c.events, c.bytes, c.line_bytes, c.dirty_lines
  FROM cache_total c JOIN place p ON p.source_id = c.source_id
  WHERE :thread IS NULL OR c.thread_id = :thread
)
SELECT location,
  sum(iif(what = 'invalidate', 0, events)) AS accesses,
  sum(iif(what = 'hit', events, 0)) AS hits,
  100.0 * sum(iif(what = 'hit', events, 0)) / nullif(sum(iif(what = 'invalidate', 0, events)), 0) AS hit_rate,
  sum(bytes) AS bytes,
  sum(line_bytes) AS line_bytes,
  1.0 * sum(line_bytes) / nullif(sum(bytes), 0) AS brought_per_used,
  sum(iif(what = 'invalidate', events, 0)) AS invalidations,
  sum(dirty_lines) AS dirty_lines,
  count(DISTINCT thread_id) AS threads
FROM here
GROUP BY file, line, location
ORDER BY sum(line_bytes) DESC, sum(bytes) DESC, sum(dirty_lines) DESC, file, line, location
LIMIT :limit;
