#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Databases of traces that go on as profiles: sums are those of a whole trace of the same program, wherever the trace ends; what is over
# time ends with the trace, and is said. Long.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
. "$TOP/tests/sums.sh"
cd "$TMP" || exit 1

# made LIMIT NAME COMMAND...: NAME.db; no limit: ""
made() {
	rm -rf "$2" "$2.db"
	timeout 100 "$gaspdb" record ${1:+--max-log-size=$1} ${options:-} -o "$2" -- "${@:3}" >out 2>&1
	timeout 100 "$gaspdb" import "$2" -o "$2.db" 2>import
	is "$2${1:+, $1}: import" "$? $(grep -c 'damaged\|undefined' import)" "${status:-0} 0"
}
# What must hold of one, whatever the program. consistent NAME
consistent() {
	local rest="(SELECT thread_id, CAST(value AS INTEGER) AS ns FROM thread_meta WHERE key = 'profile_from_ns')"
	is "$1: categories sum up to each thread's time" "$(sql "$1.db" "SELECT count(*) FROM thread t WHERE last_ns - first_ns <>
		(SELECT sum(time_ns) FROM category_time c WHERE c.thread_id = t.id)")" 0
	is "$1: the rest is a gap of each thread" "$(sql "$1.db" "SELECT count(*) FROM $rest r JOIN thread t ON t.id = r.thread_id
		WHERE NOT EXISTS (SELECT 1 FROM gap g WHERE g.thread_id = r.thread_id AND g.kind = 'size limit' AND (g.start_ns, g.end_ns) = (r.ns, t.last_ns))")" 0
	is "$1: and has no events, waits and bins" "$(sql "$1.db" "SELECT (SELECT count(*) FROM event e JOIN $rest r USING (thread_id) WHERE start_ns + duration_ns > ns),
		(SELECT count(*) FROM wait w JOIN $rest r USING (thread_id) WHERE end_ns > ns),
		(SELECT total(time_ns) FROM thread_bin b JOIN $rest r USING (thread_id) WHERE category = 'not recorded') -
		(SELECT total(end_ns - start_ns) FROM gap WHERE kind <> 'tool')")" "0|0|0.0"
	is "$1: it is said of each, with the time" "$(sql "$1.db" "SELECT count(*) FROM $rest r WHERE NOT EXISTS (SELECT 1 FROM quality q JOIN thread t ON t.id = q.thread_id
		WHERE q.kind = 'size limit' AND q.thread_id = r.thread_id AND q.time_ns = t.last_ns - r.ns)")" 0
	is "$1: no call is longer than its thread" "$(sql "$1.db" "SELECT count(*) FROM profile p JOIN thread t ON t.id = p.thread_id WHERE max_ns > last_ns - first_ns")" 0
	is "$1: it is a trace" "$(sql "$1.db" "SELECT count(*) FROM meta WHERE key = 'mode'")" 0
	invariants_of "$1.db"
}
# alike NAME THREADS COMMAND...: of a deterministic program, of which so many threads reach the limits
alike() {
	local one run=$1 limit what
	one() { is "$run, $limit: $1" "$(sql "$run.db" "$2")" "$(sql whole.db "$2")"; }
	made "" whole "${@:3}"
	for limit in 256K 384K; do
		made $limit "$run" "${@:3}"
		is "$run, $limit: traces that go on" "$(sql "$run.db" "SELECT count(*) FROM thread_meta WHERE key = 'profile_from_ns'")" "$2"
		each_sum one
		one "raw events" "SELECT thread_id, raw_events FROM recording ORDER BY 1"
		consistent "$run"
	done
}

mpi() { alike "$1" 2 "$2" -np 2 "$O/programs/$1/mpi_rest" 2000; }
each_mpi mpi_rest mpi
if [ -x "$O/programs/oshmem/shmem_rest" ]; then
	alike oshmem 2 oshrun -np 2 "$O/programs/oshmem/shmem_rest" 10000
else
	skip "OpenSHMEM" "not here"
fi

