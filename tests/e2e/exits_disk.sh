#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Logs that cannot grow: the program goes on as if nothing were, one line says why, and what was recorded stays.
. "$(dirname "$0")/../lib.sh"
program=$O/programs/gasp_exits
cd "$TMP" || exit 1
exec 2>"$TMP/shell" # bash tells of killed programs
N=200000 # four pieces of a log or more

# run HOW DIR COMMAND...: gasp_exits HOW N under COMMAND, recorded into DIR and imported
run() {
	local how=$1 dir=$2
	shift 2
	rm -f run.db
	GASPDB_DIR=$dir timeout 60 "$@" "$program" "$how" $N >out 2>err </dev/null
	status=$?
	imports "$dir" -o run.db 2>import
	imported=$?
}

# The first steps are all there, and some are missing at the end.
beginning() {
	sql run.db "SELECT CASE WHEN count(*) = max(a.value) AND min(a.value) = 1 AND max(a.value) BETWEEN $1 AND $2 THEN 'the first'
		ELSE count(*) || ' of ' || max(a.value) END, (SELECT min(complete) FROM thread) FROM event e
		JOIN event_arg a ON a.id >> 6 = e.id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id AND o.name = 'step'"
}

# stops WHAT CAUSE: after run; the program was not disturbed, and each party says what it has to
stops() {
	is "$1: the program's end is its own, with one line" "$status $(cat out) $(wc -l <err)" "0  1"
	like "$1: which tells the log and the cause" "$(cat err)" "^gaspdb: recording stops: log '/.*gasplog'.*$2"
	is "$1: the first events are there" "$imported $(beginning 5000 $((2 * N - 1)))" "3 the first|1"
	is "$1: the import names the log and the cause" "$(sql run.db "SELECT q.severity, q.file = t.file, q.detail LIKE '%$2%' FROM quality q
		JOIN thread t ON t.id = q.thread_id WHERE q.kind = 'lost events'")" "loss|1|1"
	is "$1: what came after is a gap" "$(sql run.db "SELECT count(*) FROM gap WHERE kind = 'off'")" 1
}

# --- a size limit of our own ---
export GASPDB_MAX_LOG_SIZE=512K
run return "$TMP/limit"
unset GASPDB_MAX_LOG_SIZE
is "size limit: the program's end is its own, with one line" "$status $(cat out) $(wc -l <err)" "0  1"
like "size limit: which tells the log and the limit" "$(cat err)" "^gaspdb: a trace ends: log '/.*gasplog' has reached the limit of 524288 bytes; a profile goes on"
is "size limit: nothing is damaged" "$imported $(beginning 5000 $((N - 1)))" "0 the first|1"
is "size limit: it is used, and kept" "$(($(stat -c %s limit/*.gasplog) / 65536))" 6
is "size limit: that is said" "$(sql run.db "SELECT kind FROM quality WHERE kind = 'size limit'")" "size limit"
GASPDB_MAX_LOG_SIZE=256K run detached "$TMP/limit4"
is "size limit: each thread has one, the process one line" "$status $(wc -l <err) $imported $(sql run.db "SELECT count(*) FROM quality WHERE kind = 'size limit'")" "0 1 0 4"
# The first thread's log has 2 MiB or less when those of the others begin.
GASPDB_MAX_RUN_SIZE=4M run detached "$TMP/limit5"
is "the run's limit: its threads share it" "$status $imported $(cat "$TMP"/limit5/*.gasplog | wc -c | awk '{ print $1 <= 4194304 }')" "0 0 1"
is "and have used it up" "$(sql run.db "SELECT count(*) > 0 FROM quality WHERE kind = 'size limit'")" 1
for size in 0 1 255K garbage 1T 99999999999999999999; do
	GASPDB_MAX_LOG_SIZE=$size run return "$TMP/size$size"
	is "a limit of '$size' is ignored with one line" "$status $(wc -l <err) $(grep -c "^gaspdb: GASPDB_MAX_LOG_SIZE=$size is ignored" err) $imported $(beginning $N $N)" \
		"0 1 1 0 the first|1"
done

# --- the system's limits ---
run return "$TMP/fsize" bash -c 'ulimit -f 512; exec "$@"' -
stops "file-size limit" "File too large"
run nofile "$TMP/nofile"
stops "no descriptors left" "Too many open files"
if [ "$(id -u)" = 0 ]; then
	run chroot "$TMP/chroot"
	stops "chroot" "No such file or directory"
fi
run rmdir "$TMP/rmdir"
is "the run directory is removed: the program's end is its own, with one line" "$status $(cat out) $(wc -l <err)" "0  1"

