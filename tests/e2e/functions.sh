#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of programs compiled with -finstrument-functions: how many there are, where they end, whose time they are.
# Alone: a program's times are compared with its own clock.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"
programs=$TOP/tests/programs/functions
gaspcc=$O/gaspcc

functions="event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id AND o.type = 'function'"
# counts NAME: each function, how often it was called, how many are open
counts() {
	sql "$TMP/$1.db" "SELECT s.function || ' ' || count(*) || ' ' || sum(e.open) FROM $functions GROUP BY s.function ORDER BY 1" |
		tr '\n' ',' | sed 's/,$//; s/,/, /g'
}
# run NAME IMPORT-STATUS COMMAND...: record and import to NAME.db
run() {
	local name=$1 status=$2
	shift 2
	rm -rf "$TMP/$name" "$TMP/$name.db"
	timeout 100 "$gaspdb" record -o "$TMP/$name" -- "$@" >"$TMP/out" 2>"$TMP/err"
	is "$name: the program succeeds" $? 0
	imports "$TMP/$name" -o "$TMP/$name.db" 2>/dev/null
	is "$name: import" $? "$status"
}

# --- in C, by two compilers, with and without optimization -----------------------------------------------------------
# fib(10) has 177 calls, fib(4) 9.  deep(n) has n + 1, all left, and deep(-1) 1.  again(3) has 4, of which 3 are left.
for compiler in gcc clang; do
	command -v $compiler >/dev/null || { skip "$compiler" "not here" && continue; }
	for level in -O0 -O2; do
		c=$compiler$level
		"$gaspcc" --inst-functions $compiler $level -fno-optimize-sibling-calls -o "$TMP/calls" "$programs/calls.c" -lpthread 2>"$TMP/err"
		is "$c: compiles without a word" "$? $(cat "$TMP/err")" "0 "
		run "$c-recursion" 0 "$TMP/calls" recursion
		is "$c: recursion" "$(counts "$c-recursion")" "fib 177 0, main 1 0"
		is "$c: the deepest chain" "$(sql "$TMP/$c-recursion.db" "WITH RECURSIVE up(id, depth) AS (SELECT id, 1 FROM event WHERE parent_id IS NULL
			UNION ALL SELECT e.id, depth + 1 FROM up JOIN event e ON e.parent_id = up.id) SELECT max(depth) FROM up")" 11
		run "$c-jump" 0 "$TMP/calls" jump
		is "$c: left by longjmp" "$(counts "$c-jump")" "again 4 0, deep 12 0, jump 2 0, main 1 0"
		is "$c: what comes after is not in what was left" "$(sql "$TMP/$c-jump.db" "SELECT p.function, count(*) FROM $functions
			JOIN event up ON up.id = e.parent_id JOIN source p ON p.id = up.source_id WHERE s.function = 'deep' GROUP BY 1" | tr '\n' ' ')" \
			"deep|8 jump|4 "
		run "$c-leave" 0 "$TMP/calls" leave
		is "$c: left by exit" "$(counts "$c-leave")" "leave 1 1, main 1 1"
		run "$c-thread" 0 "$TMP/calls" thread
		is "$c: threads" "$(counts "$c-thread")" "fib 27 0, main 1 0, thread 3 0, threads 1 0"
		is "$c: each its own" "$(sql "$TMP/$c-thread.db" "SELECT group_concat(n, ' ') FROM (SELECT count(*) AS n FROM event
			GROUP BY thread_id ORDER BY thread_id)")" "2 10 10 10"
		run "$c-inlined" 0 "$TMP/calls" inlined
		is "$c: inlined" "$(counts "$c-inlined")" "caller 1 0, main 1 0, twice 2 0"
		run "$c-off" 0 "$TMP/calls" off
		is "$c: what ends while recording is off ends" "$(counts "$c-off")" "fib 3 0, main 1 0, switch_off 1 0"
	done
