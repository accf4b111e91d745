-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/messages: sends, receives, and the markers between them.

-- A copy of p2p in the order of posts, for a p2p that is not: a posting call has called back the program, which posted first.
-- name: ordered_p2p
CREATE TEMP TABLE gaspdb_p2p AS SELECT row_number() OVER (ORDER BY thread_id, posted_ns, id) AS id, thread_id, direction,
  post_event_id, complete_event_id, team_id, peer, tag, bytes, posted_peer, posted_tag, limit_bytes, posted_ns, completed_ns,
  request, number, state, error
FROM p2p;
CREATE UNIQUE INDEX temp.gaspdb_p2p_id ON gaspdb_p2p(id)

-- Is a log damaged?
-- name: any_damage
SELECT 1 FROM gap WHERE kind = 'damage' LIMIT 1

-- Were messages sent or received while recording was off?
-- name: any_passed
SELECT 1 FROM passed LIMIT 1

-- Messages lost with damaged blocks, as markers (below).
-- name: lost_make
CREATE TEMP TABLE gaspdb_lost(process, at, kind, team, sender, receiver, tag, count, thread)

-- Threads, their processes, whether their logs are whole but for damaged blocks; number of damaged blocks, start and end of the
-- first in ns.
-- name: lost_threads
CREATE TEMP TABLE gaspdb_thread_loss(id INTEGER PRIMARY KEY, process, gaps, start_ns, end_ns, whole);
INSERT INTO temp.gaspdb_thread_loss SELECT id, @process_of_thread, coalesce(g.gaps, 0), g.start_ns, g.end_ns,
  t.first_ns IS NOT NULL AND @to_the_end
FROM thread t LEFT JOIN (SELECT thread_id, count(*) AS gaps, min(start_ns) AS start_ns, min(end_ns) AS end_ns
  FROM gap WHERE kind = 'damage' GROUP BY thread_id) g ON g.thread_id = t.id;

-- The same of processes.  Messages whose channel is lost count as missing on an unknown channel, after the block.  Where several
-- threads post, a lost posting may lie anywhere between those of other threads, and counts as lost in several places.
-- name: lost_processes
CREATE TEMP TABLE gaspdb_process_loss(process INTEGER PRIMARY KEY, gaps, start_ns, end_ns, thread, whole);
INSERT INTO temp.gaspdb_process_loss SELECT t.process,
  CASE WHEN sum(t.gaps) THEN sum(t.gaps) + sum(t.gaps = 0 AND p.thread_id IS NOT NULL) ELSE 0 END,
  min(t.start_ns), min(t.end_ns), min(iif(t.gaps, t.id, NULL)), min(t.whole AND NOT coalesce(p.strays, 0))
FROM temp.gaspdb_thread_loss t LEFT JOIN (
  SELECT thread_id, max(team_id IS NULL AND state NOT IN ('cancelled', 'null', 'passed')) AS strays
  FROM (SELECT thread_id, team_id, state FROM p2p
    UNION ALL SELECT thread_id, team_id, 'passed' FROM passed WHERE sends > 0 OR receives > 0)
  GROUP BY thread_id) p ON p.thread_id = t.id
GROUP BY t.process;

-- Recorded ends per channel of processes with damage.  unclear: an end was never completed, and its completion was not lost;
-- before_ns: post of the last receive before the damage.
-- name: lost_channels
CREATE TEMP TABLE gaspdb_channel_ends AS WITH ends AS (
  SELECT p.team_id AS team, t.process AS own, coalesce(p.peer, p.posted_peer) AS other, coalesce(p.tag, p.posted_tag) AS tag,
    p.direction = 'send' AS sends, p.direction = 'receive' AS receives,
    p.state = 'open' AND (w.gaps = 0 OR p.posted_ns > w.start_ns) AS unclear,
    iif(p.direction = 'receive' AND p.posted_ns <= w.start_ns, p.posted_ns, NULL) AS before_ns
  FROM p2p p JOIN temp.gaspdb_thread_loss t ON t.id = p.thread_id JOIN temp.gaspdb_process_loss w ON w.process = t.process
  WHERE p.state NOT IN ('cancelled', 'null')
  UNION ALL SELECT q.team_id, t.process, q.peer, q.tag, q.sends, 0, 0, NULL
  FROM passed q JOIN temp.gaspdb_thread_loss t ON t.id = q.thread_id WHERE q.sends > 0
  UNION ALL SELECT q.team_id, t.process, q.peer, q.tag, 0, q.receives, 0, NULL
  FROM passed q JOIN temp.gaspdb_thread_loss t ON t.id = q.thread_id WHERE q.receives > 0)
SELECT team, CASE WHEN sends > 0 THEN own ELSE other END AS sender, CASE WHEN sends > 0 THEN other ELSE own END AS receiver, tag,
  sum(sends) AS sends, sum(receives) AS receives, max(unclear) AS unclear, max(before_ns) AS before_ns
FROM ends
WHERE tag IS NOT NULL AND EXISTS (SELECT 1 FROM temp.gaspdb_process_loss WHERE process IN (own, other) AND gaps)
  AND other IS NOT NULL
GROUP BY 1, 2, 3, 4;

-- Receives with a wildcard whose completion was lost, as the first posting of each envelope in a process.
-- name: lost_wildcards
CREATE TEMP TABLE gaspdb_wildcard AS SELECT w.process, p.team_id AS team, p.posted_peer AS sender, p.posted_tag AS tag,
  min(p.posted_ns) AS posted_ns
