#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/programs/mpi_construct.c under Open MPI and under MPICH: every figure in the database is the construction's.
. "$(dirname "$0")/../lib.sh"

# Messages: communicator's kind, tag, sender and receiver (ranks), how many, bytes received.
cat >"$TMP/messages" <<'END'
world|11|0|1|3|300
world|12|0|1|1|110
world|13|0|1|1|120
world|14|0|1|1|130
world|15|1|0|1|0
dup|21|1|0|1|40
dup|22|2|0|1|80
dup|23|3|0|1|120
dup|31|1|2|1|70
dup|32|2|3|1|71
dup|33|3|0|1|72
dup|34|0|3|1|73
dup|35|1|0|2|30
world|41|0|1|5|250
world|42|0|1|2|120
world|43|0|1|2|122
world|51|2|3|1|1
world|52|2|3|1|2
world|53|2|3|1|3
world|54|2|3|1|4
world|60|1|0|1|60
world|61|1|0|1|61
world|62|1|0|1|62
world|63|1|0|1|63
world|64|1|0|1|64
world|65|1|0|1|65
world|66|1|0|1|66
world|67|1|0|1|67
world|68|1|0|1|68
world|69|1|0|1|69
world|80|1|0|80|3160
dup|91|0|2|1|34
dup|91|1|3|1|34
split|91|2|0|1|33
split|91|3|1|1|33
dup|92|0|1|1|200
world|92|0|1|1|100
inter|101|2|1|1|24
inter|102|3|0|1|25
merge|103|0|3|1|26
group|110|3|1|2|13
world|122|0|1|1|9
world|123|1|2|1|5
world|141|0|1|1|64
world|141|1|2|1|64
world|141|2|3|1|64
world|141|3|0|1|64
world|142|0|1|1|68
world|142|1|2|1|68
world|142|2|3|1|68
world|142|3|0|1|68
world|151|0|3|1|80
world|152|1|2|1|40
dup|170|0|1|10|70
dup|171|0|1|10|80
dup|180|0|1|2|5
END

# Calls by all ranks together, but for those whose number is the program's luck (Test*, Iprobe, Improbe, Waitsome,
# Request_get_status).
cat >"$TMP/calls" <<'END'
MPI_Allgather|4
MPI_Allgatherv|4
MPI_Allreduce|8
MPI_Alltoall|4
MPI_Alltoallv|4
MPI_Barrier|24
MPI_Bcast|8
MPI_Bsend|1
MPI_Buffer_attach|1
MPI_Buffer_detach|1
MPI_Cancel|1
MPI_Cart_create|4
MPI_Comm_create_group|4
MPI_Comm_dup|8
MPI_Comm_dup_with_info|4
MPI_Comm_free|36
MPI_Comm_idup|4
MPI_Comm_split|4
MPI_Exscan|4
MPI_Fetch_and_op|4
MPI_Finalize|4
MPI_Gather|4
MPI_Gatherv|4
MPI_Get|4
MPI_Iallreduce|4
MPI_Ibarrier|4
MPI_Ibcast|4
MPI_Imrecv|1
MPI_Init_thread|4
MPI_Intercomm_create|4
MPI_Intercomm_merge|4
MPI_Irecv|101
MPI_Isend|99
MPI_Mprobe|2
MPI_Mrecv|2
MPI_Neighbor_alltoall|4
MPI_Probe|1
MPI_Put|4
MPI_Recv|52
MPI_Recv_init|3
MPI_Reduce|4
MPI_Reduce_scatter|4
MPI_Reduce_scatter_block|4
MPI_Request_free|7
MPI_Rsend|1
MPI_Scan|4
MPI_Scatter|4
MPI_Scatterv|4
MPI_Send|54
MPI_Send_init|2
MPI_Sendrecv|8
MPI_Sendrecv_replace|4
MPI_Ssend|1
MPI_Ssend_init|1
MPI_Start|10
MPI_Startall|4
MPI_Wait|28
MPI_Waitall|16
MPI_Waitany|4
MPI_Win_create|4
MPI_Win_fence|8
MPI_Win_free|4
MPI_Win_lock|4
MPI_Win_unlock|4
END

