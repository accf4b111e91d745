-- SPDX-License-Identifier: GPL-3.0-or-later
-- Roll-ups like those of rollups.sql, and other small results of passes, made when the logs have been read.

-- Waiting of all threads by kind and bin, in the bins of table bin.
CREATE TABLE wait_bin(
  start_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,           -- as in wait
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(start_ns, kind)
) WITHOUT ROWID;

-- Waiting of each thread by bin, of width meta.thread_bin_ns.
CREATE TABLE thread_wait_bin(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(thread_id, start_ns)
) WITHOUT ROWID;

-- Allocations by line and thread; of counted private memory (memory_sample) by line and process, whose first thread it is.  A block is an object: an upc_all_alloc of all threads is one, of the thread that entered
-- first; a symmetric allocation of OpenSHMEM is one on each PE.
CREATE TABLE memory_line(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  shared INTEGER NOT NULL,      -- 1: shared memory
  blocks INTEGER NOT NULL,      -- allocated
  bytes INTEGER NOT NULL,       -- their sizes, as recorded
  largest_bytes INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,  -- largest size of these blocks allocated at one time
  failed INTEGER NOT NULL,      -- allocations that returned nothing
  unseen INTEGER NOT NULL,      -- blocks whose freeing was not recorded: another block got their address
  leaked INTEGER NOT NULL,      -- blocks that were never freed
  leaked_bytes INTEGER NOT NULL,
  leaked_event_id INTEGER REFERENCES event, -- allocation of the first of them
  frees INTEGER NOT NULL,       -- of anything but NULL; of counted private memory, of what was allocated there
  unknown_frees INTEGER NOT NULL, -- of memory that was not known to be allocated
  unknown_event_id INTEGER REFERENCES event, -- the first of them
  grows INTEGER,                -- 1: more was live at the end of each quarter of the time since its first allocation, at least half
                                -- of its process's, without the runtime's start and end; NULL: not known
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Largest memory allocated at one time, and that time.  Shared memory counts on the thread where it lies, if that is known.
CREATE TABLE memory_peak(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER REFERENCES thread, -- NULL: of all threads
  source_id INTEGER REFERENCES source, -- NULL: of all lines
  shared INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,
  peak_ns INTEGER NOT NULL,     -- when it was first reached
  end_bytes INTEGER NOT NULL    -- at the end
);

-- Calls on files by file, line and thread.
CREATE TABLE file_use(
  team_id INTEGER REFERENCES team, -- the file; NULL: it could not be opened, or is not known
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  calls INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- in these calls
  bytes INTEGER NOT NULL,       -- read or written
  wait_ns INTEGER NOT NULL      -- of time_ns: waiting for other threads
);

-- Names of arguments of user events: the word before the conversion in operation.format.
CREATE TABLE user_argument(
  argument_id INTEGER PRIMARY KEY REFERENCES argument,
  label TEXT NOT NULL
);

-- Numbers that the program gave with user events, by line, argument and thread.
CREATE TABLE user_value(
  source_id INTEGER NOT NULL REFERENCES source,
  argument_id INTEGER NOT NULL REFERENCES argument,
  thread_id INTEGER NOT NULL REFERENCES thread,
  n INTEGER NOT NULL,           -- finite numbers; the following are of these
  not_numbers INTEGER NOT NULL, -- NaN
  infinite INTEGER NOT NULL,
  integer_sum INTEGER,          -- exact; NULL: a real argument, or beyond the range
  sum REAL,                     -- plain, in the order of events; NULL: not known
  mean REAL,
  squares REAL,                 -- of the distances from the mean; their mean is the variance
  minimum REAL,
  maximum REAL,
  PRIMARY KEY(source_id, argument_id, thread_id)
) WITHOUT ROWID;

-- The same of all threads over time, in bins of meta.source_bin_ns: those given at a start by the start, at an end by the end.
CREATE TABLE user_value_bin(
  source_id INTEGER NOT NULL REFERENCES source,
  argument_id INTEGER NOT NULL REFERENCES argument,
  start_ns INTEGER NOT NULL,
  n INTEGER NOT NULL,           -- and the following: as in user_value
  not_numbers INTEGER NOT NULL,
  infinite INTEGER NOT NULL,
  integer_sum INTEGER,
  sum REAL,
  mean REAL,
  squares REAL,
  minimum REAL,
  maximum REAL,
  PRIMARY KEY(source_id, argument_id, start_ns)
) WITHOUT ROWID;

-- Channels with a wrong pair: on one host a message was received before it was sent.  Some of their calls are missing from the
-- logs: waits for their messages are in no table.
CREATE TABLE wrong_channel(
  team_id INTEGER REFERENCES team,
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  tag INTEGER NOT NULL,
  pairs INTEGER NOT NULL        -- wrong ones
);

-- Waiting by kind, line, thread and cause.
CREATE TABLE wait_total(
  kind TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- line of the waiting call
  thread_id INTEGER NOT NULL REFERENCES thread, -- the waiting thread
  cause_thread_id INTEGER REFERENCES thread,    -- the thread that it waited for; NULL: unknown
  cause_source_id INTEGER REFERENCES source,    -- line of wait.cause_event_id
  waits INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  longest_ns INTEGER NOT NULL,
  longest_wait_id INTEGER NOT NULL REFERENCES wait,
  wrong_order INTEGER NOT NULL, -- as in wait
  below_error INTEGER NOT NULL, -- as in wait
  unserved_ns INTEGER NOT NULL DEFAULT 0, -- of time_ns: in wait_unserved
  error_ns INTEGER DEFAULT 0    -- by how much time_ns may be off by the clocks' error: sum of wait.error_ns, of each wait at most its
                                -- length; NULL: not known of one with a known cause
);

-- Waiting by call path, of calls in table event_path.
CREATE TABLE callpath_wait(
  callpath_id INTEGER NOT NULL REFERENCES callpath, -- of the call that waited
  thread_id INTEGER NOT NULL REFERENCES thread, -- who waited
  kind TEXT NOT NULL,           -- as in wait
  source_id INTEGER NOT NULL REFERENCES source, -- of wait.cause_event_id; not known: of wait.event_id
  waits INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  lost_ns INTEGER NOT NULL,     -- of time_ns: in findings, without waits below the clocks' error and what wait_unserved explains
  PRIMARY KEY(callpath_id, thread_id, kind, source_id)
) WITHOUT ROWID;

-- Parts of waits explained by a lack of processors (the other thread had none), by the collector's comparing the clocks of several
-- hosts, or because the other thread waited itself for one of these.  They are in no finding.
CREATE TABLE wait_unserved(
  wait_id INTEGER PRIMARY KEY REFERENCES wait,
  time_ns INTEGER NOT NULL      -- not 0
);

-- Time without a processor in calls, waiting left out; no row: none.
CREATE TABLE unserved_share(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  time_ns INTEGER NOT NULL,     -- without a processor itself
  own REAL NOT NULL,            -- that as a part of its time in the line's calls, at most 1
  shared REAL NOT NULL,         -- the part explained by its own and others' lack of a processor, where both must run
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Causes of delays: all waiting of a kind for a thread to reach a line, distributed over the activities that delayed it.  Waits
-- below the clocks' error, and parts explained by a lack of processors (wait_total.unserved_ns), are left out.  Barriers and
-- collectives between all: activities longer than those of the other members, since the team's instance before; all others:
-- activities during the wait.  The rows of one cause sum to its waiting.
CREATE TABLE delay(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the delayed thread, which others waited for
  source_id INTEGER NOT NULL REFERENCES source, -- line of wait.cause_event_id
  what TEXT NOT NULL,           -- function (computation in it), computation (in none), call, inherited (it waited itself),
                                -- unexplained
  function_source_id INTEGER REFERENCES source, -- function: that itself
  from_source_id INTEGER REFERENCES source, -- computation: the call or function before it (function: in that), NULL: none;
                                            -- else that itself
  to_source_id INTEGER REFERENCES source,   -- computation: the call or function after it (function: in that), NULL: none
  time_ns INTEGER NOT NULL,     -- share of the waiting
  error_ns INTEGER              -- the same share of the waiting's error (wait_total), rounded up: the rows of one cause sum to it, or a
                                -- little more; 0: one host; NULL: not known
);

-- Segments of the critical path: from the run's end back, on the thread that ended last, and from the end of each wait on the
-- thread that it was for.  In order of time, without gaps and overlaps.
CREATE TABLE critical_path(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  kind TEXT NOT NULL,           -- running, waiting (for an unknown thread), not started, ended (its log, before its next activity)
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  wait_id INTEGER REFERENCES wait, -- of that thread: it ended where the segment begins; waiting: it is the segment
  error_ns INTEGER              -- by how much its length may be off by the clocks' error: of its thread's host against that of the
                                -- thread that the path goes on with, at its end; not started: against that of the run's first
                                -- record, at its start.  0: one host; NULL: not known.  Errors of segments add up at most
);

-- Activities of the threads, on the critical path and in all; those on the path sum to the run's length, exactly.
CREATE TABLE path_line(
  id INTEGER PRIMARY KEY,
  what TEXT NOT NULL,           -- function (computation in it), computation (in none), call, waiting, not recorded, not
                                -- started, ended, other computation (between calls beyond the first 8,192 pairs)
  function_source_id INTEGER REFERENCES source, -- as in delay
  from_source_id INTEGER REFERENCES source,
  to_source_id INTEGER REFERENCES source,
  time_ns INTEGER NOT NULL,     -- on the path; 0: never
  threads_ns INTEGER NOT NULL   -- of all threads together, on the path or not, without waiting
);

-- Computation of each thread by place, without places of less than a thousandth of the thread's.
CREATE TABLE thread_computation(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  function_source_id INTEGER REFERENCES source, -- as in delay; NULL: in no function
  from_source_id INTEGER REFERENCES source,
  to_source_id INTEGER REFERENCES source,
  time_ns INTEGER NOT NULL      -- on the path or not
);

-- Communication phases: calls of one function that communicate one after another in a loop, as in a halo exchange, with less than
-- a hundredth of all computation between neighbouring calls.  Sources outside of phases have no row.
CREATE TABLE communication_phase(
  source_id INTEGER PRIMARY KEY REFERENCES source,
  first_source_id INTEGER NOT NULL REFERENCES source -- identity of the phase: the first of its calls
);

-- Sources as findings name them: those of one operation and location are a spot, and the calls of a communication phase have one
-- place, from its first line to its last.
CREATE TABLE spot(
  source_id INTEGER PRIMARY KEY REFERENCES source,
  spot INTEGER NOT NULL REFERENCES source, -- the first source of that operation and location
  place_source_id INTEGER NOT NULL REFERENCES source, -- the first source of its phase; in none: spot
  operation TEXT NOT NULL,      -- this and the next three as in view place
  type TEXT NOT NULL,
  category TEXT NOT NULL,
  model TEXT NOT NULL,
  name TEXT NOT NULL,           -- the operation; a function of the program by its own name, with ()
  location TEXT,                -- as in view place; in a phase the lines of the operation, file:first-last
  place_location TEXT           -- likewise, of the phase: the lines of all its operations
);

-- Root causes of waiting: computation that ends at a call, and that others waited for, without that under a lock.  A wait for a
-- thread that was late because it waited itself is attributed to the causes of that wait, in the proportions of its waiting at
-- that line (Boehme's indirect delay costs, summed by line).
CREATE TABLE root_cause(
  id INTEGER PRIMARY KEY,       -- in order of time_ns, the largest first
  function_source_id INTEGER REFERENCES source, -- computation, as in delay; of a communication phase its first source
  from_source_id INTEGER REFERENCES source, -- the call before most of it; NULL: also if there is none
  to_source_id INTEGER REFERENCES source,   -- NULL: it ends with a thread, or a function
  time_ns INTEGER NOT NULL,     -- waiting of all threads that it causes
  direct_ns INTEGER NOT NULL,   -- of that: for a thread that computed there itself
  threads INTEGER NOT NULL,     -- delayed by it
  thread_id INTEGER NOT NULL REFERENCES thread, -- the thread that most of it is due to; ties: the lowest
  thread_ns INTEGER NOT NULL,   -- of time_ns due to that thread
  longest_ns INTEGER NOT NULL,  -- the largest direct waiting of one thread for that thread
  work_ns INTEGER NOT NULL,     -- that thread's computation there
  excess_ns INTEGER NOT NULL,   -- of that above the mean of the threads: docs/analyses.md, Root causes
  path_ns INTEGER NOT NULL,     -- computation there on the critical path
  error_ns INTEGER              -- by how much time_ns may be off by the clocks' error: of the error of each waiting (wait_total) the same
                                -- part as of its time; 0: one host; NULL: not known
);

-- Waiting due to the largest root causes, by kind and line.
CREATE TABLE root_cause_wait(
  root_cause_id INTEGER NOT NULL REFERENCES root_cause,
  kind TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- line of wait.cause_event_id
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(root_cause_id, kind, source_id)
) WITHOUT ROWID;

-- Calls of each thread on the critical path, without waiting, by source.
CREATE TABLE path_call(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Time of the critical path on a thread during waits for it, by kind of waiting and spot (table spot) of the cause; simultaneous
-- waits count once.  Rows may overlap in time: they must not be summed.
CREATE TABLE path_wait(
  kind TEXT NOT NULL,
  thread_id INTEGER REFERENCES thread, -- that was waited for; NULL: unknown
  source_id INTEGER NOT NULL REFERENCES source, -- of wait.cause_event_id; unknown: of wait.event_id; the spot's first
  time_ns INTEGER NOT NULL,     -- without the part explained by a lack of processors
  error_ns INTEGER              -- by how much it may be off by the clocks' error: sum over its intervals: wait.error_ns, where one
                                -- begins with a wait, and critical_path.error_ns, where it ends with a segment; NULL: not known
);

-- Lost time by kind and line to blame: view loss, all threads together, with the thread most at fault.
CREATE TABLE loss_total(
  kind TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- of the lines of one operation and place the first
  lost_ns INTEGER NOT NULL,
  cases INTEGER NOT NULL,
  longest_ns INTEGER,
  saving_ns INTEGER,
  thread_id INTEGER REFERENCES thread, -- most at fault; ties: the lowest
  thread_ns INTEGER NOT NULL,   -- of lost_ns
  threads INTEGER NOT NULL,     -- at fault; 0: unknown
  detail TEXT,                  -- of that thread
  path_ns INTEGER,              -- of lost_ns on the critical path, at most; NULL: waiting, see path_wait
  PRIMARY KEY(kind, source_id)
) WITHOUT ROWID;

-- Callers of lines that wait, of runs that were recorded with call stacks or functions.  The functions above the one that a line is in are
-- compared, the innermost first: the first at which the line's call paths differ are its callers.  No row: they never differ.
CREATE TABLE wait_caller(
  kind TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- waited for, as in loss_total
  waiting_source_id INTEGER NOT NULL REFERENCES source, -- table spot: the calls that waited
  caller TEXT NOT NULL,         -- the caller with most of the waiting: its function, or module+offset; ties: the first by name
  caller_ns INTEGER NOT NULL,   -- its part
  time_ns INTEGER NOT NULL,     -- of all callers: sum of callpath_wait.lost_ns
  PRIMARY KEY(kind, source_id, waiting_source_id)
) WITHOUT ROWID;

-- Callers of functions whose computation others waited for, of runs that were recorded with functions.  They are the first, from
-- the function outwards, at which its call paths differ.  A thread's excess is its self time on a path above the mean of all
-- threads.  No row: the paths never differ, or no caller has an excess.
CREATE TABLE work_caller(
  function_source_id INTEGER NOT NULL REFERENCES source, -- as in root_cause and delay
  thread_id INTEGER NOT NULL REFERENCES thread, -- the thread that was waited for
  caller TEXT NOT NULL,         -- the caller with most of the excess: its function, or module+offset; ties: the first by name
  caller_ns INTEGER NOT NULL,   -- its part
  time_ns INTEGER NOT NULL,     -- of all callers that have an excess
  PRIMARY KEY(function_source_id, thread_id)
) WITHOUT ROWID;

-- Input of the POP efficiencies, for two intervals of the run.
CREATE TABLE pop(
  whole INTEGER PRIMARY KEY,    -- 0: from the last end of an init to the first start of a finalize; 1: all of the run
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  ideal_ns INTEGER              -- its length with the threads' own work alone: replay, zero-cost network; NULL: a profile
);

-- The same by thread; no row: its log is missing.
CREATE TABLE pop_thread(
  whole INTEGER NOT NULL REFERENCES pop,
  thread_id INTEGER NOT NULL REFERENCES thread,
  computation_ns INTEGER NOT NULL, -- outside of all calls into a runtime
  ideal_ns INTEGER,             -- when it would be done, from the start of the interval; NULL: a profile
  PRIMARY KEY(whole, thread_id)
) WITHOUT ROWID;

-- The same over time: each interval in 1, 2, 4 ... 64 bins, as equal as whole ns allow; bins of no length are left out.
CREATE TABLE pop_bin(
  whole INTEGER NOT NULL REFERENCES pop,
  bins INTEGER NOT NULL,        -- number of bins of the interval
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  computation_ns INTEGER NOT NULL, -- of all threads
  most_ns INTEGER NOT NULL,     -- the largest of one
  most_thread_id INTEGER NOT NULL REFERENCES thread, -- that thread; ties: the lowest
  PRIMARY KEY(whole, bins, start_ns)
) WITHOUT ROWID;

-- Durations of blocking gets, puts and atomics by line, initiator and owner.  A copy from shared to shared memory is a get and a
-- put, which share its time.
CREATE TABLE access_pair(
  id INTEGER PRIMARY KEY,       -- in order of thread, line, direction and owner; one row for each of these
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the initiator
  direction TEXT NOT NULL,      -- get, put, atomic
  peer INTEGER NOT NULL REFERENCES thread,      -- the owner of the memory
  calls INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  min_ns INTEGER,               -- this and the next three: NULL: not known (a profile)
  median_ns INTEGER,
  p95_ns INTEGER,
  max_ns INTEGER,
  strict INTEGER                -- of calls, as in access_line
);

-- Index of access_pair: its rows in pieces of 256.
CREATE TABLE access_piece(
  first_pair INTEGER PRIMARY KEY, -- its ids are first_pair .. last_pair
  last_pair INTEGER NOT NULL,
  first_thread INTEGER NOT NULL,
  last_thread INTEGER NOT NULL,
  most_ns INTEGER NOT NULL,     -- the largest time_ns
  local INTEGER NOT NULL        -- rows of accesses to the initiator's own memory
);

-- Durations of accesses of all threads together, separately of remote, local and unknown owners.
CREATE TABLE access_line(
  source_id INTEGER NOT NULL REFERENCES source,
  direction TEXT NOT NULL,      -- as in access_pair
  remote INTEGER NOT NULL,      -- owner of the memory: 0: the accessing process; 1: another; 2: unknown
  calls INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  min_ns INTEGER,               -- this and the next three: NULL: not known (a profile)
  median_ns INTEGER,
  p95_ns INTEGER,
  max_ns INTEGER,
  strict INTEGER,               -- of calls: strict (UPC); NULL: not in the log
  PRIMARY KEY(source_id, direction, remote)
) WITHOUT ROWID;

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
  repeated_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id, pattern)
) WITHOUT ROWID;

-- Polling: series of at least 8 blocking gets (or atomics that only fetch) of one remote address and size, without another remote
-- access of the thread between; all gets but the last of each series, at their lines.
CREATE TABLE polling_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the polling thread
  peer INTEGER NOT NULL REFERENCES thread,      -- the owner of the memory
  series INTEGER NOT NULL,      -- begun at this line
  gets INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id, peer)
) WITHOUT ROWID;

