-- SPDX-License-Identifier: GPL-3.0-or-later
-- From table fact (tables.sql) to table compared, a row for each figure of the two sides.

-- A run recorded as a profile has no waits: they are compared of no run. Nor does it tell where a thread was without a processor:
-- between calls that is computation.
UPDATE fact SET value = value + (SELECT total(n.value) FROM fact n WHERE n.run_id = fact.run_id AND n.section = 'category'
  AND n.name = 'no processor')
WHERE section = 'category' AND name = 'computation' AND EXISTS (SELECT 1 FROM run WHERE is_profile);
DELETE FROM fact WHERE EXISTS (SELECT 1 FROM run WHERE is_profile)
  AND (section IN ('wait', 'cause') OR section = 'run' AND name = 'waiting' OR section = 'category' AND name = 'no processor');

-- Files by their names, for paths differ from machine to machine; with the folder's, where one run has two of a name.
CREATE TABLE path AS
SELECT file, substr(file, length(folder) + 1) AS base,
  substr(rtrim(folder, '/'), length(rtrim(rtrim(folder, '/'), replace(folder, '/', ''))) + 1) AS parent
FROM (SELECT DISTINCT file, rtrim(file, replace(file, '/', '')) AS folder FROM fact WHERE operation IS NOT NULL);

CREATE TABLE short AS
SELECT file, CASE
  WHEN base IN (SELECT p.base FROM (SELECT DISTINCT run_id, file FROM fact WHERE operation IS NOT NULL) f
      JOIN path p ON p.file = f.file GROUP BY f.run_id, p.base HAVING count(*) > 1)
    THEN parent || '/' || base
  ELSE base END AS name
FROM path;

-- A file that only a has, and one that only b has: if there is one each, it has another name.
CREATE TABLE renamed_file AS
SELECT max(name) FILTER (WHERE side = 'a') AS a_name, max(name) FILTER (WHERE side = 'b') AS b_name
FROM (SELECT s.name, f.is_module, min(r.side) AS side
  FROM fact f JOIN run r ON r.id = f.run_id JOIN short s ON s.file = f.file
  WHERE f.operation IS NOT NULL AND s.name <> '' GROUP BY s.name, f.is_module HAVING count(DISTINCT r.side) = 1)
GROUP BY is_module HAVING count(*) = 2 AND count(DISTINCT side) = 2;

-- The facts with places.  file: its name in a, which is that of both sides.
CREATE TABLE placed AS
SELECT f.rowid AS fact_id, r.side, f.operation, iif(t.by = 'operation', '', coalesce(n.a_name, s.name)) AS file,
  iif(t.by = 'operation', '', s.name) AS own_file,
  iif(t.by = 'operation', '', f.function) AS function, iif(t.by = 'line', f.line, 0) AS line,
  CASE
    WHEN t.by = 'operation' THEN ''
    WHEN t.by = 'function' THEN iif(f.function = '', s.name, f.function || ' in ' || s.name)
    WHEN f.is_module THEN iif(f.function = '', '', f.function || ' in ') || printf('%s+0x%x', s.name, f.line)
    ELSE s.name || iif(f.line > 0, ':' || f.line, '')
  END AS place
FROM fact f JOIN run r ON r.id = f.run_id JOIN short s ON s.file = f.file CROSS JOIN setting t
LEFT JOIN renamed_file n ON n.b_name = s.name AND r.side = 'b'
WHERE f.operation IS NOT NULL;

-- The places of each side.
CREATE TABLE site AS
SELECT row_number() OVER (ORDER BY side, operation, file, function, line) AS id, side, operation, file, function, line,
  max(place) AS place, max(own_file) AS own_file
FROM placed GROUP BY side, operation, file, function, line;
CREATE UNIQUE INDEX site_key ON site(side, operation, file, function, line);

-- By how many lines a function has moved: so that most of its calls meet one of the same operation.  A function with
-- hundreds of calls is taken to have stayed, for all of its pairs would be too many.
CREATE TABLE shift AS
SELECT file, function, lines FROM (
  SELECT file, function, lines, row_number() OVER (PARTITION BY file, function ORDER BY n DESC, abs(lines), lines) AS nth
  FROM (SELECT a.file, a.function, b.line - a.line AS lines, count(*) AS n
    FROM site a JOIN site b ON b.side = 'b' AND b.operation = a.operation AND b.file = a.file AND b.function = a.function
    WHERE a.side = 'a' AND (a.file, a.function) NOT IN (SELECT file, function FROM site GROUP BY side, file, function
      HAVING count(*) > 300)
    GROUP BY a.file, a.function, b.line - a.line))
WHERE nth = 1;
CREATE UNIQUE INDEX shift_key ON shift(file, function);

