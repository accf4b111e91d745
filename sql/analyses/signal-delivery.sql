-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: How soon threads see that a word they wait for was written
-- group: waiting
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: operation TEXT -  the waiting call
-- column: location TEXT -  its line
-- column: thread INTEGER -  who waited
-- column: waits INTEGER count  for writes that are known, and that no wait before had returned from
-- column: slow INTEGER count  how many of them ended more than three median puts after the write began
-- column: slow_ns INTEGER ns  those, from when the write began and the thread was there to the end of its waiting
-- column: share REAL %  of the time of all threads
-- column: longest_ns INTEGER ns  the longest of them
--
-- Waiting for a word has two parts: until somebody begins to write it (`waits --kind="late signal"`), and from then on,
-- delivery.  Delivery takes about as long as a put; what takes more than three times the median of all blocking puts to other
-- processes' memory is slow: writer or reader makes no progress, or has no processor.
--
-- **What misleads:** without a blocking put in the run there is nothing to compare with, and no delivery is slow.  The word may
-- have been written several times: the last write that began before the waiting ended counts (of several words, that to
-- any of them, or to one of those that came).  If waits for that word had returned since then, another write must have ended this one, which was not recorded (or the word needed none): such waits
-- are left out here, and late signals blame the write that is known.
--
-- Definition: gaspdb's own.
SELECT p.operation, p.location, d.thread_id AS thread, d.waits, d.slow, d.slow_ns,
  100.0 * d.slow_ns / (SELECT nullif(sum(last_ns - first_ns), 0) FROM thread) AS share,
  nullif(d.longest_ns, 0) AS longest_ns
FROM delivery_total d JOIN place p ON p.source_id = d.source_id
ORDER BY d.slow_ns DESC, d.slow DESC, p.operation, p.location, d.source_id, d.thread_id
LIMIT :limit;
