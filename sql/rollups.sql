-- SPDX-License-Identifier: GPL-3.0-or-later
-- Roll-ups of what is in schema.sql, whose units and words hold here: so that reports open at once however many events
-- there are.  These are made while logs are read; those of the passes are in pass_rollups.sql.

-- Per thread and source.  Total counts the outermost activation where a function recurses.  The calls' durations are those of
-- all calls: they sum to total_ns + inner_ns, of which the mean, min_ns, max_ns and variation are.
CREATE TABLE profile(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  nested INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  self_ns INTEGER,              -- user events: NULL
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  variation REAL NOT NULL,      -- calls^2 x the variance of their durations, ns^2: the deviation is sqrt(variation) / calls
  bytes INTEGER,                -- NULL: it moves none
  open INTEGER NOT NULL,        -- how many of the calls never ended
  raw_events INTEGER NOT NULL,  -- starts, ends and atomic events of these calls
  recorded REAL,                -- raw events whose recording took place in self_ns, those at its edges halved; user events: NULL
  inner_ns INTEGER NOT NULL,    -- durations that total_ns leaves out, of calls in others of the source
  again_ns INTEGER NOT NULL,    -- of total_ns: in calls of the same operation at other lines
  PRIMARY KEY(thread_id, source_id, nested)
) WITHOUT ROWID;

-- The same of all threads together.  Of an operation in itself, at whatever lines, total counts the outermost; here, too, the
-- durations of all calls sum to total_ns + inner_ns.
CREATE TABLE profile_total(
  grouping TEXT NOT NULL,       -- call (an operation at a line: one source), line (what is called there; user events and
                                -- what has no location are left out), operation
  nested INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- the first of the group
  sources INTEGER NOT NULL,     -- how many the group has
  threads INTEGER NOT NULL,     -- that have calls in it
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  inner_ns INTEGER NOT NULL,    -- durations that total_ns leaves out, of calls in others of the group
  self_ns INTEGER,              -- user events: NULL
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  variation REAL NOT NULL,
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
) WITHOUT ROWID;

-- How these are spread over threads, for load imbalance.  Threads without calls in a group count as 0: those with a log of
-- which `threads` leaves out.
CREATE TABLE spread(
  grouping TEXT NOT NULL,       -- grouping, nested and source_id: a row of profile_total; or category: its first source (its
                                -- time is in category_time)
  nested INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source,
  quantity TEXT NOT NULL,       -- time (self time in ns; of user events total), calls, bytes (no row: it moves none)
  threads INTEGER NOT NULL,     -- that have calls in it; what follows is of these
  total INTEGER NOT NULL,
  maximum INTEGER NOT NULL,
  max_thread_id INTEGER NOT NULL REFERENCES thread, -- which has it; ties: the lowest
  minimum INTEGER NOT NULL,
  min_thread_id INTEGER NOT NULL REFERENCES thread,
  first_other_id INTEGER REFERENCES thread, -- the lowest thread with a log that has no calls in it; NULL: all have
  square REAL NOT NULL,         -- sum of squared differences from their average
  PRIMARY KEY(grouping, nested, source_id, quantity)
) WITHOUT ROWID;

-- The call tree: a call path is the lines of the system events that were open when an event began, outermost first, and
-- its own; user events have none.  At the same time the sums over all threads.  The path of an event is that of its
-- parent_id, but where events cross: there it goes through the innermost one that was open at its start.  Calls deeper
-- than 128 count as if their ancestor at depth 127 had made them; beyond 262,144 paths as outermost ones.
-- Above a call that was recorded with its call stack are the functions that made it, operation caller: their figures are sums
-- of the outermost calls below (self_ns: 0).
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
  longest_thread_id INTEGER NOT NULL REFERENCES thread, -- which that is; ties: the lowest
  computation_ns INTEGER,       -- of total_ns what was computation (category_time); calls of the runtime: NULL
  most_ns INTEGER,              -- the largest of one thread
  most_thread_id INTEGER REFERENCES thread, -- which that is; ties: the lowest
  inner_ns INTEGER NOT NULL,    -- durations that total_ns leaves out (deep recursion)
  variation REAL NOT NULL       -- as in profile
);

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
  inner_ns INTEGER NOT NULL,    -- durations that total_ns leaves out
  variation REAL NOT NULL,
  PRIMARY KEY(thread_id, source_id, callpath_id)
) WITHOUT ROWID;

-- Call paths of events that were recorded with their call stacks; other events have no row.  Above the call are the functions that
-- made it, operation caller.
CREATE TABLE event_path(
  event_id INTEGER PRIMARY KEY REFERENCES event,
  callpath_id INTEGER NOT NULL REFERENCES callpath
);

-- Where the program's own work is: its functions (by name and file; without a name, and loops, by line), and the user
-- events that have a start and an end (by name).  Of a recursion the outermost counts.
CREATE TABLE region(
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source, -- the first of them
  threads INTEGER NOT NULL,     -- that were in it
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,    -- inside, what it called included
  longest_ns INTEGER NOT NULL,  -- the largest of one thread
  longest_thread_id INTEGER NOT NULL REFERENCES thread, -- which that is; ties: the lowest
  computation_ns INTEGER NOT NULL, -- of total_ns what was computation (category_time)
  most_ns INTEGER NOT NULL,     -- the largest of one thread
  most_thread_id INTEGER NOT NULL REFERENCES thread -- which that is; ties: the lowest
);

-- What each thread did at every instant: sums to last_ns - first_ns, exactly.
CREATE TABLE category_time(
  thread_id INTEGER NOT NULL REFERENCES thread,
  category TEXT NOT NULL,       -- computation, communication, synchronization, allocation, io, runtime, no processor, tool, not
                                -- recorded
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(thread_id, category)
) WITHOUT ROWID;

-- What all threads did over time: the run is cut into bins of equal width, meta.bin_ns, a power of two, counted from its
-- start; there are 129 .. 2,048 of them, or each is a ns wide.  A category's bins sum to category_time, exactly.
CREATE TABLE bin(
  start_ns INTEGER NOT NULL,    -- the bin lasts to the next multiple of its width
  category TEXT NOT NULL,       -- as in category_time
  time_ns INTEGER NOT NULL,     -- of all threads; not 0
  PRIMARY KEY(start_ns, category)
) WITHOUT ROWID;

-- The same of each thread, in wider bins: of meta.thread_bin_ns, or of a smaller power of two (those of threads that were
-- read when no thread was known to go on for so long).
CREATE TABLE thread_bin(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,
  category TEXT NOT NULL,
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(thread_id, start_ns, category)
) WITHOUT ROWID;

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
) WITHOUT ROWID;

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
) WITHOUT ROWID;

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
) WITHOUT ROWID;

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
) WITHOUT ROWID;
