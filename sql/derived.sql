-- SPDX-License-Identifier: GPL-3.0-or-later
-- Temporary views for analyses, reports and passes, in the dialect of SQLite 3.40.  They are not stored: an older SQLite that cannot
-- parse a stored view can read nothing of a database.

-- Content of table spot, which a pass fills.
CREATE VIEW spots AS
WITH phased AS (
  SELECT p.*, c.first_source_id AS phase, min(p.line) OVER of_phase AS first_line, max(p.line) OVER of_phase AS last_line,
    min(p.line) OVER of_operation AS own_first, max(p.line) OVER of_operation AS own_last
  FROM place p LEFT JOIN communication_phase c ON c.source_id = p.source_id
  WINDOW of_phase AS (PARTITION BY c.first_source_id), of_operation AS (PARTITION BY c.first_source_id, p.operation)
), placed AS (
  SELECT source_id, operation, type, category, model, function, phase,
    iif(phase IS NOT NULL AND own_first < own_last, rtrim(location, '0123456789') || own_first || '-' || own_last, location) AS location,
    iif(phase IS NOT NULL AND first_line < last_line, rtrim(location, '0123456789') || first_line || '-' || last_line, location)
      AS place_location
  FROM phased
)
SELECT source_id, min(source_id) OVER (PARTITION BY operation, location, phase) AS spot,
  coalesce(phase, min(source_id) OVER (PARTITION BY operation, location)) AS place_source_id, operation, type, category, model,
  iif(type = 'function' AND function IS NOT NULL, function || iif(instr(function, '('), '', '()'), operation) AS name,
  location, place_location
FROM placed;

-- The sum of no waits: 0, of a run recorded as a profile NULL, for its waits are not known.
CREATE VIEW no_wait AS
SELECT iif(EXISTS (SELECT 1 FROM meta WHERE key = 'mode' AND value = 'profile'), NULL, 0) AS ns;

-- Last calls of threads: the innermost runtime call without an end, at the end of the thread's log.
CREATE VIEW last_call AS
SELECT id, thread_id, start_ns, end_ns, source_id, operation, location FROM (
  SELECT e.id, e.thread_id, e.start_ns, e.start_ns + e.duration_ns AS end_ns, e.source_id, p.operation, p.location,
    row_number() OVER (PARTITION BY e.thread_id ORDER BY e.start_ns DESC, e.id DESC) AS place_no
  FROM quality q JOIN event e ON e.id = q.event_id JOIN thread t ON t.id = e.thread_id JOIN place p ON p.source_id = e.source_id
  WHERE q.kind = 'open event' AND e.start_ns + e.duration_ns = t.last_ns AND NOT e.nested
    AND p.category IN ('communication', 'synchronization', 'allocation', 'io', 'runtime')
  UNION ALL -- of a profile
  SELECT NULL, c.thread_id, c.start_ns, t.last_ns, c.source_id, p.operation, p.location,
    row_number() OVER (PARTITION BY c.thread_id ORDER BY c.depth DESC)
  FROM open_call c JOIN thread t ON t.id = c.thread_id JOIN place p ON p.source_id = c.source_id
  WHERE p.category IN ('communication', 'synchronization', 'allocation', 'io', 'runtime'))
WHERE place_no = 1;

-- Activities of threads in words: during waits of others for them (about = 'delay'), on the critical path or not ('path'), as root
-- causes ('cause').
CREATE VIEW doing AS
WITH named AS (
  SELECT source_id, category, coalesce(place_location, name) AS place, rtrim(place_location, '0123456789-') AS file,
    name || coalesce(' at ' || location, '') AS name
  FROM spot
), what AS (
  SELECT 'delay' AS about, id, what, function_source_id, from_source_id, to_source_id, time_ns, kind, thread_id, source_id,
    NULL AS threads_ns
  FROM delay
  UNION ALL
  SELECT 'path', id, what, function_source_id, from_source_id, to_source_id, time_ns, NULL, NULL, NULL, threads_ns FROM path_line
  UNION ALL
  SELECT 'cause', id, iif(function_source_id IS NULL, 'computation', 'function'), function_source_id, from_source_id, to_source_id,
    time_ns, NULL, thread_id, NULL, NULL
  FROM root_cause
)
SELECT w.about, w.id, w.what, w.time_ns, w.kind, w.thread_id, w.source_id, w.threads_ns, w.from_source_id, w.function_source_id,
  iif(w.what = 'function', g.category, f.category) AS category,
  CASE w.what
    WHEN 'computation' THEN CASE
      WHEN f.place = t.place THEN 'computation from one ' || f.place || ' to the next'
      WHEN f.place IS NULL THEN 'computation before ' || coalesce(t.place, 'its end')
      WHEN t.place IS NULL THEN 'computation after ' || f.place
      ELSE 'computation after ' || f.place || ', before the next ' || iif(t.file = f.file AND t.file LIKE '%:',
        substr(t.place, length(t.file)), t.place) END
    WHEN 'function' THEN 'computation in ' || g.name || CASE
      WHEN f.place = t.place THEN ', from one ' || f.place || ' to the next'
      WHEN f.place IS NULL THEN coalesce(', before ' || t.place, '')
      WHEN t.place IS NULL THEN ', after ' || f.place
      ELSE ', after ' || f.place || ', before the next ' || iif(t.file = f.file AND t.file LIKE '%:',
        substr(t.place, length(t.file)), t.place) END
    WHEN 'call' THEN f.name
    WHEN 'waiting' THEN 'waiting in ' || f.name
    WHEN 'inherited' THEN 'itself waiting in ' || f.name
    WHEN 'unexplained' THEN 'not explained'
    ELSE w.what
  END AS reason
