#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several jobs under one `gaspdb record`: they are not mixed, and the user is told.
. "$(dirname "$0")/../lib.sh"
hello=$O/programs/openmpi/mpi_hello
if [ ! -x "$hello" ]; then
	skip "several jobs" "no Open MPI here"
	finish
fi
cd "$TMP" || exit

timeout 100 "$gaspdb" record -o run -- sh -c "mpirun -np 2 $hello; mpirun -np 3 $hello" >out 2>err
is "both jobs run" "$(sort out | tr '\n' ' ')" "hello 0 hello 0 hello 1 hello 1 hello 2 "
is "both are recorded" "$(ls run | grep -c '\.gasplog$')" 5
"$gaspdb" import run -o run.db 2>err
is "import says that something was left out" $? 3
like "and what" "$(cat err)" "log of another job: .*several jobs"
is "the larger job is kept, whole" "$(sql run.db "SELECT count(*), sum(complete), max(rank) FROM thread")" "3|3|2"
is "with its barrier, and its end" "$(sql run.db "SELECT expected, seen FROM collective" | tr "\n" " ")" "3|3 3|3 "
is "nothing is mismatched" \
	"$(sql run.db "SELECT kind, count FROM quality WHERE severity <> 'note' GROUP BY 1")" "log of another job|1"

timeout 100 "$gaspdb" record -o mpmd -- mpirun -np 1 "$hello" : -np 1 "$hello" >out 2>err
"$gaspdb" import mpmd -o mpmd.db 2>err
is "one job of two programs is one job" "$? $(sql mpmd.db "SELECT count(*) FROM thread")" "0 2"
invariants
finish
