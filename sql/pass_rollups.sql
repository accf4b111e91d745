-- SPDX-License-Identifier: GPL-3.0-or-later
-- Roll-ups like those of rollups.sql, and what else passes find that is small: made when the logs have been read.

-- Waiting over time, in the bins of table bin: of all threads by kind ...
CREATE TABLE wait_bin(
  start_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,           -- as in wait
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(start_ns, kind)
) WITHOUT ROWID;

-- ... and of each thread, of width meta.thread_bin_ns.
CREATE TABLE thread_wait_bin(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(thread_id, start_ns)
) WITHOUT ROWID;

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
) WITHOUT ROWID;

-- The most memory there was at once, and when.  Shared memory is counted where it lies, as far as that is known.
CREATE TABLE memory_peak(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER REFERENCES thread, -- NULL: of all threads
  source_id INTEGER REFERENCES source, -- NULL: of all lines
  shared INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,
  peak_ns INTEGER NOT NULL,     -- when it was first reached
  end_bytes INTEGER NOT NULL    -- at the end
);

-- Calls on files, by file, line and thread.
CREATE TABLE file_use(
  team_id INTEGER REFERENCES team, -- the file; NULL: it could not be opened, or is not known
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  calls INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- in these calls
  bytes INTEGER NOT NULL,       -- read or written
  wait_ns INTEGER NOT NULL      -- of time_ns: waiting for other threads
);

-- Channels of which a pair is proven wrong: on one host a message was received before it was sent.  Some of their calls are
-- missing from the logs: waits for their messages are in no table.
CREATE TABLE wrong_channel(
  team_id INTEGER REFERENCES team,
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  tag INTEGER NOT NULL,
  pairs INTEGER NOT NULL        -- that cannot be
);

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
  below_error INTEGER NOT NULL, -- as in wait
  unserved_ns INTEGER NOT NULL DEFAULT 0 -- of time_ns: in wait_unserved
);

-- Waits for threads that had no processor meanwhile, or that waited themselves for others that had none: how much of a wait
-- that explains.  It is in no finding.
CREATE TABLE wait_unserved(
  wait_id INTEGER PRIMARY KEY REFERENCES wait,
  time_ns INTEGER NOT NULL      -- not 0
);

