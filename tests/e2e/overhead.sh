#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What recording costs, of a real run: shares are shares, and sums are exact.
# Alone: its programs need the processors.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
"$gaspdb" record -o run -- "$O/programs/gasp_killed" 20000 none 2>/dev/null
imports run 2>/dev/null
is "imported" "$?" 0
# 20,000 allocations and main, a start and an end each
is "raw events" "$(sql run.db 'SELECT sum(raw_events) FROM recording')" 40002
is "the same, by lines" "$(sql run.db 'SELECT sum(raw_events) FROM profile')" 40002
# An allocation has one event's cost inside, and main what the allocations leave, and its own.
is "where it was recorded" "$(sql run.db "SELECT sum(recorded) FILTER (WHERE calls > 1), sum(recorded) FILTER (WHERE calls = 1)
	FROM profile")" "20000.0|20001.0"
is "shares" "$(sql run.db 'SELECT min(overhead_pct > 0 AND overhead_pct < 100 AND event_cost_ns < 1e6) FROM overhead')" 1
is "the sum of all events at their cost" "$(sql run.db 'SELECT min(o.overhead_ns = r.tool_ns +
	CAST(round(r.raw_events * r.event_cost_ns) AS INTEGER)) FROM overhead o JOIN recording r ON r.thread_id = o.thread_id')" 1
like "the report says it" "$("$gaspdb" report run.db)" "^  recording +cost about [0-9.]+ % of the (process|thread)e?s' time$"
info=$("$gaspdb" info run 2>/dev/null)
like "info tells the rate" "$info" "^rate +[0-9,]+ raw events/s, [0-9.]+ [KMG]iB/s, in [0-9.]+ [a-z]+ of recording$"
like "and predicts" "$info" "^at this rate +[0-9.]+ [KMGT]iB of logs an hour for 1 thread; the database about [0-9.]+ [KMGT]iB$"

"$gaspdb" record --except=malloc -o masked -- "$O/programs/gasp_killed" 20000 none 2>/dev/null
imports masked 2>/dev/null
is "masked events are counted" "$? $(sql masked.db 'SELECT raw_events, masked FROM overhead')" "0 2|40000"
like "and told" "$("$gaspdb" report masked.db)" "^  left out +40,000 raw events by --except=malloc$"
# 300,000 raw events take at least three bytes each
"$gaspdb" record --max-log-size=256K -o full -- "$O/programs/gasp_killed" 150000 none 2>/dev/null
ok "a full log is no larger than allowed" test "$(stat -c %s full/*.gasplog)" -le 262144
imports full 2>/dev/null
is "its import exits 0" "$?" 0
is "it says where it ended" "$(sql full.db "SELECT severity, count(*) FROM quality WHERE kind = 'size limit'")" "warning|1"
ok "some events are there, not all" test "$(sql full.db 'SELECT count(*) BETWEEN 2 AND 100000 FROM event')" = 1
like "and the report" "$("$gaspdb" report full.db)" "^  stopped +1 of 1 (thread|process): its log was full"
# 2 x 150,000 events, and 2 of main
is "what came after is counted in the profile" "$(sql full.db "SELECT raw_events, (SELECT count(*) FROM quality WHERE kind = 'events beyond the limit')
	FROM recording")" "300002|0"
is "each call of it" "$(sql full.db "SELECT sum(p.calls) FROM profile p JOIN source s ON s.id = p.source_id JOIN operation o ON o.id = s.operation_id
	WHERE o.name = 'malloc'")" 150000

# --- the run's limit ---
"$gaspdb" record --max-size=1M -o part -- "$O/programs/gasp_killed" 450000 none 2>err
is "the run's limit: the program's end is its own" "$?" 0
like "record says so at its end" "$(tail -2 err | head -1)" "^gaspdb: not all is traced: a log has reached its size limit"
is "the log keeps within it, and uses it" "$(stat -c %s part/*.gasplog | awk '{ print ($1 <= 1048576), ($1 > 700000) }')" "1 1"
imports part 2>/dev/null
is "its import exits 0, and says where it ended" "$? $(sql part.db "SELECT severity, count(*) FROM quality WHERE kind = 'size limit'")" "0 warning|1"
is "what came after is counted, too" "$(sql part.db "SELECT raw_events FROM recording")" 900002
"$gaspdb" record --max-size=0 -o whole -- "$O/programs/gasp_killed" 450000 none 2>err
is "0: there is no limit" "$? $(stat -c %s whole/*.gasplog | awk '{ print ($1 > 2000000) }') $(grep -c 'not all' err)" "0 1 0"
finish
