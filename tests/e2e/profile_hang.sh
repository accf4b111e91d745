#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that hang and are killed by SIGKILL: the profile has all that they did until then, and where each process was.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
if ! grep -q GASPDB_MODE "$TOP"/collector/core/*.c; then
	ok "skipped: this collector makes no profiles" true
	finish
	exit
fi

# hang LIBRARY LAUNCHER HOW: 4 ranks of mpi_deadlock HOW, killed after 2 s; imported to HOW-LIBRARY.db
hang() {
	local name=$3-$1
	GASPDB_MODE=profile timeout --signal=KILL 60 "$gaspdb" record -o "$TMP/$name" -- timeout --signal=KILL 3 \
		$2 -np 4 "$O/programs/$1/mpi_deadlock" "$3" >"$TMP/$name.out" 2>&1
	kill_ranks "$TMP/$name"
	timeout 60 "$gaspdb" import "$TMP/$name" -o "$TMP/$name.db" >"$TMP/$name.err" 2>&1
	is "$name: logs without an end" $? 3
	is "$name: but no damage" "$(sql "$TMP/$name.db" "SELECT group_concat(DISTINCT kind) FROM quality WHERE severity = 'loss'")" "no end block"
}
# Ranks that outlive their launcher.
kill_ranks() {
	local log pid
	for log in "$1"/*.gasplog; do
		pid=${log%-*} pid=${pid##*-}
		kill -KILL "$pid" 2>/dev/null
	done
	true
}
# innermost NAME: the innermost open call of each rank
innermost() {
	sql "$TMP/$1.db" "SELECT group_concat(rank || ' ' || operation, ', ') FROM (SELECT t.rank, o.name AS operation, max(c.depth)
		FROM open_call c JOIN thread t ON t.id = c.thread_id JOIN source s ON s.id = c.source_id JOIN operation o ON o.id = s.operation_id
		GROUP BY c.thread_id ORDER BY t.rank)"
}

for mpi in "openmpi mpirun" "mpich mpiexec.hydra"; do
	set -- $mpi
	[ -x "$O/programs/$1/mpi_deadlock" ] || continue
	hang "$1" "$2" barrier
	is "$1: rank 0 receives, the others are in the barrier" "$(innermost "barrier-$1")" \
		"0 MPI_Recv, 1 MPI_Barrier, 2 MPI_Barrier, 3 MPI_Barrier"
	is "$1: each call is counted, that which is open too" "$(sql "$TMP/barrier-$1.db" "SELECT group_concat(name || ' ' || n, ', ') FROM
		(SELECT o.name, sum(p.calls) || '/' || sum(p.open) AS n FROM profile p JOIN source s ON s.id = p.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.name IN ('MPI_Barrier', 'MPI_Recv') GROUP BY 1 ORDER BY 1)")" \
		"MPI_Barrier 7/3, MPI_Recv 1/1"
	"$gaspdb" report "$TMP/barrier-$1.db" >"$TMP/report"
	like "$1: the report says where it hangs" "$(sed -n '/--- Where it hangs/,/^$/p' "$TMP/report" | tr -s '\n ' ' ')" \
		"4 of 4 ranks were, for up to .*: 3 in MPI_Barrier at mpi_deadlock.c:[0-9]+, 1 in MPI_Recv at"
	ok "$1: and that the cause needs a trace" grep -q "waited for needs a trace" "$TMP/report"
	is "$1: analysis open-calls" "$("$gaspdb" analyze open-calls --format=csv "$TMP/barrier-$1.db" 2>/dev/null | cut -d, -f1,3 | tr '\n' ' ')" \
		"operation,threads MPI_Barrier,3 MPI_Recv,1 "
	invariants_of "$TMP/barrier-$1.db"
done
finish