-- Calls in which threads had no processor, other than while they waited; no row: none was without.
CREATE TABLE unserved_share(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  time_ns INTEGER NOT NULL,     -- without a processor itself
  own REAL NOT NULL,            -- that as a part of its time in the line's calls, 1 at most
  shared REAL NOT NULL,         -- the part that its own and others' lack of a processor may explain, where both must run for it
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- What threads did that others waited for: all waiting of a kind for a thread to come to a line, shared out over what
-- kept it.  Waits below the clocks' error, and what a lack of processors explains (wait_total.unserved_ns), are left out.  Barriers and collectives between all: what it did longer than the other members, since the team's instance
-- before; everything else: what it did meanwhile.  The rows of one cause sum to its waiting.
CREATE TABLE delay(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  thread_id INTEGER NOT NULL REFERENCES thread, -- whom they waited for
  source_id INTEGER NOT NULL REFERENCES source, -- line of wait.cause_event_id
  what TEXT NOT NULL,           -- function (computation in it), computation (in none), call, inherited (it waited itself),
                                -- unexplained
  function_source_id INTEGER REFERENCES source, -- function: that itself
  from_source_id INTEGER REFERENCES source, -- computation: the call or function before it (function: in that), NULL: none;
                                            -- else that itself
  to_source_id INTEGER REFERENCES source,   -- computation: the call or function after it (function: in that), NULL: none
  time_ns INTEGER NOT NULL      -- share of the waiting
);

-- What the run's length is made of: from its last moment back, on the thread that ended last, and wherever a wait ended on
-- the thread that it was for.  In order of time; the segments leave nothing out, and do not overlap.
CREATE TABLE critical_path(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  kind TEXT NOT NULL,           -- running, waiting (for nobody known), not started, ended (its log, before what it did next)
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  wait_id INTEGER REFERENCES wait -- of that thread: it ended where the segment begins; waiting: it is the segment
);

-- What the threads did, and how much of it on the critical path; that sums to the run's length, exactly.
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

-- Each thread's computation by place; what is less than a thousandth of the thread's is left out.
CREATE TABLE thread_computation(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  function_source_id INTEGER REFERENCES source, -- as in delay; NULL: in no function
  from_source_id INTEGER REFERENCES source,
  to_source_id INTEGER REFERENCES source,
  time_ns INTEGER NOT NULL      -- on the path or not
);

-- Calls of one function that communicate one after another, in a loop that comes back to them, as in a halo's exchange: between
-- two that follow each other lies less than a hundredth of all computation.  What is in none has no row.
CREATE TABLE communication_phase(
  source_id INTEGER PRIMARY KEY REFERENCES source,
  first_source_id INTEGER NOT NULL REFERENCES source -- which phase it is: the first of its calls
);

-- Sources as findings name them: those of one operation and location are one spot, and the calls of a communication phase have one
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

-- Where waiting began: computation that ends at a call, and that others waited for; not what is computed with a lock held.  Waits for one who was late
-- because it waited itself go on to what that was for, in the parts of its waiting at that line (Boehme's indirect delay costs, summed by line).
CREATE TABLE root_cause(
  id INTEGER PRIMARY KEY,       -- in order of time_ns, the largest first
  function_source_id INTEGER REFERENCES source, -- computation, as in delay; of a communication phase its first source
  from_source_id INTEGER REFERENCES source, -- what most of it comes after; NULL: also if there is no such
  to_source_id INTEGER REFERENCES source,   -- NULL: it ends with a thread, or a function
  time_ns INTEGER NOT NULL,     -- waiting of all threads that it leads to
  direct_ns INTEGER NOT NULL,   -- of that: for a thread that computed there itself
  threads INTEGER NOT NULL,     -- that others waited for so
  thread_id INTEGER NOT NULL REFERENCES thread, -- the one that most of it is due to; ties: the lowest
  thread_ns INTEGER NOT NULL,   -- how much
  longest_ns INTEGER NOT NULL,  -- direct waiting for that thread of the one that waited most
  work_ns INTEGER NOT NULL,     -- that thread's computation there
  excess_ns INTEGER NOT NULL,   -- what that is above the mean of the threads: docs/analyses.md, Root causes
  path_ns INTEGER NOT NULL      -- computation there on the critical path
);

-- Which waiting that is, of the largest root causes.
CREATE TABLE root_cause_wait(
  root_cause_id INTEGER NOT NULL REFERENCES root_cause,
  kind TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- line of wait.cause_event_id
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(root_cause_id, kind, source_id)
) WITHOUT ROWID;

-- Calls of each thread on the path, without waiting: by source, those of path_line.
CREATE TABLE path_call(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- How long the path lay on a thread that was waited for, by kind of waiting and spot (table spot) that was waited for; what several waited
-- for at once counts once.  Rows may share time with others: not to be added.
CREATE TABLE path_wait(
  kind TEXT NOT NULL,
  thread_id INTEGER REFERENCES thread, -- that was waited for; NULL: not known
  source_id INTEGER NOT NULL REFERENCES source, -- of wait.cause_event_id; not known: of wait.event_id; the spot's first
  time_ns INTEGER NOT NULL      -- less the part that a lack of processors explains
);

-- What is lost, by kind and the line to blame: view loss, all threads together, and who is most at fault.
CREATE TABLE loss_total(
  kind TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- of the lines of one operation and place the first
  lost_ns INTEGER NOT NULL,
  cases INTEGER NOT NULL,
  longest_ns INTEGER,
  saving_ns INTEGER,
  thread_id INTEGER REFERENCES thread, -- most at fault; ties: the lowest
  thread_ns INTEGER NOT NULL,   -- of lost_ns
  threads INTEGER NOT NULL,     -- at fault; 0: nobody known
  detail TEXT,                  -- of that thread
  path_ns INTEGER,              -- of lost_ns on the critical path, at most; NULL: of waiting path_wait tells
  PRIMARY KEY(kind, source_id)
) WITHOUT ROWID;

-- What the POP efficiencies are made of, for two stretches of the run; no row of a thread: its log is missing.
CREATE TABLE pop(
  whole INTEGER PRIMARY KEY,    -- 0: from the last end of an init to the first start of a finalize; 1: all of the run
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  ideal_ns INTEGER NOT NULL     -- its length if nothing but the threads' own work took time: replay, zero-cost network
);

CREATE TABLE pop_thread(
  whole INTEGER NOT NULL REFERENCES pop,
  thread_id INTEGER NOT NULL REFERENCES thread,
  computation_ns INTEGER NOT NULL, -- outside of all calls into a runtime
  ideal_ns INTEGER NOT NULL,    -- when it would be done, from the start of the stretch
  PRIMARY KEY(whole, thread_id)
) WITHOUT ROWID;

-- The same over time: each stretch in 1, 2, 4 ... 64 bins, as equal as whole ns allow; bins of no length are left out.
CREATE TABLE pop_bin(
  whole INTEGER NOT NULL REFERENCES pop,
  bins INTEGER NOT NULL,        -- how many the stretch is cut into
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  computation_ns INTEGER NOT NULL, -- of all threads
  most_ns INTEGER NOT NULL,     -- the largest of one
  most_thread_id INTEGER NOT NULL REFERENCES thread, -- which that is; ties: the lowest
  PRIMARY KEY(whole, bins, start_ns)
) WITHOUT ROWID;

-- Blocking gets, puts and atomics of each line by initiator and owner; durations.  A copy from shared to shared memory is a
-- get and a put, which share its time.
CREATE TABLE access_pair(
  id INTEGER PRIMARY KEY,       -- in order of thread, line, direction and owner; one row for each of these
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who accessed
  direction TEXT NOT NULL,      -- get, put, atomic
  peer INTEGER NOT NULL REFERENCES thread,      -- whose memory
  calls INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL,
  median_ns INTEGER NOT NULL,
  p95_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  strict INTEGER                -- of calls, as in access_line
);

-- Where in access_pair to look: its rows in pieces of 256.
CREATE TABLE access_piece(
  first_pair INTEGER PRIMARY KEY, -- its ids are first_pair .. last_pair
  last_pair INTEGER NOT NULL,
  first_thread INTEGER NOT NULL,
  last_thread INTEGER NOT NULL,
  most_ns INTEGER NOT NULL,     -- the largest time_ns
  local INTEGER NOT NULL        -- how many rows are about the accessing process's own memory
);

-- The same of all threads together, remote and local ones and those of unknown owners apart.
CREATE TABLE access_line(
  source_id INTEGER NOT NULL REFERENCES source,
  direction TEXT NOT NULL,      -- as in access_pair
  remote INTEGER NOT NULL,      -- 0: the memory was the accessing process's own; 1: another's; 2: not known whose
  calls INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL,
  median_ns INTEGER NOT NULL,
  p95_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  strict INTEGER,               -- of calls: the runtime says that they are strict (UPC); NULL: it does not tell
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

-- Polling: at least 8 blocking gets (atomics that only fetch are some) of the same remote address and size, one after the
-- other, with no other remote access of the thread between; all but the last of them, each at its line.
CREATE TABLE polling_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who polled
  peer INTEGER NOT NULL REFERENCES thread,      -- whose memory
  series INTEGER NOT NULL,      -- those that this line began
  gets INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id, peer)
) WITHOUT ROWID;

-- Reads of a UPC thread's own shared memory that waited for a word to change (docs/analyses.md, "Spinning").
CREATE TABLE spin_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  series INTEGER NOT NULL,
  gets INTEGER NOT NULL,        -- of all series, the last of each included
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- in these gets
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Blocking gets, and atomics that only fetch, of what the thread had read since its last synchronization or strict access, and not written: the same
-- remote address and size.  Polling is left out.  A lower bound: 4096 reads are remembered between two synchronizations, and 64 writes.
CREATE TABLE reread_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- who read
  peer INTEGER NOT NULL REFERENCES thread,      -- whose memory
  gets INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id, peer)
) WITHOUT ROWID;

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
  at_once INTEGER NOT NULL,     -- how many were complete when the call that began them returned (the trivial handle)
  at_once_ns INTEGER NOT NULL,  -- inside these calls
  complete_source_id INTEGER REFERENCES source, -- line that completes most of share_ns; NULL: of none was that seen
  complete_ns INTEGER,          -- and how much of it
  PRIMARY KEY(thread_id, source_id, blocking)
) WITHOUT ROWID;

