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

# Calls that never end, all begun before or after 1,000 short ones that spread over all bins: how many are open costs nothing.
# FIRST: user ms of the import
open_calls() {
	awk -v first="$1" 'function begin(at, i) {
		for (i = 0; i < 200000; i++) {
			if (i % 2000 == 0)
				print "at " at + i " thread 0 block"
			print "at " at + i ".. thread 0 a.c:" i % 50 + 1 " MPI_Send peer=0"
		}
	}
	BEGIN {
		print "thread 0"
		if (first)
			begin(0)
		for (i = 1; i <= 1000; i++)
			print "at " i * 1000000 ".." i * 1000000 + 10 " thread 0 b.c:1 shmem_quiet"
		if (!first)
			begin(1000000020)
	}' | "$O/tests/mkrun" - "$TMP/open$1"
	python3 - "$gaspdb" import "$TMP/open$1" -o "$TMP/open$1.db" <<-'PYTHON'
		import resource, subprocess, sys
		subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL, timeout=300)
		print(int(1000 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime))
	PYTHON
}
last=$(open_calls 0) first=$(open_calls 1)
ok "200,000 calls that are open in all bins ($first ms) or in the last ($last ms)" test "$first" -lt $((4 * last))
is "each line's time, from its first call within another on, is in the bins" "$(sql "$TMP/open1.db" "
	SELECT count(*), sum(total = 1000000010 - CASE line WHEN 1 THEN 50 ELSE line - 1 END) FROM (SELECT line, sum(total_ns) AS total
	FROM source_bin JOIN source ON source.id = source_id WHERE file = 'a.c' AND nested GROUP BY line)")" "50|50"
is "and what the innermost did itself, between the short ones" "$(sql "$TMP/open1.db" "SELECT line, sum(self_ns) FROM source_bin
	JOIN source ON source.id = source_id WHERE file = 'a.c' GROUP BY line HAVING sum(self_ns) > 4000")" "50|$((3999 + 1000000010 - 199999 - 10 * 1000))"
finish
