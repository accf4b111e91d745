-- SPDX-License-Identifier: GPL-3.0-or-later
-- The database of one run, schema version 1 (PRAGMA user_version; application_id "gasp").
--
-- Times are integers in nanoseconds: *_ns points in time count from the run's start (the earliest first record of any
-- thread), durations are differences of such points.  Sizes are bytes.  A flag is 0 or 1.  A process is named by its
-- first thread: peer, sender, receiver are thread ids.  What is not known is NULL, never 0.
-- Views have names for people (views.sql); analysis_NAME is what `gaspdb analyze NAME` shows, '-' being '_'.
-- Columns may be added in later versions; none of these changes its meaning.

-- Facts about the run and the import.
CREATE TABLE meta(
  key TEXT NOT NULL PRIMARY KEY, -- schema_version, gaspdb_version, run_name, run_directory, program, arguments, start_time (ISO 8601, UTC),
                                 -- start_real_ns, duration_ns, threads, threads_missing, hosts, log_bytes, log_files,
                                 -- events (rows of table event), raw_events (in the logs), command and exit_status (of
                                 -- gaspdb record; 128 + n: ended by signal n), ...
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- A thread of the program; every rank known to exist has one, its log found or not.  Ordered by rank, then by number in
-- the process, from 0.
CREATE TABLE thread(
  id INTEGER PRIMARY KEY,
  rank INTEGER,                 -- MPI world rank, PE number, MYTHREAD; NULL: never learned
  number INTEGER NOT NULL,      -- of the thread in its process, from 0
  pid INTEGER,
  tid INTEGER,                  -- the operating system's
  host TEXT,                    -- host.name
  model TEXT,                   -- UPC, OpenSHMEM, MPI, C
  first_ns INTEGER,             -- first record; NULL: the log is missing or empty
  last_ns INTEGER,              -- last record
  complete INTEGER NOT NULL,    -- 1: the log was found, whole and undamaged
  first_event INTEGER,          -- its event ids are first_event .. last_event
  last_event INTEGER,
  file TEXT                     -- its log, relative to the run directory
) STRICT;

-- Where the threads ran.  Threads of one host share its clock; hosts were put side by side by their wall clocks.
CREATE TABLE host(
  name TEXT NOT NULL PRIMARY KEY, -- thread.host
  clock_error_ns INTEGER        -- how far its clock may be off against its wall clock: the uncertainty of the best reading of both;
                                -- how good the wall clock itself is nobody tells.  NULL: there is no such reading
) STRICT, WITHOUT ROWID;

-- META records that are not columns elsewhere, per thread.
CREATE TABLE thread_meta(
  thread_id INTEGER NOT NULL REFERENCES thread,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(thread_id, key)
) STRICT, WITHOUT ROWID;

-- What recording a thread took; no row: its log is missing.  View overhead sums it up.
CREATE TABLE recording(
  thread_id INTEGER PRIMARY KEY REFERENCES thread,
  raw_events INTEGER NOT NULL,  -- in its log: a start, an end and an atomic event are one each
  masked INTEGER NOT NULL,      -- raw events that a mask kept out of it
  event_cost_ns REAL,           -- what recording one of them takes, as measured where it ran; NULL: the log does not tell
  tool_ns INTEGER NOT NULL      -- the collector's work besides: gaps of kind tool
) STRICT;

-- PPW's generic operation types, and the category each belongs to.
CREATE TABLE operation_type(
  type TEXT NOT NULL PRIMARY KEY,
  category TEXT NOT NULL,       -- computation, communication, synchronization, allocation, runtime; none: an overlay
  description TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What can be done: one row for each thing that the program called.
CREATE TABLE operation(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,           -- what the user called: upc_memget, shmem_long_p, MPI_Isend, the user event's name
  symbol TEXT NOT NULL,         -- GASP symbolic name: GASP_UPC_MEMGET; user events: USER
  type TEXT NOT NULL,           -- operation_type.type, or one that only the log knew
  category TEXT NOT NULL,
  model TEXT NOT NULL,
  format TEXT                   -- user events: printf format of the arguments arg1, arg2 ...
) STRICT;

-- The further arguments of operations that event_arg holds.  Processes stand there by rank (root, posted_peer, ...), teams
-- (team, created) by team.id.
CREATE TABLE argument(
  id INTEGER PRIMARY KEY,
  operation_id INTEGER NOT NULL REFERENCES operation,
  phase TEXT NOT NULL,          -- start, end: where it stood
  name TEXT NOT NULL,           -- as in the event tables
  code TEXT NOT NULL            -- i, z, u, p, h, s, d
) STRICT;

-- An operation at a source line: PPW's source identifier.
CREATE TABLE source(
  id INTEGER PRIMARY KEY,
  operation_id INTEGER NOT NULL REFERENCES operation,
  file TEXT,                    -- as the compiler was told; NULL: no line information
  line INTEGER,
  function TEXT,                -- NULL: not known
  column INTEGER,
  module TEXT,                  -- program or library the call came from; NULL for GASP runtimes
  offset INTEGER                -- of the call in the module, ELF address
) STRICT;

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
  bytes INTEGER,                -- what this call moved for this thread; non-blocking: on the posting event
  peer INTEGER REFERENCES thread, -- the other process
  object INTEGER,               -- lock, flag or target: segment.id << 40 | offset; the same for all threads.  What is
                                -- allocated or freed: the same of UPC's shared memory, else (1 << 62) + its address
  nested INTEGER NOT NULL,      -- 1: the runtime called itself
  open INTEGER NOT NULL         -- 1: a start without an end; lasts to the thread's last moment (a runtime call that was
                                -- open when damage began, or that was left by a jump: to there; any at a size limit: to there)
) STRICT;

