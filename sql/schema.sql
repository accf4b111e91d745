-- SPDX-License-Identifier: GPL-3.0-or-later
-- The database of one run, schema version 2 (PRAGMA user_version; application_id "gasp"), in the dialect of SQLite 3.26: any
-- SQLite since then opens it.  A column without a type holds values as they are ('007' is a text).
--
-- Times are integers in nanoseconds: *_ns points in time count from the run's start (the earliest first record of any
-- thread), durations are differences of such points.  Sizes are bytes.  A flag is 0 or 1.  A process is named by its
-- first thread: peer, sender, receiver are thread ids.  An unknown value is NULL, never 0.
-- Sums: rollups.sql, pass_rollups/.  Views for people: views.sql.  Table analysis has the SQL of `gaspdb analyze NAME`.
-- Columns may be added in later versions; none of these changes its meaning.

-- Facts about the run and the import.
CREATE TABLE meta(
  key TEXT NOT NULL PRIMARY KEY, -- schema_version, gaspdb_version, run_name, run_directory, program, arguments, start_time (ISO 8601, UTC),
                                 -- start_real_ns, duration_ns, threads, threads_missing, hosts, log_bytes, log_files,
                                 -- mode (profile, both; no row: a trace),
                                 -- events (rows of table event), raw_events (in the logs), command and exit_status (of
                                 -- gaspdb record; 128 + n: ended by signal n), ...
  value NOT NULL
) WITHOUT ROWID;

-- Threads of the program.  Each rank has at least one, even if its log is missing.  Ordered by rank, then by number in
-- the process, from 0.
CREATE TABLE thread(
  id INTEGER PRIMARY KEY,
  rank INTEGER,                 -- MPI world rank, PE number, MYTHREAD; NULL: unknown
  number INTEGER NOT NULL,      -- of the thread in its process, from 0
  pid INTEGER,
  tid INTEGER,                  -- the operating system's
  host TEXT,                    -- host.name
  model TEXT,                   -- UPC, OpenSHMEM, MPI, C.  Of a hybrid program all, with + between (MPI+OpenSHMEM): that of
                                -- its rank, then those of its other calls in their order.  C (functions, memory) and POSIX
                                -- (files) are beside others in operation.model alone
  first_ns INTEGER,             -- first record; NULL: the log is missing or empty
  last_ns INTEGER,              -- last record
  complete INTEGER NOT NULL,    -- 1: the log was found, whole and undamaged
  first_event INTEGER,          -- its event ids are first_event .. last_event
  last_event INTEGER,
  file TEXT                     -- its log, relative to the run directory
);

-- Hosts of the threads.  Threads of one host share its clock.  Clocks of hosts are aligned by readings that their processes took
-- of each other's (host_clock); without such readings by their wall clocks, within what messages and collectives allow.
CREATE TABLE host(
  name TEXT NOT NULL PRIMARY KEY, -- thread.host
  clock_error_ns INTEGER,       -- error of the alignment of its clock with its wall clock: the uncertainty of the best reading of
                                -- both; the error of the wall clock itself is unknown.  NULL: no such reading
  readings INTEGER,             -- of its clock and another host's, in the logs; 0: aligned by its wall clock, which messages and
                                -- collectives may have moved (host_clock)
  drift_ppm REAL,               -- largest change of its clock's drift that is assumed, in millionths: 1, and the error of the
                                -- drift itself; more after a contradiction (quality).  NULL: aligned by its wall clock
  wall_error_ns INTEGER         -- by how much its wall clock is off at least, against those of the hosts before it, as messages
                                -- and collectives show; 0: they allow it.  NULL: aligned by readings, or not known
) WITHOUT ROWID;

-- Clocks of the hosts that readings, messages or collectives link to others.  The clock of the host of the lowest rank, the
-- reference, is common time.
CREATE TABLE host_clock(
  host TEXT NOT NULL REFERENCES host,
  ns INTEGER NOT NULL,
  offset_ns INTEGER NOT NULL,   -- common time less the time of its own wall clock; linear from row to row
  error_ns INTEGER,             -- largest error of that, from this row until the next one; NULL: not known, for without readings
                                -- messages bound it on one side alone
  PRIMARY KEY(host, ns)
) WITHOUT ROWID;