-- What of a is what of b: what meets by that; the rest of an operation in a function in the order of its lines.
CREATE TABLE pair AS
SELECT a.id AS a_id, b.id AS b_id
FROM site a LEFT JOIN shift s ON s.file = a.file AND s.function = a.function
JOIN site b ON b.side = 'b' AND b.operation = a.operation AND b.file = a.file AND b.function = a.function
  AND b.line = a.line + coalesce(s.lines, 0)
WHERE a.side = 'a';

CREATE TABLE rest AS
SELECT *, row_number() OVER (PARTITION BY side, operation, file, function ORDER BY line) AS nth FROM site
WHERE id NOT IN (SELECT a_id FROM pair) AND id NOT IN (SELECT b_id FROM pair);
CREATE UNIQUE INDEX rest_key ON rest(side, operation, file, function, nth);

INSERT INTO pair
SELECT a.id, b.id FROM rest a JOIN rest b ON b.side = 'b' AND b.operation = a.operation AND b.file = a.file
  AND b.function = a.function AND b.nth = a.nth
WHERE a.side = 'a';

-- A function that only a has, and one that only b has: it has another name, or none was known, where a line of theirs has
-- the same call, and no third function has it.
CREATE TABLE named AS
SELECT file, function, min(side) AS side FROM site GROUP BY file, function HAVING count(DISTINCT side) = 1;
CREATE UNIQUE INDEX named_key ON named(file, function, side);

CREATE TABLE renamed AS
SELECT min(id) FILTER (WHERE side = 'a') AS a_id, min(id) FILTER (WHERE side = 'b') AS b_id
FROM site JOIN named USING (file, function, side), setting
WHERE by = 'line' AND line > 0 AND id NOT IN (SELECT a_id FROM pair UNION ALL SELECT b_id FROM pair)
GROUP BY operation, file, line HAVING count(*) = 2 AND count(DISTINCT side) = 2;
INSERT INTO pair SELECT a_id, b_id FROM renamed;

-- Places of either side or both.
CREATE TABLE spot AS
SELECT row_number() OVER (ORDER BY a_id, b_id) AS id, a_id, b_id FROM (
  SELECT a_id, b_id FROM pair
  UNION ALL SELECT id, NULL FROM site WHERE side = 'a' AND id NOT IN (SELECT a_id FROM pair)
  UNION ALL SELECT NULL, id FROM site WHERE side = 'b' AND id NOT IN (SELECT b_id FROM pair));
CREATE TABLE spot_of(site_id INTEGER PRIMARY KEY, spot_id INTEGER);
INSERT INTO spot_of SELECT a_id, id FROM spot WHERE a_id IS NOT NULL UNION ALL SELECT b_id, id FROM spot WHERE b_id IS NOT NULL;

-- Each figure of each run; of sums the part of a thread, where the runs' numbers of threads differ.
CREATE TABLE figure AS
SELECT f.section, f.name, f.unit, coalesce(o.spot_id, 0) AS spot_id, r.side, f.run_id,
  sum(f.value / iif(f.summed AND (SELECT count(DISTINCT threads) FROM run) > 1, max(r.threads, 1), 1)) AS value
FROM fact f JOIN run r ON r.id = f.run_id LEFT JOIN placed p ON p.fact_id = f.rowid
LEFT JOIN site s ON s.side = p.side AND s.operation = p.operation AND s.file = p.file AND s.function = p.function
  AND s.line = p.line
LEFT JOIN spot_of o ON o.site_id = s.id
GROUP BY f.section, f.name, f.unit, coalesce(o.spot_id, 0), f.run_id;
CREATE UNIQUE INDEX figure_key ON figure(section, name, spot_id, run_id);

-- What a run has not, took no time in it.
CREATE TABLE sample AS
SELECT k.section, k.name, k.spot_id, r.side, coalesce(f.value, 0.0) AS value
FROM (SELECT DISTINCT section, name, spot_id FROM figure) k CROSS JOIN run r
LEFT JOIN figure f ON f.section = k.section AND f.name = k.name AND f.spot_id = k.spot_id AND f.run_id = r.id;

CREATE TABLE middle AS
SELECT section, name, spot_id, side, n, avg(value) FILTER (WHERE nth IN ((n + 1) / 2, n / 2 + 1)) AS median,
  min(value) AS least, max(value) AS most
FROM (SELECT *, count(*) OVER (PARTITION BY section, name, spot_id, side) AS n,
    row_number() OVER (PARTITION BY section, name, spot_id, side ORDER BY value) AS nth FROM sample)
GROUP BY section, name, spot_id, side;
CREATE UNIQUE INDEX middle_key ON middle(section, name, spot_id, side);

