#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Traces that end at a size limit, and the profiles that go on in their place, as tests/reference/log_profile.py reads them: each call
# is counted once, wherever the trace ends.
# Long.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
. "$TOP/tests/logs.sh"
cd "$TMP" || exit 1

# limited LIMIT DIR COMMAND...: of programs that are linked with the collector
limited() {
	rm -rf "$2"
	GASPDB_MAX_LOG_SIZE=$1 GASPDB_DIR=$PWD/$2 timeout 100 "${@:3}" >out 2>err
}
# recorded LIMIT DIR COMMAND...: of others
recorded() {
	rm -rf "$2"
	timeout 100 "$gaspdb" record ${1:+--max-log-size=$1} ${options:-} -o "$2" -- "${@:3}" >out 2>err
}
# Calls by operation and rank, of trace and profile together.
counts='"\n".join(sorted("%s %s %d" % (l.meta.get("rank"), name, n) for l in logs for name, n in l.whole_counts().items()))'
# How many traces have ended, whether all logs are whole and none says that it is full, and events that no log has.
state='sum(bool(l.head and l.head["from"]) for l in logs), all(l.whole for l in logs), "size limit" in [l.meta["end"] for l in logs],
	sum(l.head["lost"] for l in logs if l.head)'
# fits LIMIT DIR: how many logs exceed it
exceed() { find "$2" -name '*.gasplog' -size +"$1"c | wc -l; }

# --- a phase, puts, attempts, by construction --------------------------------------------------------------------------------
# A trace counts the two attempts in vain as one call.
step_counts='[log.whole_counts()[k] for k in ("step", "shared write", "mark", "upc_memget")]'
for limit in 256K 384K 1M; do
	limited $limit steps "$O/programs/gasp_profile" steps 40000
	is "$limit: each call is counted once" "$(look steps "$step_counts")" "[40000, 40000, 40000, 4000]"
	is "$limit: the trace has ended, and the log is whole" "$(look steps "$state, log.meta.get('mode')")" "1 True False 0 None"
	is "$limit: it is kept" "$(exceed "$(numfmt --from=iec $limit)" steps)" 0
done
like "that is said" "$(cat err)" "^gaspdb: a trace ends: log '/.*gasplog' has reached the limit of 1048576 bytes; a profile goes on$"
ok "and marked" [ -e steps/size-limit ]
is "the profile begins where the trace ends" "$(look steps 'log.last_event <= log.head["from"] < log.head["first"] < log.head["last"]')" True
is "times are consistent" "$(look steps 'all(n["child"] <= n["total"] and (not n["count"] or n["least"] <= n["total"] / n["count"] <= n["most"])
	for n in log.nodes.values() if not n["carried"])')" True

# --- calls that are open where the trace ends ----------------------------------------------------------------------------------
across='[(log.path(i), n["count"], n["carried"], n["child"] <= n["total"]) for i, n in log.nodes.items() if n["carried"]]'
limited 256K across "$O/programs/gasp_profile" across 30000
is "a phase and a barrier across it: calls" "$(look across 'sorted(log.whole_counts().items())')" \
	"[('shared write', 90000), ('step', 1), ('upc_barrier', 1)]"
is "both began in the trace, and end after it" "$(look across "log.open == [('step', log.open[0][1]), ('upc_barrier', log.open[1][1])], $across")" \
	"True [('upc_barrier', 0, 1, True), ('step', 0, 1, True)]"
is "what is in them is theirs" "$(look across '(lambda t, c: t["upc_barrier"] + t["late"] <= c["step"] + log.head["tool"] and c["step"] <= t["step"])(
	{**{log.name(n): n["total"] for n in log.nodes.values()}, "late": sorted(n["total"] for n in log.nodes.values() if log.name(n) == "shared write")[0]},
	{log.name(n): n["child"] for n in log.nodes.values()})')" True
limited 256K deep "$O/programs/gasp_profile" deep 60000
is "a recursion: all of its calls began in the trace, or after it" "$(look deep 'log.whole_counts(), sum(n["carried"] for n in log.nodes.values()),
	len(log.open) > 0')" "{'upc_fence': 60000} $(look deep 'len(log.open)') True"
limited 256K named "$O/programs/gasp_profile" functions 30000
is "functions of UPC have their names" "$(look named 'log.whole_counts(), {log.strings[log.functions[n["site"]]] for n in log.nodes.values()
	if n["count"] > 1} == {"inner", "outer"}')" "{'function': 60000} True"

