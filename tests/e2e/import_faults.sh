#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# System calls that fail: an import has all events, or says in a line whose file is to blame and leaves nothing, or tells the loss.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
if [ -n "${SANITIZE:-}" ]; then
	skip "calls that fail" "an ASan program takes no library before its own"
	finish
fi
awk 'BEGIN {
	print "thread 0..3"
	for (i = 0; i < 60; i++) {
		t = 1000 * i
		print "at " t ".." t + 50 " thread 0 a.c:10 MPI_Send peer=1 tag=5 bytes=100"
		print "at " t + 20 ".." t + 55 " thread 1 a.c:20 MPI_Recv peer=0 tag=5 bytes=100"
		for (r = 0; r < 4; r++)
			print "at " t + 60 ".." t + 100 + r " thread " r " a.c:30 MPI_Barrier"
	}
}' >script
"$O/tests/mkrun" script run
n_events=360
tar cf run.tar run
mkdir out

# import RUN CALL AT: with that call failing; $status
import() {
	timeout 60 env LD_PRELOAD="$O/programs/faulty.so" FAULT_COUNT="$TMP/count" FAULT_CALL="$2" FAULT_AT="$3" \
		"$gaspdb" import "$1" -o out/a.db --jobs=2 2>err
	status=$?
}

# fault RUN CALL AT: prints what is not as it should be
fault() {
	local events=none
	import "$1" "$2" "$3"
	[ -e out/a.db ] && events=$(sqlite3 out/a.db 'SELECT count(*) FROM event; PRAGMA integrity_check' | xargs)
	case $status:$events in
	"0:$n_events ok") ;;
	3:*" ok") grep -q 'Input/output error\|cannot be read\|cannot read' err || echo "$1 $2 $3: the cause of the loss is not told" ;;
	1:none) grep -q "out\|run" err || echo "$1 $2 $3: nobody is blamed: $(cat err)" ;;
	*) echo "$1 $2 $3: status $status, $events" ;;
	esac
	rm -f out/a.db
	[ -z "$(ls -A out)" ] || echo "$1 $2 $3: left: $(ls -A out)"
	rm -f out/*
}

for input in run run.tar; do
	for call in read pread pread64 pwrite pwrite64 ftruncate ftruncate64 fsync link fstat lstat lseek access realpath opendir readdir; do
		rm -f count
		import $input $call 1000000
		rm -f out/*
		n=$(cat count)
		bad=
		for ((i = 0; i <= n; i += i < 3 ? 1 : 1 + n / 10)); do
			bad+=$(fault $input $call $i)
		done
		is "$input: each $call that fails" "$bad" ""
	done
done

# --- calls that give less than is asked for ---
if command -v python3 >/dev/null; then
	python3 -c 'import shutil; shutil.make_archive("run", "zip", ".", "run")'
	for input in run run.tar run.zip; do
		FAULT_SHORT=1 import $input none 0
		is "$input: all reads are short" "$status $(sql out/a.db 'SELECT count(*) FROM event')" "0 $n_events"
		rm -f out/*
	done
else
	skip "a zip file" "no python3"
fi
finish
