-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Defects of the data and oddities of the program
-- group: recording
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: kind TEXT - NULL  found in quality.kind: this kind only
-- param: severity TEXT - NULL  one of loss|warning|note: this severity only
-- column: severity TEXT -  loss: data is missing; warning: figures are affected; note: a fact about the program
-- column: kind TEXT -  kind of defect
-- column: cases INTEGER count  number of cases, in all rows
-- column: threads INTEGER count  threads concerned
-- column: bytes INTEGER B  affected, where known
-- column: time_ns INTEGER ns  affected, where known
-- column: example TEXT -  the first one's detail
-- column: meaning TEXT -  its meaning
-- column: advice TEXT -  what to do
--
-- One row for each kind, worst first. The rows themselves are in table `quality`.
WITH kinds AS (
  SELECT severity, kind, sum(count) AS cases, count(DISTINCT thread_id) AS threads, sum(bytes) AS bytes,
    sum(time_ns) AS time_ns, min(id) AS first
  FROM quality
  WHERE (:kind IS NULL OR kind = :kind) AND (:severity IS NULL OR severity = :severity)
  GROUP BY kind, severity
)
SELECT q.severity, q.kind, q.cases, q.threads, q.bytes, q.time_ns, f.detail AS example, k.summary AS meaning,
  k.advice AS advice
FROM kinds q JOIN quality f ON f.id = q.first LEFT JOIN quality_kind k ON k.kind = q.kind
ORDER BY CASE q.severity WHEN 'loss' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, q.cases DESC, q.kind, q.severity
LIMIT :limit;
