#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb report --html of runs that are not in the page as a whole: windows with all calls, bins, tables without their small rows.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
source "$TOP/tests/page/lib.sh"

# 304,000 calls, of which the page has those near the worst wait: 76,000 turns of 1 us, in each a barrier that ranks 0 to 3 enter
# after 400, 500, 600 and 700 ns and leave after 800. In the middle one more barrier, for which rank 3 is late by 100 us.
awk 'BEGIN {
	print "thread 0..3 from=0 to=76200000"
	for (turn = 0; turn < 76000; turn++) {
		t = 1000 * turn + (turn < 38000 ? 0 : 200000)
		if (turn == 38000)
			for (r = 0; r < 4; r++) print "at " t - 200000 + (r == 3) * 100000 ".." t - 50000 " thread " r " w.c:1 MPI_Barrier"
		for (r = 0; r < 4; r++) {
			if (turn % 500 == 499) print "at " t + 50 " thread " r " block"
			print "at " t + 400 + 100 * r ".." t + 800 " thread " r " w.c:1 MPI_Barrier"
		}
	}
}' >windows.txt
"$O/tests/mkrun" windows.txt windows
"$gaspdb" import windows >/dev/null 2>&1
is "more calls than the page has" "$(sql windows.db "SELECT count(*) FROM event")" 304004
"$gaspdb" report windows.db --html windows.html

# near FIRST SECOND MOST: are the numbers as far apart as that at most?
near() { awk -v a="$(tr -d , <<<"$1")" -v b="$2" -v most="$3" 'BEGIN { exit !(a - b <= most && b - a <= most) }'; }
# in_interval FROM UNTIL COLUMNS: by SQL, of the calls that touch the interval [:f, :u)
in_interval() { sqlite3 windows.db "SELECT $3 FROM (SELECT *, min(start_ns + duration_ns, $2) - max(start_ns, $1) AS part,
	start_ns >= $1 AS begins FROM event WHERE start_ns < $2 AND start_ns + duration_ns > $1)"; }

see zoom windows.html
quiet zoom
like "the worst wait has a window" "$(seen window)" "^37[0-9]{6}-38[0-9]{6}$"
like "with its call" "$(seen 'in it')" "^rank 0: MPI_Barrier at w.c:1, 150.0 µs, of which waiting 100.0 µs"
is "0 leaves it" "$(seen out)" "whole run"
like "where moments are bins" "$(seen 'in bins')" "^rank 0, .* s: ~ [0-9.]+ % in calls, the longest MPI_Barrier at w.c:1$"

# Fifty turns, and the call of rank 0 of the next one, from 400 to 500 ns.
see sums windows.html '#i=37900000-37950500'
quiet "inside of a window"
is "inside the sums are exact" "$(seen place)" "MPI_Barrier|w.c:1|50,100|30,100|201|0"
is "and SQL's" "$(in_interval 37900000 37950500 "sum(part), sum(begins)")" "50100|201"
see follow windows.html '#i=37900000-37950000'
is "efficiency: a turn leaves 600, 700, 800 and 900 ns" "$(seen efficiency)" "what the ranks could compute|50,000|all of the time
lost communicating and waiting|5,000|communication 90.0 %
lost to uneven work|7,500|load balance 83.3 %
used: mean computation|37,500|parallel efficiency 75.0 %"
is "durations of 100, 200, 300 and 400 ns" "$(seen durations)" "64|50
128|50
256|100"

# Outside: bins. In each the calls' share is that of a turn, but for one turn at each end.
see binned windows.html '#i=10000333-20000777'
quiet "outside of windows"
outside=$(seen window)
ok "outside they are near SQL's: time" near "$(cut -d'|' -f3 <<<"$outside")" "$(in_interval 10000333 20000777 "sum(part)")" 4000
ok "and calls" near "$(cut -d'|' -f5 <<<"$outside")" "$(in_interval 10000333 20000777 "sum(begins)")" 16
like "durations are the whole run's, and say so" "$(seen 'durations says')" "of the whole run: the page does not have every call"
is "all of them" "$(seen durations | tr -d ,)" "$(sql windows.db "SELECT 1 << CAST(log2(duration_ns) AS INTEGER), count(*) FROM event GROUP BY 1 ORDER BY 1" | sort -n)"
like "efficiency is an estimate" "$(seen 'efficiency says')" "~ from bins$"
used=$(seen efficiency | sed -n 's/used[^|]*|\([0-9,]*\)|.*/\1/p')
ok "mean computation: three quarters of the time" near "$used" 7500333 19608

