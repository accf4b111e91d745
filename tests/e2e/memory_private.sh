#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# record --memory and gaspcc --inst-memory: blocks and bytes of private memory by line, in numbers that the programs make; the same
# totals as valgrind's; programs that fork, are killed, or call malloc where few do.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
programs=$TOP/tests/programs/memory
cd "$TMP" || exit 1
if [ "${SANITIZE:-}" = 1 ]; then
	skip "private memory" "the sanitizers' malloc"
	finish
fi
gcc -w -g -O1 -o calls "$programs/calls.c" -lpthread || exit 1

# run NAME IMPORT-STATUS PROGRAM...: record --memory, and import to NAME.db; status: the program's
run() {
	local name=$1 expected=$2
	shift 2
	rm -rf "$name" "$name.db"
	timeout 100 "$gaspdb" record --memory -o "$name" -- "$@" >out 2>err
	status=$?
	imports "$name" -o "$name.db" 2>>err
	is "$name: import" $? "$expected"
}
# at FILE MARK: FILE:LINE of the comment
at() {
	echo "${1##*/}:$(grep -nE "(/\*|//|!) $2( \*/)?\$" "$1" | head -n 1 | cut -d: -f1)"
}
# line NAME LOCATION [COLUMNS]: what was counted there
line() {
	sql "$1.db" "SELECT ${3:-blocks, bytes, leaked, leaked_bytes, peak_bytes, failed} FROM memory_line JOIN place USING (source_id)
		WHERE location = '$2' AND type IN ('alloc', 'realloc') ORDER BY operation, thread_id"
}
c() { # MODE MARK EXPECTED [COLUMNS]
	is "$1: $2" "$(line "$1" "$(at "$programs/calls.c" "$2")" ${4:+"$4"})" "$3"
}

# --- each function ---------------------------------------------------------------------------------------------------
run kinds 0 ./calls kinds
is "kinds: the program's status" $status 0
c kinds malloc "100|10000|40|4000|10000|0"
c kinds calloc "1|210|1|210|210|0"
c kinds realloc "13|131056|1|65536|65536|0" # 16 + 32 + ... + 65536
c kinds reallocarray "1|150|1|150|150|0"
c kinds posix_memalign "1|500|1|500|500|0"
c kinds aligned_alloc "1|640|1|640|640|0"
c kinds memalign "1|200|1|200|200|0"
c kinds valloc "1|10|1|10|10|0"
c kinds strdup "1|13|1|13|13|0"
c kinds zero "1|9|0|0|9|0"
is "kinds: large blocks are events" "$(sql kinds.db "SELECT p.operation, count(*), sum(e.bytes) FROM event e
	JOIN place p USING (source_id) WHERE p.location = '$(at "$programs/calls.c" realloc)' GROUP BY 1")" \
	"realloc|5|126976" # 4096 ... 65536
run others 0 ./calls others
c others pvalloc "1|20|1|20|20|0"
c others failed "0|0|0|0|0|1"
c others kept "$(printf '1|8|1|8|8|0\n0|0|0|0|0|1')"
is "a failed call has its errno" $status 0
is "kinds: nothing is amiss" "$(sql kinds.db "SELECT kind FROM quality")" ""
is "kinds: a program without a runtime is one process of C" "$(sql kinds.db "SELECT count(*), max(model) FROM thread")" "1|C"

# --- the totals of valgrind ------------------------------------------------------------------------------------------
totals() { # NAME PROGRAM...: allocations, frees, bytes by both
	local name=$1 sums
	shift
	run "$name" 0 "$@"
	valgrind --log-file=valgrind.log --run-libc-freeres=no --run-cxx-freeres=no "$@" >out 2>&1
	sums=$(sed -n 's/.*total heap usage: \([0-9,]*\) allocs, \([0-9,]*\) frees, \([0-9,]*\) bytes.*/\1|\2|\3/p' valgrind.log | tr -d ,)
	is "$name: allocations, frees and bytes are valgrind's" \
		"$(sql "$name.db" "SELECT sum(blocks), sum(frees), sum(bytes) FROM memory_line")" "$sums"
}
# What a library frees when it is finalized, after the log's end, is not compared.
if command -v valgrind >/dev/null; then
	totals kinds ./calls kinds
	totals late ./calls late
	totals wrapper ./calls wrapper
else
	skip "valgrind" "not here"
	for mode in late wrapper; do run $mode 0 ./calls $mode; done
fi
c late constructor "1|31|1|31|31|0"
c late atexit "1|37|1|37|37|0"
c late destructor "1|41|1|41|41|0"
is "a wrapper's line is the place" "$(line wrapper "$(at "$programs/calls.c" xmalloc)")" "2|8100|2|8100|8100|0"
rm -rf stack && timeout 60 "$gaspdb" record --memory --stack=4 -o stack -- ./calls wrapper 2>err && imports stack -o stack.db 2>err
is "--stack: the wrapper's callers, of large blocks" "$(sql stack.db "SELECT DISTINCT q.function, q.line FROM callpath c
	JOIN place p ON p.source_id = c.source_id AND p.operation = 'malloc' JOIN callpath u ON u.id = c.parent_id
	JOIN callpath v ON v.id = u.parent_id JOIN place q ON q.source_id IN (u.source_id, v.source_id)
	WHERE q.operation = 'caller' AND q.function = 'wrapper'" | cut -d'|' -f1)" wrapper

# --- threads, signal handlers, forks, kills ---------------------------------------------------------------------------
run threads 0 ./calls threads
c threads exchange "40000|1920000|0|0" "blocks, bytes, leaked, leaked_bytes"
is "threads: at most all at once, at least what a thread has" "$(line threads "$(at "$programs/calls.c" exchange)" \
	"peak_bytes BETWEEN 48000 AND 192000, frees")" "1|40000"
run signals 0 ./calls signals
is "signals: as many blocks as handlers" "$(line signals "$(at "$programs/calls.c" handler)" "blocks, bytes, frees")" \
	"$(cat out)|$(($(cat out) * 56))|$(cat out)"
run forks 0 ./calls forks
is "forks: the program's status" $status 0
c forks inherited "1|70|0|0|70|0"
is "forks: nothing of the child" "$(line forks "$(at "$programs/calls.c" child)")" ""
run killed 3 ./calls killed
is "killed: the program's status" $status 137
c killed before "300|300000|300|300000|300000|0"
is "killed: up to the last time that counters were logged" \
	"$(line killed "$(at "$programs/calls.c" later)" "blocks BETWEEN 1 AND 17, bytes = 10 * blocks")" "1|1"

# --- over time, and what grows -----------------------------------------------------------------------------------------
run grows 0 ./calls grows
c grows grows "200|100000|200|100000|1" "blocks, bytes, leaked, leaked_bytes, grows"
c grows once "1|2000000|1|2000000|0" "blocks, bytes, leaked, leaked_bytes, grows"
c grows freed "200|120000|0|0|600|0" "blocks, bytes, leaked, leaked_bytes, peak_bytes, grows"
is "what grows is first" "$("$gaspdb" analyze leaks grows.db --format=csv | sed -n 2p | cut -d, -f1-4,6-8,14-15)" \
	"never freed,$(at "$programs/calls.c" grows),malloc,grows,200,100000,200,100000,1"
is "and the report says so" "$("$gaspdb" report grows.db 2>/dev/null | tr -s ' \n' ' ' | grep -o 'process 0: .* of the run')" \
	"process 0: 97.7 KiB never freed, allocated at $(at "$programs/calls.c" grows) in grows() (200 blocks); it grew to the end of the run"
is "over time: it all adds up" "$(sql grows.db "SELECT location, sum(blocks), sum(bytes), sum(frees) FROM analysis_memory_over_time
	WHERE location = '$(at "$programs/calls.c" grows)'")" "$(at "$programs/calls.c" grows)|200|100000|0"
is "over time: it only grows, and so does the process" "$(sql grows.db "SELECT count(*) FROM (SELECT live_bytes, coalesce(location, '') AS at,
	lag(live_bytes) OVER (PARTITION BY location ORDER BY start_ns) AS before FROM analysis_memory_over_time
	WHERE location IS NULL OR location = '$(at "$programs/calls.c" grows)') WHERE live_bytes < before")" 0

# --- C++, Fortran, Python ----------------------------------------------------------------------------------------------
o() { # MARK EXPECTED
	is "C++: $1" "$(line objects "$(at "$programs/objects.cpp" "$1")")" "$2"
}
if command -v g++ >/dev/null; then
	g++ -std=c++17 -g -O1 -o cxx "$programs/objects.cpp"
	run objects 0 ./cxx
	is "C++: the program's status" $status 0
	o array "10|1000|6|600|1000|0"
	o single "1|4|0|0|4|0"
	o aligned "1|256|0|0|256|0"
	o several "1|768|0|0|768|0"
	o nothrow "1|200|1|200|200|0"
	o thrown "0|0|0|0|0|1"
	is "C++: by operator new" "$(sql objects.db "SELECT DISTINCT operation FROM memory_line JOIN place USING (source_id)
		WHERE location GLOB 'objects.cpp:*'")" "operator new"
else
	skip "C++" "not here"
fi
f() { # MARK EXPECTED
	is "Fortran: $1" "$(line arrays "$(at "$programs/arrays.f90" "$1")")" "$2"
}
if command -v gfortran >/dev/null; then
	gfortran -g -O1 -o fortran "$programs/arrays.f90"
	run arrays 0 ./fortran
	is "Fortran: the program's status" $status 0
	f LOOP "20|16800|0|0|1600|0" # 80 + 160 + ... + 1600
	f MATRIX "1|40000|1|40000|40000|0"
	f LOST "5|1000|5|1000|1000|0"
else
	skip "Fortran" "not here"
fi
printf 'kept = []\nfor i in range(50):\n    kept.append(bytearray(3000)) # KEPT\nprint(len(kept))\n' >program.py
run python 0 python3 program.py
is "Python: its output" "$status $(cat out)" "0 50"
is "Python: at the program's line, 50 of more than 3000 bytes" "$(sql python.db "SELECT sum(blocks) >= 50, sum(bytes) BETWEEN 150000 AND 160000
	FROM memory_line JOIN place USING (source_id) WHERE location = 'program.py:3'")" "1|1"

# --- other programs, as they were --------------------------------------------------------------------------------------
same() { # COMMAND...
	"$@" >plain 2>plain.err
	local plain=$?
	rm -rf other
	timeout 60 "$gaspdb" record --memory -o other -- "$@" >out 2>err
	is "$1 runs as without" "$? $(cmp out plain && grep -v '^gaspdb: ' err)" "$plain $(cat plain.err)"
}
same ls /
same python3 -c 'import json; print(json.dumps([1, {"a": None}]))'
same bash -c 'for i in 1 2 3; do (echo $i); done | tail -n 1; exit 5'
same sh -c 'echo x >&2; exec ls /nothing'
is "a shell that runs the program leaves nothing of it" "$(rm -rf other; "$gaspdb" record --memory -o other -- \
	timeout 20 ./calls wrapper 2>err; ls other | grep -c gasplog)" 1

# --- linked ------------------------------------------------------------------------------------------------------------
gaspcc=$O/gaspcc
"$gaspcc" --inst-memory gcc -w -O1 -o linked "$programs/calls.c" -lpthread
is "--inst-memory: links the library" "$(readelf -d linked | grep -c 'NEEDED.*libgaspdb-memory.so')" 1
mkdir here
(cd here && ../linked kinds)
is "without record it runs, and leaves nothing" "$? $(ls here)" "0 "
rm -rf linked.run && timeout 60 "$gaspdb" record -o linked.run -- ./linked kinds 2>err && imports linked.run -o linked.db 2>err
is "and is recorded without --memory" "$(line linked "$(at "$programs/calls.c" malloc)")" "100|10000|40|4000|10000|0"
rm -rf linked.run && timeout 60 "$gaspdb" record --memory -o linked.run -- ./linked kinds 2>err && imports -f linked.run -o linked.db 2>err
is "with it once" "$(line linked "$(at "$programs/calls.c" malloc)")" "100|10000|40|4000|10000|0"
rm -rf linked.run && GASPDB_MEMORY=0 timeout 60 "$gaspdb" record -o linked.run -- ./linked kinds >out 2>err
is "but not with GASPDB_MEMORY=0" "$(ls linked.run 2>/dev/null | grep -c gasplog)" 0
"$gaspcc" --inst-memory --link gcc -w -O1 -o alone "$programs/calls.c" -lpthread
(cd here && ../alone kinds)
is "linked with the collector, too: without record" "$(ls here | grep -c '^gaspdb-alone-')" 1
"$gaspdb" import here/gaspdb-alone-* -o alone.db 2>/dev/null
is "the same" "$(line alone "$(at "$programs/calls.c" malloc)")" "100|10000|40|4000|10000|0"

# --- MPI ---------------------------------------------------------------------------------------------------------------
mpi() { # MPI LAUNCHER
	local name=mpi_$1 source=$TOP/tests/programs/mpi_memory.c
	run "$name" 0 "$2" -np 2 "$O/programs/$1/mpi_memory"
	is "$1: the program's status" $status 0
	by_rank() {
		sql "$name.db" "SELECT t.rank, blocks, bytes, leaked, leaked_bytes, grows FROM memory_line m JOIN place USING (source_id)
			JOIN thread t ON t.id = m.thread_id WHERE location = '$(at "$source" "$1")' AND type = 'alloc' ORDER BY 1"
	}
	is "$1: lost on rank 1, to the end" "$(by_rank LOST)" "1|120|120000|120|120000|1"
	is "$1: kept by both" "$(by_rank KEPT)" "$(printf '%s\n' "0|1|50000|1|50000|0" "1|1|50000|1|50000|0")"
	is "$1: freed" "$(by_rank WORK)" "$(printf '%s\n' "0|120|36000|0|0|0" "1|120|36000|0|0|0")"
	is "$1: freed by another thread" "$(by_rank LARGE)" "$(printf '%s\n' "0|1|20000|0|0|0" "1|1|20000|0|0|0")"
	is "$1: the report names it" "$("$gaspdb" report "$name.db" 2>/dev/null | tr -s ' \n' ' ' | grep -o 'rank 1: .* of the run')" \
		"rank 1: 117.2 KiB never freed, allocated at $(at "$source" LOST) in refine() (120 blocks); it grew to the end of the run"
	is "$1: the library's own memory is the library's" "$(sql "$name.db" "SELECT count(*) > 0 FROM memory_line JOIN place USING (source_id)
		WHERE location GLOB 'lib*.so*' AND line IS NULL AND file IS NOT NULL")" 1
	is "$1: launchers leave nothing" "$(sql "$name.db" "SELECT count(*) FROM thread WHERE rank IS NULL")" 0
}
each_mpi mpi_memory mpi

# --- OpenSHMEM: private and symmetric memory ---------------------------------------------------------------------------
if command -v oshcc >/dev/null && [ -e "$O/libgaspdb-oshmem.so" ]; then
	cat >symmetric.c <<'END'
#include <shmem.h>
#include <stdlib.h>
static void *volatile sink;
int main(void)
{
	shmem_init();
	if (shmem_my_pe() == 1)
		sink = malloc(123);
	sink = shmem_malloc(1000);
	shmem_finalize();
	return 0;
}
END
	oshcc -g -o symmetric.exe symmetric.c
	run shmem 0 oshrun -np 2 ./symmetric.exe
	is "OpenSHMEM: both kinds, by rank" "$(sql shmem.db "SELECT location, shared, t.rank, blocks, bytes, leaked_bytes FROM memory_line m
		JOIN place USING (source_id) JOIN thread t ON t.id = m.thread_id WHERE location GLOB 'symmetric.c:*' ORDER BY 1, 3")" \
		"$(printf '%s\n' "symmetric.c:8|0|1|1|123|123" "symmetric.c:9|1|0|1|1000|1000" "symmetric.c:9|1|1|1|1000|1000")"
else
	skip "OpenSHMEM" "not here"
fi
finish
