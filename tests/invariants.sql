-- SPDX-License-Identifier: GPL-3.0-or-later
-- What holds of every run.  Each statement finds what breaks a rule, and begins with the rule: no row, all is well.

-- Of views that several rules read, and that take long to prepare: what they hold.
CREATE TEMP TABLE the_loss_line AS SELECT * FROM loss_line;
CREATE TEMP TABLE the_loss AS SELECT * FROM loss;
CREATE TEMP TABLE the_loss_all AS SELECT * FROM loss_all;
CREATE TEMP TABLE the_hot_access AS SELECT * FROM hot_access;
CREATE TEMP TABLE the_exposed_cost AS SELECT * FROM exposed_cost;

SELECT 'categories add up to the thread''s time', t.id, t.last_ns - t.first_ns, sum(c.time_ns)
FROM thread t LEFT JOIN category_time c ON c.thread_id = t.id
WHERE t.first_ns IS NOT NULL
GROUP BY t.id HAVING coalesce(sum(c.time_ns), 0) <> t.last_ns - t.first_ns;

SELECT 'a thread without a log has no figures', t.id FROM thread t
WHERE t.first_ns IS NULL AND (t.first_event IS NOT NULL OR EXISTS (SELECT 1 FROM category_time WHERE thread_id = t.id)
  OR EXISTS (SELECT 1 FROM profile WHERE thread_id = t.id));

SELECT 'events lie within their thread', e.id FROM event e JOIN thread t ON t.id = e.thread_id
WHERE e.start_ns < t.first_ns OR e.start_ns + e.duration_ns > t.last_ns OR e.duration_ns < 0
  OR e.id NOT BETWEEN t.first_event AND t.last_event;

SELECT 'pieces are a thread''s events, in order', p.thread_id, p.first_event FROM event_piece p
  JOIN event e ON e.id = p.first_event JOIN event f ON f.id = p.last_event
WHERE (e.thread_id, f.thread_id) <> (p.thread_id, p.thread_id) OR (e.start_ns, f.start_ns) <> (p.start_ns, p.last_start_ns);

SELECT 'what lasts into a later piece is a long event', e.id, p.thread_id FROM event_piece p
  JOIN event e ON e.id BETWEEN p.first_event AND p.last_event
  JOIN event n ON n.id = p.last_event + 1 AND n.thread_id = p.thread_id
WHERE e.start_ns + e.duration_ns > n.start_ns AND NOT EXISTS (SELECT 1 FROM long_event l WHERE l.thread_id = e.thread_id
  AND l.end_ns = e.start_ns + e.duration_ns AND l.event_id = e.id AND l.start_ns = e.start_ns);

SELECT 'a long event has its event''s thread and times', l.event_id FROM long_event l JOIN event e ON e.id = l.event_id
WHERE (l.thread_id, l.start_ns, l.end_ns) <> (e.thread_id, e.start_ns, e.start_ns + e.duration_ns);

SELECT 'waits are in order of their events', w.id FROM wait w LEFT JOIN wait x ON x.id = w.id - 1
WHERE w.id > 1 AND (x.id IS NULL OR (x.event_id, x.start_ns) > (w.event_id, w.start_ns));

SELECT 'a parent contains its event', e.id, p.id FROM event e JOIN event p ON p.id = e.parent_id
WHERE e.thread_id <> p.thread_id OR e.start_ns < p.start_ns OR p.id >= e.id
  OR e.start_ns + e.duration_ns > p.start_ns + p.duration_ns;

SELECT 'self times lie between 0 and the duration', id FROM event WHERE self_ns < 0 OR self_ns > duration_ns;

SELECT 'the profile counts every event', e.thread_id, e.n, p.n FROM
  (SELECT thread_id, count(*) AS n, total(self_ns) AS self FROM event GROUP BY 1) e JOIN
  (SELECT thread_id, sum(calls) AS n, total(self_ns) AS self FROM profile GROUP BY 1) p USING (thread_id) LEFT JOIN
  (SELECT thread_id, sum(calls) AS n, total(self_ns) FILTER (WHERE caller_id IS NULL) AS self FROM throttled GROUP BY 1) t USING (thread_id)
  LEFT JOIN profiled f USING (thread_id)
WHERE iif(f.slack_ns IS NULL, e.n + coalesce(t.n, 0) <> p.n OR e.self + coalesce(t.self, 0) <> p.self,
  e.n > p.n OR e.self > p.self + f.slack_ns);

SELECT 'throttled calls are in the profile of their function', t.source_id FROM
  (SELECT thread_id, source_id, sum(calls) AS n, sum(total_ns) AS total, sum(inner_ns) AS inner FROM throttled GROUP BY 1, 2) t
  LEFT JOIN profile p ON (p.thread_id, p.source_id, p.nested) = (t.thread_id, t.source_id, 0)
  LEFT JOIN (SELECT thread_id, source_id, count(*) AS n FROM event GROUP BY 1, 2) e
    ON (e.thread_id, e.source_id) = (t.thread_id, t.source_id)
WHERE p.calls IS NOT t.n + coalesce(e.n, 0) OR p.total_ns < t.total OR p.inner_ns < t.inner;

SELECT 'the call tree has the profile''s calls, times and bytes', p.thread_id, p.source_id, p.self, c.self FROM
  (SELECT thread_id, source_id, sum(calls) AS n, coalesce(sum(self_ns), 0) AS self, sum(bytes) AS bytes FROM profile
   JOIN place USING(source_id) WHERE self_ns IS NOT NULL OR type = 'user' GROUP BY 1, 2) p LEFT JOIN
  (SELECT t.thread_id, c.source_id, sum(t.calls) AS n, sum(t.self_ns) AS self, sum(t.bytes) AS bytes
   FROM callpath_total t JOIN callpath c ON c.id = t.callpath_id GROUP BY 1, 2) c USING (thread_id, source_id)
WHERE p.n IS NOT c.n OR p.self IS NOT c.self OR p.bytes IS NOT c.bytes;

SELECT 'an event''s call path ends at its source', p.event_id FROM event_path p JOIN event e ON e.id = p.event_id
  LEFT JOIN callpath c ON c.id = p.callpath_id
WHERE c.source_id IS NOT e.source_id;

SELECT 'call paths have the waiting of their calls', w.callpath_id, w.kind, w.ns, x.ns FROM
  (SELECT callpath_id, thread_id, kind, sum(waits) AS n, sum(time_ns) AS ns FROM callpath_wait GROUP BY 1, 2, 3) w FULL JOIN
  (SELECT p.callpath_id, w.thread_id, w.kind, count(*) AS n, sum(w.end_ns - w.start_ns) AS ns
   FROM wait w JOIN event_path p ON p.event_id = w.event_id GROUP BY 1, 2, 3) x USING (callpath_id, thread_id, kind)
WHERE w.n IS NOT x.n OR w.ns IS NOT x.ns;

SELECT 'what call paths lose is in a loss', w.kind, w.source_id, w.lost_ns FROM callpath_wait w JOIN spot s ON s.source_id = w.source_id
WHERE w.lost_ns NOT BETWEEN 0 AND w.time_ns OR w.lost_ns > 0 AND NOT EXISTS
  (SELECT 1 FROM loss_total l WHERE l.kind = w.kind AND l.source_id = s.spot AND l.lost_ns >= w.lost_ns);

