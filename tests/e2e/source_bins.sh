#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The profile over time of a program of very many lines: bins become wider until there are no more than 65,536 rows, or one bin.
# Calls of 4 ns, one every 16, lie in one bin each.
. "$TOP/tests/lib.sh"
# THREADS LINES ROUNDS: each has lines of its own, called once a round
run() {
	awk -v threads="$1" -v lines="$2" -v rounds="$3" 'BEGIN {
		print "thread 0.." threads - 1 " model=OpenSHMEM from=0"
		for (k = 0; k < threads; k++)
			for (i = 0; i < lines * rounds; i++)
				printf "at %d..%d thread %d %d.c:%d shmem_quiet\n", 16 * i, 16 * i + 4, k, k, i % lines + 1
	}' | "$O/tests/mkrun" - "$TMP/run$1"
	timeout 120 "$gaspdb" import "$TMP/run$1" -o "$TMP/$1.db" 2>/dev/null
	sqlite3 -separator ' ' "$TMP/$1.db" "SELECT (SELECT value FROM meta WHERE key = 'source_bin_ns'), count(*),
	  count(DISTINCT start_ns), sum(calls), sum(total_ns), sum(self_ns) FROM source_bin"
}
is "60,000 rows: bins as narrow as they begin, 8 of the run's 8 ns" "$(run 60 1000 1)" "64 60000 250 60000 240000 240000"
is "100,000 would be too many: five bins are left" "$(run 40 250 10)" "8192 50000 5 100000 400000 400000"
is "70,000 lines: one bin, and then there is nothing to fold" "$(run 70 1000 1)" "16384 70000 1 70000 280000 280000"
finish
