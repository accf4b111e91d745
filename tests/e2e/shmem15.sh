#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# OpenSHMEM 1.5, by a stand-in for one (tests/shmem15): the database holds what its program says on each line.
. "$(dirname "$0")/../lib.sh"
adapter=shmem15 pes=2 program=tests/shmem15/program.c
. "$(dirname "$0")/../shmem.sh"

# on_pes N: the program on so many PEs, recorded in $TMP/run (run=NAME: there); returns the sum of their statuses
on_pes() {
	local pe status=0 pids=()
	rm -f "$TMP/memory"
	truncate -s 16M "$TMP/memory"
	for ((pe = 0; pe < $1; pe++)); do
		GASPDB_DIR=$TMP/${run:-run} GASPDB_RUN_ID=15 SHMEM15_FILE=$TMP/memory SHMEM15_PES=$1 SHMEM15_PE=$pe \
			timeout 100 "$O/programs/shmem15" >>"$TMP/out" 2>>"$TMP/err" &
		pids+=($!)
	done
	for pe in "${pids[@]}"; do
		wait "$pe" || status=$((status + $?))
	done
	return $status
}

on_pes 2
is "the program's own checks pass" "$? $(cat "$TMP/out" "$TMP/err")" "0 "
import run
is "import succeeds" "$? $(grep -vE '^gaspdb: (.* events|next: )' "$TMP/import")" "0 "
db=$TMP/run.db
# But those that fit no line.
events run | grep -v ' elements=100 ' >"$TMP/got"
expected run >"$TMP/want"
ok "100 calls are expected" [ "$(wc -l <"$TMP/want")" -ge 100 ]
is "each call has its line, name, type, peer, object and arguments" "$(diff "$TMP/want" "$TMP/got" | head -20)" ""

# runs NAME: of the call on 100 words with that name, how many arguments tell indices, and the last of them
runs() {
	sql "$db" "SELECT t.rank, count(*), max(v.value), (SELECT value FROM event_arg n JOIN argument b ON b.id = n.argument_id
		WHERE n.id >> 6 = e.id AND b.name = '$2')
		FROM event e JOIN thread t ON t.id = e.thread_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		JOIN event_arg v ON v.id >> 6 = e.id JOIN argument a ON a.id = v.argument_id
		WHERE o.name = '$1' AND a.name LIKE 'index%' AND 100 IN (SELECT value FROM event_arg n JOIN argument b ON b.id = n.argument_id
		WHERE n.id >> 6 = e.id AND b.name = 'elements') GROUP BY e.id ORDER BY 1"
}
is "of 50 single words 24 are told" "$(runs shmem_long_test_some indices)" "0|24|47|50
1|24|47|50"
is "so of 50 that are looked at" "$(runs shmem_long_test_all left_out)" "0|24|46|50
1|24|46|50"
is "such a wait is a lower bound" "$(sql "$db" "SELECT count(*) FROM wait w JOIN event e ON e.id = w.event_id
	JOIN event_arg v ON v.id >> 6 = e.id WHERE v.value = 100 AND NOT w.bound")" 0
is "teams by what made them" "$(sql "$db" "SELECT kind, size, (SELECT kind FROM team p WHERE p.id = t.parent_id) FROM team t ORDER BY 1, 2, 3")" \
"active set|1|world
active set|1|world
shared|2|world
split|1|split
split|1|world
split|1|world
split|2|world
split|2|world
world|2|"
is "a signal's data and word are waited for" "$(sql "$db" "SELECT DISTINCT p.name FROM event e JOIN source s ON s.id = e.source_id
	JOIN operation p ON p.id = s.operation_id JOIN completion c ON c.event_id = e.id WHERE p.type IN ('put', 'put_nb') AND c.complete_event_id
	IN (SELECT id FROM named_event WHERE operation = 'shmem_quiet') ORDER BY 1")" "shmem_long_put_signal
shmem_put16_signal_nbi
shmem_putmem_signal"
is "nothing is damaged" "$(sql "$db" "SELECT DISTINCT kind FROM quality WHERE severity <> 'note'")" ""
invariants

# --- --sync-collectives: a sync before each collective of a team, and of an active set of all PEs
GASPDB_SYNC_COLLECTIVES=1 run=synced on_pes 2
is "synchronized, the program's own checks pass" "$? $(cat "$TMP/out" "$TMP/err")" "0 "
import synced
without_numbers() { grep -v ' elements=100 ' | sed -E 's/ sequence=[0-9]+//'; }
alone=$(grep -n 'size, NULL\|, me, 0, 1, NULL' "$TOP/$program" | cut -d: -f1)
events synced | without_numbers >"$TMP/got"
synced=1 expected | grep -v "|$alone|shmem_sync" | without_numbers >"$TMP/want"
is "nine syncs are expected of each PE" "$(grep -c "^0.*(sync)" "$TMP/want")" 9
is "each has its line and its team" "$(diff "$TMP/want" "$TMP/got" | head -20)" ""
is "an active set of some PEs has none, which is said" "$(sql "$TMP/synced.db" "SELECT kind, detail FROM quality
	WHERE kind IN ('program synchronized', 'limits of the runtime') ORDER BY 1")" \
"limits of the runtime|--sync-collectives: collectives of some active sets had no sync, for this OpenSHMEM has none without an array of the program's
program synchronized|"
invariants
finish
