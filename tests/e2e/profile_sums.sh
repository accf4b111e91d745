#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A profile's figures are those of a trace of the same deterministic program: calls and bytes of each line and call path, traffic by
# peer and size, on Open MPI, MPICH and OpenSHMEM.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"

. "$TOP/tests/sums.sh"

# run NAME MODE COMMAND...: record and import to NAME-MODE.db
run() {
	local run=$1-$2 mode=$2
	shift 2
	GASPDB_MODE=$mode timeout 100 "$gaspdb" record -o "$TMP/$run" -- "$@" >"$TMP/$run.out" 2>&1
	is "$run: the program ends well" $? 0
	timeout 100 "$gaspdb" import "$TMP/$run" -o "$TMP/$run.db" 2>"$TMP/$run.err"
	is "$run: import" "$? $(grep -c damaged "$TMP/$run.err")" "0 0"
}
# all NAME QUERY: of both modes
same() {
	is "$1: $2" "$(sql "$TMP/$1-$3.db" "$4")" "$(sql "$TMP/$1-trace.db" "$4")"
}
# compare NAME MODE
compare() {
	one() { same "$run" "$mode: $1" "$mode" "$2"; }
	local run=$1 mode=$2
	each_sum one
	is "$1: $2: categories sum up to each thread's time" "$(sql "$TMP/$1-$2.db" "SELECT count(*) FROM thread t WHERE last_ns - first_ns <>
		(SELECT sum(time_ns) FROM category_time c WHERE c.thread_id = t.id)")" 0
	is "$1: $2: meta.mode" "$(sql "$TMP/$1-$2.db" "SELECT value FROM meta WHERE key = 'mode'")" "$2"
	invariants_of "$TMP/$1-$2.db"
}
# program NAME COMMAND...: in all modes
program() {
	local mode
	for mode in trace profile both; do run "$1" $mode "${@:2}"; done
	compare "$1" profile
	compare "$1" both
	is "$1: a profile has no events" "$(sql "$TMP/$1-profile.db" "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM bin)")" "0|0"
	is "$1: import reads events of a trace, and tells their rate" "$(cd "$TMP" && grep -l 'raw events/s' "$1"-{trace,profile,both}.err | tr '\n' ' ')" \
		"$1-trace.err $1-both.err "
	is "$1: both: the trace has all" "$(sql "$TMP/$1-both.db" "SELECT count(*) FROM event")" \
		"$(sql "$TMP/$1-trace.db" "SELECT count(*) FROM event")"
}

program openmpi mpirun -np 4 "$O/examples/mpi_faults"
program mpich mpiexec.hydra -np 4 "$O/examples/mpi_faults_mpich"
if [ -x "$O/programs/oshmem/shmem_families" ]; then
	program oshmem oshrun -np 4 "$O/programs/oshmem/shmem_families"
fi

# --- what is said ----------------------------------------------------------------------------------------------------
db=$TMP/openmpi-profile.db
"$gaspdb" report "$db" >"$TMP/report"
ok "the report says that it is a profile" grep -q "Recorded as a profile" "$TMP/report"
ok "and shows the time inside calls" grep -q -e "--- Time inside calls" "$TMP/report"
is "no section of what needs a trace" "$(grep -cE -e '^--- (Critical path|Barriers|Messages|Unmatched|Collective)' "$TMP/report")" 0
ok "but a list of them" grep -q "critical-path" <(sed -n '/--- Not in a profile/,/^$/p' "$TMP/report")
is "of both it counts the profile's events, too" "$("$gaspdb" report --section=run "$TMP/openmpi-both.db" | sed -n 's/^  recorded *//p')" \
	"$(sql "$TMP/openmpi-trace.db" "SELECT printf('%,d events, and a profile of %,d raw events', (SELECT count(*) FROM event),
		(SELECT sum(raw_events) FROM recording))")"
is "an analysis of events says so" "$("$gaspdb" analyze waits "$db" 2>&1 >/dev/null | grep -o 'needs a trace')" "needs a trace"
is "CSV: its header is there" "$("$gaspdb" analyze waits --format=csv "$db" 2>/dev/null | wc -l)" 1
is "waiting is not known, not zero" "$("$gaspdb" analyze threads --format=csv "$db" | grep -c ',0,1$')" 0
is "load balance and communication efficiency are known" "$("$gaspdb" analyze pop --format=csv "$db" | cut -d, -f1,2 |
	sed 's/,[0-9][0-9.]*$/ known/; s/,.*/ not/' | tail -n +2 | tr '\n' ';')" \
	"parallel known;load balance known;communication known;serialization not;transfer not;"
for analysis in $("$gaspdb" --list=analyses); do
	"$gaspdb" analyze "$analysis" --format=csv "$db" >"$TMP/rows" 2>"$TMP/why" || echo "# $analysis fails"
	if grep -q '^-- needs: trace' "$TOP/sql/analyses/$analysis.sql"; then
		[ "$(wc -l <"$TMP/rows")" = 1 ] || echo "# $analysis needs a trace, and has rows of a profile"
		grep -q 'needs a trace' "$TMP/why" || echo "# $analysis does not say that it needs a trace"
	fi
done >"$TMP/wrong"
is "each analysis has rows, or says that it needs a trace" "$(cat "$TMP/wrong")" ""
"$gaspdb" compare "$TMP/openmpi-trace.db" "$db" >"$TMP/compared" 2>&1
is "a profile and a trace can be compared" $? 0
"$gaspdb" report "$db" --html "$TMP/page.html" 2>"$TMP/err"
is "the page is made" "$? $(grep -c . "$TMP/page.html" | awk '{print ($1 > 0)}')" "0 1"
finish
