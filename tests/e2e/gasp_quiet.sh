#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What gasp_event_notify does besides writing: no allocation, and no system call but for a new piece of the log, and to look at
# the processor now and then.
. "$(dirname "$0")/../lib.sh"

# calls N: system calls of a program that raises N events; the log's bytes: "CALLS BYTES"
calls() {
	GASPDB_DIR=$TMP/run$1 strace -f -c -o "$TMP/trace$1" "$O/programs/gasp_storm" "$1" >"$TMP/out$1" || return
	# A look is one reading of the thread's clock; where it reads the kernel's count, too, getrusage and five more.
	echo "$(awk '$NF == "total" { all = $4 } $NF == "clock_gettime" { looks = $4 } $NF == "getrusage" { reads = $4 }
		END { print all - looks - 6 * reads, looks + 0 }' "$TMP/trace$1") $(stat -c %s "$TMP/run$1"/*.gasplog)"
}

if ! strace -o /dev/null true 2>/dev/null; then
	skip "system calls of a million events" "strace cannot trace here"
	finish
fi
# The second million finds every site, name and table there: what it asks the system for is room in the file alone.
read -r calls1 looks1 bytes1 < <(calls 999996)
read -r calls2 looks2 bytes2 < <(calls 1999992)
is "a million events allocate nothing" "$(cat "$TMP/out999996")" 0
is "nor do two" "$(cat "$TMP/out1999992")" 0
is "both were recorded whole" "$((bytes1 > 3000000 && bytes2 - bytes1 > 3000000))" 1
# A block is nearly 64 KiB, and beginning one blocks signals (2 calls) and makes its pages (madvise).  The window of the file moves on every 256 KiB
# less a block's least room and a page, by prlimit, open, fstat (is it still the file?), fallocate, mmap, close, madvise and munmap
# (8 calls).
bytes=$((bytes2 - bytes1))
most=$((3 * (bytes / (64000) + 1) + 8 * (bytes / (230 * 1024) + 1)))
ok "the second million: $((calls2 - calls1)) system calls for $bytes bytes, at most $most" \
	test $((calls2 - calls1)) -le $most
ok "and that is less than one for 2,500 events" test $most -lt 400

imports "$TMP/run1999992" -o "$TMP/db2" 2>/dev/null
# After a third of a millisecond without an event, at most.
ok "one look in a third of a millisecond at most, of $looks1 and $looks2" test "$looks2" -le \
	"$(sql "$TMP/db2" "SELECT 10 + max(last_ns) / 300000 FROM thread")"
imports "$TMP/run999996" -o "$TMP/db" 2>/dev/null
is "every event is there, with its arguments" \
	"$(sql "$TMP/db" "SELECT count(*), sum(bytes) FROM event")" \
	"$((999996 / 2))|$((166666 * 166665 / 2))"
finish
