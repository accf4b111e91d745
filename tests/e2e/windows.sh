#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# When it is recorded: off until the program switches it on, and while phases are open.
# Alone: a program's times are compared with its own clock.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

names="event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id"
# recorded STATUS OPTION... -- COMMAND: record and import to run.db
recorded() {
	local status=$1
	shift
	rm -rf run run.db
	timeout 100 "$gaspdb" record -o run "$@" >out 2>err
	is "$*: the program succeeds" $? 0
	imports run -o run.db 2>import
	is "$*: import" $? "$status"
}

# --- one thread: gasp_phases has four steps of five raw events each; it switches recording off before the third, on after it ----
counts() {
	sql run.db "SELECT (SELECT group_concat(n, ', ') FROM (SELECT o.name || ' ' || count(*) AS n FROM $names GROUP BY o.name ORDER BY 1))
		|| '; ' || (SELECT sum(count) FROM quality WHERE kind = 'recording off')"
}
phases() { # EXPECTED PHASES
	recorded 0 --mode=trace --phase="$2" -- "$O/programs/gasp_phases"
	is "--phase=$2" "$(counts)" "$1"
	is "--phase=$2: it is told" "$(sql run.db "SELECT value FROM thread_meta WHERE key = 'phase'")" "$2"
}
phases "inner 3, mark 3, step 3; 5" step
phases "inner 2, mark 2, step 2; 10" step:2..
phases "inner 2, mark 2, step 2; 10" step:2..4
phases "inner 1, mark 1, step 1; 15" step:4
phases "inner 2; 16" inner:1,inner:4
phases "inner 2, mark 1, step 1; 13" inner:1,step:2
phases "inner 1, mark 1, step 1; 15" step:3..4
is "what was left out before it and after it is two gaps" "$(sql run.db "SELECT count(*), max(end_ns - start_ns) >= 60000000 FROM gap
	WHERE kind = 'off'")" "2|1"
recorded 1 --mode=trace --phase=step:5,stop -- "$O/programs/gasp_phases"
like "no such phase: the import says why" "$(cat import)" \
	"holds no events: recording was off throughout: the program began no phase of --phase=step:5,stop$"
like "so does record" "$(cat err)" "holds no events: recording was off throughout: the program began no phase of --phase=step:5,stop$"
recorded 0 --start=off -- "$O/programs/gasp_phases"
is "--start=off: what comes after the switch" "$(counts)" "inner 1, mark 1, step 1; 15"
is "--start=off: pupc_control tells that it was off" "$(sed -n 1,2p out)" "$(printf 'off, was 0\non, was 0')"
recorded 0 --mode=trace --start=off --phase=inner -- "$O/programs/gasp_phases"
is "both" "$(counts)" "inner 1; 18"
is "the report says so" "$("$gaspdb" report run.db | tr -s ' \n' ' ' | grep -oE "unrecorded for [0-9.]+ % of the .*18 raw events came then" |
	sed 's/[0-9.]* %/N %/')" "unrecorded for N % of the processes' time (--start=off, --phase=inner); 18 raw events came then"
is "and JSON" "$("$gaspdb" report --format=json run.db | grep -o '"events_off":[ 0-9]*' | tr -d ' ')" '"events_off":18'
recorded 0 --start=on -- "$O/programs/gasp_phases"
is "--start=on" "$(counts)" "inner 3, mark 3, step 3; 5"
for option in --start=maybe --phase= --phase=step:0 --phase=step:2..1 --phase=step: --phase=,; do
	"$gaspdb" record "$option" -o refused -- touch ran 2>err
	is "$option is refused" "$? $(ls -d refused ran 2>/dev/null) $(grep -c "^gaspdb: record: " err)" "2  1"
done

# --- the GASP interface: steps of a fence, four raw events each -------------------------------------------------------------
gasp() { # EXPECTED MODE PHASES
	recorded 0 --mode=trace --phase="$3" -- "$O/programs/gasp_windows" "$2"
	is "gasp $2: --phase=$3" "$(sql run.db "SELECT group_concat(n, ', ') FROM (SELECT e.thread_id || ': ' || o.name || ' ' || count(*)
		AS n FROM $names GROUP BY e.thread_id, o.name ORDER BY 1)"); $(sql run.db "SELECT sum(count) FROM quality WHERE kind = 'recording off'")" "$1"
}
gasp "0: step 4, 0: upc_fence 4; " steps step
gasp "0: step 2, 0: upc_fence 2; 8" steps step:2..3
gasp "0: step 2, 0: upc_fence 2, 1: step 2, 1: upc_fence 2; 16" threads step:2..3
# The second step is in the first; the third comes after it.
gasp "0: step 2, 0: upc_fence 2; 4" nested step:1
gasp "0: step 1, 0: upc_fence 1; 8" nested step:2
gasp "0: step 2, 0: upc_fence 2; 4" nested step:2..
# Parent and child have a second step each.
gasp "0: step 1, 0: upc_fence 1, 1: step 1, 1: upc_fence 1; 4" fork step:2
gasp "0: step 1, 0: upc_fence 1, 1: step 1, 1: upc_fence 1; 4" fork step:1

