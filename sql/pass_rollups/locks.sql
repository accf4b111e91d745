-- SPDX-License-Identifier: GPL-3.0-or-later
-- Holds of locks, and waiting for them.

-- Waiting for locks by waiting and holding thread: waits of kind lock and lock attempt with a known holder, whose acquisition was
-- recorded.
CREATE TABLE lock_wait_total(
  object INTEGER NOT NULL,
  thread_id INTEGER NOT NULL REFERENCES thread, -- the waiting thread
  holder_thread_id INTEGER NOT NULL REFERENCES thread,
  holder_source_id INTEGER NOT NULL REFERENCES source, -- the line at which the holder had taken it
  waits INTEGER NOT NULL,       -- and failed attempts
  time_ns INTEGER NOT NULL,
  longest_ns INTEGER NOT NULL,
  attempts_ns INTEGER NOT NULL, -- of time_ns: in attempts that failed
  PRIMARY KEY(object, thread_id, holder_thread_id, holder_source_id)
) WITHOUT ROWID;

-- Holds of each lock by acquiring line and thread.
CREATE TABLE lock_total(
  object INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source,
  thread_id INTEGER NOT NULL REFERENCES thread,
  acquisitions INTEGER NOT NULL,
  contended INTEGER NOT NULL,   -- acquisitions that waited for another holder
  contended_ns INTEGER NOT NULL,
  longest_contended_ns INTEGER NOT NULL,
  latency_ns INTEGER NOT NULL,
  untold_ns INTEGER NOT NULL,
  hold_ns INTEGER NOT NULL,
  longest_hold_ns INTEGER NOT NULL,
  attempts INTEGER NOT NULL,    -- failed ones before them
  between_ns INTEGER NOT NULL,  -- and the time between these: lock_use.between_ns
  PRIMARY KEY(object, source_id, thread_id)
) WITHOUT ROWID;
