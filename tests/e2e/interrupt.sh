#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A signal while passes analyze what was imported: the end is the signal's, and nothing is left.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# Messages, requests, barriers and puts, so that all large passes have work.
awk -v threads=4 -v n=15000 'BEGIN {
	print "thread 0.." threads - 1
	for (r = 0; r < threads; r++)
		for (i = 0; i < n; i++) {
			t = 1000 * i
			if (i % 100 == 99)
				print "at " t " thread " r " block"
			print "at " t + r ".." t + 90 " thread " r " b.c:10 MPI_Isend peer=" (r + 1) % threads " tag=1 bytes=8 request=" i + 1
			print "at " t + 100 ".." t + 320 + r " thread " r " b.c:20 MPI_Recv peer=" (r + threads - 1) % threads " tag=1 bytes=8"
			print "at " t + 400 ".." t + 410 " thread " r " b.c:30 MPI_Wait requests=1"
			print "  complete " i + 1
			print "at " t + 500 + r ".." t + 600 " thread " r " b.c:40 MPI_Barrier"
		}
}' >script
"$O/tests/mkrun" script run || exit 1

# in_pass PID NUMBER: let it go on in steps until that many temporary files of passes have been seen; false: it is over
in_pass() {
	local seen=' ' n=0 link
	while kill -STOP "$1" 2>/dev/null && [ -d "/proc/$1/fd" ]; do
		for link in $(ls -l "/proc/$1/fd" 2>/dev/null | grep -oE '(#[0-9]+|tmp-[0-9a-f]{8}-[0-9a-f]{8}-[A-Za-z0-9]{6}) \(deleted' | cut -d' ' -f1); do
			case $seen in *" $link "*) ;; *) seen+="$link " n=$((n + 1)) ;; esac
		done
		[ $n -ge "$2" ] && return 0
		kill -CONT "$1" 2>/dev/null
		sleep 0.01
	done
	return 1
}

# interrupt JOBS NUMBER SIGNAL: true: the signal came in time
interrupt() {
	local outer pid status left in_time=false
	# In the background a shell has SIGINT ignored.
	timeout -k 5 60 env --default-signal=INT "$gaspdb" import --jobs="$1" -o a.db run 2>err &
	outer=$!
	while pid=$(pgrep -P $outer) && [ -z "$pid" ]; do :; done
	if in_pass "$pid" "$2" && kill -"$3" "$pid"; then
		in_time=true
		kill -CONT "$pid"
	fi
	wait $outer
	status=$?
	left=$(ls -A ./*.db* 2>/dev/null | tr '\n' ' ')
	case $3:$status:$left in
	INT:130: | TERM:143:) ;;
	*:0:./a.db\ ) in_time=false ;; # it was over before
	*) bad+="$3 at file $2, $1 jobs: $status, left '$left' $(cat err); " ;;
	esac
	rm -f ./*.db*
	$in_time
}

# A machine with much else to do may let it run to its end between two looks at it.
bad= late=
for jobs in 1 3; do
	for number in 1 3 6; do
		for signal in INT TERM; do
			for _ in 1 2 3 4 5; do
				interrupt $jobs $number $signal && continue 2
			done
			late+="$signal at file $number, $jobs jobs; "
		done
	done
done
is "the end is the signal's, and nothing is left" "$bad" ""
is "passes were at work" "$late" ""
finish
