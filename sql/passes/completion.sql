-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/completion: non-blocking operations.

-- Arguments: id, name, whether it is of the end, operation, whether that creates a context.
-- name: completion_arguments
SELECT a.id, a.name, a.phase = 'end', a.operation_id, o.type = 'context' FROM argument a JOIN operation o ON o.id = a.operation_id
WHERE a.id >= 0

-- Operations: id, whether it is an overlay of others, whether it is a program function, the first operation of its model.
-- name: completion_operations
SELECT id, category = 'none', category = 'computation', (SELECT min(id) FROM operation WHERE model = o.model)
FROM operation o WHERE id >= 0

-- The largest id of p2p; 0: none.
-- name: last_p2p
SELECT coalesce(max(id), 0) FROM p2p

-- Requests that call ? posted: completing call, whether that was not recorded, bytes of a persistent request.
-- name: posted_requests
SELECT complete_event_id, unseen, @argument_of(r.made_event_id, 'bytes') FROM collective_request r WHERE post_event_id = ?

-- Whether there is a row of completion.
-- name: any_completion
SELECT 1 FROM completion LIMIT 1