-- Clocks of two such hosts against each other: of hosts with readings of each other, or one without, where these and their messages
-- bound the difference better, at some time, than host_clock does.  The least of error_ns here and of both hosts'
-- host_clock.error_ns together holds.
CREATE TABLE host_pair(
  host TEXT NOT NULL REFERENCES host,
  other TEXT NOT NULL REFERENCES host, -- after host in the order of names
  ns INTEGER NOT NULL,
  error_ns INTEGER NOT NULL,    -- largest error of the difference, from this row until the pair's next one
  PRIMARY KEY(host, other, ns)
) WITHOUT ROWID;

-- META records that are not columns elsewhere, per thread; and profile_from_ns: its log was full then, and has sums of calls since.
CREATE TABLE thread_meta(
  thread_id INTEGER NOT NULL REFERENCES thread,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(thread_id, key)
) WITHOUT ROWID;

-- Cost of recording a thread; no row: its log is missing.  View overhead sums it up.
CREATE TABLE recording(
  thread_id INTEGER PRIMARY KEY REFERENCES thread,
  raw_events INTEGER NOT NULL,  -- in its log: a start, an end and an atomic event are one each
  masked INTEGER NOT NULL,      -- raw events that a mask kept out of it
  event_cost_ns REAL,           -- time of recording one of them, as measured where it ran; NULL: not in the log
  tool_ns INTEGER NOT NULL      -- the collector's work besides: gaps of kind tool
);

-- Use of processors by each thread; no row: not in its log (older logs).
CREATE TABLE processor_use(
  thread_id INTEGER PRIMARY KEY REFERENCES thread,
  used_ns INTEGER NOT NULL,     -- on a processor, since the thread began
  unserved_ns INTEGER NOT NULL  -- ready to run, but without one, since its recording began: in calls, waits and outside of them
);

-- Intervals in which a thread was ready to run, but without a processor for some time.  In calls without the time in which the
-- thread waited for others: it would have waited anyway.  (None in calls, if the sum is below a thousandth of all threads' time.)
CREATE TABLE unserved(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  event_id INTEGER REFERENCES event, -- the innermost call of the runtime; NULL: computation
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  time_ns INTEGER NOT NULL      -- without a processor, somewhere in the interval
);

-- PPW's generic operation types, and the category each belongs to.
CREATE TABLE operation_type(
  type TEXT NOT NULL PRIMARY KEY,
  category TEXT NOT NULL,       -- computation, communication, synchronization, allocation, io, runtime; none: an overlay
  description TEXT NOT NULL
) WITHOUT ROWID;

-- Operations that the program called.
CREATE TABLE operation(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,           -- as in the program's source: upc_memget, shmem_long_p, MPI_Isend, the user event's name
  symbol TEXT NOT NULL,         -- GASP symbolic name: GASP_UPC_MEMGET; user events: USER
  type TEXT NOT NULL,           -- operation_type.type, or another one that the log defines
  category TEXT NOT NULL,
  model TEXT NOT NULL,
  format TEXT                   -- user events: printf format of the arguments arg1, arg2 ...
);

-- Arguments of operations that event_arg holds.  Processes stand there by rank (root, posted_peer, ...), teams
-- (team, created) by team.id.
CREATE TABLE argument(
  id INTEGER PRIMARY KEY,
  operation_id INTEGER NOT NULL REFERENCES operation,
  phase TEXT NOT NULL,          -- start, end: where it stood
  name TEXT NOT NULL,           -- as in the event tables
  code TEXT NOT NULL            -- i, z, u, p, h, s, d
);

-- An operation at a source line: PPW's source identifier.
CREATE TABLE source(
  id INTEGER PRIMARY KEY,
  operation_id INTEGER NOT NULL REFERENCES operation,
  file TEXT,                    -- as given to the compiler; NULL: no line information
  line INTEGER,
  function TEXT,                -- NULL: unknown
  column INTEGER,
  module TEXT,                  -- program or library the call came from; NULL for GASP runtimes
  offset INTEGER,               -- of the call in the module, ELF address
  function_offset INTEGER       -- of the call in the function; NULL: there is a line, or unknown
);

-- Short names of files and modules that share their name with others.
CREATE TABLE file_name(
  file TEXT NOT NULL PRIMARY KEY, -- source.file, source.module
  name TEXT NOT NULL            -- its shortest suffix, from a / on, that is unique
) WITHOUT ROWID;

-- One row for a start/end pair or an atomic event, clustered by thread and start: ids of a thread are contiguous, in order
-- of start (thread.first_event .. last_event), threads in order.
CREATE TABLE event(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  parent_id INTEGER REFERENCES event, -- innermost system event that contains it; user events: NULL
  start_ns INTEGER NOT NULL,
  duration_ns INTEGER NOT NULL, -- atomic events: 0
  self_ns INTEGER,              -- time in which it is the most recently started open system event; user events: NULL
  bytes INTEGER,                -- what this call moved for this thread; non-blocking: on the posting event; persistent: on
                                -- that which starts it
  peer INTEGER REFERENCES thread, -- the other process
  object INTEGER,               -- work for an entity: entity.id.  Lock, flag or target: segment.id << 40 | offset; the same for
                                -- all threads.  What is allocated or freed: the same of UPC's shared memory, else (1 << 62) + its address
  nested INTEGER NOT NULL,      -- 1: the runtime called itself
  open INTEGER NOT NULL         -- 1: a start without an end; lasts to the thread's last moment (a runtime call that was
                                -- open when damage began, or that was left by a jump: to there; any at a size limit: to there)
);

