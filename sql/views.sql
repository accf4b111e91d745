-- SPDX-License-Identifier: GPL-3.0-or-later
-- Views for people on top of the tables of schema.sql and the roll-ups, stored in each database, in the dialect of SQLite 3.26.
-- Tables are named in the singular and have times in ns, views in the plural and in s (docs/sql.md).  A location is short: file:line,
-- or function+offset, module+offset of a function without a name; NULL: unknown.  Of several files of one name it has the folders
-- that distinguish them.

-- A source with the names of its operation.
CREATE VIEW place(
  source_id,             -- source.id
  operation_id,          -- operation.id
  operation,             -- its name
  symbol,                -- its GASP symbolic name
  type,                  -- operation_type.type
  category,              -- computation, communication, synchronization ...
  model,                 -- UPC, OpenSHMEM, MPI, C
  function,              -- that the call is in; NULL: unknown
  file,                  -- as given to the compiler; NULL: no line information
  line,                  -- of the file
  location               -- file:line, or function+offset, module+offset; NULL: unknown
) AS
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

-- Arguments of events without a column in event, by name.
CREATE VIEW call_argument(
  event_id,              -- event.id
  phase,                 -- start, end: where it stood
  name,                  -- as in the event tables
  value                  -- INTEGER, REAL or TEXT; processes by rank, teams by team.id
) AS
SELECT x.id >> 6 AS event_id, a.phase, a.name, x.value
FROM event_arg x JOIN argument a ON a.id = x.argument_id;

-- Calls of each thread on each call path: columns as in callpath, which has the sums over all threads.
CREATE VIEW callpath_total(
  thread_id,             -- thread.id
  callpath_id,           -- callpath.id
  calls,                 -- how many
  total_ns,              -- inside; in a recursion of the outermost call
  self_ns,               -- of that, not in system events below
  min_ns,                -- the shortest call
  max_ns,                -- the longest call
  bytes,                 -- of the calls; NULL: they move none
  inner_ns,              -- durations that total_ns leaves out
  variation              -- as in profile
) AS
SELECT thread_id, callpath_id, calls, total_ns, self_ns, min_ns, max_ns, bytes, inner_ns, variation FROM callpath_part
UNION ALL
SELECT p.thread_id, c.id, p.calls, p.total_ns, coalesce(p.self_ns, 0), p.min_ns, p.max_ns, p.bytes, p.inner_ns, p.variation
FROM profile p JOIN (SELECT source_id, min(id) AS id FROM callpath GROUP BY source_id) c ON c.source_id = p.source_id
WHERE NOT EXISTS (SELECT 1 FROM callpath_part x WHERE x.thread_id = p.thread_id AND x.source_id = p.source_id);

-- Events: SELECT * FROM events WHERE rank = 0 ORDER BY start_s.  A part of a long run is found fast by the ids of table event_piece.
CREATE VIEW events(
  event_id,              -- event.id
  rank,                  -- MPI rank, PE number, MYTHREAD of its process
  thread_id,             -- thread.id
  thread_number,         -- of the thread in its process, from 0
  start_s,               -- since the run's start
  duration_s,            -- atomic events: 0
  self_s,                -- not in system events below; user events: NULL
  operation,             -- its name as in the program's source
  location,              -- file:line, or function+offset, module+offset
  caller,                -- the function that the call is in; NULL: unknown
  type,                  -- operation_type.type
  category,              -- computation, communication, synchronization ...
  peer_rank,             -- the other process
  bytes,                 -- moved, in this direction
  direction,             -- of the bytes: sent, received, allocated, read, written (files); moved: both, or unknown; NULL: no bytes
  communicator,          -- team, communicator, active set or file; unnamed: its kind
  object,                -- lock, flag or target: its name, or a number for all threads the same
  parent_id,             -- event_id of the innermost event that contains it
  nested,                -- 1: the runtime called itself
  open                   -- 1: it has no end
) AS
SELECT e.id, t.rank, e.thread_id, t.number, e.start_ns / 1e9, e.duration_ns / 1e9, e.self_ns / 1e9, p.operation, p.location, p.function,
  p.type, p.category, q.rank, e.bytes, CASE WHEN e.bytes IS NOT NULL THEN CASE
    WHEN p.type IN ('get', 'get_nb', 'receive', 'receive_nb', 'atomic_fetch') THEN 'received'
    WHEN p.type IN ('put', 'put_nb', 'send', 'send_nb', 'atomic') OR p.type IN ('broadcast', 'scatter', 'gather', 'reduce',
      'all_to_all', 'exchange', 'scan', 'neighbor', 'send_receive') THEN 'sent'
    WHEN p.category = 'allocation' THEN 'allocated'
    WHEN p.type IN ('file_read', 'file_read_nb', 'file_read_begin') THEN 'read'
    WHEN p.type IN ('file_write', 'file_write_nb', 'file_write_begin') THEN 'written'
    ELSE 'moved' END END,
  (SELECT coalesce(m.name, m.kind) FROM event_arg x JOIN argument a ON a.id = x.argument_id AND a.name = 'team'
    JOIN team m ON m.id = x.value
    WHERE x.id BETWEEN e.id << 6 AND (e.id << 6) + 63),
  coalesce(b.name, CASE e.object >> 62 WHEN 1 THEN printf('0x%x', e.object & (1 << 62) - 1) ELSE e.object END),
  e.parent_id, e.nested, e.open
