#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Real runs, and the same as big-endian machines would have written them: inspection and import give the same, row by row.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

# rows FILE: every table, row by row
rows() {
	sqlite3 -batch -noheader "$1" "SELECT printf('SELECT ''--- %s''; SELECT * FROM \"%w\";', name, name)
		FROM sqlite_schema WHERE type = 'table' ORDER BY name" | sqlite3 -batch -noheader "$1"
}

# read_to NAME: what info and import make of the folder `run`
read_to() {
	"$gaspdb" info run >"$1.info" 2>&1
	echo "status $?" >>"$1.info"
	timeout 60 "$gaspdb" import run -o "$1.db" --force >"$1.import" 2>&1
	echo "status $?" >>"$1.import"
	sed -i "s/^gaspdb: $1.db: \(.*\), in .*/\1/; s/$1.db/run.db/" "$1.import"
	rows "$1.db" >"$1.rows"
}

# same WHAT TWIN: as the little-endian run
same() {
	local file
	for file in info import rows; do
		is "$1: $file" "$(diff little.$file "$2.$file" | head -20)" ""
	done
}

# twins NAME STATUS: the folder `run`, of a recorded run, in little-endian, big-endian, and every other log big-endian
twins() {
	read_to little
	is "$1: there are events" "$(tail -n 1 little.import) $(sql little.db 'SELECT count(*) > 0 FROM profile')" "status $2 1"
	cp -r run mixed && mv run kept && mv mixed run
	find run -name '*.gasplog' | sort | sed -n 'p;n' | xargs "$O/tests/swaplog"
	read_to mixed
	same "$1, some of them big-endian" mixed
	rm -r run && cp -r kept run
	"$O/tests/swaplog" run/*.gasplog
	is "$1: logs differ" "$(cat run/*.gasplog | cmp -s - <(cat kept/*.gasplog); echo $?)" 1
	read_to big
	same "$1, big-endian" big
	# As much of it as had been written when a disk was full.
	truncate -s -700 run/*.gasplog kept/*.gasplog
	read_to big
	rm -r run && mv kept run
	read_to little
	is "$1, cut: bytes are missing" "$(tail -n 1 little.import)" "status 3"
	same "$1, cut, big-endian" big
	rm -r run
}

# recorded NAME STATUS OPTION... -- COMMAND...
recorded() {
	timeout 100 "$gaspdb" record -o run "${@:3}" >record.out 2>&1 || sed 's/^/# /' record.out
	twins "$1" "$2"
}

[ ! -x "$O/examples/mpi_faults" ] || recorded mpi_faults 0 -- mpirun.openmpi -np 4 "$O/examples/mpi_faults"
[ ! -x "$O/examples/mpi_faults_mpich" ] || recorded mpi_faults_mpich 0 -- mpiexec.hydra -n 4 "$O/examples/mpi_faults_mpich"
[ ! -x "$O/examples/mpi_functions_openmpi" ] ||
	recorded "functions, stacks and files" 0 --io --stack=8 -- mpirun.openmpi -np 4 "$O/examples/mpi_functions_openmpi"
[ ! -x "$O/programs/openmpi/mpi_values" ] || recorded values 0 --memory -- mpirun.openmpi -np 2 "$O/programs/openmpi/mpi_values"
[ ! -x "$O/examples/shmem_faults" ] || recorded shmem_faults 0 -- oshrun -np 4 "$O/examples/shmem_faults"
{ GASPDB_DIR=$TMP/run "$O/programs/gasp_killed" 20000 KILL; } 2>/dev/null
twins "killed" 3
GASPDB_DIR=$TMP/run "$O/programs/gasp_events" >/dev/null
twins "every GASP event" 0
for mode in profile both; do
	[ ! -x "$O/programs/openmpi/mpi_values" ] ||
		recorded "mode $mode" 0 --mode=$mode -- mpirun.openmpi -np 2 "$O/programs/openmpi/mpi_values"
	{ GASPDB_MODE=$mode GASPDB_DIR=$TMP/run "$O/programs/gasp_killed" 20000 KILL; } 2>/dev/null
	twins "mode $mode, killed" 3
done
finish
