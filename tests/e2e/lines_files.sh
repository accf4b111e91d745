#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The file that a program's lines come from is the one that ran, with a build-id and without.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

cat >program.c <<'C'
#include <mpi.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) void inner(void)
{
	MPI_Barrier(MPI_COMM_WORLD); /* 5 */
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	if (argc > 1 && system(argv[1]))
		return 1;
	inner();
	MPI_Finalize();
	return 0;
}
C

built() { # MPI OPTION...: a new file, not the old one's contents
	"mpicc.$1" -g -O1 "${@:2}" -o new program.c && mv new program
}
# Ten lines more, then the program is built anew; and program.c as it was.
cat >rebuild <<'SH'
#!/bin/sh
{ yes '' | head; cat program.c; } >later.c
$COMPILER -g -O1 $OPTION -o new later.c && mv new program
SH
chmod +x rebuild

# barrier RUN: where the call is, and what quality says
barrier() {
	"$gaspdb" import "$1" -o "$1.db" 2>/dev/null
	sql "$1.db" "SELECT CASE WHEN line IS NULL THEN substr(location, 1, instr(location, '+')) ELSE location END, function
		FROM place WHERE operation = 'MPI_Barrier'"
	sql "$1.db" "SELECT replace(detail, '$TMP/', '') FROM quality WHERE kind = 'no line information'"
}
changed="program: it is not the file that ran: it has no build-id, and was changed or replaced since"
other="program: it is not the file that ran: its build-id differs"

files() { # MPI LAUNCHER
	local id why run
	[ -e done ] && return
	touch done
	export COMPILER="mpicc.$1" OPTION
	for id in none sha1; do
		OPTION=-Wl,--build-id=$id run=$id
		[ $id = none ] && why=$changed || why=$other
		built "$1" $OPTION
		timeout 60 "$gaspdb" record -o "$run" -- "$2" -np 1 ./program 2>/dev/null
		is "build-id $id: unchanged" "$(barrier "$run")" "program.c:5|inner"
		rm -f "$run"/lines.tsv "$run".db
		is "without what record left" "$(barrier "$run")" "program.c:5|inner"
		cp -p program copy && mv copy program
		rm -f "$run".db
		is "the same bytes, another file" "$(barrier "$run")" "program.c:5|inner"
		./rebuild
		rm -f "$run".db
		is "built anew before the import" "$(barrier "$run")" "program+|
$why"
		built "$1" $OPTION
		timeout 60 "$gaspdb" record -o "$run-running" -- "$2" -np 1 ./program ./rebuild 2>/dev/null
		is "built anew while it ran" "$(barrier "$run-running")" "program+|
$why"
		is "the program is known by its name" "$(sql "$run-running.db" \
			"SELECT replace(value, '$TMP/', '') FROM meta WHERE key = 'program'")" program
	done
}
each_mpi mpi_unload files
finish
