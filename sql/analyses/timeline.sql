-- SPDX-License-Identifier: GPL-3.0-or-later
-- summary: The calls of threads between two times, one by one
-- group: time
-- needs: trace
-- param: limit INTEGER - 50  at least -1: rows at most, -1 for all
-- param: from REAL s 0  at least 0: the window's begin, since the run's start
-- param: to REAL s NULL  at least 0: the window's end
-- param: threads TEXT - NULL  list of thread.id: of these threads only
-- column: thread INTEGER -  the calling thread
-- column: start REAL s  when it began, since the run's start
-- column: duration_ns INTEGER ns  how long it took
-- column: operation TEXT -  the call, or the function of the program
-- column: location TEXT -  its line
-- column: peer INTEGER -  the other process, by its first thread
-- column: bytes INTEGER B  bytes moved
-- column: wait_ns INTEGER ns  of its duration, waiting for other threads; empty: it did not wait
-- column: wait TEXT -  kind of its longest wait
-- column: cause_thread INTEGER -  the thread that was waited for
-- column: cause TEXT -  that thread's activity then, and its place
-- column: event INTEGER -  id of the call in table `event`
--
-- In order of time: all calls that began in the window, and those that began before it and had not ended. They include
-- the program's functions, user events and the runtime's own calls; nested calls follow the outer one. Times are seconds
-- since the run's start, as `start` shows them; `--from=1.5`, `--from=1500ms` and `--from=1500000us` are the same.
-- `--threads` takes numbers and ranges: `0,3..5`.
--
-- Only the events in the window are read: `event_piece` indexes table `event` by time, and `long_event` has calls that
-- last from an earlier piece into the window.
--
-- **How to read it:** choose the window by another analysis, such as `over-time`, `unmatched` or `open-calls`; then look
-- at a waiting thread and at `cause_thread`: `--threads` with both.
--
-- **What misleads:** clocks of two hosts may differ (`host.clock_error_ns`). A call without an end lasts to its thread's
-- last record. A call may have several waits: `wait_ns` is their sum, the other columns are those of the longest.
WITH RECURSIVE asked(from_ns, to_ns) AS (
  SELECT CAST(round(:from * 1e9) AS INTEGER), coalesce(CAST(round(:to * 1e9) AS INTEGER), 9223372036854775807)
), list(first, last, rest) AS ( -- '0..0,3..5,'
  SELECT NULL, NULL, :threads
  UNION ALL
  SELECT CAST(rest AS INTEGER), CAST(substr(rest, instr(rest, '..') + 2) AS INTEGER), substr(rest, instr(rest, ',') + 1)
  FROM list WHERE rest <> ''
), chosen AS MATERIALIZED (
  -- first: the first event of the piece in which the window begins, before: its last one
  SELECT t.id AS thread, coalesce(p.first_event, t.first_event) AS first, coalesce(p.last_event, t.first_event - 1) AS before,
    t.last_event AS last
  FROM asked a CROSS JOIN thread t LEFT JOIN event_piece p ON p.thread_id = t.id AND (p.start_ns, p.first_event) = (
    SELECT start_ns, first_event FROM event_piece WHERE thread_id = t.id AND start_ns < a.from_ns
    ORDER BY start_ns DESC, last_start_ns DESC, first_event DESC LIMIT 1)
  WHERE t.first_event IS NOT NULL
    AND (:threads IS NULL OR EXISTS (SELECT 1 FROM list l WHERE t.id BETWEEN l.first AND l.last))
), stop(to_ns) AS MATERIALIZED (
  -- When a thread has :limit events, later ones of no thread are in the answer.
  SELECT min(a.to_ns, coalesce((SELECT min(e.start_ns) + 1 FROM chosen c CROSS JOIN event e ON e.id = c.before + :limit
    WHERE :limit > 0 AND e.id <= c.last), a.to_ns))
  FROM asked a
), span(first, last) AS MATERIALIZED ( -- of events, with all that are in the answer
  SELECT c.first, coalesce((SELECT first_event FROM event_piece WHERE thread_id = c.thread AND start_ns >= s.to_ns
    ORDER BY start_ns, last_start_ns, first_event LIMIT 1) - 1, c.last)
  FROM stop s CROSS JOIN chosen c
  UNION ALL
  SELECT l.event_id, l.event_id
  FROM asked a CROSS JOIN chosen c CROSS JOIN long_event l ON l.thread_id = c.thread AND l.end_ns > a.from_ns
  WHERE l.start_ns < a.from_ns AND l.event_id < c.first
), shown AS MATERIALIZED (
  SELECT e.id, e.thread_id, e.source_id, e.start_ns, e.duration_ns, e.bytes, e.peer
  FROM asked a CROSS JOIN stop s CROSS JOIN span n CROSS JOIN event e ON e.id BETWEEN n.first AND n.last
  WHERE e.start_ns < s.to_ns AND (e.start_ns >= a.from_ns OR e.start_ns + e.duration_ns > a.from_ns)
  ORDER BY e.start_ns, e.thread_id, e.id
  LIMIT :limit
), search(event, low, high) AS ( -- the first wait of an event or a later one: table wait is in order of events
  SELECT event, 1, (SELECT coalesce(max(id), 0) + 1 FROM wait)
  FROM (SELECT first AS event FROM span UNION SELECT last + 1 FROM span)
  UNION ALL
  SELECT s.event, iif(w.event_id < s.event, w.id + 1, s.low), iif(w.event_id < s.event, s.high, w.id)
  FROM search s CROSS JOIN wait w ON w.id = (s.low + s.high) / 2 WHERE s.low < s.high
), found(event, wait) AS MATERIALIZED (
  SELECT event, low FROM search WHERE low = high
), waited AS MATERIALIZED (
  SELECT w.event_id, w.kind, w.cause_thread_id, w.cause_event_id,
    sum(w.end_ns - w.start_ns) OVER (PARTITION BY w.event_id) AS ns,
    row_number() OVER (PARTITION BY w.event_id ORDER BY w.end_ns - w.start_ns DESC, w.start_ns, w.id) AS place_no
  FROM span n CROSS JOIN found f ON f.event = n.first CROSS JOIN found g ON g.event = n.last + 1
  CROSS JOIN wait w ON w.id >= f.wait AND w.id < g.wait
)
SELECT e.thread_id AS thread, e.start_ns / 1e9 AS start, e.duration_ns,
  iif(p.type = 'function', coalesce(p.function, p.operation), p.operation) AS operation, p.location, e.peer, e.bytes,
  w.ns AS wait_ns, w.kind AS wait, w.cause_thread_id AS cause_thread,
  (SELECT q.operation || coalesce(' at ' || q.location, '') FROM event f JOIN place q ON q.source_id = f.source_id
    WHERE f.id = w.cause_event_id) AS cause,
  e.id AS event
FROM shown e CROSS JOIN place p ON p.source_id = e.source_id LEFT JOIN waited w ON w.event_id = e.id AND w.place_no = 1
ORDER BY e.start_ns, e.thread_id, e.id;
