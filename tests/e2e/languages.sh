#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One program in five languages (mpi_languages.*), and programs of two (mixed_main.F90, mixed_library.c): the same rows but for the
# places, which are the language's own.  mpi4py is built for one MPI alone, Debian's for Open MPI.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
programs=$TOP/tests/programs
cd "$TMP" || exit 1

# What the calls leave, by the program: ranks, the mark in the source, the call, bytes, the peer, arguments, in their order.  x/y/z:
# of rank 0, 1, 2.  sequence=#: counted on the team, that of a window with its number.  Of the call skip nothing is recorded.
cat >events <<'END'
012 init MPI_Init - -
012 split MPI_Comm_split - - team=world sequence=# created=even/odd/even
012 name MPI_Comm_set_name - - team=even/odd/even
0 send MPI_Send 20 1 tag=11 team=world
0 probed MPI_Send 28 1 tag=17 team=world
0 matched MPI_Send 4 1 tag=18 team=world
1 recv MPI_Recv 20 0 posted_peer=0 posted_tag=11 limit=32 team=world tag=11 error=0
1 probe MPI_Probe - 0 posted_peer=-1 posted_tag=17 team=world tag=17
1 recv-probed MPI_Recv 28 0 posted_peer=0 posted_tag=17 limit=32 team=world tag=17 error=0
1 mprobe MPI_Mprobe - 0 posted_peer=0 posted_tag=-1 team=world tag=18
1 mrecv MPI_Mrecv 4 0 posted_peer=0 posted_tag=-1 limit=32 team=world tag=18 error=0
1 ssend MPI_Ssend 12 2 tag=12 team=world
2 wild MPI_Recv 12 1 posted_peer=-1 posted_tag=-1 limit=32 team=world tag=12 error=0
012 sendrecv MPI_Sendrecv 8 1/2/0 tag=15 posted_peer=2/0/1 posted_tag=15 limit=32 team=world receive_peer=2/0/1 receive_tag=15 bytes_received=8 error=0
012 replace MPI_Sendrecv_replace 24 1/2/0 tag=16 posted_peer=-1 posted_tag=16 limit=24 team=world receive_peer=2/0/1 receive_tag=16 bytes_received=24 error=0
012 null MPI_Send 0 - tag=20 team=world
012 irecv MPI_Irecv 16 2/0/1 posted_peer=2/0/1 posted_tag=-1 limit=32 team=world
012 isend MPI_Isend 16 1/2/0 tag=13 team=world
012 waitall MPI_Waitall 0 - requests=2
012 irecv-any MPI_Irecv 8 2/0/1 posted_peer=-1 posted_tag=14 limit=32 team=world
012 isend-2 MPI_Isend 8 1/2/0 tag=14 team=world
012 waitany MPI_Waitany 0 - requests=1
012 wait MPI_Wait 0 - requests=1
012 irecv-cancelled MPI_Irecv - - posted_peer=2/0/1 posted_tag=99 limit=4 team=world
012 cancel MPI_Cancel - -
012 wait-cancelled MPI_Wait 0 - requests=1
012 recv-init MPI_Recv_init - - posted_peer=2/0/1 posted_tag=19 limit=32 team=world
012 send-init MPI_Send_init - 1/2/0 tag=19 bytes=12 team=world
012 startall MPI_Startall 24 1/2/0 requests=2
012 wait-started MPI_Waitall 0 - requests=2
012 startall MPI_Startall 24 1/2/0 requests=2
012 wait-started MPI_Waitall 0 - requests=2
012 start-recv MPI_Start 12 - requests=1
012 start-send MPI_Start 12 1/2/0 requests=1
012 wait-recv MPI_Wait 0 - requests=1
012 wait-send MPI_Wait 0 - requests=1
012 free-recv MPI_Request_free - -
012 free-send MPI_Request_free - -
012 barrier MPI_Barrier - - team=world sequence=#
012 bcast MPI_Bcast 0/40/0 - team=world sequence=# root=1 bytes_received=40/0/40
012 reduce MPI_Reduce 12 - team=world sequence=# root=0 bytes_received=12/0/0
012 allreduce MPI_Allreduce 8 - team=world sequence=# bytes_received=8
012 gather MPI_Gather 8/8/0 - team=world sequence=# root=2 bytes_received=0/0/16
012 scatter MPI_Scatter 0/0/16 - team=world sequence=# root=2 bytes_received=8/8/0
012 allgather MPI_Allgather 4 - team=world sequence=# bytes_received=8
012 alltoall MPI_Alltoall 16 - team=world sequence=# bytes_received=16
012 reduce-scatter MPI_Reduce_scatter_block 24 - team=world sequence=# bytes_received=8
012 allgatherv MPI_Allgatherv 4/8/12 - team=world sequence=# bytes_received=24
012 alltoallv MPI_Alltoallv 24 - team=world sequence=# bytes_received=12/24/36
012 alltoallw MPI_Alltoallw 12 - team=world sequence=# bytes_received=12
012 scan MPI_Scan 4 - team=world sequence=# bytes_received=4
012 exscan MPI_Exscan 4 - team=world sequence=# bytes_received=0/4/4
012 allreduce-own MPI_Allreduce 8 - team=world sequence=# bytes_received=8
012 iallreduce MPI_Iallreduce 12 - team=world sequence=# bytes_received=12
012 wait-allreduce MPI_Wait 0 - requests=1
012 ibarrier MPI_Ibarrier - - team=world sequence=#
012 wait-barrier MPI_Wait 0 - requests=1
012 allreduce-part MPI_Allreduce 4 - team=even/odd/even sequence=# bytes_received=4
012 vector MPI_Sendrecv 24 1/2/0 tag=21 posted_peer=2/0/1 posted_tag=21 limit=32 team=world receive_peer=2/0/1 receive_tag=21 bytes_received=24 error=0
012 struct MPI_Sendrecv 12 1/2/0 tag=22 posted_peer=2/0/1 posted_tag=22 limit=24 team=world receive_peer=2/0/1 receive_tag=22 bytes_received=12 error=0
012 bottom MPI_Sendrecv 8 1/2/0 tag=23 posted_peer=2/0/1 posted_tag=23 limit=32 team=world receive_peer=2/0/1 receive_tag=23 bytes_received=8 error=0
012 cart MPI_Cart_create - - team=world sequence=# created=ring
012 name-cart MPI_Comm_set_name - - team=ring
012 neighbor MPI_Neighbor_allgather 4 - team=ring sequence=# bytes_received=8
012 free-cart MPI_Comm_free - - team=ring
012 dup MPI_Comm_dup - - team=even/odd/even sequence=# created=dup
012 free-dup MPI_Comm_free - - team=dup
012 win-create MPI_Win_create - - team=world sequence=# size=40 unit=4 window=1 created=window
012 fence-1 MPI_Win_fence - - window=1 assertion=0 completes=1 team=window sequence=#
012 put MPI_Put 12 1/2/0 window=1 displacement=1
012 fence-2 MPI_Win_fence - - window=1 assertion=0 completes=1 team=window sequence=#
012 get MPI_Get 8 2/0/1 window=1 displacement=0
012 fence-3 MPI_Win_fence - - window=1 assertion=0 completes=1 team=window sequence=#
012 accumulate MPI_Accumulate 4 1/2/0 window=1 displacement=5
012 fence-4 MPI_Win_fence - - window=1 assertion=0 completes=1 team=window sequence=#
012 post MPI_Win_post - - window=1 members=1 assertion=0 team=window first=2/0/1 stride=0 epoch=1
012 start MPI_Win_start - - window=1 members=1 assertion=0 team=window first=1/2/0 stride=0 epoch=1
012 put-started MPI_Put 4 1/2/0 window=1 displacement=4
012 complete MPI_Win_complete - - window=1 completes=1 team=window
012 win-wait MPI_Win_wait - - window=1 team=window
012 lock MPI_Win_lock - 1/2/0 window=1 exclusive=1 assertion=0 team=window
012 put-locked MPI_Put 4 1/2/0 window=1 displacement=6
012 flush MPI_Win_flush - 1/2/0 window=1 completes=1
012 unlock MPI_Win_unlock - 1/2/0 window=1 completes=1 team=window
012 lock-all MPI_Win_lock_all - - window=1 exclusive=0 assertion=0 team=window
012 fetch MPI_Fetch_and_op 4 1/2/0 window=1 displacement=7
012 rput MPI_Rput 8 1/2/0 window=1 displacement=8
012 wait-rput MPI_Wait 0 - requests=1
012 unlock-all MPI_Win_unlock_all - - window=1 completes=1 team=window
012 win-free MPI_Win_free - - window=1 team=window sequence=#
012 win-allocate MPI_Win_allocate - - team=world sequence=# size=16 unit=4 window=2 created=window
012 free-allocated MPI_Win_free - - window=2 team=window sequence=#
012 alloc-mem MPI_Alloc_mem 64 -
012 free-mem MPI_Free_mem - -
012 open MPI_File_open - - team=world sequence=# mode=9 created=data
012 view MPI_File_set_view - - team=data sequence=# offset=8
012 write-all MPI_File_write_at_all 20 - team=data sequence=# offset=8/28/48
012 sync MPI_File_sync - - team=data sequence=#
012 barrier-files MPI_Barrier - - team=world sequence=#
012 sync-2 MPI_File_sync - - team=data sequence=#
012 read MPI_File_read_at 8 - team=data offset=8/28/48 limit=8
012 iread MPI_File_iread_at 8 - team=data offset=20/40/60
012 wait-read MPI_Wait 0 - requests=1
012 close MPI_File_close - - team=data sequence=#
012 - skip - - team=world sequence=#
012 free-part MPI_Comm_free - - team=even/odd/even
012 end MPI_Finalize - - team=world sequence=#
END

