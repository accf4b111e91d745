-- SPDX-License-Identifier: GPL-3.0-or-later
-- Numbers given with user events.

-- Names of arguments of user events: the word before the conversion in operation.format.
CREATE TABLE user_argument(
  argument_id INTEGER PRIMARY KEY REFERENCES argument,
  label TEXT NOT NULL
);

-- Numbers that the program gave with user events, by line, argument and thread.
CREATE TABLE user_value(
  source_id INTEGER NOT NULL REFERENCES source,
  argument_id INTEGER NOT NULL REFERENCES argument,
  thread_id INTEGER NOT NULL REFERENCES thread,
  n INTEGER NOT NULL,           -- finite numbers; the following are of these
  not_numbers INTEGER NOT NULL, -- NaN
  infinite INTEGER NOT NULL,
  integer_sum INTEGER,          -- exact; NULL: a real argument, or beyond the range
  sum REAL,                     -- plain, in the order of events; NULL: not known
  mean REAL,
  squares REAL,                 -- of the distances from the mean; their mean is the variance
  minimum REAL,
  maximum REAL,
  PRIMARY KEY(source_id, argument_id, thread_id)
) WITHOUT ROWID;

-- The same of all threads over time, in bins of meta.source_bin_ns: those given at a start by the start, at an end by the end.
CREATE TABLE user_value_bin(
  source_id INTEGER NOT NULL REFERENCES source,
  argument_id INTEGER NOT NULL REFERENCES argument,
  start_ns INTEGER NOT NULL,
  n INTEGER NOT NULL,           -- and the following: as in user_value
  not_numbers INTEGER NOT NULL,
  infinite INTEGER NOT NULL,
  integer_sum INTEGER,
  sum REAL,
  mean REAL,
  squares REAL,
  minimum REAL,
  maximum REAL,
  PRIMARY KEY(source_id, argument_id, start_ns)
) WITHOUT ROWID;
