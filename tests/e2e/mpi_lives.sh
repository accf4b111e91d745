#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# MPI programs that begin or end in other ways behave as they do without us, and what they did is there.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"

# lives MPI HOW RANKS LAUNCHER: run plainly, then recorded and imported; their statuses, and stdouts in $TMP
lives() {
	local mpi=$1 how=$2 ranks=$3 launcher=$4
	rm -rf "$TMP/run" "$TMP/run.db"
	timeout 60 "$launcher" -np "$ranks" "$O/programs/$mpi/mpi_lives" "$how" >"$TMP/plain" 2>/dev/null
	plain=$?
	timeout 60 "$gaspdb" record -o "$TMP/run" -- "$launcher" -np "$ranks" "$O/programs/$mpi/mpi_lives" "$how" >"$TMP/recorded" 2>/dev/null
	recorded=$?
	imports "$TMP/run" -o "$TMP/run.db" 2>/dev/null
	imported=$?
}

events="SELECT o.name, count(*), sum(e.open) FROM event e JOIN source s ON s.id = e.source_id
	JOIN operation o ON o.id = s.operation_id"

check() {
	local mpi=$1 launcher=$2
	lives "$mpi" errors 2 "$launcher"
	is "$mpi: a program that handles MPI's errors sees the same ones" "$plain $recorded $(cat "$TMP/recorded")" "0 0 "
	is "$mpi: errors: import exits 0" $imported 0

	# Alone: MPICH kills the others as soon as one has gone, and then its status is its own.
	lives "$mpi" exit 1 "$launcher"
	is "$mpi: exit without MPI_Finalize: status" "$recorded" "$plain"
	is "$mpi: exit without MPI_Finalize: nothing is lost" "$imported" 0
	is "$mpi: exit without MPI_Finalize: no finalize" \
		"$(sql "$TMP/run.db" "$events GROUP BY 1")" "MPI_Init|1|0"

	lives "$mpi" abort 2 "$launcher"
	is "$mpi: MPI_Abort: status" "$recorded" "$plain"
	is "$mpi: MPI_Abort: the killed one's log has no end" $imported 3
	is "$mpi: MPI_Abort: who aborted, and how" \
		"$(sql "$TMP/run.db" "SELECT h.rank, a.value, e.open FROM event e JOIN thread h ON h.id = e.thread_id
			JOIN event_arg a ON a.id >> 6 = e.id JOIN argument n ON n.id = a.argument_id AND n.name = 'status'")" "1|3|1"
	is "$mpi: MPI_Abort: what the other was waiting in" \
		"$(sql "$TMP/run.db" "SELECT o.name, e.open FROM event e JOIN source s ON s.id = e.source_id
			JOIN operation o ON o.id = s.operation_id JOIN thread h ON h.id = e.thread_id
			WHERE h.rank = 0 AND o.name <> 'MPI_Init'")" "MPI_Barrier|1"

	lives "$mpi" spawn 2 "$launcher"
	if [ $plain -ne 0 ]; then
		skip "$mpi: MPI_Comm_spawn" "it fails without us too"
		return
	fi
	is "$mpi: MPI_Comm_spawn: status" $recorded 0
	is "$mpi: MPI_Comm_spawn: import exits 0" $imported 0
	is "$mpi: MPI_Comm_spawn: the child's calls are there, its rank follows ours" \
		"$(sql "$TMP/run.db" "SELECT count(*), min(h.rank), max(h.rank) FROM thread h JOIN event e ON e.thread_id = h.id
			JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id WHERE o.name = 'MPI_Recv'")" "2|2|2"
	is "$mpi: MPI_Comm_spawn: what is sent to it arrives" \
		"$(sql "$TMP/run.db" "SELECT direction, operations, matched, to_nobody, unknown, coverage FROM analysis_matching")" \
		"send|2|2|0|0|100.0
receive|2|2|0|0|100.0"
	is "$mpi: MPI_Comm_spawn: all calls were seen" \
		"$(sql "$TMP/run.db" "SELECT detail FROM quality WHERE kind = 'calls not seen'")" ""
}

# linked MPI LAUNCHER: a program linked with the adapter records itself, and under record there is one recording of it
linked() {
	local mpi=$1 launcher=$2 way
	if ! "mpicc.$mpi" -o "$TMP/linked" "$TOP/tests/programs/mpi_lives.c" -L"$O" "-lgaspdb-$mpi" \
		-Wl,-rpath,"$(realpath "$O")" 2>"$TMP/err"; then
		skip "$mpi: linked" "no compiler wrapper of this name"
		return
	fi
	rm -rf "$TMP/alone" "$TMP/under"
	GASPDB_DIR=$TMP/alone timeout 60 "$launcher" -np 2 "$TMP/linked" >/dev/null 2>&1
	is "$mpi: a linked program runs" $? 0
	timeout 60 "$gaspdb" record -o "$TMP/under" -- "$launcher" -np 2 "$TMP/linked" >/dev/null 2>&1
	is "$mpi: a linked program runs under record" $? 0
	for way in alone under; do
		imports "$TMP/$way" -o "$TMP/$way.db" --force 2>/dev/null
		is "$mpi: linked, $way: each call is there once" "$(sql "$TMP/$way.db" "$events GROUP BY 1" | tr '\n' ' ')" \
			"MPI_Finalize|2|0 MPI_Init|2|0 "
	done
}

both() {
	check "$@"
	linked "$@"
}
each_mpi mpi_lives both
invariants
finish
