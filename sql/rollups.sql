-- SPDX-License-Identifier: GPL-3.0-or-later
-- Roll-ups of the tables of schema.sql, in the same units and words, so that reports do not depend on the number of events.
-- These are made while logs are read; those of the passes are in pass_rollups/.

-- Profile by thread and source.  In a recursion total_ns counts the outermost call.  The calls' durations are those of
-- all calls: they sum to total_ns + inner_ns, of which the mean, min_ns, max_ns and variation are.  Throttled calls count; their
-- variation is that of the means of a few milliseconds each.
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
  open INTEGER NOT NULL,        -- calls without an end
  raw_events INTEGER NOT NULL,  -- starts, ends and atomic events of these calls
  recorded REAL,                -- raw events whose recording took place in self_ns, those at its edges halved; user events: NULL
  inner_ns INTEGER NOT NULL,    -- durations that total_ns leaves out, of calls inside others of the source
  again_ns INTEGER NOT NULL,    -- of total_ns: inside calls of the same operation at other lines
  PRIMARY KEY(thread_id, source_id, nested)
) WITHOUT ROWID;

-- Profile of all threads together.  In a recursion of an operation, at any lines, total_ns counts the outermost call; the
-- durations of all calls sum to total_ns + inner_ns.
CREATE TABLE profile_total(
  grouping TEXT NOT NULL,       -- call (an operation at a line: one source), line (what is called there; user events and
                                -- what has no location are left out), operation
  nested INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source, -- the first of the group
  sources INTEGER NOT NULL,     -- of the group
  threads INTEGER NOT NULL,     -- with calls in it
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
  longest_thread_id INTEGER REFERENCES thread, -- that thread; ties: the lowest
  costed_calls INTEGER NOT NULL,-- on threads whose recording.event_cost_ns is known
  costed_events INTEGER NOT NULL, -- raw_events of these
  costed_ns INTEGER,            -- self_ns of these
  cost_ns REAL NOT NULL,        -- sum of their raw_events x event_cost_ns
  inside_ns REAL NOT NULL,      -- sum of their recorded x event_cost_ns
  PRIMARY KEY(grouping, nested, source_id)
) WITHOUT ROWID;

-- Distribution of the profile over threads, for load imbalance.  Threads with a log, but without calls in a group, count as 0;
-- `threads` leaves them out.
CREATE TABLE spread(
  grouping TEXT NOT NULL,       -- grouping, nested and source_id: a row of profile_total; or category: its first source (its
                                -- time is in category_time)
  nested INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source,
  quantity TEXT NOT NULL,       -- time (self time in ns; of user events total), calls, bytes (no row: it moves none)
  threads INTEGER NOT NULL,     -- with calls in it; the next columns are of these
  total INTEGER NOT NULL,
  maximum INTEGER NOT NULL,
  max_thread_id INTEGER NOT NULL REFERENCES thread, -- that thread; ties: the lowest
  minimum INTEGER NOT NULL,
  min_thread_id INTEGER NOT NULL REFERENCES thread,
  first_other_id INTEGER REFERENCES thread, -- the lowest thread with a log that has no calls in it; NULL: all have
  square REAL NOT NULL,         -- sum of squared differences from their average
  PRIMARY KEY(grouping, nested, source_id, quantity)
) WITHOUT ROWID;

-- Call tree, with sums over all threads.  A call path is the lines of the events open at an event's start, outermost first, and
-- its own: the path of an event continues that of the event that began last of those open at its start, user events too
-- (self_ns: 0), other overlays not.  Calls deeper than 128 count as children of their ancestor at depth 127; calls
-- beyond 262,144 paths as outermost ones.
-- Above a call recorded with its call stack are its callers, operation caller: their figures are sums of the outermost calls
-- below (self_ns: 0).  User events have no call stacks and are not above such a call.
CREATE TABLE callpath(
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES callpath, -- NULL: outermost
  source_id INTEGER NOT NULL REFERENCES source,
  depth INTEGER NOT NULL,       -- 1: outermost
  position INTEGER NOT NULL,    -- in depth-first order, from 1; children of one parent by total_ns, the largest first
  last_position INTEGER NOT NULL, -- paths below it: position + 1 .. last_position
  threads INTEGER NOT NULL,     -- with calls on it
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  bytes INTEGER,                -- NULL: it moves none
  longest_ns INTEGER NOT NULL,  -- the largest total_ns of one thread
  longest_thread_id INTEGER NOT NULL REFERENCES thread, -- that thread; ties: the lowest
  computation_ns INTEGER,       -- of total_ns: computation (category_time); calls of the runtime: NULL
  most_ns INTEGER,              -- the largest of one thread
  most_thread_id INTEGER REFERENCES thread, -- that thread; ties: the lowest
  inner_ns INTEGER NOT NULL,    -- durations that total_ns leaves out (deep recursion)
  variation REAL NOT NULL       -- as in profile
);

