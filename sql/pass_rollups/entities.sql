-- SPDX-License-Identifier: GPL-3.0-or-later
-- Time and work by entity of the program (docs/mapping.md).

-- Time by entity, thread and line (docs/mapping.md).  A thread's self_ns add up to its time, last_ns - first_ns.
CREATE TABLE entity_profile(
  id INTEGER PRIMARY KEY,       -- in the order of thread, entity, source
  thread_id INTEGER NOT NULL REFERENCES thread,
  entity_id INTEGER REFERENCES entity, -- no mix; NULL: none
  source_id INTEGER REFERENCES source, -- of the innermost call, or of the begin of the entity inside of it; NULL: neither, or not
                                -- recorded (off, damage, the collector's own work)
  calls INTEGER NOT NULL,       -- begun at the line while the entity was innermost; its own begins and hand-overs; of a mix: for each
                                -- entity
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
