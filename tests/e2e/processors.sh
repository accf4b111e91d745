#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# More ranks than processors: what a rank lost to others is a category of its own, by as much as the program measures itself;
# waiting for a rank that had no processor is in no finding, waiting for one that has more to do is.
# Alone: its programs need the processors.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# Two processors at most, those of the lowest numbers.
two=$(python3 -c 'import os; print(",".join(map(str, sorted(os.sched_getaffinity(0))[:2])))')
n=$(tr ',' '\n' <<<"$two" | wc -l)

# sum COLUMN NAME: of the program's table, ns
sum() {
	awk -v column="$1" 'NF == 3 { ns += $column } END { printf "%.0f", ns }' "$TMP/$2.out"
}

# near WHAT GOT EXPECTED PART ROOM: differs by no more than that part of it and, besides, so many ns
near() {
	ok "$1 ($2, measured $3)" awk -v a="$2" -v b="$3" -v part="$4" -v room="$5" \
		'BEGIN { d = a > b ? a - b : b - a; exit !(a ~ /^[0-9.]+$/ && d <= part * b + room) }'
}

# category NAME CATEGORY
category() {
	sql "$TMP/$1.db" "SELECT coalesce(sum(time_ns), 0) FROM category_time WHERE category = '$2'"
}

# waits NAME COLUMN: of the rounds' barrier
waits() {
	sql "$TMP/$1.db" "SELECT coalesce(sum($2), 0) FROM wait_total JOIN place USING(source_id)
		WHERE kind = 'barrier' AND location = 'mpi_served.c:$(line_of mpi_served ROUND)'"
}

shares() { # MPI LAUNCHER
	local even=even_$1 uneven=uneven_$1 least part most lost
	record "$even" taskset -c "$two" "$2" -np 4 "$O/programs/$1/mpi_served"
	like "$even: the report says who shares what" "$(cat "$TMP/$even.report")" "^  Time without a processor \(4 ranks on $n processors?\): [0-9]"
	near "$even: without a processor while it worked" "$(category "$even" 'no processor')" "$(sum 3 "$even")" 0.1 30000000
	# The program knows what was lost in its work; gaspdb adds what was lost in the barrier behind the wait.
	least=$(awk '$1 == "explained" { print $2 }' "$TMP/$even.out")
	part=$(waits "$even" unserved_ns)
	ok "$even: what its waits are for is explained by that (at least $least, $part)" awk -v least="$least" -v part="$part" \
		-v all="$(waits "$even" time_ns)" 'BEGIN { exit !(least != "" && part >= 0.8 * least - 2e7 && part <= all) }'
	is "$even: no barrier is too frequent, no drain, no fine grain" \
		"$(sql "$TMP/$even.db" "SELECT kind FROM analysis_worst WHERE kind NOT IN ('barrier', 'early reduce', 'imbalance')")" ""
	like "$even: POP says it" "$("$gaspdb" analyze pop "$TMP/$even.db")" "^without a processor "

	record "$uneven" taskset -c "$two" "$2" -np 4 "$O/programs/$1/mpi_served" 1
	near "$uneven: without a processor while it worked" "$(category "$uneven" 'no processor')" "$(sum 3 "$uneven")" 0.1 30000000
	is "$uneven: the rank that has more to do is to blame" "$(sql "$TMP/$uneven.db" "SELECT thread FROM analysis_worst
		WHERE kind = 'barrier' AND location = 'mpi_served.c:$(line_of mpi_served ROUND)'")" 1
	# On an idle machine three ranks wait for 12 rounds of 20 ms at most.  On a loaded one the waits are longer, by what is explained.
	most=$(awk '$1 == "waits" { ns += $2 } $1 == "explained" { ns -= 0.8 * $2 } END { print ns }' "$TMP/$uneven.out")
	lost=$(sql "$TMP/$uneven.db" "SELECT lost_ns FROM analysis_worst
		WHERE kind = 'barrier' AND thread = 1 AND location = 'mpi_served.c:$(line_of mpi_served ROUND)'")
	ok "$uneven: by no more than it has ($lost of $most)" awk -v lost="$lost" -v most="$most" -v idle=$((3 * 12 * 20000000)) \
		'BEGIN { most = most < 1.25 * idle ? 1.25 * idle : most + 2e7; exit !(lost > 0 && lost < most) }'

	# A profile knows one sum, waiting included: at least what was lost while it worked.
	GASPDB_MODE=profile record "profile_$even" taskset -c "$two" "$2" -np 4 "$O/programs/$1/mpi_served"
	like "$even: so does that of a profile" "$(tr '\n' ' ' <"$TMP/profile_$even.report" | tr -s ' ')" \
		"Time without a processor \(4 ranks on $n processors?\): [0-9.]+ m?s of the ranks' time, in calls and between them"
	ok "$even: a profile has what was lost" awk -v sum="$(sql "$TMP/profile_$even.db" "SELECT sum(unserved_ns) FROM processor_use")" \
		-v work="$(sum 3 "profile_$even")" -v all="$(sql "$TMP/profile_$even.db" "SELECT sum(last_ns - first_ns) FROM thread")" \
		'BEGIN { exit !(work > 0 && sum >= 0.9 * work - 3e7 && sum <= all) }'
}
each_mpi mpi_served shares

invariants
finish
