#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What recording costs, of a real run: shares are shares, and sums are exact.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
"$gaspdb" record -o run -- "$O/programs/gasp_killed" 20000 none 2>/dev/null
"$gaspdb" import run 2>/dev/null
is "imported" "$?" 0
# 20,000 allocations and main, a start and an end each
is "raw events" "$(sql run.db 'SELECT sum(raw_events) FROM recording')" 40002
is "the same, by lines" "$(sql run.db 'SELECT sum(raw_events) FROM profile')" 40002
# An allocation has one event's cost inside, and main what the allocations leave, and its own.
is "where it was recorded" "$(sql run.db "SELECT sum(recorded) FILTER (WHERE calls > 1), sum(recorded) FILTER (WHERE calls = 1)
	FROM profile")" "20000.0|20001.0"
known=$(sql run.db 'SELECT count(event_cost_ns) FROM recording')
if [ "$known" = 0 ]; then
	is "not known is not zero" "$(sql run.db 'SELECT overhead_ns, share FROM overhead')" "|"
else
	is "shares" "$(sql run.db 'SELECT min(share > 0 AND share < 100 AND event_cost_ns < 1e6) FROM overhead')" 1
	is "the sum of all events at their cost" "$(sql run.db 'SELECT min(o.overhead_ns = r.tool_ns +
		CAST(round(r.raw_events * r.event_cost_ns) AS INTEGER)) FROM overhead o JOIN recording r ON r.thread_id = o.thread')" 1
	like "the report says it" "$("$gaspdb" report run.db)" "^  recording +cost about [0-9.]+ % of the threads' time$"
fi
info=$("$gaspdb" info run 2>/dev/null)
like "info tells the rate" "$info" "^rate +[0-9,]+ raw events/s, [0-9.]+ [KMG]iB/s, in [0-9.]+ [a-z]+ of recording$"
like "and predicts" "$info" "^at this rate +[0-9.]+ [KMGT]iB of logs an hour for 1 thread; the database about [0-9.]+ [KMGT]iB$"
finish
