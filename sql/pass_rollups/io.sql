-- SPDX-License-Identifier: GPL-3.0-or-later
-- Files.

-- Calls on files by file, line and thread.
CREATE TABLE file_use(
  team_id INTEGER REFERENCES team, -- the file; NULL: it could not be opened, or is not known
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  calls INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,     -- in these calls
  bytes INTEGER NOT NULL,       -- read or written
  wait_ns INTEGER NOT NULL      -- of time_ns: waiting for other threads
);
