#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What leads the report: one slow rank, where a program hangs, and what was not seen.
# Alone: its programs need the processors.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

worst() { # DATABASE
	"$gaspdb" report --section=worst "$1" 2>/dev/null | tr -s '\n ' ' '
}
section() { # TITLE DATABASE
	"$gaspdb" report "$2" 2>/dev/null | sed -n "/^--- $1 /,/^\$/p" | tr -s '\n ' ' '
}

# Rank 1 works 45 ms in each of 24 steps, the others 5: its neighbours wait for it in the exchange, and the last one for these.
# (MPICH's ranks spin while they wait, and there are more of them than processors.)
slow() { # MPI LAUNCHER
	local name=slow_$1
	[ "$1" = openmpi ] || return 0
	record "$name" "$2" -np 4 "$O/programs/$1/mpi_imbalance" slow
	is "$name: one finding, and the rest are its effects" "$(sql "$TMP/$name.db" "SELECT number, kind, thread, pattern FROM analysis_worst
		WHERE number <= 1 OR lost_ns > 500e6 AND effect_of IS NULL")" "1|imbalance|1|always"
	like "$name: where" "$(sql "$TMP/$name.db" "SELECT reason FROM analysis_worst WHERE number = 1")" \
		"^computation after mpi_imbalance.c:$(line_of mpi_imbalance SUM), before the next :[0-9]+-[0-9]+$"
	is "$name: what leads to what" "$(sql "$TMP/$name.db" "SELECT kind FROM analysis_worst WHERE effect_of = 1 ORDER BY 1" | tr '\n' ' ')" \
		"all-to-all late sender "
	# 24 x (45 - 15) above the mean, 24 x 40 above the others; sleepers oversleep.
	is "$name: how much an equal share saves" "$(sql "$TMP/$name.db" "SELECT excess_ns BETWEEN 600e6 AND 900e6, equal_share_ns = excess_ns,
		on_path_ns BETWEEN 850e6 AND 1250e6 FROM analysis_worst WHERE number = 1")" "1|1|1"
	is "$name: its lines are one place" "$(sql "$TMP/$name.db" "SELECT count(*), count(DISTINCT place_source_id) FROM spot
		JOIN place USING (source_id) WHERE function = 'exchange'")" "6|1"
	like "$name: the report" "$(worst "$TMP/$name.db")" \
		"1. imbalance: .* rank 1 computes .* more there than the ranks' mean the waiting: late sender at .*; all-to-all at "
}
each_mpi mpi_imbalance slow

hangs() { # MPI LAUNCHER
	local way name
	for way in receive send wait tag barrier loop; do
		name=hangs_${way}_$1
		(cd "$TMP" && timeout 60 "$gaspdb" record -o "$name" -- timeout 4 $2 -np 3 "$O/programs/$1/mpi_deadlock" "$way") >/dev/null 2>&1
		"$gaspdb" import "$TMP/$name" -o "$TMP/$name.db" 2>/dev/null
		case $way in
		receive | send | wait)
			is "$name: a circle of all" "$(sql "$TMP/$name.db" "SELECT thread, waits_for, circle FROM analysis_hangs ORDER BY 1" | tr '\n' ' ')" \
				"0|1|1 1|2|1 2|0|1 "
			like "$name: it leads" "$(section 'Where it hangs' "$TMP/$name.db")" \
				"rank 0, in (MPI_(Recv|Ssend) at mpi_deadlock.c:[0-9]+ \(tag 0\)|MPI_Wait at mpi_deadlock.c:[0-9]+), waits for rank 1 rank 1, .* rank 2, .*, waits for rank 0 "
			;;
		tag)
			is "$name: two in a circle" "$(sql "$TMP/$name.db" "SELECT thread, operation, tag, waits_for, kind FROM analysis_hangs
				WHERE circle ORDER BY 1" | tr '\n' ' ')" "0|MPI_Recv|7|1|late sender 1|MPI_Ssend|8|0|late receiver "
			like "$name: what to do" "$(section 'Where it hangs' "$TMP/$name.db")" \
				"rank 0, in MPI_Recv at mpi_deadlock.c:[0-9]+ \(tag 7\), waits for rank 1 rank 1, in MPI_Ssend at mpi_deadlock.c:[0-9]+ \
\(tag 8\), waits for rank 0 try: compare the tags and communicators"
			;;
		barrier)
			is "$name: one waits for a circle" "$(sql "$TMP/$name.db" "SELECT thread, waits_for, circle FROM analysis_hangs ORDER BY 1" | tr '\n' ' ')" \
				"0|1|1 1|0|1 2|0|0 "
			;;
		loop)
			is "$name: for one that computes" "$(sql "$TMP/$name.db" "SELECT thread, waits_for, circle, waited_for_operation IS NULL
				FROM analysis_hangs ORDER BY 1" | tr '\n' ' ')" "1|0|0|1 2|0|0|1 "
			like "$name: it says so" "$(section 'Where it hangs' "$TMP/$name.db")" \
				"In the end they wait for rank 0, which was in no call that is recorded"
			;;
		esac
		is "$name: for how long" "$(sql "$TMP/$name.db" "SELECT min(waiting_ns) > 1e9 FROM analysis_hangs")" 1
	done
}
each_mpi mpi_deadlock hangs

unseen() { # MPI LAUNCHER
	local name=unseen_$1 title
	record "$name" "$2" -np 2 "$O/programs/$1/mpi_unseen"
	like "$name: beside the findings" "$(worst "$TMP/$name.db")" "Not recorded: 3 more threads of the process "
	like "$name: in the summary" "$("$gaspdb" report --section=summary "$TMP/$name.db" | tr -s '\n ' ' ')" \
		"Not recorded: 3 more threads of the process .* Data complete"
	for title in 'Critical path' 'Time by category' 'Efficiencies .POP.'; do
		like "$name: beside $title" "$(section "$title" "$TMP/$name.db")" \
			"Not recorded: 3 more threads of the process .* what they do is not known"
	done
}
each_mpi mpi_unseen unseen
finish
