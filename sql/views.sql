-- SPDX-License-Identifier: GPL-3.0-or-later
-- Views with names for people on top of the tables.

-- A source with the names of its operation; location is short, file:line or module+offset, and NULL if not known.
CREATE VIEW place AS
SELECT s.id AS source_id, o.id AS operation_id, o.name AS operation, o.symbol, o.type, o.category, o.model,
  s.function, s.file, s.line,
  CASE
    WHEN s.file IS NOT NULL THEN replace(s.file, rtrim(s.file, replace(s.file, '/', '')), '') || ':' || s.line
    WHEN s.module IS NOT NULL
      THEN replace(s.module, rtrim(s.module, replace(s.module, '/', '')), '') || printf('+0x%x', s.offset)
  END AS location
FROM source s JOIN operation o ON o.id = s.operation_id;

-- Events with names.
CREATE VIEW call AS
SELECT e.id, e.thread_id AS thread, p.operation, p.location, p.function, e.start_ns, e.duration_ns, e.self_ns, e.bytes,
  e.peer, coalesce(b.name, e.object) AS object, p.type, p.category, e.parent_id, e.nested, e.open
FROM event e JOIN place p ON p.source_id = e.source_id LEFT JOIN object b ON b.id = e.object;

-- The further arguments of events, by name.
CREATE VIEW call_argument AS
SELECT x.event_id, a.phase, a.name, x.value
FROM event_arg x JOIN argument a ON a.id = x.argument_id;

-- Waiting with names: who waited where, for whom.
CREATE VIEW waiting AS
SELECT w.id, w.kind, w.thread_id AS thread, p.operation, p.location, w.start_ns, w.end_ns - w.start_ns AS wait_ns,
  w.cause_thread_id AS cause_thread, c.operation AS cause_operation, c.location AS cause_location, w.cause_ns,
  w.event_id, w.cause_event_id, w.clamped, w.bound
FROM wait w JOIN event e ON e.id = w.event_id JOIN place p ON p.source_id = e.source_id
LEFT JOIN event f ON f.id = w.cause_event_id LEFT JOIN place c ON c.source_id = f.source_id;
