-- SPDX-License-Identifier: GPL-3.0-or-later
-- The rows of table fact (tables.sql) but for run_id, of a run's database.
WITH spot AS (
  SELECT s.id, o.name AS operation, coalesce(s.file, s.module, '') AS file, coalesce(s.function, '') AS function,
    coalesce(iif(s.file IS NULL, s.offset, s.line), 0) AS line, s.file IS NULL AND s.module IS NOT NULL AS is_module
  FROM source s JOIN operation o ON o.id = s.operation_id
), called AS (
  SELECT s.*, coalesce(f.self_ns, f.total_ns) AS ns FROM profile f JOIN spot s ON s.id = f.source_id WHERE f.nested = 0
)
SELECT 'run' AS section, 'run time' AS name, 'ns' AS unit, 0 AS summed, NULL AS operation, '' AS file, '' AS function,
  0 AS line, 0 AS is_module, CAST(coalesce(max(last_ns) - min(first_ns), 0) AS REAL) AS value
FROM thread
UNION ALL
SELECT 'run', 'time of all threads', 'ns', 1, NULL, '', '', 0, 0, total(last_ns - first_ns) FROM thread
UNION ALL
SELECT 'run', 'waiting', 'ns', 1, NULL, '', '', 0, 0, total(time_ns) FROM wait_total
UNION ALL
SELECT 'run', 'imbalance', '%', 0, NULL, '', '', 0, 0, total(imbalance_pct) FROM analysis_load_imbalance
WHERE what = 'computation'
UNION ALL
SELECT 'category', category, 'ns', 1, NULL, '', '', 0, 0, total(time_ns) FROM category_time GROUP BY category
UNION ALL
SELECT 'wait', kind, 'ns', 1, NULL, '', '', 0, 0, total(time_ns) FROM wait_total GROUP BY kind
UNION ALL
SELECT 'operation', operation, 'ns', 1, NULL, '', '', 0, 0, total(ns) FROM called GROUP BY operation
UNION ALL
SELECT 'function', function, 'ns', 1, NULL, '', '', 0, 0, total(ns) FROM called WHERE function <> '' GROUP BY function
UNION ALL
SELECT 'line', '', 'ns', 1, operation, file, function, line, is_module, total(ns) FROM called
GROUP BY operation, file, function, line, is_module
UNION ALL
SELECT 'cause', l.kind, 'ns', 1, s.operation, s.file, s.function, s.line, s.is_module, total(l.lost_ns)
FROM loss l JOIN spot s ON s.id = l.source_id
GROUP BY l.kind, s.operation, s.file, s.function, s.line, s.is_module
UNION ALL
SELECT 'cause', 'imbalance', 'ns', 1, s.operation, s.file, s.function, s.line, s.is_module, total(i.time_ns)
FROM imbalances i JOIN spot s ON s.id = i.to_source_id
GROUP BY s.operation, s.file, s.function, s.line, s.is_module;
