#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Some 100 imports of runs of every kind while other programs keep the processors busy: with any number of threads a run
# becomes the same file, byte by byte, and none fails.
# Long.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
busy=()
for _ in $(seq "$(nproc)"); do
	sh -c 'while kill -0 "$0"; do i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); done; done' $$ 2>/dev/null &
	busy+=($!)
done
trap 'kill "${busy[@]}" 2>/dev/null; rm -rf "$TMP"' EXIT
imports=0

# alike RUN STATUS JOBS...: the import of each number of jobs ends with that status (any: that of the first, with a database),
# and makes the bytes of the first
alike() {
	local run=$1 expected=$2 n status
	shift 2
	for n; do
		timeout -k 5 100 "$gaspdb" import --jobs="$n" -o next.db --force "$run" 2>err
		status=$?
		[[ $expected$status = any[03] ]] && expected=$status
		[ $status = "$expected" ] || differ+="$run, $n jobs: not status $expected: $(head -n 3 err) "
		[ "$n" = "$1" ] && cp next.db first.db
		cmp -s first.db next.db || differ+="$run, $n jobs: other bytes "
		imports=$((imports + 1))
	done
}

# --- so many non-blocking messages and collectives that passes take long; all four processes are killed while some are under way ---
awk 'BEGIN {
	print "thread 0..3 cut=3999350"
	for (i = 0; i < 4000; i++)
		for (r = 0; r < 4; r++) {
			t = 1000 * i + r
			at = " thread " r " a.c:"
			if (i % 500 == 499)
				print "at " t " thread " r " block"
			print "at " t ".." t + 20 at "10 MPI_Irecv posted_peer=" (r + 3) % 4 " posted_tag=1 limit=64 request=" 2 * i + 20001
			print "at " t + 40 ".." t + 60 at "11 MPI_Isend peer=" (r + 1) % 4 " tag=1 bytes=64 request=" 2 * i + 20002
			if (i % 100 != 50) {
				print "at " t + 400 ".." t + 500 + i % 90 at "12 MPI_Wait"
				print "  complete " 2 * i + 20001 " receive peer=" (r + 3) % 4 " tag=1 bytes=64"
				print "  complete " 2 * i + 20002
			}
			print "at " t + 600 ".." t + 610 at "13 MPI_Ibarrier request=" 10000 + i
			print "at " t + 700 ".." t + 720 + r at "14 MPI_Wait"
			if (i % 50 != 7)
				print "  complete " 10000 + i " collective"
		}
}' >script
"$O/tests/mkrun" script killed
differ=
alike killed 3 1 2 3 4 7
is "a killed run" "$differ" ""
is "is not whole" "$(sql next.db "SELECT count(*), sum(complete) FROM thread")|$(sql next.db "SELECT count(*) > 65536 FROM event")" "4|0|1"
is "and sound" "$(sql next.db "PRAGMA integrity_check")" ok

# --- calls with more in them than waits to be written: their rows come late ---
awk 'BEGIN {
	print "thread 0..1 model=OpenSHMEM"
	print "segment heap"
	for (r = 0; r < 2; r++) {
		print "at " 100 + r ".." 20000000 + r " thread " r " a.c:10 shmem_malloc bytes=100 address=heap+0"
		for (k = 0; k < r * 9000; k++) {
			t = 1000 + 1000 * k
			if (k % 1000 == 0)
				print "at " t " thread " r " block"
			print "at " t ".." t + 500 " thread " r " a.c:11 user:step"
		}
	}
}' >script
"$O/tests/mkrun" script long
differ=
alike long 0 1 2 3 4
is "long calls" "$differ" ""
# Thread 1 has allocated 100 bytes, too, in the call whose row is written last.
is "with what they allocate" "$(sql next.db "SELECT thread_id, bytes FROM memory_line ORDER BY 1")" "0|100
1|100"

# --- damage, archives, a pipe, and recordings ---
cp -r killed damaged
logs=(damaged/*.gasplog)
dd if=/dev/zero of="${logs[1]}" bs=1 seek=100000 count=1500 conv=notrunc 2>/dev/null
truncate -s 20000 "${logs[2]}"
rm "${logs[3]}"
tar czf long.tar.gz long
(cd "$TMP" && python3 -m zipfile -c damaged.zip damaged)
"$gaspdb" record -o forks -- "$O/programs/gasp_killed" 2000 fork 2>/dev/null
"$gaspdb" record -o segv -- "$O/programs/gasp_killed" 2000 SEGV 2>/dev/null
differ=
alike damaged 3 1 2 3 4 7
alike damaged.zip 3 1 2 4
alike long.tar.gz 0 1 2 4
[ ! -d forks ] || alike forks 0 1 2 4
[ ! -d segv ] || alike segv 3 1 2 4
is "damage, archives and recordings" "$differ" ""

# --- a few of all examples ---
differ= i=0
for file in "$TOP"/tests/worked/*.run; do
	i=$((i + 1))
	[ $((i % 10)) = 0 ] || continue
	rm -rf worked
	"$O/tests/mkrun" "$file" worked || continue
	alike worked any 1 2 3 4
done
is "worked examples" "$differ" ""
# --- who reads a database while imports replace it: one of the two, whole ---
"$gaspdb" import -o read.db long 2>err
(for _ in 1 2 3 4; do
	"$gaspdb" import -o read.db --force damaged 2>/dev/null
	"$gaspdb" import -o read.db --force long 2>/dev/null
done) &
replaces=$! differ= reads=0
while kill -0 $replaces 2>/dev/null; do
	told=$(timeout 60 "$gaspdb" shell read.db "SELECT count(*) FROM thread; SELECT count(*) FROM thread" 2>&1 | tr -dc '0-9\n' | xargs)
	case $told in '2 2' | '4 4') reads=$((reads + 1)) ;; *) differ+="$told; " ;; esac
done
wait $replaces
is "read while it is replaced" "$differ" ""
ok "now and then" test $reads -ge 3
ok "100 imports and more" test $imports -ge 100
finish