SELECT 'call paths of user events have no self time', c.id FROM callpath c JOIN profile p ON p.source_id = c.source_id
WHERE p.self_ns IS NULL AND c.self_ns <> 0;

SELECT 'a call path sums up its threads', c.id FROM callpath c LEFT JOIN
  (SELECT callpath_id, count(*) AS threads, sum(calls) AS calls, sum(total_ns) AS total, sum(inner_ns) AS inner, sum(self_ns) AS self,
     min(min_ns) AS low, max(max_ns) AS high, sum(bytes) AS bytes, max(total_ns) AS longest
   FROM callpath_total GROUP BY 1) t ON t.callpath_id = c.id
WHERE (c.threads, c.calls, c.total_ns, c.inner_ns, c.self_ns, c.min_ns, c.max_ns, c.longest_ns) IS NOT
  (t.threads, t.calls, t.total, t.inner, t.self, t.low, t.high, t.longest) OR c.bytes IS NOT t.bytes;

SELECT 'the longest thread of a call path is the first with its time', c.id FROM callpath c
WHERE c.longest_thread_id IS NOT
  (SELECT min(thread_id) FROM callpath_total WHERE callpath_id = c.id AND total_ns = c.longest_ns);

SELECT 'positions are those of a tree', c.id FROM callpath c LEFT JOIN callpath p ON p.id = c.parent_id LEFT JOIN
  (SELECT parent_id, sum(last_position - position + 1) AS n FROM callpath GROUP BY 1) d ON d.parent_id = c.id
WHERE c.depth <> coalesce(p.depth, 0) + 1 OR c.last_position < c.position
  OR c.position <= p.position OR c.last_position > p.last_position
  OR c.last_position - c.position <> coalesce(d.n, 0);

SELECT 'of one parent''s call paths the one with the most time comes first', id FROM
  (SELECT id, total_ns, lag(total_ns) OVER (PARTITION BY parent_id ORDER BY position) AS before FROM callpath)
WHERE total_ns > before;

SELECT 'the mean of calls lies between the shortest and the longest', * FROM (
  SELECT 'profile' AS what, source_id AS id, calls, total_ns + inner_ns AS ns, min_ns, max_ns FROM profile UNION ALL
  SELECT 'profile of ' || grouping, source_id, calls, total_ns + inner_ns, min_ns, max_ns FROM profile_total UNION ALL
  SELECT 'callpath', id, calls, total_ns + inner_ns, min_ns, max_ns FROM callpath UNION ALL
  SELECT 'callpath of a thread', callpath_id, calls, total_ns + inner_ns, min_ns, max_ns FROM callpath_total UNION ALL
  SELECT 'access', source_id, calls, time_ns, min_ns, max_ns FROM access_line UNION ALL
  SELECT 'access of a pair', id, calls, time_ns, min_ns, max_ns FROM access_pair UNION ALL
  SELECT 'message bytes', send_source_id, messages, bytes, min_bytes, max_bytes FROM message_total UNION ALL
  SELECT 'wait', source_id, waits, time_ns, 0, longest_ns FROM wait_total UNION ALL
  SELECT 'hold', source_id, acquisitions, hold_ns, 0, longest_hold_ns FROM lock_total)
-- As integers, unless the product is none.
WHERE (typeof(calls * min_ns) = 'integer' AND ns < calls * min_ns)
	OR (typeof(calls * max_ns) = 'integer' AND ns > calls * max_ns);

SELECT 'no mean that is shown lies outside what is shown', * FROM (
  SELECT 'operations' AS what, operation, location, mean_ns, min_ns, max_ns FROM
    (SELECT operation, NULL AS location, mean_ns, min_ns, max_ns FROM analysis_operations) UNION ALL
  SELECT 'profile', operation, location, mean_ns, min_ns, max_ns FROM analysis_profile UNION ALL
  SELECT 'call-tree', call, location, mean_ns, min_ns, max_ns FROM analysis_call_tree UNION ALL
  SELECT 'waits', kind, location, mean_ns, 0, longest_ns FROM analysis_waits UNION ALL
  SELECT 'messages', NULL, send_location, mean_bytes, min_bytes, max_bytes FROM analysis_messages UNION ALL
  SELECT 'lock-contention', NULL, location, mean_hold_ns, 0, longest_hold_ns FROM analysis_lock_contention UNION ALL
  SELECT 'barrier-wait', NULL, location, mean_ns, 0, longest_ns FROM analysis_barrier_wait UNION ALL
  SELECT 'collectives', NULL, location, mean_ns, 0, longest_ns FROM analysis_collectives)
WHERE mean_ns < min_ns - 1e-6 * min_ns OR mean_ns > max_ns + 1e-6 * max_ns;

SELECT 'bins are those of all threads', category, t.ns, b.ns FROM
  (SELECT category, sum(time_ns) AS ns FROM thread_bin GROUP BY 1) t FULL JOIN
  (SELECT category, sum(time_ns) AS ns FROM bin GROUP BY 1) b USING (category)
WHERE t.ns IS NOT b.ns;

SELECT 'a thread''s bins add up to its categories', thread_id, category, c.ns, b.ns FROM
  (SELECT thread_id, category, sum(time_ns) AS ns FROM category_time GROUP BY 1, 2) c FULL JOIN
  (SELECT thread_id, category, sum(time_ns) AS ns FROM thread_bin GROUP BY 1, 2) b USING (thread_id, category)
  LEFT JOIN profiled f USING (thread_id)
WHERE iif(f.slack_ns IS NULL, coalesce(c.ns, 0) <> coalesce(b.ns, 0),
  category <> 'not recorded' AND coalesce(b.ns, 0) > coalesce(c.ns, 0) + f.slack_ns);

SELECT 'a thread''s bin is full between its first and last moment', thread_id, start_ns, b.ns FROM
  (SELECT thread_id, start_ns / w.ns * w.ns AS start_ns, sum(time_ns) AS ns, w.ns AS width FROM thread_bin,
     (SELECT value AS ns FROM meta WHERE key = 'thread_bin_ns') w GROUP BY 1, 2) b JOIN thread t ON t.id = b.thread_id
WHERE b.ns <> min(b.start_ns + width, t.last_ns) - max(b.start_ns, t.first_ns);

SELECT 'bins of waiting add up to it', kind, w.ns, b.ns FROM
  (SELECT kind, sum(end_ns - start_ns) AS ns FROM wait GROUP BY 1) w LEFT JOIN
  (SELECT kind, sum(time_ns) AS ns FROM wait_bin GROUP BY 1) b USING (kind)
WHERE w.ns IS NOT b.ns;

SELECT 'a thread''s bins of waiting add up to it', thread_id, w.ns, b.ns FROM
  (SELECT thread_id, sum(end_ns - start_ns) AS ns FROM wait GROUP BY 1) w LEFT JOIN
  (SELECT thread_id, sum(time_ns) AS ns FROM thread_wait_bin GROUP BY 1) b USING (thread_id)
WHERE w.ns IS NOT b.ns;

SELECT 'what is left of memory is what was never freed', l.shared, l.bytes, p.end_bytes FROM
  (SELECT shared, sum(leaked_bytes) AS bytes FROM memory_line GROUP BY 1) l LEFT JOIN
  memory_peak p ON p.shared = l.shared AND p.thread_id IS NULL AND p.source_id IS NULL
