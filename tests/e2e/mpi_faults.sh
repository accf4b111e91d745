#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the example's faults cost by its own clock readings is what the database says: who waited, for whom, where.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
source=$TOP/examples/mpi_faults.c

# line MARK: the source line marked so.  printed FAULT: the rank to blame, and seconds
line() {
	grep -n "/\* $1 \*/" "$source" | grep -o '^[0-9]*'
}
printed() {
	awk -v fault="$1" '$1 == "fault:" && $2 == fault { print $3, $NF }' "$TMP/out"
}

# waited KIND FAULT: the rank to blame, and the seconds that others waited for it at the marked lines
waited() {
	sql "$db" "SELECT c.rank, sum(w.end_ns - w.start_ns) / 1e9 FROM wait w
		JOIN event e ON e.id = w.event_id JOIN source s ON s.id = e.source_id
		JOIN event f ON f.id = w.cause_event_id JOIN source g ON g.id = f.source_id JOIN thread c ON c.id = w.cause_thread_id
		WHERE w.kind = '$1' AND s.line = $(line "WAIT $2") AND g.line = $(line "${3:-LATE} $2")
		GROUP BY 1 ORDER BY 2 DESC LIMIT 1" | tr '|' ' '
}

# within FAULT RANK SECONDS: the program printed this rank, and seconds within 10 %, and they are worth speaking of
within() {
	printed "$1" | awk -v rank="$2" -v s="$3" '{ n++; good = $1 == rank && $2 > 0.1 && s / $2 > 0.9 && s / $2 < 1.1 }
		END { exit !(n == 1 && good) }' || { echo "# printed $(printed "$1"), recorded $2 $3"; false; }
}

# check MPI PROGRAM LAUNCHER...
check() {
	local mpi=$1 program=$O/examples/$2
	db=$TMP/$mpi.db
	shift 2
	if [ ! -x "$program" ]; then
		skip "$mpi" "not here"
		return
	fi
	timeout 100 "$gaspdb" record -o "$TMP/$mpi" -- "$@" "$program" >"$TMP/out" 2>"$TMP/err"
	is "$mpi: the program succeeds" $? 0
	"$gaspdb" import "$TMP/$mpi" -o "$db" 2>"$TMP/err"
	is "$mpi: import succeeds" $? 0
	# shellcheck disable=SC2046
	{
		ok "$mpi: late sender" within late-sender $(waited 'late sender' late-sender)
		ok "$mpi: late arrival at a sum" within late-arrival $(waited all-to-all late-arrival WAIT)
		ok "$mpi: late receiver" within late-receiver $(waited 'late receiver' late-receiver)
	}
	is "$mpi: all messages are matched" \
		"$(sql "$db" "SELECT count(*) FROM quality WHERE kind LIKE 'unmatched%'")" 0
}

check openmpi mpi_faults mpirun -np 4
check mpich mpi_faults_mpich mpiexec.hydra -np 4
finish
