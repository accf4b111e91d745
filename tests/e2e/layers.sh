#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Other libraries in the process: constructors, tools that wrap the same functions, MPI that is loaded late, a
# sanitizer's runtime.  All behave as without recording, and the program's calls are there, at its lines.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
src=$TOP/tests/layers
cd "$TMP" || exit 1

# both WHAT PROGRAM...: run without and with recording; the same status and output
both() {
	local what=$1 plain recorded
	shift
	rm -rf run run.db
	"${before[@]}" timeout 60 "$@" >plain 2>/dev/null
	plain=$?
	"${before[@]}" timeout 60 "$gaspdb" record -o run -- "$@" >recorded 2>err
	recorded=$?
	is "$what: status and output are as without recording" "$recorded $(sort recorded)" "$plain $(sort plain)"
	imports run -o run.db 2>/dev/null
}
before=(env)

calls() {
	sql run.db "SELECT o.name, count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id GROUP BY 1 ORDER BY 1" | tr '\n' ' '
}
own="MPI_Barrier|4 MPI_Finalize|2 MPI_Init|2 MPI_Recv|6 MPI_Send|6 "
tools="MPI_Barrier|4 MPI_Finalize|2 MPI_Init|2 MPI_Recv|6 MPI_Reduce|2 MPI_Send|6 "
messages="SELECT count(*), min(bytes), max(bytes) FROM message"
# The lines of the file that name the function.
lines() {
	grep -n "$2(" "$src/$1" | cut -d: -f1 | tr '\n' ' '
}
lines_of() {
	sql run.db "SELECT DISTINCT s.line FROM source s JOIN operation o ON o.id = s.operation_id
		WHERE o.name = '$1' AND s.file LIKE '%/$2' ORDER BY 1" | tr '\n' ' '
}