-- The median of the distances from the median; nothing of a single run.
CREATE TABLE spread AS
SELECT section, name, spot_id, side, avg(distance) FILTER (WHERE n > 1 AND nth IN ((n + 1) / 2, n / 2 + 1)) AS mad
FROM (SELECT *, row_number() OVER (PARTITION BY section, name, spot_id, side ORDER BY distance) AS nth
  FROM (SELECT s.*, m.n, abs(s.value - m.median) AS distance
    FROM sample s JOIN middle m USING (section, name, spot_id, side)))
GROUP BY section, name, spot_id, side;
CREATE UNIQUE INDEX spread_key ON spread(section, name, spot_id, side);

CREATE TABLE compared AS
WITH both AS (
  SELECT a.section, a.name, a.spot_id, a.n AS a_n, b.n AS b_n, a.median AS a, b.median AS b, x.mad AS a_mad, y.mad AS b_mad,
    a.least AS a_least, a.most AS a_most, b.least AS b_least, b.most AS b_most,
    sqrt((coalesce(x.mad * x.mad, 0) + coalesce(y.mad * y.mad, 0)) / ((a.n > 1) + (b.n > 1))) AS pooled
  FROM middle a JOIN middle b USING (section, name, spot_id)
  JOIN spread x ON x.section = a.section AND x.name = a.name AND x.spot_id = a.spot_id AND x.side = 'a'
  JOIN spread y ON y.section = a.section AND y.name = a.name AND y.spot_id = a.spot_id AND y.side = 'b'
  WHERE a.side = 'a' AND b.side = 'b'
), total AS (
  SELECT a, b FROM both WHERE section = 'run' AND name = 'time of all threads'
), known AS (
  SELECT section, name, spot_id, unit, max(side = 'a') AS in_a, max(side = 'b') AS in_b FROM figure
  GROUP BY section, name, spot_id
)
SELECT c.section, nullif(c.name, '') AS name, coalesce(q.operation, p.operation) AS operation, nullif(coalesce(q.place, p.place), '') AS location,
  nullif(coalesce(q.function, p.function), '') AS function, iif(q.place <> p.place, p.place, NULL) AS was,
  CASE WHEN NOT k.in_a THEN 'new' WHEN NOT k.in_b THEN 'gone' END AS state, k.unit,
  iif(k.unit = 'ns', CAST(round(c.a) AS INTEGER), c.a) AS a,
  iif(k.unit = 'ns', CAST(round(c.a_mad) AS INTEGER), c.a_mad) AS a_mad,
  iif(k.unit = 'ns', CAST(round(c.b) AS INTEGER), c.b) AS b,
  iif(k.unit = 'ns', CAST(round(c.b_mad) AS INTEGER), c.b_mad) AS b_mad,
  iif(k.unit = 'ns', CAST(round(c.pooled) AS INTEGER), c.pooled) AS mad,
  iif(k.unit = 'ns', CAST(round(c.b - c.a) AS INTEGER), c.b - c.a) AS difference,
  CASE WHEN k.unit = 'ns' THEN 100.0 * (c.b - c.a) / nullif(c.a, 0) END AS change,
  CASE WHEN k.unit = 'ns' AND c.name <> 'run time' THEN 100.0 * c.a / nullif(t.a, 0) END AS a_share,
  CASE WHEN k.unit = 'ns' AND c.name <> 'run time' THEN 100.0 * c.b / nullif(t.b, 0) END AS b_share,
  CASE WHEN k.unit = 'ns' AND c.name <> 'run time' THEN 100.0 * (c.b - c.a) / nullif(t.a, 0) END AS of_run,
  CASE
    WHEN max(c.a_n, c.b_n) = 1 THEN 'unknown'
    WHEN (c.b_least > c.a_most OR c.b_most < c.a_least) AND abs(c.b - c.a) > 3 * c.pooled THEN 'beyond'
    ELSE 'within'
  END AS noise,
  coalesce(q.line, 0) AS b_line, coalesce(p.line, 0) AS a_line, coalesce(q.own_file, '') AS b_file, coalesce(p.own_file, '') AS a_file
FROM both c CROSS JOIN total t
JOIN known k ON k.section = c.section AND k.name = c.name AND k.spot_id = c.spot_id
LEFT JOIN spot o ON o.id = c.spot_id LEFT JOIN site p ON p.id = o.a_id LEFT JOIN site q ON q.id = o.b_id;

-- In the order to be shown, nth of its section.
CREATE VIEW ranked AS
SELECT *, row_number() OVER (PARTITION BY section ORDER BY
    CASE WHEN section = 'run' THEN instr('run time, time of all threads, waiting, imbalance', name) END,
    abs(b - a) DESC, a DESC, name, operation, location, function, was) AS nth
FROM compared WHERE section = 'run' OR a <> 0 OR b <> 0;
