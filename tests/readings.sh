# SPDX-License-Identifier: GPL-3.0-or-later
# Readings of several hosts' clocks, against the true time that programs note in RUN.truth (programs/truth.h): source it after lib.sh.
read_clocks=$TOP/tests/clock_readings.py

# count RUN: of readings
count() { python3 "$read_clocks" "$TMP/$1" | wc -l; }

# meta RUN: the members' META about sampling
meta() {
	"$gaspdb" import -f -o "$TMP/meta.db" "$TMP/$1" >"$TMP/import.out" 2>&1
	sql "$TMP/meta.db" "SELECT rank, key, value FROM thread_meta JOIN thread ON thread.id = thread_id
		WHERE key GLOB 'clock_sampling*' ORDER BY 1, 2"
}

# sampled_over_time RUN: how many readings are before rank 2's first event, after its last one, and between
sampled_over_time() {
	python3 "$read_clocks" "$TMP/$1" >"$TMP/readings"
	awk -v first="$(awk 'NR == 2 { print $2 }' "$TMP/$1.truth/2.truth")" \
		-v last="$(tail -n 2 "$TMP/$1.truth/2.truth" | awk 'NR == 1 { print $2 }')" '
		# As text of one length: an awk has doubles.
		{ if ($4 "" < first "") before++; else if ($4 "" > last "") after++; else between++ }
		END { print before + 0 " " after + 0 " " (between >= 20 && between % 10 == 0 ? "and more" : "and " between + 0) }' "$TMP/readings"
}

# true_readings RUN: they are true, and the time that they take is the collector's
true_readings() {
	like "$1: each reading brackets the true offset" \
		"$(python3 "$read_clocks" "$TMP/$1" "$TMP/$1.truth" 2>&1 | tail -n 1)" '^[1-9][0-9]* readings, 0 wrong$'
	is "$1: samples are the collector's time, on both sides" "$(python3 "$read_clocks" --tool "$TMP/$1")" '0 outside'
}

# false_readings RUN: of another clock the check finds all readings wrong
false_readings() {
	mkdir -p "$TMP/false" && cp "$TMP/$1.truth"/*.truth "$TMP/false"
	sed 's/ \([0-9]*\) / 1\1 /' "$TMP/$1.truth/0.truth" >"$TMP/false/0.truth"
	like "$1: of another clock none would" \
		"$(python3 "$read_clocks" "$TMP/$1" "$TMP/false" 2>&1 | tail -n 1)" '^([1-9][0-9]*) readings, \1 wrong$'
}

# true_events RUN EVENTS MESSAGES: of RUN.db
true_events() {
	is "$1: events are as wrong as is said, at most, and no message goes backwards" \
		"$(python3 "$read_clocks" --table "$TMP/$1.db" "$TMP/$1.truth" 2>&1)" "$2 events, 0 wrong; $3 messages, 0 backwards"
}

# false_events RUN: that check finds events of the second host wrong that are a millisecond late
false_events() {
	cp "$TMP/$1.db" "$TMP/$1.late.served.db"
	stock "$TMP/$1.late.served.db" "UPDATE event SET start_ns = start_ns + 1000000
		WHERE thread_id IN (SELECT id FROM thread WHERE host = 'host-2')"
	like "$1: events a millisecond late would be noticed" \
		"$(python3 "$read_clocks" --table "$TMP/$1.late.served.db" "$TMP/$1.truth" | tail -n 1)" 'events, [1-9][0-9]* wrong'
}

# well_aligned RUN: of RUN.db
well_aligned() {
	is "$1: hosts are aligned to less than a millisecond" \
		"$(sql "$TMP/$1.db" "SELECT max(error_ns) < 1000000, count(*) > 1 FROM host_clock WHERE host = 'host-2'")" '1|1'
}

# tree_of_seven RUN: of seven hosts with two members each and one clock
tree_of_seven() {
	python3 "$read_clocks" "$TMP/$1" >"$TMP/readings"
	is "$1: each asks its parent in the tree" "$(awk '{ print $2 " " $3 }' "$TMP/readings" | sort -nu)" \
		$'2 0\n4 0\n6 4\n8 0\n10 8\n12 8'
	is "$1: all as often" "$(awk '{ n[$2]++ } END { for (r in n) print n[r] }' "$TMP/readings" | sort -u | wc -l)" 1
	is "$1: times are in order" "$(awk '$4 "" > $5 "" || $5 "" > $6 "" || $6 "" > $7 ""' "$TMP/readings")" ''
}
