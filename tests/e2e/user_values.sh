#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Values given with user events: statistics known by the program's construction, and formats of all kinds.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

# event NAME: its arguments, in their order
event() {
	sql run.db "SELECT a.name || '=' || v.value FROM event_arg v JOIN argument a ON a.id = v.argument_id
		JOIN operation o ON o.id = a.operation_id WHERE o.name = '$1' ORDER BY v.id" | xargs
}

# values OPTION... -- SELECT: rows of the analysis
values() {
	"$gaspdb" analyze user-values --format=csv "${@:2}" run.db >values.csv 2>err || cat err
	sqlite3 :memory: -cmd ".import --csv values.csv v" "$1"
}

check() { # MPI LAUNCHER
	rm -rf run run.db
	timeout 100 "$gaspdb" record -o run -- "$2" -np 2 "$O/programs/$1/mpi_values" >out 2>&1
	is "$1: the program succeeds" $? 0
	imports run -o run.db 2>err
	is "$1: import succeeds" $? 0
	# Residuals of rank r are (r + 1) (1, 1/2, 1/4, 1/8): sum 15/8 (r + 1), squares 85/64 (r + 1)^2.  Both: sum 45/8, mean 45/64, squares
	# 425/64; variance 425/512 - 2025/4096 = 1375/4096.  One NaN and two infinities are apart.
	is "$1: residuals" "$(values "SELECT label, count, sum, mean, minimum, maximum,
		abs(deviation * deviation - 1375.0 / 4096) < 1e-12, not_numbers, infinite FROM v WHERE event = 'solver' AND argument = 'arg1'")" \
		"residual|8|5.625|0.703125|0.125|2.0|1|1|2"
	# 0 to 3 twice, and three times 10: sum 42 of 11; squares 28 + 300; variance 328/11 - (42/11)^2 = 1844/121.
	is "$1: iterations" "$(values "SELECT label, count, sum, minimum, maximum, abs(deviation * deviation - 1844.0 / 121) < 1e-12,
		integer_sum FROM v WHERE event = 'solver' AND argument = 'arg2'")" "iteration|11|42.0|0.0|10.0|1|42"
	# Of a rank: variance 85/256 (r + 1)^2 - (15/32 (r + 1))^2 = 115/1024 (r + 1)^2.
	is "$1: by rank" "$(values "SELECT thread, count, sum, mean, maximum,
		abs(deviation * deviation - 115.0 / 1024 * (thread + 1) * (thread + 1)) < 1e-12, not_numbers
		FROM v WHERE event = 'solver' AND argument = 'arg1'" --by=thread)" \
		"$(printf '0|4|1.875|0.46875|1.0|1|1\n1|4|3.75|0.9375|2.0|1|0')"
	is "$1: over time it is as many" "$(values "SELECT sum(count), sum(sum), min(nullif(minimum, '')), max(maximum), count(*) > 1
		FROM v WHERE event = 'solver' AND argument = 'arg1'" --by=time --bins=256)" "8|5.625|0.125|2.0|1"
	is "$1: at a start and at an end" "$(values "SELECT at, label, count, mean, deviation, integer_sum FROM v WHERE event = 'queue'")" \
		"$(printf 'start|length|2|10.5|0.5|21\nend|length|2|21.5|1.5|43')"
	is "$1: positions" "$(event positions)" "arg1=7 arg2=place arg3=9"
	is "$1: sizes" "$(event sizes)" \
		"arg1=-127 arg2=-32768 arg3=255 arg4=65535 arg5=-5 arg6=-6 arg7=-7 arg8=8 arg9=-9 arg10=-10 arg11=0.5"
	is "$1: texts, of which not more is read than printf does" "$(event texts)" "arg1=größe 😀 arg2=ö arg3=3 arg4=abc arg5=ab arg6=end"
	is "$1: conversions without a value" "$(event skipped)" "arg1=1 arg3=5 arg4=2 arg5=246"
	is "$1: an unknown one ends the arguments" "$(event cut)" "arg1=3"
	"$gaspdb" report --section=user-values run.db >report
	like "$1: the report has them" "$(cat report)" "queue  *arg1  *length  *end  *2  *2  *21\.5  *20  *23  *1\.5"
}
each_mpi mpi_values check
finish
