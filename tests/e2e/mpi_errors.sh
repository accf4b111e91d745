#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Errors of MPI calls: return codes, and calls of the program's error handlers, are the same with and without recording.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

handlers() { # MPI LAUNCHER
	local program=$O/programs/$1/mpi_handlers how
	for how in counted fatal; do
		timeout 60 "$2" -np 2 "$program" $how >plain 2>err
		is "$1, $how: the program ends well" "$? $(tail -n 1 plain | cut -d: -f1)" \
			"0 $([ $how = fatal ] && tail -n 1 plain | cut -d: -f1 || echo 'own operation')"
		timeout 60 "$gaspdb" record -o "$1.$how" -- "$2" -np 2 "$program" $how >recorded 2>err
		is "$1, $how: so it does when recorded" "$?" 0
		is "$1, $how: and it sees the same" "$(diff plain recorded)" ""
	done
	imports "$1.counted" -o "$1.db" 2>err
	is "$1: the recording is whole" "$?" 0
	# A communicator that MPI refused to free is still known by its name.
	is "$1: nothing became a communicator that is none" "$(sql "$1.db" "SELECT kind, count(*) FROM team
		WHERE name IS NOT 'all threads' GROUP BY kind" | tr '\n' ' ')" \
		"dup|$([ "$1" = mpich ] && echo 2 || echo 1) self|2 window|1 world|1 "
}
each_mpi mpi_handlers handlers

# each call with each argument invalid in turn
each_argument() { # MPI LAUNCHER
	local cc n
	cc=$(command -v "mpicc.$1") || cc=mpicc
	nm -D --defined-only "$O/libgaspdb-$1.so" | awk '$2 ~ /[TW]/ && $3 ~ /^MPIX?_[A-Z][a-z]/ { print $3 }' | sort -u >functions
	printf '#include <mpi.h>\n#ifdef OPEN_MPI\n#include <mpi-ext.h>\n#endif\n' | "$cc" -x c -E -P - | tr '\n' ' ' |
		python3 "$TOP/tests/mpi_errors.py" "$1" functions >errors.c
	ok "$1: a call with each argument invalid compiles" "$cc" -w -o errors errors.c
	timeout 60 "$2" -np 2 ./errors returned plain >/dev/null 2>err
	n=$(grep -c ': class ' plain)
	is "$1: all of them are made" "$n $(tail -n 1 plain)" "$(grep -c '	CALL(' errors.c) end"
	ok "$1: they are many, and most fail" [ "$n" -gt 800 -a $((2 * $(grep -vc ': class 0,' plain))) -gt "$n" ]
	rm -rf run
	timeout 60 "$gaspdb" record -o run -- "$2" -np 2 ./errors returned recorded >/dev/null 2>err
	is "$1: the same classes and calls of handlers when recorded" "$(diff plain recorded | head -n 20)" ""
}
each_mpi mpi_handlers each_argument
finish