-- Calls without an end of threads that were recorded as a profile (meta.mode), or went on as one: what a thread was in when it ended,
-- outermost first.  Those of a trace are events (event.open).
CREATE TABLE open_call(
  thread_id INTEGER NOT NULL REFERENCES thread,
  depth INTEGER NOT NULL,       -- 1: outermost
  source_id INTEGER NOT NULL REFERENCES source,
  callpath_id INTEGER REFERENCES callpath,
  start_ns INTEGER NOT NULL,    -- lasts to the thread's last moment
  torn INTEGER NOT NULL,        -- 1: the thread was killed just as it recorded a call of this path
  PRIMARY KEY(thread_id, depth)
) WITHOUT ROWID;

-- Index of event by time: pieces of 1,024 events of one thread.
CREATE TABLE event_piece(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,    -- of its first event
  last_start_ns INTEGER NOT NULL, -- of its last event
  first_event INTEGER NOT NULL, -- its event ids are first_event .. last_event
  last_event INTEGER NOT NULL,
  PRIMARY KEY(thread_id, start_ns, last_start_ns, first_event)
) WITHOUT ROWID;

-- Events that end in a later piece of event_piece than they began in: those open at a piece's start.
CREATE TABLE long_event(
  thread_id INTEGER NOT NULL REFERENCES thread,
  end_ns INTEGER NOT NULL,
  event_id INTEGER NOT NULL REFERENCES event,
  start_ns INTEGER NOT NULL,
  PRIMARY KEY(thread_id, end_ns, event_id)
) WITHOUT ROWID;

-- Arguments of events without a column in event.
CREATE TABLE event_arg(
  id INTEGER PRIMARY KEY,       -- event id << 6, + position: an event's arguments are a range of ids
  argument_id INTEGER NOT NULL REFERENCES argument,
  value                         -- INTEGER, REAL or TEXT by argument.code
);

-- Entities that the program maps its time to (docs/mapping.md), the same for all processes: a tree beside the call paths.
CREATE TABLE entity(
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES entity, -- NULL: outermost
  kind TEXT NOT NULL,           -- 'face', 'task' ...; of a mix 'mix'
  name TEXT NOT NULL,           -- of a mix: those of its entities
  within TEXT,                  -- names of those above it, outermost first: 'domain / patch 3'; NULL: outermost
  depth INTEGER NOT NULL,       -- 1: outermost; at most 64
  position INTEGER NOT NULL,    -- in depth-first order, from 1; children of one parent in the order of their ids
  last_position INTEGER NOT NULL, -- entities below it: position + 1 .. last_position
  is_mix INTEGER NOT NULL       -- 1: it stands for the entities in entity_mix, and has no time of its own
);

-- Entities of mixes.
CREATE TABLE entity_mix(
  entity_id INTEGER NOT NULL REFERENCES entity, -- the mix
  position INTEGER NOT NULL,    -- from 1
  part_id INTEGER NOT NULL REFERENCES entity,
  weight INTEGER NOT NULL,      -- its share is weight / the sum of the mix's weights
  PRIMARY KEY(entity_id, position)
) WITHOUT ROWID;

