-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: Work handed over: made, run, queued (mapping)
-- group: entities
-- needs: trace
-- param: by TEXT - entity  one of entity|thread: a row an entity, or that and the threads that made and ran its work
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- column: entity TEXT -  its name; (unknown): not defined in the log
-- column: kind TEXT -  its kind
-- column: within TEXT -  those above it in the tree, outermost first
-- column: made_by INTEGER -  by=thread: the thread that made the work; NULL: not recorded
-- column: run_by INTEGER -  by=thread: the thread that ran it first; NULL: it did not run
-- column: made INTEGER count  pieces of work handed over
-- column: runs INTEGER count  times that work was begun
-- column: waiting INTEGER count  pieces of work that nothing has begun
-- column: run_ns INTEGER ns  between begin and end, of all
-- column: mean_run_ns REAL ns  of one run
-- column: queued_ns INTEGER ns  from the hand-over to the first begin, of all
-- column: mean_queued_ns REAL ns  of one piece of work
-- column: longest_queued_ns INTEGER ns  of one piece of work
--
-- Work that one thread makes and others run later (`gaspdb_work_put`, `gaspdb_work_begin`): the iterates of an array statement, the tasks
-- of a scheduler. `entities` has the time of making it (of the thread that puts) and of running it.
--
-- **How to read it:** much `queued_ns` beside `run_ns`: there are fewer threads to run the work than the work needs, or its order lets some
-- of it wait. Little: those that run it wait for work. `--by=thread` shows whether they share it.
--
-- **What misleads:** work may be begun several times; only its first begin ends the queue, and `made` and `queued_ns` count for
-- the thread of that. Work of a hand-over that was not recorded has no time queued.
WITH part AS (
  SELECT entity_id, iif(:by = 'thread', put_thread_id, NULL) AS made_by, iif(:by = 'thread', run_thread_id, NULL) AS run_by,
    sum(puts) AS made, sum(runs) AS runs, sum(iif(run_thread_id IS NULL, puts, 0)) AS waiting, sum(run_ns) AS run_ns,
    sum(queued_ns) AS queued_ns, max(longest_queued_ns) AS longest_queued_ns
  FROM entity_work_total GROUP BY 1, 2, 3
)
SELECT coalesce(e.name, '(unknown)') AS entity, e.kind, e.within, f.made_by, f.run_by, f.made, f.runs, f.waiting, f.run_ns,
  1.0 * f.run_ns / nullif(f.runs, 0) AS mean_run_ns, f.queued_ns,
  1.0 * f.queued_ns / nullif(f.made - f.waiting, 0) AS mean_queued_ns, f.longest_queued_ns
FROM part f LEFT JOIN entity e ON e.id = f.entity_id
ORDER BY f.queued_ns DESC, f.run_ns DESC, f.entity_id, f.made_by, f.run_by
LIMIT :limit;