-- Spinning: reads of a UPC thread's own shared memory until a word changes (docs/analyses.md, "Spinning").
CREATE TABLE spin_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  series INTEGER NOT NULL,
  gets INTEGER NOT NULL,        -- of all series, the last of each included
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- in these gets
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Repeated gets: blocking gets (or atomics that only fetch) of a remote address and size that the thread had read, and not written,
-- since its last synchronization or strict access.  Polling is left out.  A lower bound: 4096 reads and 64 writes are remembered
-- between two synchronizations.
CREATE TABLE reread_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the reading thread
  peer INTEGER NOT NULL REFERENCES thread,      -- the owner of the memory
  gets INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id, peer)
) WITHOUT ROWID;

-- Operations completed by other calls, by thread and line: sums of completion.
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
  unfinished INTEGER NOT NULL,  -- operations not seen complete
  measured INTEGER NOT NULL,    -- operations with a recorded time in flight
  at_once INTEGER NOT NULL,     -- operations complete when the call that began them returned (the trivial handle)
  at_once_ns INTEGER NOT NULL,  -- inside these calls
  complete_source_id INTEGER REFERENCES source, -- line that completes most of share_ns; NULL: none was seen
  complete_ns INTEGER,          -- of share_ns at that line
  PRIMARY KEY(thread_id, source_id, blocking)
) WITHOUT ROWID;

