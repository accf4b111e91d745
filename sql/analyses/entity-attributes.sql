-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time by attribute of the program's entities (mapping)
-- group: entities
-- needs: trace
-- param: key TEXT - NULL  found in entity_attribute.key: this attribute only
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- column: key TEXT -  the attribute's name
-- column: value TEXT -  its value; NULL: entities without it, and no entity
-- column: entities INTEGER count  with that value and with time or calls of their own
-- column: calls INTEGER count  their begins and hand-overs, and calls made meanwhile
-- column: self_ns INTEGER ns  while one of them was the innermost open entity
-- column: share REAL %  of the time of the threads, from the first record of each to its last
-- column: shared_ns INTEGER ns  of self_ns: shares of mixes
-- column: wait_ns INTEGER ns  of self_ns: waiting for other threads
-- column: bytes INTEGER B  moved by their calls; NULL: they move none
--
-- Entities carry attributes (`gaspdb_entity_int`, `gaspdb_entity_real`, `gaspdb_entity_text`). This sums the time of entities by each
-- value of each attribute: by a task's component, a patch's level, a face's side. An entity without an attribute has that of the
-- next entity above it that has one. Of each key `self_ns` over all values is the time of all threads.
--
-- **How to read it:** one key at a time: `--key=component`.
--
-- **What misleads:** processes may set different values for one entity; then each process's time counts for its own value, of
-- processes that set none for the value of the first. Entities and no entity stand together where the value is NULL.
WITH RECURSIVE all_threads AS MATERIALIZED (
  SELECT total(last_ns - first_ns) AS ns FROM thread
), keys AS MATERIALIZED (
  SELECT DISTINCT key FROM entity_attribute WHERE :key IS NULL OR key = :key
), climb(entity_id, key, at) AS (
  SELECT t.entity_id, k.key, t.entity_id FROM entity_total t, keys k WHERE t.whole AND t.entity_id IS NOT NULL
  UNION ALL
  SELECT c.entity_id, c.key, o.id FROM climb c JOIN entity e ON e.id = c.at JOIN entity o ON o.id = e.parent_id AND o.depth < e.depth
  WHERE NOT EXISTS (SELECT 1 FROM entity_attribute a WHERE a.entity_id = c.at AND a.key = c.key)
), holder AS MATERIALIZED (
  SELECT c.entity_id, c.key, c.at, (SELECT count(*) FROM entity_attribute a WHERE a.entity_id = c.at AND a.key = c.key) AS n
  FROM climb c WHERE EXISTS (SELECT 1 FROM entity_attribute a WHERE a.entity_id = c.at AND a.key = c.key)
), process AS (
  SELECT id AS thread_id, first_value(id) OVER (PARTITION BY host, coalesce(pid, -1 - id) ORDER BY id) AS first FROM thread
), part AS (
  SELECT h.key, (SELECT a.value FROM entity_attribute a WHERE a.entity_id = h.at AND a.key = h.key) AS value, t.*
  FROM holder h JOIN entity_total t ON t.entity_id = h.entity_id AND t.whole WHERE h.n = 1
  UNION ALL
  SELECT h.key, coalesce((SELECT a.value FROM entity_attribute a WHERE a.entity_id = h.at AND a.key = h.key AND a.thread_id = o.first),
      (SELECT a.value FROM entity_attribute a WHERE a.entity_id = h.at AND a.key = h.key ORDER BY a.thread_id LIMIT 1)),
    NULL, p.entity_id, NULL, 1, 1, p.calls, p.self_ns, p.inclusive_ns, p.shared_ns, p.wait_ns, p.bytes, NULL, NULL
  FROM holder h JOIN entity_profile p ON p.entity_id = h.entity_id JOIN process o ON o.thread_id = p.thread_id WHERE h.n > 1
  UNION ALL
  SELECT k.key, NULL, t.* FROM keys k JOIN entity_total t ON t.whole
  WHERE NOT EXISTS (SELECT 1 FROM holder h WHERE h.entity_id = t.entity_id AND h.key = k.key)
)
SELECT f.key, CAST(f.value AS TEXT) AS value, count(DISTINCT f.entity_id) AS entities, sum(f.calls) AS calls, sum(f.self_ns) AS self_ns,
  100.0 * sum(f.self_ns) / nullif(a.ns, 0) AS share, sum(f.shared_ns) AS shared_ns, sum(f.wait_ns) AS wait_ns, sum(f.bytes) AS bytes
FROM part f JOIN all_threads a
GROUP BY f.key, f.value
ORDER BY f.key, sum(f.self_ns) DESC, f.value
LIMIT :limit;