# --- a full disk ---
mkdir disk
if mount -t tmpfs -o size=768k tmpfs disk 2>/dev/null; then
	trap 'umount -l "$TMP/disk"; rm -rf "$TMP"' EXIT
	run return "$TMP/disk/run"
	is "the run's limit: half of the disk is left" "$status $(wc -l <err) $imported $(stat -c %s disk/run/*.gasplog |
		awk '{ print ($1 <= 384 * 1024) }')" "0 1 0 1"
	rm -rf disk/*
	export GASPDB_MAX_RUN_SIZE=0
	run return "$TMP/disk/run"
	stops "full disk" "No space left on device"
	rm -r disk/run
	dd if=/dev/zero of=disk/full bs=4k 2>/dev/null
	GASPDB_DIR=$TMP/disk/run timeout 60 "$program" return $N >out 2>err
	is "full from the start: the program's end is its own, with one line" "$? $(cat out) $(wc -l <err)" "0  1"
	like "full from the start: which tells the cause" "$(cat err)" "^gaspdb: nothing is recorded of this thread: .*No space left on device"
	is "record is told why" "$(ls disk/run)" "$(uname -n)-$(ls disk/run | sed 's/.*-\([0-9]*\)-0-28.*/\1/')-0-28.failed"
	if [ -x "$O/programs/openmpi/mpi_hello" ]; then
		timeout 60 "$gaspdb" record -o disk/mpi -- "$O/programs/openmpi/mpi_hello" >out 2>err
		like "record tells why" "$(cat err)" "^gaspdb: nothing was recorded: no log could be written in '/.*/disk/mpi': No space left on device"
	fi
	timeout 60 "$gaspdb" record -o disk/none -- true >out 2>err
	like "record tells it also of what made no log at all" "$? $(cat err)" \
		"^0 gaspdb: nothing was recorded: no log could be written in '/.*/disk/none': No space left on device"
	rm -rf disk/*
	dd if=/dev/zero of=disk/full bs=4k count=40 2>/dev/null
	N=10 run detached disk/run
	failed=$(ls disk/run | grep -c '[.]failed$')
	is "room for two threads' logs: the program's end is its own, with one line" "$status $(cat out) $(wc -l <err)" "0  1"
	is "each of the other two leaves the reason" "$(ls disk/run | grep -c '[.]gasplog$') $failed" "2 2"
	is "and the import misses it" "$imported $(sql run.db "SELECT count(DISTINCT file), severity, detail FROM quality WHERE kind = 'log not made'
		AND file LIKE '%-28.failed'")" "3 2|loss|No space left on device"
	timeout 60 "$gaspdb" info disk/run >info.out 2>info.err
	is "so does info" "$? $(grep -c 'log not made: No space left on device' info.err)" "3 2"
	tar -cf run.tar -C disk run
	imports run.tar -o tar.db 2>/dev/null
	is "and the import of an archive" "$? $(sql tar.db "SELECT count(*) FROM quality WHERE kind = 'log not made'")" "3 2"
	rm -rf disk/*
	mount -o remount,ro disk
	GASPDB_DIR=$TMP/disk/run timeout 60 "$program" return $N >out 2>err
	is "read-only: the program's end is its own, with one line" "$? $(cat out) $(wc -l <err)" "0  1"
	like "read-only: which tells the cause" "$(cat err)" "^gaspdb: nothing is recorded: .*Read-only file system"
else
	skip "full disk" "nothing can be mounted here"
fi

# --- a file system without shared mappings ---
cat >unmappable.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
	if ((flags & MAP_SHARED) && fd >= 0) {
		errno = ENODEV;
		return MAP_FAILED;
	}
	return real(at, n, protection, flags, fd, offset);
}
C
gcc -shared -fPIC -o unmappable.so unmappable.c -ldl
run return "$TMP/buffered" env LD_PRELOAD="$TMP/unmappable.so"
is "no shared mappings: all is there" "$status $(cat out err) $imported $(beginning $N $N)" "0  0 the first|1"
run kill "$TMP/buffered_killed" env LD_PRELOAD="$TMP/unmappable.so"
is "no shared mappings, killed: all but the last block" "$status $(cat out err) $imported $(beginning $((N - 17000)) $N)" "137  3 the first|0"
like "and that is said" "$(sql run.db "SELECT detail FROM quality WHERE kind = 'no end block'")" "through a buffer: up to 64 KiB"
GASPDB_DIR=$TMP/buffered_early LD_PRELOAD=$TMP/unmappable.so timeout 60 "$O/programs/gasp_killed" 10 KILL 2>err
imports "$TMP/buffered_early" -o run.db --force 2>import
like "no shared mappings, killed before the first block was full: that is said" "$? $(tail -n 1 import)" \
	"^1 gaspdb: .* holds no events: .*[.]gasplog: no end block.*through a buffer: up to 64 KiB"
run fork "$TMP/buffered_fork" env LD_PRELOAD="$TMP/unmappable.so"
is "no shared mappings, fork: both are whole" "$status $imported $(sql run.db "SELECT count(*), min(complete) FROM thread")" "0 0 2|1"
finish
