-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements that find values of another type than their column's in a run's database: no table is STRICT, for older SQLites.
SELECT printf('SELECT ''%s.%s is no %s'', typeof("%s"), count(*) FROM main."%s" WHERE typeof("%s") NOT IN (''%s'', ''%s'') GROUP BY 2;',
  t.name, c.name, c.type, c.name, t.name, c.name, lower(c.type), CASE WHEN c."notnull" THEN '-' ELSE 'null' END)
FROM sqlite_schema t JOIN pragma_table_info(t.name) c
WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND c.type <> '' ORDER BY t.name, c.cid;