-- Attributes of entities.  A process without a row has the value of the row with the lowest thread_id.
CREATE TABLE entity_attribute(
  entity_id INTEGER NOT NULL REFERENCES entity,
  key TEXT NOT NULL,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the process: its first thread
  value NOT NULL,               -- INTEGER, REAL or TEXT; of a NaN the text NaN
  PRIMARY KEY(entity_id, key, thread_id)
) WITHOUT ROWID;

-- Memory in which the same offset is the same object for all processes.
CREATE TABLE segment(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,           -- heap, module
  name TEXT NOT NULL,           -- module: the file's name
  bytes INTEGER NOT NULL        -- the largest of its parts in any process
);

-- Named static objects of segments, from the symbol tables.
CREATE TABLE object(
  id INTEGER PRIMARY KEY,       -- event.object
  segment_id INTEGER NOT NULL REFERENCES segment,
  offset INTEGER NOT NULL,
  name TEXT NOT NULL            -- 'counter', 'table+16', 'heap+0x1040'
);

-- Teams, communicators and active sets.
CREATE TABLE team(
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES team,
  ordinal INTEGER NOT NULL,     -- running number of creations on the parent
  kind TEXT NOT NULL,           -- world, self, dup, split, active set, inter, window (those that share a one-sided one), file
                                -- (those that have opened one together), ...
  name TEXT,                    -- of a file: as the program named it
  size INTEGER NOT NULL,        -- of an intercommunicator: of its local group
  inter INTEGER NOT NULL        -- 1: an intercommunicator, of whatever kind
);

CREATE TABLE team_member(
  team_id INTEGER NOT NULL REFERENCES team,
  rank INTEGER NOT NULL,        -- in the team; an intercommunicator's remote group counts on after size
  thread_id INTEGER NOT NULL REFERENCES thread,
  PRIMARY KEY(team_id, rank)
) WITHOUT ROWID;

-- Neighbours from which each member of a team with a topology (grid, graph) receives in neighbourhood collectives, as ranges of
-- ranks. A member without a row: unknown (logs of older collectors; lists of more than some 1,000 ranges).
CREATE TABLE team_source(
  team_id INTEGER NOT NULL REFERENCES team,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the receiver: first thread of its process
  first INTEGER NOT NULL,       -- first rank of the range, in the team
  n INTEGER NOT NULL,           -- length of the range; 0: the member has no neighbour
  PRIMARY KEY(team_id, thread_id, first)
) WITHOUT ROWID;

-- Sends and receives of the program, whatever calls each consists of: the input of matching.
CREATE TABLE p2p(
  id INTEGER PRIMARY KEY,       -- in order of thread and post
  thread_id INTEGER NOT NULL REFERENCES thread,
  direction TEXT NOT NULL,      -- send, receive
  post_event_id INTEGER NOT NULL REFERENCES event, -- starts it: Send, Isend, Start, Recv, Irecv; Mrecv: its Mprobe
  complete_event_id INTEGER REFERENCES event, -- completes it: Send, Wait, Test ...; NULL: nothing that was recorded
  team_id INTEGER REFERENCES team,
  peer INTEGER REFERENCES thread, -- receives: the actual source
  tag INTEGER,                  -- receives: the actual tag
  bytes INTEGER,                -- receives: the actual size
  posted_peer INTEGER REFERENCES thread, -- receives: NULL is MPI_ANY_SOURCE
  posted_tag INTEGER,           -- receives: NULL is MPI_ANY_TAG
  limit_bytes INTEGER,          -- receives: size of the buffer
  posted_ns INTEGER NOT NULL,   -- enter of the posting event; of an Mrecv whose Mprobe was not recorded, when that returned
  completed_ns INTEGER,         -- leave of the completing event
  request INTEGER,              -- serial number in its process; NULL: blocking
  number INTEGER,               -- persistent: number of starts, this included
  state TEXT NOT NULL,          -- complete, unseen (completed by a call that was not recorded), cancelled, freed (its time of
                                -- completion is unknown), open, null (MPI_PROC_NULL)
  error INTEGER NOT NULL        -- MPI error class of its completion; 0: none
);

