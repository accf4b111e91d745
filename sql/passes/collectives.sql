-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/collectives.

-- Sources of collectives and communication: id; whether it is a collective, another communication, an access, a start of
-- persistent collectives, the end of the program.  A collective has a sequence number, or the type of one, or contains a barrier
-- that may have no event.  The creation of a persistent request is no collective.
-- name: collective_sources
WITH kind AS MATERIALIZED (SELECT o.id,
  o.type <> 'request' AND (o.type IN ('barrier', 'notify', 'barrier_wait', 'broadcast', 'scatter', 'gather', 'reduce', 'all_to_all',
    'exchange', 'scan')
    OR (o.type = 'finalize' AND EXISTS (SELECT 1 FROM operation p WHERE p.model = o.model AND p.type IN ('put', 'copy')))
    OR (o.type = 'finalize' AND o.model = 'UPC')
    OR EXISTS (SELECT 1 FROM argument a WHERE a.operation_id = o.id AND (a.name = 'sequence'
      OR (a.name = 'context' AND o.type IN ('shared_alloc', 'shared_free'))))) AS is_collective,
  o.category = 'communication'
    OR o.type IN ('lock', 'lock_attempt', 'unlock', 'wait_until', 'wait_test', 'window_sync') AS other,
  o.type IN ('get', 'put', 'get_nb', 'put_nb', 'atomic', 'atomic_fetch') AS access,
  o.type = 'start' AND EXISTS (SELECT 1 FROM collective_request WHERE number IS NOT NULL) AS starts,
  o.type = 'finalize' AND o.model = 'UPC' AS ends_all
  FROM operation o WHERE is_collective OR other OR starts)
SELECT s.id, is_collective, other, access, starts, ends_all FROM source s JOIN kind k ON k.id = s.operation_id

-- Is there a request of a collective?
-- name: any_collective_request
SELECT 1 FROM collective_request LIMIT 1

-- The completing call of each request that call ? posted.
-- name: collective_completions
SELECT complete_event_id FROM collective_request WHERE post_event_id = ?

-- Persistent collectives that call ? starts, if the log has their creation or completion: completing call, number of the start;
-- team, sequence, GASPDB_DOES_, root, bytes, received bytes of the creation.
-- name: collective_starts
SELECT r.complete_event_id, r.number, @argument_of(r.made_event_id, 'team'), @argument_of(r.made_event_id, 'sequence'),
  @argument_of(r.made_event_id, 'does'), @argument_of(r.made_event_id, 'root'), @argument_of(r.made_event_id, 'bytes'),
  @argument_of(r.made_event_id, 'bytes_received')
FROM collective_request r WHERE r.post_event_id = ? AND r.number IS NOT NULL
  AND (r.made_event_id IS NOT NULL OR r.unseen OR r.complete_event_id IS NOT NULL)

-- A team: its size, whether it is an intercommunicator, whether it is an active set.
-- name: collective_team
SELECT size, inter, kind = 'active set' FROM team WHERE id = ?

-- Members of a team: thread, rank.
-- name: collective_team_members
SELECT thread_id, rank FROM team_member WHERE team_id = ?

-- Name of a team, if it has one.
-- name: team_name
SELECT name FROM team WHERE id = ? AND name <> ''

-- Neighbours in a team: thread, first rank and number of ranks that it receives from.
-- name: neighbors
SELECT thread_id, first, n FROM team_source WHERE team_id = ? ORDER BY thread_id, first

-- Upper limit of the lists of members: the larger of the numbers of teams and of threads.
-- name: members_expected
SELECT max((SELECT count(*) FROM team), (SELECT count(*) FROM thread), 1)

-- Operations: id, lowest id with the same symbol, highest id.
-- name: operation_symbols
SELECT id, min(id) OVER (PARTITION BY symbol), (SELECT max(id) FROM operation) FROM operation WHERE id >= 0

-- Values of the synchronization flags of UPC collectives.
-- name: upc_sync_flags
SELECT value FROM thread_meta WHERE key = 'upc_sync_flags' ORDER BY thread_id LIMIT 1

-- Sources of calls without numbers.
-- name: unnumbered_sources
SELECT id FROM source s WHERE NOT EXISTS (SELECT 1 FROM argument a WHERE a.operation_id = s.operation_id AND a.name = 'sequence')

-- Threads and the damage of their logs: id, end of the first and of the last damage in ns; whether a block without a gap is
-- damaged, anywhere in a log that has its end; whether all other calls are recorded; whether the first model is that of thread ?.
-- name: call_order_threads
SELECT id, first_damage_ns, last_damage_ns,
  id IN (SELECT thread_id FROM quality WHERE kind = 'damaged block')
    AND id NOT IN (SELECT thread_id FROM quality WHERE kind = 'no end block' AND thread_id IS NOT NULL),
  first_ns IS NOT NULL AND @to_the_end
    AND id NOT IN (SELECT thread_id FROM gap WHERE kind NOT IN ('tool', 'damage'))
    AND id NOT IN (SELECT thread_id FROM recording WHERE masked > 0),
  first_ns IS NOT NULL AND @first_model(model) IS (SELECT @first_model(model) FROM thread WHERE id = ?)
FROM thread LEFT JOIN (SELECT thread_id, min(end_ns) AS first_damage_ns, max(end_ns) AS last_damage_ns FROM gap
  WHERE kind = 'damage' GROUP BY thread_id) ON thread_id = id

-- The team of unnumbered calls: all threads of a first model.
-- name: unnumbered_team_add
INSERT INTO team(parent_id, ordinal, kind, name, size, inter) VALUES(NULL, 0, 'world', 'all threads', 0, 0)

-- Its members: ?1 the team, ?2 a thread of the model.
-- name: unnumbered_team_members
INSERT INTO team_member(team_id, rank, thread_id) SELECT ?1, row_number() OVER (ORDER BY id) - 1, id FROM thread
WHERE first_ns IS NULL OR @first_model(model) IS (SELECT @first_model(model) FROM thread WHERE id = ?2)

-- Its size.
-- name: unnumbered_team_size
UPDATE team SET size = (SELECT count(*) FROM team_member WHERE team_id = team.id) WHERE id = last_insert_rowid()

-- Collectives of a thread by size: a row of size_total.
-- name: collective_size_add
INSERT INTO size_total(thread_id, from_bytes, operations, bytes, direction) VALUES(?1, ?2, ?3, ?4, 'collective')
