#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# MPI that a program loads late: by mpi4py, by ctypes, by dlopen for itself alone.  Calls from Python have the Python program's
# lines and functions.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1
python=/usr/bin/python3
programs=$TOP/tests/programs
declare -A library=([openmpi]=libmpi.so.40 [mpich]=libmpich.so.12) launcher=([openmpi]=mpirun.openmpi [mpich]=mpiexec.hydra)

# recorded NAME LAUNCHER ARGUMENT...: record and import as NAME.db, where nothing is amiss
recorded() {
	local name=$1
	timeout 100 "$gaspdb" record -o "$name" -- "${@:2}" >"$name.out" 2>&1
	is "$name: record exits as the program does" $? 0
	imports "$name" -o "$name.db" 2>"$name.err"
	is "$name: import exits 0" $? 0
	is "$name: nothing is amiss" "$(sql "$name.db" "SELECT kind, detail FROM quality WHERE severity <> 'note'")" ""
}

# marked SOURCE: operation, line and function of each call that a comment names
marked() {
	sed -n 's|.*#: \(MPI_[A-Za-z_]*\) \([^ ]*\).*|\1 \2|;t mark;d;:mark;=;p' "$1" |
		awk 'NR % 2 { line = $1; next } { print $1 "|" line "|" $2 }' | LC_ALL=C sort
}

# called DATABASE SOURCE: the same of the recorded calls
called() {
	sql "$1" "SELECT DISTINCT o.name || '|' || s.line || '|' || s.function FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE s.file LIKE '%$2'" | LC_ALL=C sort
}

for mpi in openmpi mpich; do
	if [ ! -e "$O/libgaspdb-$mpi.so" ] || ! ldconfig -p | grep -q "${library[$mpi]} "; then
		skip "$mpi" "not here"
		continue
	fi
	recorded "ctypes_$mpi" ${launcher[$mpi]} -np 2 $python "$programs/python_ctypes.py" ${library[$mpi]}
	is "$mpi, ctypes: each call at its line, in its function" "$(called "ctypes_$mpi.db" python_ctypes.py)" \
		"$(marked "$programs/python_ctypes.py")"
	is "$mpi, ctypes: the message" "$(sql "ctypes_$mpi.db" 'SELECT s.thread_id, r.thread_id, m.tag, m.bytes FROM message m JOIN event s ON s.id = m.send_event_id
		JOIN event r ON r.id = m.post_event_id')" "0|1|5|16"

	gcc -g -o loaded_late "$programs/loaded_late.c"
	recorded "dlopen_$mpi" ${launcher[$mpi]} -np 2 ./loaded_late ${library[$mpi]}
	is "$mpi, dlopen: each call at its line, in its function" "$(called "dlopen_$mpi.db" loaded_late.c)" \
		"$(marked "$programs/loaded_late.c")"
	is "$mpi, dlopen: calls" "$(sql "dlopen_$mpi.db" 'SELECT count(*) FROM event')" 6
done

# not_python VERSION: an interpreter that is not known, or whose memory is not as it should be
not_python() {
	local name=not_python_${1%% *}
	mpicc.mpich -g -shared -fPIC -DMODULE "-DVERSION=\"$1\"" -o caller.so "$programs/not_python.c" &&
		mpicc.mpich -g -o not_python "$programs/not_python.c" ./caller.so || return
	recorded "$name" mpiexec.hydra -np 2 ./not_python
	is "$name: each call has its line in C" "$(called "$name.db" not_python.c)" "$(marked "$programs/not_python.c")"
	is "$name: all calls" "$(sql "$name.db" 'SELECT count(*) FROM event')" 10
	is "$name: it is said" "$(sql "$name.db" "SELECT kind, detail FROM quality")" "limits of the runtime|lines of Python ${1%% *} are \
not known: calls have the place in the C code that makes them for Python"
}
if [ -e "$O/libgaspdb-mpich.so" ] && command -v mpicc.mpich >/dev/null; then
	not_python "3.99.0 (main)"
	not_python "3.13.0 experimental free-threading build (main)"
	not_python "3.10.0 (main)"
	not_python "3.11.0 (main)"
	not_python "3.13.1 (main)"
else
	skip "unknown versions" "no MPICH"
fi

if ! $python -c 'import mpi4py' 2>/dev/null; then
	skip "mpi4py" "not here"
	finish
fi
recorded calls mpirun.openmpi -np 2 $python "$programs/python_calls.py"
is "mpi4py: each call at its line, in its function" "$(called calls.db python_calls.py)" "$(marked "$programs/python_calls.py")"
# ping: 1 each way; persistent: 3 starts; each by two processes, but for blocking messages
is "mpi4py: events" "$(sql calls.db "SELECT o.name, count(*) FROM event e JOIN source s ON s.id = e.source_id JOIN operation o
	ON o.id = s.operation_id WHERE s.file LIKE '%python_calls.py'
	AND o.name IN ('MPI_Send', 'MPI_Recv', 'MPI_Start', 'MPI_Wait', 'MPI_Bcast') GROUP BY 1 ORDER BY 1" |
	tr '\n' ' ')" "MPI_Bcast|2 MPI_Recv|3 MPI_Send|3 MPI_Start|6 MPI_Wait|6 "