-- Where a time is in event: its rows in pieces of 1,024 events of one thread.
CREATE TABLE event_piece(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,    -- of its first event
  last_start_ns INTEGER NOT NULL, -- of its last event
  first_event INTEGER NOT NULL, -- its event ids are first_event .. last_event
  last_event INTEGER NOT NULL,
  PRIMARY KEY(thread_id, start_ns, last_start_ns, first_event)
) STRICT, WITHOUT ROWID;

-- Whatever else an event carried.
CREATE TABLE event_arg(
  id INTEGER PRIMARY KEY,       -- event id * 64 + position: an event's arguments are a range of ids
  event_id INTEGER NOT NULL REFERENCES event,
  argument_id INTEGER NOT NULL REFERENCES argument,
  value ANY                     -- INTEGER, REAL or TEXT by argument.code
) STRICT;

-- Memory in which the same offset is the same object for all processes.
CREATE TABLE segment(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,           -- heap, module
  name TEXT NOT NULL,           -- module: the file's name
  bytes INTEGER NOT NULL        -- the largest of its parts in any process
) STRICT;

-- Named static objects of segments, as far as the symbol tables tell.
CREATE TABLE object(
  id INTEGER PRIMARY KEY,       -- event.object
  segment_id INTEGER NOT NULL REFERENCES segment,
  offset INTEGER NOT NULL,
  name TEXT NOT NULL            -- 'counter', 'table+16', 'heap+0x1040'
) STRICT;

-- Teams, communicators and active sets.
CREATE TABLE team(
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES team,
  ordinal INTEGER NOT NULL,     -- running number of creations on the parent
  kind TEXT NOT NULL,           -- world, self, dup, split, active set, inter, ...
  name TEXT,
  size INTEGER NOT NULL
) STRICT;

CREATE TABLE team_member(
  team_id INTEGER NOT NULL REFERENCES team,
  rank INTEGER NOT NULL,        -- in the team; an intercommunicator's remote group counts on after size
  thread_id INTEGER NOT NULL REFERENCES thread,
  PRIMARY KEY(team_id, rank)
) STRICT, WITHOUT ROWID;

-- Each send and each receive of the program, whatever calls it is made of: what the matching starts from.
CREATE TABLE p2p(
  id INTEGER PRIMARY KEY,       -- in order of thread and post
  thread_id INTEGER NOT NULL REFERENCES thread,
  direction TEXT NOT NULL,      -- send, receive
  post_event_id INTEGER NOT NULL REFERENCES event, -- starts it: Send, Isend, Start, Recv, Irecv; Mrecv: its Mprobe
  complete_event_id INTEGER REFERENCES event, -- completes it: Send, Wait, Test ...; NULL: nothing did
  team_id INTEGER REFERENCES team,
  peer INTEGER REFERENCES thread, -- receives: the actual source
  tag INTEGER,                  -- receives: the actual tag
  bytes INTEGER,                -- receives: the actual size
  posted_peer INTEGER REFERENCES thread, -- receives: NULL is MPI_ANY_SOURCE
  posted_tag INTEGER,           -- receives: NULL is MPI_ANY_TAG
  limit_bytes INTEGER,          -- receives: size of the buffer
  posted_ns INTEGER NOT NULL,   -- enter of the posting event
  completed_ns INTEGER,         -- leave of the completing event
  request INTEGER,              -- serial number in its process; NULL: blocking
  number INTEGER,               -- persistent: how many starts, this included
  state TEXT NOT NULL,          -- complete, cancelled, freed (completes unseen), open, null (MPI_PROC_NULL)
  error INTEGER NOT NULL        -- MPI error class of its completion; 0: none
) STRICT;

-- Requests that are no messages, of non-blocking collectives and one-sided accesses: the call that posted one and the call that
-- completed it.
CREATE TABLE collective_request(
  post_event_id INTEGER PRIMARY KEY REFERENCES event,
  complete_event_id INTEGER REFERENCES event
) STRICT;

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
) STRICT;

