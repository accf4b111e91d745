#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One fault a run, of findings that the examples have not: it comes first, or is what comes first is because of, with the
# line, the thread and the seconds that the program measured.
# Alone: its programs need the processors.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# costs NAME PROGRAM FAULT KIND "MARK" COMMAND...: the finding of that kind at the line marked so
costs() {
	local name=$1 place fault=$3 kind=$4

	place=$2.c:$(line_of "$2" "$5")
	record "$name" "${@:6}" "$fault"
	case $fault in # of which the program measures its time on a processor
	hot | repeated) agrees "$name" "$(measured "$name" "$fault")" "$(found_in "$name" "$kind" "$place")" ;;
	*) agrees "$name" "$(measured "$name" "$fault")" "$(found "$name" "$kind" "$place")" ;;
	esac
	# On a loaded machine PEs that have done nothing wait long for the others at the end.
	like "$name: it comes first, or the first is because of it" "$(awk '/^  3\. / { exit } /^  1\. / { two = 1 } two' \
		"$TMP/$name.worst" | tr -s ' \n' ' ' | sed "/^ 1\. barrier at $2.c:$(line_of "$2" "WAIT end") .* 2\. $kind at /!s/ 2\. .*//")" \
		"(^ 1\. $kind at |, see: $kind at $place |^ 1\. imbalance: .* the waiting: $kind at |^ 1\. barrier at .* 2\. $kind at )"
	first=$(awk -v kind="$kind at" '/^  [0-9]+\. / || /^  more:/ { inside = index($0, kind) || /imbalance:/ } inside' "$TMP/$name.worst")
}

shmem() { # FAULT KIND MARK PES
	costs "$1" shmem_costs "$1" "$2" "$3" oshrun -np "$4" "$O/programs/oshmem/shmem_costs"
}

mpi() { # MPI LAUNCHER
	costs "order_$1" mpi_costs order "late sender" "LATE order" "$2" -np 2 "$O/programs/$1/mpi_costs"
	like "$1: in wrong order" "$first" "receives an earlier message of the same sender"
	costs "split_$1" mpi_costs split barrier "LATE split" "$2" -np 2 "$O/programs/$1/mpi_costs"
	like "$1: where it waits" "$first" "barrier at mpi_costs.c:$(line_of mpi_costs "WAIT split") \(MPI_Wait\)"
	like "$1: and where it is a barrier" "$("$gaspdb" analyze barrier-wait "$TMP/split_$1.db" --format=csv)" \
		"^MPI_Ibarrier,mpi_costs.c:$(line_of mpi_costs "LATE split"),"
}

if [ -x "$O/programs/oshmem/shmem_costs" ]; then
	shmem drain drain "FAULT drain" 2
	like "drain: what completes the puts" "$first" "completed by shmem_quiet at shmem_costs.c:$(line_of shmem_costs "WAIT drain")"
	shmem repeated "repeated get" "FAULT get" 2
	shmem delivery "slow delivery" "FAULT delivery" 2
	like "delivery: who waits" "$first" "PE 1 waits$"
	shmem hot "hot owner" "FAULT get" 4
	like "hot owner: whose memory it is" "$first" "PE 0 owns what they access"
else
	skip "OpenSHMEM" "not here"
fi
each_mpi mpi_costs mpi
invariants
finish