# The messages of each rank: direction, the calls that post and complete it, peer, tag, bytes; posted peer and tag (-: any; sends: none)
# and size of the buffer; number of starts; state.
cat >messages <<'END'
0 send send send 1 11 20 - - - - complete
0 send probed probed 1 17 28 - - - - complete
0 send matched matched 1 18 4 - - - - complete
1 receive recv recv 0 11 20 0 11 32 - complete
1 receive recv-probed recv-probed 0 17 28 0 17 32 - complete
1 receive mprobe mrecv 0 18 4 0 - 32 - complete
1 send ssend ssend 2 12 12 - - - - complete
2 receive wild wild 1 12 12 - - 32 - complete
012 send sendrecv sendrecv 1/2/0 15 8 - - - - complete
012 receive sendrecv sendrecv 2/0/1 15 8 2/0/1 15 32 - complete
012 send replace replace 1/2/0 16 24 - - - - complete
012 receive replace replace 2/0/1 16 24 - 16 24 - complete
012 send null null - 20 0 - - - - null
012 receive irecv waitall 2/0/1 13 16 2/0/1 - 32 - complete
012 send isend waitall 1/2/0 13 16 - - - - complete
012 receive irecv-any waitany 2/0/1 14 8 - 14 32 - complete
012 send isend-2 wait 1/2/0 14 8 - - - - complete
012 receive irecv-cancelled wait-cancelled - - - 2/0/1 99 4 - cancelled
012 receive startall wait-started 2/0/1 19 12 2/0/1 19 32 1 complete
012 send startall wait-started 1/2/0 19 12 - - - 1 complete
012 receive startall wait-started 2/0/1 19 12 2/0/1 19 32 2 complete
012 send startall wait-started 1/2/0 19 12 - - - 2 complete
012 receive start-recv wait-recv 2/0/1 19 12 2/0/1 19 32 3 complete
012 send start-send wait-send 1/2/0 19 12 - - - 3 complete
012 send vector vector 1/2/0 21 24 - - - - complete
012 receive vector vector 2/0/1 21 24 2/0/1 21 32 - complete
012 send struct struct 1/2/0 22 12 - - - - complete
012 receive struct struct 2/0/1 22 12 2/0/1 22 24 - complete
012 send bottom bottom 1/2/0 23 8 - - - - complete
012 receive bottom bottom 2/0/1 23 8 2/0/1 23 32 - complete
END