-- Instances of collective operations, barriers too.
CREATE TABLE collective(
  id INTEGER PRIMARY KEY,
  team_id INTEGER NOT NULL REFERENCES team,
  sequence INTEGER NOT NULL,    -- running number of the team's collectives, from 0
  operation_id INTEGER NOT NULL REFERENCES operation,
  root INTEGER REFERENCES thread,
  expected INTEGER NOT NULL,    -- members of the team
  seen INTEGER NOT NULL,        -- members with an event
  first_enter_ns INTEGER NOT NULL,
  last_enter_ns INTEGER NOT NULL,
  first_leave_ns INTEGER NOT NULL,
  last_leave_ns INTEGER NOT NULL,
  last_thread_id INTEGER NOT NULL REFERENCES thread, -- the last to arrive; ties: the lowest
  last_event_id INTEGER NOT NULL REFERENCES event,
  wait_ns INTEGER NOT NULL,     -- all members' waiting for the last
  rule TEXT NOT NULL            -- who waits for whom: all (for all), data (all for the data of all), root (all for the root),
                                -- to root (the root for the others), groups, groups data (each for all, for the data of all, of
                                -- the other group of an intercommunicator), before (each for those before it), nobody (a team of
                                -- one; UPC's flags).
                                -- No waits: unknown (who waits for whom; when they came), mismatch (told in quality)
) STRICT;

CREATE TABLE collective_member(
  collective_id INTEGER NOT NULL REFERENCES collective,
  event_id INTEGER NOT NULL REFERENCES event,
  PRIMARY KEY(collective_id, event_id)
) STRICT, WITHOUT ROWID;

-- Each time a thread held a lock.
CREATE TABLE lock_use(
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,
  thread_id INTEGER NOT NULL REFERENCES thread,
  acquire_event_id INTEGER NOT NULL REFERENCES event,
  release_event_id INTEGER REFERENCES event, -- NULL: never released
  requested_ns INTEGER NOT NULL, -- enter of the acquiring call
  acquired_ns INTEGER NOT NULL,
  released_ns INTEGER NOT NULL,
  contended_ns INTEGER NOT NULL, -- of the acquisition, while others held it
  latency_ns INTEGER NOT NULL,   -- the rest of the acquisition
  attempts INTEGER NOT NULL      -- failed ones before it
) STRICT;

-- Groups of fine-grained blocking remote accesses: one line, direction and thread between two synchronizations.
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
  polled_ns INTEGER NOT NULL,   -- of time_ns, what is polling (polling_total)
  repeated_ns INTEGER NOT NULL, -- of time_ns, what is in reread_total
  pattern TEXT NOT NULL         -- contiguous, strided by N (bytes), same address, irregular; unknown: no addresses
) STRICT;

-- What completed each non-blocking operation, and the remote part of each blocking put to another process's memory: gaspdb's
-- own definitions, in docs/analyses.md, "Completion".  An operation that starts several requests has a row for each.
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
) STRICT;

-- All waiting, whatever its kind.  Lies within its event; rows of one event never overlap.
CREATE TABLE wait(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who waited
  event_id INTEGER NOT NULL REFERENCES event,   -- in which call
  kind TEXT NOT NULL,           -- late sender, late receiver, barrier, all-to-all, late broadcast, early reduce, early scan,
                                -- other group, lock, lock hand-over, lock attempt, notify drain, late signal
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  cause_thread_id INTEGER REFERENCES thread,    -- for whom; NULL: not known
  cause_event_id INTEGER REFERENCES event,      -- what that thread then did; locks: took the lock that it then held
  cause_ns INTEGER,             -- when it did it; locks: when it gave it back
  clamped INTEGER NOT NULL,     -- 1: cut to the event because the clocks contradict
  bound INTEGER NOT NULL,       -- 1: the true value may be larger
  wrong_order INTEGER NOT NULL, -- late sender: 1: the process received a message of the same sender later (message.received_ns)
                                -- that had been sent earlier (sent_ns) than the one it waited for; else 2: one of another
                                -- sender; else 0
  below_error INTEGER NOT NULL  -- 1: no longer than the clocks of the two threads' hosts may be off, both host.clock_error_ns
                                -- together: it may be none, and is in no finding
) STRICT;

