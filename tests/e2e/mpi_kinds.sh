#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who is late to calls that the examples have not: the kind of waiting, the line, the thread and the seconds.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

kinds() { # MPI LAUNCHER
	local fault kind mark place name=kinds_$1
	record "$name" "$2" -np 2 "$O/programs/$1/mpi_kinds"
	for fault in swap:late_sender waitsome:late_sender waitany:late_sender persistent:late_sender broadcast:late_broadcast \
		sum:early_reduce meet:other_group lock:lock start_barrier:barrier start_allreduce:all-to-all \
		start_broadcast:late_broadcast start_reduce:early_reduce start_scan:early_scan; do
		kind=${fault#*:} fault=${fault%:*}
		mark=$fault
		case $fault in start_*) mark=started ;; esac
		place=mpi_kinds.c:$(line_of mpi_kinds "LATE $mark")
		agrees "$name: $fault" "$(measured "$name" "$fault")" "$(found "$name" "${kind//_/ }" "$place")"
	done
	is "$name: nothing is amiss" "$(sql "$TMP/$name.db" "SELECT DISTINCT kind, detail FROM quality")" ""
}
each_mpi mpi_kinds kinds
invariants
finish
