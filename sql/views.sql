-- SPDX-License-Identifier: GPL-3.0-or-later
-- Views with names for people on top of the tables of schema.sql and the roll-ups.  A location is short, file:line or
-- function+offset, module+offset of a function without a name, NULL where nothing is known; of several files of one name with the folders that tell them apart.  The plurals are for reading: seconds, and ranks instead of thread ids.

-- A source with the names of its operation.
CREATE VIEW place AS
SELECT s.id AS source_id, o.id AS operation_id, o.name AS operation, o.symbol, o.type, o.category, o.model,
  s.function, s.file, s.line,
  CASE
    WHEN s.file IS NOT NULL
      THEN coalesce((SELECT name FROM file_name n WHERE n.file = s.file),
        replace(s.file, rtrim(s.file, replace(s.file, '/', '')), '')) || coalesce(':' || s.line, '')
    WHEN s.function IS NOT NULL AND s.function_offset IS NOT NULL THEN s.function || printf('+0x%x', s.function_offset)
    WHEN s.module IS NOT NULL
      THEN coalesce((SELECT name FROM file_name n WHERE n.file = s.module),
        replace(s.module, rtrim(s.module, replace(s.module, '/', '')), '')) || printf('+0x%x', s.offset)
  END AS location
FROM source s JOIN operation o ON o.id = s.operation_id;

-- Events with names, in the units of the tables.
CREATE VIEW call AS
SELECT e.id, e.thread_id AS thread, p.operation, p.location, p.function, e.start_ns, e.duration_ns, e.self_ns, e.bytes,
  e.peer,
  coalesce(b.name, CASE e.object >> 62 WHEN 1 THEN printf('0x%x', e.object & (1 << 62) - 1) ELSE e.object END) AS object, p.type, p.category,
  e.parent_id, e.nested, e.open
FROM event e JOIN place p ON p.source_id = e.source_id LEFT JOIN object b ON b.id = e.object;

-- The same of a part of a thread's time, at once however many events there are: what starts between :from and :to,
--   SELECT * FROM call_at WHERE thread = 3 AND until_ns >= :from AND since_ns <= :to AND start_ns BETWEEN :from AND :to
-- since_ns .. until_ns are the starts of the piece of 1,024 events in which it is.
CREATE VIEW call_at AS
SELECT c.thread_id AS thread, c.start_ns AS since_ns, c.last_start_ns AS until_ns, e.id, p.operation, p.location,
  p.function, e.start_ns, e.duration_ns, e.self_ns, e.bytes, e.peer,
  coalesce(b.name, CASE e.object >> 62 WHEN 1 THEN printf('0x%x', e.object & (1 << 62) - 1) ELSE e.object END) AS object, p.type,
  p.category, e.parent_id, e.nested, e.open
FROM event_piece c CROSS JOIN event e ON e.id BETWEEN c.first_event AND c.last_event
JOIN place p ON p.source_id = e.source_id LEFT JOIN object b ON b.id = e.object;

-- The further arguments of events, by name.
CREATE VIEW call_argument AS
SELECT x.id >> 6 AS event_id, a.phase, a.name, x.value
FROM event_arg x JOIN argument a ON a.id = x.argument_id;

-- Waiting with names: who waited where, for whom.
CREATE VIEW waiting AS
SELECT w.id, w.kind, w.thread_id AS thread, p.operation, p.location, w.start_ns, w.end_ns - w.start_ns AS wait_ns,
  w.cause_thread_id AS cause_thread, c.operation AS cause_operation, c.location AS cause_location, w.cause_ns,
  w.event_id, w.cause_event_id, w.clamped, w.bound,
  CASE w.wrong_order WHEN 1 THEN 'same source' WHEN 2 THEN 'different source' END AS wrong_order,
  w.below_error
FROM wait w JOIN event e ON e.id = w.event_id JOIN place p ON p.source_id = e.source_id
LEFT JOIN event f ON f.id = w.cause_event_id LEFT JOIN place c ON c.source_id = f.source_id;

-- Calls of each thread on each call path: columns as in callpath, where all threads are summed up.
CREATE VIEW callpath_total AS
SELECT thread_id, callpath_id, calls, total_ns, self_ns, min_ns, max_ns, bytes, inner_ns, variation FROM callpath_part
UNION ALL
SELECT p.thread_id, c.id, p.calls, p.total_ns, p.self_ns, p.min_ns, p.max_ns, p.bytes, p.inner_ns, p.variation
FROM profile p JOIN (SELECT source_id, min(id) AS id FROM callpath GROUP BY source_id) c ON c.source_id = p.source_id
WHERE NOT EXISTS (SELECT 1 FROM callpath_part x WHERE x.thread_id = p.thread_id AND x.source_id = p.source_id);