# Collectives that move data: bytes sent and received by all ranks together.
cat >"$TMP/volumes" <<'END'
MPI_Allgather|16|64
MPI_Allgatherv|40|160
MPI_Allreduce|128|128
MPI_Alltoall|128|128
MPI_Alltoallv|64|64
MPI_Bcast|80|200
MPI_Exscan|16|12
MPI_Gather|48|48
MPI_Gatherv|40|40
MPI_Iallreduce|80|80
MPI_Ibcast|100|300
MPI_Neighbor_alltoall|96|96
MPI_Reduce|64|16
MPI_Reduce_scatter|160|40
MPI_Reduce_scatter_block|128|32
MPI_Scan|16|16
MPI_Scatter|32|32
MPI_Scatterv|40|40
END

# Communicators: kind, parent's kind, members' ranks in order.
cat >"$TMP/teams" <<'END'
cartesian|dup|0 1 2 3
dup|inter|2 0 3 1
dup|split|2 0
dup|split|3 1
dup|world|0 1 2 3
dup|world|0 1 2 3
group|world|3 1
group|world|3 1
inter|world|2 0 3 1
merge|inter|2 0 3 1
self||0
self||1
self||2
self||3
split|world|2 0
split|world|3 1
window|world|0 1 2 3
world||0 1 2 3
END

messages="SELECT t.kind, m.tag, s.rank, r.rank, count(*), sum(m.bytes) FROM message m JOIN team t ON t.id = m.team_id
	JOIN thread s ON s.id = m.sender JOIN thread r ON r.id = m.receiver GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4, 1"
calls="SELECT o.name, sum(p.calls) FROM profile p JOIN source s ON s.id = p.source_id JOIN operation o ON o.id = s.operation_id
	WHERE o.type NOT IN ('test', 'probe_nb') AND o.name <> 'MPI_Waitsome' GROUP BY 1 ORDER BY 1"
volumes="SELECT o.name, sum(e.bytes), sum(a.value) FROM event e JOIN source s ON s.id = e.source_id
	JOIN operation o ON o.id = s.operation_id JOIN event_arg a ON a.id >> 6 = e.id
	JOIN argument n ON n.id = a.argument_id AND n.name = 'bytes_received'
	WHERE o.type <> 'send_receive' GROUP BY 1 ORDER BY 1"
teams="SELECT t.kind, p.kind, (SELECT group_concat(rank, ' ') FROM (SELECT h.rank FROM team_member m
	JOIN thread h ON h.id = m.thread_id WHERE m.team_id = t.id ORDER BY m.rank)) AS members
	FROM team t LEFT JOIN team p ON p.id = t.parent_id ORDER BY 1, 2, 3"
# A p2p row with what it needs for the questions below.
p2p="(SELECT p.*, h.rank, q.rank AS peer_rank, o.name AS post, c.name AS completion FROM p2p p JOIN thread h ON h.id = p.thread_id
	LEFT JOIN thread q ON q.id = p.peer
	JOIN event e ON e.id = p.post_event_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	LEFT JOIN event f ON f.id = p.complete_event_id LEFT JOIN source g ON g.id = f.source_id
	LEFT JOIN operation c ON c.id = g.operation_id)"

