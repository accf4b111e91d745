#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One UPC program as each implementation's dialect of GASP tells it: tests/upc/program.c, whose operations have a line of
# their own each.  Thread t works on the next one's memory, and has a lock of its own beside the one for all.
. "$(dirname "$0")/../lib.sh"
program=whole
run() { # NAME PROGRAM HOW THREADS
	GASPDB_DIR=$TMP/$1 timeout 120 "$O/upc/$2" "$3" "$4" $program >"$TMP/out" 2>&1
	is "$1: exit status and output" "$?$(cat "$TMP/out")" 0
	imports "$TMP/$1" -o "$TMP/$1.db" 2>/dev/null
	is "$1: import" $? 0
	is "$1: all threads, all logs whole" "$(sql "$TMP/$1.db" "SELECT count(*), sum(complete) FROM thread")" "$4|$4"
}
# The calls of thread 1: line, symbol, bytes, peer, arguments; open ones with a +.  Addresses of the program's own
# variables are left out.
calls="SELECT ifnull(s.line, '-') || iif(e.open, '+', ''), substr(o.symbol, instr(o.symbol, '_') + 1),
	ifnull(e.bytes, '-'), ifnull(e.peer, '-'),
	ifnull((SELECT group_concat(name || '=' || ifnull(value, 'NULL'), ' ')
	 FROM (SELECT a.name AS name, v.value AS value FROM event_arg v JOIN argument a ON a.id = v.argument_id
	       WHERE v.id >> 6 = e.id AND a.name NOT IN ('local', 'proxy') ORDER BY v.id)), '')
	FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	WHERE e.thread_id = 1 AND s.line IS NOT 37 ORDER BY e.id"
same() { # DESCRIPTION NAME: stdin is what is expected
	sql "$TMP/$2.db" "$calls" >"$TMP/got"
	is "$1" "$(diff - "$TMP/got")" ""
}
q() {
	sql "$TMP/$1.db" "$2" | tr '\n' ' '
}
# What is the same in all dialects.
common() { # NAME THREADS
	is "$1: lines are the file's, or nobody's" "$(q "$1" "SELECT DISTINCT file FROM source WHERE file IS NOT NULL
		UNION SELECT 'a line without a file' FROM source WHERE file IS NULL AND line IS NOT NULL")" "heat.upc "
	is "$1: recording was off once in each thread" "$(q "$1" "SELECT count(*) FROM gap WHERE kind = 'off'")" "$2 "
	is "$1: what the switch cut" "$(q "$1" "SELECT kind, sum(count) FROM quality
		WHERE kind IN ('open event', 'end without start', 'lost events') GROUP BY 1")" \
		"end without start|$2 open event|$2 "
	is "$1: tags that nobody made are counted" "$(q "$1" "SELECT count(*), sum(count) FROM quality
		WHERE kind = 'unknown tags'")" "$2|$(($2 * 3)) "
	is "$1: user events have their names" "$(q "$1" "SELECT DISTINCT name FROM operation WHERE symbol = 'USER'")" \
		"step user event "
	is "$1: the barriers are one each" "$(q "$1" "SELECT s.line, count(DISTINCT m.collective_id) FROM collective_member m
		JOIN event e ON e.id = m.event_id JOIN source s ON s.id = e.source_id WHERE s.line IN (10, 11) GROUP BY 1")" \
		"10|1 11|1 "
}
# Locks: who has which, by name; uses of each.
locks="SELECT b.name, count(*), count(DISTINCT u.thread_id) FROM lock_use u JOIN object b ON b.id = u.object GROUP BY 1
	ORDER BY 1"
traffic="SELECT thread_id, peer, direction, sum(operations), sum(bytes) FROM traffic WHERE thread_id = 1 GROUP BY 2, 3
	ORDER BY 2, 3"