# --- functions: calls.c switches recording off before fib(5), on before fib(2) ------------------------------------------
if "$O/gaspcc" --inst-functions gcc -O1 -o calls "$TOP/tests/programs/functions/calls.c" -lpthread; then
	recorded 0 --start=off -- ./calls off
	is "--start=off: functions after the switch" "$(sql run.db "SELECT s.function, count(*), sum(e.open) FROM $names GROUP BY 1")" "fib|3|0"
	# main and switch_off begin, fib(5) 15 times begins and ends, switch_off ends.
	is "--start=off: functions are counted" "$(sql run.db "SELECT sum(count) FROM quality WHERE kind = 'recording off'")" 33
fi

# --- two ranks ---------------------------------------------------------------------------------------------------------
# program_late: seconds that rank 1 came to the reduction of step 15 after rank 0, by the program's own clock
program_late() {
	awk '/^rank [01]: / { at[$2] = $3 } END { print at["1:"] - at["0:"] }' out
}
# waits NAME: rank, rank waited for, and seconds of the waits of at least 40 ms in a call
waits() {
	sql run.db "SELECT w.thread_id || ' ' || w.cause_thread_id || ' ' || ((w.end_ns - w.start_ns) / 1e9) FROM wait w
		JOIN event e ON e.id = w.event_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		WHERE o.name = '$1' AND w.end_ns - w.start_ns >= 40000000 ORDER BY w.start_ns"
}
window() { # NAME OPTION MODE -- COMMAND
	recorded 0 "$2" -- "${@:5}" "$3"
	is "$1: eleven steps" "$(sql run.db "SELECT thread_id, o.name, count(*) FROM $names GROUP BY 1, 2 ORDER BY 1, 2")" \
		"$(printf '%s\n' '0|MPI_Allreduce|11' '0|MPI_Send|11' '0|step|11' '1|MPI_Allreduce|11' '1|MPI_Recv|11' '1|step|11')"
	is "$1: the reductions are paired" "$(sql run.db "SELECT count(*), sum(n = 2) FROM (SELECT count(*) AS n FROM collective_member
		GROUP BY collective_id)")" "11|11"
	is "$1: messages from step 10 on that are received by step 20" "$(sql run.db "SELECT group_concat(bytes) FROM
		(SELECT bytes FROM message ORDER BY bytes)")" 10,11,12,13,14,15,16,17,18,19
	is "$1: the two at the edges have no partner, and that is all" "$(sql run.db "SELECT kind, sum(count) FROM quality GROUP BY 1 ORDER BY 1")" \
		"$(printf 'partner not recorded|2\nrecording off|232')"
	# In a rank: 19 steps, each with a phase, a reduction and a message, but one; and MPI's start and end.
	is "$1: events while it was off" "$(sql run.db "SELECT thread_id, count FROM quality WHERE kind = 'recording off'")" \
		"$(printf '0|116\n1|116')"
	is "$1: the late sender of step 9 is outside: its message has no wait" "$(sql run.db "SELECT count(*) FROM wait w JOIN event e
		ON e.id = w.event_id WHERE e.id = (SELECT min(e.id) FROM $names WHERE o.name = 'MPI_Recv')")" 0
	is "$1: one long wait, for rank 1" "$(waits MPI_Allreduce | cut -d' ' -f1,2)" "0 1"
	ok "$1: it is as long as rank 1 was late by the program's clock, to 10 %" awk -v a="$(program_late)" \
		-v b="$(waits MPI_Allreduce | cut -d' ' -f3)" 'BEGIN { exit !(a > 0.05 && b > 0.9 * a && b < 1.1 * a) }'
	(TMP=. && served run)
	is "$1: the worst finding" "$(sql run.served.db "SELECT thread FROM analysis_worst WHERE number = 1")" 1
}
# without a window both are found
whole() {
	recorded 0 -- "$@" phase
	is "whole: both are found" "$(waits MPI_Allreduce | cut -d' ' -f1,2 | sort | uniq -c | tr -s ' ')" " 2 0 1"
	is "whole: so is the sender" "$(waits MPI_Recv | cut -d' ' -f1,2)" "1 0"
	is "whole: nothing was left out" "$(sql run.db "SELECT kind FROM quality WHERE kind IN ('recording off', 'partner not recorded')")" ""
}
check() { # MPI LAUNCHER
	local program=$O/programs/$1/mpi_windows
	whole "$2" -np 2 "$program"
	GASPDB_MODE=trace window "$1, phase" --phase=step:10..20 phase -- "$2" -np 2 "$program"
	window "$1, control" --start=off control -- "$2" -np 2 "$program"
	recorded 1 --start=off -- "$2" -np 2 "$program" never
	like "$1: never switched on" "$(cat import)" \
		"holds no events: recording was off throughout .--start=off.: the program never called pupc_control.1. or MPI_Pcontrol.1.$"
}
each_mpi mpi_windows check
finish