FROM what w LEFT JOIN named f ON f.source_id = w.from_source_id LEFT JOIN named t ON t.source_id = w.to_source_id
LEFT JOIN named g ON g.source_id = w.function_source_id;

-- Root causes that are an imbalance: mostly of one thread (of two: by three quarters), with an excess over the mean computation of
-- at least a third of the longest wait for it.  Not half: that is what the excess is where two threads compute, one of which is
-- waited for, and jitter would decide.
CREATE VIEW imbalances AS
SELECT * FROM root_cause
WHERE excess_ns > 0 AND 3 * excess_ns >= longest_ns AND iif(threads = 2, 4 * thread_ns >= 3 * time_ns, 2 * thread_ns >= time_ns);

-- Activities of threads during waits of others for them; kind, thread_id and source_id as in delay.
CREATE VIEW delay_reason AS
SELECT d.kind, d.thread_id, d.source_id, p.operation, p.location, d.what, d.time_ns, d.reason
FROM doing d JOIN place p ON p.source_id = d.source_id WHERE d.about = 'delay';

-- Hosts: recorded threads, and processors available to them.
CREATE VIEW processors AS
WITH cpus AS (
  SELECT t.id, t.host,
    max(min(CAST(m.value AS INTEGER), 1 << 20)) FILTER (WHERE m.key = 'user_cpus') AS online,
    max(min(CAST(m.value AS INTEGER), 1 << 20)) FILTER (WHERE m.key = 'cpus_allowed') AS allowed,
    max(m.value) FILTER (WHERE m.key = 'cpus_allowed_list') AS list
  FROM thread t LEFT JOIN thread_meta m ON m.thread_id = t.id AND m.key IN ('user_cpus', 'cpus_allowed', 'cpus_allowed_list')
  WHERE t.first_ns IS NOT NULL AND t.host IS NOT NULL GROUP BY t.id
), sets AS ( -- distinct sets of processors that threads are bound to
  SELECT host, list, max(allowed) AS allowed FROM cpus WHERE allowed > 0 GROUP BY host, list
)
SELECT h.host, h.threads, min(h.online, coalesce(s.allowed, h.online)) AS processors
FROM (SELECT host, count(*) AS threads, max(online) AS online FROM cpus GROUP BY host) h
LEFT JOIN (SELECT host, sum(allowed) AS allowed FROM sets GROUP BY host) s USING(host);

-- Content of table unserved_share: parts of each thread's calls of a line explained by a lack of processors.  own: the thread's own
-- lack.  shared: an upper bound for calls that end only when others have run, too: in barriers the own lack of all members, in
-- other calls, if the run has more threads than processors, also the mean of the other threads' lack.
CREATE VIEW unserved_call AS
WITH lost AS MATERIALIZED (
  SELECT e.source_id, u.thread_id, sum(u.time_ns) AS ns
  FROM unserved u CROSS JOIN event e ON e.id = u.event_id GROUP BY e.source_id, u.thread_id
), rate AS MATERIALIZED (
  SELECT p.thread_id, min(1.0, coalesce(1.0 * p.unserved_ns / nullif(t.last_ns - t.first_ns, 0), 0)) AS rate
  FROM processor_use p JOIN thread t ON t.id = p.thread_id
), run AS MATERIALIZED (
  SELECT count(*) AS threads, total(rate) AS rates, (SELECT count(first_ns) FROM thread) AS members,
    EXISTS (SELECT 1 FROM processors WHERE threads > processors) AS crowded FROM rate
), called AS MATERIALIZED (
  SELECT f.source_id, f.thread_id, f.total_ns, o.id AS operation_id,
    o.type IN ('barrier', 'notify', 'barrier_wait') AS is_barrier, coalesce(l.ns, 0) AS ns
  FROM profile f JOIN source s ON s.id = f.source_id JOIN operation o ON o.id = s.operation_id
  LEFT JOIN lost l ON l.source_id = f.source_id AND l.thread_id = f.thread_id
  WHERE NOT f.nested AND f.total_ns > 0 AND o.category NOT IN ('computation', 'none') AND EXISTS (SELECT 1 FROM unserved)
), share AS (
  SELECT c.source_id, c.thread_id, c.ns AS time_ns, min(1.0, 1.0 * c.ns / c.total_ns) AS own, CASE
    WHEN c.is_barrier
      THEN 1.0 * r.members * sum(c.ns) OVER (PARTITION BY c.operation_id) / sum(c.total_ns) OVER (PARTITION BY c.operation_id)
    WHEN r.crowded AND r.threads > 1 THEN 1.0 * c.ns / c.total_ns + (r.rates - coalesce(t.rate, 0)) / (r.threads - 1)
    ELSE 1.0 * c.ns / c.total_ns END AS shared
  FROM called c CROSS JOIN run r LEFT JOIN rate t ON t.thread_id = c.thread_id
)
SELECT source_id, thread_id, time_ns, own, min(1.0, max(own, shared)) AS shared FROM share WHERE own > 0 OR shared > 0;

