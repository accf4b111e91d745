#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How OpenSHMEM programs start and end, threads, and recording that is switched off for a while.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shmem.sh"

# --- a program without an end ---
record old
is "start_pes: the program succeeds" "$? $(cat "$TMP/out" "$TMP/err")" "0 "
import old
is "start_pes: its logs are whole" "$? $(sql "$TMP/old.db" "SELECT count(*), min(complete) FROM thread")" "0 4|1"
expected old >"$TMP/want"
events old | grep -v 'end of the program' >"$TMP/got"
is "start_pes: its calls" "$(diff "$TMP/want" "$TMP/got")" ""
is "start_pes: its end, without the runtime's own barrier" \
	"$(sql "$TMP/old.db" "SELECT o.name, o.symbol, e.open, count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.type = 'finalize' GROUP BY 1, 2, 3")" \
	"end of the program|GASP_SHMEM_FINALIZE|1|4"

# --- global exit ---
for how in global_exit globalexit; do
	record exit ${how#global_exit}
	is "$how: the status is passed on" $? 5
	import exit
	is "$how: import says that logs have no end" $? 3
	like "$how: it calls them PEs" "$(cat "$TMP/import")" "^gaspdb: .*\.gasplog \(PE [023]\): no end block"
	is "$how: the PE that called it has one" "$(sql "$TMP/exit.db" "SELECT complete FROM thread WHERE rank = 1")" 1
	is "$how: its event, with the status" "$(sql "$TMP/exit.db" "SELECT t.rank, o.type, a.name, v.value, e.open FROM event e
		JOIN thread t ON t.id = e.thread_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		JOIN event_arg v ON v.id >> 6 = e.id JOIN argument a ON a.id = v.argument_id
		WHERE o.symbol = 'GASP_SHMEM_GLOBAL_EXIT'")" "1|exit|status|5|1"
	is "$how: what the others had done is there" "$(sql "$TMP/exit.db" "SELECT count(*), sum(e.open) FROM event e
		JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		WHERE o.name = 'shmem_barrier_all' AND e.thread_id IN (SELECT id FROM thread WHERE rank <> 1)")" "6|3"
	rm -r "$TMP/exit" "$TMP/exit.db"
done

# --- threads ---
record threads
is "threads: the program succeeds" $? 0
import threads
is "threads: import succeeds" $? 0
is "threads: each has its log" "$(sql "$TMP/threads.db" "SELECT number, count(*), min(complete) FROM thread GROUP BY number")" "0|4|1
1|4|1
2|4|1"
is "threads: each one's puts, on a context of its own, and on the default one" \
	"$(sql "$TMP/threads.db" "SELECT o.name, n, sum(c), count(DISTINCT context) FROM
	(SELECT s.operation_id AS op, e.thread_id AS t, count(*) AS c, count(*) / 10 * 10 AS n, t.rank || '/' || v.value AS context
	 FROM event e JOIN thread t ON t.id = e.thread_id JOIN source s ON s.id = e.source_id
	 JOIN event_arg v ON v.id >> 6 = e.id JOIN argument a ON a.id = v.argument_id AND a.name = 'context'
	 WHERE e.bytes = 8 GROUP BY 1, 2, 5) JOIN operation o ON o.id = op GROUP BY 1, 2 ORDER BY 1, 2")" \
	"shmem_ctx_long_p|10|40|4
shmem_ctx_long_p|20|80|4
shmem_long_p|0|12|4"
is "threads: a context has one number from creation to end" \
	"$(sql "$TMP/threads.db" "SELECT count(*), count(DISTINCT context), min(n), max(n) FROM (SELECT t.rank || '/' || v.value AS context, count(*) AS n
	 FROM event e JOIN thread t ON t.id = e.thread_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	 JOIN event_arg v ON v.id >> 6 = e.id JOIN argument a ON a.id = v.argument_id AND a.name = 'context'
	 WHERE o.name IN ('shmem_ctx_create', 'shmem_ctx_quiet', 'shmem_ctx_destroy') GROUP BY 1)")" "12|12|3|3"
is "threads: the level" "$(sql "$TMP/threads.db" "SELECT DISTINCT value FROM thread_meta WHERE key = 'thread_level'")" multiple

# --- switched off for a while ---
record control
is "control: the program succeeds" $? 0
import control
is "control: import succeeds" $? 0
same "control: collectives are counted while recording is off" control
is "control: shmem_ptr is owned up to" "$(sql "$TMP/control.db" "SELECT kind, count(*) > 0 FROM quality WHERE detail LIKE '%shmem_ptr%'")" "calls not seen|1"

# --- linked with the adapter ---
oshcc -std=gnu2x -g -O1 -o "$TMP/linked" "$TOP/tests/programs/shmem_old.c" -L"$O" -lgaspdb-oshmem -lgaspdb -Wl,-rpath,"$O"
GASPDB_DIR=$TMP/alone timeout 60 oshrun -np 4 "$TMP/linked"
is "linked: the program succeeds" $? 0
timeout 60 "$gaspdb" record -o "$TMP/both" -- oshrun -np 4 "$TMP/linked" 2>"$TMP/both.err"
is "linked, and recorded too: the program succeeds" $? 0
like "record calls the members of the run PEs" "$(cat "$TMP/both.err")" "^gaspdb: recorded 4 PEs, "
for how in alone both; do
	import $how
	is "$how: each call once" "$(events $how | grep -v 'end of the program' | diff <(expected old) -)" ""
done

# --- a run directory that cannot be written ---
GASPDB_DIR=/proc/self/none LD_PRELOAD=$O/libgaspdb-preload.so \
	timeout 60 oshrun -np 4 "$O/programs/oshmem/shmem_families" >"$TMP/out" 2>"$TMP/err"
is "unwritable: the program is as without us" "$? $(cat "$TMP/out")" "0 "
is "unwritable: one line a process" "$(grep -c '^gaspdb: nothing is recorded: ' "$TMP/err") $(wc -l <"$TMP/err")" "4 4"

# --- Open MPI's crash in shmem_finalize, which tests/run switches off for all ---
unset OMPI_MCA_opal_common_ucx_opal_mem_hooks
timeout 60 oshrun -np 4 "$O/programs/oshmem/shmem_control" >/dev/null 2>&1
if [ $? -eq 139 ]; then
	rm -r "$TMP/control"
	record control
	is "the runtime's crash in shmem_finalize is none under the collector" $? 0
else
	skip "the runtime's crash in shmem_finalize" "this one does not crash"
fi
invariants
finish