# check MPI LAUNCHER...
check() {
	local mpi=$1 db=$TMP/$1.db
	shift
	timeout 120 "$gaspdb" record -o "$TMP/$mpi" -- "$@" "$O/programs/$mpi/mpi_construct" >"$TMP/out" 2>&1
	is "$mpi: record exits as the program does" $? 0
	"$gaspdb" import "$TMP/$mpi" -o "$db" 2>"$TMP/err"
	is "$mpi: import exits 0" $? 0

	is "$mpi: threads: ranks 0 and 1 have two" \
		"$(sql "$db" "SELECT rank, number, complete FROM thread ORDER BY id" | tr '\n' ' ')" \
		"0|0|1 0|1|1 1|0|1 1|1|1 2|0|1 3|0|1 "
	is "$mpi: messages" "$(sql "$db" "$messages")" "$(cat "$TMP/messages")"
	is "$mpi: calls" "$(sql "$db" "$calls")" "$(cat "$TMP/calls")"
	is "$mpi: bytes of collectives" "$(sql "$db" "$volumes")" "$(cat "$TMP/volumes")"
	is "$mpi: communicators and their members" "$(sql "$db" "$teams")" "$(cat "$TMP/teams")"

	is "$mpi: each message's receive is of its send's size, but for the truncated one" \
		"$(sql "$db" "SELECT m.tag, s.bytes, r.bytes, r.error > 0 FROM message m JOIN p2p s ON s.post_event_id = m.send_event_id
			AND s.direction = 'send' AND s.tag = m.tag JOIN p2p r ON r.complete_event_id = m.receive_event_id
			AND r.post_event_id = m.post_event_id AND r.direction = 'receive' AND r.tag = m.tag
			WHERE s.bytes <> r.bytes")" "152|100|40|1"
	is "$mpi: what Mprobe took first was sent first, whatever was received first" \
		"$(sql "$db" "SELECT bytes, post, completion FROM $p2p WHERE tag = 35 AND direction = 'receive' ORDER BY posted_ns")" \
		"$(printf '10|MPI_Mprobe|MPI_Mrecv\n20|MPI_Recv|MPI_Recv')"
	is "$mpi: Improbe is where its Imrecv was posted" \
		"$(sql "$db" "SELECT post, completion, bytes FROM $p2p WHERE tag = 34 AND direction = 'receive'")" \
		"MPI_Improbe|MPI_Wait|73"
	is "$mpi: wildcards are resolved" \
		"$(sql "$db" "SELECT group_concat(peer_rank, ' ') FROM (SELECT * FROM $p2p WHERE direction = 'receive'
			AND tag BETWEEN 20 AND 29 AND posted_peer IS NULL AND posted_tag IS NULL ORDER BY peer_rank)")" "1 2 3"
	is "$mpi: persistent requests are started as often as the program does" \
		"$(sql "$db" "SELECT direction, tag, group_concat(number, ' ') FROM (SELECT * FROM p2p WHERE tag BETWEEN 41 AND 43
			ORDER BY id) GROUP BY 1, 2")" \
		"$(printf 'receive|41|1 2 3 4 5\nreceive|42|1 2\nreceive|43|1 2\nsend|41|1 2 3 4 5\nsend|42|1 2\nsend|43|1 2')"
	is "$mpi: no request is completed twice, none is forgotten" \
		"$(sql "$db" "SELECT direction, state, count(*) FROM p2p GROUP BY 1, 2 ORDER BY 1, 2")" \
		"$(printf 'receive|cancelled|1\nreceive|complete|164\nreceive|null|12\nsend|complete|164\nsend|freed|1\nsend|null|12')"
	is "$mpi: small sends with one handle each complete in their Waitall" \
		"$(sql "$db" "SELECT count(*), count(DISTINCT request), count(DISTINCT complete_event_id), min(completion) FROM $p2p
			WHERE tag BETWEEN 51 AND 54 GROUP BY direction")" "$(printf '4|4|1|MPI_Waitall\n4|4|1|MPI_Waitall')"
	is "$mpi: a request seen complete by Request_get_status completes there" \
		"$(sql "$db" "SELECT post, completion FROM $p2p WHERE tag = 122 AND direction = 'receive'")" \
		"MPI_Irecv|MPI_Request_get_status"
	is "$mpi: sends of the same tag on two communicators are kept apart" \
		"$(sql "$db" "SELECT t.kind, m.bytes FROM message m JOIN team t ON t.id = m.team_id WHERE tag = 92 ORDER BY received_ns")" \
		"$(printf 'dup|200\nworld|100')"

	is "$mpi: every collective has all its members" \
		"$(sql "$db" "SELECT count(*) FROM collective WHERE seen <> expected")" 0
	is "$mpi: collectives of each kind of communicator" \
		"$(sql "$db" "SELECT t.kind, count(*) FROM collective c JOIN team t ON t.id = c.team_id GROUP BY 1 ORDER BY 1" |
			tr '\n' ' ')" "cartesian|1 dup|23 inter|4 merge|1 split|4 window|3 world|6 "
	is "$mpi: in an intercommunicator, and a duplicate of it, each waits for the other group" \
		"$(sql "$db" "SELECT t.kind, c.rule FROM collective c JOIN team t ON t.id = c.team_id
			WHERE inter AND operation_id IN (SELECT id FROM operation WHERE type = 'barrier') ORDER BY 1" | tr '\n' ' ')" \
		"dup|groups inter|groups "
	is "$mpi: what passed while recording was off" \
		"$(sql "$db" "SELECT h.rank, q.rank, tag, sends, receives FROM passed p JOIN thread h ON h.id = p.thread_id
			JOIN thread q ON q.id = p.peer ORDER BY 1")" "$(printf '0|1|180|3|0\n1|0|180|0|3')"
	is "$mpi: the barrier after it has the number it would have had" \
		"$(sql "$db" "SELECT max(sequence) FROM collective WHERE team_id = (SELECT team_id FROM p2p WHERE tag = 180)")" 2
	is "$mpi: one-sided accesses" \
		"$(sql "$db" "SELECT o.name, h.rank, q.rank, e.bytes FROM event e JOIN source s ON s.id = e.source_id
			JOIN operation o ON o.id = s.operation_id JOIN thread h ON h.id = e.thread_id JOIN thread q ON q.id = e.peer
			WHERE o.name IN ('MPI_Put', 'MPI_Get', 'MPI_Fetch_and_op') ORDER BY 1, 2" | tr '\n' ' ')" \
		"$(printf '%s ' 'MPI_Fetch_and_op|0|0|8' 'MPI_Fetch_and_op|1|0|8' 'MPI_Fetch_and_op|2|0|8' 'MPI_Fetch_and_op|3|0|8' \
			'MPI_Get|0|3|16' 'MPI_Get|1|0|16' 'MPI_Get|2|1|16' 'MPI_Get|3|2|16' \
			'MPI_Put|0|1|8' 'MPI_Put|1|2|8' 'MPI_Put|2|3|8' 'MPI_Put|3|0|8')"

	# While it is off ranks 0 and 1 have three messages and all a barrier: starts and ends of four calls, of one.
	is "$mpi: what is odd about the program, and nothing else" \
		"$(sql "$db" "SELECT kind, rank, sum(count), bytes FROM quality JOIN thread h ON h.id = thread_id GROUP BY 1, 2 ORDER BY 1")" \
		"$(printf 'cancelled|3|1|8\nrecording off|0|8|\nrecording off|1|8|\nrecording off|2|2|\nrecording off|3|2|\nrequest never completed|1|1|5\nunmatched send|2|1|8')"
	is "$mpi: every event has a line of the program" \
		"$(sql "$db" "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
			WHERE s.file IS NULL OR s.file NOT LIKE '%mpi_construct.c' OR s.line IS NULL")" 0
	is "$mpi: events are properly nested" \
		"$(sql "$db" "SELECT count(*) FROM event e JOIN event p ON p.id = e.parent_id WHERE e.start_ns < p.start_ns
			OR e.start_ns + e.duration_ns > p.start_ns + p.duration_ns OR e.thread_id <> p.thread_id")" 0
	is "$mpi: categories sum up to each thread's time" \
		"$(sql "$db" "SELECT count(*) FROM thread h WHERE last_ns - first_ns <>
			(SELECT sum(time_ns) FROM category_time c WHERE c.thread_id = h.id)")" 0
}

. "$TOP/examples/env.sh"
each_mpi mpi_construct check -np 4
invariants
finish
