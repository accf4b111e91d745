#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Collectives of a UPC runtime that raises no events of them, recorded by wrappers that gaspcc has the linker call:
# tests/upc/calls.c, four threads.  And those of one that raises them itself.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# A compiler of UPC by its name and its arguments; the rest is C.  Its library is last, as in a real one.
library=$O/upc/gnu.parts/libupc.a headers=include-gnu
cat >clang-upc <<U
#!/bin/bash
case " \$* " in *" -c "*) last= ;; *) last="-x none \$UPC_LIBRARY -lpthread" ;; esac
words=() language=
for word; do
	case \$word in
	-fupc-debug) continue ;;
	*.upc | *.c) [ "\$language" = c ] || words+=(-x c) && language=c ;;
	*.o) [ "\$language" != c ] || words+=(-x none) && language= ;;
	esac
	words+=("\$word")
done
exec gcc \${SANITIZE:+-fsanitize=address,undefined} -std=gnu2x -g -O1 -DTEST_PTS_BYTES=8 -DRUNTIME_process -I"$TOP/tests/upc/\$UPC_HEADERS" -I"$TOP/tests/upc/stub" \
	-I"$TOP/tests/upc" -I"$TOP/tests" -I"$TOP/collector/include" "\${words[@]}" \$last
U
chmod +x clang-upc
parts=$TOP/tests/upc
models=$TOP/collector/models/upc
# link NAME COLLECTOR FILES...: the program with gaspcc
link() {
	local name=$1 collector=$2
	shift 2
	UPC_HEADERS=$headers UPC_LIBRARY=$library "$O/gaspcc" --inst ./clang-upc -o "$name" "$parts/program.c" "$parts/calls.c" "$parts/clocks.c" "$@" \
		"$O/upc/$collector/gaspdb-upc.o" >out 2>&1
	is "$name: it is linked" "$? $(cat out)" "0 "
}
compile() { # FILE
	UPC_HEADERS=$headers ./clang-upc -include "$parts/stub.h" -c "$1"
}
run() { # NAME PROGRAM
	GASPDB_DIR=$TMP/$1.run timeout 120 "./$1" process 4 "$2" >out 2>&1
	is "$1: exit status and output" "$?$(cat out)" 0
	imports "$1.run" -o "$1.db" 2>/dev/null
	is "$1: import" $? 0
}
symbols=$(printf "'GASP_UPC_ALL_%s', " BROADCAST SCATTER GATHER GATHER_ALL EXCHANGE PERMUTE REDUCE PREFIX_REDUCE SORT | sed 's/, $//')
q() {
	sql "$1.db" "$2" | tr '\n' ' '
}
compile "$models/gaspdb_upcalls.upc"
compile "$models/gaspdb_collectives.upc"
compile "$models/gaspdb_clocks.upc"

is "gaspcc: the wrapped names are those that the file wraps" \
	"$("$O/gaspcc" --show ./clang-upc a.o dir/gaspdb_collectives.o | tr ' ' '\n' | sed -n 's/^-Wl,--wrap=//p' | sort)" \
	"$(nm gaspdb_collectives.o | sed -n 's/.* T __wrap_//p' | sort)"
is "gaspcc: and none where nothing is linked, or nothing wraps them" \
	"$("$O/gaspcc" --show ./clang-upc -c dir/gaspdb_collectives.upc; "$O/gaspcc" --show ./clang-upc a.o)" \
	"./clang-upc -c dir/gaspdb_collectives.upc
./clang-upc a.o"
is "gaspcc: Berkeley's runtime has events of its own" "$("$O/gaspcc" --show upcc a.o gaspdb_collectives.o)" \
	"upcc a.o gaspdb_collectives.o"

# --- recorded by the wrappers --------------------------------------------------------------------------------------
link wrapped collector-gnu gaspdb_upcalls.o gaspdb_collectives.o gaspdb_clocks.o
run wrapped collectives
# calls COLUMNS [CONDITIONS]: of the calls of collectives
calls() {
	echo "SELECT $1 FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		JOIN thread t ON t.id = e.thread_id WHERE o.symbol IN ($symbols) ${2:-}"
}
is "29 collectives in each of four threads" "$(q wrapped "$(calls 'count(*), count(DISTINCT t.rank), count(DISTINCT o.name)')")" "116|4|29 "
is "each where the program calls it" "$(q wrapped "$(calls 'o.name, s.line' "AND t.rank = 1 AND s.file LIKE '%calls.c' ORDER BY e.id")")" \
	"$(grep -n '^	MOVE\|^	REDUCE\|^	upc_all_' "$parts/calls.c" | sed 's/\([0-9]*\):.*\(upc_all_[A-Za-z_]*\)[(,].*/\2|\1/' | tr '\n' ' ')"
is "in its function" "$(q wrapped "$(calls 'DISTINCT s.function' 'ORDER BY e.id')")" "relocations reductions prefix_reductions sort "
is "the bytes of a block" "$(q wrapped "$(calls 'o.name, min(e.bytes), max(e.bytes)' "AND o.type NOT IN ('reduce', 'scan') AND o.name <> 'upc_all_sort' GROUP BY o.id ORDER BY 2")")" \
	"upc_all_broadcast|21|21 upc_all_scatter|22|22 upc_all_gather|23|23 upc_all_gather_all|24|24 upc_all_exchange|25|25 upc_all_permute|26|26 "