-- Time in which a thread was not recorded.
CREATE TABLE gap(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  kind TEXT NOT NULL,           -- off (gasp_control), tool (the collector's own work), damage (of the log), size limit
                                -- (the log was full: to the run's end), stopped (as that, by a full disk or the like)
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL
) STRICT;

-- Messages of a channel that passed while recording was off, or by masked calls.
CREATE TABLE passed(
  thread_id INTEGER NOT NULL REFERENCES thread,
  ns INTEGER NOT NULL,          -- when the masked call was, or recording went on again
  team_id INTEGER REFERENCES team,
  peer INTEGER REFERENCES thread,
  tag INTEGER NOT NULL,
  sends INTEGER NOT NULL,
  receives INTEGER NOT NULL
) STRICT;

-- Every defect of the data and every oddity of the program that a reader should know.
CREATE TABLE quality_kind(
  kind TEXT NOT NULL PRIMARY KEY,
  severity TEXT NOT NULL,       -- note (a fact about the program), warning (figures are affected), loss (data is missing)
  summary TEXT NOT NULL,
  advice TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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
  detail TEXT
) STRICT;

-- Roll-ups, so that reports open at once however many events there are.

-- Per thread and source.  Total counts the outermost activation where a function recurses.
CREATE TABLE profile(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  nested INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  self_ns INTEGER,              -- user events: NULL
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  square_ns REAL NOT NULL,      -- sum of squared durations, ns^2
  bytes INTEGER,                -- NULL: it moves none
  open INTEGER NOT NULL,        -- how many of the calls never ended
  raw_events INTEGER NOT NULL,  -- starts, ends and atomic events of these calls
  recorded REAL,                -- raw events whose recording took place in self_ns, those at its edges halved; user events: NULL
  PRIMARY KEY(thread_id, source_id, nested)
) STRICT, WITHOUT ROWID;

-- The same of all threads together.
CREATE TABLE profile_total(
  grouping TEXT NOT NULL,       -- call (an operation at a line: one source), line (what is called there; user events and
                                -- what has no location are left out), operation
  nested INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- the first of the group
  sources INTEGER NOT NULL,     -- how many the group has
  threads INTEGER NOT NULL,     -- that have calls in it
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  self_ns INTEGER,              -- user events: NULL
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  square_ns REAL NOT NULL,
  bytes INTEGER,
  open INTEGER NOT NULL,
  longest_ns INTEGER,           -- the largest self_ns of one thread
  longest_thread_id INTEGER REFERENCES thread, -- which that is; ties: the lowest
  costed_calls INTEGER NOT NULL,-- on threads whose recording.event_cost_ns is known
  costed_events INTEGER NOT NULL, -- raw_events of these
  costed_ns INTEGER,            -- self_ns of these
  cost_ns REAL NOT NULL,        -- sum of their raw_events x event_cost_ns
  inside_ns REAL NOT NULL,      -- sum of their recorded x event_cost_ns
  PRIMARY KEY(grouping, nested, source_id)
) STRICT, WITHOUT ROWID;

-- How these are spread over threads, for load imbalance.  Threads without calls in a group count as 0: those with a log of
-- which `threads` leaves out.
CREATE TABLE spread(
  grouping TEXT NOT NULL,       -- grouping, nested and source_id: a row of profile_total
  nested INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source,
  quantity TEXT NOT NULL,       -- time (self time in ns; of user events total), calls
  threads INTEGER NOT NULL,     -- that have calls in it; what follows is of these
  total INTEGER NOT NULL,
  maximum INTEGER NOT NULL,
  max_thread_id INTEGER NOT NULL REFERENCES thread, -- which has it; ties: the lowest
  minimum INTEGER NOT NULL,
  min_thread_id INTEGER NOT NULL REFERENCES thread,
  first_other_id INTEGER REFERENCES thread, -- the lowest thread with a log that has no calls in it; NULL: all have
  square REAL NOT NULL,         -- sum of squared differences from their average
  PRIMARY KEY(grouping, nested, source_id, quantity)
) STRICT, WITHOUT ROWID;

-- The call tree: a call path is the lines of the system events that were open when an event began, outermost first, and
-- its own; user events have none.  At the same time the sums over all threads.  The path of an event is that of its
-- parent_id, but where events cross: there it goes through the innermost one that was open at its start.  Calls deeper
-- than 128 count as if their ancestor at depth 127 had made them; beyond 262,144 paths as outermost ones.
CREATE TABLE callpath(
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES callpath, -- NULL: outermost
  source_id INTEGER NOT NULL REFERENCES source,
  depth INTEGER NOT NULL,       -- 1: outermost
  position INTEGER NOT NULL,    -- in depth-first order, from 1; of one parent's the one with the most total_ns first
  last_position INTEGER NOT NULL, -- what lies below it: position + 1 .. last_position
  threads INTEGER NOT NULL,     -- that took it
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  bytes INTEGER,                -- NULL: it moves none
  longest_ns INTEGER NOT NULL,  -- the largest total_ns of one thread
  longest_thread_id INTEGER NOT NULL REFERENCES thread -- which that is; ties: the lowest
) STRICT;

-- The same per thread, but where profile tells it: of a thread that came to a source on one path only, that of the lowest
-- id, and never both nested and not, there is no row.  View callpath_total has all rows.
CREATE TABLE callpath_part(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source, -- of the path
  callpath_id INTEGER NOT NULL REFERENCES callpath,
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,    -- the outermost call where several lie within one another (deep recursion)
  self_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  bytes INTEGER,                -- NULL: it moves none
  PRIMARY KEY(thread_id, source_id, callpath_id)
) STRICT, WITHOUT ROWID;

-- What each thread did at every instant: sums to last_ns - first_ns, exactly.
CREATE TABLE category_time(
  thread_id INTEGER NOT NULL REFERENCES thread,
  category TEXT NOT NULL,       -- computation, communication, synchronization, allocation, runtime, tool, not recorded
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(thread_id, category)
) STRICT, WITHOUT ROWID;

-- What all threads did over time: the run is cut into bins of equal width, meta.bin_ns, a power of two, counted from its
-- start; there are 129 .. 2,048 of them, or each is a ns wide.  A category's bins sum to category_time, exactly.
CREATE TABLE bin(
  start_ns INTEGER NOT NULL,    -- the bin lasts to the next multiple of its width
  category TEXT NOT NULL,       -- as in category_time
  time_ns INTEGER NOT NULL,     -- of all threads; not 0
  PRIMARY KEY(start_ns, category)
) STRICT, WITHOUT ROWID;

-- The same of each thread, in wider bins: of meta.thread_bin_ns, or of a smaller power of two (those of threads that were
-- read when no thread was known to go on for so long).
CREATE TABLE thread_bin(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,
  category TEXT NOT NULL,
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(thread_id, start_ns, category)
) STRICT, WITHOUT ROWID;

-- The profile of all threads over time, in at most 256 bins (fewer of more than 256 lines) of width meta.source_bin_ns, a multiple of meta.bin_ns: a row
-- where there is anything.  The bins of a source sum to its profile, exactly (but for bytes that a receive of another
-- thread of the process told later).
CREATE TABLE source_bin(
  source_id INTEGER NOT NULL REFERENCES source,
  nested INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  calls INTEGER NOT NULL,       -- that ended in the bin
  total_ns INTEGER NOT NULL,    -- inside, what they called included; recursion counts once
  self_ns INTEGER,              -- user events: NULL
  bytes INTEGER NOT NULL,       -- as far as they were known in the bin: receives when they were completed
  PRIMARY KEY(source_id, nested, start_ns)
) STRICT, WITHOUT ROWID;

-- Waiting over time, in the bins of table bin: of all threads by kind ...
CREATE TABLE wait_bin(
  start_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,           -- as in wait
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(start_ns, kind)
) STRICT, WITHOUT ROWID;

-- ... and of each thread, of width meta.thread_bin_ns.
CREATE TABLE thread_wait_bin(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(thread_id, start_ns)
) STRICT, WITHOUT ROWID;

-- The runtime's software cache, by line.
CREATE TABLE cache_total(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  what TEXT NOT NULL,           -- hit, miss, invalidate
  events INTEGER NOT NULL,
  bytes INTEGER NOT NULL,       -- that the program asked for: hits and misses
  line_bytes INTEGER NOT NULL,  -- brought in by misses
  dirty_lines INTEGER NOT NULL, -- written back by invalidations
  PRIMARY KEY(thread_id, source_id)
) STRICT, WITHOUT ROWID;

-- Memory, by the line that allocated or freed it, and thread.  A block is an object: an upc_all_alloc of all threads is
-- one, of the thread that came first; a symmetric allocation of OpenSHMEM is one on each PE.
CREATE TABLE memory_line(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  shared INTEGER NOT NULL,      -- 1: shared memory
  blocks INTEGER NOT NULL,      -- allocated
  bytes INTEGER NOT NULL,       -- their sizes, as recorded
  largest_bytes INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,  -- most that there was at once of these blocks
  failed INTEGER NOT NULL,      -- allocations that returned nothing
  unseen INTEGER NOT NULL,      -- blocks whose freeing was not recorded: their address came back for another
  leaked INTEGER NOT NULL,      -- blocks that were never freed
  leaked_bytes INTEGER NOT NULL,
  leaked_event_id INTEGER REFERENCES event, -- allocated the first of them
  frees INTEGER NOT NULL,       -- of anything but NULL
  unknown_frees INTEGER NOT NULL, -- of memory that was not known to be allocated
  unknown_event_id INTEGER REFERENCES event, -- the first of them
  PRIMARY KEY(source_id, thread_id)
) STRICT, WITHOUT ROWID;

-- The most memory there was at once, and when.  Shared memory is counted where it lies, as far as that is known.
CREATE TABLE memory_peak(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER REFERENCES thread, -- NULL: of all threads
  source_id INTEGER REFERENCES source, -- NULL: of all lines
  shared INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,
  peak_ns INTEGER NOT NULL,     -- when it was first reached
  end_bytes INTEGER NOT NULL    -- at the end
) STRICT;

-- Process by process traffic: who accessed or sent to whom.
CREATE TABLE traffic(
  thread_id INTEGER NOT NULL REFERENCES thread, -- the initiator, the sender
  peer INTEGER NOT NULL REFERENCES thread,      -- the owner, the receiver
  source_id INTEGER NOT NULL REFERENCES source,
  direction TEXT NOT NULL,      -- get, put, atomic, send; a copy from one process to another is a get and a put
  from_bytes INTEGER NOT NULL,  -- size of each: 0, 1, 2, 4, 8 ...: up to the next less one
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,       -- of all
  time_ns INTEGER NOT NULL,     -- of the initiator in these calls; a get and a put of one copy share it
  PRIMARY KEY(thread_id, peer, source_id, direction, from_bytes)
) STRICT, WITHOUT ROWID;

-- The same by processes, all lines together.
CREATE TABLE traffic_total(
  initiator INTEGER NOT NULL REFERENCES thread, -- the process's first thread
  owner INTEGER NOT NULL REFERENCES thread,
  direction TEXT NOT NULL,
  from_bytes INTEGER NOT NULL,
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(initiator, owner, direction, from_bytes)
) STRICT, WITHOUT ROWID;

-- Waiting by kind, line, thread, and what it waited for.
CREATE TABLE wait_total(
  kind TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- where it waited
  thread_id INTEGER NOT NULL REFERENCES thread, -- who waited
  cause_thread_id INTEGER REFERENCES thread,    -- for whom; NULL: not known
  cause_source_id INTEGER REFERENCES source,    -- line of wait.cause_event_id
  waits INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  longest_ns INTEGER NOT NULL,
  longest_wait_id INTEGER NOT NULL REFERENCES wait,
  wrong_order INTEGER NOT NULL, -- as in wait
  below_error INTEGER NOT NULL  -- as in wait
) STRICT;

-- What threads did that others waited for: all waiting of a kind for a thread to come to a line, shared out over what
-- kept it.  Waits below the clocks' error are left out.  Barriers and collectives between all: what it did longer than the other members, since the team's instance
-- before; everything else: what it did meanwhile.  The rows of one cause sum to its waiting.
CREATE TABLE delay(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  thread_id INTEGER NOT NULL REFERENCES thread, -- whom they waited for
  source_id INTEGER NOT NULL REFERENCES source, -- line of wait.cause_event_id
  what TEXT NOT NULL,           -- computation, call, inherited (it waited itself), unexplained
  from_source_id INTEGER REFERENCES source, -- computation: the call before it, NULL: none; else the call
  to_source_id INTEGER REFERENCES source,   -- computation: the call after it, NULL: none
  time_ns INTEGER NOT NULL      -- share of the waiting
) STRICT;

-- What the run's length is made of: from its last moment back, on the thread that ended last, and wherever a wait ended on
-- the thread that it was for.  In order of time; the segments leave nothing out, and do not overlap.
CREATE TABLE critical_path(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  kind TEXT NOT NULL,           -- running, waiting (for nobody known), not started, ended (its log, before what it did next)
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  wait_id INTEGER REFERENCES wait -- of that thread: it ended where the segment begins; waiting: it is the segment
) STRICT;

-- What the threads did, and how much of it on the critical path; that sums to the run's length, exactly.
CREATE TABLE path_line(
  id INTEGER PRIMARY KEY,
  what TEXT NOT NULL,           -- computation, call, waiting, not recorded, not started, ended, other computation (between
                                -- calls beyond the first 8,192 pairs)
  from_source_id INTEGER REFERENCES source, -- computation: the call before it, NULL: none; call, waiting: the call
  to_source_id INTEGER REFERENCES source,   -- computation: the call after it, NULL: none
  time_ns INTEGER NOT NULL,     -- on the path; 0: never
  threads_ns INTEGER NOT NULL   -- of all threads together, on the path or not, without waiting
) STRICT;

-- How long the path lay on a thread that was waited for, by kind of waiting and what was waited for; what several waited
-- for at once counts once.  Rows may share time with others: not to be added.
CREATE TABLE path_wait(
  kind TEXT NOT NULL,
  thread_id INTEGER REFERENCES thread, -- that was waited for; NULL: not known
  source_id INTEGER NOT NULL REFERENCES source, -- line of wait.cause_event_id; not known: of wait.event_id
  time_ns INTEGER NOT NULL
) STRICT;

-- What the POP efficiencies are made of, for two stretches of the run; no row of a thread: its log is missing.
CREATE TABLE pop(
  whole INTEGER PRIMARY KEY,    -- 0: from the last end of an init to the first start of a finalize; 1: all of the run
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  ideal_ns INTEGER NOT NULL     -- its length if nothing but the threads' own work took time: replay, zero-cost network
) STRICT;

CREATE TABLE pop_thread(
  whole INTEGER NOT NULL REFERENCES pop,
  thread_id INTEGER NOT NULL REFERENCES thread,
  computation_ns INTEGER NOT NULL, -- outside of all calls into a runtime
  ideal_ns INTEGER NOT NULL,    -- when it would be done, from the start of the stretch
  PRIMARY KEY(whole, thread_id)
) STRICT, WITHOUT ROWID;

-- Blocking gets, puts and atomics of each line by initiator and owner; durations.
CREATE TABLE access_pair(
  id INTEGER PRIMARY KEY,       -- in order of thread, line and owner; one row for each of these
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who accessed
  peer INTEGER NOT NULL REFERENCES thread,      -- whose memory
  calls INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL,
  median_ns INTEGER NOT NULL,
  p95_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL
) STRICT;

-- Where in access_pair to look: its rows in pieces of 256.
CREATE TABLE access_piece(
  first_pair INTEGER PRIMARY KEY, -- its ids are first_pair .. last_pair
  last_pair INTEGER NOT NULL,
  first_thread INTEGER NOT NULL,
  last_thread INTEGER NOT NULL,
  most_ns INTEGER NOT NULL,     -- the largest time_ns
  local INTEGER NOT NULL        -- how many rows are about the accessing process's own memory
) STRICT;

-- The same of all threads together, remote and local apart.
CREATE TABLE access_line(
  source_id INTEGER NOT NULL REFERENCES source,
  remote INTEGER NOT NULL,      -- 0: the memory was the accessing process's own
  calls INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL,
  median_ns INTEGER NOT NULL,
  p95_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  strict INTEGER,               -- of calls: the runtime says that they are strict (UPC); NULL: it does not tell
  PRIMARY KEY(source_id, remote)
) STRICT, WITHOUT ROWID;

-- Groups of fine_grained by line, thread and pattern.
CREATE TABLE fine_grained_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  pattern TEXT NOT NULL,
  groups INTEGER NOT NULL,
  peers INTEGER NOT NULL,       -- the most of one group
  accesses INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  saving_ns INTEGER NOT NULL,
  polled_ns INTEGER NOT NULL,
  repeated_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id, pattern)
) STRICT, WITHOUT ROWID;

