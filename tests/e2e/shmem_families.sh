#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every family of OpenSHMEM calls: the database holds what tests/programs/shmem_families.c says on each line.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shmem.sh"

record families
is "the program's own checks pass" "$? $(cat "$TMP/out" "$TMP/err")" "0 "
import families
is "import succeeds" $? 0
db=$TMP/families.db
expected families >"$TMP/want"
ok "600 calls are expected" [ "$(wc -l <"$TMP/want")" -ge 600 ]
same "each call has its line, name, type, bytes, peer, object and arguments" families

is "four PEs, each log whole" "$(sql "$db" "SELECT count(*), min(complete), max(model) FROM thread")" "4|1|OpenSHMEM"
is "the runtime and its thread level" \
	"$(sql "$db" "SELECT DISTINCT value FROM thread_meta WHERE key = 'thread_level'")" single
is "types" "$(sql "$db" "SELECT group_concat(DISTINCT type) FROM (SELECT type FROM operation ORDER BY type)")" \
	"all_to_all,atomic,atomic_fetch,barrier,broadcast,context,fence,finalize,get,get_nb,init,lock,lock_attempt,put,put_nb,quiet,shared_alloc,shared_free,unlock,wait_test,wait_until"
is "teams: the world, and the active sets" "$(sql "$db" "SELECT kind, size, (SELECT kind FROM team p WHERE p.id = t.parent_id),
	(SELECT group_concat(rank) FROM (SELECT h.rank AS rank FROM team_member m JOIN thread h ON h.id = m.thread_id
	 WHERE m.team_id = t.id ORDER BY m.rank)) FROM team t ORDER BY kind DESC, size, 4")" \
"world|4||0,1,2,3
active set|1|world|0
active set|1|world|1
active set|1|world|2
active set|1|world|3
active set|2|world|0,2
active set|2|world|2,3"
is "segments: the heap and the program's static data" \
	"$(sql "$db" "SELECT kind, name FROM segment ORDER BY kind")" "heap|heap
module|shmem_families"
ok "the heap is as large as it was asked for" [ "$(sql "$db" "SELECT bytes FROM segment WHERE kind = 'heap'")" -ge $((256 << 20)) ]
is "allocations say where" "$(sql "$db" "SELECT count(*) FROM event_arg v JOIN argument a ON a.id = v.argument_id
	WHERE a.name = 'address' AND v.value > 0")" $(($(grep -cE '_(MALLOC|REALLOC|FREE)\|' "$TMP/want")))
is "nothing is damaged" "$(sql "$db" "SELECT DISTINCT kind FROM quality WHERE severity <> 'note'")" ""
is "all events lie within their run" "$(sql "$db" "SELECT count(*) FROM event WHERE open OR duration_ns < 0 OR start_ns < 0")" 0
invariants
finish
