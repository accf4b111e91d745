#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What an import takes of memory where a run has very much of one thing: little more than where it has little of it.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# peak NAME: import the script NAME to NAME.db; KiB of memory at most
peak() {
	"$O/tests/mkrun" "$1" "$1.run"
	python3 - "$gaspdb" import --jobs=1 "$1.run" -o "$1.db" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL, check=False)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
	rm -r "$1" "$1.run"
}

# bounded DESCRIPTION MAKE FEW MANY: MAKE N writes a script with N of it; leaves few.db and many.db
bounded() {
	local few many
	rm -f ./*.db
	"$2" "$3" >few
	few=$(peak few)
	"$2" "$4" >many
	many=$(peak many)
	if [ -n "${SANITIZE:-}" ]; then
		skip "$1" "sanitizers take memory of their own"
	else
		ok "$1: $many KiB, with few $few" test "$many" -le $((few + 16384))
	fi
}

# A lock that two PEs take in turn; each waits 4 ns for the other.
locks() {
	awk -v n="$1" 'BEGIN {
		print "thread 0..1 model=OpenSHMEM from=0 to=" 10 * n + 20
		print "segment heap"
		for (i = 1; i <= n; i++) {
			t = 10 * i
			if (i % 500 == 0)
				print "at " t - 6 " thread 0 block\nat " t - 6 " thread 1 block"
			print "at " t - 5 ".." t + 3 " thread " i % 2 " l.c:1 shmem_set_lock object=heap+64"
			print "at " t + 8 ".." t + 9 " thread " i % 2 " l.c:2 shmem_clear_lock object=heap+64"
		}
	}'
}
bounded "uses of one lock" locks 1000 200000
is "each is there" "$(sql many.db 'SELECT count(*), sum(contended_ns) FROM lock_use')" "200000|$((4 * 199999))"

# Accesses that all begin at one moment: no slice of time has fewer.
at_once() {
	awk -v n="$1" 'BEGIN {
		print "thread 0..1 model=OpenSHMEM from=0 to=100\nsegment heap"
		for (i = 1; i <= n; i++) {
			if (i % 500 == 0)
				print "at 50 thread 0 block"
			print "at 50 thread 0 a.c:" i % 3 " SHMEM_G/shmem_long_g peer=1 object=heap+64 bytes=8"
		}
		print "at 40..60 thread 1 a.c:9 shmem_quiet"
	}'
}
bounded "accesses at one moment" at_once 150000 900000
is "each is counted" "$(sql many.db 'SELECT sum(inside), sum(outside) FROM target_line')" "900000|0"
finish
