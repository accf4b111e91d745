#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Processes that MPI_Comm_spawn starts are ranks of the run: their messages with their parents are matched, their waits found.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# worlds NAME: thread, rank, world and rank in it of spawned processes
worlds() {
	sql "$TMP/$1.db" "SELECT t.id, t.rank, w.value, r.value FROM thread t JOIN thread_meta w ON w.thread_id = t.id AND w.key = 'world'
		JOIN thread_meta r ON r.thread_id = t.id AND r.key = 'world_rank' ORDER BY 1"
}

# messages NAME: bytes, sender, receiver, kind of communicator
messages() {
	sql "$TMP/$1.db" "SELECT m.bytes, s.thread_id, r.thread_id, t.kind FROM message m JOIN event s ON s.id = m.send_event_id
		JOIN event r ON r.id = m.receive_event_id JOIN team t ON t.id = m.team_id ORDER BY 1, 2, 3"
}

# barrier NAME: for whom rank 0 waited longest in a barrier, and seconds
barrier() {
	sql "$TMP/$1.db" "SELECT cause_thread_id || ' ' || ((end_ns - start_ns) / 1e9) FROM wait
		WHERE thread_id = 0 AND kind = 'barrier' ORDER BY end_ns - start_ns DESC LIMIT 1"
}

# run MPI LAUNCHER WHAT: recorded and imported as WHAT
run() {
	record "$3" "$2" -np 2 "$O/programs/$1/mpi_spawn" "$3"
	is "$3: nothing is amiss" "$(sql "$TMP/$3.db" "SELECT DISTINCT kind, detail FROM quality WHERE severity <> 'note'")" ""
	is "$3: all is matched" "$(sql "$TMP/$3.db" "SELECT sum(unmatched + to_nobody + unknown) FROM analysis_matching")" 0
}

late() {
	run "$@" late
	is "late: children are ranks 2 and 3" "$(worlds late)" $'2|2|1|0\n3|3|1|1'
	is "late: the message between the worlds" "$(messages late)" "8|3|0|spawn"
	agrees "late: parent 0 waits for child 1" "$(measured late late-child)" \
		"$(found late "late sender" "mpi_spawn.c:$(line_of mpi_spawn "late child")")"
	agrees "late: parent 0 waits for child 0 in the merged communicator's barrier" "$(measured late child-barrier)" "$(barrier late)"
	is "late: that barrier is one of four" "$(sql "$TMP/late.db" "SELECT DISTINCT c.expected, c.seen FROM collective c
		JOIN team t ON t.id = c.team_id WHERE t.kind = 'merge' AND c.wait_ns > 1200000000")" "4|4"
	is "late: each world has its communicator" "$(sql "$TMP/late.db" "SELECT m.team_id, group_concat(m.thread_id) FROM team_member m
		JOIN team t ON t.id = m.team_id WHERE t.kind = 'world' GROUP BY 1 ORDER BY 2")" \
		"$(sql "$TMP/late.db" "SELECT id, iif(row_number() OVER (ORDER BY id) = 1, '0,1', '2,3') FROM team WHERE kind = 'world' ORDER BY 1")"
	like "late: the report names them" "$(cat "$TMP/late.report")" "^  spawned +world 1: ranks 2 to 3$"
	like "late: so does info" "$("$gaspdb" info "$TMP/late.db")" "^spawned +world 1: ranks 2 to 3$"
}

apart() {
	local first
	run "$@" apart
	# Which world is the first depends on who is first.
	first=$(sql "$TMP/apart.db" "SELECT count(*) FROM thread_meta WHERE key = 'world' AND value = '1'")
	is "apart: two worlds at a time" "$(worlds apart | cut -d'|' -f2-)" \
		"$([ "$first" = 1 ] && printf '2|1|0\n3|2|0\n4|2|1' || printf '2|1|0\n3|1|1\n4|2|0')"
	is "apart: each child has its own parent's message" "$(messages apart)" \
		"$([ "$first" = 1 ] && printf '10|0|2|spawn\n20|1|3|spawn\n20|1|4|spawn' || printf '10|0|4|spawn\n20|1|2|spawn\n20|1|3|spawn')"
}

