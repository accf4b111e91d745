-- SPDX-License-Identifier: GPL-3.0-or-later
-- The view advice (sql/advice.sql) as the table of docs/advice.md, in the words of each row's model.
WITH word AS (
  SELECT a.*, coalesce(m.one, 'thread') AS thread, coalesce(m.many, 'threads') AS threads,
    coalesce(m.one, 'process') AS process, coalesce(m.many, 'processes') AS processes
  FROM (SELECT *, row_number() OVER () AS row FROM advice) a LEFT JOIN model_word m ON m.model = a.model ORDER BY a.row
)
SELECT replace(replace(replace(replace(
  printf('| %s | %s | %s | %s |', words, coalesce(model, 'any'), advice, coalesce(holds_when, 'always')),
  '{thread}', thread), '{threads}', threads), '{process}', process), '{processes}', processes)
FROM word ORDER BY row;
