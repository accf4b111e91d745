#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Receives whose status MPI leaves as it was: what was asked for is believed.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# ways TAG COUNT BYTES: as many messages each way, with as many bytes together
ways() {
	printf '%s|0|1|%s|%s\n%s|1|0|%s|%s\n' "$1" "$2" "$3" "$1" "$2" "$3"
}

statuses() { # MPI LAUNCHER
	local name=statuses_$1 four=0
	record "$name" "$2" -np 2 "$O/programs/$1/mpi_statuses"
	grep -q "MPI 4" "$TMP/$name.out" && four=1
	is "$name: who sent what to whom" "$(sql "$TMP/$name.db" "SELECT m.tag, s.rank, r.rank, count(*), sum(m.bytes) FROM message m
		JOIN thread s ON s.id = m.sender JOIN thread r ON r.id = m.receiver WHERE m.tag < 8 GROUP BY 1, 2, 3 ORDER BY 1, 2")" \
		"$(ways 0 $((1 + four)) $((8 + 16 * four)); ways 1 2 10; ways 2 1 3; [ $four = 0 ] || ways 6 1 8)"
	# Of tag 8 it is not known who sent what came; of a library whose statuses are set it is.
	is "$name: nothing else is amiss" "$(sql "$TMP/$name.db" "SELECT kind, detail FROM quality
		WHERE kind NOT IN ('no line information', 'nested calls', 'cancelled') AND detail NOT GLOB '*, tag 8'
		AND (kind, detail) <> ('request never completed', 'receive, freed before')")" ""
}
each_mpi mpi_statuses statuses
invariants
finish