-- Unnecessary remote accesses by line and thread; owned_ns: without those that count as fine-grained accesses.
CREATE VIEW needless_access AS
SELECT 'polling' AS kind, source_id, thread_id, sum(gets) AS accesses, sum(bytes) AS bytes, sum(time_ns) AS time_ns,
  sum(time_ns) AS owned_ns
FROM polling_total GROUP BY source_id, thread_id
UNION ALL
SELECT 'repeated get', r.source_id, r.thread_id, sum(r.gets), sum(r.bytes), sum(r.time_ns),
  sum(r.time_ns) - coalesce((SELECT sum(f.repeated_ns) FROM fine_grained_total f
    WHERE f.source_id = r.source_id AND f.thread_id = r.thread_id), 0)
FROM reread_total r GROUP BY r.source_id, r.thread_id
UNION ALL
SELECT 'local access', a.source_id, a.thread_id, sum(a.calls), sum(a.bytes), sum(a.time_ns), sum(a.time_ns)
FROM access_piece c CROSS JOIN access_pair a ON a.id BETWEEN c.first_pair AND c.last_pair
JOIN thread t ON t.id = a.thread_id JOIN thread o ON o.id = a.peer
JOIN source s ON s.id = a.source_id JOIN operation p ON p.id = s.operation_id
WHERE c.local > 0 AND p.type IN ('get', 'put') AND (a.peer = a.thread_id OR o.rank = t.rank)
  AND a.source_id NOT IN (SELECT source_id FROM spin_total) -- a line that waits would not gain by a cast
GROUP BY a.source_id, a.thread_id;

-- Time of blocking remote accesses that counts as fine-grained, polling or repeated, and so in no other finding, by line and thread.
-- Join it: a subquery for each row takes quadratic time.
CREATE VIEW owned_access AS
SELECT source_id, thread_id, sum(time_ns) AS time_ns FROM (
  SELECT source_id, thread_id, time_ns - repeated_ns AS time_ns FROM fine_grained_total
  UNION ALL
  SELECT source_id, thread_id, time_ns FROM polling_total
  UNION ALL
  SELECT source_id, thread_id, time_ns FROM reread_total)
GROUP BY source_id, thread_id;

-- Waiting of accesses for targets without progress, without time that counts in another finding.
CREATE VIEW starved AS
WITH owned AS MATERIALIZED (SELECT * FROM owned_access), line AS (
  SELECT s.*, sum(s.time_ns) OVER (PARTITION BY s.source_id, s.thread_id) AS all_ns,
    max(0, s.line_ns - coalesce(o.time_ns, 0)) AS rest_ns
  FROM starved_total s LEFT JOIN owned o ON o.source_id = s.source_id AND o.thread_id = s.thread_id
)
SELECT source_id, thread_id, peer, accesses, longest_ns,
  iif(all_ns <= rest_ns, time_ns, CAST(1.0 * time_ns * rest_ns / all_ns AS INTEGER)) AS time_ns
FROM line;

-- Time of hand-made collectives, without time that counts in another finding.
CREATE VIEW hand_made AS
WITH owned AS MATERIALIZED (
  SELECT source_id, thread_id, sum(time_ns) AS time_ns FROM (
    SELECT source_id, thread_id, time_ns FROM owned_access UNION ALL SELECT source_id, thread_id, time_ns FROM starved)
  GROUP BY source_id, thread_id
)
SELECT h.source_id, h.thread_id, h.times, h.accesses, h.bytes, h.waited_ns,
  max(0, min(h.time_ns, h.line_ns - coalesce(o.time_ns, 0))) AS time_ns
FROM hand_made_total h LEFT JOIN owned o ON o.source_id = h.source_id AND o.thread_id = h.thread_id;

-- Processes accessed by others with at least four times the mean bytes or operations of all processes.
CREATE VIEW hot_owner AS
WITH flows AS (
  SELECT owner, sum(bytes) AS bytes, sum(operations) AS operations FROM traffic_total WHERE initiator <> owner GROUP BY owner
), factors AS (
  SELECT owner, n.n * max(coalesce(1.0 * bytes / nullif(sum(bytes) OVER (), 0), 0),
    1.0 * operations / sum(operations) OVER ()) AS factor
  FROM flows, (SELECT count(DISTINCT coalesce('r' || rank, 't' || id)) AS n FROM thread) n
)
SELECT owner, factor FROM factors WHERE factor >= 4;

