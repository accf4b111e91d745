#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Numbers in tables: every analysis, with each value of its parameters that are choices, shows neither exponents nor times in bare
# nanoseconds, and the numbers of a column have one number of decimals.
source "$TOP/tests/lib.sh"

# The script on stdin, with all times 1,000,003 times as long
longer() {
	awk '{
		n = split($0, word, " ")
		line = $0 ~ /^[ \t]/ ? "    " : ""
		for (i = 1; i <= n; i++) {
			if (word[1] == "at" && i == 2 || word[i] ~ /^(from|to|cut)=[0-9.]*$/) {
				name = word[i] ~ /=/ ? substr(word[i], 1, index(word[i], "=")) : ""
				m = split(substr(word[i], length(name) + 1), time, /\.\./)
				word[i] = name (time[1] == "" ? "" : sprintf("%d", time[1] * 1000003))
				if (m > 1)
					word[i] = word[i] ".." (time[2] == "" ? "" : sprintf("%d", time[2] * 1000003))
			}
			line = line (i > 1 ? " " : "") word[i]
		}
		print line
	}'
}

# numbers: what is wrong in the tables on stdin; one with the heading "analysis" has the name of the next
numbers() {
	awk '
	/^-[- ]*$/ { # where each column is
		n = 0
		for (at = 1; match(substr($0, at), /-+/); at += RSTART + RLENGTH - 1) {
			from[++n] = at + RSTART - 1
			width[n] = RLENGTH
		}
		heading = before
		split("", had)
		next
	}
	{ before = $0 }
	heading ~ /^analysis *$/ { analysis = $0; heading = "" }
	heading == "" { next }
	{
		for (i = 1; i <= n; i++) {
			cell = substr($0, from[i], width[i])
			name = substr(heading, from[i], width[i])
			gsub(/^ +| +$/, "", name)
			if (cell !~ /^ *[<>]?-?[0-9][0-9,.e+-]* *$/)
				continue
			gsub(/[ <>]/, "", cell)
			if (name ~ /_ns/)
				print analysis ": " name ": no unit"
			if (cell ~ /e/)
				print analysis ": " name ": an exponent"
			if (cell ~ /^-?[0-9][0-9][0-9][0-9][0-9]/ && name !~ /^(pid|event|first_event)$/)
				print analysis ": " name ": digits that are not grouped"
			decimals = cell ~ /\./ ? length(cell) - index(cell, ".") : 0
			if (i in had && had[i] != decimals)
				print analysis ": " name ": " had[i] " and " decimals " decimals"
			had[i] = decimals
		}
	}' | sort -u
}

# Each analysis, as by default and with each choice, for the shell
commands() {
	local analysis parameter choices choice
	for analysis in $("$gaspdb" --list=analyses); do
		echo "SELECT '$analysis' AS analysis;"
		echo ".analyze $analysis"
		"$gaspdb" --list=parameters:"$analysis" | while IFS=$'\t' read -r parameter choices; do
			[ -n "$choices" ] || continue
			tr '|' '\n' <<<"$choices" | while IFS= read -r choice; do
				echo "SELECT '$analysis --$parameter=$choice' AS analysis;"
				echo ".analyze $analysis $parameter='$choice'"
			done
		done
	done
	# Two choices at once
	for by in category operation line work; do
		for quantity in time bytes calls; do
			echo "SELECT 'load-imbalance --by=$by --quantity=$quantity' AS analysis;"
			echo ".analyze load-imbalance by=$by quantity=$quantity"
		done
	done
}
commands >"$TMP/commands"
ok "there are choices" test "$(grep -c "^SELECT.*=" "$TMP/commands")" -gt 60

is "what is wrong is found" "$(numbers <<'TABLE'
analysis
--------
x
total_ns    average   n     calls
----------  --------  ----  ------
1268853663  3.17e+08    12  12,345
     1,234       1.5  1.25       0
TABLE
)" "x: average: 6 and 1 decimals
x: average: an exponent
x: n: 0 and 2 decimals
x: total_ns: digits that are not grouped
x: total_ns: no unit"

for name in barriers columns_accesses columns_completion columns_messages columns_no_progress columns_overhead columns_profile columns_threads \
	columns_waits efficiency fine_grained hand_made hangs hot_owner lock matching memory memory_upc signals timeline unmatched; do
	longer <"$TOP/tests/worked/$name.run" >"$TMP/$name.run"
	echo "meta 1 event_cost_ticks 2" >>"$TMP/$name.run"
	rm -rf "$TMP/run"
	ok "$name is made" "$O/tests/mkrun" "$TMP/$name.run" "$TMP/run"
	"$gaspdb" import "$TMP/run" -o "$TMP/$name.db" 2>/dev/null
	"$gaspdb" shell "$TMP/$name.db" <"$TMP/commands" >"$TMP/out" 2>"$TMP/err"
	is "numbers of $name" "$(numbers <"$TMP/out" | head -20)" ""
	awk '/^analysis *$/ { getline; getline; name = $1; next } name != "" { print name; name = "" }' "$TMP/out" >>"$TMP/seen"
done
is "every analysis has rows" "$(comm -23 <("$gaspdb" --list=analyses | sort) <(sort -u "$TMP/seen"))" ""
finish
