#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Collectives among neighbours: the log tells whom each process receives from, whatever the topology was made by, and a late
# neighbour is found with the line, the thread and the seconds that the program measured.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# By rank the runs of ranks: first+n.
cat >"$TMP/sources" <<'END'
copy|0|1+2
copy|1|0+1 3+1
copy|2|0+1 3+1
copy|3|1+2
empty|0|0+0
empty|1|0+0
empty|2|0+2
empty|3|0+1
graph|0|1+1 3+1
graph|1|0+1
graph|2|3+1
graph|3|0+1 2+1
grid|0|1+2
grid|1|0+1 3+1
grid|2|0+1 3+1
grid|3|1+2
loops|0|0+2
loops|1|0+0
loops|2|0+2 3+1
loops|3|2+1
one|0|3+1
one|1|0+1
one|2|0+2
one|3|0+0
self|0|0+1
END
sources="SELECT name, rank, group_concat(first || '+' || n, ' ') FROM (SELECT t.name, h.rank, s.first, s.n
	FROM team_source s JOIN team t ON t.id = s.team_id JOIN thread h ON h.id = s.thread_id WHERE t.name <> ''
	ORDER BY 1, 2, 3) GROUP BY 1, 2"

# late MPI LAUNCHER FAULT "MARK"
late() {
	local run=$3_$1 place

	place=mpi_neighbors.c:$(line_of mpi_neighbors "$4")
	record "$run" "$2" -np 4 "$O/programs/$1/mpi_neighbors" "$3"
	agrees "$run" "$(measured "$run" "$3")" "$(found "$run" 'late neighbour' "$place")"
	# Or the waits that it leads to: of ranks 2 and 3 at the end (below).
	like "$run: it comes first" "$(awk '/^  2\. / { exit } /^  1\. / { first = 1 } first' "$TMP/$run.worst" | tr -s ' \n' ' ')" \
		"^ 1\. (late neighbour at .*$place|imbalance: computation .*:${place#*:}[ -].* the waiting: (late neighbour|barrier) at |\
barrier at .*\(MPI_Finalize\) .* because: computation .*:${place#*:}[ -])"
	is "$run: 2 and 3, which are done in half of the time, wait in MPI_Finalize" "$(sql "$TMP/$run.db" "SELECT
		group_concat(thread), sum(wait_ns > 120e6) FROM (SELECT * FROM named_wait WHERE kind = 'barrier'
			AND operation = 'MPI_Finalize' AND thread > 1 AND cause_thread < 2 ORDER BY thread)")" "2,3|2"
	is "$run: only rank 1 waits for 0" "$(sql "$TMP/$run.db" "SELECT DISTINCT thread_id FROM wait
		WHERE kind = 'late neighbour' AND cause_thread_id = 0")" 1
	is "$run: 2 and 3 for each other" "$(sql "$TMP/$run.db" "SELECT count(*) FROM wait
		WHERE kind = 'late neighbour' AND thread_id > 1 AND cause_thread_id <> 5 - thread_id")" 0
}

mpi() { # MPI LAUNCHER
	late "$1" "$2" blocking "LATE blocking"
	late "$1" "$2" begun "LATE begun"
	late "$1" "$2" persistent "LATE persistent"
	record "topologies_$1" "$2" -np 4 "$O/programs/$1/mpi_neighbors" topologies
	is "$1: whom each receives from" "$(sql "$TMP/topologies_$1.db" "$sources")" "$(cat "$TMP/sources")"
	is "$1: rank 2 does not leave before 0, whose block is empty, comes" "$(sql "$TMP/topologies_$1.db" "SELECT
		max(iif(thread_id = 2, start_ns + duration_ns, 0)) > max(iif(thread_id = 0, start_ns, 0)),
		(SELECT sum(clamped) FROM wait WHERE kind = 'late neighbour') FROM event e JOIN place USING (source_id)
		WHERE operation = 'MPI_Neighbor_alltoallv'")" "1|0"
}

each_mpi mpi_neighbors mpi
invariants
finish
