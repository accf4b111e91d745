-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Origins of waiting: computation that others waited for
-- group: waiting
-- needs: trace
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: waiting_ns INTEGER ns  waiting of all threads that it leads to
-- column: direct_ns INTEGER ns  of that: directly for a thread that computed there; the rest through other threads
-- column: error_ns INTEGER ns  by how much waiting_ns may be off by the error of the clocks of several hosts; empty: not, or not known
-- column: thread INTEGER -  the thread that causes most of it
-- column: thread_share REAL %  its share
-- column: threads INTEGER count  threads that others waited for
-- column: work_ns INTEGER ns  computation of `thread` there
-- column: excess_ns INTEGER ns  work_ns above the mean of the threads
-- column: on_path_ns INTEGER ns  computation there on the critical path
-- column: imbalance INTEGER -  1: it is a finding of kind imbalance
-- column: cause TEXT -  where it computes
-- column: effect TEXT -  the kind of most of the waiting, if known
-- column: effect_location TEXT -  the call that was waited for
--
-- A thread that is late because it waited itself is not the cause: its waiting is followed to its own cause, and so on,
-- to threads that computed meanwhile (at barriers and all-to-all: longer than the others). One slow thread may delay its
-- neighbours, theirs, and the next barrier: one row here, many in `waits`.
--
-- A thread's waiting at a line is followed by the shares of its causes at that line, not wait by wait: a line that waits
-- for one thread in one half of the run and for another in the other half counts as a mixture. `excess_ns` compares
-- threads of the same number in their processes: with the mean of those that compute there, if these are at least half
-- of them and more than one; else with the mean of all, and then at most by the excess of all computation of `thread`.
--
-- Calls of one function that follow each other in a loop without computation between (`communication_phase`), such as a
-- halo exchange, are one place.
--
-- Definitions: Boehme's direct and indirect delay costs, summed by line; excess and imbalance are gaspdb's own.
WITH effect AS (
  SELECT w.root_cause_id AS id, w.kind, p.location,
    row_number() OVER (PARTITION BY w.root_cause_id ORDER BY w.time_ns DESC, w.kind, w.source_id) AS place_no
  FROM root_cause_wait w JOIN spot p ON p.source_id = w.source_id
)
SELECT c.time_ns AS waiting_ns, c.direct_ns, nullif(c.error_ns, 0) AS error_ns, c.thread_id AS thread, 100.0 * c.thread_ns / c.time_ns AS thread_share, c.threads,
  c.work_ns, c.excess_ns, c.path_ns AS on_path_ns, c.id IN (SELECT id FROM imbalances) AS imbalance, d.reason AS cause,
  e.kind AS effect, e.location AS effect_location
FROM root_cause c JOIN doing d ON d.about = 'cause' AND d.id = c.id
LEFT JOIN effect e ON e.id = c.id AND e.place_no = 1
ORDER BY c.id
LIMIT :limit;
