#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# MPI programs that jump out of a call, abort in an error handler, or are killed.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
exec 2>"$TMP/shell"

# recorded COMMAND...: recorded and imported
recorded() {
	rm -rf run run.db
	timeout 60 "$gaspdb" record -o run -- "$@" >out 2>err </dev/null
	status=$?
	imports run -o run.db 2>import
	imported=$?
}

events="SELECT o.name, count(*), sum(e.open) FROM event e JOIN source s ON s.id = e.source_id
	JOIN operation o ON o.id = s.operation_id"

check() {
	local mpi=$1 launcher=$2 program=$O/programs/$1/mpi_exits plain seed calls finished
	timeout 60 "$launcher" -np 1 "$program" jump >out 2>/dev/null
	plain=$?
	recorded "$launcher" -np 1 "$program" jump
	is "$mpi: a jump out of a call: the program's end is its own" "$status $imported" "$plain 0"
	is "$mpi: a jump out of a call: it stays open, later ones are not in it" "$(sql run.db "$events GROUP BY 1" | tr '\n' ' ')
$(sql run.db "SELECT count(*) FROM event WHERE parent_id IS NOT NULL")" "MPI_Barrier|3|0 MPI_Finalize|1|0 MPI_Init|1|0 MPI_Send|1|1 
0"
	is "$mpi: a jump out of a call: it lasts until the next one at most" \
		"$(sql run.db "SELECT (SELECT e.start_ns + e.duration_ns FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.name = 'MPI_Send') <= (SELECT min(e.start_ns) FROM event e
		JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id WHERE o.name = 'MPI_Barrier')")" 1

	# Without its launcher, which does not always say the same: 1 where it saw the connection end first.
	recorded "$program" abort
	is "$mpi: MPI_Abort in an error handler: the program's end is its own" "$status" 3
	is "$mpi: MPI_Abort in an error handler: the log has an end" "$imported $(sql run.db "SELECT complete FROM thread")" "0 1"
	is "$mpi: MPI_Abort in an error handler: it is there, in the call that failed" \
		"$(sql run.db "$events WHERE e.open GROUP BY 1" | tr '\n' ' ')" "MPI_Abort|1|1 MPI_Send|1|1 "

	for seed in $RANDOM $RANDOM $RANDOM; do
		echo "# seed $seed"
		head -c 4096 /dev/zero >done
		recorded "$launcher" -np 2 "$program" kill "$TMP/done" $seed
		ok "$mpi: a process is killed: the program fails" test $status -ne 0
		is "$mpi: a process is killed: import says that its log has no end" "$imported $(sql run.db "SELECT complete FROM thread WHERE rank = 1")" "3 0"
		calls=$(sql run.db "SELECT count(*) FROM event e JOIN thread t ON t.id = e.thread_id JOIN source s ON s.id = e.source_id
			JOIN operation o ON o.id = s.operation_id WHERE t.rank = 1 AND o.name = 'MPI_Barrier' AND NOT e.open")
		finished=$(od -An -td8 -N8 done)
		# The first is the world's.
		ok "$mpi: a process is killed: its calls are there" test $((calls - 1 - finished)) -ge 0 -a $((calls - 1 - finished)) -le 1
		is "$mpi: a process is killed: what the other was waiting in" "$(sql run.db "$events JOIN thread t ON t.id = e.thread_id
			WHERE t.rank = 0 AND e.open GROUP BY 1")" "MPI_Barrier|1|1"
	done
}

each_mpi mpi_exits check
finish
