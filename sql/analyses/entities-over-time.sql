-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time by entity of the program over the run (mapping)
-- group: entities
-- needs: trace
-- param: bins INTEGER - 20  at least 1: into how many bins the run is cut, at most
-- param: kind TEXT - NULL  found in entity.kind: entities of this kind only
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- param: limit INTEGER - -1  at least -1: rows at most, -1 for all
-- column: start_ns INTEGER ns  the bin is from here ...
-- column: end_ns INTEGER ns  ... to here; the last may end after the run
-- column: entity TEXT -  its name
-- column: kind TEXT -  its kind
-- column: within TEXT -  those above it in the tree, outermost first
-- column: self_ns INTEGER ns  in the bin, while it was the innermost open entity
-- column: share REAL %  of the time of the threads in the bin, from the first record of each to its last
-- column: wait_ns INTEGER ns  of self_ns: waiting for other threads
-- column: threads INTEGER count  that worked for it in the bin
--
-- `entities`, cut into bins of equal width: which task runs when. Over all bins `self_ns` adds up to that of `entities`, to the
-- nanosecond. Bins are those of `over-time` for one thread (`meta.thread_bin_ns`): the least multiple of the stored width of which
-- as many as asked for cover the run. A bin has no row for an entity without time in it, and none for no entity.
WITH stored AS (
  SELECT (SELECT value FROM meta WHERE key = 'thread_bin_ns') AS ns, (SELECT max(last_ns) FROM thread) AS last_ns
), width AS MATERIALIZED (
  SELECT ((last_ns - 1) / ns / :bins + 1) * ns AS ns FROM stored WHERE ns > 0 AND last_ns > 0
), alive AS MATERIALIZED (
  SELECT start_ns / w.ns * w.ns AS start_ns, sum(time_ns) AS ns FROM thread_bin, width w
  WHERE (:thread IS NULL OR thread_id = :thread) AND EXISTS (SELECT 1 FROM entity_bin) GROUP BY 1
), part AS (
  SELECT b.start_ns / w.ns * w.ns AS start_ns, b.entity_id, sum(b.self_ns) AS self_ns, sum(b.wait_ns) AS wait_ns,
    count(DISTINCT b.thread_id) AS threads
  FROM entity_bin b, width w WHERE :thread IS NULL OR b.thread_id = :thread GROUP BY 1, 2
)
SELECT f.start_ns, f.start_ns + w.ns AS end_ns, e.name AS entity, e.kind, e.within, f.self_ns,
  100.0 * f.self_ns / nullif(a.ns, 0) AS share, f.wait_ns, f.threads
FROM part f JOIN width w JOIN entity e ON e.id = f.entity_id LEFT JOIN alive a ON a.start_ns = f.start_ns
WHERE :kind IS NULL OR e.kind = :kind
ORDER BY f.start_ns, f.self_ns DESC, f.entity_id
LIMIT :limit;
