-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Matched messages by sending and receiving line
-- group: messages
-- needs: trace
-- param: limit INTEGER - 30  at least -1: rows at most, -1 for all
-- param: sender INTEGER - NULL  found in thread.id: only messages of this process, by its first thread
-- param: receiver INTEGER - NULL  found in thread.id: only messages to this process, by its first thread
-- column: send_operation TEXT -  the call that sends
-- column: send_location TEXT -  its line
-- column: receive_operation TEXT -  the call that posts the receive
-- column: receive_location TEXT -  its line
-- column: messages INTEGER count  how many
-- column: pairs INTEGER count  how many pairs of processes
-- column: bytes INTEGER B  as received
-- column: mean_bytes REAL B  of one message
-- column: min_bytes INTEGER B  smallest message
-- column: max_bytes INTEGER B  largest message
-- column: late_sender_ns INTEGER ns  receives waiting for these messages' sends to begin
-- column: wrong_order_same_ns INTEGER ns  of that: while an earlier message of the same sender was waiting
-- column: wrong_order_other_ns INTEGER ns  of that: the same, but a message of another sender
-- column: late_receiver_ns INTEGER ns  sends waiting for these messages' receives to be posted
-- column: error_ns INTEGER ns  by how much late_sender_ns and late_receiver_ns together may be off by the error of the clocks of several hosts; empty: not, or not known
-- column: uncertain INTEGER count  messages whose partner may be another
--
-- One row a pair of lines, most bytes first. `matching` has the coverage, `unmatched` the sends and receives without a
-- partner, and table `message` the messages themselves.
--
-- A message is matched by the rule of MPI that messages of one channel (communicator, sender, receiver, tag) do not
-- overtake: the n-th send started belongs to the n-th receive posted.
--
-- *Wrong order*: a process waits for a message, and receives another one later that had been sent earlier (Scalasca's
-- "Late Sender, Wrong Order"; sent: enter of the call that starts the send, received: leave of the call that completes
-- the receive). Messages of one call (`MPI_Waitall`) are received at the same time. Remedy: receive in the order of the
-- sends, or in order of arrival (`MPI_Waitany`, `MPI_ANY_SOURCE`).
WITH spot AS MATERIALIZED (
  SELECT source_id, operation, location, min(source_id) OVER (PARTITION BY operation, location) AS spot FROM place
), lines AS (
  SELECT s.spot AS send_spot, r.spot AS receive_spot, sum(m.messages) AS messages,
    count(DISTINCT m.sender << 32 | m.receiver) AS pairs, sum(m.bytes) AS bytes, min(m.min_bytes) AS min_bytes,
    max(m.max_bytes) AS max_bytes, sum(m.uncertain) AS uncertain, coalesce(sum(w.late_sender_ns), 0) AS late_sender_ns,
    coalesce(sum(w.same_source_ns), 0) AS same_ns, coalesce(sum(w.other_source_ns), 0) AS other_ns,
    coalesce(sum(w.late_receiver_ns), 0) AS late_receiver_ns,
    iif(count(w.sender) = count(w.error_ns), sum(w.error_ns), NULL) AS error_ns
  FROM message_total m LEFT JOIN message_wait_total w USING (sender, receiver, send_source_id, receive_source_id)
  JOIN spot s ON s.source_id = m.send_source_id JOIN spot r ON r.source_id = m.receive_source_id
  WHERE (:sender IS NULL OR m.sender = :sender) AND (:receiver IS NULL OR m.receiver = :receiver)
  GROUP BY s.spot, r.spot
)
SELECT s.operation AS send_operation, s.location AS send_location, r.operation AS receive_operation,
  r.location AS receive_location, l.messages, l.pairs, l.bytes, 1.0 * l.bytes / l.messages AS mean_bytes, l.min_bytes,
  l.max_bytes, l.late_sender_ns, l.same_ns AS wrong_order_same_ns, l.other_ns AS wrong_order_other_ns, l.late_receiver_ns,
  nullif(l.error_ns, 0) AS error_ns, l.uncertain
FROM lines l JOIN spot s ON s.source_id = l.send_spot JOIN spot r ON r.source_id = l.receive_spot
ORDER BY l.bytes DESC, l.messages DESC, s.operation, s.location, r.operation, r.location
LIMIT :limit;
