#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Call stacks (record --stack=N): who called, through wrappers, inlining, link-time optimization and libraries.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
source=$TOP/tests/programs/mpi_callers.c
cd "$TMP" || exit 1
steps=10 # of 2 ranks

# callers WHAT DEPTH LAUNCHER... [-- IMPORT-OPTION...]: recorded and imported
callers() {
	local what=$1 depth=$2 launch=() status
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		launch+=("$1")
		shift
	done
	shift
	rm -rf run run.db
	timeout 60 "$gaspdb" record -o run --stack="$depth" -- "${launch[@]}" $steps >out 2>err
	is "$what: the program's end is its own" "$? $(cat out)" "0 "
	imports run -o run.db "$@" 2>import
	status=$?
	is "$what: import" "$status $(sql run.db "SELECT DISTINCT kind FROM quality")" "0 "
}

# tree: paths to the calls of MPI, from main on, with their calls
tree() {
	sql run.db "WITH RECURSIVE down(id, path, calls) AS (
		SELECT c.id, p.function, c.calls FROM callpath c JOIN place p ON p.source_id = c.source_id WHERE c.parent_id IS NULL
		UNION ALL SELECT c.id, d.path || ' ' || CASE p.type WHEN 'function' THEN p.function ELSE p.operation END, c.calls
		FROM down d JOIN callpath c ON c.parent_id = d.id JOIN place p ON p.source_id = c.source_id)
		SELECT path, sum(calls) FROM down WHERE path LIKE '%MPI_%' GROUP BY path ORDER BY path"
}

# lines: where calls of MPI_Allreduce count, with their number
lines() {
	sql run.db "SELECT s.file, s.line, sum(p.calls) FROM profile p JOIN source s ON s.id = p.source_id
		JOIN operation o ON o.id = s.operation_id AND o.name = 'MPI_Allreduce' GROUP BY 1, 2 ORDER BY 2"
}

# worst DATABASE COLUMNS: of the first finding
worst() {
	"$gaspdb" analyze worst --limit=1 --format=csv "$1" >worst.csv 2>err
	sqlite3 :memory: ".import --csv worst.csv w" "SELECT $2 FROM w"
}

# run_ns DATABASE: from the end of MPI_Init to the start of MPI_Finalize
run_ns() {
	sql "$1" "SELECT end_ns - start_ns FROM pop WHERE whole = 0"
}

# In solve() rank 1 works 40 ms a step, others nothing: rank 0 waits for it in the first reduction after that.  What the finding
# advises, equal shares, saves 20 ms a step.
late() {
	local mpi=$1 report lost saved
	shift
	for share in "0 40" "20 20"; do
		rm -rf run
		# shellcheck disable=SC2086 # two arguments
		timeout 60 "$gaspdb" record -o run --stack=16 -- "$@" ./program $steps $share >out 2>err
		imports run --force -o "${share%% *}.db" 2>import
	done
	is "$mpi: the finding names the function, and which of its callers waits" \
		"$(worst 0.db "thread, waiting_function, caller, CAST(caller_share AS REAL) > 80")" "1|comm_sum|solve|1"
	"$gaspdb" analyze hot-lines --by=caller --format=csv 0.db >lines.csv 2>err
	is "$mpi: hot-lines --by=caller has that waiting" "$(sqlite3 :memory: ".import --csv lines.csv l" \
		"SELECT function, waiting_ns / 1e6 / $steps BETWEEN 35 AND 100 FROM l WHERE operations = 'MPI_Allreduce'")" "comm_sum|1"
	is "$mpi: with the waiting that was planted, 40 ms a step, and half of it as its saving" \
		"$(worst 0.db "lost_ns / 1e6 / $steps BETWEEN 30 AND 60, equal_share_ns / 1e6 / $steps BETWEEN 15 AND 30")" "1|1"
	report=$("$gaspdb" report 0.db | tr -s '[:space:]' ' ')
	like "$mpi: the report names them" "$report" 'mpi_callers\.c:[0-9]+ \(MPI_Allreduce\) in comm_sum\(\), called by solve\(\) \((>?[89][0-9]|100)[.0-9]* % of the waiting\)'
	lost=$(worst 20.db "coalesce(max(lost_ns + 0), 0)") saved=$(($(run_ns 0.db) - $(run_ns 20.db)))
	ok "$mpi: with equal shares most of the waiting is gone" test "$lost" -lt $((steps * 20000000))
	ok "$mpi: and the run is shorter by about half of it" test $saved -gt $((steps * 10000000)) -a $saved -lt $((steps * 40000000))
}

line() {
	grep -n "/\* $1 \*/" "$source" | cut -d: -f1
}

expected_tree="main MPI_Finalize|2
main MPI_Init|2
main check comm_norm comm_sum MPI_Allreduce|$steps
main solve comm_norm comm_sum MPI_Allreduce|$((4 * steps))
main walk walk walk comm_norm comm_sum MPI_Allreduce|$((2 * steps))"