-- Every event, for reading: SELECT * FROM events WHERE rank = 0 ORDER BY start.
CREATE VIEW events AS
SELECT e.id, t.rank, t.number AS thread, p.operation, p.location, p.function,
  e.start_ns / 1e9 AS start, e.duration_ns / 1e9 AS seconds, e.self_ns / 1e9 AS self_seconds,
  e.bytes, q.rank AS peer_rank,
  coalesce(b.name, CASE e.object >> 62 WHEN 1 THEN printf('0x%x', e.object & (1 << 62) - 1) ELSE e.object END) AS object, e.open
FROM event e JOIN thread t ON t.id = e.thread_id JOIN place p ON p.source_id = e.source_id
LEFT JOIN thread q ON q.id = e.peer LEFT JOIN object b ON b.id = e.object;

-- The threads and how long each did what.
CREATE VIEW threads AS
SELECT t.id, t.rank, t.number AS thread, t.host, t.pid, t.model, (t.last_ns - t.first_ns) / 1e9 AS seconds,
  sum(CASE WHEN category = 'computation' THEN time_ns END) / 1e9 AS computation,
  sum(CASE WHEN category = 'communication' THEN time_ns END) / 1e9 AS communication,
  sum(CASE WHEN category = 'synchronization' THEN time_ns END) / 1e9 AS synchronization,
  sum(CASE WHEN category = 'allocation' THEN time_ns END) / 1e9 AS allocation,
  sum(CASE WHEN category = 'runtime' THEN time_ns END) / 1e9 AS runtime,
  sum(CASE WHEN category NOT IN
    ('computation', 'communication', 'synchronization', 'allocation', 'runtime', 'no processor', 'tool', 'not recorded') THEN time_ns END) / 1e9 AS other,
  sum(CASE WHEN category = 'no processor' THEN time_ns END) / 1e9 AS no_processor,
  sum(CASE WHEN category = 'tool' THEN time_ns END) / 1e9 AS tool,
  sum(CASE WHEN category = 'not recorded' THEN time_ns END) / 1e9 AS not_recorded,
  t.complete
FROM thread t LEFT JOIN category_time c ON c.thread_id = t.id GROUP BY t.id;

-- What recording took of each thread's time, estimated: its raw events at what one of them costs, and the collector's
-- other work.  Not known, where the log does not tell what an event costs.
CREATE VIEW overhead AS
SELECT r.thread_id AS thread, t.rank, r.raw_events, r.event_cost_ns, r.masked,
  CAST(round(r.raw_events * r.event_cost_ns) AS INTEGER) AS events_ns, r.tool_ns,
  CAST(round(r.raw_events * r.event_cost_ns) AS INTEGER) + r.tool_ns AS overhead_ns,
  t.last_ns - t.first_ns AS total_ns,
  100.0 * (round(r.raw_events * r.event_cost_ns) + r.tool_ns) / nullif(t.last_ns - t.first_ns, 0) AS share
FROM recording r JOIN thread t ON t.id = r.thread_id;

-- Matched messages.
CREATE VIEW messages AS
SELECT m.id, s.rank AS sender, r.rank AS receiver, team.name AS communicator, m.tag, m.bytes,
  m.sent_ns / 1e9 AS sent, m.posted_ns / 1e9 AS posted, m.received_ns / 1e9 AS received,
  a.location AS sent_at, b.location AS posted_at, m.order_uncertain
FROM message m JOIN thread s ON s.id = m.sender JOIN thread r ON r.id = m.receiver
JOIN event e ON e.id = m.send_event_id JOIN place a ON a.source_id = e.source_id
JOIN event f ON f.id = m.post_event_id JOIN place b ON b.source_id = f.source_id
LEFT JOIN team ON team.id = m.team_id;

-- Sends and receives, matched or not.
CREATE VIEW sends_and_receives AS
SELECT p.id, t.rank, t.number AS thread, p.direction, q.rank AS peer_rank, team.name AS communicator, p.tag, p.bytes,
  p.posted_ns / 1e9 AS posted, p.completed_ns / 1e9 AS completed, a.operation, a.location,
  c.operation AS completed_by, c.location AS completed_at, p.state
FROM p2p p JOIN thread t ON t.id = p.thread_id JOIN event e ON e.id = p.post_event_id
JOIN place a ON a.source_id = e.source_id LEFT JOIN event f ON f.id = p.complete_event_id
LEFT JOIN place c ON c.source_id = f.source_id LEFT JOIN thread q ON q.id = p.peer LEFT JOIN team ON team.id = p.team_id;

-- Waiting, for reading.
CREATE VIEW waits AS
SELECT w.id, t.rank, t.number AS thread, w.kind, w.start_ns / 1e9 AS start, (w.end_ns - w.start_ns) / 1e9 AS seconds,
  p.operation, p.location, q.rank AS cause_rank, c.operation AS cause_operation, c.location AS cause_location,
  CASE w.wrong_order WHEN 1 THEN 'same source' WHEN 2 THEN 'different source' END AS wrong_order