-- Polling: at least 8 blocking gets of one line of the same remote address and size, one after the other, with no other
-- remote access of the thread between; all but the last of them.
CREATE TABLE polling_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who polled
  peer INTEGER NOT NULL REFERENCES thread,      -- whose memory
  series INTEGER NOT NULL,
  gets INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id, peer)
) STRICT, WITHOUT ROWID;

-- Blocking gets of what the thread had read since its last synchronization or strict access, and not written: the same
-- remote address and size.  Polling is left out.  A lower bound: 4096 reads are remembered between two synchronizations, and 64 writes.
CREATE TABLE reread_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who read
  peer INTEGER NOT NULL REFERENCES thread,      -- whose memory
  gets INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id, peer)
) STRICT, WITHOUT ROWID;

-- What lines began that something else completes: sums of completion.
CREATE TABLE overlap_total(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  blocking INTEGER NOT NULL,
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  initiation_ns INTEGER NOT NULL, -- inside the calls that began them; with share_ns: exposed
  share_ns INTEGER NOT NULL,
  overlapped_ns INTEGER NOT NULL,
  in_flight_ns INTEGER NOT NULL,-- while at least one of them was begun and not yet being completed: the union of their gaps
                                -- (of one not seen complete: to where recording stopped, or the thread's last moment)
  unfinished INTEGER NOT NULL,  -- how many were not seen complete
  measured INTEGER NOT NULL,    -- of how many it was recorded when the data were in flight
  PRIMARY KEY(thread_id, source_id, blocking)
) STRICT, WITHOUT ROWID;

-- Which lines complete them.
CREATE TABLE completion_total(
  thread_id INTEGER NOT NULL REFERENCES thread, -- whose operations
  source_id INTEGER NOT NULL REFERENCES source,
  complete_source_id INTEGER NOT NULL REFERENCES source,
  operations INTEGER NOT NULL,
  share_ns INTEGER NOT NULL,
  PRIMARY KEY(thread_id, source_id, complete_source_id)
) STRICT, WITHOUT ROWID;

-- Of completion_total.share_ns what is waiting: that of each completing call, shared out over the lines that it completed.
CREATE TABLE completion_waited(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  complete_source_id INTEGER NOT NULL REFERENCES source,
  waited_ns INTEGER NOT NULL,   -- not 0
  PRIMARY KEY(thread_id, source_id, complete_source_id)
) STRICT, WITHOUT ROWID;

-- What barriers take besides waiting, by the line and thread that arrived: those that all members were seen to come to and
-- to leave.  Without the time that completes other threads' operations.
CREATE TABLE barrier_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  barriers INTEGER NOT NULL,    -- arrivals
  operation_ns INTEGER NOT NULL,-- from the last enter to the first leave
  completion_ns INTEGER NOT NULL, -- the rest: after the first has left; in a first half (notify)
  intervals INTEGER NOT NULL,   -- arrivals to which the thread had come from a barrier of that team, all of which is known
  interval_ns INTEGER NOT NULL, -- from that one's leave to these
  back_to_back INTEGER NOT NULL,-- arrivals after the barrier before, as the team's next collective, within 5 us on each member
                                -- and without any communication in between
  back_to_back_ns INTEGER NOT NULL, -- operation and completion of these, but of those that complete anything
  PRIMARY KEY(source_id, thread_id)
) STRICT, WITHOUT ROWID;

