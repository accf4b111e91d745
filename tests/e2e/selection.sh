#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is recorded: functions by name and file, operations by model, filter files of Score-P.  Expected counts are those of the
# programs in tests/programs/functions.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
programs=$TOP/tests/programs/functions
gaspcc=$O/gaspcc
cd "$TMP" || exit 1

# counts: each function and how often it was called; then raw events left out
counts() {
	sql run.db "SELECT (SELECT group_concat(name || ' ' || n, ', ') FROM (SELECT coalesce(s.function, '?') AS name, count(*) AS n
		FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id AND o.type = 'function'
		GROUP BY 1 ORDER BY 1)) || '; ' || (SELECT sum(masked) FROM recording)"
}
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

# --- functions of a program and of its library -----------------------------------------------------------------------
mkdir -p src lib
cat >src/main.c <<'C'
#include "part.h"
__attribute__((noinline)) int leaf(int n) { return n + 1; }
__attribute__((noinline)) static int inner(int n) { return leaf(n) + leaf(n + 1); }
int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += inner(i) + part(i) + helper(i); return s == 0; }
C
cat >lib/part.c <<'C'
#include "part.h"
__attribute__((noinline)) static int deep(int n) { return 2 * n; }
__attribute__((noinline)) int part(int n) { return deep(n) + deep(n + 1) + deep(n + 2) + helper(n); }
C
cat >lib/part.h <<'C'
int part(int n);
__attribute__((noinline, unused)) static int helper(int n) { return 3 * n; }
C
# Calls: main 1, inner 5, leaf 10; part 5, deep 15; helper 10, of which 5 in the library.
ok "a program with a library" eval '"$gaspcc" --inst-functions gcc -O1 -shared -fPIC -o libpart.so lib/part.c &&
	"$gaspcc" --inst-functions gcc -O1 -Ilib -o program src/main.c -L. -lpart "-Wl,-rpath,$TMP"'
chosen() { # EXPECTED OPTION...
	recorded 0 "${@:2}" -- ./program
	is "${*:2}" "$(counts)" "$1"
	is "${*:2}: without a word" "$(grep -v -e 'gaspdb: recorded' -e 'gaspdb: next' err)" ""
}
chosen "deep 15, helper 10, inner 5, leaf 10, main 1, part 5; 0"
chosen "deep 15, helper 10, main 1, part 5; 30" --except=function:inner,leaf
chosen "leaf 10, part 5; 62" --only='function:LEA?,par*'
chosen "inner 5, leaf 10, main 1; 60" --only=file:main.c
is "the run directory has what the collector was told" "$(head -1 run/selection.txt)" "gaspdb selection 1"
chosen "inner 5, leaf 10, main 1; 60" --only='file:src/*'
chosen "deep 15, inner 5, leaf 10, main 1, part 5; 20" --except=file:part.h
chosen "deep 15, helper 10, part 5; 32" --only='file:*/lib/part.?'
chosen "leaf 10; 72" --only=file:main.c --except=function:main,type:put,inner
chosen "deep 15, helper 10, inner 5, leaf 10, main 1, part 5; 0" --only=model:functions
recorded 1 --except=model:functions -- ./program
like "no function: the import says why" "$(cat import)" "the masks .--only, --except, --filter. kept all 92 out"
recorded 0 --only=function:leaf -- sh -c ./program
is "a program that the command line does not name: all functions" "$(counts)" \
	"deep 15, helper 10, inner 5, leaf 10, main 1, part 5; 0"
like "and that is said" "$(cat err)" "what the command line names has no function that is recorded .* none is selected by name or file"
rm -rf alone
GASPDB_DIR=$TMP/alone GASPDB_ONLY=file:x.c "$O/programs/gasp_phases" >out 2>err
like "without record no function is found, which is said" "$(cat err)" "^gaspdb: file:, function: and GASPDB_FILTER select nothing without gaspdb record"
ok "a library by a relative name" "$gaspcc" --inst-functions gcc -O1 -Ilib -o program src/main.c ./libpart.so
chosen "helper 10, inner 5, leaf 10, main 1, part 5; 30" --except=function:deep
ok "without debug information" "$gaspcc" --inst-functions gcc -O1 -Ilib -o program src/main.c -L. -lpart "-Wl,-rpath,$TMP" -g0
chosen "leaf 10; 72" --only=function:leaf
chosen "deep 15, helper 5, part 5; 42" --only=file:part.?

# --- filter files of Score-P -----------------------------------------------------------------------------------------
"$gaspcc" --inst-functions gcc -O1 -Ilib -o program src/main.c -L. -lpart "-Wl,-rpath,$TMP"
cat >rules <<'F'
# Only two functions
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  INCLUDE main # and
    leaf*
