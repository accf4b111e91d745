-- SPDX-License-Identifier: GPL-3.0-or-later
-- Words that threads wait for: spinning, and how long a write takes to arrive.

-- Spinning: reads of a UPC thread's own shared memory until a word changes (docs/analyses.md, "Spinning").
CREATE TABLE spin_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  series INTEGER NOT NULL,
  gets INTEGER NOT NULL,        -- of all series, the last of each included
  bytes INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- in these gets
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Delay from the write of a word to the end of the calls that wait for it, by waiting line: from the start of the write, or of
-- the waiting call if that is later.
CREATE TABLE delivery_total(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the waiting thread
  waits INTEGER NOT NULL,       -- for known writes, each the first that returned
  slow INTEGER NOT NULL,        -- more than three times the median of the run's blocking remote puts
  slow_ns INTEGER NOT NULL,     -- of these
  longest_ns INTEGER NOT NULL,
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;