# --- functions, recursion across the trace's end ---------------------------------------------------------------------------------
cat >functions.c <<'END'
#include <stdlib.h>
static volatile int sum;
static void f(int n) { sum++; if (n) f(n - 1); sum++; }
static void g(int n) { f(2); sum += n; }
static void work(int n) { for (int i = 0; i < n; i++) { f(3); g(i); } }
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
	options=--throttle=off alike functions 1 ./hooks 10000
	is "functions that were open are whole calls" "$(sql functions.db "SELECT function, calls, open, total_ns <= max_ns + min_ns AND inner_ns > 0
		FROM profile JOIN place USING (source_id) WHERE function IN ('main', 'down') ORDER BY 1")" "down|8|0|0
main|1|0|0"
	is "main() is the thread's longest call" "$(sql functions.db "SELECT max_ns = total_ns AND max_ns >= (SELECT max(max_ns) FROM profile)
		FROM profile JOIN place USING (source_id) WHERE function = 'main'")" 1
else
	skip "functions" "no gcc"
fi

# --- a phase and a barrier across the trace's end; a killed program ------------------------------------------------------------------
# Programs that are linked with the collector.
linked() {
	rm -rf "$2" "$2.db"
	GASPDB_MAX_LOG_SIZE=$1 GASPDB_DIR=$PWD/$2 timeout 100 "${@:3}" >out 2>err
	timeout 100 "$gaspdb" import "$2" -o "$2.db" 2>import
}
linked 256K across "$O/programs/gasp_profile" across 30000
is "calls that end after the trace are one call each" "$(sql across.db "SELECT operation, calls, open, min_ns = max_ns AND max_ns = total_ns
	FROM profile JOIN place USING (source_id) WHERE operation <> 'shared write' ORDER BY 1")" "step|1|0|1
upc_barrier|1|0|1"
is "and no call that never ended" "$(sql across.db "SELECT (SELECT count(*) FROM open_call), (SELECT count(*) FROM quality WHERE kind = 'open event')")" "0|0"
consistent across
linked 256K named "$O/programs/gasp_profile" functions 30000
is "a function that events name is one line with the profile's" "$(sql named.db "SELECT s.function, count(*), sum(calls) FROM profile JOIN source s ON s.id = source_id
	GROUP BY 1 ORDER BY 1")" "inner|1|30000
outer|1|30000"
linked 256K threads "$O/programs/gasp_profile" threads 4000
is "threads: steps of each" "$(sql threads.db "SELECT sum(calls) FROM profile JOIN place USING (source_id) WHERE operation = 'step' GROUP BY thread_id ORDER BY 1")" "4000
8000
12000
16000"
consistent threads
GASPDB_IMPORT_BY_INSERTS=1 timeout 100 "$gaspdb" import threads -o inserts.db 2>import
is "SQLite's inserts make the same sums" "$(sql inserts.db "SELECT * FROM size_total UNION ALL SELECT thread_id, source_id, calls, total_ns, bytes FROM profile ORDER BY 1, 2, 3")" \
	"$(sql threads.db "SELECT * FROM size_total UNION ALL SELECT thread_id, source_id, calls, total_ns, bytes FROM profile ORDER BY 1, 2, 3")"
if [ -x "$O/tests/swaplog" ]; then
	cp -r threads swapped && "$O/tests/swaplog" swapped/*.gasplog
	timeout 100 "$gaspdb" import swapped -o swapped.db 2>import
	is "big-endian logs make the same sums" "$(sql swapped.db "SELECT thread_id, source_id, calls, total_ns, max_ns, bytes FROM profile ORDER BY 1, 2")" \
		"$(sql threads.db "SELECT thread_id, source_id, calls, total_ns, max_ns, bytes FROM profile ORDER BY 1, 2")"
fi

# --- what is said ------------------------------------------------------------------------------------------------------------------
"$gaspdb" report threads.db >report 2>err
ok "the report says where the trace ended" grep -q "since then sums of calls" <(tr -s ' \n' ' ' <report)
ok "quality does" grep -q "its trace ends there" <("$gaspdb" analyze quality threads.db)
is "no advice for another mode" "$("$gaspdb" analyze quality threads.db | grep -c -- --mode)" 0
is "ideal time is not known" "$("$gaspdb" analyze pop --format=csv threads.db | grep -c 'serialization,,')" 1
"$gaspdb" report threads.db --html page.html 2>err
is "the page is made" $? 0
finish
