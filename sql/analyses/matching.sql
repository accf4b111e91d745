-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Sends and receives: matched and unmatched
-- group: messages
-- needs: trace
-- param: thread INTEGER - NULL  found in thread.id: this thread only
-- column: direction TEXT -  send or receive
-- column: operations INTEGER count  all of them
-- column: matched INTEGER count  with a partner
-- column: coverage REAL %  matched, of all but the cancelled and those to MPI_PROC_NULL
-- column: bytes INTEGER B  of all but the cancelled
-- column: byte_coverage REAL %  of these bytes
-- column: unmatched INTEGER count  without a partner, see `unmatched`
-- column: not_recorded INTEGER count  with a partner that passed while recording was off, or was lost with a block of the log
-- column: cancelled INTEGER count  cancelled by the program; not unmatched
-- column: to_nobody INTEGER count  to or from MPI_PROC_NULL
-- column: wildcard INTEGER count  receives from any source without a completion
-- column: unknown INTEGER count  with unknown communicator, peer or tag: persistent requests of a damaged block, or with spawned processes
--
-- The coverage of the matching. Less than 100 %: a log is missing, the program sends messages that it never receives, or
-- it ended before. Sizes of receives without a completion are not known and count as 0.
SELECT t.direction,
  sum(t.operations) AS operations,
  sum(CASE t.outcome WHEN 'matched' THEN t.operations ELSE 0 END) AS matched,
  100.0 * sum(CASE t.outcome WHEN 'matched' THEN t.operations ELSE 0 END)
    / nullif(sum(CASE WHEN t.outcome IN ('cancelled', 'null') THEN 0 ELSE t.operations END), 0) AS coverage,
  sum(CASE t.outcome WHEN 'cancelled' THEN 0 ELSE t.bytes END) AS bytes,
  100.0 * sum(CASE t.outcome WHEN 'matched' THEN t.bytes ELSE 0 END)
    / nullif(sum(CASE t.outcome WHEN 'cancelled' THEN 0 ELSE t.bytes END), 0) AS byte_coverage,
  sum(CASE t.outcome WHEN 'unmatched' THEN t.operations ELSE 0 END) AS unmatched,
  sum(CASE t.outcome WHEN 'not recorded' THEN t.operations ELSE 0 END) AS not_recorded,
  sum(CASE t.outcome WHEN 'cancelled' THEN t.operations ELSE 0 END) AS cancelled,
  sum(CASE t.outcome WHEN 'null' THEN t.operations ELSE 0 END) AS to_nobody,
  sum(CASE t.outcome WHEN 'wildcard' THEN t.operations ELSE 0 END) AS wildcard,
  sum(CASE t.outcome WHEN 'unknown' THEN t.operations ELSE 0 END) AS unknown
FROM p2p_total t
WHERE :thread IS NULL OR t.thread_id = :thread
GROUP BY t.direction
ORDER BY t.direction DESC;
