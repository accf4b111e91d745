-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Non-blocking operations: exposed time, overlapped time
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|thread: a row a line, or a row a line and thread
-- column: operation TEXT -  the call that begins them
-- column: location TEXT -  its line
-- column: thread INTEGER -  by=thread: whose; else NULL
-- column: operations INTEGER -  how many it began
-- column: bytes INTEGER B  of them
-- column: exposed_ns INTEGER ns  in the calls that begin and complete them: time that a perfect overlap would save
-- column: overlapped_ns INTEGER ns  computation while each was under way, summed
-- column: ratio REAL %  overlapped_ns of overlapped_ns + exposed_ns
-- column: in_flight_ns INTEGER ns  while at least one of the line was under way, threads summed
-- column: measured REAL %  of how many it was recorded when the data were in flight
-- column: unfinished INTEGER -  how many were not seen complete
-- column: completed_by TEXT -  the call that completes most of their exposed time
-- column: completed_at TEXT -  its line
-- column: completed_share REAL %  its part of the time in completing calls
--
-- One row a line that begins non-blocking operations (puts, gets, sends, receives, collectives), most exposed first.  An
-- operation is exposed in the call that begins it and in its part, by bytes, of the first call that completes it;
-- overlapped is what its thread computed between the two.  Which call completes what: docs/analyses.md, "Completion".
--
-- **How to read it:** exposed, and a ratio near 0: the operation is waited for at once; move the completing call down, or
-- work between.  Exposed in spite of a long time in flight: the library makes no progress by itself while the program
-- computes.
--
-- **What misleads:** overlapped is an upper bound unless measured is 100 %: that the thread computed does not prove that
-- data moved meanwhile.  Of operations under way together each has its own overlapped time; in_flight_ns counts them once.
WITH lines AS ( -- Of all threads: -1.  Casts: an index can be made only of what is known to be a number.
  SELECT t.source_id, CAST(iif(:by = 'thread', t.thread_id, -1) AS INTEGER) AS thread, sum(t.operations) AS operations,
    sum(t.bytes) AS bytes, sum(t.initiation_ns + t.share_ns) AS exposed_ns, sum(t.overlapped_ns) AS overlapped_ns,
    sum(t.in_flight_ns) AS in_flight_ns, sum(t.measured) AS measured, sum(t.unfinished) AS unfinished
  FROM overlap_total t WHERE NOT t.blocking GROUP BY 1, 2
), completers AS (
  SELECT c.source_id, CAST(iif(:by = 'thread', c.thread_id, -1) AS INTEGER) AS thread, c.complete_source_id, sum(c.share_ns) AS share_ns,
    sum(c.operations) AS operations
  FROM completion_total c GROUP BY 1, 2, 3
), ranked AS (
  SELECT *, sum(share_ns) OVER w AS all_ns, row_number() OVER (
    PARTITION BY source_id, thread ORDER BY share_ns DESC, operations DESC, complete_source_id) AS place_no
  FROM completers WINDOW w AS (PARTITION BY source_id, thread)
)
SELECT p.operation, p.location, nullif(l.thread, -1) AS thread, l.operations, l.bytes, l.exposed_ns, l.overlapped_ns,
  iif(l.exposed_ns + l.overlapped_ns > 0, 100.0 * l.overlapped_ns / (l.exposed_ns + l.overlapped_ns), NULL) AS ratio,
  l.in_flight_ns,
  100.0 * l.measured / l.operations AS measured,
  l.unfinished,
  q.operation AS completed_by,
  q.location AS completed_at,
  iif(r.all_ns > 0, 100.0 * r.share_ns / r.all_ns, NULL) AS completed_share
FROM lines l JOIN place p ON p.source_id = l.source_id
LEFT JOIN ranked r ON r.source_id = l.source_id AND r.thread = l.thread AND r.place_no = 1
LEFT JOIN place q ON q.source_id = r.complete_source_id
ORDER BY l.exposed_ns DESC, p.operation, p.location, l.source_id, l.thread
LIMIT :limit;