WHERE l.bytes <> coalesce(p.end_bytes, 0);

SELECT 'blocks are freed, leaked, or not seen to be freed', l.blocks, l.frees, l.unknown, l.leaked, l.unseen FROM
  (SELECT sum(blocks) AS blocks, sum(frees) AS frees, sum(unknown_frees) AS unknown, sum(leaked) AS leaked,
     sum(unseen) AS unseen FROM memory_line) l
WHERE blocks < frees - unknown + leaked + unseen;

SELECT 'a peak is no less than what is left', id FROM memory_peak WHERE peak_bytes < end_bytes OR end_bytes < 0;

SELECT 'a wait lies within its event', w.id, w.kind FROM wait w JOIN event e ON e.id = w.event_id
WHERE w.start_ns < e.start_ns OR w.end_ns > e.start_ns + e.duration_ns OR w.end_ns <= w.start_ns
  OR w.thread_id <> e.thread_id OR e.nested;

SELECT 'waits of one event never overlap', id, event_id FROM
  (SELECT id, event_id, start_ns, lag(end_ns) OVER (PARTITION BY event_id ORDER BY start_ns) AS before FROM wait)
WHERE start_ns < before;

SELECT 'a cause is an event of the thread that is blamed', w.id, w.kind FROM wait w JOIN event e ON e.id = w.cause_event_id
WHERE e.thread_id <> w.cause_thread_id;

SELECT 'the totals of waiting are those of the waits', kind, w.ns, t.ns FROM
  (SELECT kind, sum(end_ns - start_ns) AS ns, count(*) AS n FROM wait GROUP BY 1) w LEFT JOIN
  (SELECT kind, sum(time_ns) AS ns, sum(waits) AS n FROM wait_total GROUP BY 1) t USING (kind)
WHERE w.ns IS NOT t.ns OR w.n IS NOT t.n;

SELECT 'waits for messages are those of their lines', w.sender_ns, w.receiver_ns, m.sender_ns, m.receiver_ns FROM
  (SELECT total(time_ns) FILTER (WHERE kind = 'late sender') AS sender_ns,
     total(time_ns) FILTER (WHERE kind = 'late receiver') AS receiver_ns FROM wait_total
   WHERE cause_source_id IS NOT NULL) w, -- those of no message have no second line
  (SELECT total(late_sender_ns) AS sender_ns, total(late_receiver_ns) AS receiver_ns FROM message_wait_total) m
WHERE (w.sender_ns, w.receiver_ns) IS NOT (m.sender_ns, m.receiver_ns);

SELECT 'who waits for a lock''s holders is who waits', w.ns, t.ns FROM
  (SELECT total(end_ns - start_ns) AS ns, count(*) AS n, max(end_ns - start_ns) AS longest FROM wait
   WHERE kind IN ('lock', 'lock attempt') AND cause_event_id IS NOT NULL) w, -- who took it unseen has no line
  (SELECT total(time_ns) AS ns, total(waits) AS n, max(longest_ns) AS longest FROM lock_wait_total) t
WHERE (w.ns, w.n, w.longest) IS NOT (t.ns, t.n, t.longest);

SELECT 'waits below the clocks'' error are counted', thread_id, w.n, q.n, w.ns, q.ns FROM
  (SELECT thread_id, count(*) AS n, sum(end_ns - start_ns) AS ns FROM wait WHERE below_error GROUP BY 1) w LEFT JOIN
  (SELECT thread_id, sum(count) AS n, sum(time_ns) AS ns FROM quality WHERE kind = 'below clock error' GROUP BY 1) q
  USING (thread_id)
WHERE w.n IS NOT q.n OR w.ns IS NOT q.ns;

-- Blamed lines, inherited and unexplained; what was waited for nobody known is not in delay.
SELECT 'reasons add up to the waiting', kind, thread_id, source_id, w.ns, d.ns FROM
  (SELECT kind, cause_thread_id AS thread_id, cause_source_id AS source_id, sum(time_ns - unserved_ns) AS ns FROM wait_total
   WHERE cause_thread_id IS NOT NULL AND cause_source_id IS NOT NULL AND NOT below_error GROUP BY 1, 2, 3 HAVING ns > 0) w LEFT JOIN
  (SELECT kind, thread_id, source_id, sum(time_ns) AS ns FROM delay GROUP BY 1, 2, 3) d USING (kind, thread_id, source_id)
WHERE w.ns IS NOT d.ns;

SELECT 'holders and hand-over add up to the contention', l.id, l.contended_ns, total(w.end_ns - w.start_ns)
FROM lock_use l LEFT JOIN wait w ON w.event_id = l.acquire_event_id AND w.kind IN ('lock', 'lock hand-over')
WHERE l.object >> 61 <> 1 GROUP BY l.id HAVING l.contended_ns <> total(w.end_ns - w.start_ns);

-- Those of windows may lie in other calls than the acquiring one; some have no use, for their logs ended meanwhile.
SELECT 'windows: holders and hand-over add up to the contention', u.ns, w.ns FROM
  (SELECT total(contended_ns) AS ns FROM lock_use WHERE object >> 61 = 1) u,
  (SELECT total(w.end_ns - w.start_ns) AS ns FROM wait w JOIN event e ON e.id = w.event_id
   WHERE w.kind IN ('lock', 'lock hand-over') AND NOT (e.open AND (e.source_id IN (SELECT s.id FROM source s
     JOIN operation o ON o.id = s.operation_id WHERE o.type IN ('lock', 'window_lock'))))
     AND e.source_id NOT IN (SELECT s.id FROM source s JOIN operation o ON o.id = s.operation_id
       WHERE o.type IN ('lock', 'lock_attempt'))) w
WHERE u.ns <> w.ns;

SELECT 'exclusive holds of a window do not overlap', object FROM
  (SELECT u.object, u.acquired_ns, lag(u.released_ns) OVER (PARTITION BY u.object ORDER BY u.acquired_ns, u.id) AS before
   FROM lock_use u JOIN event_arg a ON a.id >> 6 = u.acquire_event_id JOIN argument n ON n.id = a.argument_id
   WHERE u.object >> 61 = 1 AND n.name = 'exclusive' AND a.value = 1)
WHERE acquired_ns < before GROUP BY object;

SELECT 'every send and receive has one outcome', thread_id, direction, p.n, t.n FROM
  (SELECT thread_id, direction, count(*) AS n FROM p2p GROUP BY 1, 2) p LEFT JOIN
  (SELECT thread_id, direction, sum(operations) AS n FROM p2p_total GROUP BY 1, 2) t USING (thread_id, direction)
WHERE p.n IS NOT t.n;

-- A receive whose completion was not seen has the size of the send it is matched with.
SELECT 'matched, unmatched and cancelled bytes are all bytes', direction, p.bytes, t.bytes FROM
  (SELECT direction, sum(CASE WHEN state = 'null' THEN 0 ELSE coalesce(bytes, (SELECT m.bytes FROM message m
     WHERE p2p.direction = 'receive' AND m.post_event_id = p2p.post_event_id), 0) END) AS bytes
   FROM p2p GROUP BY 1) p LEFT JOIN
  (SELECT direction, sum(bytes) AS bytes FROM p2p_total GROUP BY 1) t USING (direction)