-- Operations completed by other calls, of all threads together.
CREATE TABLE overlap_line(
  source_id INTEGER NOT NULL REFERENCES source,
  blocking INTEGER NOT NULL,
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  initiation_ns INTEGER NOT NULL,
  share_ns INTEGER NOT NULL,
  overlapped_ns INTEGER NOT NULL,
  in_flight_ns INTEGER NOT NULL,
  unfinished INTEGER NOT NULL,
  measured INTEGER NOT NULL,
  at_once INTEGER NOT NULL,
  at_once_ns INTEGER NOT NULL,
  complete_source_id INTEGER REFERENCES source,
  complete_ns INTEGER,
  PRIMARY KEY(source_id, blocking)
) WITHOUT ROWID;

-- Lines that complete these operations.
CREATE TABLE completion_total(
  thread_id INTEGER NOT NULL REFERENCES thread, -- that began the operations
  source_id INTEGER NOT NULL REFERENCES source,
  complete_source_id INTEGER NOT NULL REFERENCES source,
  operations INTEGER NOT NULL,
  share_ns INTEGER NOT NULL,
  PRIMARY KEY(thread_id, source_id, complete_source_id)
) WITHOUT ROWID;

-- Waiting in completion_total.share_ns, known and possible: that of each completing call, distributed over the lines that it
-- completed.
CREATE TABLE completion_waited(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  complete_source_id INTEGER NOT NULL REFERENCES source,
  waited_ns INTEGER NOT NULL,
  untold_ns INTEGER NOT NULL,   -- the rest of calls whose waiting is unknown; waited_ns and untold_ns are not both 0
  PRIMARY KEY(thread_id, source_id, complete_source_id)
) WITHOUT ROWID;