check() {
	local mpi=$1 launch=("$2" -np 2) how options
	command -v "mpicc.$mpi" >/dev/null || { skip "$mpi" "no compiler wrapper of this name"; return; }
	for how in -O0 -O2 "-O2 -DINLINED" "-O3 -flto"; do
		read -ra options <<<"$how"
		"mpicc.$mpi" -g -fno-optimize-sibling-calls -fno-ipa-icf "${options[@]}" -o program "$source" 2>compile || { cat compile; return; }
		callers "$mpi $how" 16 "${launch[@]}" ./program
		is "$mpi $how: the callers of each call" "$(tree)" "$expected_tree"
		is "$mpi $how: a call has the line where it stands" "$(lines)" "$source|$(line reduce)|$((7 * steps))"
	done
	is "$mpi: top callers, by one query" "$(sql run.db "SELECT u.function, sum(c.calls) FROM callpath c
		JOIN place p ON p.source_id = c.source_id AND p.operation = 'MPI_Allreduce'
		JOIN callpath w ON w.id = c.parent_id JOIN callpath n ON n.id = w.parent_id JOIN callpath f ON f.id = n.parent_id
		JOIN place u ON u.source_id = f.source_id GROUP BY 1 ORDER BY 2 DESC")" "solve|$((4 * steps))
walk|$((2 * steps))
check|$steps"
	is "$mpi: hot-lines --by=caller" "$("$gaspdb" analyze hot-lines --by=caller --format=tabs run.db | cut -f2-4 | sort)" "comm_sum	MPI_Allreduce	$((7 * steps))
main	MPI_Finalize, MPI_Init	4"
	is "$mpi: the query of docs/sql.md: functions that reduce, themselves or through others" \
		"$(sql run.db "$(sed -n '/^\*\*Which functions call MPI_Allreduce/,/^```$/p' "$TOP/docs/sql.md" | sed '1,/^```sql/d;/^```/d')" | cut -d\| -f1,2)" \
		"comm_norm|$((7 * steps))
comm_sum|$((7 * steps))
main|$((7 * steps))
solve|$((4 * steps))
walk|$((2 * steps))
check|$steps"
	late "$mpi" "${launch[@]}"

	callers "$mpi, two frames" 2 "${launch[@]}" ./program
	is "$mpi: two frames: the callers of each call" "$(tree)" "comm_norm comm_sum MPI_Allreduce|$((7 * steps))
main MPI_Finalize|2
main MPI_Init|2"

	"mpicc.$mpi" -g -O2 -DLIBRARY -shared -fPIC -fno-optimize-sibling-calls -o libwrapper.so "$source"
	"mpicc.$mpi" -g -O2 -DPROGRAM -fno-optimize-sibling-calls -fno-ipa-icf -o program "$source" ./libwrapper.so
	callers "$mpi, a library" 16 "${launch[@]}" ./program
	is "$mpi: a library: the callers of each call" "$(tree)" "$expected_tree"
	is "$mpi: a library's calls count where the program called it" "$(lines)" "$source|$(line first)|$((2 * steps))
$source|$(line second)|$((2 * steps))
$source|$(line check)|$steps
$source|$(line walk)|$((2 * steps))"
	mv program libwrapper.so elsewhere 2>/dev/null || { mkdir elsewhere && mv program libwrapper.so elsewhere; }
	imports run --force -o run.db 2>import
	is "$mpi: without the program's files: the same callers" "$(tree)" "$expected_tree"
	mv elsewhere/* .
	imports run --force -o run.db --user-code='libwrap*' 2>import
	is "$mpi: --user-code: they count in the library" "$(lines)" "$source|$(line reduce)|$((7 * steps))"

	for module in mpi mpi_f08; do
		sed "s/MODULE/$module/" "$TOP/tests/programs/mpi_callers.f90" >callers.f90
		"mpif90.$mpi" -g -O1 -fno-inline -o program callers.f90 2>compile || { skip "$mpi, Fortran, $module" "no compiler"; continue; }
		callers "$mpi, Fortran, $module" 16 "${launch[@]}" ./program
		is "$mpi, Fortran, $module: the callers of each call" "$(tree)" "main callers MPI_Finalize|2
main callers MPI_Init|2
main callers solve MPI_Allreduce|10"
	done

	"mpicc.$mpi" -g -DPROGRAM -o program "$source" ./libwrapper.so
	timeout 60 "$gaspdb" record -o plain -- "${launch[@]}" ./program $steps >out 2>err
	imports plain -o plain.db 2>import
	is "$mpi: without --stack there are no callers" "$(sql plain.db "SELECT count(*) FROM operation WHERE name = 'caller'")" 0
	"$gaspdb" analyze worst --min-share=0 --format=csv plain.db >worst.csv 2>err
	is "$mpi: nor functions in findings" "$(sqlite3 :memory: ".import --csv worst.csv w" "SELECT count(*) > 0, max(function || waiting_function || caller || caller_share) FROM w")" "1|"
	rm -rf plain plain.db
}
check openmpi mpirun.openmpi
check mpich mpiexec.hydra

for wrong in x -1 65 "" 3x; do
	"$gaspdb" record --stack="$wrong" -- true >out 2>err
	is "--stack='$wrong' is refused" "$? $(head -n 1 err)" "2 gaspdb: record: '$wrong' is not a number from 0 to 64"
done
finish
