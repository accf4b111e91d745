-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time by entity of the program (mapping)
-- group: entities
-- needs: trace
-- param: by TEXT - entity  one of entity|thread|line: a row an entity, or that and its thread or line
-- param: kind TEXT - NULL  found in entity.kind: entities of this kind only
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- column: entity TEXT -  its name; (none): no entity was open
-- column: kind TEXT -  its kind
-- column: within TEXT -  those above it in the tree, outermost first
-- column: thread INTEGER -  by=thread: the thread; else NULL
-- column: location TEXT -  by=line: of the call, or of the begin; NULL: outside of any, or unknown
-- column: operation TEXT -  by=line: what is called there
-- column: threads INTEGER count  with a row; by=thread: 1
-- column: calls INTEGER count  its begins and hand-overs, and calls made meanwhile
-- column: self_ns INTEGER ns  while it was the innermost open entity
-- column: share REAL %  of the time of the threads, from the first record of each to its last
-- column: total_ns INTEGER ns  self time of it and of all entities below it in the tree; by=line: NULL
-- column: inclusive_ns INTEGER ns  while it was open, entities begun meanwhile included
-- column: shared_ns INTEGER ns  of self_ns: shares of mixes
-- column: wait_ns INTEGER ns  of self_ns: waiting for other threads
-- column: bytes INTEGER B  moved by its calls; NULL: they move none
-- column: longest_ns INTEGER ns  the largest self_ns of one thread; by=line: of one thread at that line
-- column: longest_thread INTEGER -  that thread; ties: the lowest
--
-- The program maps its time to what it works on (`gaspdb_entity_begin` of `gaspdb.h`; docs/mapping.md): faces of a cube, statements, tasks.
-- Of several open entities the one begun last gets the time; a mix splits it over its entities by their weights. `self_ns` over all
-- entities and (none) is the time of all threads, to the nanosecond. Entities of several processes are one if kind, name and the
-- entities above are the same.
--
-- **How to read it:** `total_ns` sums up the tree (many to one): of a cube, all its faces. `inclusive_ns` is about nesting in time
-- instead: an entity begun while another is open counts in the other's, whatever the tree. A large `longest_ns` beside
-- `self_ns / threads` is an imbalance: see `--by=thread`. `--by=line` says which calls take the time of an entity.
--
-- **What misleads:** shares of a mix are as good as its weights. Time in which a thread was not recorded is (none)'s. Waits are
-- counted where the waiting thread's entity is, not the cause's.
WITH RECURSIVE all_threads AS MATERIALIZED (
  SELECT total(last_ns - first_ns) AS ns FROM thread
), own AS MATERIALIZED (
  SELECT entity_id, NULL AS thread, source_id, threads, calls, self_ns, inclusive_ns, shared_ns, wait_ns, bytes, longest_ns,
    longest_thread_id
  FROM entity_total WHERE iif(:by = 'line', NOT whole, whole) AND :by <> 'thread'
  UNION ALL
  SELECT entity_id, thread_id, NULL, 1, sum(calls), sum(self_ns), sum(inclusive_ns), sum(shared_ns), sum(wait_ns), sum(bytes),
    sum(self_ns), thread_id
  FROM entity_profile WHERE :by = 'thread' GROUP BY entity_id, thread_id
), up(entity_id, thread, self_ns) AS (
  SELECT entity_id, thread, self_ns FROM own WHERE :by <> 'line'
  UNION ALL
  SELECT o.id, u.thread, u.self_ns FROM up u JOIN entity e ON e.id = u.entity_id JOIN entity o ON o.id = e.parent_id AND o.depth < e.depth
), totals AS MATERIALIZED (
  SELECT entity_id, thread, sum(self_ns) AS total_ns FROM up GROUP BY entity_id, thread
), part AS (
  SELECT t.entity_id, t.thread, o.source_id, coalesce(o.threads, 0) AS threads, coalesce(o.calls, 0) AS calls,
    coalesce(o.self_ns, 0) AS self_ns, t.total_ns, coalesce(o.inclusive_ns, 0) AS inclusive_ns, coalesce(o.shared_ns, 0) AS shared_ns,
    coalesce(o.wait_ns, 0) AS wait_ns, o.bytes, o.longest_ns, o.longest_thread_id
  FROM totals t LEFT JOIN own o ON o.entity_id IS t.entity_id AND o.thread IS t.thread
  UNION ALL
  SELECT entity_id, thread, source_id, threads, calls, self_ns, NULL, inclusive_ns, shared_ns, wait_ns, bytes, longest_ns,
    longest_thread_id
  FROM own WHERE :by = 'line'
)
SELECT coalesce(e.name, '(none)') AS entity, e.kind, e.within, f.thread, s.location, s.operation, f.threads, f.calls, f.self_ns,
  100.0 * f.self_ns / nullif(a.ns, 0) AS share,
  f.total_ns, f.inclusive_ns, f.shared_ns, f.wait_ns, f.bytes, f.longest_ns, f.longest_thread_id AS longest_thread
FROM part f JOIN all_threads a LEFT JOIN entity e ON e.id = f.entity_id LEFT JOIN place s ON s.source_id = f.source_id
WHERE :kind IS NULL OR e.kind = :kind
ORDER BY f.self_ns DESC, f.total_ns DESC, f.entity_id, f.thread, f.source_id
LIMIT :limit;