-- Cost of barriers besides waiting, by line and thread: of barriers that all members were seen to enter and to leave.  Without
-- the time that completes other threads' operations.
CREATE TABLE barrier_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  barriers INTEGER NOT NULL,    -- arrivals at such barriers
  operation_ns INTEGER NOT NULL,-- from the last enter to the first leave, without drain
  completion_ns INTEGER NOT NULL, -- the rest: after the first has left; in a first half (notify)
  intervals INTEGER NOT NULL,   -- arrivals after another such barrier of the team
  interval_ns INTEGER NOT NULL, -- from the leave of that one to these
  back_to_back INTEGER NOT NULL,-- arrivals after the barrier before, as the team's next collective, within 5 us on each member
                                -- and without any communication in between
  back_to_back_ns INTEGER NOT NULL, -- operation and completion of these, without those that complete anything
  drain_ns INTEGER NOT NULL,    -- operations of more than three times the line's median, with puts pending on a member
  own_drain_ns INTEGER NOT NULL,-- of drain_ns: in calls that completed something, and so in completion_total as well
  split INTEGER NOT NULL,       -- arrivals in two halves, also at barriers of which not all members were seen
  slack_ns INTEGER NOT NULL,    -- of these, from the first half's leave to the second's enter
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Durations of blocking accesses to other processes' memory by line, separately for targets with a thread inside the runtime at
-- their start and without one; accesses with an unknown state of the target are left out.
CREATE TABLE target_line(
  source_id INTEGER PRIMARY KEY REFERENCES source,
  inside INTEGER NOT NULL,      -- accesses
  inside_median_ns INTEGER,     -- of their durations; NULL: there are none
  outside INTEGER NOT NULL,
  outside_median_ns INTEGER,
  answered INTEGER NOT NULL     -- of all these, those that ended just as their target entered its runtime next
);

