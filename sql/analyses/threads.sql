-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: The threads of the run and whether their logs are complete
-- group: recording
-- column: thread INTEGER -  thread id
-- column: rank INTEGER -  rank of its process
-- column: number INTEGER -  number of the thread in its process
-- column: model TEXT -  programming model; several with + between
-- column: host TEXT -  where it ran
-- column: pid INTEGER -  process id
-- column: first_ns INTEGER ns  first record, since the run's start
-- column: last_ns INTEGER ns  last record
-- column: total_ns INTEGER ns  between them
-- column: events INTEGER count  start/end pairs and atomic events of its log; empty: a profile has none
-- column: waiting_ns INTEGER ns  waiting for other threads; empty: not known, in a profile
-- column: whole INTEGER -  1: its log is there, complete and undamaged
--
-- Every rank known to exist has a row. Empty times mean that its log is missing or empty.
WITH waited AS MATERIALIZED (SELECT thread_id, sum(time_ns) AS ns FROM wait_total GROUP BY thread_id)
SELECT t.id AS thread, t.rank AS rank, t.number AS number, t.model AS model, t.host AS host, t.pid AS pid,
  t.first_ns AS first_ns, t.last_ns AS last_ns,
  t.last_ns - t.first_ns AS total_ns,
  coalesce(t.last_event - t.first_event + 1, n.ns) AS events,
  CASE WHEN t.first_ns IS NOT NULL THEN coalesce(w.ns, n.ns) END AS waiting_ns,
  t.complete AS whole
FROM thread t LEFT JOIN waited w ON w.thread_id = t.id CROSS JOIN no_wait n
ORDER BY t.id;
