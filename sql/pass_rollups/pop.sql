-- SPDX-License-Identifier: GPL-3.0-or-later
-- Input of the POP efficiencies.

-- Input of the POP efficiencies, for two intervals of the run.
CREATE TABLE pop(
  whole INTEGER PRIMARY KEY,    -- 0: from the last end of an init to the first start of a finalize; 1: all of the run
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  ideal_ns INTEGER              -- its length with the threads' own work alone: replay, zero-cost network; NULL: a profile, or a trace
                                -- that goes on as one
);

-- The same by thread; no row: its log is missing.
CREATE TABLE pop_thread(
  whole INTEGER NOT NULL REFERENCES pop,
  thread_id INTEGER NOT NULL REFERENCES thread,
  computation_ns INTEGER NOT NULL, -- outside of all calls into a runtime
  ideal_ns INTEGER,             -- when it would be done, from the start of the interval; NULL: likewise
  PRIMARY KEY(whole, thread_id)
) WITHOUT ROWID;

-- The same over time: each interval in 1, 2, 4 ... 64 bins, as equal as whole ns allow; bins of no length are left out.
CREATE TABLE pop_bin(
  whole INTEGER NOT NULL REFERENCES pop,
  bins INTEGER NOT NULL,        -- number of bins of the interval
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  computation_ns INTEGER NOT NULL, -- of all threads
  most_ns INTEGER NOT NULL,     -- the largest of one
  most_thread_id INTEGER NOT NULL REFERENCES thread, -- that thread; ties: the lowest
  PRIMARY KEY(whole, bins, start_ns)
) WITHOUT ROWID;
