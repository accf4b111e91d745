#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb compare on a real program with its fault made twice as large: the difference is the one that the program measured.
# Alone: its programs need the processors.
source "$TOP/tests/lib.sh"
if [ ! -x "$O/examples/mpi_faults" ] || ! command -v mpicc.openmpi >/dev/null; then
	skip "two sizes of a fault" "no Open MPI"
	finish
	exit
fi
source "$TOP/examples/env.sh"
cd "$TMP" || exit 1

# record NAME SECONDS: the run NAME.db of the program with faults of that size; what it says of them is in NAME.out
record() {
	mkdir "$1"
	{
		[ "$1" = small ] || printf '/* two lines */\n/* more */\n'
		sed "s/^\(#define EXTRA_SECONDS\).*/\1 $2/" "$TOP/examples/mpi_faults.c"
	} >"$1/mpi_faults.c"
	mpicc.openmpi -std=c11 -D_GNU_SOURCE -O2 -g -fno-optimize-sibling-calls -o "$1/mpi_faults" "$1/mpi_faults.c" -lm
	"$gaspdb" record -o "$1.run" -- timeout 100 mpirun -np 4 "./$1/mpi_faults" >"$1.out" 2>"$1.err"
	imports "$1.run" -o "$1.db" 2>/dev/null
	is "$1: recorded and imported" $? 0
}
record small 0.04
record large 0.08

measured() { sed -n "s/^fault: $2 .* seconds \([0-9.]*\)$/\1/p" "$1.out"; }
line_of() { awk -v mark="$2" 'index($0, "/* " mark " */") { print NR }' "$1/mpi_faults.c"; }
"$gaspdb" compare --format=csv --limit=-1 small.db large.db >csv 2>/dev/null
served small
served large
"$gaspdb" compare --format=csv --limit=-1 small.served.db large.served.db >served.csv 2>/dev/null
# row COLUMNS KIND MARK [TABLE]: of what is waited for at MARK
row() {
	sqlite3 :memory: ".import --csv ${4:-csv} c" "SELECT $1 FROM c WHERE section = 'cause' AND name = '$2'
		AND location = 'mpi_faults.c:$(line_of large "$3")'"
}
# lost NAME KIND MARK: the same by the run itself
lost() {
	stock "$1.db" "SELECT sum(lost_ns) FROM loss JOIN place USING(source_id)
		WHERE kind = '$2' AND location = 'mpi_faults.c:$(line_of "$1" "$3")'"
}
# agrees FAULT KIND MARK: it has moved by two lines, and the figures are each run's
agrees() {
	is "$1: where it was" "$(row was "$2" "$3")" "mpi_faults.c:$(line_of small "$3")"
	is "$1: how long it took" "$(row "a || '|' || b" "$2" "$3")" "$(lost small "$2" "$3")|$(lost large "$2" "$3")"
}
# grew FAULT KIND MARK: by what the program says, within 5 % of each run's
grew() {
	local by small large
	by=$(row "difference / 1e9" "$2" "$3" served.csv)
	small=$(measured small "$1") large=$(measured large "$1")
	ok "$1: by how much ($by s: from $small s to $large s)" awk -v found="$by" -v small="$small" -v large="$large" \
		'BEGIN { d = found - (large - small); exit !(small > 0 && large > small && (d > 0 ? d : -d) < 0.05 * (large + small)) }'
}
agrees late-sender "late sender" "LATE late-sender"
agrees late-arrival "all-to-all" "WAIT late-arrival"
agrees late-receiver "late receiver" "LATE late-receiver"
# What the program sums up is all the waiting at these two lines.
grew late-arrival "all-to-all" "WAIT late-arrival"
grew late-receiver "late receiver" "LATE late-receiver"
# On a busy machine the other waits and the rest of a run may grow as much as the fault: what is to be expected is what the two
# files say, each by itself.
figures() {
	sqlite3 "$1.db" "SELECT (SELECT total(time_ns) FROM wait_total WHERE kind = 'all-to-all'), max(last_ns) - min(first_ns) FROM thread"
}
# checks WHAT A B: 4 if B has half as much again of the waiting as A, or a tenth more of the time
checks() {
	"$gaspdb" compare "$2.db" "$3.db" --fail-if='wait:all-to-all>50%' --fail-if='time>10%' >/dev/null 2>&1
	is "$1" $? "$(echo "$(figures "$2")|$(figures "$3")" |
		awk -F'|' '{ print ($3 > 1.5 * $1 || $4 > 1.1 * $2 ? 4 : 0) }')"
}
checks "a check is of the figures of the two" small large
checks "and the other way round" large small
"$gaspdb" compare small.db large.db >page
ok "the page fits 100 columns" awk 'length > 100 { exit 1 }' page
like "and names the commands" "$(cat page)" "^  B .*large.db +4 .*mpi_faults"
finish