-- Call paths by thread, without rows equal to those of profile: of a thread whose calls of a source are all on one path, that
-- of the lowest id, and all nested or all not.  View callpath_total has all rows.
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

-- Call paths of calls whose functions are known: those recorded with their call stacks (above the call are the functions that made
-- it, operation caller) and those in recorded functions of the program.  Other events have no row.
CREATE TABLE event_path(
  event_id INTEGER PRIMARY KEY REFERENCES event,
  callpath_id INTEGER NOT NULL REFERENCES callpath
);

-- Regions of the program: its functions (by name and file; without a name, and loops, by line), and user events with a start
-- and an end (by name).  In a recursion the outermost call counts.
CREATE TABLE region(
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source, -- the first of them
  threads INTEGER NOT NULL,     -- with calls of it
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,    -- inside, calls included
  longest_ns INTEGER NOT NULL,  -- the largest of one thread
  longest_thread_id INTEGER NOT NULL REFERENCES thread, -- that thread; ties: the lowest
  computation_ns INTEGER NOT NULL, -- of total_ns: computation (category_time)
  most_ns INTEGER NOT NULL,     -- the largest of one thread
  most_thread_id INTEGER NOT NULL REFERENCES thread -- that thread; ties: the lowest
);

-- Time of each thread by category: sums to last_ns - first_ns, exactly.
CREATE TABLE category_time(
  thread_id INTEGER NOT NULL REFERENCES thread,
  category TEXT NOT NULL,       -- computation, communication, synchronization, allocation, io, runtime, no processor, tool, not
                                -- recorded
  time_ns INTEGER NOT NULL,
  PRIMARY KEY(thread_id, category)
) WITHOUT ROWID;

-- Time of all threads by category and bin.  Bins of the run have equal width, meta.bin_ns, a power of two, and count from its
-- start; there are 129 .. 2,048 of them, or each is a ns wide.  A category's bins sum to category_time, exactly.
CREATE TABLE bin(
  start_ns INTEGER NOT NULL,    -- the bin lasts to the next multiple of its width
  category TEXT NOT NULL,       -- as in category_time
  time_ns INTEGER NOT NULL,     -- of all threads; not 0
  PRIMARY KEY(start_ns, category)
) WITHOUT ROWID;

-- Time of each thread by category and bin.  These bins are wider: meta.thread_bin_ns, or a smaller power of two (of threads read
-- before a thread that lasts longer).
CREATE TABLE thread_bin(
  thread_id INTEGER NOT NULL REFERENCES thread,
  start_ns INTEGER NOT NULL,
  category TEXT NOT NULL,
  time_ns INTEGER NOT NULL,     -- not 0
  PRIMARY KEY(thread_id, start_ns, category)
) WITHOUT ROWID;

-- Profile of all threads over time, in at most 256 bins (fewer of more than 256 lines) of width meta.source_bin_ns, a multiple of
-- meta.bin_ns; empty bins have no row.  The bins of a source sum to its profile, exactly (but for bytes of receives
-- that another thread of the process completed, and self_ns of throttled functions and their callers).
CREATE TABLE source_bin(
  source_id INTEGER NOT NULL REFERENCES source,
  nested INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  calls INTEGER NOT NULL,       -- that ended in the bin
  total_ns INTEGER NOT NULL,    -- inside, calls included; recursion counts once
  self_ns INTEGER,              -- of events: a throttled function's time is its caller's; user events: NULL
  bytes INTEGER NOT NULL,       -- known by the bin's end: of receives when they are completed
  PRIMARY KEY(source_id, nested, start_ns)
) WITHOUT ROWID;

-- Calls of throttled functions, which are no events (gaspdb record --throttle).  The profile, the call tree, regions and calls and
-- total_ns of source_bin have them too: calls of profile are events and these.
CREATE TABLE throttled(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  caller_id INTEGER REFERENCES source, -- the innermost function above that is not throttled; NULL: none
  calls INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,    -- of calls that are in no other call of the function
  inner_ns INTEGER NOT NULL,    -- of the others
  self_ns INTEGER NOT NULL      -- of calls without events inside; the profile's self_ns of the caller does not have it, its events do
);

-- Use of the runtime's software cache, by line.
CREATE TABLE cache_total(
  thread_id INTEGER NOT NULL REFERENCES thread,
  source_id INTEGER NOT NULL REFERENCES source,
  what TEXT NOT NULL,           -- hit, miss, invalidate
  events INTEGER NOT NULL,
  bytes INTEGER NOT NULL,       -- accessed by the program: hits and misses
  line_bytes INTEGER NOT NULL,  -- brought in by misses
  dirty_lines INTEGER NOT NULL, -- written back by invalidations
  PRIMARY KEY(thread_id, source_id)
) WITHOUT ROWID;

-- Traffic by thread, peer process and line: accesses to the peer's memory, messages sent to it.
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

-- Traffic between processes, all lines together.
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