FROM event e JOIN thread t ON t.id = e.thread_id JOIN place p ON p.source_id = e.source_id
LEFT JOIN thread q ON q.id = e.peer LEFT JOIN object b ON b.id = e.object;

-- Threads, and their time by category.
CREATE VIEW threads(
  rank,                  -- MPI rank, PE number, MYTHREAD of its process
  thread_id,             -- thread.id
  thread_number,         -- of the thread in its process, from 0
  host,                  -- where it ran
  pid,                   -- of its process
  model,                 -- UPC, OpenSHMEM, MPI, C; several with + between
  duration_s,            -- from its first record to its last
  computation_s,         -- the program's own work; NULL: none
  communication_s,       -- in calls that move data; NULL: none
  synchronization_s,     -- in calls that only wait or order; NULL: none
  allocation_s,          -- of memory; NULL: none
  io_s,                  -- in calls on files; NULL: none
  runtime_s,             -- start and end of the runtime, teams; NULL: none
  other_s,               -- of other categories, which the log defines; NULL: none
  no_processor_s,        -- ready to run, without a processor; NULL: none
  tool_s,                -- the collector's own; NULL: none
  not_recorded_s,        -- while recording was off, or the log is damaged; NULL: none
  complete               -- 1: its log was found, whole and undamaged
) AS
SELECT t.rank, t.id, t.number, t.host, t.pid, t.model, (t.last_ns - t.first_ns) / 1e9,
  sum(CASE WHEN category = 'computation' THEN time_ns END) / 1e9,
  sum(CASE WHEN category = 'communication' THEN time_ns END) / 1e9,
  sum(CASE WHEN category = 'synchronization' THEN time_ns END) / 1e9,
  sum(CASE WHEN category = 'allocation' THEN time_ns END) / 1e9,
  sum(CASE WHEN category = 'io' THEN time_ns END) / 1e9,
  sum(CASE WHEN category = 'runtime' THEN time_ns END) / 1e9,
  sum(CASE WHEN category NOT IN
    ('computation', 'communication', 'synchronization', 'allocation', 'io', 'runtime', 'no processor', 'tool', 'not recorded')
    THEN time_ns END) / 1e9,
  sum(CASE WHEN category = 'no processor' THEN time_ns END) / 1e9,
  sum(CASE WHEN category = 'tool' THEN time_ns END) / 1e9,
  sum(CASE WHEN category = 'not recorded' THEN time_ns END) / 1e9,
  t.complete
FROM thread t LEFT JOIN category_time c ON c.thread_id = t.id GROUP BY t.id;

-- Overhead of recording by thread, estimated: its raw events at the cost of one of them, and the collector's other work.  Unknown,
-- if the log does not have the cost of an event.
CREATE VIEW overhead(
  rank,                  -- MPI rank, PE number, MYTHREAD of its process
  thread_id,             -- thread.id
  thread_number,         -- of the thread in its process, from 0
  raw_events,            -- in its log: a start, an end and an atomic event are one each
  event_cost_ns,         -- time of recording one of them; NULL: unknown
  masked,                -- raw events that a mask kept out
  events_ns,             -- raw_events at event_cost_ns
  tool_ns,               -- the collector's other work
  overhead_ns,           -- events_ns and tool_ns
  total_ns,              -- from the thread's first record to its last
  overhead_pct           -- overhead_ns of total_ns
) AS
SELECT t.rank, r.thread_id, t.number, r.raw_events, r.event_cost_ns, r.masked,
  CAST(round(r.raw_events * r.event_cost_ns) AS INTEGER), r.tool_ns,
  CAST(round(r.raw_events * r.event_cost_ns) AS INTEGER) + r.tool_ns,
  t.last_ns - t.first_ns,
  100.0 * (round(r.raw_events * r.event_cost_ns) + r.tool_ns) / nullif(t.last_ns - t.first_ns, 0)
