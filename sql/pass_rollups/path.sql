-- SPDX-License-Identifier: GPL-3.0-or-later
-- The critical path, causes of delays, and computation by place.

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

-- Computation of each thread by place, without places of less than a thousandth of the thread's.
CREATE TABLE thread_computation(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread,
  function_source_id INTEGER REFERENCES source, -- as in delay; NULL: in no function
  from_source_id INTEGER REFERENCES source,
  to_source_id INTEGER REFERENCES source,
  time_ns INTEGER NOT NULL      -- on the path or not
);
