-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Non-blocking operations: exposed time, overlapped time
-- group: overlap
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|thread: a row a line, or a row a line and thread
-- column: operation TEXT -  the call that begins them
-- column: location TEXT -  its line
-- column: thread INTEGER -  by=thread: whose; else NULL
-- column: operations INTEGER count  operations begun
-- column: bytes INTEGER B  of them
-- column: exposed_ns INTEGER ns  in the calls that begin and complete them: the saving of a perfect overlap
-- column: overlapped_ns INTEGER ns  computation while each was in flight, summed
-- column: ratio REAL %  overlapped_ns of overlapped_ns + exposed_ns
-- column: in_flight_ns INTEGER ns  while at least one of the line was in flight, summed over threads
-- column: measured REAL %  share of operations with recorded times of the data in flight
-- column: unfinished INTEGER count  operations without a recorded completion
-- column: completed_by TEXT -  the call that completes most of their exposed time
-- column: completed_at TEXT -  its line
-- column: completed_share REAL %  its part of the time in completing calls
--
-- One row a line that begins non-blocking operations (puts, gets, sends, receives, collectives), most exposed first. An
-- operation is exposed in the call that begins it and in its part, by bytes, of the first call that completes it;
-- overlapped time is its thread's computation between the two. The rules of completion are in docs/analyses.md,
-- "Completion".
--
-- **How to read it:** exposed, and a ratio near 0: the operation is waited for at once; move work between it and the
-- completing call. Exposed in spite of a long time in flight: the library makes no progress while the program computes.
--
-- **What misleads:** overlapped time is an upper bound unless measured is 100 %: the data need not have moved during the
-- computation. Of operations in flight together each has its own overlapped time; in_flight_ns counts them once.
WITH lines AS (
  SELECT source_id, NULL AS thread, operations, bytes, initiation_ns + share_ns AS exposed_ns, overlapped_ns, in_flight_ns,
    measured, unfinished, share_ns, complete_source_id, complete_ns
  FROM overlap_line WHERE :by = 'line' AND NOT blocking
  UNION ALL
  SELECT source_id, thread_id, operations, bytes, initiation_ns + share_ns, overlapped_ns, in_flight_ns, measured, unfinished,
    share_ns, complete_source_id, complete_ns
  FROM overlap_total WHERE :by = 'thread' AND NOT blocking
), shown AS MATERIALIZED (
  SELECT l.*, p.operation, p.location
  FROM lines l CROSS JOIN place p ON p.source_id = l.source_id
  ORDER BY l.exposed_ns DESC, p.operation, p.location, l.source_id, l.thread
  LIMIT :limit
)
SELECT s.operation, s.location, s.thread, s.operations, s.bytes, s.exposed_ns, s.overlapped_ns,
  iif(s.exposed_ns + s.overlapped_ns > 0, 100.0 * s.overlapped_ns / (s.exposed_ns + s.overlapped_ns), NULL) AS ratio,
  s.in_flight_ns,
  100.0 * s.measured / s.operations AS measured,
  s.unfinished,
  q.operation AS completed_by,
  q.location AS completed_at,
  iif(s.share_ns > 0, 100.0 * s.complete_ns / s.share_ns, NULL) AS completed_share
FROM shown s LEFT JOIN place q ON q.source_id = s.complete_source_id
ORDER BY s.exposed_ns DESC, s.operation, s.location, s.source_id, s.thread;
