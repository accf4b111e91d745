#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The example that leaks: its line, blocks and bytes are found, and no other.
. "$(dirname "$0")/../lib.sh"

if [ ! -x "$O/examples/shmem_leak" ]; then
	skip "OpenSHMEM" "not here"
	finish
	exit
fi
"$gaspdb" record -o "$TMP/leak" -- timeout 100 oshrun -np 2 "$O/examples/shmem_leak" >"$TMP/out" 2>"$TMP/err"
is "the program succeeds" $? 0
"$gaspdb" import "$TMP/leak" -o "$TMP/leak.db" 2>"$TMP/import"
is "import succeeds" $? 0
line=$(awk 'index($0, "/* FAULT leak */") { print NR }' "$TOP/examples/shmem_leak.c")
is "it knows what it leaks" "$(cat "$TMP/out")" "fault: leak blocks 6 bytes 6000"
is "the line, and how much" "$("$gaspdb" analyze leaks "$TMP/leak.db" --format=csv | cut -d, -f1-3,5-9 | tail -n +2)" \
	"never freed,shmem_leak.c:$line,shmem_malloc,1,6,6000,20,2"
is "the report names it" "$("$gaspdb" report "$TMP/leak.db" 2>/dev/null | grep -c "^ *never freed  *shmem_leak.c:$line ")" 1
# The buffer that is kept, those that leak, and the one of the round: 5 of a PE.
is "most at once" "$(sql "$TMP/leak.db" "SELECT peak_bytes, end_bytes FROM memory_peak WHERE shared AND thread_id IS NULL
	AND source_id IS NULL")" "10000|6000"
invariants
finish
