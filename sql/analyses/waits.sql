-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Waiting by kind, waiting line and cause line
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
-- column: waits INTEGER -  how many
-- column: wait_ns INTEGER ns  their time
-- column: share REAL %  of the time of all threads
-- column: mean_ns REAL ns  of one
-- column: longest_ns INTEGER ns  the longest
-- column: threads INTEGER -  how many threads waited
-- column: cause_thread INTEGER -  the thread that was waited for most
-- column: cause_share REAL %  how much of the time was for it
--
-- All waiting that the analyses found, most first.  Single waits, with their calls, are in table `wait` and, with names,
-- in view `waits`.
--
-- A wait lies within its call, and waits of one call never overlap, so they may be added.  Where an empty cause stands,
-- nobody is known to blame: a lock's hand-over, or a member of a barrier that never came.
WITH waited AS (
  SELECT w.kind, p.operation, p.location, c.operation AS cause_operation, c.location AS cause_location,
    w.thread_id, w.cause_thread_id, sum(w.waits) AS waits, sum(w.time_ns) AS ns, max(w.longest_ns) AS longest_ns
  FROM wait_total w JOIN place p ON p.source_id = w.source_id LEFT JOIN place c ON c.source_id = w.cause_source_id
  WHERE (:thread IS NULL OR w.thread_id = :thread) AND (:cause IS NULL OR w.cause_thread_id = :cause)
    AND (:kind IS NULL OR w.kind = :kind)
  GROUP BY w.kind, p.operation, p.location, c.operation, c.location, w.thread_id, w.cause_thread_id
), caused AS (
  SELECT *, sum(ns) OVER (PARTITION BY kind, operation, location, cause_operation, cause_location, cause_thread_id) AS cause_ns,
    row_number() OVER (PARTITION BY kind, operation, location, cause_operation, cause_location, thread_id
      ORDER BY cause_thread_id) AS nth_of_thread
  FROM waited
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY kind, operation, location, cause_operation, cause_location
    ORDER BY cause_ns DESC, cause_thread_id) AS place_no FROM caused
)
SELECT r.kind, r.operation, r.location, r.cause_operation, r.cause_location,
  sum(r.waits) AS waits,
  sum(r.ns) AS wait_ns,
  100.0 * sum(r.ns) / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  1.0 * sum(r.ns) / sum(r.waits) AS mean_ns,
  max(r.longest_ns) AS longest_ns,
  count(*) FILTER (WHERE r.nth_of_thread = 1) AS threads,
  max(r.cause_thread_id) FILTER (WHERE r.place_no = 1) AS cause_thread,
  100.0 * max(r.cause_ns) FILTER (WHERE r.cause_thread_id IS NOT NULL) / sum(r.ns) AS cause_share
FROM ranked r
GROUP BY r.kind, r.operation, r.location, r.cause_operation, r.cause_location
HAVING sum(r.ns) >= :min_wait
ORDER BY sum(r.ns) DESC, r.kind, r.operation, r.location, r.cause_operation, r.cause_location
LIMIT :limit;
