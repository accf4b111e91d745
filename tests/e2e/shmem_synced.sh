#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# record --sync-collectives with OpenSHMEM: a sync is timed before each collective of an active set, and has the waiting.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shmem.sh"
. "$TOP/tests/faults.sh"

# recorded NAME OPTION...: shmem_NAME's run on 4 PEs ($argument), and its database
recorded() {
	local name=$1 status
	shift
	rm -rf "$TMP/$name"
	timeout 100 "$gaspdb" record --sync-collectives "$@" -o "$TMP/$name" -- oshrun -np 4 "$O/programs/oshmem/shmem_$name" ${argument:-} \
		>"$TMP/out" 2>"$TMP/err"
	status=$?
	is "$name $*: the program succeeds" "$status $(grep -v '^gaspdb: ' "$TMP/err")" "0 "
	"$gaspdb" import -f "$TMP/$name" -o "$TMP/$name.db" 2>"$TMP/import"
	is "$name $*: the database says that the program was synchronized" \
		"$(sql "$TMP/$name.db" "SELECT kind, count(*) FROM quality WHERE severity <> 'note' GROUP BY 1")" "program synchronized|1"
}

# --- every family of calls
recorded families
synced=1 expected families >"$TMP/want"
events families >"$TMP/got"
is "syncs: of 19 collectives of all PEs, and 4 of two" "$(grep -c '(sync)' "$TMP/want")" $((19 * 4 + 4 * 2))
is "each collective has one, of its PEs, and all else is as without" "$(diff "$TMP/want" "$TMP/got" | head -20)" ""
invariants

# calls NAME: of each operation at a line, by PE
calls() {
	sql "$TMP/$1.db" "SELECT t.rank, s.line, o.name, p.calls FROM profile p JOIN thread t ON t.id = p.thread_id
		JOIN source s ON s.id = p.source_id JOIN operation o ON o.id = s.operation_id
		WHERE o.name GLOB '*sync*' OR o.type IN ('broadcast', 'all_to_all') ORDER BY 1, 2, 3"
}
calls families >"$TMP/traced"
recorded families --mode=profile
is "a profile counts what a trace does" "$(calls families | diff "$TMP/traced" - | head -20)" ""

# --- where the waiting is
# spent LINE PE: ms in the sync and in the collective there
spent() {
	sql "$TMP/synced.db" "SELECT sum(total_ns * (o.name GLOB '*(sync)')) / 1e6, sum(total_ns * (o.name NOT GLOB '*(sync)')) / 1e6
		FROM profile p JOIN thread t ON t.id = p.thread_id JOIN source s ON s.id = p.source_id
		JOIN operation o ON o.id = s.operation_id WHERE s.line = $1 AND t.rank = $2" | tr '|' ' '
}
# A PE that waits is in its sync since it came; what it waited is known by the program.  The late one finds all others there.
waits() {
	local set pe seconds line
	recorded synced "$@"
	is "$*: four waited" "$(grep -c '^waited: ' "$TMP/out")" 4
	while read -r _ pe set _ seconds; do
		line=$(line_of shmem_synced "LATE $set")
		ok "$*, set $set: PE $pe waits in the sync and not in the collective ($seconds s; $(spent "$line" "$pe") ms)" \
			awk -v known="$seconds" -v spent="$(spent "$line" "$pe")" 'BEGIN { split(spent, ms, " ")
				exit !(ms[1] > 950 * known && ms[1] < 1300 * known && ms[2] < 400 * known) }'
		ok "$*, set $set: PE 3, which is late, does not wait ($(spent "$line" 3) ms)" \
			awk -v known="$seconds" -v spent="$(spent "$line" 3)" 'BEGIN { exit !(0 + spent < 400 * known) }'
	done < <(grep '^waited: ' "$TMP/out")
}
waits --mode=trace
waits --mode=profile

# --- a PE that cannot write its log takes part
cat >"$TMP/without" <<-'END'
	#!/bin/sh
	[ "$OMPI_COMM_WORLD_RANK" = 1 ] && export GASPDB_DIR=/proc/none
	exec "$@"
END
chmod +x "$TMP/without"
timeout 100 "$gaspdb" record --sync-collectives -o "$TMP/three" -- oshrun -np 4 "$TMP/without" "$O/programs/oshmem/shmem_synced" >"$TMP/out" 2>&1
is "one PE without a log: the program succeeds" "$? $(grep -c '^waited: ' "$TMP/out") $(ls "$TMP/three" | grep -c 'gasplog$')" "0 4 3"
"$gaspdb" import "$TMP/three" -o "$TMP/three.db" 2>/dev/null
is "one PE without a log: the others have their syncs" "$(sql "$TMP/three.db" "SELECT t.rank, sum(p.calls) FROM profile p
	JOIN thread t ON t.id = p.thread_id JOIN source s ON s.id = p.source_id JOIN operation o ON o.id = s.operation_id
	WHERE o.name GLOB '*(sync)' GROUP BY 1")" $'0|6\n2|6\n3|12'

# --- threads with sets of their own: the sums are right
argument=100 recorded synced_threads
is "each call of each thread has its sync" "$(sql "$TMP/synced_threads.db" "SELECT t.rank % 2, o.name, sum(p.calls)
	FROM profile p JOIN thread t ON t.id = p.thread_id JOIN source s ON s.id = p.source_id JOIN operation o ON o.id = s.operation_id
	WHERE o.name GLOB '*(sync)' OR o.type = 'all_to_all' GROUP BY 1, 2 ORDER BY 1, 2")" \
"0|shmem_long_sum_to_all|200
0|shmem_sync (sync)|200
1|shmem_long_sum_to_all|400
1|shmem_sync (sync)|400"
finish