# --- Berkeley: owner and address by upcalls, whatever the size ---------------
run berkeley berkeley both 4
common berkeley 4
same "berkeley: what thread 1 did" berkeley <<'E3'
-|BUPC_STATIC_SHARED|64|-|blocks=4 address=36864 address_thread=0 element_bytes=8 name=grid type=shared double [4]
-|BUPC_STATIC_SHARED|8|-|blocks=1 address=36864 address_thread=0 element_bytes=8 name=NULL type=NULL
1|C_FUNC|-|-|signature=int main(void)
10|UPC_NOTIFY|-|-|named=0 expression=77
10|UPC_WAIT|-|-|named=0 expression=77
20|UPC_GET|8|2|relaxed=1 source=4096 source_thread=2
21|UPC_PUT|4|2|relaxed=1 target=4096 target_thread=2
22|UPC_MEMGET|100|2|source=4096 source_thread=2
23|UPC_MEMPUT|200|2|target=4096 target_thread=2
24|UPC_MEMSET|50|2|target=4096 target_thread=2 value=7
25|UPC_MEMCPY|300|-|target=4096 target_thread=2 source=8192 source_thread=3
26|UPC_MEMGET|1|-|source=0 source_thread=-1
30|UPC_ALL_LOCK_ALLOC|-|-|object_thread=0
31|UPC_LOCK|-|-|object_thread=0
32|UPC_UNLOCK|-|-|object_thread=0
33|UPC_LOCK_ATTEMPT|-|-|object_thread=1 success=1
34|UPC_LOCK_ATTEMPT|-|-|object_thread=1 success=0
35|UPC_UNLOCK|-|-|object_thread=1
36|UPC_LOCK_FREE|-|-|object_thread=0
40|UPC_ALL_ALLOC|200|-|blocks=4 block_bytes=50 address=16384 address_thread=0
41|UPC_ALLOC|60|-|address=20480 address_thread=1
42|UPC_FREE|-|-|address=20480 address_thread=1
50|USER|-|-|arg1=3 arg2=nine arg1=4 arg2=nine
51|USER|-|-|
54+|USER|-|-|
60|UPC_NB_GET_INIT|16|2|relaxed=1 source=4096 source_thread=2 handle=43968
61|UPC_NB_SYNC|-|-|handle=43968
62|BUPC_NB_MEMGET_INIT|17|2|source=4096 source_thread=2 handle=43968
63|BUPC_NB_MEMPUT_INIT|18|2|target=4096 target_thread=2 handle=0
64|BUPC_NB_MEMCPY_INIT|19|-|target=4096 target_thread=2 source=4096 source_thread=2 handle=43968
65|BUPC_NB_TRYSYNC|-|-|handle=43968 success=1
71|UPC_ALL_BROADCAST|21|-|target=16384 target_thread=0 source=16384 source_thread=0 flags=3
11|UPC_NOTIFY|-|-|named=1 expression=11
11|UPC_WAIT|-|-|named=1 expression=11
-|UPC_COLLECTIVE_EXIT|-|-|status=0
E3
is "berkeley: static objects come before main" "$(q berkeley "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
	JOIN operation o ON o.id = s.operation_id WHERE o.symbol = 'GASP_BUPC_STATIC_SHARED' AND parent_id IS NULL")" "8 "
is "berkeley: locks" "$(q berkeley "$locks")" \
	"0x8000 of thread 0|5|4 0x8000 of thread 1|1|1 0x8000 of thread 2|1|1 0x8000 of thread 3|1|1 "
is "berkeley: traffic of thread 1" "$(q berkeley "$traffic")" \
	"1|2|get|5|160 1|2|put|6|591 1|3|get|1|300 "
is "berkeley: what an upcall takes is the tool's time, not the call's" "$(q berkeley "SELECT count(*) FROM event e
	JOIN source s ON s.id = e.source_id WHERE s.line = 42 AND duration_ns >= 2000000
	AND self_ns <= duration_ns - 2000000")" "4 "
is "berkeley: what its runtime does not tell" "$(q berkeley "SELECT detail LIKE 'Berkeley UPC: %' FROM quality
	WHERE kind = 'limits of the runtime'")" "1 "

# --- GNU and Clang: 8 bytes, nothing else known ------------------------------
run gnu gnu process 4
common gnu 4
same "gnu: what thread 1 did" gnu <<'E3'
1|C_FUNC|-|-|signature=int main(void)
10|UPC_BARRIER|-|-|named=0 expression=-2147483648
20|UPC_GET|8|-|relaxed=1 source=562949953425408
-|UPC_PUT|4|-|relaxed=1 target=562949953425408
22|UPC_MEMGET|100|-|source=562949953425408
23|UPC_MEMPUT|200|-|target=562949953425408
24|UPC_MEMSET|50|-|target=562949953425408 value=7
25|UPC_MEMCPY|300|-|target=562949953425408 source=844424930140160
26|UPC_MEMGET|1|-|source=0
-|UPC_GET|48|-|relaxed=1 source=562949953425408
-|UPC_PUT|48|-|relaxed=0 target=562949953425408
-|UPC_MEMCPY|40|-|target=562949953425408 source=844424930140160
30|UPC_ALL_LOCK_ALLOC|-|-|
31|UPC_LOCK|-|-|
32|UPC_UNLOCK|-|-|
33|UPC_LOCK_ATTEMPT|-|-|success=1
34|UPC_LOCK_ATTEMPT|-|-|success=0
35|UPC_UNLOCK|-|-|
36|UPC_LOCK_FREE|-|-|
40|UPC_ALL_ALLOC|200|-|blocks=4 block_bytes=50 address=16384
41|UPC_ALLOC|60|-|address=281474976731136
42|UPC_FREE|-|-|address=281474976731136
50|USER|-|-|arg1=3 arg2=nine arg1=4 arg2=nine
51|USER|-|-|
54+|USER|-|-|
11|UPC_BARRIER|-|-|named=1 expression=11
-|UPC_COLLECTIVE_EXIT|-|-|status=0
E3
report() {
	"$gaspdb" report "$TMP/$1.db" | tr -s ' \n' ' '
}
not_recorded="Not recorded by this UPC runtime, and computation in these figures if the program calls them: upc_fence,"
not_recorded+=" collectives (upc_all_*) and non-blocking transfers."
is "gnu: what is missing is said with the path, categories, POP and imbalance" \
	"$(report gnu | grep -oF "$not_recorded" | wc -l)" 5