-- Accesses that probably waited for their target to enter its runtime: docs/analyses.md, "Targets".
CREATE TABLE starved_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the initiator
  peer INTEGER NOT NULL REFERENCES thread,      -- the target
  accesses INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- from their start to when the target entered its runtime, or to their end
  longest_ns INTEGER NOT NULL,
  line_ns INTEGER NOT NULL,     -- in all of the thread's blocking remote accesses at that line
  PRIMARY KEY(source_id, thread_id, peer)
) WITHOUT ROWID;

-- Delay from the write of a word to the end of the calls that wait for it, by waiting line: from the start of the write, or of
-- the waiting call if that is later.
CREATE TABLE delivery_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the waiting thread
  waits INTEGER NOT NULL,       -- for known writes, each the first that returned
  slow INTEGER NOT NULL,        -- more than three times the median of the run's blocking remote puts
  slow_ns INTEGER NOT NULL,     -- of these
  longest_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Collectives made by hand: docs/analyses.md, "Targets".
CREATE TABLE hand_made_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- that gets from all, or puts to all
  times INTEGER NOT NULL,
  accesses INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- inside the accesses
  waited_ns INTEGER NOT NULL,   -- by others for this thread, during these
  line_ns INTEGER NOT NULL,     -- in all of the thread's blocking remote accesses at that line
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Operations by size, in powers of two.
CREATE TABLE size_total(
  thread_id INTEGER NOT NULL REFERENCES thread, -- that accessed, sent, or took part
  direction TEXT NOT NULL,      -- get, put, atomic, send, collective
  from_bytes INTEGER NOT NULL,  -- 0, 1, 2, 4, 8 ...: up to the next less one
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY(thread_id, direction, from_bytes)
) WITHOUT ROWID;

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
  uncertain INTEGER NOT NULL,   -- with order_uncertain
  PRIMARY KEY(sender, receiver, send_source_id, receive_source_id)
) WITHOUT ROWID;

