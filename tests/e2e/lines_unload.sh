#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Libraries that are loaded one after the other at one address: each call is at the line of the library that made it.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

# The same code three times, at lines 100, 200 and 300: so its calls return to the same addresses.
cat >plugin.c <<'C'
#include <mpi.h>
#line START "plugin.c"
void run(void) /* START */
{
	for (int i = 0; i < 3; i++)
		MPI_Barrier(MPI_COMM_WORLD); /* START + 3 */
}
C

plugins() { # MPI OPTION...
	local start
	for start in 100 200 300; do
		"mpicc.$1" -g -O1 -shared -fPIC -DSTART=$start "${@:2}" -o "p$start.so" plugin.c || return
	done
}

# recorded NAME LAUNCHER MPI ARGUMENT...: the places of its barriers, and how many calls there were; import is elsewhere
recorded() {
	timeout 60 "$gaspdb" record -o "$1" -- "$2" -np 1 "$O/programs/$3/mpi_unload" "${@:4}" >"$1.out" 2>"$1.err" || return
	(cd / && "$gaspdb" import "$TMP/$1" -o "$TMP/$1.db" 2>"$TMP/$1.import")
	sql "$1.db" "SELECT CASE WHEN line IS NULL THEN substr(location, 1, instr(location, '+')) ELSE location END AS at,
			sum(calls) FROM place JOIN profile_total USING (source_id)
		WHERE grouping = 'call' AND operation = 'MPI_Barrier' GROUP BY at ORDER BY at" | tr '|\n' '  '
}

addresses() { sort -u "$1.out" | wc -l; }

unload() { # MPI LAUNCHER
	local a=./p100.so b=./p200.so
	plugins "$1"
	is "$1: one after the other, and the first again" \
		"$(recorded "back-$1" "$2" "$1" $a $b ./p300.so $a -thread $b $a)" \
		"plugin.c:103 9 plugin.c:203 6 plugin.c:303 3 "
	is "all at one address" "$(addresses "back-$1")" 1
	plugins "$1" -Wl,--build-id=none
	is "$1, no build-id: the same, and the file of a path is another" \
		"$(recorded "none-$1" "$2" "$1" $a $b ./p300.so $a -copy p100.so x.so ./x.so -copy p200.so x.so ./x.so)" \
		"plugin.c:103 6 plugin.c:203 6 plugin.c:303 3 x.so+ 3 "
	is "all at one address" "$(addresses "none-$1")" 1
}
each_mpi mpi_unload unload

# What does not depend on the MPI.
once() { # MPI LAUNCHER
	local a=./p100.so b=./p200.so
	[ -e once.db ] && return
	# Not through the wrapper: noticed where a call is new.  The calls of other.so lie elsewhere.
	printf '%s\n' '#include <mpi.h>' 'void run(void)' '{' '__asm__(".skip 9, 0x90");' 'MPI_Barrier(MPI_COMM_WORLD);' \
		'__asm__(".skip 9, 0x90");' 'MPI_Barrier(MPI_COMM_WORLD);' '}' >other.c
	plugins "$1"
	"mpicc.$1" -g -O1 -shared -fPIC -o other.so other.c
	is "$1: a dlclose that is not seen, and calls at other addresses" \
		"$(recorded once "$2" "$1" -unseen $a ./other.so)" "other.c:5 1 other.c:7 1 plugin.c:103 3 "
	# One definition for each site, however often it comes back: the log does not grow but by events.
	is "$1: a hundred times" "$(recorded often "$2" "$1" -times 100 $a $b)" "plugin.c:103 300 plugin.c:203 300 "
	ok "no definitions for each" test "$(cat often/*.gasplog | wc -c)" -lt $((4096 + 600 * 30))
}
each_mpi mpi_unload once

# GASP: a file name is known by its address, which the next library can have, too.
for name in a b; do
	cat >$name.c <<C
typedef void notify(void *, unsigned, int, const char *, int, int, ...);
void run(notify *raise, void *context)
{
	raise(context, $(sed -n 's/^#define GASP_UPC_FENCE[[:space:]]*//p' "$TOP/collector/include/gasp_upc.h"), 0, "$name.upc", 7, 0);
	raise(context, $(sed -n 's/^#define GASP_UPC_FENCE[[:space:]]*//p' "$TOP/collector/include/gasp_upc.h"), 1, "$name.upc", 7, 0);
}
C
	gcc -shared -fPIC -o "$name.so" $name.c
done
GASPDB_DIR=$TMP/gasp "$O/programs/gasp_unload" ./a.so ./b.so ./a.so
"$gaspdb" import gasp -o gasp.db 2>/dev/null
is "GASP: one after the other" "$(sql gasp.db "SELECT location, calls FROM place JOIN profile_total USING (source_id)
	WHERE grouping = 'call' ORDER BY location" | tr '\n' ' ')" "a.upc:7|2 b.upc:7|1 "
finish
