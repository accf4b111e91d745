-- SPDX-License-Identifier: GPL-3.0-or-later
-- Operations that other calls complete, and what completion and barriers cost.

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