-- Time of blocking accesses to the memory of hot owners, without time that counts in another finding.  The casts give columns a
-- numeric affinity, which SQLite needs for an automatic index.
CREATE VIEW hot_access AS
WITH process AS MATERIALIZED (
  SELECT id, CAST(CASE WHEN rank IS NULL THEN id ELSE min(id) OVER (PARTITION BY rank) END AS INTEGER) AS first FROM thread
), hot_process AS MATERIALIZED (SELECT * FROM hot_owner), flow AS MATERIALIZED (
  SELECT DISTINCT owner, initiator FROM traffic_total
  WHERE owner IN (SELECT owner FROM hot_process) AND initiator <> owner
), hot AS MATERIALIZED (
  SELECT t.source_id, t.thread_id, f.initiator AS process, f.owner, sum(t.operations) AS accesses, sum(t.time_ns) AS time_ns
  FROM flow f CROSS JOIN process i ON i.first = f.initiator
  CROSS JOIN traffic t ON t.thread_id = i.id AND t.peer = f.owner
  WHERE t.source_id IN (SELECT source_id FROM access_line) GROUP BY t.source_id, t.thread_id, f.owner
), remote AS MATERIALIZED (
  SELECT t.source_id, t.thread_id, sum(t.time_ns) AS time_ns
  FROM (SELECT DISTINCT thread_id, process FROM hot) h CROSS JOIN traffic t ON t.thread_id = h.thread_id
  WHERE t.peer <> h.process AND (+t.source_id, +t.thread_id) IN (SELECT source_id, thread_id FROM hot)
  GROUP BY t.source_id, t.thread_id
), owned AS MATERIALIZED (
  SELECT source_id, thread_id, sum(time_ns) AS time_ns FROM (
    SELECT source_id, thread_id, time_ns FROM owned_access UNION ALL SELECT source_id, thread_id, time_ns FROM starved
    UNION ALL SELECT source_id, thread_id, time_ns FROM hand_made)
  GROUP BY source_id, thread_id
), line AS (
  SELECT h.*, sum(h.time_ns) OVER (PARTITION BY h.source_id, h.thread_id) AS all_ns,
    max(0, r.time_ns - coalesce(o.time_ns, 0)) AS rest_ns
  FROM hot h CROSS JOIN remote r ON r.source_id = h.source_id AND r.thread_id = h.thread_id
  LEFT JOIN owned o ON o.source_id = h.source_id AND o.thread_id = h.thread_id
)
SELECT l.source_id, l.thread_id, l.owner, p.factor, l.accesses,
  iif(l.all_ns <= l.rest_ns, l.time_ns, CAST(1.0 * l.time_ns * l.rest_ns / l.all_ns AS INTEGER)) AS time_ns
FROM line l CROSS JOIN hot_process p ON p.owner = l.owner;

-- Cost of completing operations, by the line that began them and the line that completed them: their shares of the completing calls'
-- time, without known and possible waiting.  The end of the program has no cost: its time does not depend on what it completes.
CREATE VIEW completion_cost AS
SELECT c.thread_id, c.source_id, c.complete_source_id, c.operations, 
  iif(o.type = 'finalize', 0, c.share_ns - coalesce(w.waited_ns + w.untold_ns, 0)) AS cost_ns
FROM completion_total c JOIN source s ON s.id = c.complete_source_id JOIN operation o ON o.id = s.operation_id
LEFT JOIN completion_waited w ON w.thread_id = c.thread_id AND w.source_id = c.source_id
  AND w.complete_source_id = c.complete_source_id;

-- Lines with exposed communication, by all threads together.  'no overlap': non-blocking operations with less than a tenth of the
-- possible overlap.  'no progress': others that still cost 10 us each and more to complete.  'drain': puts whose completion costs
-- more, without waiting, than the calls themselves, or a quarter of that and more where each is completed by itself (single: 16 and
-- more, at most two by one quiet or fence).
-- begun_ns: in the calls that began them, without waiting there, and without those that returned complete.
CREATE VIEW exposed_line AS
WITH waited AS MATERIALIZED (
  SELECT source_id, thread_id, sum(time_ns) AS waited_ns FROM wait_total GROUP BY source_id, thread_id
), begun AS (
  SELECT o.thread_id, o.source_id, o.blocking, o.operations - o.at_once AS operations, o.share_ns, o.overlapped_ns,
    o.in_flight_ns, max(0, o.initiation_ns - o.at_once_ns - coalesce(w.waited_ns, 0)) AS begun_ns
  FROM overlap_total o LEFT JOIN waited w ON w.source_id = o.source_id AND w.thread_id = o.thread_id
  WHERE o.operations > o.at_once
), line AS (
  SELECT source_id, blocking, sum(operations) AS operations, sum(begun_ns) AS begun_ns, sum(share_ns) AS share_ns,
    sum(overlapped_ns) AS overlapped_ns
  FROM begun GROUP BY source_id, blocking
), cost AS MATERIALIZED (
  SELECT source_id, sum(cost_ns) AS cost_ns FROM completion_cost GROUP BY source_id
), single AS MATERIALIZED (
  SELECT c.source_id
  FROM completion_total c JOIN source s ON s.id = c.complete_source_id JOIN operation o ON o.id = s.operation_id
  JOIN profile f ON f.thread_id = c.thread_id AND f.source_id = c.complete_source_id
  WHERE o.type IN ('quiet', 'fence') GROUP BY c.source_id
  HAVING sum(c.operations) BETWEEN 16 AND 2 * sum(f.calls)
), exposed AS MATERIALIZED (
  SELECT l.source_id, l.blocking, l.source_id IN (SELECT source_id FROM single) AS single, CASE
      WHEN l.blocking THEN iif(c.cost_ns > l.begun_ns
        OR 4 * c.cost_ns >= l.begun_ns AND c.cost_ns > 0 AND l.source_id IN (SELECT source_id FROM single), 'drain', NULL)
      WHEN 10.0 * l.overlapped_ns < 1.0 * l.overlapped_ns + l.begun_ns + l.share_ns THEN 'no overlap'
      WHEN c.cost_ns >= 10000 * l.operations THEN 'no progress' END AS kind
  FROM line l LEFT JOIN cost c ON c.source_id = l.source_id
)
SELECT e.kind, b.thread_id, b.source_id, iif(e.kind = 'no overlap', b.begun_ns, 0) AS begun_ns, b.operations, b.overlapped_ns,
  b.in_flight_ns, e.single
