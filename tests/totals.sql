-- SPDX-License-Identifier: GPL-3.0-or-later
-- What profile_total, spread and traffic_total must hold, by definition, from profile and traffic.  Tables, for a run may
-- have very many lines.
-- Threads with sums of a profile beside their trace (mode both), or after it: they have no less than the events have. Beside it they are
-- rounded once, not once for each event, and the collector's own work is none of theirs: events may have so many ns more.
CREATE TEMP TABLE profiled AS
SELECT thread_id, iif(key = 'mode', (SELECT count(*) FROM main.event e WHERE e.thread_id = m.thread_id) +
  coalesce((SELECT time_ns FROM main.category_time c WHERE c.thread_id = m.thread_id AND category = 'tool'), 0), 0) AS slack_ns
FROM main.thread_meta m WHERE key IN ('mode', 'profile_from_ns');
CREATE TEMP TABLE member AS -- of which groups a source is
SELECT 'call' AS grouping, source_id, +source_id AS of, 0 AS only_system FROM main.place
UNION ALL
SELECT 'operation', source_id, operation_id, 0 FROM main.place
UNION ALL
SELECT 'line', source_id, quote(file) || quote(line) || quote(function) || location, 1 FROM main.place
WHERE location IS NOT NULL
UNION ALL
SELECT 'category', source_id, category, 0 FROM main.place;
CREATE INDEX temp.member_source ON member(source_id);

CREATE TEMP TABLE member_row AS
SELECT m.grouping, m.of, f.*, r.event_cost_ns,
  iif(m.grouping = 'operation', f.total_ns - f.again_ns, f.total_ns) AS once_ns,
  1.0 * (f.total_ns + f.inner_ns) / f.calls AS own_mean_ns,
  1.0 * sum(f.total_ns + f.inner_ns) OVER w / sum(f.calls) OVER w AS mean_ns
FROM main.profile f JOIN member m ON m.source_id = f.source_id
LEFT JOIN main.recording r ON r.thread_id = f.thread_id
WHERE m.grouping <> 'category' AND (f.self_ns IS NOT NULL OR NOT m.only_system)
WINDOW w AS (PARTITION BY m.grouping, m.of, f.nested);

CREATE TEMP TABLE longest AS
SELECT * FROM (
  SELECT grouping, nested, of, thread_id, sum(self_ns) AS ns,
    row_number() OVER (PARTITION BY grouping, nested, of ORDER BY sum(self_ns) DESC, thread_id) AS place_no
  FROM member_row GROUP BY grouping, nested, of, thread_id)
WHERE place_no = 1;
CREATE INDEX temp.longest_group ON longest(grouping, nested, of);

CREATE TEMP TABLE expected_profile_total AS
SELECT m.grouping, m.nested, min(m.source_id) AS source_id, count(DISTINCT m.source_id) AS sources,
  count(DISTINCT m.thread_id) AS threads, sum(m.calls) AS calls, sum(m.once_ns) AS total_ns, sum(m.total_ns - m.once_ns + m.inner_ns) AS inner_ns, sum(m.self_ns) AS self_ns,
  min(m.min_ns) AS min_ns, max(m.max_ns) AS max_ns, sum(m.calls) * sum(m.variation / m.calls + m.calls * (m.own_mean_ns - m.mean_ns) * (m.own_mean_ns - m.mean_ns)) AS variation, sum(m.bytes) AS bytes,
  sum(m.open) AS open, t.ns AS longest_ns, iif(t.ns IS NULL, NULL, t.thread_id) AS longest_thread_id,
  coalesce(sum(m.calls) FILTER (WHERE m.event_cost_ns IS NOT NULL), 0) AS costed_calls,
  coalesce(sum(m.raw_events) FILTER (WHERE m.event_cost_ns IS NOT NULL), 0) AS costed_events,
  sum(m.self_ns) FILTER (WHERE m.event_cost_ns IS NOT NULL) AS costed_ns,
  total(m.raw_events * m.event_cost_ns) AS cost_ns, total(m.recorded * m.event_cost_ns) AS inside_ns
FROM member_row m JOIN longest t ON t.grouping = m.grouping AND t.nested = m.nested AND t.of = m.of
GROUP BY m.grouping, m.nested, m.of;

CREATE TEMP TABLE expected_spread AS
WITH logged AS (
  SELECT id, row_number() OVER (ORDER BY id) AS no FROM main.thread WHERE first_ns IS NOT NULL
), of_thread AS (
  SELECT m.grouping, f.nested, m.of, f.thread_id, q.value AS quantity, min(f.source_id) AS source_id,
    sum(CASE q.value WHEN 'time' THEN coalesce(f.self_ns, f.total_ns - iif(m.grouping = 'operation', f.again_ns, 0)) WHEN 'calls' THEN f.calls
      ELSE coalesce(f.bytes, 0) END) AS v, count(f.bytes) AS with_bytes
  FROM main.profile f JOIN member m ON m.source_id = f.source_id, json_each('["time","calls","bytes"]') q
  WHERE (f.self_ns IS NOT NULL OR NOT m.only_system) AND (q.value <> 'time' OR m.grouping <> 'category')
  GROUP BY 1, 2, 3, 4, 5
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY grouping, nested, of, quantity ORDER BY v DESC, thread_id) AS from_top,
    row_number() OVER (PARTITION BY grouping, nested, of, quantity ORDER BY v, thread_id) AS from_bottom,
    row_number() OVER (PARTITION BY grouping, nested, of, quantity ORDER BY thread_id) AS no,
    avg(v) OVER (PARTITION BY grouping, nested, of, quantity) AS average
  FROM of_thread
), grouped AS (
  -- The threads of a group are the first ones as long as their numbers are those in it.
  SELECT grouping, nested, min(source_id) AS source_id, quantity, count(*) AS threads, sum(v) AS total, max(v) AS maximum,
    max(thread_id) FILTER (WHERE from_top = 1) AS max_thread_id, min(v) AS minimum,
    max(thread_id) FILTER (WHERE from_bottom = 1) AS min_thread_id,
    1 + coalesce(sum(l.no = r.no), 0) AS other_no,
    total((v - average) * (v - average)) AS square
  FROM ranked r LEFT JOIN logged l ON l.id = r.thread_id
  GROUP BY grouping, nested, of, quantity HAVING quantity <> 'bytes' OR sum(with_bytes) > 0
)
SELECT g.grouping, g.nested, g.source_id, g.quantity, g.threads, g.total, g.maximum, g.max_thread_id, g.minimum,
  g.min_thread_id, o.id AS first_other_id, g.square
FROM grouped g LEFT JOIN logged o ON o.no = g.other_no;

CREATE TEMP TABLE expected_traffic_total AS
WITH process AS (
  SELECT id, CASE WHEN rank IS NULL THEN id ELSE min(id) OVER (PARTITION BY rank) END AS first FROM main.thread
)
SELECT p.first AS initiator, t.peer AS owner, t.direction, t.from_bytes, sum(t.operations) AS operations, sum(t.bytes) AS bytes,
  sum(t.time_ns) AS time_ns
FROM main.traffic t JOIN process p ON p.id = t.thread_id
GROUP BY p.first, t.peer, t.direction, t.from_bytes;