FROM p2p p JOIN temp.gaspdb_thread_loss t ON t.id = p.thread_id JOIN temp.gaspdb_process_loss w ON w.process = t.process
WHERE p.state = 'open' AND p.direction = 'receive' AND p.posted_ns < w.end_ns
  AND (coalesce(p.peer, p.posted_peer) IS NULL OR coalesce(p.tag, p.posted_tag) IS NULL)
GROUP BY 1, 2, 3, 4;

-- Lost messages: on the side that lost them, at the end of the damage; where their number is unknown (-1), at its start, before the
-- postings of other threads in between.
-- name: lost_messages
INSERT INTO temp.gaspdb_lost SELECT process, iif(count < 0, start_ns + 1, end_ns), kind, team, sender, receiver, tag, count, thread
FROM (SELECT w.*, k.kind, n.team, n.sender, n.receiver, n.tag,
  CASE WHEN NOT w.whole OR o.gaps OR NOT o.whole OR n.unclear THEN -1 WHEN n.sends = n.receives THEN 0
    WHEN w.gaps > 1 OR (k.kind = 1 AND EXISTS (
      SELECT 1 FROM temp.gaspdb_wildcard a WHERE a.process = w.process AND a.team IS n.team
        AND coalesce(a.sender, n.sender) = n.sender AND coalesce(a.tag, n.tag) = n.tag AND a.posted_ns < n.before_ns)) THEN -1
    ELSE max(-1, CASE k.kind WHEN 0 THEN n.receives - n.sends ELSE n.sends - n.receives END) END AS count
  FROM temp.gaspdb_channel_ends n, (SELECT 0 AS kind UNION ALL SELECT 1) k
  JOIN temp.gaspdb_process_loss w ON w.gaps AND w.process = CASE k.kind WHEN 0 THEN n.sender ELSE n.receiver END
  JOIN temp.gaspdb_process_loss o ON o.process = CASE k.kind WHEN 0 THEN n.receiver ELSE n.sender END)
WHERE count <> 0;

-- Removal of the tables that lost_messages needs.
-- name: lost_finish
DROP TABLE temp.gaspdb_wildcard;
DROP TABLE temp.gaspdb_channel_ends;
DROP TABLE temp.gaspdb_process_loss;
DROP TABLE temp.gaspdb_thread_loss

-- Markers between sends and receives, each before the ends that follow it: messages while recording was off (kind 0: sends,
-- 1: receives), lost messages, probes (kind 2).
-- name: markers_make
CREATE TEMP TABLE gaspdb_marker(id INTEGER PRIMARY KEY, process, at, event, kind, team, sender, receiver, tag, count, thread, source,
  until, guessed);
WITH process AS (SELECT id, @process_of_thread AS first FROM thread)
INSERT INTO temp.gaspdb_marker SELECT NULL, * FROM (
  SELECT c.first, q.ns, NULL, 0, q.team_id, c.first, q.peer, q.tag, q.sends, q.thread_id, NULL, NULL, 0
  FROM passed q JOIN process c ON c.id = q.thread_id WHERE q.sends > 0 AND q.peer IS NOT NULL
  UNION ALL
  SELECT c.first, q.ns, NULL, 1, q.team_id, q.peer, c.first, q.tag, q.receives, q.thread_id, NULL, NULL, 0
  FROM passed q JOIN process c ON c.id = q.thread_id WHERE q.receives > 0 AND q.peer IS NOT NULL
  UNION ALL
  SELECT c.first, e.start_ns, e.id, 2, @argument_of(e.id, 'team'), e.peer, c.first,
    coalesce(@argument_of(e.id, 'receive_tag'), @argument_of(e.id, 'tag')) AS label, 0, e.thread_id, e.source_id,
    e.start_ns + e.duration_ns, 0
  FROM event e JOIN process c ON c.id = e.thread_id
  WHERE e.nested = 0 AND e.open = 0 AND e.peer IS NOT NULL AND e.source_id IN (
    SELECT s.id FROM source s JOIN operation o ON o.id = s.operation_id WHERE o.type IN ('probe', 'probe_nb')) AND label IS NOT NULL
  UNION ALL
  SELECT process, at, NULL, kind, team, sender, receiver, tag, count, thread, NULL, NULL, 1 FROM temp.gaspdb_lost)
ORDER BY 2, 3, 4, 5;
DROP TABLE temp.gaspdb_lost

-- First and last marker of each process.
-- name: marker_ranges
SELECT process, min(id), max(id) FROM temp.gaspdb_marker GROUP BY process

-- Removal of the temporary tables.
-- name: streams_finish
DROP TABLE IF EXISTS temp.gaspdb_marker;
DROP TABLE IF EXISTS temp.gaspdb_p2p

-- Open requests that are no messages: posting call, thread, bytes, start in ns.
-- name: open_requests
SELECT e.id, e.thread_id, e.bytes, e.start_ns FROM collective_request c CROSS JOIN event e ON e.id = c.post_event_id
WHERE c.complete_event_id IS NULL AND NOT c.unseen

-- Sends and receives of a thread by outcome: a row of p2p_total.
-- name: p2p_total_add
INSERT INTO p2p_total(thread_id, operations, bytes, direction, outcome) VALUES(?1, ?2, ?3, ?4, ?5)

-- Sends of a thread by size: a row of size_total.
-- name: send_size_add
INSERT INTO size_total(thread_id, from_bytes, operations, bytes, direction) VALUES(?1, ?2, ?3, ?4, 'send')

-- Sources of synchronous sends.
-- name: synchronous_sends
SELECT s.id FROM source s JOIN operation o ON o.id = s.operation_id WHERE o.name IN ('MPI_Ssend', 'MPI_Issend')