-- How long blocking accesses to other processes' memory take, by line, as a thread of the target was in its runtime when they
-- began, or none was; those of which nobody knows are left out.
CREATE TABLE target_line(
  source_id INTEGER PRIMARY KEY REFERENCES source,
  inside INTEGER NOT NULL,      -- accesses
  inside_median_ns INTEGER,     -- of their durations; NULL: there are none
  outside INTEGER NOT NULL,
  outside_median_ns INTEGER
) STRICT;

-- Accesses that waited for their target to enter its runtime, as it seems: docs/analyses.md, "Targets".
CREATE TABLE starved_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who accessed
  peer INTEGER NOT NULL REFERENCES thread,      -- whose memory
  accesses INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- from their start to when the target entered its runtime, or to their end
  longest_ns INTEGER NOT NULL,
  line_ns INTEGER NOT NULL,     -- in all of the thread's blocking remote accesses at that line
  PRIMARY KEY(source_id, thread_id, peer)
) STRICT, WITHOUT ROWID;

-- How soon those that wait for a word go on after it was written, by waiting line: from when the write began, and they were
-- there, to the end of the waiting call.
CREATE TABLE delivery_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who waited
  waits INTEGER NOT NULL,       -- for known writes, from which no other wait had returned before
  slow INTEGER NOT NULL,        -- more than three times the median of the run's blocking remote puts
  slow_ns INTEGER NOT NULL,     -- of these
  longest_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id)
) STRICT, WITHOUT ROWID;

