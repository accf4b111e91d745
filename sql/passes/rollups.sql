-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of importer/rollups.

-- Bytes of profile_total and spread, if some were added to profile after a thread's end.
-- name: late_bytes
CREATE TEMP TABLE share AS -- bytes by thread and group
WITH member(grouping, source_id, of) AS (
  SELECT 'call', id, id FROM source
  UNION ALL SELECT 'operation', id, operation_id FROM source
  UNION ALL SELECT 'category', s.id, o.category FROM source s JOIN operation o ON o.id = s.operation_id
  UNION ALL SELECT 'line', id, printf('%Q %d %Q', file, line, function) FROM source WHERE file IS NOT NULL
  UNION ALL SELECT 'line', id, printf('%Q+%d %Q', module, offset, function) FROM source WHERE file IS NULL AND module IS NOT NULL)
SELECT m.grouping, p.nested, m.of, p.thread_id, min(p.source_id) AS source_id, coalesce(sum(p.bytes), 0) AS bytes,
  count(p.bytes) AS known
FROM profile p JOIN member m ON m.source_id = p.source_id WHERE m.grouping <> 'line' OR p.self_ns IS NOT NULL GROUP BY 1, 2, 3, 4;

INSERT INTO spread
WITH total AS MATERIALIZED (
  SELECT grouping, nested, of, min(source_id) AS source_id, count(*) AS threads, sum(bytes) AS bytes, max(bytes) AS maximum,
    min(bytes) AS minimum, avg(bytes) AS mean
  FROM share GROUP BY 1, 2, 3 HAVING sum(known) > 0)
SELECT t.grouping, t.nested, t.source_id, 'bytes', t.threads, t.bytes,
  t.maximum, min(s.thread_id) FILTER (WHERE s.bytes = t.maximum), t.minimum, min(s.thread_id) FILTER (WHERE s.bytes = t.minimum),
  c.first_other_id, total((s.bytes - t.mean) * (s.bytes - t.mean))
FROM total t JOIN share s USING (grouping, nested, of)
JOIN spread c ON c.grouping = t.grouping AND c.nested = t.nested AND c.source_id = t.source_id AND c.quantity = 'calls'
GROUP BY t.grouping, t.nested, t.of;

UPDATE profile_total SET bytes = s.total FROM spread s
WHERE s.grouping = profile_total.grouping AND s.nested = profile_total.nested AND s.source_id = profile_total.source_id
  AND s.quantity = 'bytes';
DROP TABLE share;
