#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Processes of which several threads call MPI: who is late is a thread, and each message finds its own.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

faults() { # MPI LAUNCHER
	local fault kind place name=faults_$1
	record "$name" "$2" -np 2 "$O/programs/$1/mpi_threads" faults
	for fault in sender:late_sender reduce:all-to-all receiver:late_receiver other:late_sender probe:late_sender; do
		kind=${fault#*:} fault=${fault%:*}
		place=mpi_threads.c:$(line_of mpi_threads "LATE $fault")
		agrees "$name: $fault" "$(measured "$name" "$fault")" "$(found "$name" "${kind//_/ }" "$place")"
	done
	is "$name: nothing is amiss" "$(sql "$TMP/$name.db" "SELECT DISTINCT kind FROM quality")" ""
	is "$name: only one of its own can come to a thread in wrong order" "$(sql "$TMP/$name.db" "SELECT DISTINCT operation
		FROM named_wait WHERE wrong_order IS NOT NULL AND operation <> 'MPI_Mprobe'")" ""
	# Thread 0 stands at the pthread barriers in the rounds in which thread 2 is late: that is its computation.
	is "$name: how much shorter the run can get is not known" "$(sql "$TMP/$name.db" "SELECT count(on_path_ns) FROM analysis_worst")" 0
	like "$name: the report says so" "$(tr -s ' \n' ' ' <"$TMP/$name.report")" \
		"so how much shorter the run can get is not known; what lost most comes first 1\. "
	like "$name: and of which rank a thread is" "$(cat "$TMP/$name.report")" "thread 2 of rank 0 (is waited for|computes)"
	is "$name: and nothing else of that" "$(grep -c -i -e 'fixing \(this\|it\) saves' -e 'removing it would' -e 'can shorten the run' "$TMP/$name.report")" 0
}

storm() { # MPI LAUNCHER
	local name=storm_$1
	record "$name" "$2" -np 2 "$O/programs/$1/mpi_threads" storm
	is "$name: each message is matched, and all its bytes" "$(sql "$TMP/$name.db" "SELECT t.name, tag = 1000, count(*), sum(bytes)
		FROM message JOIN team t ON t.id = team_id GROUP BY 1, 2")" "$(awk 'BEGIN {
			for (k = 0; k < 3; k++)
				for (i = 0; i < 100; i++)
					bytes[k] += 1 + (7 * i + 131 * k) % 900
			for (k = 0; k < 3; k++)
				print "of " k "|0|300|" 3 * bytes[k]
			for (nothing = 0; nothing < 2; nothing++)
				print "shared|" nothing "|300|" bytes[0] + bytes[1] + bytes[2] }')"
	is "$name: there are no others" "$(sql "$TMP/$name.db" "SELECT direction, matched = operations FROM analysis_matching")" \
		"send|1
receive|1"
	is "$name: a pair is uncertain only where nothing tells the threads' messages apart" \
		"$(sql "$TMP/$name.db" "SELECT DISTINCT tag FROM message WHERE order_uncertain AND tag <> 1000")" ""
	is "$name: nothing is amiss" "$(sql "$TMP/$name.db" "SELECT DISTINCT kind, detail FROM quality")" ""
}
each_mpi mpi_threads faults
each_mpi mpi_threads storm
invariants
finish