WHERE p.bytes IS NOT t.bytes;

SELECT 'matched sends, matched receives and messages are as many', s.n, r.n, m.n FROM
  (SELECT total(operations) AS n FROM p2p_total WHERE direction = 'send' AND outcome = 'matched') s,
  (SELECT total(operations) AS n FROM p2p_total WHERE direction = 'receive' AND outcome = 'matched') r,
  (SELECT count(*) AS n FROM message) m
WHERE s.n <> r.n OR s.n <> m.n;

SELECT 'a message is between its sender and its receiver', m.id FROM message m
JOIN event s ON s.id = m.send_event_id JOIN event r ON r.id = m.post_event_id
JOIN thread a ON a.id = s.thread_id JOIN thread b ON b.id = m.sender
JOIN thread c ON c.id = r.thread_id JOIN thread d ON d.id = m.receiver
WHERE a.rank <> b.rank OR c.rank <> d.rank;

SELECT 'a collective has the members it says', c.id, c.seen, c.expected FROM collective c
WHERE (c.seen > c.expected AND c.expected > 0) OR c.first_enter_ns > c.last_enter_ns
  OR c.seen <> (SELECT count(DISTINCT e.thread_id) FROM collective_member m JOIN event e ON e.id = m.event_id
                WHERE m.collective_id = c.id);

SELECT 'holds of a lock do not overlap, or it is told', object FROM
  (SELECT object, acquired_ns, lag(released_ns) OVER (PARTITION BY object ORDER BY acquired_ns, id) AS before
   FROM lock_use WHERE object >> 61 <> 1)
WHERE acquired_ns < before AND NOT EXISTS (SELECT 1 FROM quality WHERE kind = 'lock order') GROUP BY object;

SELECT 'fine-grained groups save no more than their time', id FROM fine_grained
WHERE saving_ns < 0 OR saving_ns > time_ns OR accesses < 16 OR peers > accesses;

SELECT 'the critical path leaves out nothing of the run', first_ns, last_ns, c.first, c.last, c.ns FROM
  (SELECT min(first_ns) AS first_ns, max(last_ns) AS last_ns FROM thread),
  (SELECT min(start_ns) AS first, max(end_ns) AS last, total(end_ns - start_ns) AS ns FROM critical_path) c
WHERE last_ns > first_ns AND (first_ns IS NOT c.first OR last_ns IS NOT c.last OR last_ns - first_ns <> c.ns)
  AND EXISTS (SELECT 1 FROM event /* a profile has none */);

SELECT 'segments of the critical path follow each other', id, start_ns, before FROM
  (SELECT id, start_ns, end_ns, lag(end_ns) OVER (ORDER BY id) AS before FROM critical_path)
WHERE start_ns >= end_ns OR start_ns <> before;

SELECT 'lines add up to the critical path', p.ns, l.ns FROM
  (SELECT total(end_ns - start_ns) AS ns FROM critical_path) p, (SELECT total(time_ns) AS ns FROM path_line) l
WHERE p.ns <> l.ns;

SELECT 'threads'' calls add up to those of the critical path', * FROM
  (WITH t AS (SELECT from_source_id, time_ns FROM path_line WHERE what = 'call' AND time_ns > 0),
   u AS (SELECT source_id, sum(time_ns) FROM path_call GROUP BY 1)
   SELECT * FROM (SELECT * FROM t EXCEPT SELECT * FROM u) UNION ALL SELECT * FROM (SELECT * FROM u EXCEPT SELECT * FROM t)
   UNION ALL SELECT source_id, time_ns FROM path_call WHERE time_ns <= 0);

SELECT 'lines add up to all threads'' computation', l.ns, p.ns FROM
  (SELECT total(threads_ns) AS ns FROM path_line WHERE what IN ('computation', 'function', 'other computation')) l,
  (SELECT total(computation_ns) AS ns FROM pop_thread WHERE whole) p
WHERE p.ns < l.ns OR (p.ns > l.ns AND NOT EXISTS (SELECT 1 FROM thread_meta WHERE key = 'profile_from_ns')
  AND EXISTS (SELECT 1 FROM event));

SELECT 'a function computes no longer than its self time', l.function_source_id, sum(l.threads_ns) FROM path_line l
WHERE l.what = 'function' GROUP BY l.function_source_id
HAVING sum(l.threads_ns) > (SELECT total(self_ns) FROM profile p WHERE p.source_id = l.function_source_id) +
    (SELECT total(slack_ns) FROM profiled) + (SELECT total(self_ns) FROM throttled t WHERE t.caller_id = l.function_source_id)
  AND NOT EXISTS (SELECT 1 FROM quality WHERE kind = 'crossed events');

SELECT 'no more is lost on the critical path than is lost', kind, source_id FROM loss_total
WHERE path_ns NOT BETWEEN 0 AND lost_ns;

SELECT 'nothing is waited for on the critical path longer than it is', kind, source_id FROM path_wait
WHERE time_ns <= 0 OR time_ns > (SELECT total(end_ns - start_ns) FROM critical_path);

SELECT 'the ideal run takes no less than the most computation, and no more than the run', p.whole, p.ideal_ns FROM pop p
WHERE p.ideal_ns > p.end_ns - p.start_ns
  OR p.ideal_ns < (SELECT max(computation_ns) FROM pop_thread t WHERE t.whole = p.whole)
  OR p.ideal_ns IS NOT (SELECT max(ideal_ns) FROM pop_thread t WHERE t.whole = p.whole);

SELECT 'computation of the whole run is that of the categories, where nothing calls back', t.thread_id FROM pop_thread t
JOIN (SELECT thread_id, sum(time_ns) AS time_ns FROM category_time WHERE category IN ('computation', 'no processor') GROUP BY 1) c
  ON c.thread_id = t.thread_id LEFT JOIN profiled f ON f.thread_id = t.thread_id
WHERE t.whole = 1 AND t.computation_ns > c.time_ns + coalesce(f.slack_ns, 0);

SELECT 'no processor: less than the interval, and what the log says', u.id FROM unserved u
WHERE u.time_ns <= 0 OR u.time_ns > u.end_ns - u.start_ns;

SELECT 'no processor between calls: that of the categories', thread_id, u.ns, c.ns FROM
  (SELECT thread_id, sum(time_ns) AS ns FROM unserved WHERE event_id IS NULL GROUP BY 1) u FULL JOIN
  (SELECT thread_id, time_ns AS ns FROM category_time WHERE category = 'no processor') c USING(thread_id)
WHERE u.ns IS NOT c.ns;

SELECT 'no processor explains no more than a wait', w.id FROM wait_unserved u LEFT JOIN wait w ON w.id = u.wait_id
WHERE w.id IS NULL OR u.time_ns <= 0 OR u.time_ns > w.end_ns - w.start_ns;

SELECT 'no processor: the totals of waits', u.ns, t.ns, t.low FROM (SELECT total(time_ns) AS ns FROM wait_unserved) u,
  (SELECT total(unserved_ns) AS ns, min(time_ns - unserved_ns) AS low FROM wait_total) t
WHERE u.ns <> t.ns OR t.low < 0;