others() {
	run "$@" multiple
	is "multiple: one world of two commands" "$(worlds multiple)" $'2|2|1|0\n3|3|1|1\n4|4|1|2'
	is "multiple: the ring in the merged communicator" "$(sql "$TMP/multiple.db" "SELECT count(*), count(DISTINCT s.thread_id),
		count(DISTINCT r.thread_id), min(m.bytes), max(t.kind), max(t.size) FROM message m JOIN event s ON s.id = m.send_event_id
		JOIN event r ON r.id = m.receive_event_id JOIN team t ON t.id = m.team_id")" "5|5|5|7|merge|5"
	is "multiple: the last parent sends to the first child" "$(sql "$TMP/multiple.db" "SELECT r.thread_id FROM message m
		JOIN event s ON s.id = m.send_event_id JOIN event r ON r.id = m.receive_event_id WHERE s.thread_id = 1")" 2

	run "$@" nested
	is "nested: a child's child" "$(worlds nested)" $'2|2|1|0\n3|3|2|0'
	is "nested: messages" "$(messages nested)" $'20|0|2|spawn\n30|2|3|spawn'

	run "$@" again
	is "again: three worlds" "$(worlds again)" $'2|2|1|0\n3|3|2|0\n4|4|3|0'
	is "again: messages" "$(messages again)" $'40|0|2|spawn\n40|0|3|spawn\n40|0|4|spawn'

	run "$@" connect
	is "connect: messages" "$(messages connect)" "60|1|0|inter"
	is "connect: the calls" "$(sql "$TMP/connect.db" "SELECT e.thread_id, o.name FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.name IN ('MPI_Comm_accept', 'MPI_Comm_connect') ORDER BY 1")" \
		$'0|MPI_Comm_accept\n1|MPI_Comm_connect'
}

# Linked with the adapter, without record: one directory; where the worlds' file cannot be, ranks are not known.
linked() {
	local mpi=$1 launcher=$2
	"mpicc.$mpi" -o "$TMP/linked" "$TOP/tests/programs/mpi_spawn.c" -L"$O" "-lgaspdb-$mpi" -Wl,-rpath,"$(realpath "$O")" || return
	mkdir "$TMP/cwd"
	(cd "$TMP/cwd" && timeout 60 "$launcher" -np 2 "$TMP/linked" again >/dev/null 2>&1)
	is "linked: it runs" $? 0
	is "linked: all logs are in one directory" "$(cd "$TMP/cwd" && ls -d -- */ | wc -l)" 1
	"$gaspdb" import "$TMP/cwd"/*/ -o "$TMP/linked.db" 2>/dev/null
	is "linked: messages" "$(messages linked)" $'40|0|2|spawn\n40|0|3|spawn\n40|0|4|spawn'

	mkdir -p "$TMP/unknown/worlds.txt"
	GASPDB_DIR=$TMP/unknown timeout 60 "$launcher" -np 2 "$TMP/linked" late >/dev/null 2>&1
	is "unknown: it runs" $? 0
	"$gaspdb" import "$TMP/unknown" -o "$TMP/unknown.db" 2>/dev/null
	is "unknown: the children's calls are there, without ranks" "$(sql "$TMP/unknown.db" "SELECT count(*), count(h.rank) FROM thread h
		JOIN event e ON e.thread_id = h.id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		WHERE o.name = 'MPI_Send'")" "1|0"
	is "unknown: to whom is sent is not known" \
		"$(sql "$TMP/unknown.db" "SELECT direction, operations, matched, unknown FROM analysis_matching")" $'send|1|0|1\nreceive|1|0|1'
	like "unknown: the report says so" \
		"$(sql "$TMP/unknown.db" "SELECT detail FROM quality WHERE kind = 'calls not seen'")" "MPI_Comm_spawn"
}

spawns() {
	if ! timeout 60 "$2" -np 2 "$O/programs/$1/mpi_spawn" again >/dev/null 2>&1; then
		skip "$1: MPI_Comm_spawn" "it fails without us too"
		return
	fi
	late "$@"
	apart "$@"
	others "$@"
	linked "$@"
}
each_mpi mpi_spawn spawns
invariants
finish