FROM wait w JOIN thread t ON t.id = w.thread_id JOIN event e ON e.id = w.event_id
JOIN place p ON p.source_id = e.source_id LEFT JOIN thread q ON q.id = w.cause_thread_id
LEFT JOIN event f ON f.id = w.cause_event_id LEFT JOIN place c ON c.source_id = f.source_id;

-- Instances of barriers and other collectives.
CREATE VIEW collectives AS
SELECT c.id, coalesce(team.name, team.kind) AS team, c.sequence, o.name AS operation, p.location, c.seen, c.expected,
  c.first_enter_ns / 1e9 AS first_enter, c.last_enter_ns / 1e9 AS last_enter,
  c.first_leave_ns / 1e9 AS first_leave, c.last_leave_ns / 1e9 AS last_leave,
  t.rank AS last_rank, c.wait_ns / 1e9 AS waited, c.rule
FROM collective c JOIN team ON team.id = c.team_id JOIN operation o ON o.id = c.operation_id
JOIN thread t ON t.id = c.last_thread_id JOIN event e ON e.id = c.last_event_id JOIN place p ON p.source_id = e.source_id;

-- What locks are called: a static object's name, else its place in shared memory; those of windows: the window, which is
-- numbered where there are several, and its owner.
CREATE VIEW lock_name AS
WITH named AS (
  SELECT id, CASE WHEN name IS NOT NULL AND count(*) OVER (PARTITION BY name) = 1 THEN name
    WHEN count(*) OVER () = 1 THEN 'the window' ELSE 'window ' || row_number() OVER (ORDER BY id) END AS name
  FROM team WHERE kind = 'window'
)
SELECT l.object, coalesce(b.name, CASE l.object >> 61 WHEN 1 THEN printf('%s of rank %d', coalesce(w.name, 'a window'), t.rank)
    ELSE printf('segment %d + 0x%x', l.object >> 40, l.object & ((1 << 40) - 1)) END) AS name
FROM (SELECT DISTINCT object FROM lock_total) l LEFT JOIN object b ON b.id = l.object
LEFT JOIN named w ON l.object >> 61 = 1 AND w.id = (l.object >> 32) & ((1 << 29) - 1)
LEFT JOIN thread t ON l.object >> 61 = 1 AND t.id = l.object & ((1 << 32) - 1);

-- Each time a lock was held.
CREATE VIEW lock_uses AS
SELECT l.id, b.name AS lock, t.rank, t.number AS thread, p.operation, p.location,
  l.requested_ns / 1e9 AS requested, l.acquired_ns / 1e9 AS acquired, l.released_ns / 1e9 AS released,
  l.contended_ns / 1e9 AS contended, l.latency_ns / 1e9 AS latency, l.untold_ns / 1e9 AS untold,
  l.attempts
FROM lock_use l JOIN thread t ON t.id = l.thread_id JOIN event e ON e.id = l.acquire_event_id
JOIN place p ON p.source_id = e.source_id LEFT JOIN lock_name b ON b.object = l.object;

-- The profile of all threads together, a row a line.
CREATE VIEW lines AS
SELECT p.operation, p.location, p.function, p.type, p.category, sum(f.calls) AS calls, count(*) AS threads,
  sum(f.total_ns) / 1e9 AS seconds, sum(f.self_ns) / 1e9 AS self_seconds, min(f.min_ns) / 1e9 AS shortest,
  max(f.max_ns) / 1e9 AS longest, sum(f.bytes) AS bytes
FROM profile f JOIN place p ON p.source_id = f.source_id GROUP BY f.source_id;

-- Who accessed the memory of, or sent to, whom.
CREATE VIEW traffic_matrix AS
SELECT t.rank, q.rank AS peer_rank, x.direction, sum(x.operations) AS operations, sum(x.bytes) AS bytes,
  sum(x.time_ns) / 1e9 AS seconds
FROM traffic x JOIN thread t ON t.id = x.thread_id JOIN thread q ON q.id = x.peer GROUP BY t.rank, q.rank, x.direction;

-- What a reader should know of the data, the gravest first.
CREATE VIEW defects AS
SELECT q.severity, q.kind, sum(q.count) AS count, count(DISTINCT q.thread_id) AS threads, sum(q.bytes) AS bytes,
  sum(q.time_ns) / 1e9 AS seconds, k.summary, k.advice
FROM quality q JOIN quality_kind k ON k.kind = q.kind
GROUP BY q.kind ORDER BY q.severity = 'loss' DESC, q.severity = 'warning' DESC, q.kind;