SELECT 'no processor: parts are parts', source_id, thread_id FROM unserved_share
WHERE NOT (0 <= own AND own <= shared AND shared <= 1);

SELECT 'no processor makes no loss', l.kind, l.source_id, l.thread_id FROM the_loss l
LEFT JOIN the_loss_all a ON (a.kind, a.source_id) = (l.kind, l.source_id) AND a.thread_id IS l.thread_id
WHERE a.lost_ns IS NULL OR l.lost_ns > a.lost_ns OR l.path_ns > a.path_ns;

-- By definition in totals.sql.  Reals are added in another order.
SELECT 'the total profile is that of the threads', * FROM (
  SELECT grouping, nested, source_id, sources, threads, calls, total_ns, inner_ns, self_ns, min_ns, max_ns, bytes, open, longest_ns,
    longest_thread_id, costed_calls, costed_events, costed_ns FROM profile_total
  EXCEPT
  SELECT grouping, nested, source_id, sources, threads, calls, total_ns, inner_ns, self_ns, min_ns, max_ns, bytes, open, longest_ns,
    longest_thread_id, costed_calls, costed_events, costed_ns FROM expected_profile_total);

SELECT 'all of the profile is in its totals', e.grouping, e.nested, e.source_id FROM expected_profile_total e
LEFT JOIN profile_total t USING (grouping, nested, source_id)
WHERE t.calls IS NULL OR abs(t.variation - e.variation) > 1e-6 * e.variation + 1e-12 * e.calls * e.max_ns * sqrt(e.variation) + 1e-3
  OR abs(t.cost_ns - e.cost_ns) > 1e-9 * e.cost_ns
  OR abs(t.inside_ns - e.inside_ns) > 1e-9 * e.inside_ns;

SELECT 'the spread is that of the threads', * FROM (
  SELECT grouping, nested, source_id, quantity, threads, total, maximum, max_thread_id, minimum, min_thread_id, first_other_id
  FROM spread
  EXCEPT
  SELECT grouping, nested, source_id, quantity, threads, total, maximum, max_thread_id, minimum, min_thread_id, first_other_id
  FROM expected_spread);

SELECT 'every group is spread', e.grouping, e.nested, e.source_id, e.quantity FROM expected_spread e
LEFT JOIN spread s USING (grouping, nested, source_id, quantity)
WHERE s.threads IS NULL OR abs(s.square - e.square) > 1e-6 * e.square + 1e-9 * e.total * e.total;

SELECT 'the total traffic is that of the threads', * FROM (SELECT * FROM traffic_total EXCEPT SELECT * FROM expected_traffic_total);

SELECT 'all traffic is in its totals', * FROM (SELECT * FROM expected_traffic_total EXCEPT SELECT * FROM traffic_total);

SELECT 'lines of all threads are the sum of each', * FROM (
  SELECT source_id, blocking, operations, bytes, initiation_ns, share_ns, overlapped_ns, in_flight_ns, unfinished, measured, at_once, at_once_ns FROM overlap_line
  EXCEPT SELECT source_id, blocking, sum(operations), sum(bytes), sum(initiation_ns), sum(share_ns), sum(overlapped_ns),
    sum(in_flight_ns), sum(unfinished), sum(measured), sum(at_once), sum(at_once_ns) FROM overlap_total GROUP BY 1, 2);

SELECT 'each line of all threads is there', (SELECT count(*) FROM overlap_line)
WHERE (SELECT count(*) FROM overlap_line) <> (SELECT count(DISTINCT source_id * 2 + blocking) FROM overlap_total);

SELECT 'a line is completed mostly where most of its time is', o.thread_id, o.source_id FROM
  (SELECT thread_id, source_id, share_ns, complete_source_id, complete_ns FROM overlap_total
   UNION ALL SELECT NULL, source_id, share_ns, complete_source_id, complete_ns FROM overlap_line) o
  LEFT JOIN (SELECT thread_id, source_id, complete_source_id, share_ns, sum(share_ns) OVER line AS all_ns,
    row_number() OVER (line ORDER BY share_ns DESC, operations DESC, complete_source_id) AS place_no
   FROM (SELECT thread_id, source_id, complete_source_id, operations, share_ns FROM completion_total UNION ALL
     SELECT NULL, source_id, complete_source_id, sum(operations), sum(share_ns) FROM completion_total GROUP BY 2, 3)
   WINDOW line AS (PARTITION BY thread_id, source_id)) c
  ON c.thread_id IS o.thread_id AND c.source_id = o.source_id AND c.place_no = 1
WHERE o.complete_source_id IS NOT c.complete_source_id OR o.complete_ns IS NOT c.share_ns OR o.share_ns <> coalesce(c.all_ns, 0);

SELECT 'what waits in a completing call is part of its share', w.thread_id, w.source_id, w.waited_ns, w.untold_ns, c.share_ns
FROM completion_waited w LEFT JOIN completion_total c USING(thread_id, source_id, complete_source_id)
WHERE c.share_ns IS NULL OR w.waited_ns + w.untold_ns NOT BETWEEN 1 AND c.share_ns OR min(w.waited_ns, w.untold_ns) < 0;

SELECT 'barriers that follow at once are barriers', source_id, thread_id FROM barrier_total
WHERE back_to_back > intervals OR intervals > barriers OR back_to_back_ns > operation_ns + completion_ns
  OR min(operation_ns, completion_ns, interval_ns, back_to_back_ns, own_drain_ns, slack_ns) < 0
  OR own_drain_ns > drain_ns OR split < 0 OR split = 0 AND slack_ns > 0;

SELECT 'no time of a line is lost twice', l.source_id, l.thread_id, l.ns, p.ns, c.ns FROM
  (SELECT source_id, thread_id, sum(ns) AS ns FROM
     (SELECT source_id, thread_id, lost_ns AS ns FROM the_loss JOIN place USING(source_id)
      WHERE path_ns IS NOT NULL AND kind NOT IN ('no progress', 'hot owner')
      AND NOT (kind LIKE '% barriers' AND type = 'notify') UNION ALL -- these are charged with what their waits take
      SELECT source_id, thread_id, time_ns FROM starved UNION ALL SELECT source_id, thread_id, time_ns FROM the_hot_access)
   GROUP BY 1, 2) l
LEFT JOIN (SELECT source_id, thread_id, sum(total_ns) AS ns FROM profile GROUP BY 1, 2) p USING(source_id, thread_id)
LEFT JOIN (SELECT source_id, thread_id, sum(cost_ns) AS ns FROM the_exposed_cost GROUP BY 1, 2) c USING(source_id, thread_id)
WHERE l.ns > coalesce(p.ns, 0) + coalesce(c.ns, 0) + (SELECT total(slack_ns) FROM profiled f WHERE f.thread_id = l.thread_id);

