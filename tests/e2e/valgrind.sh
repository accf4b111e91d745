#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Import, report and queries of a recorded program are clean under valgrind.
. "$(dirname "$0")/../lib.sh"
if [ "${SANITIZE:-}" = 1 ] || ! command -v valgrind >/dev/null; then
	skip "valgrind" "not here, or the sanitizers are at work"
	finish
fi

if [ -x "$O/programs/openmpi/mpi_construct" ]; then
	(cd "$TMP" && timeout 60 "$gaspdb" record -o run -- mpirun -np 4 "$O/programs/openmpi/mpi_construct" >out 2>err)
else
	GASPDB_DIR=$TMP/run "$O/programs/gasp_events" >/dev/null
fi
ok "something is recorded" test -n "$(ls "$TMP/run" | grep '\.gasplog$')"

# clean WHAT ARGUMENT...: gaspdb with these arguments
clean() {
	local what=$1 status
	shift
	valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,indirect --error-exitcode=99 \
		--log-file="$TMP/valgrind" "$gaspdb" "$@" >"$TMP/out" 2>"$TMP/err"
	status=$?
	is "$what" "$status $(cat "$TMP/valgrind")" "0 "
}
clean "import" import "$TMP/run" -o "$TMP/run.db"
invariants_of "$TMP/run.db"
clean "report" report "$TMP/run.db"
clean "analyze" analyze worst "$TMP/run.db"
clean "shell" shell "$TMP/run.db" "SELECT * FROM messages"
clean "info of the run" info "$TMP/run"
clean "info of the database" info "$TMP/run.db"
finish
