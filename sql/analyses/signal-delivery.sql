-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Time from the write of a word to the end of the wait for it
-- group: waiting
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: operation TEXT -  the waiting call
-- column: location TEXT -  its line
-- column: thread INTEGER -  the thread that waited
-- column: waits INTEGER count  waits for known writes that no earlier wait had returned from
-- column: slow INTEGER count  waits that ended more than three median puts after the write began
-- column: slow_ns INTEGER ns  their time, from the write's begin (or the thread's enter, if later) to the end of the wait
-- column: share REAL %  of the time of all threads
-- column: longest_ns INTEGER ns  the longest of them
--
-- Waiting for a word has two parts: until the write begins (`waits --kind="late signal"`), and from then on, delivery.
-- Delivery takes about as long as a put. It is slow if it exceeds three times the median of all blocking puts to other
-- processes' memory: writer or reader makes no progress, or has no processor.
--
-- **What misleads:** without a blocking put in the run no delivery is slow. If the word was written several times, the
-- last write that began before the wait ended counts (of several words, a write to any of them, or to one of those that
-- came). If other waits had returned from that write before, an unrecorded write ended this wait (or it needed none):
-- such waits are left out here, and late signals blame the known write.
--
-- Definition: gaspdb's own.
SELECT p.operation, p.location, d.thread_id AS thread, d.waits, d.slow, d.slow_ns,
  100.0 * d.slow_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  nullif(d.longest_ns, 0) AS longest_ns
FROM delivery_total d JOIN place p ON p.source_id = d.source_id
ORDER BY d.slow_ns DESC, d.slow DESC, p.operation, p.location, d.source_id, d.thread_id
LIMIT :limit;