-- Waiting for messages by the lines that sent and received them; no row: none.
CREATE TABLE message_wait_total(
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  send_source_id INTEGER NOT NULL REFERENCES source,
  receive_source_id INTEGER NOT NULL REFERENCES source, -- of the call that posts the receive
  late_sender_ns INTEGER NOT NULL,
  same_source_ns INTEGER NOT NULL, -- of that: wait.wrong_order 1
  other_source_ns INTEGER NOT NULL, -- of that: wait.wrong_order 2
  late_receiver_ns INTEGER NOT NULL,
  error_ns INTEGER,             -- by how much both together may be off, as in wait_total
  PRIMARY KEY(sender, receiver, send_source_id, receive_source_id)
) WITHOUT ROWID;

-- Outcomes of each thread's sends and receives.
CREATE TABLE p2p_total(
  thread_id INTEGER NOT NULL REFERENCES thread,
  direction TEXT NOT NULL,      -- send, receive
  outcome TEXT NOT NULL,        -- matched, unmatched, not recorded (the other end passed while nothing was recorded),
                                -- cancelled, null (MPI_PROC_NULL), wildcard (a receive from anyone that nothing completed),
                                -- unknown (the creation of a persistent request is not in the log, or an operation defined there
                                -- has no communicator, peer or tag)
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY(thread_id, direction, outcome)
) WITHOUT ROWID;

