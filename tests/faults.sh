# SPDX-License-Identifier: GPL-3.0-or-later
# For the scripts that record programs with faults of known size, after lib.sh: what a program measured, and what is found.

# line_of FILE MARK: the line marked /* MARK */
line_of() {
	cat "$TOP"/{examples,tests/programs}/"$1.c" 2>/dev/null | awk -v mark="$2" 'index($0, "/* " mark " */") { print NR }'
}

# measured PROGRAM FAULT: thread and seconds by the program's own clock
measured() {
	sed -n "s/^fault: $2 \([0-9]*\).* seconds \([0-9.]*\)$/\1 \2/p" "$TMP/$1.out"
}

# found PROGRAM KIND LOCATION: thread, and the seconds it is to blame for, of the finding on KIND at LOCATION
found() {
	found_in "$1.served" "${@:2}"
}

# found_in DATABASE KIND LOCATION: the same as it is
found_in() {
	"$gaspdb" analyze worst "$TMP/$1.db" --limit=-1 --min-share=0 --format=csv |
		sqlite3 -batch -noheader :memory: '.import --csv /dev/stdin worst' "
			SELECT thread, lost_ns * thread_share / 100 / 1e9 FROM worst
			WHERE kind = '$2' AND '$3' IN (location, waiting_location) ORDER BY 0 + lost_ns DESC LIMIT 1" |
		tr '|' ' '
}

# agrees WHAT "THREAD SECONDS" "THREAD SECONDS"
agrees() {
	is "$1: the thread to blame" "${3%% *}" "${2%% *}"
	ok "$1: seconds within 10 % (${2##* } and ${3##* })" \
		awk -v a="${2##* }" -v b="${3##* }" 'BEGIN { exit !(a > 0 && b > 0.9 * a && b < 1.1 * a) }'
}

# agrees_but WHAT "THREAD SECONDS" "THREAD SECONDS" LOST: the second may lack what the thread lost, which may be between two calls
agrees_but() {
	is "$1: the thread to blame" "${3%% *}" "${2%% *}"
	ok "$1: seconds within 10 % (${2##* }, of which $4 disturbed, and ${3##* })" \
		awk -v a="${2##* }" -v b="${3##* }" -v lost="$4" 'BEGIN { exit !(a > lost && b > 0.9 * (a - lost) && b < 1.1 * a) }'
}

# record PROGRAM COMMAND...: imports as PROGRAM.db, reports as PROGRAM.report, and its findings as if with a processor for each thread
# as PROGRAM.worst
record() {
	local name=$1
	shift
	"$gaspdb" record -o "$TMP/$name" -- timeout 100 "$@" >"$TMP/$name.out" 2>"$TMP/$name.err"
	is "$name: the program succeeds" $? 0
	"$gaspdb" import "$TMP/$name" -o "$TMP/$name.db" 2>"$TMP/$name.import"
	is "$name: import succeeds" $? 0
	served "$name"
	"$gaspdb" report --section=worst "$TMP/$name.served.db" >"$TMP/$name.worst"
	"$gaspdb" report "$TMP/$name.db" >"$TMP/$name.report"
	is "$name: so does the report" $? 0
	is "$name: it fits 100 columns" "$(awk 'length > 100' "$TMP/$name.report")" ""
}

# names NAME LINE RANK: an entry of "What is worst" names both
names() {
	awk -v line="$2" -v rank="(rank|PE|thread) $3 " '
		/^  [0-9]+\. / { has_line = has_rank = 0 }
		index($0, line " ") { has_line = 1 }
		$0 ~ rank { has_rank = 1 }
		has_line && has_rank { found = 1 }
		END { exit !found }' "$TMP/$1.worst"
}

# has_finding NAME LINE RANK: a row of the analysis that the report names for more does; a loaded machine adds findings, and
# the report has a few
has_finding() {
	"$gaspdb" analyze worst --format=csv "$TMP/$1.served.db" | sqlite3 -batch -noheader :memory: '.import --csv /dev/stdin w' "
		SELECT 1 FROM w WHERE '$2' IN (location, waiting_location) AND thread = '$3' LIMIT 1" | grep -q 1
}

# names_or_has NAME LINE RANK
names_or_has() {
	names "$@" || has_finding "$@"
}

# reported NAME LINE RANK: the findings name both
reported() {
	ok "$1: the report names $2 and rank $3" names_or_has "$@"
}