FROM recording r JOIN thread t ON t.id = r.thread_id;

-- Matched messages.
CREATE VIEW messages(
  message_id,            -- message.id
  sender_rank,           -- of its process
  receiver_rank,         -- of its process
  sender_thread_id,      -- thread.id of the sending process's first thread
  receiver_thread_id,    -- of the receiving one's
  communicator,          -- its name; unnamed: its kind
  tag,                   -- of both ends
  bytes,                 -- as received
  start_s,               -- enter of the call that starts the send
  posted_s,              -- enter of the call that posts the receive
  duration_s,            -- from start_s to the leave of the call that completes the receive; NULL: not seen
  send_operation,        -- starts the send
  send_location,         -- its line
  receive_operation,     -- posts the receive
  receive_location,      -- its line
  send_event_id,         -- event_id of the one
  post_event_id,         -- and of the other
  order_uncertain        -- 1: the pair may be another
) AS
SELECT m.id, s.rank, r.rank, m.sender, m.receiver, coalesce(team.name, team.kind), m.tag, m.bytes, m.sent_ns / 1e9, m.posted_ns / 1e9,
  (m.received_ns - m.sent_ns) / 1e9, a.operation, a.location, b.operation, b.location, m.send_event_id, m.post_event_id,
  m.order_uncertain
FROM message m JOIN thread s ON s.id = m.sender JOIN thread r ON r.id = m.receiver
JOIN event e ON e.id = m.send_event_id JOIN place a ON a.source_id = e.source_id
JOIN event f ON f.id = m.post_event_id JOIN place b ON b.source_id = f.source_id
LEFT JOIN team ON team.id = m.team_id;

-- Transfers of data between processes: sends and receives, matched or not, and accesses to another process's memory.  Bytes of a
-- message are in two rows, of its send and of its receive: sum them up by direction.
CREATE VIEW transfers(
  event_id,              -- event.id of the call that starts it
  rank,                  -- MPI rank, PE number, MYTHREAD of its process
  thread_id,             -- thread.id
  thread_number,         -- of the thread in its process, from 0
  direction,             -- send, receive, get, put, copy, atomic
  start_s,               -- since the run's start
  duration_s,            -- to the end of the call that completes it (accesses: of the call); NULL: not seen
  bytes,                 -- in that direction; receives: the actual size
  peer_rank,             -- the other process; receives: the actual source; NULL: unknown, or several
  communicator,          -- its name; unnamed: its kind; accesses: NULL
  tag,                   -- receives: the actual one
  operation,             -- its name as in the program's source
  location,              -- file:line, or function+offset, module+offset
  caller,                -- the function that the call is in; NULL: unknown
  completed_by,          -- operation that completes it; accesses: NULL
  completed_at,          -- its line
  state                  -- complete, unseen, cancelled, freed, open, null (table p2p); accesses: complete, open
) AS
SELECT p.post_event_id, t.rank, p.thread_id, t.number, p.direction, p.posted_ns / 1e9, (p.completed_ns - p.posted_ns) / 1e9, p.bytes,
  q.rank, coalesce(team.name, team.kind), p.tag, a.operation, a.location, a.function, c.operation, c.location, p.state
FROM p2p p JOIN thread t ON t.id = p.thread_id JOIN event e ON e.id = p.post_event_id
JOIN place a ON a.source_id = e.source_id LEFT JOIN event f ON f.id = p.complete_event_id
LEFT JOIN place c ON c.source_id = f.source_id LEFT JOIN thread q ON q.id = p.peer LEFT JOIN team ON team.id = p.team_id
UNION ALL
SELECT e.id, t.rank, e.thread_id, t.number, CASE p.type WHEN 'atomic_fetch' THEN 'atomic' ELSE replace(p.type, '_nb', '') END,
  e.start_ns / 1e9, e.duration_ns / 1e9, e.bytes, q.rank, NULL, NULL, p.operation, p.location, p.function, NULL, NULL,
  CASE WHEN e.open THEN 'open' ELSE 'complete' END
