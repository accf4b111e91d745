#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed works where it was moved to; and without MPI all but its adapters builds.
# Long.
. "$(dirname "$0")/../lib.sh"
make=(make -s -C "$TOP" O="${O%-sanitize}" SANITIZE="${SANITIZE:-}")

"${make[@]}" install PREFIX="$TMP/there" >/dev/null 2>"$TMP/err"
is "make install" $? 0
mv "$TMP/there" "$TMP/moved"
version=$(cat "$TOP/VERSION")
like "the version is one" "$version" '^[0-9]+\.[0-9]+\.[0-9]+$'
is "the command tells it, in one line" "$("$TMP/moved/bin/gaspdb" --version)" "gaspdb $version"
is "and the man page" "$(grep '^\.TH' "$TMP/moved/share/man/man1/gaspdb.1")" ".TH GASPDB 1 \"\" \"gaspdb $version\" \"User Commands\""
for file in share/gaspdb/analyses.sql share/man/man1/gaspdb.1 share/bash-completion/completions/gaspdb include/gaspdb/gasp.h \
	lib/gaspdb/libgaspdb.so lib/gaspdb/libgaspdb-statements.so lib/gaspdb/libgaspdb-preload.so lib/gaspdb/libgaspdb-io.so lib/gaspdb/libgaspdb-posix.so; do
	ok "$file is there" test -s "$TMP/moved/$file"
done

program=$O/programs/openmpi/mpi_hello
if [ -x "$program" ]; then
	(cd "$TMP" && timeout 60 moved/bin/gaspdb record -o run -- mpirun -np 2 "$program" >out 2>err)
	is "the moved tree records: exit status" $? 0
	is "the program's output" "$(sort "$TMP/out")" "$(printf 'hello 0\nhello 1')"
	like "it is said where the recording is" "$(head -1 "$TMP/err")" "^gaspdb: recorded 2 ranks, .* in '.*/run'$"
	is "and what to type next; nothing else" "$(sed 1d "$TMP/err")" "gaspdb: next: gaspdb import run"
	moved=$TMP/moved/bin/gaspdb
	"$moved" import "$TMP/run" 2>/dev/null
	is "the logs tell the collector's version, the run record's, the database the import's" \
		"$(sql "$TMP/run.db" "SELECT DISTINCT value FROM thread_meta WHERE key = 'collector'") $(sed -n 's/^gaspdb: //p' "$TMP/run/run.txt"
		) $("$moved" info "$TMP/run.db" | sed -n 's/^imported by *//p')" "$version $version $version"
	is "a log for each process" "$(ls "$TMP/run" | grep -c '\.gasplog$')" 2
	# linked instead of preloaded, from the installed headers and libraries
	mpicc.openmpi -g -o "$TMP/linked" "$TOP/tests/programs/mpi_hello.c" \
		-L"$TMP/moved/lib/gaspdb" -Wl,--no-as-needed -lgaspdb-openmpi -lgaspdb -Wl,-rpath,"$TMP/moved/lib/gaspdb"
	(cd "$TMP" && timeout 60 mpirun -np 2 ./linked >out 2>err)
	is "a linked program records by itself" "$(ls -d "$TMP"/gaspdb-linked-*/*.gasplog | wc -l)" 2
	is "into one directory" "$(ls -d "$TMP"/gaspdb-linked-* | wc -l)" 1
	(cd "$TMP" && timeout 60 mpirun -np 2 ./linked >out 2>err)
	is "and into another one the next time" "$(ls -d "$TMP"/gaspdb-linked-* | wc -l)" 2
	(cd "$TMP" && timeout 60 moved/bin/gaspdb record -o both -- mpirun -np 2 ./linked >out 2>err)
	is "linked and under record: each process has one log" "$(ls "$TMP/both" | grep -c '\.gasplog$')" 2
	# linked for pupc.h alone: record brings the adapter
	sed 's/MPI_Barrier(MPI_COMM_WORLD);/pupc_event_atomic(pupc_create_event("mark", "%.*s"), 3, "abcdef"); &/; 1i #include <pupc.h>' \
		"$TOP/tests/programs/mpi_hello.c" >"$TMP/phases.c"
	mpicc.openmpi -g -o "$TMP/phases" "$TMP/phases.c" -I"$TMP/moved/include/gaspdb" \
		-L"$TMP/moved/lib/gaspdb" -lgaspdb -Wl,-rpath,"$TMP/moved/lib/gaspdb"
	(cd "$TMP" && timeout 60 moved/bin/gaspdb record -o phases.run -- mpirun -np 2 ./phases >out 2>err &&
		moved/bin/gaspdb import phases.run 2>err)
	is "linked for its phases alone: import succeeds" $? 0
	invariants_of "$TMP/phases.run.db"
	is "MPI's calls are there" "$(sql "$TMP/phases.run.db" "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.name IN ('MPI_Init', 'MPI_Barrier', 'MPI_Finalize')")" 6
	is "and the marks, with what their precision lets be seen" \
		"$(sql "$TMP/phases.run.db" "SELECT group_concat(value) FROM event_arg WHERE typeof(value) = 'text'")" "abc,abc"
else
	skip "recording from the moved tree" "no Open MPI here"
fi

# As from a tarball: no git, and no history.
mkdir "$TMP/source" "$TMP/git"
(cd "$TOP" && tar cf - --exclude='./build*' --exclude=./.git .) | (cd "$TMP/source" && tar xf -)
printf '#!/bin/sh\nexit 1\n' >"$TMP/git/git" && chmod +x "$TMP/git/git"
# Its analyses know of neither MPI nor the version: of these the same rules made the objects that there are.  A sanitizer's
# are another program's.
[ -n "${SANITIZE:-}" ] || {
	mkdir -p "$TMP/nompi/obj"
	cp -r "$O/obj/analysis" "$O/obj/common" "$TMP/nompi/obj"
	find "$TMP/nompi" -name '*.d' -delete
}
PATH=$TMP/git:$PATH make -s -C "$TMP/source" SANITIZE= O="$TMP/nompi" OPENMPI_CC= MPICH_CC= OSHCC= CFLAGS=-O0 all 2>"$TMP/err"
is "without MPI all else builds" $? 0
is "the command and its own libraries" "$(cd "$TMP/nompi" && ls -1 gaspdb lib*.so | tr '\n' ' ')" \
	"gaspdb libgaspdb-io.so libgaspdb-memory.so libgaspdb-posix.so libgaspdb-preload.so libgaspdb-statements.so libgaspdb.so "
is "a tarball has the version" "$("$TMP/nompi/gaspdb" --version)" "gaspdb $version"
finish
