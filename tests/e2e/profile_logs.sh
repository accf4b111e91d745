#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Profiles in logs, as tests/reference/log_profile.py reads them: counts and bytes by the programs' construction, and those of a
# trace; their size; kills; both; forks; buffered logs.
# Long.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
. "$TOP/tests/logs.sh"
cd "$TMP" || exit 1
reader="python3 $TOP/tests/reference/log_profile.py"

# profiled DIR COMMAND...: record a profile
profiled() {
	rm -rf "$1"
	timeout 100 "$gaspdb" record --mode="${mode:-profile}" ${options:-} -o "$@" >out 2>err
}
# linked DIR ARGUMENT...: the same of gasp_profile without record
linked() {
	rm -rf "$1"
	GASPDB_MODE=${mode:-profile} GASPDB_DIR=$PWD/$1 timeout 100 "$O/programs/gasp_profile" "${@:2}" >out 2>err
}
# nodes DIR: path count bytes failed open, a line a path of operations
nodes() {
	$reader "$1"/*.gasplog | awk -F'\t' '{ c[$2] += $3; b[$2] += $6; f[$2] += $7; o[$2] += $9 }
		END { for (p in c) print p, c[p], b[p], f[p], o[p] }' | LC_ALL=C sort
}

# --- counts by construction, and the size ------------------------------------------------------------------------------------
expected() { # STEPS
	printf '%s\n' "step $1 0 0 0" "step>mark $1 0 0 0" "step>shared write $1 $((8 * $1)) 0 0" \
		"step>upc_lock_attempt $((3 * $1)) 0 $((2 * $1)) 0" "step>upc_memget $(($1 / 10)) $((10 * $1)) 0 0"
}
linked small steps 1000
is "1,000 steps" "$(nodes small)" "$(expected 1000)"
linked large steps 10000
is "10,000 steps" "$(nodes large)" "$(expected 10000)"
is "their logs have the same size, but for the length of a few numbers" \
	"$(($(stat -c %s large/*.gasplog) - $(stat -c %s small/*.gasplog) < 32))" 1
is "no event is written, and none counted twice" "$(look large 'log.events, log.head["events"], log.head["lost"], log.head["unkept"]')" \
	"0 112000 0 0"
is "the log says that it is a profile, and is whole" "$(look large 'log.meta["mode"], log.whole')" "profile True"
is "times are consistent" "$(look large 'all(n["least"] <= n["total"] / n["count"] <= n["most"] and n["child"] <= n["total"]
	and n["squares"] >= n["total"] ** 2 / n["count"] * (1 - 1e-9) for n in log.nodes.values())')" True
is "traffic has each call" "$($reader --traffic large/*.gasplog | awk -F'\t' '{ c[$2 " " $4 " " $5] += $6; b[$2 " " $4 " " $5] += $7 }
	END { for (p in c) print p, c[p], b[p] }' | LC_ALL=C sort)" "step>shared write 4 0 10000 80000
step>upc_memget 7 1 1000 100000"

# --- shapes ------------------------------------------------------------------------------------------------------------------
linked wide wide 2000
is "nodes of several blocks" "$(look wide 'len(log.nodes), sum(n["count"] for n in log.nodes.values())')" "2000 2000"
linked beyond wide 40000
is "calls beyond the limit are one counted node" "$(look beyond 'len(log.nodes), sum(n["count"] for n in log.nodes.values()),
	[n["count"] for n in log.nodes.values() if not n["site"]], log.head["lost"]')" "32704 40000 [7297] 0"
linked deep deep 600
is "a recursion has a node a depth" "$(look deep 'len(log.nodes), max(log.path(n).count(">") for n in log.nodes)')" "600 599"
linked deeper deep 40000
is "one beyond the limit, too, is counted" "$(look deeper 'sum(n["count"] for n in log.nodes.values())')" 40000
linked cross cross
is "pairs that cross, or lack a part" "$(nodes cross)" "step 0 0 0 1
step>shared write 1 8 0 0
upc_fence 1 0 0 0
upc_fence>upc_barrier 1 0 0 0
upc_fence>upc_barrier>shared write 1 8 0 0"
is "an end without a start is counted" "$(look cross 'log.head["lost"]')" 1
linked forks forks
is "a forked child has a log of its own" "$(for log in forks/*.gasplog; do $reader "$log" | awk -F'\t' '$2 == "step" { n += $3 } END { print n }'; done |
	sort)" "2
3"
linked hang hang
is "a killed hang shows where" "$(nodes hang)" "step 0 0 0 1
step>shared write 1 8 0 0
step>upc_barrier 0 0 0 1"
if [ -r "$O/programs/poor_fs.so" ]; then
	LD_PRELOAD=$O/programs/poor_fs.so linked poor steps 1000
	is "a log that is not mapped" "$(nodes poor)" "$(expected 1000)"
	LD_PRELOAD=$O/programs/poor_fs.so linked poor wide 2000
	is "several blocks of it" "$(look poor 'len(log.nodes), log.whole')" "2000 True"
fi

# --- kills -------------------------------------------------------------------------------------------------------------------
seed=${SEED:-$RANDOM}
linked killed kills "$seed" 100 3
is "100 kills at random moments leave all calls that had returned, and at most one more (seed $seed)" "$(python3 - \
	"$TOP/tests/reference" out killed/*.gasplog <<-'END'
	import sys
	sys.path.insert(0, sys.argv[1])
	from log_profile import Log
	returned = {int(l.split()[0]): l.split()[1:] for l in open(sys.argv[2])}
	logs = 0
	for path in sys.argv[3:]:
	    log = Log(path)
	    steps, puts = map(int, returned[log.number("I", 44)])
	    of = lambda end: [n for i, n in log.nodes.items() if log.path(i).endswith(end)]
	    counted = sum(n["count"] for n in of("step")), sum(n["count"] for n in of("write"))
	    moved = sum(n["bytes"] for n in of("write"))
	    torn = sum(n["torn"] for n in log.nodes.values())
	    if not (0 <= counted[0] - steps <= 1 and 0 <= counted[1] - puts <= 1):
	        print("counts", path, counted, steps, puts)
	    if not (0 <= moved - 8 * counted[1] <= 8 and torn <= 2):
	        print("bytes", path, moved, counted, torn)
	    logs += 1
	print(logs)
END
)" 300

# --- the same as a trace of the same program -----------------------------------------------------------------------------------
names="event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id"
# alike WHAT COMMAND...: counts and bytes by operation
alike() {
	local what=$1
	shift
	rm -rf traced traced.db
	timeout 100 "$gaspdb" record -o traced "$@" >/dev/null 2>&1
	"$gaspdb" import traced -o traced.db >/dev/null 2>&1
	profiled run "$@"
	is "$what: counts and bytes are those of a trace" "$($reader run/*.gasplog | awk -F'\t' '{ n = split($2, part, ">"); c[part[n]] += $3 + $9; b[part[n]] += $6 }
		END { for (p in c) print p "|" c[p] "|" b[p] }' | LC_ALL=C sort)" \
		"$(sql traced.db "SELECT o.name, count(*), sum(coalesce(bytes, 0)) FROM $names GROUP BY o.name" | LC_ALL=C sort)"
}
for pair in openmpi:mpirun.openmpi mpich:mpiexec.hydra; do
	mpi=${pair%:*} launcher=${pair#*:}
	command -v "$launcher" >/dev/null && [ -d "$O/programs/$mpi" ] || continue
	for program in mpi_imbalance mpi_neighbors mpi_values mpi_teams; do
		alike "$mpi, $program" -- timeout 80 "$launcher" -np 4 "$O/programs/$mpi/$program"
	done
done
if [ -d "$O/programs/oshmem" ]; then
	alike "OpenSHMEM" -- timeout 80 oshrun -np 4 "$O/programs/oshmem/shmem_families"
fi

# --- both --------------------------------------------------------------------------------------------------------------------
if [ -x "$O/programs/gasp_phases" ]; then
	mode=both options=--phase=step:2 profiled both -- "$O/programs/gasp_phases"
	is "both: the profile has all, recorded or not" "$(nodes both)" "step 4 0 0 0
step>inner 4 0 0 0
step>mark 4 0 0 0"
	is "and says what is in the trace, too" "$(look both 'sum(n["written"] for n in log.nodes.values()), log.events')" "3 5"
	options=--phase=step:2 profiled phases -- "$O/programs/gasp_phases"
	is "a profile has the same windows as a trace" "$(nodes phases)" "step 1 0 0 0
step>inner 1 0 0 0
step>mark 1 0 0 0"
fi

# --- functions, with those that a longjmp leaves --------------------------------------------------------------------------------
cat >functions.c <<'END'
#include <setjmp.h>
static jmp_buf back;
static volatile int sum;
static void f(int n) { sum++; if (n) f(n - 1); sum++; }
static void h(void) { sum++; longjmp(back, 1); }
static void g(void) { sum++; h(); sum++; }
static void w(void) { if (!setjmp(back)) g(); sum++; }
int main(void)
{
	for (volatile int i = 0; i < 100; i++)
		f(3);
	for (volatile int i = 0; i < 50; i++)
		w();
	f(0);
	return 0;
}
END
if gcc -g -O0 -fno-optimize-sibling-calls -finstrument-functions -o functions functions.c; then
	by_depth='sorted((d, sum(n["count"] for i, n in log.nodes.items() if log.path(i).count(">") == d)) for d in range(5))'
	profiled run -- ./functions
	is "functions: calls by depth" "$(look run "$by_depth")" "[(0, 1), (1, 151), (2, 150), (3, 150), (4, 100)]"
	mode=both profiled run -- ./functions
	is "functions in both" "$(look run "$by_depth, log.events")" "[(0, 1), (1, 151), (2, 150), (3, 150), (4, 100)] 1104"
	mode=both options=--start=off profiled run -- ./functions
	is "functions while the trace is off" "$(look run "$by_depth, log.events")" "[(0, 1), (1, 151), (2, 150), (3, 150), (4, 100)] 0"
	mode=both options=--throttle=50,1s profiled run -- ./functions
	is "throttled ones are in the profile all the same" "$(look run "$by_depth")" "[(0, 1), (1, 151), (2, 150), (3, 150), (4, 100)]"
else
	skip "functions" "no gcc"
fi

# --- limits -------------------------------------------------------------------------------------------------------------------
GASPDB_MAX_LOG_SIZE=256K linked full wide 40000
is "at the size limit the profile goes on" "$(look full 'sum(n["count"] for n in log.nodes.values()), log.meta["end"], log.head["lost"]')" \
	"40000 size limit 0"
is "the log keeps the limit" "$(($(stat -c %s full/*.gasplog) <= 262144))" 1

# --- barriers before collectives -------------------------------------------------------------------------------------------------
synchronized() { # MPI LAUNCHER
	options=--sync-collectives profiled run -- timeout 80 "$2" -np 4 "$O/programs/$1/mpi_imbalance"
	is "$1: a barrier is timed before each collective" "$(nodes run | grep -cE "^MPI_Barrier \(sync\) 96 |^MPI_Allreduce 96 ")" 2
	rm -rf traced traced.db
	timeout 100 "$gaspdb" record --sync-collectives -o traced -- timeout 80 "$2" -np 4 "$O/programs/$1/mpi_imbalance" >/dev/null 2>&1
	"$gaspdb" import traced -o traced.db >/dev/null 2>&1
	is "$1: in a trace, too, and the database says so" "$(sql traced.db "SELECT count(*), (SELECT count(*) FROM quality WHERE kind = 'program synchronized')
		FROM $names WHERE o.name = 'MPI_Barrier (sync)'")" "96|1"
}
each_mpi mpi_imbalance synchronized

# --- the option ----------------------------------------------------------------------------------------------------------------
"$gaspdb" record --mode=some -o refused -- true 2>err
is "another mode is refused" "$? $(head -1 err)" "2 gaspdb: record: 'some' is not trace, profile or both"
GASPDB_MODE=some GASPDB_DIR=$PWD/ignored "$O/programs/gasp_profile" steps 1 2>err
like "in the environment it is ignored, and said" "$(cat err)" "^gaspdb: GASPDB_MODE=some is ignored: it is not profile, trace or both$"
finish
