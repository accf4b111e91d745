#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make upc-collector: from a tree that cannot be written, with other compilers, what is in the object, and errors.
# Long.
. "$(dirname "$0")/../lib.sh"
unset MAKEFLAGS MAKELEVEL CFLAGS CC

# A copy of the sources that this user cannot write to, wherever the build lies.
source="$TMP/the source"
mkdir "$source"
(cd "$TOP" && tar cf - --exclude='./build*' --exclude=./.git .) | (cd "$source" && tar xf -)
chmod -R a-w "$source"
chmod a+rx "$TMP"
as_nobody=
[ "$(id -u)" -ne 0 ] || as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
mkdir "$TMP/out" "$TMP/headers here"
cp "$TOP"/tests/upc/include-gnu/*.h "$TMP/headers here"
chmod 777 "$TMP/out"
ok "the copy of the sources cannot be written to" \
	bash -c "! $as_nobody touch '$source/x' 2>/dev/null"

# build ARGS...: in the read-only tree; its status, what it printed in $TMP/err
build() {
	(cd "$source" && $as_nobody make -s upc-collector "$@") >"$TMP/log" 2>"$TMP/err"
}
# globals OBJECT: what it defines for others
globals() {
	nm --defined-only --extern-only "$1" | awk '{ print $3 }' | sort
}
# needs OBJECT: what others must define, and may
needs() {
	nm --undefined-only "$1" | awk '{ print $NF }' | grep -v '^_GLOBAL_OFFSET_TABLE_$' | sort
}
# In no library that a program does not have anyhow.
libc=$(gcc -print-file-name=libc.so.6)
nm -D --defined-only "$libc" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$TMP/libc"
foreign() {
	needs "$1" | grep -v '^gaspdb_upc_' | comm -23 - "$TMP/libc" | tr '\n' ' '
}

for how in "gcc process" "gcc pthreads" "gcc none" "clang process" "gcc -m64 -pipe process"; do
	cc=${how% *} threads=${how##* } out=$TMP/out/$threads
	command -v "${cc%% *}" >/dev/null || {
		skip "$how" "no ${cc%% *}"
		continue
	}
	build CC="$cc" CFLAGS="-O0 -Wextra" GASP_INCLUDE="$TMP/headers here" OUT="$out" UPC_THREADS="$threads" UPC_PTS_SIZE=8
	is "$how: it builds" "$?" 0
	is "$how: without a warning" "$(cat "$TMP/err")" ""
	is "$how: no global but gasp_ and gaspdb_" "$(globals "$out/gaspdb-upc.o" | grep -Ev '^(gasp_|gaspdb_)')" ""
	is "$how: the whole interface" "$(globals "$out/gaspdb-upc.o" | grep '^gasp_' | tr '\n' ' ')" \
		"gasp_control gasp_create_event gasp_event_notify gasp_event_notifyVA gasp_init "
	expected="MYTHREAD THREADS "
	[ "$threads" != none ] || expected=
	is "$how: it needs libc and these" "$(foreign "$out/gaspdb-upc.o")" "$expected"
done
is "pthreads: MYTHREAD is thread-local" \
	"$(readelf -sW "$TMP/out/pthreads/gaspdb-upc.o" | awk '$8 == "MYTHREAD" { print $4 }')" TLS
is "process: MYTHREAD is not" \
	"$(readelf -sW "$TMP/out/process/gaspdb-upc.o" | awk '$8 == "MYTHREAD" { print $4 }')" NOTYPE
is "nothing was written into the tree" "$(find "$source" -newer "$TMP/libc" | wc -l)" 0

# Clang UPC installs no gasp.h.
mkdir "$TMP/out/clang.h" && cp "$TMP/headers here/gasp_upc.h" "$TMP/out/clang.h"
build CFLAGS=-O0 GASP_INCLUDE="$TMP/out/clang.h" OUT="$TMP/out/clang" UPC_THREADS=none
is "without a gasp.h: ours will do" "$? $(cat "$TMP/err")" "0 "
is "without a gasp.h: the events are the other header's" "$(grep -c 'GNU or Clang UPC: upc_fence, collectives' "$TMP/out/clang/gaspdb-upc.o")" 1

# Relative folders, and the flags that it has by itself; spaces; a second build over the first; pupc_* for a runtime that has none.
mkdir "$TMP/out/here" && chmod 777 "$TMP/out/here" && cp -r "$TMP/headers here" "$TMP/out/here/in clude"
(cd "$TMP/out/here" && $as_nobody make -f "$source/Makefile" -C "$source" upc-collector \
	GASP_INCLUDE="../out/here/in clude" OUT="../out/here/o u t") >"$TMP/log" 2>"$TMP/err"
ok "relative folders with spaces" test -s "$TMP/out/here/o u t/gaspdb-upc.o"
build CFLAGS=-O0 GASP_INCLUDE="$TMP/headers here" OUT="$TMP/out/here/o u t" UPC_PUPC=1 UPC_THREADS=none
mkdir -p "$TMP/out/full/obj" && cp -r "$TMP/headers here" "$TMP/out/full/include"
touch "$TMP/out/full/obj/theirs.o" "$TMP/out/full/all.o" && chmod -R a+rwX "$TMP/out/full"
build CFLAGS=-O0 GASP_INCLUDE="$TMP/out/full/include" OUT="$TMP/out/full" UPC_THREADS=none
is "what else is in OUT stays, also the headers" "$? $(cd "$TMP/out/full" && ls -d ./* obj/* include/* | tr '\n' ' ')" \
	"0 ./all.o ./gaspdb-upc.o ./gaspdb-upc.parts ./include ./obj include/gasp.h include/gasp_upc.h obj/theirs.o "
is "UPC_PUPC=1 adds pupc_*" "$(globals "$TMP/out/here/o u t/gaspdb-upc.o" | grep -c '^pupc_')" 9
is "the functions of gaspdb.h are there" "$(globals "$TMP/out/here/o u t/gaspdb-upc.o" | grep -cE '^gaspdb_(entity|associated?|work)')" 12

# With the UPC compiler: the upcalls, the wrappers of collectives and the shared words, in UPC.
printf '#!/bin/sh\nexec gcc -std=gnu2x -include "%s/stub.h" -I"%s/stub" -I"%s" -DTEST_PTS_BYTES=8 -x c "$@"\n' \
	"$TOP/tests/upc" "$TOP/tests/upc" "$TMP/headers here" >"$TMP/out/upc" && chmod 755 "$TMP/out/upc"
build CFLAGS=-O0 GASP_INCLUDE="$TMP/headers here" OUT="$TMP/out/upc.objects" UPCC="$TMP/out/upc -g"
is "UPCC: the program's own parts" "$? $(cat "$TMP/err") $(cd "$TMP/out/upc.objects" && ls ./*.o | tr '\n' ' ')" \
	"0  ./gaspdb-upc.o ./gaspdb_clocks.o ./gaspdb_collectives.o ./gaspdb_upcalls.o "
is "UPCC: a wrapper for each collective, which needs the collective" \
	"$(nm "$TMP/out/upc.objects/gaspdb_collectives.o" | awk '/__wrap_/ { print $3 }' | sed 's/__wrap_//' | sort | tr '\n' ' ')" \
	"$(nm "$TMP/out/upc.objects/gaspdb_collectives.o" | awk '/__real_/ { print $2 }' | sed 's/__real_//' | sort | tr '\n' ' ')"

# A program that is linked with it has libc alone, and can be static.
cat >"$TMP/main.c" <<'E3'
#include <gasp.h>
#include <gasp_upc.h>
int MYTHREAD, THREADS = 1;
int main(int argc, char **argv)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, &argc, &argv);

	gasp_event_notify(c, GASP_UPC_GET, GASP_ATOMIC, "a.upc", 7, 0, 1, c, c, sizeof c);
	return 0;
}
E3
for how in -pie -static; do
	gcc -I"$TMP/headers here" $how -o "$TMP/main$how" "$TMP/main.c" "$TMP/out/process/gaspdb-upc.o"
	GASPDB_DIR=$TMP/run$how "$TMP/main$how"
	"$gaspdb" import "$TMP/run$how" -o "$TMP/run$how.db" 2>/dev/null
	is "linked $how: its event is recorded, and the log is whole" \
		"$(sql "$TMP/run$how.db" "SELECT line, complete, rank FROM thread, event e JOIN source s ON s.id = e.source_id")" "7|1|0"
done
is "it needs no library but libc" "$(readelf -d "$TMP/main-pie" | grep NEEDED | sed 's/.*\[\(.*\)\]/\1/')" libc.so.6

# A real library calls gasp_* itself, and has idle ones: only an object is sure to be taken.
gcc -shared -o "$TMP/libtool.so" "$TMP/out/none/gaspdb-upc.o"
ar rc "$TMP/libtool.a" "$TMP/out/process/gaspdb-upc.o"
for f in runtime weak collectives sort calls clocks program; do
	gcc -std=gnu2x -Dmain=program_main -DRUNTIME_process -DTEST_PTS_BYTES=8 -I"$TMP/headers here" -I"$TOP/tests/upc/stub" -I"$TOP/tests" -I"$TOP/collector/include" -c \
		-o "$TMP/$f.o" "$TOP/tests/upc/$f.c"
done
ar rc "$TMP/libupc.a" "$TMP/runtime.o" "$TMP/weak.o" "$TMP/collectives.o" "$TMP/sort.o" "$TMP/calls.o" "$TMP/clocks.o" "$TMP/program.o"
echo 'int program_main(int, char **); int main(int n, char **v) { return program_main(n, v); }' >"$TMP/user.c"
logs_with() { # HOW... : the logs of a program linked that way
	rm -rf "$TMP/linked"
	gcc -o "$TMP/linked-program" "$TMP/user.c" "$@" "$TMP/libupc.a" -Wl,-rpath,"$TMP" -lpthread || return
	GASPDB_DIR=$TMP/linked timeout 60 env LD_PRELOAD="$preload" "$TMP/linked-program" process 2 bare
	ls "$TMP/linked" 2>/dev/null | grep -c '\.gasplog$'
}
preload=
is "linked as an object: it is there" "$(logs_with "$TMP/out/process/gaspdb-upc.o")" 2
is "as an archive: it is not" "$(logs_with "$TMP/libtool.a")" 0
is "as an archive that is asked for: it is" "$(logs_with -Wl,-u,gasp_init "$TMP/libtool.a")" 2
is "as a library, only if it is needed: it is not" "$(logs_with -Wl,--as-needed "$TMP/libtool.so")" 0
"$gaspdb" record -o "$TMP/without" -- "$TMP/linked-program" process 2 bare 2>"$TMP/err"
like "record says how to link it" "$(cat "$TMP/err")" "UPC program without the collector; link gaspdb-upc.o into it"
preload=$TMP/libtool.so
is "preloaded: it is not" "$(logs_with -Wl,--as-needed)" 0

# On top of MPI, under `record`: the program has its collector, and gets no adapter.
if command -v mpicc.openmpi >/dev/null; then
	cat >"$TMP/on_mpi.c" <<'E3'
#include <gasp.h>
#include <gasp_upc.h>
#include <mpi.h>
int MYTHREAD, THREADS;
int main(int argc, char **argv)
{
	gasp_context_t c;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &MYTHREAD);
	MPI_Comm_size(MPI_COMM_WORLD, &THREADS);
	c = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	gasp_event_notify(c, GASP_UPC_BARRIER, GASP_START, "a.upc", 8, 0, 0, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	gasp_event_notify(c, GASP_UPC_BARRIER, GASP_END, "a.upc", 8, 0, 0, 0);
	MPI_Finalize();
	return 0;
}
E3
	mpicc.openmpi -I"$TMP/headers here" -o "$TMP/on_mpi" "$TMP/on_mpi.c" "$TMP/out/process/gaspdb-upc.o"
	timeout 60 "$gaspdb" record -o "$TMP/on_mpi.run" -- mpirun.openmpi -np 2 "$TMP/on_mpi" >"$TMP/log" 2>&1
	is "on MPI, under record: exit status" $? 0
	"$gaspdb" import "$TMP/on_mpi.run" -o "$TMP/on_mpi.db" 2>/dev/null
	is "on MPI, under record: each thread once, by UPC" "$(sql "$TMP/on_mpi.db" \
		"SELECT rank, model, count(*), line FROM thread t JOIN event e ON e.thread_id = t.id
		JOIN source s ON s.id = source_id GROUP BY t.id" | tr '\n' ' ')" "0|UPC|1|8 1|UPC|1|8 "
else
	skip "on MPI, under record" "no Open MPI"
fi

# Errors say what is wrong.
wrong() { # DESCRIPTION PATTERN ARGS...
	local what=$1 pattern=$2
	shift 2
	build OUT="$TMP/out/wrong" "$@"
	ok "$what: it fails" test $? -ne 0
	like "$what: it says why" "$(cat "$TMP/err")" "^upc-collector: $pattern"
	ok "$what: no object" test ! -e "$TMP/out/wrong/gaspdb-upc.o"
}
good="GASP_INCLUDE=$TMP/headers"
ln -s "$TMP/headers here" "$TMP/headers"
wrong "no GASP_INCLUDE" "GASP_INCLUDE= is missing"
wrong "no such folder" "GASP_INCLUDE: cannot read '/nowhere/gasp_upc.h'" GASP_INCLUDE=/nowhere
mkdir "$TMP/half" && cp "$TMP/headers/gasp.h" "$TMP/half"
wrong "no gasp_upc.h" "GASP_INCLUDE: cannot read '.*/half/gasp_upc.h'" GASP_INCLUDE="$TMP/half"
wrong "UPC_THREADS of no kind" "UPC_THREADS is process, pthreads or none, not 'threads'" "$good" UPC_THREADS=threads
for size in 0 eight 8x -8 33 4096 08 "8 16"; do
	wrong "UPC_PTS_SIZE=$size" "UPC_PTS_SIZE is the number of bytes.* not '$size'" "$good" UPC_PTS_SIZE="$size"