-- Requests other than messages, of non-blocking collectives, one-sided accesses and accesses to files: the call that posted one
-- and the call that completed it.  A call that starts persistent requests posts several.
CREATE TABLE collective_request(
  post_event_id INTEGER NOT NULL REFERENCES event,
  request INTEGER NOT NULL,     -- serial number in its process
  complete_event_id INTEGER REFERENCES event, -- NULL: nothing did, or (unseen) a call that was not recorded
  unseen INTEGER NOT NULL,
  made_event_id INTEGER REFERENCES event, -- persistent: the call that made it; NULL: not recorded
  number INTEGER,               -- persistent: number of starts, this included
  PRIMARY KEY(post_event_id, request)
) WITHOUT ROWID;

-- Matched messages.
CREATE TABLE message(
  id INTEGER PRIMARY KEY,
  send_event_id INTEGER NOT NULL REFERENCES event,    -- starts the send
  receive_event_id INTEGER REFERENCES event,          -- completes the receive; NULL: not seen
  post_event_id INTEGER NOT NULL REFERENCES event,    -- posts the receive
  complete_event_id INTEGER REFERENCES event,         -- completes the send; NULL: not seen
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  team_id INTEGER REFERENCES team,
  tag INTEGER NOT NULL,
  bytes INTEGER NOT NULL,       -- as received
  sent_ns INTEGER NOT NULL,     -- enter of the call that starts the send
  posted_ns INTEGER NOT NULL,   -- enter of the call that posts the receive
  received_ns INTEGER,          -- leave of the call that completes the receive; NULL: not seen
  order_uncertain INTEGER NOT NULL -- 1: threads of one rank posted on the channel at the same time, or sizes on it
                                -- differed before: the pair may be another
);