-- Collectives made by hand: docs/analyses.md, "Targets".
CREATE TABLE hand_made_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who gets from all, or puts to all
  times INTEGER NOT NULL,
  accesses INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- inside the accesses
  waited_ns INTEGER NOT NULL,   -- meanwhile, by others for this thread
  line_ns INTEGER NOT NULL,     -- in all of the thread's blocking remote accesses at that line
  PRIMARY KEY(source_id, thread_id)
) STRICT, WITHOUT ROWID;

-- How many operations moved how much, in powers of two.
CREATE TABLE size_total(
  thread_id INTEGER NOT NULL REFERENCES thread, -- who accessed, sent, or took part
  direction TEXT NOT NULL,      -- get, put, atomic, send, collective
  from_bytes INTEGER NOT NULL,  -- 0, 1, 2, 4, 8 ...: up to the next less one
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY(thread_id, direction, from_bytes)
) STRICT, WITHOUT ROWID;

-- Matched messages by the lines that sent and received them.
CREATE TABLE message_total(
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  send_source_id INTEGER NOT NULL REFERENCES source,
  receive_source_id INTEGER NOT NULL REFERENCES source, -- of the call that posts the receive
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  min_bytes INTEGER NOT NULL,
  max_bytes INTEGER NOT NULL,
  uncertain INTEGER NOT NULL,   -- how many have order_uncertain
  PRIMARY KEY(sender, receiver, send_source_id, receive_source_id)
) STRICT, WITHOUT ROWID;