# --- threads, processes, logs that are not mapped, and kills --------------------------------------------------------------------
limited 256K threads "$O/programs/gasp_profile" threads 4000
is "each thread's trace ends on its own" "$(look threads "sorted(l.whole_counts().get('step', 0) for l in logs), $state")" \
	"[0, 4000, 8000, 12000, 16000] 4 True False 0"
limited 256K forks "$O/programs/gasp_profile" forks 10000
is "a child has a trace of its own, and a limit" "$(look forks "sorted(l.whole_counts()['step'] for l in logs), $state")" \
	"[20000, 30000] 2 True False 0"
if [ -r "$O/programs/poor_fs.so" ]; then
	LD_PRELOAD=$O/programs/poor_fs.so limited 256K poor "$O/programs/gasp_profile" steps 40000
	is "a log that is not mapped" "$(look poor "$step_counts, $state")" "[40000, 40000, 40000, 4000] 1 True False 0"
	is "keeps the limit" "$(exceed 262144 poor)" 0
fi
seed=${SEED:-$RANDOM}
limited 256K killed "$O/programs/gasp_profile" kills "$seed" 60 3
is "60 kills at random moments lose no call that had returned (seed $seed)" "$(python3 - \
	"$TOP/tests/reference" out killed/*.gasplog <<-'END'
	import sys
	sys.path.insert(0, sys.argv[1])
	from log_profile import Log
	returned = {int(l.split()[0]): l.split()[1:] for l in open(sys.argv[2])}
	ended = 0
	for path in sys.argv[3:]:
	    log = Log(path)
	    counts = log.whole_counts()
	    steps, puts = map(int, returned[log.number("I", 44)])
	    # One more step may have begun, and in it one more put; those without a cell are together.
	    if not 0 <= sum(counts.values()) - steps - puts <= 2:
	        print("counts", path, counts, steps, puts)
	    ended += bool(log.head)
	print(len(sys.argv) - 3, ended > 20)
END
)" "180 True"

# --- the reserve is used up ------------------------------------------------------------------------------------------------------
limited 256K wide "$O/programs/gasp_profile" wide 40000
is "calls at more lines than the reserve holds are one node" "$(look wide 'sum(log.whole_counts().values()),
	[n["count"] > 0 for n in log.nodes.values() if not n["site"]], log.head["lost"]')" "40000 [True] 0"
is "the limit is kept" "$(exceed 262144 wide)" 0

# --- the disk is full before the reserve: a file may have 470 KiB of the 512 ----------------------------------------------------------
rm -rf small small.db
(ulimit -f 470 && GASPDB_MAX_LOG_SIZE=512K GASPDB_DIR=$PWD/small timeout 60 "$O/programs/gasp_profile" steps 40000 >out 2>err)
is "a full disk in place of the profile: the program's end is its own" "$? $(wc -l <err)" "0 1"
like "the cause is said" "$(cat err)" "^gaspdb: recording stops: log '/.*gasplog': File too large$"
is "the trace is whole" "$(look small 'log.whole, log.head, log.calls["step"].count > 5000')" "True None True"
imports small -o small.db 2>import
is "the import misses the rest, and says why" "$? $(sql small.db "SELECT kind, detail LIKE '%File too large%' FROM quality WHERE severity = 'loss'")" \
	"3 lost events|1"

# --- memory -------------------------------------------------------------------------------------------------------------------------
cat >memory.c <<'END'
#include <stdlib.h>
static void *volatile kept;
static void take(int n) { for (volatile int i = 0; i < n; i++) free(kept = malloc(100)); }
int main(int argc, char **argv)
{
	(void)argc;
	for (volatile int i = 0; i < atoi(argv[1]); i++)
		take(1);
	for (volatile int i = 0; i < 1000; i++)
		kept = malloc(1000);
	return 0;
}
END
if [ -e "$O/libgaspdb-memory.so" ] && gcc -g -O0 -fno-optimize-sibling-calls -finstrument-functions -o memory memory.c; then
	options="--memory --throttle=off" recorded 256K leaks ./memory 50000
	"$gaspdb" import leaks -o leaks.db 2>/dev/null
	is "memory that is lost after the trace's end is known" "$(sql leaks.db "SELECT blocks, frees, leaked, leaked_bytes FROM memory_line
		WHERE blocks >= 1000 ORDER BY blocks" | tr '\n' ' ')$(look leaks "$state")" "1000|0|1000|1000000 50000|50000|0|0 1 True False 0"