-- Collective operations by team, late thread, and the line of its call.  Late thread: the root of a broadcast or
-- scatter; the first sender of a gather or reduction; else the last to arrive (all-to-all: the last sender).
CREATE TABLE collective_total(
  team_id INTEGER NOT NULL REFERENCES team,
  source_id INTEGER NOT NULL REFERENCES source,
  late_thread_id INTEGER NOT NULL REFERENCES thread,
  instances INTEGER NOT NULL,
  members INTEGER NOT NULL,     -- events, of all instances
  wait_ns INTEGER NOT NULL,     -- all members' waiting
  longest_ns INTEGER NOT NULL,  -- the largest wait_ns of one instance
  spread_ns INTEGER NOT NULL,   -- first enter to last enter, of all instances
  operation_ns INTEGER NOT NULL,-- last enter to first leave, of all instances
  completion_ns INTEGER NOT NULL, -- from then to their leaves, of all members; barriers and all-to-all only
  PRIMARY KEY(team_id, source_id, late_thread_id)
) WITHOUT ROWID;

-- Waiting for locks by waiting and holding thread: waits of kind lock and lock attempt with a known holder, whose acquisition was
-- recorded.
CREATE TABLE lock_wait_total(
  object INTEGER NOT NULL,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the waiting thread
  holder_thread_id INTEGER NOT NULL REFERENCES thread,
  holder_source_id INTEGER NOT NULL REFERENCES source, -- the line at which the holder had taken it
  waits INTEGER NOT NULL,       -- and failed attempts
  time_ns INTEGER NOT NULL,
  longest_ns INTEGER NOT NULL,
  attempts_ns INTEGER NOT NULL, -- of time_ns: in attempts that failed
  PRIMARY KEY(object, thread_id, holder_thread_id, holder_source_id)
) WITHOUT ROWID;

