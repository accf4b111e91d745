-- SPDX-License-Identifier: GPL-3.0-or-later
-- Parts that several statements have in common.

-- Of a row of thread: is its log whole, but for blocks of which it is known when they were (gaps), and has it its end?
-- fragment: to_the_end
(complete OR id IN (SELECT thread_id FROM gap WHERE kind = 'damage')
  AND id NOT IN (SELECT thread_id FROM quality WHERE severity = 'loss' AND kind <> 'damaged block' AND thread_id IS NOT NULL))

-- Of a row of thread: its process, by that one's first thread.
-- fragment: process_of_thread
CASE WHEN rank IS NULL THEN id ELSE min(id) OVER (PARTITION BY rank) END

-- The value of an argument of an event; NULL: it has none of that name.
-- fragment: argument_of(event, name)
(SELECT x.value FROM event_arg x JOIN argument a ON a.id = x.argument_id
  WHERE x.id BETWEEN $event * 64 AND $event * 64 + 63 AND a.name = $name)

-- The first of the models in thread.model: that of the thread's rank.
-- fragment: first_model(model)
substr($model, 1, instr($model || '+', '+') - 1)