FROM begun b JOIN exposed e ON e.source_id = b.source_id AND e.blocking = b.blocking
WHERE e.kind IS NOT NULL;

-- Cost of completing the operations of exposed_line, by the line that completed them.  That may be a strict access: then without the
-- time that counts in a finding about its own line.
CREATE VIEW exposed_cost AS
WITH owned AS MATERIALIZED (
  SELECT source_id, thread_id, sum(time_ns) AS time_ns FROM (
    SELECT source_id, thread_id, time_ns FROM owned_access
    UNION ALL SELECT source_id, thread_id, owned_ns FROM needless_access WHERE kind = 'local access'
    UNION ALL SELECT source_id, thread_id, begun_ns FROM exposed_line
    UNION ALL SELECT source_id, thread_id, time_ns FROM starved
    UNION ALL SELECT source_id, thread_id, time_ns FROM hand_made
    UNION ALL SELECT source_id, thread_id, time_ns FROM hot_access)
  WHERE EXISTS (SELECT 1 FROM argument WHERE name = 'relaxed') -- else there are no strict ones
  GROUP BY source_id, thread_id
), called AS MATERIALIZED (
  SELECT f.source_id, f.thread_id, f.total_ns
  FROM profile f JOIN source s ON s.id = f.source_id JOIN operation o ON o.id = s.operation_id
  WHERE NOT f.nested AND o.type IN ('get', 'put', 'get_nb', 'put_nb')
    AND o.id IN (SELECT operation_id FROM argument WHERE name = 'relaxed')
), cost AS (
  SELECT c.*, sum(c.cost_ns) OVER (PARTITION BY c.thread_id, c.complete_source_id) AS all_ns,
    max(0, f.total_ns - coalesce(w.time_ns, 0)) AS rest_ns -- NULL: it is no access
  FROM exposed_line o JOIN completion_cost c ON c.thread_id = o.thread_id AND c.source_id = o.source_id
  LEFT JOIN called f ON f.source_id = c.complete_source_id AND f.thread_id = c.thread_id
  LEFT JOIN owned w ON w.source_id = c.complete_source_id AND w.thread_id = c.thread_id
)
SELECT thread_id, source_id, complete_source_id, operations,
  iif(rest_ns IS NULL OR all_ns <= rest_ns, cost_ns, CAST(1.0 * cost_ns * rest_ns / all_ns AS INTEGER)) AS cost_ns
FROM cost;

-- Cost of exposed communication.  path_source_id: the line with most of it; path_ns: of it on the critical path, at most.
CREATE VIEW exposed AS
WITH process AS MATERIALIZED ( -- a thread may complete operations of another one of its process
  SELECT id AS thread_id, coalesce(rank, -1 - id) AS process FROM thread
), completing AS MATERIALIZED (
  SELECT c.source_id, p.process, sum(c.time_ns) AS time_ns
  FROM path_call c JOIN process p ON p.thread_id = c.thread_id GROUP BY c.source_id, p.process
), line AS MATERIALIZED ( -- without what a lack of processors explains
  SELECT l.kind, l.thread_id, l.source_id, iif(u.own > 0, CAST(l.begun_ns * (1 - u.own) AS INTEGER), l.begun_ns) AS begun_ns,
    l.operations, l.overlapped_ns, l.in_flight_ns, l.single
  FROM exposed_line l LEFT JOIN unserved_share u ON u.source_id = l.source_id AND u.thread_id = l.thread_id
), cost AS MATERIALIZED (
  SELECT c.thread_id, c.source_id, c.complete_source_id,
    iif(u.shared > 0, CAST(c.cost_ns * (1 - u.shared) AS INTEGER), c.cost_ns) AS cost_ns
  FROM exposed_cost c LEFT JOIN unserved_share u ON u.source_id = c.complete_source_id AND u.thread_id = c.thread_id
)
SELECT o.kind, o.source_id, o.thread_id, o.begun_ns + sum(c.cost_ns) AS time_ns, o.operations, o.overlapped_ns,
  o.in_flight_ns, o.single, c.complete_source_id AS path_source_id,
  min(o.begun_ns, coalesce(b.time_ns, 0)) + sum(min(c.cost_ns, coalesce(q.time_ns, 0))) AS path_ns,
  max(c.cost_ns) AS most_ns -- the bare column is of the row with the most
