-- SPDX-License-Identifier: GPL-3.0-or-later
-- What is lost, where its cause is, and how findings name lines.

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

-- Callers of lines that wait, of runs that were recorded with call stacks or functions.  The functions above the one that a line
-- is in are compared, the innermost first: the first at which the line's call paths differ are its callers.  No row: they never
-- differ.
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