-- The same of all threads together.
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

-- Which lines complete them.
CREATE TABLE completion_total(
  thread_id INTEGER NOT NULL REFERENCES thread, -- whose operations
  source_id INTEGER NOT NULL REFERENCES source,
  complete_source_id INTEGER NOT NULL REFERENCES source,
  operations INTEGER NOT NULL,
  share_ns INTEGER NOT NULL,
  PRIMARY KEY(thread_id, source_id, complete_source_id)
) WITHOUT ROWID;

-- Of completion_total.share_ns what is waiting, or may be: that of each completing call, shared out over the lines that it
-- completed.
CREATE TABLE completion_waited(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  complete_source_id INTEGER NOT NULL REFERENCES source,
  waited_ns INTEGER NOT NULL,
  untold_ns INTEGER NOT NULL,   -- the rest of calls of which nobody knows how much they waited; not both are 0
  PRIMARY KEY(thread_id, source_id, complete_source_id)
) WITHOUT ROWID;

-- What barriers take besides waiting, by the line and thread that arrived: those that all members were seen to come to and
-- to leave.  Without the time that completes other threads' operations.
CREATE TABLE barrier_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  barriers INTEGER NOT NULL,    -- arrivals where all members were seen to come and to leave
  operation_ns INTEGER NOT NULL,-- from the last enter to the first leave, but where that is drain
  completion_ns INTEGER NOT NULL, -- the rest: after the first has left; in a first half (notify)
  intervals INTEGER NOT NULL,   -- arrivals to which the thread had come from a barrier of that team, all of which is known
  interval_ns INTEGER NOT NULL, -- from that one's leave to these
  back_to_back INTEGER NOT NULL,-- arrivals after the barrier before, as the team's next collective, within 5 us on each member
                                -- and without any communication in between
  back_to_back_ns INTEGER NOT NULL, -- operation and completion of these, but of those that complete anything
  drain_ns INTEGER NOT NULL,    -- operations of more than three times the line's median, with puts pending on a member
  own_drain_ns INTEGER NOT NULL,-- of drain_ns, what is in calls that completed something: completion_total has that too
  split INTEGER NOT NULL,       -- arrivals in two halves, also at barriers of which not all members were seen
  slack_ns INTEGER NOT NULL,    -- of these, from the first half's leave to the second's enter
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- How long blocking accesses to other processes' memory take, by line, as a thread of the target was in its runtime when they
-- began, or none was; those of which nobody knows are left out.
CREATE TABLE target_line(
  source_id INTEGER PRIMARY KEY REFERENCES source,
  inside INTEGER NOT NULL,      -- accesses
  inside_median_ns INTEGER,     -- of their durations; NULL: there are none
  outside INTEGER NOT NULL,
  outside_median_ns INTEGER,
  answered INTEGER NOT NULL     -- of all these, those that ended just as their target entered its runtime next
);

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
) WITHOUT ROWID;

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
) WITHOUT ROWID;

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
) WITHOUT ROWID;