FROM line o JOIN cost c ON c.thread_id = o.thread_id AND c.source_id = o.source_id
JOIN process p ON p.thread_id = o.thread_id
LEFT JOIN path_call b ON b.source_id = o.source_id AND b.thread_id = o.thread_id
LEFT JOIN completing q ON q.source_id = c.complete_source_id AND q.process = p.process
GROUP BY o.thread_id, o.source_id, o.kind;

-- Whether the program may load and store shared memory without a call: then the accesses that a barrier orders are unknown.
-- Symmetric memory, shared objects through private pointers, windows.
CREATE VIEW plain_access AS
SELECT EXISTS(SELECT 1 FROM operation WHERE model IN ('OpenSHMEM', 'UPC') OR type GLOB 'window*'
    OR type IN ('shared_alloc', 'shared_alloc_all'))
  OR EXISTS(SELECT 1 FROM team WHERE kind = 'window') AS possible;

-- Barriers too close to each other: those right after another one, and others that take more than a tenth of the time between them.
-- A barrier right after another one is unnecessary only if it orders no access; otherwise its line is in no finding.  Drain, and time
-- that counts in view exposed, are left out; calls charged with their operations, as in exposed, count once.
CREATE VIEW close_barriers AS
WITH barrier AS (
  SELECT b.*, sum(operation_ns) OVER line AS line_operation_ns, sum(barriers) OVER line AS line_barriers,
    sum(interval_ns) OVER line AS line_interval_ns, sum(intervals) OVER line AS line_intervals,
    sum(back_to_back) OVER line AS line_back_to_back
  FROM barrier_total b WINDOW line AS (PARTITION BY source_id)
), completed AS MATERIALIZED (
  SELECT thread_id, complete_source_id, sum(cost_ns) AS cost_ns
  FROM exposed_line JOIN completion_cost USING(thread_id, source_id) GROUP BY thread_id, complete_source_id
), single AS (
  SELECT b.*, iif(p.possible, 0, b.back_to_back_ns) AS needless_ns, iif(p.possible, 0, b.back_to_back) AS needless,
    p.possible AND b.line_back_to_back > 0 AS is_needed
  FROM barrier b CROSS JOIN plain_access p
), frequent AS (
  SELECT *, (operation_ns + completion_ns) / barriers AS mean_ns, interval_ns / intervals AS mean_interval_ns
  FROM single
  WHERE intervals > 0 AND NOT is_needed AND 1.0 * line_interval_ns * line_barriers < 10.0 * line_operation_ns * line_intervals
)
SELECT 'back-to-back barriers' AS kind, source_id, thread_id, needless AS barriers, needless_ns AS time_ns,
  needless_ns AS saving_ns, printf('%d of %d come right after another one', needless, barriers) AS detail
FROM single WHERE needless > 0
UNION ALL
SELECT 'frequent barriers', f.source_id, f.thread_id, f.barriers,
  f.operation_ns + f.completion_ns - f.back_to_back_ns - max(coalesce(c.cost_ns, 0) - f.own_drain_ns, 0), NULL,
  printf('on average %d ns each, %d ns apart', f.mean_ns, f.mean_interval_ns)
FROM frequent f LEFT JOIN completed c ON c.thread_id = f.thread_id AND c.complete_source_id = f.source_id;

-- Lost time, with the parts of other time than waiting that a lack of processors explains: columns as in view loss.
CREATE VIEW loss_all AS
WITH completed AS MATERIALIZED ( -- puts that are fine-grained: their completion on the critical path, at most
  SELECT d.source_id, d.thread_id, sum(min(d.cost_ns, coalesce(q.time_ns, 0))) AS time_ns
  FROM completion_cost d LEFT JOIN path_call q ON q.source_id = d.complete_source_id AND q.thread_id = d.thread_id
  WHERE d.source_id IN (SELECT source_id FROM fine_grained_total)
  GROUP BY d.source_id, d.thread_id
)
SELECT kind, coalesce(cause_source_id, source_id) AS source_id, cause_thread_id AS thread_id, sum(time_ns - unserved_ns) AS lost_ns,
  sum(waits) AS cases, min(max(longest_ns), sum(time_ns - unserved_ns)) AS longest_ns, NULL AS saving_ns, NULL AS detail, NULL AS path_ns