else
	skip "memory" "no libgaspdb-memory.so, or no gcc"
fi

# --- functions of C: recursion, longjmp, throttled ones ---------------------------------------------------------------------------
cat >functions.c <<'END'
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf back;
static volatile int sum;
static void f(int n) { sum++; if (n) f(n - 1); sum++; }
static void h(void) { sum++; longjmp(back, 1); }
static void g(void) { sum++; h(); sum++; }
static void w(void) { if (!setjmp(back)) g(); sum++; }
static void work(int n)
{
	for (volatile int i = 0; i < n; i++) {
		f(3);
		w();
	}
}
static void down(int n, int depth) { if (depth) down(n, depth - 1); else work(n); sum++; }
int main(int argc, char **argv)
{
	(void)argc;
	down(atoi(argv[1]), 3);
	down(5, 3);
	return 0;
}
END
if gcc -g -O0 -fno-optimize-sibling-calls -finstrument-functions -o hooks functions.c; then
	for throttle in off 15000,1s; do
		options=--throttle=$throttle recorded 256K calls ./hooks 20000
		is "functions, throttle $throttle: each is counted once" "$(look calls "log.whole_counts()['function'] + log.throttled, $state")" \
			"$((1 + 8 + 2 + 20005 * 7)) 1 True False 0"
		is "functions, throttle $throttle: those that were open have their paths" "$(look calls 'sum(n["carried"] for n in log.nodes.values()) >= 6,
			max(log.path(i).count(">") for i in log.nodes), sum(n["open"] > 0 for n in log.nodes.values())')" "True 9 0"
	done
else
	skip "functions" "no gcc"
fi

# --- MPI and OpenSHMEM ------------------------------------------------------------------------------------------------------------
# alike WHAT STEPS PROCESSES COMMAND...: the counts of each rank, at several limits
alike() {
	recorded "" whole "${@:4}" "$2"
	look whole "$counts" >expected
	for limit in 256K 400K; do
		recorded $limit run "${@:4}" "$2"
		is "$1, $limit: counts of each rank are those of a whole trace" "$(look run "$counts")" "$(cat expected)"
		is "$1, $limit: the traces have ended" "$(look run "$state")" "$3 True False 0"
		is "$1, $limit: it is kept" "$(exceed "$(numfmt --from=iec $limit)" run)" 0
	done
	like "$1: record says so" "$(tail -2 err | head -1)" "^gaspdb: not all is traced: a log has reached its size limit"
}
mpi() { alike "$1" 2000 2 timeout 90 "$2" -np 2 "$O/programs/$1/mpi_rest"; }
each_mpi mpi_rest mpi
if [ -x "$O/programs/oshmem/shmem_rest" ]; then
	alike OpenSHMEM 10000 2 timeout 90 oshrun -np 2 "$O/programs/oshmem/shmem_rest"
else
	skip "OpenSHMEM" "not here"
fi

# --- the run's limit --------------------------------------------------------------------------------------------------------------
rm -rf shared
GASPDB_MAX_RUN_SIZE=4M GASPDB_DIR=$PWD/shared timeout 100 "$O/programs/gasp_profile" threads 30000 >out 2>err
is "the run's limit: each call is counted once" "$(look shared "sorted(l.whole_counts().get('step', 0) for l in logs), $state")" \
	"[0, 30000, 60000, 90000, 120000] 4 True False 0"
is "it is kept" "$(($(cat shared/*.gasplog | wc -c) <= 4 << 20))" 1
like "and said" "$(cat err)" "^gaspdb: a trace ends: log '/.*gasplog' has used up its share of the run's limit of 4194304 bytes"

# --- a phase makes the mode both ----------------------------------------------------------------------------------------------------
if [ -x "$O/programs/gasp_phases" ]; then
	options=--phase=step:2 recorded "" phases "$O/programs/gasp_phases"
	is "a phase alone: the rest goes on as a profile" "$(look phases 'log.meta["mode"], log.head["from"], log.events, sum(n["count"] for n in log.nodes.values()
		if log.name(n) == "step")')" "both 0 5 4"
	options="--phase=step:2 --mode=trace" recorded "" phases "$O/programs/gasp_phases"
	is "asked for a trace, it is the windows alone" "$(look phases 'log.meta.get("mode"), log.head, log.events')" "None None 5"
fi
finish