done
wrong "UPC_PUPC=yes" "UPC_PUPC is 0 or 1, not 'yes'" "$good" UPC_PUPC=yes
mkdir "$TMP/broken" && cp "$TMP/headers"/*.h "$TMP/broken" && echo 'not C' >>"$TMP/broken/gasp.h"
wrong "a header that is not C" "'.*/broken/gasp.h' does not compile" GASP_INCLUDE="$TMP/broken"
wrong "no such UPC compiler" "UPCC: 'nonesuch' does not compile gaspdb_upcalls.upc" "$good" UPCC=nonesuch
wrong "no such compiler" "CC: 'nonesuch -m64' does not compile C" "$good" CC="nonesuch -m64"
(cd "$source" && $as_nobody make upc-collector "$good") >"$TMP/log" 2>"$TMP/err"
is "no OUT: nothing is announced" "$(grep -c gaspdb-upc.o "$TMP/log")" 0
build OUT="" "$good"
ok "no OUT: it fails" test $? -ne 0
like "no OUT: it says why" "$(cat "$TMP/err")" "^upc-collector: OUT= is missing"
build OUT=/proc/self/none "$good"
like "an OUT that cannot be made" "$(cat "$TMP/err")" "upc-collector: OUT: cannot make '/proc/self/none'"
chmod -R u+w "$source"
invariants
finish