check() {
	local mpi=$1 launch=("$2" -np 2) compile=("mpicc.$1" -g) library
	command -v "mpicc.$mpi" >/dev/null || { skip "$mpi" "no compiler wrapper of this name"; return; }
	"${compile[@]}" -o "program-$mpi" "$src/program.c"
	"${compile[@]}" -shared -fPIC -o "libtool-$mpi.so" "$src/tool.c"
	"${compile[@]}" -o "linked-$mpi" "$src/program.c" -Wl,--no-as-needed "./libtool-$mpi.so"
	"${compile[@]}" -o "within-$mpi" "$src/program.c" "$src/tool.c"
	"${compile[@]}" -DOTHER_WAY -o "other-$mpi" "$src/program.c" "$src/tool.c"
	library=$(ldd "program-$mpi" | awk '/libmpi(ch)?\.so/ { print $3 }')

	both "$mpi" "${launch[@]}" "./program-$mpi" file
	is "$mpi: what the library calls itself for a file is no call of the program's" "$(calls)" \
		"${own/MPI_Finalize/MPI_File_close|2 MPI_File_open|2 MPI_File_write_at_all|2 MPI_Finalize}"
	is "$mpi: messages" "$(sql run.db "$messages")" "6|4|4"

	both "$mpi: a tool in a library" "${launch[@]}" "./linked-$mpi"
	is "$mpi: a tool in a library: output" "$(cat recorded)" "tool: 6 sends, 4 barriers"
	is "$mpi: a tool in a library: calls, its own too" "$(calls)" "$tools"
	is "$mpi: a tool in a library: messages" "$(sql run.db "$messages")" "6|4|4"
	is "$mpi: a tool in a library: lines are the program's" "$(lines_of MPI_Send program.c)$(lines_of MPI_Barrier program.c)" \
		"$(lines program.c MPI_Send)$(lines program.c MPI_Barrier)"

	both "$mpi: a tool in the program" "${launch[@]}" "./within-$mpi"
	is "$mpi: a tool in the program: calls, its own too" "$(calls)" "$tools"
	is "$mpi: a tool in the program: messages" "$(sql run.db "$messages")" "6|4|4"

	before=(env "LD_PRELOAD=$TMP/libtool-$mpi.so")
	both "$mpi: a tool that is preloaded" "${launch[@]}" "./program-$mpi"
	before=(env)
	is "$mpi: a tool that is preloaded: output" "$(cat recorded)" "tool: 6 sends, 4 barriers"
	is "$mpi: a tool that is preloaded: calls, its own too" "$(calls)" "$tools"
	is "$mpi: a tool that is preloaded: lines are the program's" "$(lines_of MPI_Send program.c)" \
		"$(lines program.c MPI_Send)"

	both "$mpi: a tool that sends another way" "${launch[@]}" "./other-$mpi"
	is "$mpi: a tool that sends another way: what happened is recorded" "$(calls)" \
		"MPI_Barrier|4 MPI_Finalize|2 MPI_Init|2 MPI_Isend|6 MPI_Recv|6 MPI_Reduce|2 MPI_Wait|6 "
	is "$mpi: a tool that sends another way: messages" "$(sql run.db "$messages")" "6|4|4"

	"${compile[@]}" -shared -fPIC -o "libinit-$mpi.so" "$src/init_tool.c"
	"${compile[@]}" -DPROGRAM -o "checkpoint-$mpi" "$src/init_tool.c" "./libinit-$mpi.so"
	both "$mpi: a library that wraps MPI_Init" "${launch[@]}" "./checkpoint-$mpi"
	is "$mpi: a library that wraps MPI_Init is set up" "$(sort recorded)" "checkpoint of rank 0
checkpoint of rank 1"

	for start in "" -DSTART; do
		"${compile[@]}" $start -shared -fPIC -o "libconstructor$start-$mpi.so" "$src/constructor.c"
		"${compile[@]}" -o "constructed-$mpi" "$src/program.c" -Wl,--no-as-needed "./libconstructor$start-$mpi.so"
		before=(env "CONSTRUCTED=$TMP/lock$start-$mpi")
		both "$mpi: a library's constructor $start" "${launch[@]}" "./constructed-$mpi"
		before=(env)
		is "$mpi: a library's constructor $start: it ran once a process" "$(ls "$TMP/lock$start-$mpi"-* | wc -l)" 4
		is "$mpi: a library's constructor $start: calls" "$(calls)" "$own"
	done

	"${compile[@]}" -Dmain=plugin -shared -fPIC -o "libplugin-$mpi.so" "$src/program.c"
	both "$mpi: a plugin" "${launch[@]}" ./late "./libplugin-$mpi.so"
	is "$mpi: a plugin: calls" "$(calls)" "$own"
	is "$mpi: a plugin: messages" "$(sql run.db "$messages")" "6|4|4"
	both "$mpi: functions that are looked up" "${launch[@]}" ./late "$library" looked-up
	is "$mpi: functions that are looked up: calls" "$(calls)" "MPI_Finalize|2 MPI_Init|2 "

	# Calls in callbacks are no events, and take their places.
	"${compile[@]}" -o "callback-$mpi" "$src/callback.c"
	both "$mpi: callbacks" "${launch[@]}" "./callback-$mpi"
	is "$mpi: callbacks: the receives that took what was sent plainly are matched" \
		"$(sql run.db "SELECT group_concat(matched) FROM (SELECT m.id IS NOT NULL AS matched FROM event e
			JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id AND o.name = 'MPI_Recv'
			LEFT JOIN message m ON m.receive_event_id = e.id ORDER BY e.id)")" "0,1,1,1"
	is "$mpi: callbacks: each is waited for 100 ms" \
		"$(sql run.db "SELECT count(*), min(end_ns - start_ns) > 90000000 FROM wait WHERE kind = 'late sender'")" "3|1"
	is "$mpi: callbacks: barriers of both ranks belong together" \
		"$(sql run.db "SELECT seen, count(*) FROM collective c JOIN team t ON t.id = c.team_id
			WHERE t.name = 'MPI_COMM_WORLD' GROUP BY 1")" "1|1
2|4"

	if ! "${compile[@]}" -fsanitize=address -o "asan-$mpi" "$src/program.c" 2>/dev/null; then
		skip "$mpi: AddressSanitizer" "not here"
		return
	fi
	before=(env ASAN_OPTIONS=detect_leaks=0)
	both "$mpi: AddressSanitizer" "${launch[@]}" "./asan-$mpi"
	before=(env)
	is "$mpi: AddressSanitizer: calls" "$(calls)" "$own"
}

export LD_LIBRARY_PATH=$TMP${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cc -g -o late "$src/late.c"
each_mpi mpi_hello check

# --- processes without MPI ---
cc -g -o without "$src/without.c"
both "without MPI" ./without
is "without MPI there is none" "$(cat recorded)" "MPI is not initialized
MPI_Init not found, an error
PMPI_Send not found, an error
shmem_barrier_all not found, an error
puts found, no error
puts found, no error"
for defaults in "" -DASAN_DEFAULTS; do
	if cc -g -fsanitize=address $defaults -o asan "$src/without.c" 2>/dev/null; then
		both "without MPI, with AddressSanitizer $defaults" ./asan
		is "AddressSanitizer $defaults: it ran" "$(sed -n 1p recorded)" "MPI is not initialized"
	else
		skip "AddressSanitizer" "not here"
	fi
done

# --- OpenSHMEM ---
if oshcc -g -o shmem_tool "$src/shmem_tool.c" 2>/dev/null && [ -e "$O/libgaspdb-oshmem.so" ]; then
	both "OpenSHMEM: a tool in the program" oshrun -np 2 ./shmem_tool
	is "OpenSHMEM: a tool in the program: output" "$(cat recorded)" "tool: 2 barriers"
	is "OpenSHMEM: a tool in the program: calls, its own too" "$(calls)" \
		"shmem_barrier_all|8 shmem_finalize|2 shmem_init|2 shmem_int_p|4 "
else
	skip "OpenSHMEM" "not here"
fi
finish