-- Instances of collective operations, barriers too.
CREATE TABLE collective(
  id INTEGER PRIMARY KEY,
  team_id INTEGER NOT NULL REFERENCES team,
  sequence INTEGER NOT NULL,    -- running number of the team's collectives, from 0; of a start of a persistent one that of
                                -- its making + 2^32 x the number of starts, this included; of the
                                -- end of a UPC program 2^40
  operation_id INTEGER NOT NULL REFERENCES operation,
  root INTEGER REFERENCES thread,
  expected INTEGER NOT NULL,    -- members of the team; 0: unknown (with another MPI_COMM_WORLD)
  seen INTEGER NOT NULL,        -- members with an event
  first_enter_ns INTEGER NOT NULL,
  last_enter_ns INTEGER NOT NULL,
  first_leave_ns INTEGER NOT NULL,
  last_leave_ns INTEGER NOT NULL,
  last_thread_id INTEGER NOT NULL REFERENCES thread, -- the last to arrive; ties: the lowest
  last_event_id INTEGER NOT NULL REFERENCES event,
  wait_ns INTEGER NOT NULL,     -- all members' waiting for the last
  rule TEXT NOT NULL            -- waiting members, and for whom: all (for all), data (all for the data of all), sizes (all for all
                                -- members, those without data too), root (all for the root),
                                -- to root (the root for the others), groups, groups data (each for all, for the data of all, of
                                -- the other group of an intercommunicator), before (each for those before it), neighbours (each for
                                -- its neighbours: team_source), nobody (no member: a team of one; UPC's flags).
                                -- No waits: unknown (the waiting members, or their times), mismatch (see quality: calls of several
                                -- kinds; or, by one clock, a member left before another one entered for which it waits)
);

CREATE TABLE collective_member(
  collective_id INTEGER NOT NULL REFERENCES collective,
  event_id INTEGER NOT NULL REFERENCES event,
  PRIMARY KEY(collective_id, event_id)
) WITHOUT ROWID;

-- Holds of locks by threads.  An MPI process's part of a window is a lock; a lock of all parts counts as one of each part that
-- other processes wanted alone during it.
CREATE TABLE lock_use(
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,      -- event.object; windows: (1 << 61) + (team.id << 32) + the owner, a thread.id
  thread_id INTEGER NOT NULL REFERENCES thread,
  acquire_event_id INTEGER NOT NULL REFERENCES event,
  release_event_id INTEGER REFERENCES event, -- NULL: never released, or where its process was not recorded
  requested_ns INTEGER NOT NULL, -- enter of the acquiring call
  acquired_ns INTEGER NOT NULL,
  released_ns INTEGER NOT NULL, -- no release: when its process was not recorded any more, another took it, or its log ended
  contended_ns INTEGER NOT NULL, -- of the acquisition, while others held it; windows: or of a later call of the epoch
  latency_ns INTEGER NOT NULL,   -- the rest of the acquiring call, while all threads were recorded
  untold_ns INTEGER NOT NULL,    -- and while a thread was not recorded, which may have held the lock; not windows: with the two
                                 -- columns before it the acquiring call's time
  attempts INTEGER NOT NULL,     -- failed ones before it
  between_ns INTEGER NOT NULL    -- from the first of these on, outside the attempts: spinning, or work meanwhile
);

-- Groups of fine-grained blocking remote accesses: one line, direction and thread between two synchronizations, polling left out.
CREATE TABLE fine_grained(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  first_event_id INTEGER NOT NULL REFERENCES event,
  peers INTEGER NOT NULL,       -- processes accessed
  accesses INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- inside the accesses
  saving_ns INTEGER NOT NULL,   -- what one access a peer would save, estimated
  repeated_ns INTEGER NOT NULL, -- of time_ns: in reread_total
  pattern TEXT NOT NULL         -- contiguous, strided by N (bytes), same address, irregular; unknown: no addresses
);

-- Completions of non-blocking operations, and of the remote part of blocking puts to another process's memory, by gaspdb's own
-- definitions: docs/analyses.md, "Completion".  An operation that starts several requests has a row for each.
CREATE TABLE completion(
  id INTEGER PRIMARY KEY,       -- in order of process and end
  event_id INTEGER NOT NULL REFERENCES event, -- began it
  complete_event_id INTEGER REFERENCES event, -- the first call that completes it; NULL: not seen
  blocking INTEGER NOT NULL,    -- 1: a put that is over for its thread; the rest of it is completed later
  gap_ns INTEGER,               -- from the leave of the call that began it to the enter of the one that completed it
  share_ns INTEGER NOT NULL,    -- its part, by bytes, of the completing call's time; of a blocking put: its drain time
  exposed_ns INTEGER NOT NULL,  -- share_ns and (its part of) the time of the call that began it
  overlapped_ns INTEGER,        -- computation of its thread in the gap; NULL: completion not seen
  measured INTEGER NOT NULL,    -- 1: overlapped_ns is cut to when its data were in flight; 0: it is an upper bound
  bound INTEGER NOT NULL        -- 1: exposed_ns is a lower bound: what completed it was not seen, never ended, or may lie
                                -- where recording was off
);

-- Waits of all kinds.  Each lies within its event; rows of one event never overlap.
CREATE TABLE wait(
  id INTEGER PRIMARY KEY,       -- from 1, in order of event_id and start_ns
  thread_id INTEGER NOT NULL REFERENCES thread, -- the waiting thread
  event_id INTEGER NOT NULL REFERENCES event,   -- the waiting call
  kind TEXT NOT NULL,           -- late sender, late receiver, barrier, all-to-all, late broadcast, early reduce, early scan,
                                -- late neighbour, other group, lock, lock hand-over, lock attempt, notify drain, late signal, late post,
                                -- early wait, late complete
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  cause_thread_id INTEGER REFERENCES thread,    -- the thread that it waited for; NULL: unknown
  cause_event_id INTEGER REFERENCES event,      -- that thread's call that ends the wait; locks: that took the lock; NULL: unknown,
                                -- or never called
  cause_ns INTEGER,             -- time of that; locks: of the release
  clamped INTEGER NOT NULL,     -- 1: cut to the event because the clocks contradict
  bound INTEGER NOT NULL,       -- 1: the true value may be larger
  wrong_order INTEGER NOT NULL, -- late sender: 1: the thread received a message of the same sender later (message.received_ns)
                                -- that had been sent earlier (sent_ns) than the one it waited for; else 2: one of another
                                -- sender; else 0
  below_error INTEGER NOT NULL, -- 1: no longer than the clocks of the two threads' hosts may be off (error_ns): it may be none, and
                                -- is in no finding.  Of hosts aligned by wall clocks: nor than what these are off at least: of
                                -- both together the larger of host.clock_error_ns and host.wall_error_ns
  error_ns INTEGER              -- by how much its length may be off by the clocks' error: both hosts' host_clock.error_ns at its
                                -- end together, or host_pair's if less; 0: threads of one host; NULL: not known (no cause, or
                                -- hosts whose clocks are not bounded on both sides)
);

