#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Logs that a big-endian machine writes: tests/order/values.c with the collector, built for s390x, under qemu, and the same built
# for this machine. Both leave the values that the program knows, and the lines of their ELF files, alone and in one run.
. "$(dirname "$0")/../lib.sh"
if ! command -v s390x-linux-gnu-gcc >/dev/null || ! command -v qemu-s390x >/dev/null; then
	skip "logs of s390x" "no s390x-linux-gnu-gcc and qemu-s390x (Debian: gcc-s390x-linux-gnu, qemu-user)"
	finish
fi
cd "$TMP" || exit 1
export QEMU_LD_PREFIX=/usr/s390x-linux-gnu
source=$TOP/tests/order/values.c
env -u CFLAGS -u MAKEFLAGS -u MAKELEVEL make -s -C "$TOP" CC=s390x-linux-gnu-gcc SANITIZE= O="$TMP/s390x" "$TMP/s390x/libgaspdb.so" >make.out 2>&1
is "the collector is built for s390x without a word" "$? $(grep -v '^  [A-Z]* *[^ ]*$' make.out)" "0 "

# compile COMPILER LIBRARY-FOLDER SOURCE PROGRAM
compile() {
	"$1" -std=gnu2x -Wall -Wextra -g -O1 -finstrument-functions -I"$TOP/collector/include" -o "$4" "$3" -L"$2" -lgaspdb -Wl,-rpath,"$2"
}
compile s390x-linux-gnu-gcc "$TMP/s390x" "$source" big
compile cc "$O" "$source" little
big() {
	env -u LD_PRELOAD timeout 60 qemu-s390x "$TMP/big" "$@"
}

# holds WHAT DATABASE THREAD [KILLED]: the program's values
holds() {
	local of="FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id WHERE e.thread_id = $3 AND"
	is "$1: puts, their bytes, their least and most" \
		"$(sql "$2" "SELECT count(*), sum(e.bytes), min(e.bytes), max(e.bytes), sum(e.open) $of o.symbol = 'GASP_UPC_PUT' AND s.line = 8")" \
		"30000|450015000|1|30000|0"
	is "$1: in their order" "$(sql "$2" "SELECT sum(bytes = n) FROM (SELECT e.bytes AS bytes, row_number() OVER (ORDER BY e.id) AS n
		$of o.symbol = 'GASP_UPC_PUT')")" 30000
	is "$1: arguments of each size" "$(sql "$2" "SELECT group_concat(a.name || '=' || v.value, ' ') FROM event_arg v
		JOIN argument a ON a.id = v.argument_id WHERE v.id >> 6 = (SELECT e.id $of o.name = 'sizes')")" \
		"arg1=-2 arg2=-9223372036854775807 arg3=52 arg4=26505 arg5=4275878552 arg6=72623859790382856 arg7=-0.15625 arg8=1.0e+300 arg9=text arg10=122 arg11=$((0x7fedcba98765))"
	is "$1: calls of functions, with file and line" \
		"$(sql "$2" "SELECT s.function, s.file LIKE '%values.c', s.line, count(*) $of o.type = 'function' GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" \
		"inner|1|$(line inner)|10 outer|1|$(line outer)|5 "
	is "$1: and callers" "$(sql "$2" "SELECT count(*) FROM event e JOIN event up ON up.id = e.parent_id
		JOIN source s ON s.id = e.source_id JOIN source p ON p.id = up.source_id
		WHERE e.thread_id = $3 AND s.function = 'inner' AND p.function = 'outer'")" 10
}

# A profile: the same sums, of a program that ends and of one that is killed.
profile() { # DIR STATUS [KILLED]
	{ GASPDB_MODE=profile GASPDB_DIR=$TMP/$1 big ${3:-}; } 2>/dev/null
	"$gaspdb" import "$1" -o "$1.db" 2>err
	is "$1: it is imported" "$? $(sql "$1.db" "SELECT value FROM meta WHERE key = 'mode'")" "$2 profile"
	is "$1: puts and their bytes" "$(sql "$1.db" "SELECT sum(p.calls), sum(p.bytes) FROM profile p JOIN source s ON s.id = p.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.symbol = 'GASP_UPC_PUT'")" "30000|450015000"
	is "$1: functions" "$(sql "$1.db" "SELECT s.function, s.line, sum(p.calls) FROM profile p JOIN source s ON s.id = p.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.type = 'function' GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" \
		"inner|$(line inner)|10 outer|$(line outer)|5 "
	is "$1: inner() is called by outer()" "$(sql "$1.db" "SELECT sum(c.calls) FROM callpath c JOIN callpath up ON up.id = c.parent_id
		JOIN source s ON s.id = c.source_id JOIN source p ON p.id = up.source_id WHERE s.function = 'inner' AND p.function = 'outer'")" 10
}

