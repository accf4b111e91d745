-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Where waiting began: computation that others waited for
-- group: waiting
-- param: limit INTEGER - 20  at least -1: rows at most, -1 for all
-- column: waiting_ns INTEGER ns  waiting of all threads that it leads to
-- column: direct_ns INTEGER ns  of that: for a thread that computed there itself; the rest, for threads that waited for such a one
-- column: thread INTEGER -  the one that most of it is due to
-- column: thread_share REAL %  how much of it
-- column: threads INTEGER count  how many others waited for
-- column: work_ns INTEGER ns  computation of `thread` there
-- column: excess_ns INTEGER ns  what that is above the mean of the threads
-- column: on_path_ns INTEGER ns  computation there on the critical path
-- column: imbalance INTEGER -  1: a finding of that kind
-- column: cause TEXT -  where it computes
-- column: effect TEXT -  the kind of waiting that most of it is, if known
-- column: effect_location TEXT -  the call that was waited for in that
--
-- A thread that comes late because it waited itself is not the cause: its waiting is followed on to what that was for, and so on, to
-- threads that computed meanwhile (at barriers and all-to-all: longer than the others).  One slow thread makes its neighbours late, these
-- theirs, and all of them the next barrier: that is one row here, and many in `waits`.
--
-- What a thread waited for at a line is followed in the parts that each cause has of all its waiting at that line, not wait by
-- wait: a line that waits for one thread in one half of the run and for another in the other is taken for a mixture.
-- `excess_ns` compares threads of the same number in their processes: with the mean of those that compute there, if these are half of
-- them and more than one; else with the mean of all, and then it is no more than what all computation of `thread` is above the mean.
--
-- Calls of one function that follow each other in a loop without computation between (`communication_phase`), as in a halo's
-- exchange, are one place.
--
-- Definitions: Boehme's direct and indirect delay costs, summed by line; excess and imbalance are gaspdb's own.
WITH effect AS (
  SELECT w.root_cause_id AS id, w.kind, p.location,
    row_number() OVER (PARTITION BY w.root_cause_id ORDER BY w.time_ns DESC, w.kind, w.source_id) AS place_no
  FROM root_cause_wait w JOIN spots p ON p.source_id = w.source_id
)
SELECT c.time_ns AS waiting_ns, c.direct_ns, c.thread_id AS thread, 100.0 * c.thread_ns / c.time_ns AS thread_share, c.threads,
  c.work_ns, c.excess_ns, c.path_ns AS on_path_ns, c.id IN (SELECT id FROM imbalances) AS imbalance, d.reason AS cause,
  e.kind AS effect, e.location AS effect_location
FROM root_cause c JOIN doing d ON d.about = 'cause' AND d.id = c.id
LEFT JOIN effect e ON e.id = c.id AND e.place_no = 1
ORDER BY c.id
LIMIT :limit;