-- Holds of each lock by acquiring line and thread.
CREATE TABLE lock_total(
  object INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  acquisitions INTEGER NOT NULL,
  contended INTEGER NOT NULL,   -- acquisitions that waited for another holder
  contended_ns INTEGER NOT NULL,
  longest_contended_ns INTEGER NOT NULL,
  latency_ns INTEGER NOT NULL,
  untold_ns INTEGER NOT NULL,
  hold_ns INTEGER NOT NULL,
  longest_hold_ns INTEGER NOT NULL,
  attempts INTEGER NOT NULL,    -- failed ones before them
  between_ns INTEGER NOT NULL,  -- and the time between these: lock_use.between_ns
  PRIMARY KEY(object, source_id, thread_id)
) WITHOUT ROWID;

-- Time by entity, thread and line (docs/mapping.md).  A thread's self_ns add up to its time, last_ns - first_ns.
CREATE TABLE entity_profile(
  id INTEGER PRIMARY KEY,       -- in the order of thread, entity, source
  thread_id INTEGER NOT NULL REFERENCES thread,
  entity_id INTEGER REFERENCES entity, -- no mix; NULL: none
  source_id INTEGER REFERENCES source, -- of the innermost call, or of the begin of the entity inside of it; NULL: neither, or not
                                -- recorded (off, damage, the collector's own work)
  calls INTEGER NOT NULL,       -- begun at the line while the entity was innermost; its own begins and hand-overs; of a mix: for each entity
  self_ns INTEGER NOT NULL,     -- while it was the innermost open entity
  inclusive_ns INTEGER NOT NULL,-- while it was open: self_ns, and of entities begun meanwhile
  shared_ns INTEGER NOT NULL,   -- of self_ns: shares of mixes
  wait_ns INTEGER NOT NULL,     -- of self_ns: in waits
  bytes INTEGER                 -- moved by these calls; NULL: they move none
);

-- The same of all threads, by line and (whole 1) of all lines.
CREATE TABLE entity_total(
  id INTEGER PRIMARY KEY,       -- in the order of whole, entity, source
  entity_id INTEGER REFERENCES entity, -- NULL: none
  source_id INTEGER REFERENCES source, -- NULL: as in entity_profile, or whole
  whole INTEGER NOT NULL,       -- 1: of all lines
  threads INTEGER NOT NULL,     -- with a row in entity_profile
  calls INTEGER NOT NULL,       -- and the following: as in entity_profile
  self_ns INTEGER NOT NULL,
  inclusive_ns INTEGER NOT NULL,
  shared_ns INTEGER NOT NULL,
  wait_ns INTEGER NOT NULL,
  bytes INTEGER,
  longest_ns INTEGER NOT NULL,  -- the largest self_ns of one thread
  longest_thread_id INTEGER NOT NULL REFERENCES thread -- that thread; ties: the lowest
);

-- Time by entity over time, in the bins of thread_bin.
CREATE TABLE entity_bin(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,    -- of the bin
  entity_id INTEGER NOT NULL REFERENCES entity,
  self_ns INTEGER NOT NULL,
  wait_ns INTEGER NOT NULL,     -- of self_ns
  PRIMARY KEY(thread_id, start_ns, entity_id)
) WITHOUT ROWID;

-- Work that was handed over, by entity and threads.
CREATE TABLE entity_work_total(
  id INTEGER PRIMARY KEY,       -- in the order of entity, put thread, run thread
  entity_id INTEGER REFERENCES entity,
  put_thread_id INTEGER REFERENCES thread, -- NULL: the hand-over was not recorded
  run_thread_id INTEGER REFERENCES thread, -- NULL: it did not run
  puts INTEGER NOT NULL,        -- pieces of work whose first run, if any, was on that thread
  runs INTEGER NOT NULL,
  run_ns INTEGER NOT NULL,
  queued_ns INTEGER NOT NULL,
  longest_queued_ns INTEGER     -- NULL: none ran
);