# line FUNCTION: that of its opening brace
line() {
	echo $(($(grep -n "static void $1(int n)" "$source" | cut -d: -f1) + 1))
}

order() {
	od -An -tx1 -j8 -N2 "$1" | tr -d ' '
}

GASPDB_DIR=$TMP/run big
is "the program succeeds" $? 0
is "its log's version is big-endian" "$(order run/*.gasplog)" 0002
is "and its first block's magic number" "$(od -An -c -j64 -N4 run/*.gasplog | tr -d ' ')" KLBG
imports run -o run.db 2>err
is "it is imported" "$? $(sql run.db "SELECT complete FROM thread")" "0 1"
ok "it has several blocks" test "$(stat -c %s run/*.gasplog)" -gt 131072
holds "s390x" run.db 0

{ GASPDB_DIR=$TMP/killed big kill; } 2>/dev/null
is "killed: by its signal" $? 137
imports killed -o killed.db 2>err
is "killed: there is no end" "$? $(sql killed.db "SELECT kind FROM quality WHERE severity = 'loss'")" "3 no end block"
holds "killed" killed.db 0

profile profile 0
profile profile_killed 3 kill

# Lines are looked up when the command ends, in files of both orders; nothing is left of these at the import.
"$gaspdb" record -o both -- sh -c "'$TMP/little' && env -u LD_PRELOAD qemu-s390x '$TMP/big'" >record.out 2>&1
is "one run of both: it is recorded" $? 0
is "one run of both: one log of each order" "$(for log in both/*.gasplog; do order "$log"; done | sort | tr '\n' ' ')" "0002 0200 "
mkdir away && mv big little away
imports both -o both.db 2>err
is "one run of both: it is imported" "$? $(sql both.db "SELECT count(*), min(complete) FROM thread")" "0 2|1"
holds "one run of both, first" both.db 0
holds "one run of both, second" both.db 1
is "one run of both: on one clock, one after the other" "$(sql both.db "SELECT max(e.start_ns) FILTER (WHERE e.thread_id = little.id) <
	min(e.start_ns) FILTER (WHERE e.thread_id <> little.id) FROM event e, (SELECT id FROM thread ORDER BY first_ns LIMIT 1) AS little")" 1

# A module without a build-id is known by the checksum of its bytes.
cp "$source" identified.c
s390x-linux-gnu-gcc -std=gnu2x -g -O1 -finstrument-functions -I"$TOP/collector/include" -Wl,--build-id=none -o big identified.c \
	-L"$TMP/s390x" -lgaspdb -Wl,-rpath,"$TMP/s390x"
GASPDB_DIR=$TMP/identified big
imports identified -o identified.db 2>err
is "without a build-id: calls with file and line" "$(sql identified.db "SELECT DISTINCT s.function, s.line FROM event e
	JOIN source s ON s.id = e.source_id WHERE s.file LIKE '%identified.c' ORDER BY 1" | tr '\n' ' ')" "inner|$(line inner) outer|$(line outer) "

# Every event of GASP, as this machine records it (gasp.sh).
rows="SELECT o.symbol, s.line, e.open, e.bytes, e.peer, (SELECT group_concat(a.name || '=' || ifnull(v.value, 'NULL'))
	FROM event_arg v JOIN argument a ON a.id = v.argument_id WHERE v.id >> 6 = e.id AND a.name <> 'local')
	FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id ORDER BY e.id"
s390x-linux-gnu-gcc -std=gnu2x -g -O1 -I"$TOP/collector/include" -o big "$TOP/tests/programs/gasp_events.c" -L"$TMP/s390x" -lgaspdb \
	-Wl,-rpath,"$TMP/s390x"
GASPDB_DIR=$TMP/events big >/dev/null
GASPDB_DIR=$TMP/usual "$O/programs/gasp_events" >/dev/null
imports events -o events.db 2>err
imports usual -o usual.db 2>err
sql usual.db "$rows" >usual.rows
is "every event of GASP" "$(sql events.db "$rows" | diff usual.rows -)" ""
is "there are some" "$(($(wc -l <usual.rows) > 50))" 1
finish