is "with the findings" "$("$gaspdb" report --section=worst "$TMP/gnu.db" | tr -s ' \n' ' ' | grep -cF "$not_recorded")" 1
like "and in the summary" "$("$gaspdb" report --section=summary "$TMP/gnu.db" | tr -s ' \n' ' ')" \
	"Not recorded by this UPC runtime: upc_fence, collectives \(upc_all_\*\) and non-blocking transfers\. "
like "gnu: accesses whose owner is not known are not judged" "$(report gnu)" \
	"Not judged: 48 accesses (.*) to shared memory whose owner is not known"
is "gnu: nothing is praised that was not seen" "$(report gnu | grep -c 'no costly access')" 0
is "gnu: locks" "$(q gnu "$locks")" "0x1000000008000|1|1 0x2000000008000|1|1 0x3000000008000|1|1 0x8000|5|4 "
is "gnu: what its runtime does not tell" "$(q gnu "SELECT detail LIKE 'GNU or Clang UPC: %' FROM quality
	WHERE kind = 'limits of the runtime'")" "1 "
run pthreads gnu-pthreads pthreads 4
common pthreads 4
is "pthreads: locks, by all 16 bytes" "$(q pthreads "$locks")" \
	"0x10000000000008000|1|1 0x20000000000008000|1|1 0x30000000000008000|1|1 0x8000|5|4 "

# With the upcalls that gaspdb ships, everything has its owner.
run upcalls gnu-upcalls process 4
common upcalls 4
is "upcalls: peers" "$(q upcalls "SELECT s.line, e.peer FROM event e JOIN source s ON s.id = e.source_id
	WHERE e.thread_id = 3 AND e.peer IS NOT NULL ORDER BY e.id")" "20|0 |0 22|0 23|0 24|0 |0 |0 "
is "upcalls: traffic of thread 1" "$(q upcalls "$traffic")" "1|2|get|3|156 1|2|put|6|642 1|3|get|2|340 "
is "upcalls: locks" "$(q upcalls "$locks")" \
	"0x8000 of thread 0|5|4 0x8000 of thread 1|1|1 0x8000 of thread 2|1|1 0x8000 of thread 3|1|1 "

# --- UPC_PTS_SIZE is not the size of the program's pointers ------------------
# One lock for all, and one of each thread's own, which lie at one address.  Right: as built for 8 bytes.
pointers="SELECT count(*) FROM quality WHERE kind = 'lock pointers'"
uses="SELECT count(DISTINCT object), count(*) FROM lock_use"
program=two-locks
run right gnu process 4
is "8 for 8: five locks, used eight times" "$(q right "$uses")$(q right "$pointers")" "5|8 0 "
run wide gnu-wide process 4
is "16 for 8: the same locks" "$(q wide "$uses")" "5|8 "
is "16 for 8: of the same pointers" "$(q wide "$locks")" "$(q right "$locks")"
is "16 for 8: and it is said" "$(q wide "SELECT count(*) > 0, min(detail LIKE '%UPC_PTS_SIZE=16%') FROM quality
	WHERE kind = 'lock pointers'")" "1|1 "
run narrow gnu-narrow process 4
is "8 for 16: locks of one address are one, and it is said" "$(q narrow "$uses")$(q narrow "$pointers")" "2|8 1 "
run wide-up gnu-wide-upcalls process 4
is "a wrong size, but upcalls: five locks, with their owners" "$(q wide-up "$uses")$(q wide-up "$pointers")" "5|8 0 "
is "and the size is the program's own" \
	"$(q wide-up "SELECT DISTINCT value FROM thread_meta WHERE key = 'upc_pts_bytes'")" "8 "
program=whole
run both-known gnu-upcalls process 3
is "size and upcalls: thread, phase, address, as with upcalls alone" "$(q both-known "SELECT a.name, v.value FROM event e
	JOIN source s ON s.id = e.source_id JOIN event_arg v ON v.id >> 6 = e.id JOIN argument a ON a.id = v.argument_id
	WHERE s.line = 25 AND e.thread_id = 1 ORDER BY v.id")" \
	"target|4096 target_thread|2 target_phase|1 source|8192 source_thread|0 source_phase|2 "