FROM event e JOIN thread t ON t.id = e.thread_id JOIN place p ON p.source_id = e.source_id LEFT JOIN thread q ON q.id = e.peer
WHERE p.type IN ('get', 'get_nb', 'put', 'put_nb', 'copy', 'copy_nb', 'atomic', 'atomic_fetch');

-- Waits: the waiting call, and the call that it waited for.
CREATE VIEW waits(
  wait_id,               -- wait.id
  rank,                  -- MPI rank, PE number, MYTHREAD of its process
  thread_id,             -- thread.id
  thread_number,         -- of the thread in its process, from 0
  kind,                  -- late sender, barrier, lock ... (table wait)
  start_s,               -- since the run's start
  duration_s,            -- of the waiting
  operation,             -- its name as in the program's source
  location,              -- file:line, or function+offset, module+offset
  caller,                -- the function that the call is in; NULL: unknown
  communicator,          -- of the call; unnamed: its kind
  cause_rank,            -- of the thread that it waited for; NULL: unknown
  cause_thread_id,       -- thread.id of that
  cause_operation,       -- that thread's call that ends the wait; locks: that took the lock
  cause_location,        -- its line
  cause_s,               -- time of that; locks: of the release
  event_id,              -- event.id of the waiting call
  cause_event_id,        -- of the other thread's call
  clamped,               -- 1: cut to the event because the clocks contradict
  bound,                 -- 1: the true value may be larger
  wrong_order,           -- late sender: a message sent earlier came from the same source, a different source; else NULL
  below_error            -- 1: no longer than the clocks may be off
) AS
SELECT w.id, t.rank, w.thread_id, t.number, w.kind, w.start_ns / 1e9, (w.end_ns - w.start_ns) / 1e9, p.operation, p.location, p.function,
  (SELECT coalesce(m.name, m.kind) FROM event_arg x JOIN argument a ON a.id = x.argument_id AND a.name = 'team'
    JOIN team m ON m.id = x.value
    WHERE x.id BETWEEN e.id << 6 AND (e.id << 6) + 63),
  q.rank, w.cause_thread_id, c.operation, c.location, w.cause_ns / 1e9, w.event_id, w.cause_event_id, w.clamped, w.bound,
  CASE w.wrong_order WHEN 1 THEN 'same source' WHEN 2 THEN 'different source' END, w.below_error
FROM wait w JOIN thread t ON t.id = w.thread_id JOIN event e ON e.id = w.event_id
JOIN place p ON p.source_id = e.source_id LEFT JOIN thread q ON q.id = w.cause_thread_id
LEFT JOIN event f ON f.id = w.cause_event_id LEFT JOIN place c ON c.source_id = f.source_id;

-- Instances of barriers and other collectives.
CREATE VIEW collectives(
  collective_id,         -- collective.id; its members' calls: table collective_member
  communicator,          -- its name; unnamed: its kind
  team_id,               -- team.id of that
  sequence,              -- running number of the communicator's collectives
  operation,             -- of the last call to enter
  location,              -- its line
  caller,                -- the function that it is in
  seen,                  -- members with an event
  expected,              -- members of the communicator; 0: unknown
  start_s,               -- when the first member entered
  last_enter_s,          -- when the last entered
  first_leave_s,         -- when the first left
  duration_s,            -- from start_s to when the last member left
  last_rank,             -- of the last member to enter
  last_thread_id,        -- thread.id of that
  wait_s,                -- all members' waiting for the last
  rule                   -- the waiting members (table collective)
) AS
SELECT c.id, coalesce(team.name, team.kind), c.team_id, c.sequence, o.name, p.location, p.function, c.seen, c.expected,
  c.first_enter_ns / 1e9, c.last_enter_ns / 1e9, c.first_leave_ns / 1e9, (c.last_leave_ns - c.first_enter_ns) / 1e9,
  t.rank, c.last_thread_id, c.wait_ns / 1e9, c.rule
FROM collective c JOIN team ON team.id = c.team_id JOIN operation o ON o.id = c.operation_id
JOIN thread t ON t.id = c.last_thread_id JOIN event e ON e.id = c.last_event_id JOIN place p ON p.source_id = e.source_id;

-- Names of locks: that of a static object, else its place in shared memory; of windows: the window, numbered if there are several,
-- and its owner.
CREATE VIEW lock_name(
  object,                -- lock_use.object
  name                   -- as reports show it
) AS
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

