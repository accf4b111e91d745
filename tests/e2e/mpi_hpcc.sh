#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# hpcc, a real program that nobody here wrote: it still succeeds, and all it did is understood.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
db=$TMP/hpcc.db
input=/usr/share/doc/hpcc/examples/_hpccinf.txt

if ! command -v hpcc >/dev/null || [ ! -e "$input" ] || [ ! -e "$O/libgaspdb-openmpi.so" ]; then
	skip "hpcc" "not installed, or no Open MPI"
	finish
fi
mkdir "$TMP/work"
cd "$TMP/work" || exit
sed 's/^1000 \(.*Ns\)/400 \1/' "$input" >hpccinf.txt
timeout 200 "$gaspdb" record -o "$TMP/run" -- mpirun -np 4 hpcc >"$TMP/out" 2>&1
is "record exits as hpcc does" $? 0
is "hpcc succeeds" "$(grep -c '^Success=1$' hpccoutf.txt)" 1
"$gaspdb" import "$TMP/run" -o "$db" 2>"$TMP/err"
is "import exits 0" $? 0
is "4 whole threads" "$(sql "$db" "SELECT count(*), min(complete) FROM thread")" "4|1"
ok "there are thousands of messages" [ "$(sql "$db" "SELECT count(*) FROM message")" -gt 10000 ]
is "all sends and receives are matched" \
	"$(sql "$db" "SELECT DISTINCT count(*) = (SELECT count(*) FROM message) FROM p2p
		WHERE state NOT IN ('cancelled', 'null') GROUP BY direction")" 1
is "nothing is amiss" \
	"$(sql "$db" "SELECT DISTINCT kind FROM quality WHERE kind NOT IN ('cancelled', 'no line information')")" ""
is "sizes agree" "$(sql "$db" "SELECT count(*) FROM message m JOIN event e ON e.id = m.send_event_id WHERE e.bytes <> m.bytes")" 0
is "every collective has all its members" "$(sql "$db" "SELECT count(*) FROM collective WHERE seen <> expected")" 0
is "every system event lies within its parent" \
	"$(sql "$db" "SELECT count(*) FROM event e JOIN event p ON p.id = e.parent_id WHERE e.start_ns < p.start_ns
		OR e.start_ns + e.duration_ns > p.start_ns + p.duration_ns OR e.thread_id <> p.thread_id")" 0
is "categories sum up to each thread's time" \
	"$(sql "$db" "SELECT count(*) FROM thread h WHERE last_ns - first_ns <>
		(SELECT sum(time_ns) FROM category_time c WHERE c.thread_id = h.id)")" 0
invariants
finish
