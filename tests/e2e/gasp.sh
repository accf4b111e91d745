#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every C and UPC event, from a runtime's call to the database: tests/programs/gasp_events.c raises the n-th at line n.
. "$(dirname "$0")/../lib.sh"
db=$TMP/gasp.db

GASPDB_DIR=$TMP/run "$O/programs/gasp_events" >/dev/null
"$gaspdb" import "$TMP/run" -o "$db" 2>"$TMP/err"
is "import succeeds" $? 0

# Arguments: those that are not addresses of the program's own variables.
events="SELECT s.line, o.symbol, o.type, ifnull(e.bytes, '-'), e.open,
	(SELECT group_concat(name || '=' || ifnull(value, 'NULL'), ' ')
	 FROM (SELECT a.name AS name, v.value AS value FROM event_arg v JOIN argument a ON a.id = v.argument_id
	       WHERE v.id >> 6 = e.id AND a.name <> 'local' ORDER BY v.id))
	FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	WHERE s.line <> 60 ORDER BY e.id"
sql "$db" "$events" >"$TMP/got"
cat >"$TMP/expected" <<'E2'
1|GASP_C_FUNC|function|-|0|signature=int f(void)
2|GASP_C_MALLOC|alloc|100|0|address=4096
3|GASP_C_REALLOC|realloc|200|0|old_address=4096 address=8192
4|GASP_C_FREE|free|-|0|address=8192
5|GASP_UPC_NOTIFY|notify|-|0|named=1 expression=-7
6|GASP_UPC_WAIT|barrier_wait|-|0|named=1 expression=-7
7|GASP_UPC_BARRIER|barrier|-|0|named=0 expression=0
8|GASP_UPC_FENCE|quiet|-|0|
9|GASP_UPC_FORALL|forall|-|0|
10|GASP_UPC_GLOBAL_ALLOC|shared_alloc|120|0|blocks=3 block_bytes=40
11|GASP_UPC_ALL_ALLOC|shared_alloc_all|200|0|blocks=4 block_bytes=50
12|GASP_UPC_ALLOC|shared_alloc|60|0|
13|GASP_UPC_FREE|shared_free|-|0|
14|GASP_UPC_GLOBAL_LOCK_ALLOC|lock_alloc|-|0|
15|GASP_UPC_ALL_LOCK_ALLOC|lock_alloc_all|-|0|
16|GASP_UPC_LOCK|lock|-|0|
17|GASP_UPC_LOCK_ATTEMPT|lock_attempt|-|0|success=1
18|GASP_UPC_UNLOCK|unlock|-|0|
19|GASP_UPC_LOCK_FREE|lock_free|-|0|
20|GASP_UPC_MEMCPY|copy|11|0|
21|GASP_UPC_MEMGET|get|12|0|
22|GASP_UPC_MEMPUT|put|13|0|
23|GASP_UPC_MEMSET|put|14|0|value=5
24|GASP_UPC_GET|get|8|0|relaxed=1
25|GASP_UPC_PUT|put|4|0|relaxed=0
26|GASP_UPC_NB_GET_INIT|get_nb|16|0|relaxed=1 handle=2748
27|GASP_UPC_NB_GET_DATA|nb_data|-|0|handle=2748
28|GASP_UPC_NB_PUT_INIT|put_nb|17|0|relaxed=1 handle=2748
29|GASP_UPC_NB_PUT_DATA|nb_data|-|0|handle=2748
30|GASP_UPC_NB_SYNC|nb_sync|-|0|handle=2748
31|GASP_UPC_CACHE_MISS|cache|8|0|line_bytes=64
32|GASP_UPC_CACHE_HIT|cache|9|0|
33|GASP_UPC_CACHE_INVALIDATE|cache|-|0|dirty_lines=2
34|GASP_UPC_ALL_BROADCAST|broadcast|21|0|flags=33
35|GASP_UPC_ALL_SCATTER|scatter|22|0|flags=33
36|GASP_UPC_ALL_GATHER|gather|23|0|flags=33
37|GASP_UPC_ALL_GATHER_ALL|all_to_all|24|0|flags=33
38|GASP_UPC_ALL_EXCHANGE|all_to_all|25|0|flags=33
39|GASP_UPC_ALL_PERMUTE|all_to_all|26|0|flags=33
40|GASP_UPC_ALL_REDUCE|reduce|-|0|op=1 elements=27 block_elements=3 function=0 flags=33 element_type=9
41|GASP_UPC_ALL_PREFIX_REDUCE|scan|-|0|op=2 elements=28 block_elements=3 function=0 flags=33 element_type=6
42|USER|user|-|0|
43|USER|user|-|0|arg1=-3 arg2=three arg3=0.125 arg4=77 arg5=120 arg6=4 arg7=255 arg8=16 arg1=-4 arg2=NULL arg3=-0.5 arg4=78 arg5=121 arg6=4 arg7=254 arg8=32
44|USER|user|-|0|arg1=5 arg3=6
47|GASP_UPC_BARRIER|barrier|-|1|named=0 expression=0
48|GASP_UPC_COLLECTIVE_EXIT|finalize|-|0|status=6
49|GASP_UPC_NONCOLLECTIVE_EXIT|exit|-|0|status=7
E2
is "every event with its operation, type, bytes and arguments" "$(diff "$TMP/expected" "$TMP/got")" ""
# Twice a pair and a mark; each event has 100 more than the one before, each argument 1 more.
addresses() { # FIRST: the addresses of one event
	seq "$1" $(($1 + 9)) | tr '\n' ' '
}
base=$((0x7f0000000000))
is "addresses of a pair and of a mark at one line" \
	"$(sql "$db" "SELECT group_concat(value, ' ') FROM (SELECT v.value AS value, v.id >> 6 AS event FROM event_arg v
		JOIN event e ON e.id = v.id >> 6 JOIN source s ON s.id = e.source_id WHERE s.line = 60 ORDER BY v.id)")" \
	"$(for i in 0 1 2 3 4 5; do addresses $((base + 100 * i)); done | sed 's/ $//')"
