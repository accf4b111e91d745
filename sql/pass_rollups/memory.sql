-- SPDX-License-Identifier: GPL-3.0-or-later
-- Allocations, and memory in use.

-- Allocations by line and thread; of counted private memory (memory_sample) by line and process, whose first thread it is.  A block
-- is an object: an upc_all_alloc of all threads is one, of the thread that entered first; a symmetric allocation of OpenSHMEM is one
-- on each PE.
CREATE TABLE memory_line(
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  shared INTEGER NOT NULL,      -- 1: shared memory
  blocks INTEGER NOT NULL,      -- allocated
  bytes INTEGER NOT NULL,       -- their sizes, as recorded
  largest_bytes INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,  -- largest size of these blocks allocated at one time
  failed INTEGER NOT NULL,      -- allocations that returned nothing
  unseen INTEGER NOT NULL,      -- blocks whose freeing was not recorded: another block got their address
  leaked INTEGER NOT NULL,      -- blocks that were never freed
  leaked_bytes INTEGER NOT NULL,
  leaked_event_id INTEGER REFERENCES event, -- allocation of the first of them
  frees INTEGER NOT NULL,       -- of anything but NULL; of counted private memory, of what was allocated there
  unknown_frees INTEGER NOT NULL, -- of memory that was not known to be allocated
  unknown_event_id INTEGER REFERENCES event, -- the first of them
  grows INTEGER,                -- 1: more was live at the end of each quarter of the time since its first allocation, at least half
                                -- of its process's, without the runtime's start and end; NULL: not known
  PRIMARY KEY(source_id, thread_id)
) WITHOUT ROWID;

-- Largest memory allocated at one time, and that time.  Shared memory counts on the thread where it lies, if that is known.
CREATE TABLE memory_peak(
  id INTEGER PRIMARY KEY,
  thread_id INTEGER REFERENCES thread, -- NULL: of all threads
  source_id INTEGER REFERENCES source, -- NULL: of all lines
  shared INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,
  peak_ns INTEGER NOT NULL,     -- when it was first reached
  end_bytes INTEGER NOT NULL    -- at the end
);
