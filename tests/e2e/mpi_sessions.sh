#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs with sessions of MPI 4, with MPI_Init and without, are recorded as others are.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# calls NAME RANK: the names of its calls, in order
calls() {
	sql "$TMP/$1.db" "SELECT o.name FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		JOIN thread h ON h.id = e.thread_id WHERE h.rank = $2 ORDER BY e.id" | sed 's/^MPI_//' | paste -sd' '
}

# messages NAME: bytes, sender, receiver, communicator
messages() {
	sql "$TMP/$1.db" "SELECT m.bytes, s.thread_id, r.thread_id, t.name FROM message m JOIN event s ON s.id = m.send_event_id
		JOIN event r ON r.id = m.receive_event_id JOIN team t ON t.id = m.team_id ORDER BY 1, 2"
}

# barrier NAME: for whom rank 0 waited longest in a barrier, and seconds
barrier() {
	sql "$TMP/$1.db" "SELECT cause_thread_id || ' ' || ((end_ns - start_ns) / 1e9) FROM wait
		WHERE thread_id = 0 AND kind = 'barrier' ORDER BY end_ns - start_ns DESC LIMIT 1"
}

# run MPI LAUNCHER WHAT
run() {
	record "$3" "$2" -np 3 "$O/programs/$1/mpi_sessions" "$3"
	is "$3: nothing is amiss" "$(sql "$TMP/$3.db" "SELECT DISTINCT kind, detail FROM quality WHERE severity <> 'note'")" ""
	is "$3: three ranks, whole logs" "$(sql "$TMP/$3.db" "SELECT rank, complete, model FROM thread ORDER BY id")" \
		$'0|1|MPI\n1|1|MPI\n2|1|MPI'
}

sessions() {
	if timeout 60 "$2" -np 1 "$O/programs/$1/mpi_sessions" self >/dev/null 2>&1; [ $? -eq 77 ]; then
		skip "$1: sessions" "it has none"
		return
	fi
	run "$@" alone
	is "alone: the calls" "$(calls alone 1)" \
		"Session_init Comm_create_from_group Comm_set_name Barrier Allreduce Barrier Comm_free Session_finalize"
	is "alone: communicators" "$(sql "$TMP/alone.db" "SELECT t.kind, t.name, t.size, p.name FROM team t
		LEFT JOIN team p ON p.id = t.parent_id ORDER BY t.id")" $'world|mpi://WORLD|3|\ngroup|all|3|mpi://WORLD'
	is "alone: the message" "$(messages alone)" "8|2|0|all"
	agrees "alone: rank 0 waits for the late sender" "$(measured alone late-sender)" \
		"$(found alone "late sender" "mpi_sessions.c:$(line_of mpi_sessions "late sender")")"
	agrees "alone: rank 0 waits for rank 1 in the barrier" "$(measured alone late-barrier)" "$(barrier alone)"
	is "alone: collectives have all members" "$(sql "$TMP/alone.db" "SELECT o.name, count(*), min(n), max(n) FROM
		(SELECT m.collective_id, min(m.event_id) AS e, count(*) AS n FROM collective_member m GROUP BY 1) c JOIN event e ON e.id = c.e
		JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id GROUP BY 1 ORDER BY 1")" \
		$'MPI_Allreduce|1|3|3\nMPI_Barrier|2|3|3\nMPI_Session_finalize|1|3|3'
	is "alone: start and end of MPI" "$(sql "$TMP/alone.db" "SELECT key, count(*) FROM thread_meta
		WHERE key IN ('init_ns', 'finalize_ns', 'thread_level') GROUP BY 1 ORDER BY 1")" $'finalize_ns|3\ninit_ns|3\nthread_level|3'

	run "$@" self
	is "self: ranks are the launcher's, messages each one's own" "$(messages self)" $'9|0|0|own\n9|1|1|own\n9|2|2|own'
	is "self: three communicators of one" "$(sql "$TMP/self.db" "SELECT size, count(*) FROM team WHERE name = 'own' GROUP BY 1")" "1|3"

	run "$@" several
	is "several: messages" "$(messages several)" $'10|0|1|round 1\n20|0|1|round 2\n30|0|1|round 3'
	is "several: the calls" "$(calls several 2)" "Session_init $(for i in 1 2 3; do
		echo "Session_init Comm_create_from_group Comm_set_name Comm_free Session_finalize"; done | paste -sd' ') Session_finalize"
	is "several: one of the ends is MPI's" "$(sql "$TMP/several.db" "SELECT o.type, count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.name = 'MPI_Session_finalize' GROUP BY 1 ORDER BY 1")" $'finalize|3\nother|9'

	run "$@" both
	is "both: messages" "$(messages both)" $'4|0|1|MPI_COMM_WORLD\n5|0|1|the session\'s'
	is "both: the calls" "$(calls both 2)" \
		"Init Session_init Comm_create_from_group Comm_set_name Comm_free Session_finalize Finalize"

	run "$@" after
	is "after: messages" "$(messages after)" $'4|0|1|MPI_COMM_WORLD\n5|0|1|the session\'s'
	is "after: the calls" "$(calls after 2)" \
		"Init Session_init Comm_create_from_group Comm_set_name Comm_free Finalize Session_finalize"
}
each_mpi mpi_sessions sessions
invariants
finish
