#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several models in one thread: MPI, OpenSHMEM, functions and user events (functions/models.c) are in one log, each with its operations.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1
command -v oshcc >/dev/null && [ -e "$O/libgaspdb-oshmem.so" ] || { skip "MPI with OpenSHMEM" "not here"; finish; exit; }

"$O/gaspcc" --inst-functions oshcc -O1 -o program "$TOP/tests/programs/functions/models.c" 2>err
is "it compiles" $? 0
timeout 100 "$gaspdb" record -o run -- oshrun -np 2 ./program >out 2>err
is "the program succeeds" $? 0
imports run -o run.db 2>err
is "import succeeds" $? 0
is "two threads" "$(sql run.db "SELECT count(*), count(DISTINCT rank) FROM thread")" "2|2"
is "each thread's models, that of its rank first" "$(sql run.db "SELECT DISTINCT model FROM thread")" "MPI+OpenSHMEM"
is "the words for members are the first's" "$(sql run.db "SELECT process FROM run_word")" rank
is "analyses, views and exports have them" "$("$gaspdb" analyze threads --format=csv run.db | cut -d, -f4 | tr '\n' ' ')$(sql run.db "SELECT DISTINCT model FROM threads")" \
	"model MPI+OpenSHMEM MPI+OpenSHMEM MPI+OpenSHMEM"
is "each thread's calls, by model" "$(sql run.db "SELECT e.thread_id, o.model, coalesce(iif(o.type = 'function', s.function, NULL), o.name), count(*)
	FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	WHERE o.name NOT LIKE 'shmem_f%' AND e.nested = 0 GROUP BY 1, 2, 3" | sort)" "$(for t in 0 1; do
	printf "$t|%s\n" '|round|5' 'C|main|1' 'C|put|5' 'C|sum|5' 'MPI|MPI_Allreduce|5' 'MPI|MPI_Init|1' \
		'OpenSHMEM|shmem_barrier_all|6' 'OpenSHMEM|shmem_init|1' 'OpenSHMEM|shmem_long_p|5' 'OpenSHMEM|shmem_malloc|1'; done | sort)"
is "a call is in its function, and that in the phase" "$(sql run.db "SELECT o.operation, f.function, p.operation, c.calls FROM callpath c
	JOIN place o ON o.source_id = c.source_id JOIN callpath g ON g.id = c.parent_id JOIN place f ON f.source_id = g.source_id
	JOIN callpath u ON u.id = g.parent_id JOIN place p ON p.source_id = u.source_id
	WHERE o.operation IN ('MPI_Allreduce', 'shmem_long_p') ORDER BY 1")" $'MPI_Allreduce|sum|round|10\nshmem_long_p|put|round|10'
is "collectives of both have their members" "$(sql run.db "SELECT p.operation, sum(c.instances), sum(c.members) FROM collective_total c
	JOIN place p USING(source_id) WHERE p.operation IN ('MPI_Allreduce', 'shmem_barrier_all') GROUP BY 1")" \
	$'MPI_Allreduce|5|10\nshmem_barrier_all|6|12'
like "the report names both" "$("$gaspdb" report run.db)" "2 (ranks|PEs), MPI, OpenSHMEM \(Open MPI"
finish
