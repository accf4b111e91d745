#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Real runs imported with the large tables written as pages, and by SQLite's inserts: each table holds the same rows in the same
# order, and the file is sound.  (Worked examples: reference/worked.py.)
. "$(dirname "$0")/../lib.sh"

# rows FILE: every table, row by row
rows() {
	sqlite3 -batch -noheader "$1" "SELECT printf('SELECT ''--- %s''; SELECT * FROM \"%w\";', name, name)
		FROM sqlite_schema WHERE type = 'table' ORDER BY name" | sqlite3 -batch -noheader "$1"
}

# both NAME RUN
both() {
	"$gaspdb" import "$2" -o "$TMP/pages.db" --force 2>"$TMP/err"
	local status=$?
	GASPDB_IMPORT_BY_INSERTS=1 "$gaspdb" import "$2" -o "$TMP/inserts.db" --force 2>>"$TMP/err"
	is "$1: both are made" "$? $(sql "$TMP/pages.db" 'SELECT count(*) > 0 FROM event')" "$status 1"
	rows "$TMP/pages.db" >"$TMP/pages"
	rows "$TMP/inserts.db" >"$TMP/inserts"
	ok "$1: the same rows" cmp "$TMP/pages" "$TMP/inserts"
	is "$1: sound" "$(sql "$TMP/pages.db" 'PRAGMA integrity_check')" ok
}

if [ -x "$O/examples/mpi_faults" ]; then
	"$gaspdb" record -o "$TMP/mpi" -- timeout 100 mpirun.openmpi -np 4 "$O/examples/mpi_faults" >"$TMP/out" 2>&1
	both "mpi_faults" "$TMP/mpi"
fi
if [ -x "$O/examples/shmem_faults" ]; then
	"$gaspdb" record -o "$TMP/shmem" -- timeout 100 oshrun -np 4 "$O/examples/shmem_faults" >"$TMP/out" 2>&1
	both "shmem_faults" "$TMP/shmem"
fi
finish
