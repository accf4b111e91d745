-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Waiting by kind, waiting line and cause line
-- group: waiting
-- needs: trace
-- param: limit INTEGER - 30  at least -1: rows at most, -1 for all
-- param: thread INTEGER - NULL  found in thread.id: only what this thread waited
-- param: cause INTEGER - NULL  found in thread.id: only waits for this thread
-- param: kind TEXT - NULL  found in wait_total.kind: only this kind
-- param: min_wait INTEGER ns 0  at least 0: leave out rows with less waiting
-- column: kind TEXT -  kind of waiting
-- column: operation TEXT -  the call that waited
-- column: location TEXT -  where it is
-- column: cause_operation TEXT -  the call that was waited for; locks: that took the lock; empty if not known
-- column: cause_location TEXT -  where that is
-- column: waits INTEGER count  how many
-- column: wait_ns INTEGER ns  their time
-- column: share REAL %  of the time of all threads
-- column: mean_ns REAL ns  of one
-- column: longest_ns INTEGER ns  the longest
-- column: threads INTEGER count  threads that waited
-- column: cause_thread INTEGER -  the thread that was waited for most
-- column: cause_share REAL %  its share of the time
-- column: error_ns INTEGER ns  by how much wait_ns may be off by the error of the clocks of several hosts; empty: not, or not known
--
-- All waiting, most first. Single waits, with their calls, are in table `wait` and, with names, in view `waits`.
--
-- A wait lies within its call, and waits of one call never overlap, so they may be added. An empty cause is not known: a
-- lock's hand-over, or a member of a barrier that never arrived.
WITH spot AS MATERIALIZED ( -- threads are many, lines are few: names come last; lines of one operation and place count as the first
  SELECT source_id, operation, location, min(source_id) OVER (PARTITION BY operation, location) AS spot FROM place
), waited AS MATERIALIZED (
  SELECT w.kind, s.spot, c.spot AS cause_spot, w.thread_id, w.cause_thread_id, w.waits, w.time_ns AS ns, w.longest_ns, w.error_ns
  FROM wait_total w JOIN spot s ON s.source_id = w.source_id LEFT JOIN spot c ON c.source_id = w.cause_source_id
  WHERE (:thread IS NULL OR w.thread_id = :thread) AND (:cause IS NULL OR w.cause_thread_id = :cause)
    AND (:kind IS NULL OR w.kind = :kind)
), lines AS (
  SELECT kind, spot, cause_spot, sum(waits) AS waits, sum(ns) AS ns, max(longest_ns) AS longest_ns, iif(count(*) = count(error_ns), sum(error_ns), NULL) AS error_ns,
    count(DISTINCT thread_id) AS threads
  FROM waited GROUP BY kind, spot, cause_spot
), ranked AS (
  SELECT kind, spot, cause_spot, cause_thread_id, sum(ns) AS ns,
    row_number() OVER (PARTITION BY kind, spot, cause_spot ORDER BY sum(ns) DESC, cause_thread_id) AS place_no
  FROM waited GROUP BY kind, spot, cause_spot, cause_thread_id
), caused AS (
  SELECT kind, spot, cause_spot, max(cause_thread_id) FILTER (WHERE place_no = 1) AS thread,
    max(ns) FILTER (WHERE cause_thread_id IS NOT NULL) AS ns
  FROM ranked GROUP BY kind, spot, cause_spot
)
SELECT l.kind, p.operation, p.location, q.operation AS cause_operation, q.location AS cause_location,
  l.waits,
  l.ns AS wait_ns,
  100.0 * l.ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  1.0 * l.ns / l.waits AS mean_ns,
  l.longest_ns, l.threads,
  c.thread AS cause_thread,
  100.0 * c.ns / l.ns AS cause_share,
  nullif(l.error_ns, 0) AS error_ns
FROM lines l JOIN caused c ON c.kind = l.kind AND c.spot = l.spot AND c.cause_spot IS l.cause_spot
JOIN spot p ON p.source_id = l.spot LEFT JOIN spot q ON q.source_id = l.cause_spot
WHERE l.ns >= :min_wait
ORDER BY l.ns DESC, l.kind, p.operation, p.location, q.operation, q.location
LIMIT :limit;