-- How many operations moved how much, in powers of two.
CREATE TABLE size_total(
  thread_id INTEGER NOT NULL REFERENCES thread, -- who accessed, sent, or took part
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
  uncertain INTEGER NOT NULL,   -- how many have order_uncertain
  PRIMARY KEY(sender, receiver, send_source_id, receive_source_id)
) WITHOUT ROWID;

-- Waiting for the messages of these lines, as they were matched.  A row where there is any.
CREATE TABLE message_wait_total(
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  send_source_id INTEGER NOT NULL REFERENCES source,
  receive_source_id INTEGER NOT NULL REFERENCES source, -- of the call that posts the receive
  late_sender_ns INTEGER NOT NULL,
  same_source_ns INTEGER NOT NULL, -- of that: wait.wrong_order 1
  other_source_ns INTEGER NOT NULL, -- of that: wait.wrong_order 2
  late_receiver_ns INTEGER NOT NULL,
  PRIMARY KEY(sender, receiver, send_source_id, receive_source_id)
) WITHOUT ROWID;

-- What became of each thread's sends and receives.
CREATE TABLE p2p_total(
  thread_id INTEGER NOT NULL REFERENCES thread,
  direction TEXT NOT NULL,      -- send, receive
  outcome TEXT NOT NULL,        -- matched, unmatched, not recorded (the other end passed while nothing was recorded),
                                -- cancelled, null (MPI_PROC_NULL), wildcard (a receive from anyone that nothing completed),
                                -- unknown (the log has not how a persistent request was made, or an operation defined in it
                                -- tells no communicator, peer or tag)
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY(thread_id, direction, outcome)
) WITHOUT ROWID;

-- Collective operations by team, who was late, and the line of its call: the root of a broadcast or scatter, the first that
-- sends to the root of a gather or reduction, else the last to arrive (all-to-all: of those that send).
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

-- Who waited for each lock while who held it: waits of kind lock and lock attempt with a known holder, whose taking it was
-- recorded.
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
) WITHOUT ROWID;

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
  untold_ns INTEGER NOT NULL,
  hold_ns INTEGER NOT NULL,
  longest_hold_ns INTEGER NOT NULL,
  attempts INTEGER NOT NULL,    -- failed ones before them
  between_ns INTEGER NOT NULL,  -- and the time between these: lock_use.between_ns
  PRIMARY KEY(object, source_id, thread_id)
) WITHOUT ROWID;
