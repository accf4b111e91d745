-- SPDX-License-Identifier: GPL-3.0-or-later
-- What views events and waits have, in ns and by thread, for tests that assert exact times.
CREATE TEMP VIEW named_event AS
SELECT v.event_id AS id, v.thread_id AS thread, v.operation, v.location, v.caller AS function, CAST(round(v.start_s * 1e9) AS INTEGER) AS start_ns,
  CAST(round(v.duration_s * 1e9) AS INTEGER) AS duration_ns, CAST(round(v.self_s * 1e9) AS INTEGER) AS self_ns, v.bytes, e.peer, v.object,
  v.type, v.category, v.parent_id, v.nested, v.open
FROM main.events v JOIN main.event e ON e.id = v.event_id;
CREATE TEMP VIEW named_wait AS
SELECT wait_id AS id, kind, thread_id AS thread, operation, location, CAST(round(start_s * 1e9) AS INTEGER) AS start_ns,
  CAST(round(duration_s * 1e9) AS INTEGER) AS wait_ns, cause_thread_id AS cause_thread, cause_operation, cause_location,
  CAST(round(cause_s * 1e9) AS INTEGER) AS cause_ns, event_id, cause_event_id, clamped, bound, wrong_order, below_error
FROM main.waits;