SELECT 'no time of calls is lost twice, waited or paid for what they complete', l.source_id, l.process, l.ns, p.ns, l.kinds FROM
  (SELECT source_id, coalesce(rank, -1 - id) AS process, sum(ns) AS ns, group_concat(DISTINCT kind) AS kinds FROM
     (SELECT source_id, thread_id, time_ns AS ns, 'owned' AS kind FROM owned_access UNION ALL
      SELECT source_id, thread_id, owned_ns, 'local' FROM needless_access WHERE kind = 'local access' UNION ALL
      SELECT source_id, thread_id, time_ns, 'starved' FROM starved UNION ALL
      SELECT source_id, thread_id, time_ns, 'hand-made' FROM hand_made UNION ALL
      SELECT source_id, thread_id, time_ns, 'hot' FROM the_hot_access UNION ALL
      SELECT source_id, thread_id, time_ns, 'barriers' FROM close_barriers UNION ALL
      SELECT source_id, thread_id, slow_ns, 'slow' FROM delivery_total UNION ALL
      SELECT source_id, thread_id, begun_ns, 'begun' FROM exposed_line UNION ALL
      SELECT complete_source_id, thread_id, cost_ns, 'completing' FROM the_exposed_cost UNION ALL
      SELECT source_id, thread_id, time_ns, 'waiting' FROM wait_total)
   JOIN thread t ON t.id = thread_id GROUP BY 1, 2) l
JOIN (SELECT source_id, coalesce(rank, -1 - id) AS process, sum(total_ns) AS ns
  FROM profile JOIN thread t ON t.id = thread_id WHERE nested = 0 GROUP BY 1, 2) p USING(source_id, process)
JOIN place USING(source_id)
WHERE l.ns > p.ns + (SELECT total(slack_ns) FROM profiled)
  AND type <> 'notify' /* that is charged with what its barrier_wait takes */;

SELECT 'targets are blamed for what accesses lost', l.source_id, l.thread_id, l.ns FROM
  (SELECT source_id, 'no progress' AS kind, peer AS thread_id, sum(time_ns) AS ns FROM starved GROUP BY 1, 3 UNION ALL
   SELECT source_id, 'hot owner', owner, sum(time_ns) FROM the_hot_access GROUP BY 1, 3) l
LEFT JOIN the_loss_all x ON (x.kind, x.source_id, x.thread_id) = (l.kind, l.source_id, l.thread_id)
WHERE l.ns IS NOT coalesce(x.lost_ns, 0);

SELECT 'barriers lose what they take, once', b.source_id, b.thread_id FROM barrier_total b JOIN
  (SELECT source_id, thread_id, sum(lost_ns) AS ns, min(lost_ns) AS low FROM the_loss WHERE kind LIKE '% barriers'
   GROUP BY 1, 2) l USING(source_id, thread_id)
WHERE l.ns > b.operation_ns + b.completion_ns OR l.low < 0;

SELECT 'no access is lost twice', r.source_id, r.thread_id, r.line_ns, o.ns, s.ns, h.ns FROM
  (SELECT source_id, thread_id, line_ns FROM starved_total UNION SELECT source_id, thread_id, line_ns FROM hand_made_total) r
LEFT JOIN (SELECT source_id, thread_id, sum(time_ns) AS ns FROM owned_access GROUP BY 1, 2) o USING(source_id, thread_id)
LEFT JOIN (SELECT source_id, thread_id, sum(time_ns) AS ns FROM starved GROUP BY 1, 2) s USING(source_id, thread_id)
LEFT JOIN (SELECT source_id, thread_id, sum(time_ns) AS ns FROM hand_made GROUP BY 1, 2) h USING(source_id, thread_id)
WHERE coalesce(o.ns, 0) + coalesce(s.ns, 0) + coalesce(h.ns, 0) > r.line_ns;

SELECT 'who starves does so outside, or until the target calls', s.source_id FROM
  (SELECT source_id, sum(accesses) AS n FROM starved_total GROUP BY 1) s LEFT JOIN target_line l USING(source_id)
WHERE l.source_id IS NULL
  OR iif(l.inside >= 30 AND l.outside >= 30 AND l.outside_median_ns >= 2 * l.inside_median_ns, s.n > l.outside,
    s.n <> l.answered OR l.answered < 30 OR 2 * l.answered < l.inside + l.outside);

SELECT 'no time of a line is lost twice to its owner', l.source_id, l.thread_id, l.ns, p.ns FROM
  (SELECT source_id, thread_id, sum(time_ns) AS ns, max(hot) AS hot FROM
     (SELECT source_id, thread_id, time_ns, 1 AS hot FROM the_hot_access UNION ALL
      SELECT source_id, thread_id, time_ns, 0 FROM owned_access UNION ALL
      SELECT source_id, thread_id, time_ns, 0 FROM starved UNION ALL
      SELECT source_id, thread_id, time_ns, 0 FROM hand_made) GROUP BY 1, 2) l
JOIN (SELECT source_id, thread_id, sum(total_ns) AS ns FROM profile GROUP BY 1, 2) p USING(source_id, thread_id)
WHERE l.hot AND l.ns > p.ns;

SELECT 'bins of the profile add up to it', source_id, nested, p.total, b.total FROM
  (SELECT source_id, nested, sum(calls) AS n, sum(total_ns) AS total, sum(self_ns) AS self FROM profile GROUP BY 1, 2) p
  LEFT JOIN
  (SELECT source_id, nested, sum(calls) AS n, sum(total_ns) AS total, sum(self_ns) AS self FROM source_bin GROUP BY 1, 2) b
  USING (source_id, nested)
WHERE ((p.n, p.total) IS NOT (b.n, b.total) OR p.self IS NOT b.self
  AND source_id NOT IN (SELECT source_id FROM throttled UNION SELECT caller_id FROM throttled WHERE caller_id IS NOT NULL))
  AND NOT EXISTS (SELECT 1 FROM profiled);

SELECT 'bins of the profile have no more than it', source_id, nested, p.total, b.total, p.self, b.self FROM
  (SELECT source_id, nested, sum(calls) AS n, sum(total_ns) AS total, sum(self_ns) AS self FROM profile GROUP BY 1, 2) p
  FULL JOIN
  (SELECT source_id, nested, sum(calls) AS n, sum(total_ns) AS total, sum(self_ns) AS self FROM source_bin GROUP BY 1, 2) b
  USING (source_id, nested) CROSS JOIN (SELECT total(slack_ns) AS ns FROM profiled) f
WHERE b.n > coalesce(p.n, 0) OR b.total > coalesce(p.total, 0) + f.ns OR b.self > coalesce(p.self, 0) + f.ns
  AND source_id NOT IN (SELECT source_id FROM throttled UNION SELECT caller_id FROM throttled WHERE caller_id IS NOT NULL);

-- Below the clocks' error it belongs to none.
SELECT 'each wait belongs to one finding', kind, source_id, thread_id, ns, n, longest FROM (
  SELECT w.kind, coalesce(c.source_id, e.source_id) AS source_id, w.cause_thread_id AS thread_id,
    sum(w.end_ns - w.start_ns - coalesce(u.time_ns, 0)) AS ns, count(*) AS n,
    min(max(w.end_ns - w.start_ns), sum(w.end_ns - w.start_ns - coalesce(u.time_ns, 0))) AS longest
  FROM wait w JOIN event e ON e.id = w.event_id LEFT JOIN event c ON c.id = w.cause_event_id
  LEFT JOIN wait_unserved u ON u.wait_id = w.id
  WHERE NOT w.below_error GROUP BY 1, 2, 3 HAVING ns > 0
  EXCEPT SELECT kind, source_id, thread_id, lost_ns, cases, longest_ns FROM the_loss WHERE path_ns IS NULL);