# Other requests: the calls that post and complete them.
cat >requests <<'END'
012 iallreduce wait-allreduce
012 ibarrier wait-barrier
012 rput wait-rput
012 iread wait-read
END

# The planted delays of 60 ms: kind, call that waits, call of the late rank, the waiting ranks, the late rank.
cat >waits <<'END'
barrier barrier barrier 0 2
barrier barrier barrier 1 2
barrier fence-1 fence-1 0 1
barrier fence-1 fence-1 2 1
late sender recv send 1 0
END

# of_rank RANK TABLE: its rows
of_rank() {
	awk -v rank="$1" 'index($1, rank) {
		row = rank
		team = window = ""
		for (i = 2; i <= NF; i++) {
			name = match($i, /=/) ? substr($i, 1, RSTART) : ""
			value = substr($i, length(name) + 1)
			if (split(value, each, "/") == 3)
				value = each[rank + 1]
			if (name == "team=")
				team = value
			if (name == "window=")
				window = value
			if (value == "#")
				value = n[team window]++ + 0
			row = row " " name value
		}
		if ($3 != "skip")
			print row
	}' "$2"
}

# rows_of N TABLE: of ranks 0 to N - 1
rows_of() {
	local rank
	for ((rank = 0; rank < $1; rank++)); do
		of_rank $rank "$2"
	done
}