done
is "a program without a runtime is one process of C" "$(sql "$TMP/gcc-O2-recursion.db" "SELECT count(*), max(model) FROM thread")" "1|C"
is "nothing is amiss" "$(sql "$TMP/gcc-O2-recursion.db" "SELECT kind FROM quality")" ""
is "at the lines where they begin" "$(sql "$TMP/gcc-O2-jump.db" "SELECT DISTINCT s.function, s.line FROM $functions ORDER BY 2")" \
	"$(awk '/^(CALLED static void (deep|jump|again)|int main)\(/ { match($0, /[a-z]+\(/)
		print substr($0, RSTART, RLENGTH - 1) "|" NR + 1 }' "$programs/calls.c")"
if command -v uftrace >/dev/null; then
	"$gaspcc" --inst-functions gcc -O2 -o "$TMP/calls" "$programs/calls.c" -lpthread
	uftrace record -d "$TMP/uftrace" "$TMP/calls" recursion >"$TMP/out" 2>&1
	is "uftrace counts the same" "$(uftrace report -d "$TMP/uftrace" 2>/dev/null |
		awk '$NF ~ /^(fib|main)$/ { print $NF, $(NF - 1), 0 }' | sort | tr '\n' ',' | sed 's/,$//; s/,/, /g')" \
		"$(counts gcc-O2-recursion)"
else
	skip "uftrace" "not here"
fi