FROM wait_total WHERE NOT below_error GROUP BY 1, 2, 3 HAVING sum(time_ns) > sum(unserved_ns)
UNION ALL
SELECT 'fine-grained ' || type, source_id, thread_id, time_ns, accesses, NULL, saving_ns, detail,
  min(saving_ns, path_ns) + min(time_ns - min(saving_ns, path_ns), drain_ns)
FROM (
  SELECT o.type, f.source_id, f.thread_id, sum(f.time_ns) AS time_ns, sum(f.accesses) AS accesses,
    max(0, sum(f.saving_ns) - coalesce(CAST(round(r.event_cost_ns * sum(f.accesses - f.groups)) AS INTEGER), 0)) AS saving_ns,
    printf('%d accesses of %d B on average, up to %d %s at a time, %s', sum(f.accesses), sum(f.bytes) / sum(f.accesses),
      max(f.peers), iif(max(f.peers) = 1, 'peer', 'peers'),
      iif(min(f.pattern) = max(f.pattern), min(f.pattern), 'various patterns')) AS detail,
    coalesce(c.time_ns, 0) AS path_ns, coalesce(d.time_ns, 0) AS drain_ns
  FROM fine_grained_total f JOIN source s ON s.id = f.source_id JOIN operation o ON o.id = s.operation_id
  LEFT JOIN recording r ON r.thread_id = f.thread_id
  LEFT JOIN path_call c ON c.source_id = f.source_id AND c.thread_id = f.thread_id
  LEFT JOIN completed d ON d.source_id = f.source_id AND d.thread_id = f.thread_id
  GROUP BY f.source_id, f.thread_id)
WHERE saving_ns > 0
UNION ALL
SELECT 'polling', n.source_id, n.thread_id, n.owned_ns, n.accesses, NULL, NULL, 'the same bytes each time',
  min(n.owned_ns, coalesce(c.time_ns, 0))
FROM needless_access n LEFT JOIN path_call c ON c.source_id = n.source_id AND c.thread_id = n.thread_id
WHERE n.kind = 'polling' AND n.owned_ns > 0
UNION ALL
SELECT kind, source_id, thread_id, owned_ns, accesses, NULL, saving_ns, detail, min(saving_ns, path_ns)
FROM (
  SELECT n.kind, n.source_id, n.thread_id, n.owned_ns, n.accesses,
    max(0, n.owned_ns - coalesce(CAST(round(r.event_cost_ns * n.accesses * n.owned_ns / n.time_ns) AS INTEGER), 0)) AS saving_ns,
    iif(n.kind = 'repeated get', 'read before, and nothing synchronized since', 'the accessing process''s own memory') AS detail,
    coalesce(c.time_ns, 0) AS path_ns
  FROM needless_access n LEFT JOIN recording r ON r.thread_id = n.thread_id
  LEFT JOIN path_call c ON c.source_id = n.source_id AND c.thread_id = n.thread_id
  WHERE n.kind <> 'polling' AND n.owned_ns > 0)
WHERE saving_ns > 0
UNION ALL
SELECT x.kind, x.source_id, x.thread_id, x.time_ns, x.operations, NULL, NULL,
  'completed by ' || p.operation || coalesce(' at ' || p.location, '') || CASE
    WHEN x.kind = 'drain' THEN iif(x.single, ', one by one', '')
    WHEN x.kind = 'no progress' THEN ', in spite of work between'
    WHEN 10 * x.in_flight_ns < x.time_ns THEN ', at once'
    ELSE ', in flight for long' END, x.path_ns
FROM exposed x JOIN place p ON p.source_id = x.path_source_id WHERE x.time_ns > 0
UNION ALL
SELECT b.kind, b.source_id, b.thread_id, b.time_ns, b.barriers, NULL, b.saving_ns, b.detail, min(b.time_ns, coalesce(c.time_ns, 0))
FROM close_barriers b LEFT JOIN path_call c ON c.source_id = b.source_id AND c.thread_id = b.thread_id WHERE b.time_ns > 0
UNION ALL
SELECT 'no progress', s.source_id, s.peer, sum(s.time_ns), sum(s.accesses), max(s.longest_ns), NULL,
  iif(l.inside >= 30 AND l.outside >= 30 AND l.outside_median_ns >= 2 * l.inside_median_ns,
    printf('half of the accesses take %d ns and more while their target is outside its runtime, %d ns inside',
      l.outside_median_ns, l.inside_median_ns),
    printf('%d of %d accesses end right after their target calls its runtime', l.answered, l.inside + l.outside)),
  sum(min(s.time_ns, coalesce(c.time_ns, 0)))
FROM starved s JOIN target_line l ON l.source_id = s.source_id
LEFT JOIN path_call c ON c.source_id = s.source_id AND c.thread_id = s.thread_id
GROUP BY s.source_id, s.peer HAVING sum(s.time_ns) > 0
UNION ALL
SELECT 'slow delivery', d.source_id, d.thread_id, d.slow_ns, d.slow, d.longest_ns, NULL,
  printf('%d of %d words were seen late', d.slow, d.waits), min(d.slow_ns, coalesce(c.time_ns, 0))
