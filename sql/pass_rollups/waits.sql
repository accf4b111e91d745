-- SPDX-License-Identifier: GPL-3.0-or-later
-- Waiting, and what of it a lack of processors explains.

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