SCOREP_REGION_NAMES_END
F
chosen "leaf 10, main 1; 70" --filter=rules
printf 'SCOREP_FILE_NAMES_BEGIN\r\n EXCLUDE */part.h\r\nSCOREP_FILE_NAMES_END\r\nSCOREP_REGION_NAMES_BEGIN\r\n INCLUDE helper EXCLUDE deep\r\nSCOREP_REGION_NAMES_END\r\n' >rules
chosen "inner 5, leaf 10, main 1, part 5; 50" --filter=rules
GASPDB_FILTER=rules chosen "part 5; 82" --only=file:part.c
is "the log names the filter" "$(sql run.db "SELECT value FROM thread_meta WHERE key = 'filter'")" rules
rm -rf run
printf 'SCOREP_REGION_NAMES_BEGIN\n\nEXCLUDE *\nSCOREP_FILE_NAMES_END\n' >rules
"$gaspdb" record --filter=rules -o run -- touch ran 2>err
is "a bad one is refused before the program starts" "$? $(ls -d run ran 2>/dev/null) $(cat err)" \
	"2  gaspdb: rules:1: the block is not ended by 'SCOREP_REGION_NAMES_END'"
"$gaspdb" record --filter=none -o run -- touch ran 2>err
is "so is one that there is not" "$? $(ls -d run ran 2>/dev/null) $(cat err)" "2  gaspdb: cannot read 'none': No such file or directory"

# filtered SOURCE RULES EXPECTED: functions of that source
filtered() {
	printf 'SCOREP_REGION_NAMES_BEGIN\n%s\nSCOREP_REGION_NAMES_END\n' "$2" >rules
	recorded 0 --filter=rules -- ./other
	is "$1: $2" "$(sql run.db "SELECT group_concat(n, ', ') FROM (SELECT s.function || ' ' || count(*) AS n FROM event e
		JOIN source s ON s.id = e.source_id WHERE s.file LIKE '%$1' GROUP BY s.function ORDER BY 1)")" "$3"
}
if command -v g++ >/dev/null; then
	"$gaspcc" --inst-functions g++ -O1 -o other "$programs/throws.cpp"
	filtered throws.cpp 'EXCLUDE grid::*
		INCLUDE MANGLED _ZN4grid5after*' "grid::after 7, main 1"
	filtered throws.cpp 'EXCLUDE grid::Solver::step(int)' "grid::after 7, grid::attempt 7, main 1"
	filtered throws.cpp 'EXCLUDE step DEMANGLED main' "grid::Solver::step 21, grid::after 7, grid::attempt 7"
fi
if command -v gfortran >/dev/null; then
	(cd "$TMP" && "$gaspcc" --inst-functions gfortran -O1 -fno-inline -o other "$programs/modules.f90")
	filtered modules.f90 'EXCLUDE * INCLUDE grid::total' "total 10"
	filtered modules.f90 'EXCLUDE MANGLED __grid_MOD_* MAIN__' "main 1, relax 5"
fi

# --- beside MPI's calls ----------------------------------------------------------------------------------------------
parallel() { # MPI LAUNCHER
	command -v "mpicc.$1" >/dev/null || { skip "MPI: $1" "not here" && return; }
	"$gaspcc" --inst-functions "mpicc.$1" -O1 -Wno-stringop-overflow -o late "$programs/late.c"
	recorded 0 --except=file:work.h,function:combine -- "$2" -np 2 ./late
	is "$1: functions; now(), work() and combine() are left out" "$(counts | sed 's/;.*//')" "main 2, refine 24, step 24"
	# combine() 12 times, work() 12, now() 24 by refine(), on each of two ranks; now() in work() more often, by the clock.
	ok "$1: they are counted" [ "$(sql run.db "SELECT sum(masked) >= 2 * 2 * (12 + 12 + 24) FROM recording")" = 1 ]
	is "$1: MPI's calls are there" "$(sql run.db "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.name = 'MPI_Allreduce'")" 24
	recorded 0 --only=model:functions -- "$2" -np 2 ./late
	is "$1: functions only" "$(sql run.db "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.type <> 'function'")" 0
	recorded 0 --only=model:mpi -- "$2" -np 2 ./late
	is "$1: MPI only" "$(sql run.db "SELECT group_concat(n, ', ') FROM (SELECT o.name || ' ' || count(*) AS n FROM event e
		JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id WHERE o.type <> 'init' AND o.type <> 'finalize'
		GROUP BY o.name ORDER BY 1)")" "MPI_Allreduce 24, MPI_Barrier 2"
}
parallel openmpi mpirun.openmpi
parallel mpich mpiexec.hydra

# --- user events ------------------------------------------------------------------------------------------------------
# gasp_phases has three events of each of "step", "inner", "mark" recorded, and five raw ones in a step.
events() { # EXPECTED OPTION...
	recorded 0 "${@:2}" -- "$O/programs/gasp_phases"
	is "${*:2}: user events" "$(sql run.db "SELECT (SELECT group_concat(n, ', ') FROM (SELECT o.name || ' ' || count(*) AS n
		FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id GROUP BY o.name ORDER BY 1))
		|| '; ' || (SELECT masked FROM recording)")" "$1"
}
events "inner 3, mark 3; 6" --except=name:step
events "mark 3; 12" --only=name:mark
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE * INCLUDE s*\nSCOREP_REGION_NAMES_END\n' >rules
recorded 0 --filter=rules -- "$O/programs/gasp_phases"
is "a filter's rules are for them, too" "$(sql run.db "SELECT group_concat(DISTINCT o.name) FROM event e
	JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id")" step
finish
