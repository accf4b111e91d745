#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Throttled functions: counts are those of an untouched run and of the program's construction; times are kept; the log stays small.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
programs=$TOP/tests/programs/functions
gaspcc=$O/gaspcc

profile="profile p JOIN source s ON s.id = p.source_id JOIN operation o ON o.id = s.operation_id AND o.type = 'function'"
# calls NAME: each function's calls, of all threads
calls() {
	sql "$TMP/$1.db" "SELECT s.function || ' ' || sum(p.calls) FROM $profile GROUP BY s.function ORDER BY 1" |
		tr '\n' ',' | sed 's/,$//; s/,/, /g'
}
# paths NAME: each function's calls by caller, from the call tree
paths() {
	sql "$TMP/$1.db" "SELECT coalesce(f.function, '-') || '/' || s.function || ' ' || sum(c.calls) FROM callpath c
		JOIN source s ON s.id = c.source_id LEFT JOIN callpath up ON up.id = c.parent_id LEFT JOIN source f ON f.id = up.source_id
		JOIN operation o ON o.id = s.operation_id AND o.type = 'function' GROUP BY f.function, s.function
		ORDER BY f.function, s.function" | tr '\n' ',' | sed 's/,$//; s/,/, /g'
}
# run NAME IMPORT-STATUS RECORD-OPTIONS -- COMMAND...: record and import to NAME.db; the program's output in NAME.out
run() {
	local name=$1 status=$2
	shift 2
	timeout 100 "$gaspdb" record -o "$TMP/$name" "$@" >"$TMP/$name.out" 2>"$TMP/$name.err"
	echo $? >"$TMP/$name.status"
	imports "$TMP/$name" -o "$TMP/$name.db" 2>/dev/null
	is "$name: import" $? "$status"
}
log_bytes() {
	cat "$TMP/$1"/*.gasplog | wc -c
}

"$gaspcc" --inst-functions gcc -O2 -fno-optimize-sibling-calls -o "$TMP/short" "$programs/short.c" -lpthread
"$gaspcc" --inst-functions gcc -O2 -fno-optimize-sibling-calls -o "$TMP/calls" "$programs/calls.c" -lpthread

# --- counts ----------------------------------------------------------------------------------------------------------
# N times from counts(), and on two threads N times from second(), of which the other is worker()'s.
run many 0 -- "$TMP/short" counts 1000000
is "three million calls by default" "$(calls many)" "counts 1, leaf 3000000, main 1, second 2, worker 1"
is "by caller" "$(paths many)" "-/main 1, -/worker 1, counts/leaf 1000000, counts/second 1, main/counts 1, second/leaf 2000000, worker/second 1"
is "of each thread the first 100,000 are written" "$(sql "$TMP/many.db" "SELECT group_concat(n, ' ') FROM (SELECT count(*) AS n FROM event e
	JOIN source s ON s.id = e.source_id WHERE s.function = 'leaf' GROUP BY e.thread_id ORDER BY e.thread_id)")" "100000 100000"
is "quality: the function, its calls left out, on each thread" "$(sql "$TMP/many.db" "SELECT kind, severity, thread_id, count, detail, time_ns > 0
	FROM quality ORDER BY thread_id" | tr '\n' ' ')" "throttled function|note|0|1900000|leaf|1 throttled function|note|1|900000|leaf|1 "
is "quality: their time is that of table throttled" "$(sql "$TMP/many.db" "SELECT q.time_ns - (SELECT sum(total_ns + inner_ns) FROM throttled t
	WHERE t.thread_id = q.thread_id) FROM quality q" | tr '\n' ' ')" "0 0 "
is "throttled calls by caller" "$(sql "$TMP/many.db" "SELECT c.function, t.thread_id, t.calls FROM throttled t JOIN source c ON c.id = t.caller_id
	ORDER BY t.thread_id, t.calls" | tr '\n' ' ')" "counts|0|900000 second|0|1000000 second|1|900000 "
run untouched 0 --throttle=off -- "$TMP/short" counts 120000
run default 0 -- "$TMP/short" counts 120000
is "untouched: all are written" "$(sql "$TMP/untouched.db" "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM throttled),
	(SELECT count(*) FROM quality)")" "360005|0|0"
is "the same counts as without a throttle" "$(calls default)" "$(calls untouched)"
is "which are the program's" "$(calls untouched)" "counts 1, leaf 360000, main 1, second 2, worker 1"
is "the same call tree" "$(paths default)" "$(paths untouched)"
ok "log: three million throttled calls take less than 360,000 written ones" test "$(log_bytes many)" -lt "$(log_bytes untouched)"
is "the totals of the profile count them, too" "$(sql "$TMP/default.db" "SELECT calls FROM profile_total t JOIN source s ON s.id = t.source_id
	WHERE t.grouping = 'call' AND s.function = 'leaf'")" 360000
like "the report has the note" "$("$gaspdb" report "$TMP/many.db" | tr -s '\n ' ' ')" "throttled function"
if command -v uftrace >/dev/null; then
	uftrace record -b 64M -d "$TMP/uftrace" "$TMP/short" counts 120000 >"$TMP/out" 2>&1
	is "uftrace counts the same" "$(uftrace report -d "$TMP/uftrace" 2>/dev/null |
		awk '$NF ~ /^(main|counts|second|worker|leaf)$/ { print $NF, $(NF - 1) }' | sort | tr '\n' ',' | sed 's/,$//; s/,/, /g')" \
		"$(calls default)"
else
	skip "uftrace" "not here"
fi

# --- the limit -------------------------------------------------------------------------------------------------------
run fifty 0 --throttle=50,1ms -- "$TMP/short" counts 1000
is "fifty are written, all are counted" "$(calls fifty) $(sql "$TMP/fifty.db" "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
	WHERE s.function = 'leaf'")" "counts 1, leaf 3000, main 1, second 2, worker 1 100"
run long 0 --throttle=50,1us -- "$TMP/short" timed 1000
is "not short enough: all are written" "$(sql "$TMP/long.db" "SELECT count(*), (SELECT count(*) FROM throttled) FROM event e
	JOIN source s ON s.id = e.source_id WHERE s.function = 'spin'")" "1000|0"
GASPDB_THROTTLE=50,1ms run variable 0 -- "$TMP/short" counts 1000
is "by the variable" "$(sql "$TMP/variable.db" "SELECT sum(calls) FROM throttled")" 2900
GASPDB_THROTTLE=0 run zero 0 -- "$TMP/short" counts 200000
is "0: none" "$(sql "$TMP/zero.db" "SELECT count(*) FROM throttled") $(calls zero)" "0 counts 1, leaf 600000, main 1, second 2, worker 1"
GASPDB_THROTTLE=many run wrong 0 -- "$TMP/short" counts 100
like "a wrong one is ignored, with a line" "$(cat "$TMP/wrong.err")" "^gaspdb: GASPDB_THROTTLE=many is ignored: it is not CALLS\[,DURATION\] or off$"
for wrong in '' x 10, 10,5kg -5 10us; do
	"$gaspdb" record --throttle="$wrong" -- true >"$TMP/out" 2>"$TMP/err"
	is "--throttle=$wrong is refused" "$? $(head -1 "$TMP/err")" \
		"2 gaspdb: record: '$wrong' is not CALLS, CALLS,DURATION (as in 100000,10us) or off"
done

# 300 functions, each called 100 times from each of three: more than the tables' first sizes
awk 'BEGIN {
	print "#define CALLED __attribute__((noinline))"
	for (i = 0; i < 300; i++)
		print "CALLED static void f" i "(void) { __asm__ volatile(\"\"); }"
	print "static void (*const f[300])(void) = {"
	for (i = 0; i < 300; i++)
		print "f" i ","
	print "};\nstatic volatile int sum;"
	print "#define CALLER(name) CALLED static void name(void) { for (int i = 0; i < 30000; i++) f[i % 300](); sum++; }"
	print "CALLER(a) CALLER(b) CALLER(c)\nint main(void) { a(); b(); c(); return 0; }"
}' >"$TMP/wide.c"
"$gaspcc" --inst-functions gcc -O1 -o "$TMP/wide.exe" "$TMP/wide.c"
run wide 0 --throttle=10,1s -- "$TMP/wide.exe"
is "300 functions from three: all counted" "$(sql "$TMP/wide.db" "SELECT count(*), min(n), max(n) FROM (SELECT sum(p.calls) AS n FROM $profile
	WHERE s.function GLOB 'f[0-9]*' GROUP BY p.source_id)")" "300|300|300"
is "ten of each are written" "$(sql "$TMP/wide.db" "SELECT count(*) FROM event")" 3004
is "by caller" "$(sql "$TMP/wide.db" "SELECT c.function, count(*), min(calls), max(calls) FROM throttled t JOIN source c ON c.id = t.caller_id
	GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" "a|300|90|90 b|300|100|100 c|300|100|100 "

# --- time ------------------------------------------------------------------------------------------------------------
# Each of the calls takes 2 us by the program's clock at least, and all together no more than it measured around them.
run timed 0 --throttle=1000 -- "$TMP/short" timed 100000
is "timed: counts" "$(calls timed)" "main 1, spin 100000"
ok "the time of all calls is between 100,000 times 2 us and what the program measured" awk -v t="$(sql "$TMP/timed.db" "SELECT p.total_ns
	FROM $profile WHERE s.function = 'spin'")" -v most="$(cat "$TMP/timed.out")" 'BEGIN { exit !(t >= 200000000 && t <= most) }'
is "self time is theirs, not main's" "$(sql "$TMP/timed.db" "SELECT sum(p.self_ns) = (SELECT total_ns FROM profile JOIN source s ON s.id = source_id
	WHERE s.function = 'spin') FROM $profile WHERE s.function = 'spin'")" 1
is "main's is what is neither theirs nor gaspdb's" "$(sql "$TMP/timed.db" "SELECT p.total_ns - p.self_ns - (SELECT p.total_ns FROM $profile
	WHERE s.function = 'spin') BETWEEN 0 AND (SELECT tool_ns FROM recording) FROM $profile WHERE s.function = 'main'")" 1
is "no call was shorter than 2 us" "$(sql "$TMP/timed.db" "SELECT p.min_ns >= 2000 FROM $profile WHERE s.function = 'spin'")" 1

# --- recursion, jumps, threads, an end inside ------------------------------------------------------------------------
# As tests/e2e/functions.sh counts them, with all calls but the first of each function throttled.
for case in "recursion:fib 177, main 1" "jump:again 4, deep 12, jump 2, main 1" "leave:leave 1, main 1" \
	"thread:fib 27, main 1, thread 3, threads 1" "inlined:caller 1, main 1, twice 2" "off:fib 3, main 1, switch_off 1"; do
	name=${case%%:*}
	run "first-$name" 0 --throttle=1,1s -- "$TMP/calls" "$name"
	is "$name: counted, written or not" "$(calls "first-$name")" "${case#*:}"
done
run leaves 0 --throttle=1,1s -- "$TMP/calls" recursion
is "a recursion's time counts once" "$(sql "$TMP/leaves.db" "SELECT f.total_ns <= m.total_ns FROM (SELECT p.total_ns FROM $profile
	WHERE s.function = 'fib') f, (SELECT p.total_ns FROM $profile WHERE s.function = 'main') m")" 1

for compiler in g++ clang++; do
	command -v $compiler >/dev/null || { skip "$compiler" "not here" && continue; }
	"$gaspcc" --inst-functions $compiler -O1 -o "$TMP/throws" "$programs/throws.cpp"
	run "first-$compiler" 0 --throttle=1,1s -- "$TMP/throws"
	is "$compiler: left by exceptions" "$(sql "$TMP/first-$compiler.db" "SELECT s.function, sum(p.calls) FROM $profile
		WHERE s.file LIKE '%throws.cpp' GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" "grid::Solver::step|21 grid::after|7 grid::attempt|7 main|1 "
done

# --- beside a size limit: 256 KiB hold fewer than 100,000 calls, and more than 1,000 ---------------------------------
run full 0 --max-log-size=256K -- "$TMP/short" counts 200000
is "a full log has a profile of the rest, and throttles none" "$(calls full) $(sql "$TMP/full.db" "SELECT (SELECT count(*) FROM throttled),
	(SELECT count(*) FROM quality WHERE kind = 'size limit')")" "counts 1, leaf 600000, main 1, second 2, worker 1 0|2"
run roomy 0 --max-log-size=256K --throttle=1000,1ms -- "$TMP/short" counts 200000
is "a throttled one does not become full" "$(calls roomy) $(sql "$TMP/roomy.db" "SELECT count(*) FROM quality WHERE kind = 'size limit'")" \
	"counts 1, leaf 600000, main 1, second 2, worker 1 0"

# --- killed ----------------------------------------------------------------------------------------------------------
run killed 3 -- "$TMP/short" killed 500000
is "killed by SIGKILL" "$(cat "$TMP/killed.status")" 137
ok "killed: of 1.5 million calls the first 500,000 are known" awk -v n="$(sql "$TMP/killed.db" "SELECT sum(p.calls) FROM $profile
	WHERE s.function = 'leaf'")" 'BEGIN { exit !(n >= 500000 && n <= 1500000) }'
is "killed: 100,000 are written" "$(sql "$TMP/killed.db" "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
	WHERE s.function = 'leaf'")" 100000
is "killed: quality has both" "$(sql "$TMP/killed.db" "SELECT DISTINCT kind FROM quality WHERE kind IN ('no end block', 'throttled function')
	ORDER BY 1" | tr '\n' ' ')" "no end block throttled function "

# --- with MPI --------------------------------------------------------------------------------------------------------
mpi() { # MPI LAUNCHER
	local m=$1
	"$gaspcc" --inst-functions "mpicc.$m" -DWITH_MPI -O2 -fno-optimize-sibling-calls -Wno-stringop-overflow \
		-o "$TMP/short_$m" "$programs/short.c" -lpthread
	run "$m-default" 0 --throttle=20000 -- timeout 80 "$2" -np 2 "$TMP/short_$m" counts 50000
	run "$m-off" 0 --throttle=off -- timeout 80 "$2" -np 2 "$TMP/short_$m" counts 50000
	is "$m: counts are the program's" "$(calls "$m-default")" "counts 2, leaf 300000, main 2, second 4, worker 2"
	is "$m: and those of an untouched run" "$(calls "$m-default")" "$(calls "$m-off")"
	is "$m: so is the call tree" "$(paths "$m-default")" "$(paths "$m-off")"
	is "$m: no call of MPI is left out" "$(sql "$TMP/$m-default.db" "SELECT o.name, count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.type <> 'function' GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" \
		"MPI_Barrier|6 MPI_Finalize|2 MPI_Init|2 "
	ok "$m: the log is less than half as long" test $((2 * $(log_bytes "$m-default"))) -lt "$(log_bytes "$m-off")"
}
for pair in openmpi:mpirun.openmpi mpich:mpiexec.hydra; do
	if command -v "mpicc.${pair%:*}" >/dev/null; then
		mpi "${pair%:*}" "${pair#*:}"
	else
		skip "short.c, ${pair%:*}" "not here"
	fi
done
finish