# marks FILE...: file, line and name of each call that a comment names
marks() {
	awk '/^[^A-Za-z]*: [a-z]/ && match($0, /: [a-z0-9-]+/) {
		file = FILENAME
		sub(/.*\//, "", file)
		print file ":" FNR + 1, substr($0, RSTART + 2, RLENGTH - 2) }' "$@"
}

# named N: replaces the places in the first N columns after the first by the marks in file names
named() {
	awk -v n="$1" 'NR == FNR { mark[$1] = $2; next }
		{ for (i = 2; i < 2 + n; i++) if ($i in mark) $i = mark[$i]
		print }' names -
}

place="CASE WHEN %s.function = 'Py_FinalizeEx' THEN 'end' ELSE replace(%s.file, rtrim(%s.file, replace(%s.file, '/', '')), '') || ':' || %s.line END"
of() { # TABLE: the place of a source
	printf %s "${place//%s/$1}"
}

events_in() {
	sqlite3 -batch -noheader -separator ' ' "$1" "SELECT t.rank, $(of s), o.name, coalesce(e.bytes, '-'),
		coalesce(q.rank, '-') || coalesce((SELECT group_concat(' ' || name || '=' || value, '') FROM (
			SELECT a.name, CASE WHEN a.name IN ('team', 'created') THEN (SELECT CASE m.name WHEN 'MPI_COMM_WORLD' THEN 'world'
				ELSE coalesce(m.name, m.kind) END FROM team m WHERE m.id = v.value) ELSE v.value END AS value
			FROM event_arg v JOIN argument a ON a.id = v.argument_id WHERE v.id BETWEEN e.id << 6 AND (e.id << 6) + 63
			AND a.name NOT IN ('base', 'address', 'message', 'request') ORDER BY v.id)), '')
		FROM event e JOIN thread t ON t.id = e.thread_id JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id LEFT JOIN thread q ON q.id = e.peer ORDER BY e.id" | named 1
}

messages_in() {
	sqlite3 -batch -noheader -separator ' ' "$1" "SELECT t.rank, $(of a), $(of b), p.direction, coalesce(q.rank, '-'),
		coalesce(p.tag, '-'), coalesce(p.bytes, '-'), coalesce(r.rank, '-'), coalesce(p.posted_tag, '-'),
		coalesce(p.limit_bytes, '-'), coalesce(p.number, '-'), p.state
		FROM p2p p JOIN thread t ON t.id = p.thread_id JOIN event e ON e.id = p.post_event_id
		JOIN source a ON a.id = e.source_id JOIN event c ON c.id = p.complete_event_id JOIN source b ON b.id = c.source_id
		LEFT JOIN thread q ON q.id = p.peer LEFT JOIN thread r ON r.id = p.posted_peer ORDER BY p.id" |
		named 2 | awk '{ direction = $4; $4 = $3; $3 = $2; $2 = direction; print }'
}

