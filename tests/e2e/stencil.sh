#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program in Fortran (stencil3d.f90) with a late rank: the report finds it, and what the program gains without it is what the report
# says.  Tolerances are of the program's own clock: between two sums the ranks' other work differs by at most what it takes (rest).
# The time elapsed has that and the late rank's time in sums besides; what the report allows is less by at most the others' rest.
#
# Alone: the program measures its own time
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
source=$TOP/tests/programs/stencil3d.f90
cd "$TMP" || exit 1
steps=12 ranks=4

# printed NAME WORD: a number that the program prints
printed() {
	awk -v word="$2" '$1 == word { print $2 }' "$1.out"
}

# within WHAT VALUE EXPECTED TOLERANCE
within() {
	ok "$1: $2 s are $3 s within $4 s" awk -v a="$2" -v b="$3" -v by="$4" 'BEGIN { exit !(a != "" && b > 0 && a > b - by && a < b + by) }'
}

stencil() { # MPI LAUNCHER
	local name=late_$1 even=even_$1 sum rest late
	command -v "mpif90.$1" >/dev/null && [ -e "$O/libgaspdb-$1.so" ] || { skip "$1" "not here"; return; }
	"mpif90.$1" -g -O1 -fno-optimize-sibling-calls -o program "$source" || return
	record $name "$2" -np $ranks ./program $steps
	sum=stencil3d.f90:$(grep -n '! SUM' "$source" | cut -d: -f1)
	rest=$(printed $name rest)
	read -r late seconds <<<"$(measured $name sources)"

	reported $name "$sum" "$late"
	like "$1: the report leads with it" "$(tr -s ' \n' ' ' <$name.worst)" "1\. imbalance: .*, before the next :${sum#*:} one rank computes more there"
	# The others' waits for it, in all steps, by the rank to blame.
	within "$1: waits" "$(sql $name.served.db "SELECT sum(w.end_ns - w.start_ns) / 1e9 FROM wait w JOIN event e ON e.id = w.event_id
		JOIN place p ON p.source_id = e.source_id WHERE p.location = '$sum' AND w.cause_thread_id = $late")" "$seconds" \
		"$(awk -v r="$rest" -v n=$ranks 'BEGIN { print (n - 1) * r }')"
	is "$1: each of the others waits in each step" "$(sql $name.served.db "SELECT count(DISTINCT w.event_id) FROM wait w
		JOIN event e ON e.id = w.event_id JOIN place p ON p.source_id = e.source_id
		WHERE p.location = '$sum' AND w.cause_thread_id = $late AND w.end_ns - w.start_ns > 20000000")" $((steps * (ranks - 1)))

	# The advice followed: the late rank does no more than the others.
	record $even "$2" -np $ranks ./program $steps 0
	is "$1: without the fault it is not there" "$(sql $even.db "SELECT count(*) FROM wait w JOIN event e ON e.id = w.event_id
		JOIN place p ON p.source_id = e.source_id WHERE p.location = '$sum' AND w.cause_thread_id = $late
		GROUP BY w.thread_id HAVING sum(w.end_ns - w.start_ns) > 1e9 * $seconds / ($ranks - 1) / 2")" ""
	within "$1: the run gets shorter by what the report allows" \
		"$(awk -v a="$(printed $name elapsed)" -v b="$(printed $even elapsed)" 'BEGIN { print a - b }')" \
		"$(sql $name.served.db "SELECT on_path_ns / 1e9 FROM analysis_worst WHERE kind = 'imbalance' AND location = '$sum'")" \
		"$(awk -v a="$rest" -v b="$(printed $even rest)" -v c="$(printed $name sum)" -v d="$(printed $even sum)" 'BEGIN { print 2 * a + b + c + d }')"

	# With call stacks: who asks for the sum.
	timeout 100 "$gaspdb" record -o stacks --stack=8 -- "$2" -np $ranks ./program $steps >out 2>err
	is "$1: record --stack exits as the program does" $? 0
	"$gaspdb" import --force stacks -o stacks.db 2>err
	is "$1: its subroutine" "$(sql stacks.db "WITH RECURSIVE up(id, path) AS (
		SELECT c.id, '' FROM callpath c JOIN place p ON p.source_id = c.source_id WHERE p.location = '$sum' AND p.operation = 'MPI_Allreduce'
		UNION ALL SELECT c.parent_id, p.function || ' ' || u.path FROM up u JOIN callpath c ON c.id = u.id
		JOIN callpath q ON q.id = c.parent_id JOIN place p ON p.source_id = q.source_id)
		SELECT path FROM up WHERE id IN (SELECT id FROM callpath WHERE parent_id IS NULL)")" "main stencil3d solve sources global_sum "
	is "$1: what it waits for there" "$("$gaspdb" analyze hot-lines --by=caller --format=tabs stacks.db | awk -F '\t' '$2 == "global_sum" { print $3, $4 }')" \
		"MPI_Allreduce $((steps * ranks))"
	rm -rf stacks stacks.db
}
stencil openmpi mpirun.openmpi
stencil mpich mpiexec.hydra
invariants
finish