is "mpi4py: messages of blocking calls" "$(sql calls.db "SELECT tag, bytes FROM message WHERE tag BETWEEN 1 AND 3 ORDER BY 1" |
	tr '\n' ' ')" "1|100 2|100 3|100 "
is "mpi4py: code in memory of former code has its own line" "$(sql calls.db "SELECT s.line, s.function, count(*) FROM event e
	JOIN source s ON s.id = e.source_id WHERE s.file = 'generated.py' GROUP BY 1, 2 ORDER BY 1" | tr '\n' ' ')" \
	"$(for n in 1 2 3 4 5 6 7 8; do echo "$n|<module>|2"; done | tr '\n' ' ')"
is "mpi4py: and its own name" "$(sql calls.db "SELECT s.line, s.function, count(*) FROM event e
	JOIN source s ON s.id = e.source_id WHERE s.file = 'named.py' GROUP BY 1, 2 ORDER BY 2" | tr '\n' ' ')" \
	"$(for n in 0 1 2 3 4 5 6 7; do echo "2|made$n|2"; done | tr '\n' ' ')"
is "mpi4py: its end is Python's" "$(sql calls.db "SELECT location, function, count(*) FROM event e JOIN place p ON
	p.source_id = e.source_id WHERE p.operation = 'MPI_Finalize' GROUP BY 1, 2")" "<end of Python>|Py_FinalizeEx|2"

# Rank 2 comes 195 ms late to four barriers.
recorded late mpirun.openmpi -np 3 $python "$programs/python_late.py"
late=$(grep -n '#: late' "$programs/python_late.py" | cut -d: -f1)
is "late: whom the others wait for, and where" "$(sql late.db "SELECT thread_id, cause_thread_id, location, cause_location, count(*)
	FROM waits WHERE duration_s > 0.1 GROUP BY 1, 2, 3, 4 ORDER BY 1" | tr '\n' ' ')" \
	"0|2|python_late.py:$late|python_late.py:$late|4 1|2|python_late.py:$late|python_late.py:$late|4 "
like "late: the report leads with it" "$("$gaspdb" report --section=worst late.db 2>/dev/null | tr -s '\n ' ' ')" \
	"1\. imbalance: .*rank 2 .*python_late\.py:$late"
is "late: its function" "$(sql late.db "SELECT DISTINCT function FROM place WHERE location = 'python_late.py:$late'")" step

# A program of objects, whose sum mpi4py makes of messages: rank 1 comes 100 ms late to each of 8, and two ranks wait (in the first
# one for the communicator that mpi4py duplicates there).  Ranks 1 and 2 send there: half of it is above their mean.
recorded life mpirun.openmpi -np 3 $python "$programs/python_life.py" 8 100
late=python_life.py:$(grep -n '#: late' "$programs/python_life.py" | cut -d: -f1)
like "life: the report leads with it" "$("$gaspdb" report --section=worst life.db 2>/dev/null | tr -s '\n ' ' ')" \
	"1\. imbalance: .* rank 1 computes [0-9.]+ ms more there than the ranks' mean the waiting: (late broadcast at [^;]*; )?late sender at \
$late \(MPI_Recv\)"
is "life: its function" "$(sql life.db "SELECT DISTINCT function FROM place WHERE location = '$late'")" World.census
seconds=$(sed -n 's/^fault: census 1 seconds //p' life.out)
waited=$(sql life.db "SELECT sum(w.end_ns - w.start_ns) / 1e9 FROM wait w JOIN event e ON e.id = w.event_id
	JOIN place p ON p.source_id = e.source_id WHERE p.location = '$late' AND w.thread_id = 0 AND w.cause_thread_id = 1")
ok "life: rank 0 waits $waited s for rank 1, which comes $seconds s after it" \
	awk -v a="$waited" -v b="$seconds" 'BEGIN { exit !(b > 0.7 && a > 0.9 * b && a < 1.1 * b) }'
late_s=$(sed -n 's/^slept //p' life.out)
two=$(sql life.db "SELECT sum(thread_ns) / 1e9 FROM root_cause WHERE thread_id = 1")
more=$(sql life.db "SELECT max(excess_ns) / 1e9 FROM root_cause WHERE thread_id = 1")
# On a loaded machine ranks 0 and 2 come later to a sum than at once, and the computation of rank 2 is longer.
ok "life: $two s of waiting begin at rank 1, by two for its $late_s s, and $more s are above the mean, by half of seven eighths" \
	awk -v late="$late_s" -v two="$two" -v more="$more" \
	'BEGIN { exit !(two > 1.4 * 0.8 && two < 2.4 * late && more > 0.7 * 0.35 && more < 0.65 * late) }'
exchanged() {
	sql life.db "SELECT sender, receiver, tag, count(*) FROM message m JOIN event e ON e.id = m.send_event_id JOIN place p
		ON p.source_id = e.source_id WHERE p.line = $(grep -n "#: $1" "$programs/python_life.py" | cut -d: -f1) GROUP BY 1, 2, 3" | tr '\n' ' '
}
is "life: rows go up" "$(exchanged up)" "0|1|1|8 1|2|1|8 2|0|1|8 "
is "life: and down" "$(exchanged down)" "0|2|2|8 1|0|2|8 2|1|2|8 "
finish