requests_in() {
	sqlite3 -batch -noheader -separator ' ' "$1" "SELECT t.rank, $(of a), $(of b) FROM collective_request r
		JOIN event e ON e.id = r.post_event_id JOIN thread t ON t.id = e.thread_id JOIN source a ON a.id = e.source_id
		JOIN event c ON c.id = r.complete_event_id JOIN source b ON b.id = c.source_id ORDER BY e.id" | named 2
}

# waits_in FILE: those of 25 ms and more, at the planted delays
waits_in() {
	sqlite3 -batch -noheader -separator ' ' "$1" "SELECT w.kind, $(of a), $(of b), w.thread_id, w.cause_thread_id FROM wait w
		JOIN event e ON e.id = w.event_id JOIN source a ON a.id = e.source_id JOIN event c ON c.id = w.cause_event_id
		JOIN source b ON b.id = c.source_id WHERE w.end_ns - w.start_ns > 25000000" | sed 's/late sender/late_sender/' |
		named 2 | sed 's/late_sender/late sender/' | grep -E ' (barrier|fence-1|recv) ' | LC_ALL=C sort
}

# run NAME N COMMAND...: recorded as N ranks, and imported to NAME.db
run() {
	local name=$1 n=$2
	rm -f data
	timeout 100 "$gaspdb" record -o "$name" -- "${@:3:1}" -np "$n" "${@:4}" >"$name.out" 2>&1
	is "$name: record exits as the program does" $? 0
	imports "$name" -o "$name.db" 2>"$name.import"
	is "$name: import exits 0" $? 0
}

# alike NAME INIT COMMAND...: the program, whose first call is INIT
alike() {
	local name=$1 init=$2
	run "$name" 3 "${@:3}" data
	is "$name: all calls, in order, each at its line" "$(events_in "$name.db")" "$(rows_of 3 events | sed "s/ MPI_Init / $init /")"
	is "$name: messages" "$(messages_in "$name.db")" "$(rows_of 3 messages)"
	is "$name: each is matched" "$(sql "$name.db" "SELECT count(*) FROM message WHERE receive_event_id IS NOT NULL")" \
		"$(rows_of 3 messages | grep -c ' receive .* complete$')"
	is "$name: requests of collectives, accesses and files" "$(requests_in "$name.db")" "$(rows_of 3 requests)"
	is "$name: all members are in each collective" "$(sql "$name.db" "SELECT count(*) FROM collective WHERE seen <> expected")" 0
	is "$name: waits for late ranks" "$(waits_in "$name.db")" "$(cat waits)"
}

launcher() {
	[ "$1" = mpich ] && echo mpiexec.hydra || echo mpirun.openmpi
}

# A call that ends its procedure would otherwise be a jump, and its place that of the procedure's caller.
options=(-g -O1 -fno-optimize-sibling-calls -w)
for mpi in openmpi mpich; do
	if [ ! -x "$O/programs/$mpi/mpi_languages" ]; then
		skip "$mpi" "not here"
		continue
	fi
	marks "$programs/mpi_languages.c" >names
	alike "${mpi}_c" MPI_Init "$(launcher $mpi)" "$O/programs/$mpi/mpi_languages"
	if ! command -v mpif90.$mpi >/dev/null; then
		skip "$mpi, Fortran" "no compiler wrapper of this name"
		continue
	fi
	for how in "mpif.h:-DMODULE=mpif_h -DMPIF_H -fallow-argument-mismatch" "mpi:-DMODULE=mpi -DPOINTER" \
		"mpi_f08:-DMODULE=mpi_f08 -DF08 -DPOINTER"; do
		marks "$programs/mpi_languages.F90" >names
		read -ra defined <<<"${how#*:}"
		rm -f program
		mpif90.$mpi "${options[@]}" "${defined[@]}" -o program "$programs/mpi_languages.F90" 2>compile || cat compile
		alike "${mpi}_${how%%:*}" MPI_Init "$(launcher $mpi)" ./program
	done
done
python=/usr/bin/python3
# The MPI that its library needs.
needs=$($python -c 'import mpi4py; print(mpi4py.__path__[0])' 2>/dev/null | while read -r folder; do
	for so in "$folder"/MPI.*.so; do ldd "$so"; done
done | sed -n 's/.*libmpi\.so\..*/openmpi/p; s/.*libmpich\.so.*/mpich/p' | head -n 1)
for mpi in openmpi mpich; do
	if [ "$needs" = $mpi ]; then
		marks "$programs/mpi_languages.py" >names
		alike "${mpi}_mpi4py" MPI_Init_thread "$(launcher $mpi)" $python "$programs/mpi_languages.py"
	else
		skip "$mpi, mpi4py" "it is built for ${needs:-no MPI that is here}"
	fi
