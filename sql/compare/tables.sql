-- SPDX-License-Identifier: GPL-3.0-or-later
-- What `gaspdb compare` reads of each run, in a database in memory of its own.

CREATE TABLE run(
  id INTEGER PRIMARY KEY,
  side TEXT NOT NULL,           -- a, b
  file TEXT NOT NULL,
  arguments TEXT,               -- what was run; NULL: not known
  start_time TEXT,
  threads INTEGER NOT NULL,     -- those with a log
  duration_ns INTEGER NOT NULL,
  is_profile INTEGER NOT NULL   -- 1: recorded as a profile, without waits
) STRICT;

CREATE TABLE setting(
  by TEXT NOT NULL              -- what is one place: line, function, operation
) STRICT;

-- One figure of a run.  Where it belongs to no place, operation is NULL.
CREATE TABLE fact(
  run_id INTEGER NOT NULL REFERENCES run,
  section TEXT NOT NULL,        -- run, category, wait (by kind), operation, function, line, cause (kind and line waited for)
  name TEXT NOT NULL,           -- of the figure, category, kind ...; lines: ''
  unit TEXT NOT NULL,           -- ns, %
  summed INTEGER NOT NULL,      -- 1: over the threads
  operation TEXT,
  file TEXT NOT NULL,           -- path, or that of the program or library; '': not known
  function TEXT NOT NULL,       -- '': not known
  line INTEGER NOT NULL,        -- 0: not known; offset in the program or library
  is_module INTEGER NOT NULL,   -- 1: file is a program or library
  value REAL NOT NULL
) STRICT;

-- What the members of each run are called, and what they are called here: as in all of them, if that is alike.
CREATE TABLE word(
  thread TEXT NOT NULL,
  threads TEXT NOT NULL,
  process TEXT NOT NULL,
  processes TEXT NOT NULL
) STRICT;
CREATE VIEW run_word AS
SELECT iif(min(thread) = max(thread), min(thread), 'thread') AS thread, iif(min(thread) = max(thread), min(threads), 'threads') AS threads,
  iif(min(process) = max(process), min(process), 'process') AS process,
  iif(min(process) = max(process), min(processes), 'processes') AS processes
FROM word;