is "user events have their names" \
	"$(sql "$db" "SELECT group_concat(name) FROM (SELECT name FROM operation WHERE type = 'user' ORDER BY id)")" \
	"user event,step,bad,addresses"
is "all lines are of one file" "$(sql "$db" "SELECT DISTINCT file FROM source")" events.upc
is "what was allocated lies within the function" \
	"$(sql "$db" "SELECT count(*) FROM event WHERE parent_id = 1")" 3
is "recording was off twice" "$(sql "$db" "SELECT count(*) FROM gap WHERE kind = 'off'")" 2
is "the open start and the end without a start are told" \
	"$(sql "$db" "SELECT kind, count FROM quality WHERE kind IN ('open event', 'end without start') ORDER BY kind")" \
	"$(printf 'end without start|1\nopen event|1')"
is "what an event costs is told" \
	"$(sql "$db" "SELECT event_cost_ns BETWEEN 0.1 AND 100000 FROM recording")" 1
is "categories add up to the run time" \
	"$(sql "$db" "SELECT sum(time_ns) - (SELECT last_ns - first_ns FROM thread) FROM category_time")" 0

# A format of far more arguments than an event has room for; the first 60 are recorded.
cat >"$TMP/stars.c" <<'C'
#include <gasp.h>
#include <gasp_upc.h>
#include <string.h>
#define TEN(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9
int main(void)
{
	static char format[4 << 20];
	static const int stars[] = { 62, 300, sizeof format - 3 };
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, 0, 0);

	for (int i = 0; i < 3; i++) {
		strcpy(memset(format, '*', (size_t)stars[i] + 1) + stars[i] + 1, "d");
		format[0] = '%';
		gasp_event_notify(c, gasp_create_event(c, "stars", format), GASP_ATOMIC, "stars.c", 1, 0,
				  TEN(1), TEN(11), TEN(21), TEN(31), TEN(41), TEN(51), TEN(61));
	}
	return 0;
}
C
gcc -I"$TOP/collector/include" -o "$TMP/stars" "$TMP/stars.c" -L"$O" -lgaspdb -Wl,-rpath,"$O"
GASPDB_DIR=$TMP/stars.run "$TMP/stars"
is "formats of too many arguments: the program lives" $? 0
"$gaspdb" import "$TMP/stars.run" -o "$TMP/stars.db" 2>"$TMP/err"
is "and the first 60 of each are recorded" \
	"$(sql "$TMP/stars.db" "SELECT count(*), sum(value) FROM event_arg GROUP BY id >> 6")" \
	"$(printf '60|1830\n60|1830\n60|1830')"

GASPDB_DIR=$TMP/segments.run "$O/programs/gasp_segments" 1030
"$gaspdb" import "$TMP/segments.run" -o "$TMP/segments.db" 2>/dev/null
is "of 1,030 segments all but the last six are told, and those are counted" \
	"$(sql "$TMP/segments.db" "SELECT count(*), max(name = 'segment 1023'),
		(SELECT count FROM quality WHERE kind = 'segments left out') FROM segment")" "1024|1|6"
invariants

# --- attempts to take a lock ---
GASPDB_DIR=$TMP/attempts "$O/programs/gasp_attempts"
imports "$TMP/attempts" -o "$TMP/attempts.db" 2>/dev/null
is "attempts: all are counted, and few events" "$(sql "$TMP/attempts.db" "SELECT line, sum(attempts), count(*) < 100, max(success), count(DISTINCT object)
	FROM (SELECT s.line, e.object, coalesce(max(x.value) FILTER (WHERE a.name = 'attempts'), 1) AS attempts,
		max(x.value) FILTER (WHERE a.name = 'success') AS success FROM event e JOIN source s ON s.id = e.source_id
		JOIN event_arg x ON x.id / 64 = e.id JOIN argument a ON a.id = x.argument_id GROUP BY e.id HAVING success IS NOT NULL)
	GROUP BY 1")" "10|100001|1|1|1
20|10002|1|1|2
30|3|1|0|1"
is "attempts: the one that succeeds is an event of its own" "$(sql "$TMP/attempts.db" "SELECT attempts FROM lock_use ORDER BY id LIMIT 1")" 100000
finish
