-- SPDX-License-Identifier: GPL-3.0-or-later
-- Messages: traffic, waiting, and what had no match.

-- Matched messages by the lines that sent and received them.
CREATE TABLE message_total(
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  send_source_id INTEGER NOT NULL REFERENCES source,
  receive_source_id INTEGER NOT NULL REFERENCES source, -- of the call that posts the receive
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  min_bytes INTEGER NOT NULL,
  max_bytes INTEGER NOT NULL,
  uncertain INTEGER NOT NULL,   -- with order_uncertain
  PRIMARY KEY(sender, receiver, send_source_id, receive_source_id)
) WITHOUT ROWID;

-- Waiting for messages by the lines that sent and received them; no row: none.
CREATE TABLE message_wait_total(
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  send_source_id INTEGER NOT NULL REFERENCES source,
  receive_source_id INTEGER NOT NULL REFERENCES source, -- of the call that posts the receive
  late_sender_ns INTEGER NOT NULL,
  same_source_ns INTEGER NOT NULL, -- of that: wait.wrong_order 1
  other_source_ns INTEGER NOT NULL, -- of that: wait.wrong_order 2
  late_receiver_ns INTEGER NOT NULL,
  error_ns INTEGER,             -- by how much both together may be off, as in wait_total
  PRIMARY KEY(sender, receiver, send_source_id, receive_source_id)
) WITHOUT ROWID;

-- Outcomes of each thread's sends and receives.
CREATE TABLE p2p_total(
  thread_id INTEGER NOT NULL REFERENCES thread,
  direction TEXT NOT NULL,      -- send, receive
  outcome TEXT NOT NULL,        -- matched, unmatched, not recorded (the other end passed while nothing was recorded),
                                -- cancelled, null (MPI_PROC_NULL), wildcard (a receive from anyone that nothing completed),
                                -- unknown (the creation of a persistent request is not in the log, or an operation defined there
                                -- has no communicator, peer or tag)
  operations INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY(thread_id, direction, outcome)
) WITHOUT ROWID;

-- Channels with a wrong pair: on one host a message was received before it was sent.  Some of their calls are missing from the
-- logs: waits for their messages are in no table.
CREATE TABLE wrong_channel(
  team_id INTEGER REFERENCES team,
  sender INTEGER NOT NULL REFERENCES thread,
  receiver INTEGER NOT NULL REFERENCES thread,
  tag INTEGER NOT NULL,
  pairs INTEGER NOT NULL        -- wrong ones
);
