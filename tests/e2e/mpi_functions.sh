#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An application compiled with gaspcc (examples/mpi_functions.c): the report names the function that is slow on one rank and who
# calls the wrapper in which the others wait, the phase and its values, and the line that leaks.
# Alone: the program measures its own time
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"
source=$TOP/examples/mpi_functions.c
cd "$TMP" || exit 1
steps=10 ranks=4 slow=2

# at MARK: the line with this comment
at() {
	echo "mpi_functions.c:$(grep -n "/\* $1 \*/" "$source" | cut -d: -f1)"
}

functions() { # MPI LAUNCHER
	local name=$1 late found
	record "$name" "$2" -np $ranks "$O/examples/mpi_functions_$1"
	late=$(awk '$2 == "slow-function" { print $5 * 1e9 }' "$name.out")

	is "$1: each call of each function" "$(sql "$name.db" "SELECT s.function, count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.type = 'function' GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" \
		"check|40 comm_sum|80 main|4 refine|80 remember|40 solve|40 "
	like "$1: the report leads with the slow function, its rank, and where the others wait" \
		"$(tr -s ' \n' ' ' <"$name.report")" " 1\. rank $slow computes [0-9.]+ ms more than the mean in refine\(\) .* at $(at 'WAIT slow-function') "
	# At least its sleep beyond the mean of four, and no more than the program measures, which may have waited for a processor.
	found=$(sql "$name.db" "SELECT excess_ns FROM analysis_worst WHERE number = 1")
	ok "$1: by as much as the program measures ($found of $late)" awk -v late="$late" -v found="$found" -v sleep=$((steps * 30000000)) \
		'BEGIN { exit !(found > 0.8 * 0.75 * sleep && found < 1.1 * late) }'
	like "$1: and who called the wrapper" "$(tr -s ' \n' ' ' <"$name.worst")" "called by solve\(\)"
	is "$1: and for whom it computes" "$(sql "$name.db" "SELECT reason_caller, reason_caller_share > 90 FROM analysis_worst WHERE number = 1")" "solve|1"
	like "$1: which the report says" "$(tr -s ' \n' ' ' <"$name.report")" "in refine\(\)[^;]*, mostly when called by solve\(\) \(>?[0-9.]+ %\); the others wait"
	is "$1: the phase is in the call tree" "$(sql "$name.db" "SELECT up.depth, p.operation, q.function, c.calls
		FROM callpath c JOIN place q USING(source_id) JOIN callpath up ON up.id = c.parent_id
		JOIN place p ON p.source_id = up.source_id WHERE p.type = 'user' ORDER BY 3" | tr '\n' ' ')" \
		"2|step|check|40 2|step|remember|40 2|step|solve|40 "
	# Residuals 1 to 1/512 of rank 0, and 0 of the others: of 4 ranks 40 values, their sum, the least, the most.
	is "$1: its values" "$("$gaspdb" analyze user-values --format=csv "$name.db" | cut -d, -f1-4,9-11,13,14 | grep ',end,')" \
		"step,arg1,residual,end,4,40,1.998046875,0.0,1.0"

	timeout 100 "$gaspdb" record --memory -o "$name.memory" -- "$2" -np $ranks "$O/examples/mpi_functions_$1" >out 2>err
	is "$1: it is recorded with its memory" $? 0
	imports "$name.memory" -o memory.db --force 2>err
	is "$1: what the forgetful rank never freed" "$(sql memory.db "SELECT location, function, blocks, of_blocks, most_rank, most_blocks,
		most_bytes, growing FROM analysis_leaks WHERE location LIKE 'mpi_functions.c:%' AND function = 'remember'")" \
		"$(at 'FAULT leak')|remember|$((steps + ranks - 1))|$((steps * ranks))|1|$steps|$((steps * 100000))|1"
	like "$1: the report says so" "$("$gaspdb" report memory.db | tr -s ' \n' ' ')" \
		"rank 1: 976\.6 KiB never freed, allocated at $(at 'FAULT leak') in remember\(\) \($steps blocks\)"
}
each_mpi mpi_hello functions
finish