done

# Two ranks of two languages: the rows as above.
cat >mixed <<'END'
01 init MPI_Init - -
01 dup MPI_Comm_dup - - team=world sequence=# created=dup
01 split MPI_Comm_split - - team=dup sequence=# created=part
01 name MPI_Comm_set_name - - team=part
01 allreduce-part MPI_Allreduce 8 - team=part sequence=# bytes_received=8
01 allreduce MPI_Allreduce 4 - team=dup sequence=# bytes_received=4
0 send-init MPI_Send_init - 1 tag=5 bytes=12 team=part
1 recv-init MPI_Recv_init - - posted_peer=0 posted_tag=5 limit=12 team=part
0 start-c MPI_Start 12 1 requests=1
1 start-c MPI_Start 12 - requests=1
01 wait MPI_Wait 0 - requests=1
0 start MPI_Start 12 1 requests=1
1 start MPI_Start 12 - requests=1
01 wait-c MPI_Wait 0 - requests=1
01 free-request MPI_Request_free - -
0 irecv MPI_Irecv 8 1 posted_peer=1 posted_tag=6 limit=32 team=part
1 irecv MPI_Irecv 8 0 posted_peer=0 posted_tag=6 limit=32 team=part
0 isend MPI_Isend 8 1 tag=6 team=part
1 isend MPI_Isend 8 0 tag=6 team=part
01 waitall MPI_Waitall 0 - requests=2
01 barrier MPI_Barrier - - team=part sequence=#
0 bcast MPI_Bcast 16 - team=world sequence=# root=0 bytes_received=0
1 bcast MPI_Bcast 0 - team=world sequence=# root=0 bytes_received=16
01 barrier-2 MPI_Barrier - - team=part sequence=#
01 free-part MPI_Comm_free - - team=part
01 free MPI_Comm_free - - team=dup
01 end MPI_Finalize - - team=world sequence=#
END
cat >mixed_messages <<'END'
0 send start-c wait 1 5 12 - - - 1 complete
0 send start wait-c 1 5 12 - - - 2 complete
0 receive irecv waitall 1 6 8 1 6 32 - complete
0 send isend waitall 1 6 8 - - - - complete
1 receive start-c wait 0 5 12 0 5 12 1 complete
1 receive start wait-c 0 5 12 0 5 12 2 complete
1 receive irecv waitall 0 6 8 0 6 32 - complete
1 send isend waitall 0 6 8 - - - - complete
END
marks "$programs/mixed_main.F90" "$programs/mixed_library.c" >names
for mpi in openmpi mpich; do
	if ! command -v mpif90.$mpi >/dev/null || [ ! -e "$O/libgaspdb-$mpi.so" ]; then
		skip "$mpi, mixed" "not here"
		continue
	fi
	for how in "mpi:-DMODULE=mpi" "mpi_f08:-DMODULE=mpi_f08 -DF08"; do
		name=${mpi}_mixed_${how%%:*}
		read -ra defined <<<"${how#*:}"
		rm -f program
		mpicc.$mpi "${options[@]}" -c -o library.o "$programs/mixed_library.c" &&
			mpif90.$mpi "${options[@]}" "${defined[@]}" -o program "$programs/mixed_main.F90" library.o 2>compile || cat compile
		run "$name" 2 "$(launcher $mpi)" ./program
		is "$name: one order of calls, each at its line" "$(events_in "$name.db")" "$(rows_of 2 mixed)"
		is "$name: messages" "$(messages_in "$name.db")" "$(rows_of 2 mixed_messages)"
		is "$name: each is matched" "$(sql "$name.db" "SELECT count(*) FROM message WHERE receive_event_id IS NOT NULL")" 4
		is "$name: nothing is amiss" "$(sql "$name.db" "SELECT kind, detail FROM quality WHERE severity <> 'note'")" ""
	done
done
finish
