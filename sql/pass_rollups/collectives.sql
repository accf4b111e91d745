-- SPDX-License-Identifier: GPL-3.0-or-later
-- Collectives.

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