# --- our own headers ---------------------------------------------------------
run own own process 3
common own 3
is "own, no size and no upcalls: no locks" "$(q own "$locks")" ""
is "own, no size and no upcalls: no peers" "$(q own "SELECT count(*) FROM event WHERE peer IS NOT NULL")" "0 "
is "own, no size and no upcalls: and that is told" \
	"$(q own "SELECT count FROM quality WHERE kind = 'unknown object'")" "15 "
run shipped own-shipped process 3
common shipped 3
is "no size, but upcalls: thread, phase, address" "$(q shipped "SELECT a.name, v.value FROM event e JOIN source s
	ON s.id = e.source_id JOIN event_arg v ON v.id >> 6 = e.id JOIN argument a ON a.id = v.argument_id
	WHERE s.line = 25 AND e.thread_id = 1 ORDER BY v.id")" \
	"target|4096 target_thread|2 target_phase|1 source|8192 source_thread|0 source_phase|2 "
is "no size, but upcalls: locks" "$(q shipped "$locks")" \
	"0x8000 of thread 0|4|3 0x8000 of thread 1|1|1 0x8000 of thread 2|1|1 "

# --- GASP 1.3 ----------------------------------------------------------------
run old old process 2
common old 2
same "old: what thread 1 did" old <<'E3'
1|C_FUNC|-|-|signature=int main(void)
10|UPC_BARRIER|-|-|named=0 expression=-2147483648
20|UPC_GET|8|-|relaxed=1 source=4096 source_high=0
-|UPC_PUT|4|-|relaxed=1 target=4096 target_high=0
22|UPC_MEMGET|100|-|source=4096 source_high=0
23|UPC_MEMPUT|200|-|target=4096 target_high=0
24|UPC_MEMSET|50|-|target=4096 target_high=0 value=7
25|UPC_MEMCPY|300|-|target=4096 target_high=0 source=8192 source_high=1
26|UPC_MEMGET|1|-|source=0 source_high=0
30|UPC_ALL_LOCK_ALLOC|-|-|object_high=0
31|UPC_LOCK|-|-|object_high=0
32|UPC_UNLOCK|-|-|object_high=0
33|UPC_LOCK_ATTEMPT|-|-|object_high=1 success=1
34|UPC_LOCK_ATTEMPT|-|-|object_high=1 success=0
35|UPC_UNLOCK|-|-|object_high=1
36|UPC_LOCK_FREE|-|-|object_high=0
40|UPC_ALL_ALLOC|200|-|blocks=4 block_bytes=50 address=16384 address_high=0
41|UPC_ALLOC|60|-|blocks=1 block_bytes=60 address=20480 address_high=1
42|UPC_FREE|-|-|address=20480 address_high=1
50|USER|-|-|arg1=3 arg2=nine arg1=4 arg2=nine
51|USER|-|-|
54+|USER|-|-|
60|UPC_NB_GET_INIT|16|-|relaxed=1 source=4096 source_high=0 handle=43968
61|UPC_NB_SYNC|-|-|handle=43968
70|UPC_FENCE|-|-|
71|UPC_ALL_BROADCAST|21|-|target=16384 target_high=0 source=16384 source_high=0 flags=3
72|C_REALLOC|32|-|old_address=16
73|UPC_CACHE_MISS|64|-|
11|UPC_BARRIER|-|-|named=1 expression=11
-|UPC_COLLECTIVE_EXIT|-|-|status=0
E3
is "old: locks of 24 bytes are told apart by all of them" "$(q old "SELECT count(*), count(DISTINCT object) FROM event e
	JOIN source s ON s.id = e.source_id WHERE s.line = 37")" "8|4 "

# --- odds and ends -----------------------------------------------------------
run older berkeley-older both 2
is "berkeley, older: static objects have four arguments" "$(q older "SELECT e.bytes, group_concat(a.name) FROM event e
	JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id JOIN event_arg v ON v.id >> 6 = e.id
	JOIN argument a ON a.id = v.argument_id WHERE o.symbol = 'GASP_BUPC_STATIC_SHARED' GROUP BY e.id")" \
	"64|blocks,proxy 8|blocks,proxy 64|blocks,proxy 8|blocks,proxy "
program=left-loop
run loop gnu process 2
same "a loop left by return" loop <<'E3'
80+|UPC_FORALL|-|-|
81|UPC_MEMSET|1|-|target=0 value=0
-|UPC_COLLECTIVE_EXIT|-|-|status=0
E3
program=atomic-exit
run atomic berkeley both 2
same "an atomic exit event, and events after it" atomic <<'E3'
90|UPC_COLLECTIVE_EXIT|-|-|status=4
91|UPC_MEMSET|1|-|target=0 target_thread=-1 value=0
-|UPC_COLLECTIVE_EXIT|-|-|status=0
E3
finish