-- Intervals in which a thread was not recorded.
CREATE TABLE gap(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  kind TEXT NOT NULL,           -- off (gasp_control), tool (the collector's own work), damage (of the log), size limit
                                -- (the log was full: to the run's end; to the thread's, if it has sums of calls since),
                                -- stopped (to the run's end, by a full disk or the like)
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL
);

-- Private memory of a process (record --memory), counted by line since the process began.  The counters of a line, or of the
-- process, are logged now and then if they have changed; the last row of each holds.
CREATE TABLE memory_sample(
  thread_id INTEGER NOT NULL REFERENCES thread, -- whose log has it
  ns INTEGER NOT NULL,
  source_id INTEGER REFERENCES source, -- the line that allocated; a library: its file; NULL: the process
  blocks INTEGER NOT NULL,      -- allocated so far; of the process 0
  bytes INTEGER NOT NULL,       -- their sizes; likewise
  frees INTEGER NOT NULL,       -- of these blocks; likewise
  live_bytes INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,  -- largest value of live_bytes so far
  largest_bytes INTEGER NOT NULL, -- largest block so far; of the process 0
  failed INTEGER NOT NULL,      -- allocations that returned nothing; of the process 0
  unknown_frees INTEGER NOT NULL, -- of the process: frees of blocks that were not counted; of a line 0
  uncounted INTEGER NOT NULL    -- of the process: calls that could not be counted (signal handlers); of a line 0
);

-- Messages of a channel that passed while recording was off, or by masked calls.
CREATE TABLE passed(
  thread_id INTEGER NOT NULL REFERENCES thread,
  ns INTEGER NOT NULL,          -- when the first of them was posted: their process recorded no post between them
  team_id INTEGER REFERENCES team,
  peer INTEGER REFERENCES thread,
  tag INTEGER NOT NULL,
  sends INTEGER NOT NULL,
  receives INTEGER NOT NULL
);

-- Work that was handed over: a row for each time that it ran, and for work that did not run.
CREATE TABLE entity_work(
  id INTEGER PRIMARY KEY,       -- in the order of the hand-overs
  entity_id INTEGER REFERENCES entity, -- NULL: unknown
  put_event_id INTEGER REFERENCES event, -- the hand-over; NULL: not recorded
  put_thread_id INTEGER REFERENCES thread,
  put_ns INTEGER,
  run_event_id INTEGER REFERENCES event, -- where it ran; NULL: it did not, or was not recorded
  run_thread_id INTEGER REFERENCES thread,
  start_ns INTEGER,
  run_ns INTEGER,               -- from its begin to its end
  queued_ns INTEGER             -- from the hand-over to the first begin; later ones: NULL
);

-- Kinds of defects of the data, and of oddities of the program.
CREATE TABLE quality_kind(
  kind TEXT NOT NULL PRIMARY KEY,
  severity TEXT NOT NULL,       -- note (a fact about the program), warning (figures are affected), loss (data is missing)
  summary TEXT NOT NULL,
  advice TEXT NOT NULL
) WITHOUT ROWID;

-- Defects of the data, and oddities of the program.
CREATE TABLE quality(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL REFERENCES quality_kind,
  severity TEXT NOT NULL,
  thread_id INTEGER REFERENCES thread,
  event_id INTEGER REFERENCES event,
  file TEXT,                    -- relative to the run directory
  offset INTEGER,               -- byte in it
  count INTEGER NOT NULL,
  bytes INTEGER,                -- at stake
  time_ns INTEGER,              -- at stake
  detail TEXT,
  peer INTEGER REFERENCES thread, -- of a message: its other end
  tag INTEGER                   -- of a message
);

-- The analyses of `gaspdb analyze`, which never reads this table: SQL for other programs.  An SQLite older than min_sqlite may not
-- parse it.
CREATE TABLE analysis(
  name TEXT NOT NULL PRIMARY KEY,
  summary TEXT NOT NULL,
  help TEXT NOT NULL,           -- its meaning, its columns and their units
  min_sqlite TEXT NOT NULL,     -- the oldest version of SQLite that runs it: 3.26, 3.35 ...
  sql TEXT NOT NULL             -- one SELECT, of tables and stored views alone; parameters have their defaults, all rows are shown
) WITHOUT ROWID;
