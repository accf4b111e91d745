-- SPDX-License-Identifier: GPL-3.0-or-later
-- Remote accesses: durations, sizes, patterns, and targets that make no progress.

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

-- Operations by size, in powers of two.
CREATE TABLE size_total(
  thread_id INTEGER NOT NULL REFERENCES thread, -- that accessed, sent, or took part
  direction TEXT NOT NULL,      -- get, put, atomic, send, collective
  from_bytes INTEGER NOT NULL,  -- 0, 1, 2, 4, 8 ...: up to the next less one
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY(thread_id, direction, from_bytes)
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