-- What became of each thread's sends and receives.
CREATE TABLE p2p_total(
  thread_id INTEGER NOT NULL REFERENCES thread,
  direction TEXT NOT NULL,      -- send, receive
  outcome TEXT NOT NULL,        -- matched, unmatched, not recorded (the other end passed while recording was off),
                                -- cancelled, null (MPI_PROC_NULL), wildcard (a receive from anyone that nothing completed)
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY(thread_id, direction, outcome)
) STRICT, WITHOUT ROWID;

-- Collective operations by team, line of the last to arrive, and who that was.
CREATE TABLE collective_total(
  team_id INTEGER NOT NULL REFERENCES team,
  source_id INTEGER NOT NULL REFERENCES source,
  last_thread_id INTEGER NOT NULL REFERENCES thread,
  instances INTEGER NOT NULL,
  members INTEGER NOT NULL,     -- events, of all instances
  wait_ns INTEGER NOT NULL,     -- all members' waiting
  longest_ns INTEGER NOT NULL,  -- the largest wait_ns of one instance
  spread_ns INTEGER NOT NULL,   -- first enter to last enter, of all instances
  operation_ns INTEGER NOT NULL,-- last enter to first leave, of all instances
  PRIMARY KEY(team_id, source_id, last_thread_id)
) STRICT, WITHOUT ROWID;

-- Who waited for each lock while who held it: waits of kind lock and lock attempt with a known holder.
CREATE TABLE lock_wait_total(
  object INTEGER NOT NULL,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who waited
  holder_thread_id INTEGER NOT NULL REFERENCES thread,
  holder_source_id INTEGER NOT NULL REFERENCES source, -- the line at which the holder had taken it
  waits INTEGER NOT NULL,       -- and failed attempts
  time_ns INTEGER NOT NULL,
  longest_ns INTEGER NOT NULL,
  attempts_ns INTEGER NOT NULL, -- of time_ns: in attempts that failed
  PRIMARY KEY(object, thread_id, holder_thread_id, holder_source_id)
) STRICT, WITHOUT ROWID;

-- Holds of each lock by acquiring line and thread.
CREATE TABLE lock_total(
  object INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  acquisitions INTEGER NOT NULL,
  contended INTEGER NOT NULL,   -- how many of them waited for another holder
  contended_ns INTEGER NOT NULL,
  longest_contended_ns INTEGER NOT NULL,
  latency_ns INTEGER NOT NULL,
  hold_ns INTEGER NOT NULL,
  longest_hold_ns INTEGER NOT NULL,
  attempts INTEGER NOT NULL,    -- failed ones before them
  PRIMARY KEY(object, source_id, thread_id)
) STRICT, WITHOUT ROWID;