FROM delivery_total d LEFT JOIN path_call c ON c.source_id = d.source_id AND c.thread_id = d.thread_id WHERE d.slow > 0
UNION ALL
SELECT 'hand-made collective', h.source_id, h.thread_id, h.time_ns, h.accesses, NULL, NULL,
  printf('%d times all %d others, one by one', h.times, h.accesses / h.times), min(h.time_ns, coalesce(c.time_ns, 0))
FROM hand_made h LEFT JOIN path_call c ON c.source_id = h.source_id AND c.thread_id = h.thread_id WHERE h.time_ns > 0
UNION ALL
SELECT 'hot owner', a.source_id, a.owner, sum(a.time_ns), sum(a.accesses), NULL, NULL,
  printf('accessed %.1f times as much as processes are on average', max(a.factor)), sum(min(a.time_ns, coalesce(c.time_ns, 0)))
FROM hot_access a LEFT JOIN path_call c ON c.source_id = a.source_id AND c.thread_id = a.thread_id
GROUP BY a.source_id, a.owner HAVING sum(a.time_ns) > 0;

-- Lost time by the line and thread to blame: waiting (of all threads, for this one), avoidable accesses, and completion without
-- overlap.  No time counts twice.  saving_ns: estimate of the possible saving, without the cost of recording these calls (about an
-- event each); NULL: unknown.  detail: its times are in ns, which the report formats.  path_ns: of lost_ns on the critical path, at
-- most that of those threads' calls at that line; NULL: waiting, see path_wait.
-- Time explained by a lack of processors (wait_unserved, unserved_share) is left out.
CREATE VIEW loss AS
WITH target AS MATERIALIZED ( -- lack of processors outside the runtime
  SELECT thread_id, 1.0 * sum(time_ns) FILTER (WHERE category = 'no processor') / sum(time_ns) AS rate
  FROM category_time WHERE category IN ('computation', 'no processor')
    AND thread_id IN (SELECT thread_id FROM category_time WHERE category = 'no processor')
  GROUP BY thread_id HAVING sum(time_ns) > 0
), found AS (
  SELECT l.*, CASE
      WHEN l.detail LIKE 'completed by %' OR l.path_ns IS NULL THEN NULL -- it is left out there
      WHEN l.kind = 'no progress' THEN t.rate
      WHEN l.kind = 'hot owner' THEN (SELECT sum(u.time_ns * 1.0) / sum(u.time_ns / u.own) FROM unserved_share u
        WHERE u.source_id = l.source_id AND u.own > 0)
      WHEN l.kind LIKE '% barriers' OR l.kind = 'slow delivery' THEN u.shared
      ELSE u.own END AS without
  FROM loss_all l LEFT JOIN unserved_share u ON u.source_id = l.source_id AND u.thread_id = l.thread_id
  LEFT JOIN target t ON t.thread_id = l.thread_id
)
SELECT kind, source_id, thread_id, iif(without > 0, CAST(lost_ns * (1 - without) AS INTEGER), lost_ns) AS lost_ns, cases, longest_ns,
  iif(without > 0, CAST(saving_ns * (1 - without) AS INTEGER), saving_ns) AS saving_ns, detail,
  iif(without > 0, CAST(path_ns * (1 - without) AS INTEGER), path_ns) AS path_ns
FROM found WHERE iif(without > 0, CAST(lost_ns * (1 - without) AS INTEGER), lost_ns) > 0;

-- Content of table loss_total: lost time by spot, of all threads, with the thread most at fault.
CREATE VIEW loss_line AS
WITH by_thread AS (
  SELECT l.kind, s.spot, l.thread_id AS thread, sum(l.lost_ns) AS ns, sum(l.cases) AS cases,
    max(l.longest_ns) AS longest_ns, sum(l.saving_ns) AS saving_ns, max(l.detail) AS detail, sum(l.path_ns) AS path_ns,
    row_number() OVER (PARTITION BY l.kind, s.spot ORDER BY sum(l.lost_ns) DESC, l.thread_id) AS place_no
  FROM loss l JOIN spot s ON s.source_id = l.source_id
  GROUP BY l.kind, s.spot, l.thread_id
)
SELECT kind, spot AS source_id, sum(ns) AS lost_ns, sum(cases) AS cases, max(longest_ns) AS longest_ns,
  sum(saving_ns) AS saving_ns, max(thread) FILTER (WHERE place_no = 1) AS thread_id, max(ns) AS thread_ns,
  count(thread) AS threads, max(detail) FILTER (WHERE place_no = 1) AS detail, sum(path_ns) AS path_ns
FROM by_thread GROUP BY kind, spot;

-- Activities of the threads, on the critical path or not.
CREATE VIEW path_reason AS
SELECT id, what, time_ns, threads_ns,
  CASE WHEN what IN ('call', 'function') THEN category WHEN what = 'other computation' THEN 'computation' ELSE what END AS category,
  reason
FROM doing WHERE about = 'path';