-- Holds of locks.
CREATE VIEW locks(
  hold_id,               -- lock_use.id
  lock,                  -- its name
  rank,                  -- MPI rank, PE number, MYTHREAD of its process
  thread_id,             -- thread.id
  thread_number,         -- of the thread in its process, from 0
  requested_s,           -- enter of the call that takes it
  start_s,               -- when it was acquired
  duration_s,            -- to its release
  contended_s,           -- of the call, while others held it
  latency_s,             -- the rest of the call
  unknown_s,             -- and the time in which a thread that may have held it was not recorded
  operation,             -- its name as in the program's source
  location,              -- file:line, or function+offset, module+offset
  caller,                -- the function that the call is in; NULL: unknown
  attempts,              -- failed ones before
  event_id,              -- event.id of the call
  release_event_id       -- of the call that released it; NULL: not seen
) AS
SELECT l.id, b.name, t.rank, l.thread_id, t.number, l.requested_ns / 1e9, l.acquired_ns / 1e9, (l.released_ns - l.acquired_ns) / 1e9,
  l.contended_ns / 1e9, l.latency_ns / 1e9, l.untold_ns / 1e9, p.operation, p.location, p.function, l.attempts, l.acquire_event_id,
  l.release_event_id
FROM lock_use l JOIN thread t ON t.id = l.thread_id JOIN event e ON e.id = l.acquire_event_id
JOIN place p ON p.source_id = e.source_id LEFT JOIN lock_name b ON b.object = l.object;

-- Profile of all threads together, a row for each line.
CREATE VIEW lines(
  operation,             -- its name as in the program's source
  location,              -- file:line, or function+offset, module+offset
  caller,                -- the function that the call is in; NULL: unknown
  type,                  -- operation_type.type
  category,              -- computation, communication, synchronization ...
  calls,                 -- of all threads
  threads,               -- that called it
  total_s,               -- inside, calls below included
  self_s,                -- without calls below; user events: NULL
  shortest_s,            -- of the calls
  longest_s,             -- of the calls
  bytes,                 -- moved, in this direction
  direction              -- of the bytes, as in view events
) AS
SELECT p.operation, p.location, p.function, p.type, p.category, sum(f.calls), count(*), sum(f.total_ns) / 1e9, sum(f.self_ns) / 1e9,
  min(f.min_ns) / 1e9, max(f.max_ns) / 1e9, sum(f.bytes), CASE WHEN sum(f.bytes) IS NOT NULL THEN CASE
    WHEN p.type IN ('get', 'get_nb', 'receive', 'receive_nb', 'atomic_fetch') THEN 'received'
    WHEN p.type IN ('put', 'put_nb', 'send', 'send_nb', 'atomic') OR p.type IN ('broadcast', 'scatter', 'gather', 'reduce',
      'all_to_all', 'exchange', 'scan', 'neighbor', 'send_receive') THEN 'sent'
    WHEN p.category = 'allocation' THEN 'allocated'
    WHEN p.type IN ('file_read', 'file_read_nb', 'file_read_begin') THEN 'read'
    WHEN p.type IN ('file_write', 'file_write_nb', 'file_write_begin') THEN 'written'
    ELSE 'moved' END END
FROM profile f JOIN place p ON p.source_id = f.source_id GROUP BY f.source_id;

-- Traffic between processes: accesses to memory, and messages.
CREATE VIEW traffic_matrix(
  rank,                  -- the initiator, the sender
  peer_rank,             -- the owner, the receiver
  direction,             -- get, put, atomic, send
  operations,            -- how many
  bytes,                 -- in that direction
  time_s                 -- of the initiator in these calls
) AS
SELECT t.rank, q.rank, x.direction, sum(x.operations), sum(x.bytes), sum(x.time_ns) / 1e9
FROM traffic x JOIN thread t ON t.id = x.thread_id JOIN thread q ON q.id = x.peer GROUP BY t.rank, q.rank, x.direction;

-- Defects of the data, the most severe first.
CREATE VIEW defects(
  severity,              -- loss (data is missing), warning (figures are affected), note
  kind,                  -- quality_kind.kind
  cases,                 -- how many
  threads,               -- that have any
  bytes,                 -- at stake
  time_s,                -- at stake
  summary,               -- its meaning
  advice                 -- a remedy
) AS
SELECT q.severity, q.kind, sum(q.count), count(DISTINCT q.thread_id), sum(q.bytes), sum(q.time_ns) / 1e9, k.summary, k.advice
FROM quality q JOIN quality_kind k ON k.kind = q.kind
GROUP BY q.kind ORDER BY q.severity = 'loss' DESC, q.severity = 'warning' DESC, q.kind;