SELECT 'findings of waiting are all the waiting', kind, w.ns, l.ns, t.ns FROM
  (SELECT w.kind, sum(w.end_ns - w.start_ns - coalesce(u.time_ns, 0)) AS ns
   FROM wait w LEFT JOIN wait_unserved u ON u.wait_id = w.id WHERE NOT w.below_error GROUP BY 1 HAVING ns > 0) w
  FULL JOIN (SELECT kind, sum(lost_ns) AS ns FROM the_loss WHERE path_ns IS NULL GROUP BY 1) l USING (kind)
  FULL JOIN (SELECT kind, sum(lost_ns) AS ns FROM loss_total WHERE path_ns IS NULL GROUP BY 1) t USING (kind)
WHERE w.ns IS NOT l.ns OR w.ns IS NOT t.ns;

SELECT 'lines of locks are the sums of their uses', * FROM
  (WITH t AS (SELECT object, source_id, thread_id, acquisitions, contended_ns, longest_contended_ns, latency_ns, untold_ns, hold_ns,
     longest_hold_ns, attempts FROM lock_total),
   u AS (SELECT u.object, e.source_id, u.thread_id, count(*), sum(u.contended_ns), max(u.contended_ns), sum(u.latency_ns),
     sum(u.untold_ns), sum(u.released_ns - u.acquired_ns), max(u.released_ns - u.acquired_ns), sum(u.attempts)
     FROM lock_use u JOIN event e ON e.id = u.acquire_event_id GROUP BY 1, 2, 3)
   SELECT * FROM (SELECT * FROM t EXCEPT SELECT * FROM u) UNION ALL SELECT * FROM (SELECT * FROM u EXCEPT SELECT * FROM t));

-- Of windows the waiting may lie in other calls.
SELECT 'waiting for a lock, what it costs and what is not known are the acquiring call', u.id, e.duration_ns
FROM lock_use u JOIN event e ON e.id = u.acquire_event_id
WHERE min(u.contended_ns, u.latency_ns, u.untold_ns) < 0
  OR (u.object >> 61 <> 1 AND u.contended_ns + u.latency_ns + u.untold_ns <> e.duration_ns)
  OR u.latency_ns + u.untold_ns NOT BETWEEN e.duration_ns - u.contended_ns AND e.duration_ns;

SELECT 'where all were recorded all is known of locks', u.object, u.untold_ns FROM lock_total u
WHERE u.untold_ns > 0 AND NOT EXISTS (SELECT 1 FROM thread WHERE first_ns IS NULL OR NOT complete)
  AND NOT EXISTS (SELECT 1 FROM gap WHERE kind <> 'tool');

-- What nobody held lies where all were recorded.
SELECT 'a lock is handed over while all are recorded', w.id FROM wait w JOIN thread t ON NOT t.complete AND coalesce(t.last_ns, 0) < w.end_ns
WHERE w.kind = 'lock hand-over' AND (t.id NOT IN (SELECT thread_id FROM gap WHERE kind = 'damage')
  OR EXISTS (SELECT 1 FROM quality q WHERE q.thread_id = t.id AND q.severity = 'loss' AND q.kind <> 'damaged block'))
UNION ALL SELECT 'a lock is handed over while all are recorded', w.id FROM wait w JOIN gap g ON g.kind <> 'tool' AND g.start_ns < w.end_ns
  AND w.start_ns < g.end_ns WHERE w.kind = 'lock hand-over';

SELECT 'who is waited for in a lock and not known was not recorded', w.id FROM wait w
WHERE w.kind = 'lock' AND w.cause_thread_id IS NULL AND NOT w.bound;

-- A call for locks of several processes counts with each of them that others locked meanwhile.
SELECT 'calls for locks of which something is not known are told', l.ns, q.ns FROM
  (SELECT coalesce((SELECT sum(untold_ns) FROM lock_total), 0) + coalesce((SELECT sum(end_ns - start_ns) FROM wait
     WHERE kind = 'lock' AND cause_thread_id IS NULL), 0) AS ns) l,
  (SELECT total(time_ns) AS ns FROM quality WHERE kind = 'holder not recorded') q
WHERE q.ns < l.ns;

SELECT 'no more wait for a lock than take it', object, source_id, thread_id FROM lock_total
WHERE contended NOT BETWEEN 0 AND acquisitions OR (contended > 0) > (contended_ns > 0);

SELECT 'lines of messages are the sums of these', * FROM
  (WITH t AS (SELECT sender, receiver, send_source_id, receive_source_id, messages, bytes, min_bytes, max_bytes, uncertain
     FROM message_total),
   u AS (SELECT m.sender, m.receiver, s.source_id, r.source_id, count(*), sum(m.bytes), min(m.bytes), max(m.bytes),
     sum(m.order_uncertain)
     FROM message m JOIN event s ON s.id = m.send_event_id JOIN event r ON r.id = m.post_event_id GROUP BY 1, 2, 3, 4)
   SELECT * FROM (SELECT * FROM t EXCEPT SELECT * FROM u) UNION ALL SELECT * FROM (SELECT * FROM u EXCEPT SELECT * FROM t));

SELECT 'lines of fine-grained access are the sums of groups', * FROM
  (WITH t AS (SELECT source_id, thread_id, pattern, groups, peers, accesses, bytes, time_ns, saving_ns, repeated_ns
     FROM fine_grained_total),
   u AS (SELECT source_id, thread_id, pattern, count(*), max(peers), sum(accesses), sum(bytes), sum(time_ns), sum(saving_ns),
     sum(repeated_ns) FROM fine_grained GROUP BY 1, 2, 3)
   SELECT * FROM (SELECT * FROM t EXCEPT SELECT * FROM u) UNION ALL SELECT * FROM (SELECT * FROM u EXCEPT SELECT * FROM t));

SELECT 'accesses by line are those by owner', * FROM
  (WITH t AS (SELECT source_id, direction, remote, calls, bytes, time_ns, min_ns, max_ns FROM access_line WHERE remote IS NOT 2),
   u AS (SELECT a.source_id, a.direction, t.rank IS NOT p.rank, sum(a.calls), sum(a.bytes), sum(a.time_ns),
     iif(count(a.min_ns) = count(*), min(a.min_ns), NULL), iif(count(a.max_ns) = count(*), max(a.max_ns), NULL) FROM access_pair a JOIN thread t ON t.id = a.thread_id JOIN thread p ON p.id = a.peer GROUP BY 1, 2, 3)
   SELECT * FROM (SELECT * FROM t EXCEPT SELECT * FROM u) UNION ALL SELECT * FROM (SELECT * FROM u EXCEPT SELECT * FROM t));

SELECT 'sizes are those of their row', thread_id, direction, from_bytes, operations, bytes FROM
  (SELECT thread_id, direction, from_bytes, operations, bytes FROM size_total
   UNION ALL SELECT thread_id, direction, from_bytes, operations, bytes FROM traffic)
WHERE bytes NOT BETWEEN from_bytes * operations AND iif(from_bytes, 2 * from_bytes - 1, 0) * operations;