# --- tables that are cut ---
# Of 200 ranks; each table has more rows than the page takes. rows COUNT TABLE CHANGE: so many copies of a table's first row, k = 1, 2, ...
awk 'BEGIN { for (r = 0; r < 200; r++) print "thread " r " from=0 to=1000000\nat " 1000 + r "..900000 thread " r " c.c:1 MPI_Barrier" }' >cut.txt
"$O/tests/mkrun" cut.txt cut
"$gaspdb" import cut >/dev/null 2>&1
rows() {
	echo "CREATE TEMP TABLE copy AS SELECT t.*, n.value AS k FROM (SELECT * FROM main.$2 LIMIT 1) t, generate_series(1, $1) n;
	UPDATE copy SET $3; ALTER TABLE copy DROP COLUMN k; DELETE FROM main.$2; INSERT INTO main.$2 SELECT * FROM copy; DROP TABLE copy;"
}
{
	echo "BEGIN; INSERT OR IGNORE INTO traffic_total VALUES(0, 0, 'put', 8, 1, 8, 8);
	INSERT OR IGNORE INTO gap VALUES(1, 0, 'off', 0, 1);
	INSERT OR IGNORE INTO lock_use(id, object, thread_id, acquire_event_id, requested_ns, acquired_ns, released_ns, contended_ns, latency_ns,
		untold_ns, attempts, between_ns) VALUES(1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);"
	rows 31000 traffic_total "initiator = k % 200, owner = k / 200, bytes = 100000 + k, operations = 2"
	rows 5500 wait_total "source_id = 1, thread_id = k % 200, cause_thread_id = 199, longest_ns = 1, time_ns = 1000000 + k"
	rows 10100 callpath "id = k, parent_id = NULL, position = k, last_position = k, total_ns = 10000 + k, self_ns = 9000 + k, bytes = 3, calls = 1"
	rows 5300 profile_total "grouping = 'call', nested = 0, source_id = 1000 + k, self_ns = 50000 + k, bytes = 5, calls = 7"
	rows 20300 lock_use "id = k, object = k % 10, contended_ns = 1000 + k"
	rows 20200 critical_path "id = k, kind = 'running', thread_id = 0, start_ns = 40 * k, end_ns = 40 * k + 1 + k % 40, wait_id = NULL"
	rows 20100 gap "id = k, thread_id = k % 200, kind = 'off', start_ns = 0, end_ns = k"
	echo "COMMIT;"
} | sqlite3 cut.db
"$gaspdb" report cut.db --html cut.html
see whole cut.html
quiet "tables that are cut"
# Of n rows with amounts of a + k the smallest are cut: k = 1 to n - limit, in all a * (n - limit) + (n - limit) * (n - limit + 1) / 2.
is "pairs that are cut: 1,000 of 100,000 + k bytes, 2 messages; sums of waiting: 500 of 1,000,000 + k ns" "$(seen 'first pair')" \
	"the rest|in the database|100,500,500|2,000|500,125,250"
is "the matrix says so: 100,500,500 / 1024 / 1024" "$(seen 'messages rest')" \
	"The 30,000 largest of 31,000 pairs and directions; the rest, 95.84 MiB in 2,000 messages and accesses, is in the database."
is "and of waiting" "$(seen 'waiting rest')" \
	"The 5,000 largest of 5,500 sums of waiting by line, rank and cause; the rest, 500.1 ms, is in the database."
is "call paths: 100 of 9,000 + k ns" "$(seen 'calls rest')" \
	"The 10,000 largest of 10,100 call paths; the rest, 905.0 µs of their own, 300 B, 100 calls, is in the database."
is "of outermost ones 100 of 10,000 + k ns are one node" "$(seen call | grep '^other calls')" "other calls||1,005,050|0|100|0"
is "uses of locks: 300 of 1,000 + k ns" "$(seen 'locks rest')" \
	"The 20,000 largest of 20,300 uses; the rest, 345.1 µs of waiting, is in the database."
is "lines: 300 of 50,000 + k ns, 5 bytes, 7 calls" "$(seen 'source rest')" \
	"The 5,000 largest of 5,300 calls at a line; the rest, 15.05 ms, 1.465 KiB, 2,100 calls, is in the database."
is "the path: 1 ms without the 20,000 longest, 505 of each of 2 to 40 ns, 305 of 1 ns; gaps: 100 of k ns" "$(seen 'timeline rest')" \
	"Critical path: the 20,000 largest of 20,200 pieces; the rest, 586.1 µs, is in the database. Not recorded: the 20,000 largest of 20,100 stretches; the rest, 5.050 µs, is in the database."

finish