# --- before the collector's own constructors -------------------------------------------------------------------------
# The constructor of a library calls an instrumented function.  It comes before those of the collector, which the program is linked
# with; but the clock and the settings are chosen by then.
cat >"$TMP/early.c" <<'C'
static int n;
void early(void) { n++; }
void left_out(void) { n++; }
__attribute__((constructor)) static void before(void) { early(); left_out(); }
C
printf 'int main(void) { return 0; }\n' >"$TMP/main.c"
"$gaspcc" --inst-functions gcc -O0 -shared -fPIC -o "$TMP/libearly.so" "$TMP/early.c"
"$gaspcc" --inst-functions --link gcc -O0 -o "$TMP/early" "$TMP/main.c" -Wl,--no-as-needed "$TMP/libearly.so" -Wl,-rpath,"$TMP"
timeout 60 "$gaspdb" record --except=function:left_out -o "$TMP/early.run" -- "$TMP/early" >"$TMP/out" 2>&1
imports "$TMP/early.run" -o "$TMP/early.db" 2>/dev/null
is "early: the constructor's calls, and what was chosen" "$(counts early)" "before 1 0, early 1 0, main 1 0"
expected=0
[ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource 2>/dev/null)-$(uname -m)" != tsc-x86_64 ] || expected=1
is "early: by the clock that the kernel trusts" "$(od -An -tu1 -j56 -N1 "$(echo "$TMP"/early.run/*.gasplog)" | tr -d ' ')" $expected

# --- C++, Fortran ----------------------------------------------------------------------------------------------------
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || { skip "$compiler" "not here" && continue; }
	"$gaspcc" --inst-functions $compiler -O1 -o "$TMP/throws" "$programs/throws.cpp"
	run "$compiler" 0 "$TMP/throws"
	is "$compiler: exceptions" "$(sql "$TMP/$compiler.db" "SELECT s.function, count(*), sum(e.open) FROM $functions
		WHERE s.file LIKE '%throws.cpp' GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" "grid::Solver::step|21|0 grid::after|7|0 grid::attempt|7|0 main|1|0 "
	is "$compiler: what is called in the handler is not in what threw" "$(sql "$TMP/$compiler.db" "SELECT DISTINCT p.function
		FROM $functions JOIN event up ON up.id = e.parent_id JOIN source p ON p.id = up.source_id WHERE s.function = 'grid::after'")" grid::attempt
done
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || { skip "$compiler" "not here" && continue; }
	"$gaspcc" --inst-functions $compiler -O1 -o "$TMP/names" "$programs/names.cpp"
	run "$compiler-names" 0 "$TMP/names"
	is "$compiler: names have class and namespaces" "$(sql "$TMP/$compiler-names.db" "SELECT DISTINCT s.function FROM $functions ORDER BY s.function")" \
		"(anonymous namespace)::hidden
heat::grid<double>::grid
heat::grid<double>::smooth
heat::solver::mesh::cells
heat::solver::mesh::edge::length
heat::solver::mesh::mesh
heat::solver::mesh::operator()
heat::solver::mesh::refine
heat::solver::mesh::~mesh
heat::solver::relax
local::inside
main
plain"
done
if command -v gfortran >/dev/null; then
	(cd "$TMP" && "$gaspcc" --inst-functions gfortran -O1 -fno-inline -o modules "$programs/modules.f90")
	run fortran 0 "$TMP/modules"
	is "Fortran: procedures of modules" "$(sql "$TMP/fortran.db" "SELECT s.function, count(*), sum(e.open) FROM $functions
		WHERE s.function IN ('smooth', 'relax', 'total') GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" "relax|5|0 smooth|5|0 total|10|0 "
else
	skip "Fortran" "no gfortran here"
fi

# --- beside MPI's calls ----------------------------------------------------------------------------------------------
printf '# what a clock costs is no news\n-file work.h\n-function combine\n' >"$TMP/only"
late() { # MPI LAUNCHER
	local name=late_$1
	"$gaspcc" --inst-only="$TMP/only" "mpicc.$1" -O1 -Wno-stringop-overflow -o "$TMP/$name.exe" "$programs/late.c"
	record "$name" "$2" -np 2 "$TMP/$name.exe"
	invariants_of "$TMP/$name.db"
	is "$name: functions; an operator's is the reduction's time" "$(counts "$name")" "main 2 0, refine 24 0, step 24 0"
	is "$name: the function of the late rank" "$(sql "$TMP/$name.db" "SELECT thread, reason LIKE 'computation in refine() at %late.c:%'
		FROM analysis_worst WHERE number = 1")" "1|1"
	like "$name: the report names both" "$(tr -s '\n ' ' ' <"$TMP/$name.report")" \
		"1\. rank 1 (computes [0-9.]+ ms more than the mean in|is waited for .* \(MPI_Allreduce\) in combine\(\); reason: computation in) refine\(\) at late\.c:[0-9]+"
	is "$name: where work is uneven" "$("$gaspdb" analyze load-imbalance --by=work --format=csv "$TMP/$name.db" |
		awk -F, '$1 ~ /^refine/ { print $5, $7 }')" "1 0"
	like "$name: the call tree" "$("$gaspdb" analyze call-tree "$TMP/$name.db" | grep -A3 -E '^main ' | tr -s ' ')" "^  ?step "
	# The clock's two readings are inside.
	ok "$name: refine() took what the program measured, to 2 %" awk -v a="$(sed -n 's/^refine //p' "$TMP/$name.out")" \
		-v b="$(sql "$TMP/$name.db" "SELECT sum(duration_ns) / 1e9 FROM $functions JOIN thread t ON t.id = e.thread_id
			WHERE t.rank = 1 AND s.function = 'refine'")" 'BEGIN { exit !(a > 0.3 && b > a && b < 1.02 * a) }'
}
each_late() {
	local pair
	for pair in openmpi:mpirun.openmpi mpich:mpiexec.hydra; do
		if command -v "mpicc.${pair%:*}" >/dev/null; then
			late "${pair%:*}" "${pair#*:}"
		else
			skip "late.c, ${pair%:*}" "not here"
		fi
	done
}
each_late

# --- masked, unrecorded, linked --------------------------------------------------------------------------------------
"$gaspcc" --inst-functions gcc -O1 -o "$TMP/calls" "$programs/calls.c" -lpthread
like "left out: counted, 178 entries and exits" "$(timeout 60 "$gaspdb" record --except=function -o "$TMP/masked" -- "$TMP/calls" recursion 2>&1)" \
	"the masks .* kept all 356 out"
(cd "$TMP" && mkdir here && cd here && ../calls recursion)
is "without record it runs, and leaves nothing" "$? $(ls "$TMP/here")" "0 "
"$gaspcc" --link --inst-functions gcc -O1 -o "$TMP/linked" "$programs/calls.c" -lpthread
(cd "$TMP/here" && ../linked recursion)
is "linked with the collector it records by itself" "$(ls "$TMP/here" | grep -c '^gaspdb-linked-')" 1
"$gaspdb" import "$TMP"/here/gaspdb-linked-* -o "$TMP/linked.db" 2>/dev/null
is "the same functions" "$(counts linked)" "fib 177 0, main 1 0"
run both 0 "$TMP/linked" recursion
is "linked and under record: once" "$(counts both)" "fib 177 0, main 1 0"
finish
