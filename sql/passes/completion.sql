-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/completion: non-blocking operations.

-- Arguments: id, name, whether it is of the end, operation, whether that makes a context.
-- name: completion_arguments
SELECT a.id, a.name, a.phase = 'end', a.operation_id, o.type = 'context' FROM argument a JOIN operation o ON o.id = a.operation_id
WHERE a.id >= 0

-- Operations: id, whether it is an overlay of others, whether the program's own, the first of its model.
-- name: completion_operations
SELECT id, category = 'none', category = 'computation', (SELECT min(id) FROM operation WHERE model = o.model)
FROM operation o WHERE id >= 0

-- The largest id of p2p; 0: there is none.
-- name: last_p2p
SELECT coalesce(max(id), 0) FROM p2p

-- Of a call, what it posted: completing call, whether that was not recorded, bytes that a persistent one moves.
-- name: posted_requests
SELECT complete_event_id, unseen, @argument_of(r.made_event_id, 'bytes') FROM collective_request r WHERE post_event_id = ?

-- Is there a completed operation?
-- name: any_completion
SELECT 1 FROM completion LIMIT 1
