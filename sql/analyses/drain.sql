-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Puts whose cost shows in the call that completes them
-- group: overlap
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- param: by TEXT - line  one of line|thread: a row a line, or a row a line and thread
-- column: operation TEXT -  the put
-- column: location TEXT -  its line
-- column: thread INTEGER -  by=thread: whose; else NULL
-- column: puts INTEGER count  puts to other processes' memory
-- column: bytes INTEGER B  of them
-- column: call_ns INTEGER ns  in the puts themselves
-- column: drain_ns INTEGER ns  their part, by bytes, of the calls that completed them
-- column: completed_by TEXT -  the call in which most of drain_ns is
-- column: completed_at TEXT -  its line
-- column: completed_share REAL %  its part of drain_ns
-- column: drain_there_ns INTEGER ns  drain_ns in that call
-- column: unfinished INTEGER count  puts without a recorded completion
--
-- A blocking put returns when its source may be changed again; its data may still be in flight. The rest of its cost is
-- in the first quiet, barrier or other call that completes it (docs/analyses.md, "Completion"): its drain time. One row
-- a line of puts, most drain time first.
--
-- **How to read it:** more drain than call time: the cost of the puts is at completed_at. Issue them earlier or larger,
-- with one quiet per phase, on a separate context, or as puts with signal.
--
-- **What misleads:** a barrier also waits for others: its time is divided among the puts it completes, whatever its
-- cause. Puts to a process's own memory have no drain.
WITH lines AS (
  SELECT source_id, NULL AS thread, operations AS puts, bytes, initiation_ns AS call_ns, share_ns AS drain_ns, unfinished,
    complete_source_id, complete_ns
  FROM overlap_line WHERE :by = 'line' AND blocking
  UNION ALL
  SELECT source_id, thread_id, operations, bytes, initiation_ns, share_ns, unfinished, complete_source_id, complete_ns
  FROM overlap_total WHERE :by = 'thread' AND blocking
), shown AS MATERIALIZED (
  SELECT l.*, p.operation, p.location
  FROM lines l CROSS JOIN place p ON p.source_id = l.source_id
  ORDER BY l.drain_ns DESC, p.operation, p.location, l.source_id, l.thread
  LIMIT :limit
)
SELECT s.operation, s.location, s.thread, s.puts, s.bytes, s.call_ns, s.drain_ns,
  q.operation AS completed_by,
  q.location AS completed_at,
  iif(s.drain_ns > 0, 100.0 * s.complete_ns / s.drain_ns, NULL) AS completed_share,
  s.complete_ns AS drain_there_ns,
  s.unfinished
FROM shown s LEFT JOIN place q ON q.source_id = s.complete_source_id
ORDER BY s.drain_ns DESC, s.operation, s.location, s.source_id, s.thread;