# Ten elements in blocks of two, from thread 1 on: four are thread 1's, two each other's.
expected=
for type in C:1 UC:1 S:2 US:2 I:4 UI:4 L:8 UL:8 F:4 D:8 LD:16; do
	n=${type#*:}
	expected+="upc_all_reduce${type%:*}|$((2 * n)),$((4 * n)),$((2 * n)),$((2 * n)) "
done
is "reductions: the bytes with affinity to each thread" "$(q wrapped "SELECT name, group_concat(bytes) FROM (
	$(calls 'o.id AS o, o.name AS name, e.bytes AS bytes' "AND o.type = 'reduce' ORDER BY o.id, t.rank")) GROUP BY o ORDER BY o")" "$expected"
is "prefix reductions: of six in blocks of four" "$(q wrapped "$(calls 't.rank, sum(e.bytes)' "AND o.type = 'scan' GROUP BY 1 ORDER BY 1")")" \
	"0|$((4 * 58)) 1|$((2 * 58)) 2|0 3|0 "
is "sort: of nine in blocks of three, after the first" "$(q wrapped "$(calls 'group_concat(e.bytes)' "AND o.name = 'upc_all_sort'")")" "16,24,24,8 "
is "what they were called with" "$(q wrapped "SELECT o.name, group_concat(a.name || '=' || v.value, ' ') FROM event e
	JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id JOIN thread t ON t.id = e.thread_id
	JOIN event_arg v ON v.id >> 6 = e.id JOIN argument a ON a.id = v.argument_id
	WHERE t.rank = 3 AND o.name IN ('upc_all_scatter', 'upc_all_permute', 'upc_all_reduceD', 'upc_all_sort')
	AND a.name NOT GLOB '*_phase' GROUP BY e.id ORDER BY e.id")" \
	"upc_all_scatter|target=16 target_thread=0 source=32 source_thread=2 flags=10 upc_all_permute|target=16 target_thread=0 source=32\
 source_thread=0 permutation=48 permutation_thread=0 flags=0 upc_all_reduceD|target=16 target_thread=2 source=32 source_thread=1\
 op=65536 elements=10 block_elements=2 function=0 flags=0 element_type=9 upc_all_sort|target=4096 target_thread=0 element_bytes=8\
 elements=9 block_elements=3 function=0 flags=0 "
is "a collective that the library calls for another one is only counted" \
	"$(q wrapped "SELECT count(*) FROM quality WHERE kind = 'nested calls'")$(q wrapped "$(calls 'count(*)' "AND o.name = 'upc_all_gather_all'")")" "4 4 "

# Matched: all members, root, and the wait for the one that was planted.
is "each is one instance of four members" "$(q wrapped "SELECT count(DISTINCT m.collective_id), count(*) FROM collective_member m
	JOIN event e ON e.id = m.event_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	WHERE o.symbol IN ($symbols)")" "29|116 "
is "roots" "$(q wrapped "SELECT o.name, c.root FROM collective c JOIN operation o ON o.id = c.operation_id
	WHERE o.name IN ('upc_all_broadcast', 'upc_all_scatter', 'upc_all_gather', 'upc_all_reduceI', 'upc_all_exchange') ORDER BY c.id")" \
	"upc_all_broadcast|1 upc_all_scatter|2 upc_all_gather|3 upc_all_exchange| upc_all_reduceI|2 "
is "the others wait for thread 2 in the first" "$(q wrapped "SELECT group_concat(w.thread_id), min(w.end_ns - w.start_ns) > 25e6, sum(w.end_ns > e.start_ns + e.duration_ns) FROM wait w
	JOIN event e ON e.id = w.event_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	WHERE o.name = 'upc_all_broadcast' AND w.cause_thread_id = 2")" "0,1,3|1|0 "

# What the runtime lacks is said without the collectives.
is "quality: they are no limit" "$(q wrapped "SELECT detail LIKE '%upc_fence and non-blocking transfers are not told%', detail LIKE '%collectives%'
	FROM quality WHERE kind = 'limits of the runtime'")" "1|0 "
like "the report agrees" "$("$gaspdb" report --section=summary wrapped.db | tr -s ' \n' ' ')" \
	"Not recorded by this UPC runtime: upc_fence and non-blocking transfers\. "

# --- the same without wrappers -------------------------------------------------------------------------------------
link bare collector-gnu gaspdb_upcalls.o
run bare collectives
is "without the file: none is recorded" "$(q bare "$(calls 'count(*)')")" "0 "
is "and the report says so" "$(q bare "SELECT detail LIKE '%collectives (upc_all_*)%' FROM quality WHERE kind = 'limits of the runtime'")" "1 "

# --- chosen ------------------- -----------------------------------------------------------------------------------------------
timeout 120 "$gaspdb" record --except=type:reduce -o masked.run -- ./wrapped process 4 collectives >out 2>&1
is "record --except: exit status" "$?" 0
imports masked.run -o masked.db 2>/dev/null
is "record --except: the chosen ones are counted" "$(q masked "$(calls 'count(*)')")$(q masked "SELECT sum(count) FROM quality WHERE kind = 'masked events'")" "72 88 "


# --- a runtime that raises them itself -----------------------------------------------------------------------------
# The header has tags, and the runtime's upc_all_broadcast raises its event: only that of upc_all_sort is the wrapper's.
headers=../../collector/include library=$O/upc/own-shipped.parts/libupc.a
compile "$models/gaspdb_upcalls.upc"
compile "$models/gaspdb_collectives.upc"
link twice collector-own gaspdb_upcalls.o gaspdb_collectives.o
run twice collectives
is "each is recorded once" "$(q twice "$(calls "o.name, count(*), s.file LIKE '%calls.c'" 'GROUP BY o.id ORDER BY 1')")" \
	"upc_all_broadcast|4|0 upc_all_sort|4|1 "
finish