-- An owner that is not known has a size, and no traffic; a cancelled send has traffic, and no size.
SELECT 'sizes are those of the traffic', thread_id, direction, from_bytes, s.operations, t.n FROM size_total s
  FULL JOIN (SELECT thread_id, direction, from_bytes, sum(operations) AS n, sum(bytes) AS bytes FROM traffic GROUP BY 1, 2, 3) t
  USING (thread_id, direction, from_bytes)
WHERE direction <> 'collective' AND NOT (direction = 'send' AND EXISTS (SELECT 1 FROM p2p WHERE state = 'cancelled')) AND (s.operations IS NULL OR coalesce(t.n, 0) > s.operations OR coalesce(t.bytes, 0) > s.bytes
  OR (t.n, t.bytes) IS NOT (s.operations, s.bytes) AND NOT EXISTS
    (SELECT 1 FROM event e JOIN place USING (source_id) WHERE (type GLOB 'copy*' OR type GLOB 'get*' OR type GLOB 'put*' OR type GLOB 'atomic*')
     AND (peer IS NULL OR type GLOB 'copy*')));

-- One that ends where a bin does is in that one.  A thread whose log takes no time has its calls in the first.
SELECT 'calls are in the bin in which they end', source_id, nested, start_ns, sum(calls) FROM
  (SELECT source_id, nested, start_ns, calls FROM source_bin UNION ALL
    SELECT source_id, nested, max(t.first_ns, start_ns + duration_ns - 1) / w.ns * w.ns, -1
    FROM event JOIN thread t ON t.id = thread_id, (SELECT value AS ns FROM meta WHERE key = 'source_bin_ns') w)
WHERE source_id NOT IN (SELECT source_id FROM event JOIN thread t ON t.id = thread_id WHERE t.first_ns = t.last_ns)
  AND source_id NOT IN (SELECT source_id FROM throttled)
GROUP BY 2, 3, 4 HAVING sum(calls) <> 0;

-- Those that are known late are in no bin.
SELECT 'bins have no more bytes than the profile', source_id, nested, p.bytes, b.bytes FROM
  (SELECT source_id, nested, total(bytes) AS bytes FROM profile GROUP BY 1, 2) p LEFT JOIN
  (SELECT source_id, nested, total(bytes) AS bytes FROM source_bin GROUP BY 1, 2) b USING (source_id, nested)
WHERE b.bytes > p.bytes;

SELECT 'what is lost by line is stored', kind, source_id, lost_ns FROM
  (SELECT * FROM the_loss_line EXCEPT SELECT * FROM loss_total UNION ALL SELECT * FROM
    (SELECT * FROM loss_total EXCEPT SELECT * FROM the_loss_line))
WHERE EXISTS (SELECT 1 FROM event /* a profile has no findings */);

SELECT 'waits that the clocks cut are counted', w.n, q.n FROM
  (SELECT count(*) AS n FROM wait WHERE clamped) w, (SELECT total(count) AS n FROM quality WHERE kind = 'clock contradiction') q
WHERE w.n > q.n;

-- No nested call, and no overlay.
SELECT 'calls and bytes of entities are those of events', thread_id, source_id, n, calls, moved, bytes FROM
  (SELECT thread_id, source_id, count(*) AS n, coalesce(sum(bytes), 'none') AS moved FROM event
    WHERE NOT nested AND self_ns IS NOT NULL GROUP BY 1, 2) e JOIN
  (SELECT thread_id, source_id, sum(calls) AS calls, coalesce(sum(bytes), 'none') AS bytes FROM entity_profile GROUP BY 1, 2) p
  USING (thread_id, source_id)
WHERE moved <> bytes OR calls < n OR (calls > n AND NOT EXISTS (SELECT 1 FROM entity_mix));

SELECT 'entities and none add up to the time of the thread', id, ns FROM thread t JOIN
  (SELECT thread_id, sum(self_ns) AS ns FROM entity_profile GROUP BY 1) p ON p.thread_id = t.id
WHERE ns <> last_ns - first_ns;

SELECT 'an entity includes its own time', id FROM entity_profile
WHERE inclusive_ns < self_ns OR self_ns < shared_ns OR self_ns < wait_ns OR shared_ns < 0 OR wait_ns < 0;

SELECT 'bins of entities add up to their profile', entity_id, thread_id, p.ns, b.ns, p.wait, b.wait FROM
  (SELECT entity_id, thread_id, sum(self_ns) AS ns, sum(wait_ns) AS wait FROM entity_profile WHERE entity_id IS NOT NULL GROUP BY 1, 2) p
  LEFT JOIN (SELECT entity_id, thread_id, sum(self_ns) AS ns, sum(wait_ns) AS wait FROM entity_bin GROUP BY 1, 2) b USING (entity_id, thread_id)
WHERE p.ns > 0 AND (p.ns IS NOT b.ns OR p.wait IS NOT b.wait);

SELECT 'waits lie within entities and none', thread_id, ns, waited FROM
  (SELECT thread_id, sum(wait_ns) AS ns FROM entity_profile GROUP BY 1) p JOIN
  (SELECT thread_id, sum(end_ns - start_ns) AS waited FROM wait GROUP BY 1) w USING (thread_id)
WHERE ns > waited;


-- Errors of the clocks.
SELECT 'sums of waits are off by the sum of their errors', t.kind, t.thread_id, t.cause_thread_id, t.ns, w.ns FROM
  (SELECT kind, thread_id, cause_thread_id, iif(count(*) = count(error_ns), sum(error_ns), NULL) AS ns FROM wait_total GROUP BY 1, 2, 3) t JOIN
  (SELECT kind, thread_id, cause_thread_id, iif(count(*) = count(error_ns) OR cause_thread_id IS NULL,
    total(min(error_ns, end_ns - start_ns)), NULL) AS ns FROM wait GROUP BY 1, 2, 3) w
  ON w.kind = t.kind AND w.thread_id = t.thread_id AND w.cause_thread_id IS t.cause_thread_id
WHERE t.ns IS NOT w.ns;

SELECT 'delays share the error of their waiting', d.kind, d.thread_id, d.source_id, d.ns, w.ns FROM
  (SELECT kind, thread_id, source_id, count(*) AS n, iif(count(*) = count(error_ns), sum(error_ns), NULL) AS ns FROM delay GROUP BY 1, 2, 3) d JOIN
  (SELECT kind, cause_thread_id, cause_source_id, iif(count(*) = count(error_ns), sum(error_ns), NULL) AS ns FROM wait_total
    WHERE NOT below_error GROUP BY 1, 2, 3) w
  ON w.kind = d.kind AND w.cause_thread_id = d.thread_id AND w.cause_source_id = d.source_id
WHERE (d.ns IS NULL) <> (w.ns IS NULL) OR d.ns < w.ns OR d.ns >= w.ns + d.n;

SELECT 'on one host the critical path is not off', p.id FROM
  (SELECT id, thread_id, error_ns, lead(thread_id, 1, thread_id) OVER (ORDER BY id) AS next_thread, kind FROM critical_path) p
JOIN thread t ON t.id = p.thread_id JOIN thread n ON n.id = p.next_thread
WHERE p.kind <> 'not started' AND t.host = n.host AND p.error_ns <> 0;

SELECT 'root causes are off by no more than all waiting', c.id FROM root_cause c
WHERE c.error_ns > (SELECT total(error_ns) FROM wait_total WHERE NOT below_error) + (SELECT count(*) FROM delay);
