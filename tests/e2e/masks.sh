#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a mask leaves out is counted, and what remains is matched as if all were there.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"

# The pairs of tests/programs/gasp_events.c at lines 21 to 23 are gets and puts; line 42's user event has no name.
gasp() { # NAME: with GASPDB_ONLY and GASPDB_EXCEPT of the caller
	GASPDB_DIR=$TMP/$1 "$O/programs/gasp_events" >"$TMP/$1.out" 2>"$TMP/$1.err"
	imports "$TMP/$1" -o "$TMP/$1.db" 2>/dev/null
}
gasp all
GASPDB_ONLY='GASP_UPC_MEM[GP]?T,STEP' gasp only
is "only: the operations named, by symbol or by a user event's name, whatever the case" \
	"$(sql "$TMP/only.db" "SELECT DISTINCT o.name FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id ORDER BY o.name")" "$(printf 'step\nupc_memget\nupc_memput')"
is "only: events left out are counted, each START and END" \
	"$(sql "$TMP/only.db" "SELECT raw_events + masked FROM recording")" \
	"$(sql "$TMP/all.db" "SELECT raw_events FROM recording")"
is "only: a program is none the wiser" "$(cat "$TMP/only.out" "$TMP/only.err")" "$(cat "$TMP/all.out" "$TMP/all.err")"
GASPDB_EXCEPT=put,Communication,user,c_* gasp except
is "except: by type and by category" \
	"$(sql "$TMP/except.db" "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.category = 'communication' OR o.type IN ('put', 'user')")" 0
is "except: all else is there" \
	"$(sql "$TMP/except.db" "SELECT count(*) FROM event")" \
	"$(sql "$TMP/all.db" "SELECT count(*) FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id WHERE o.category <> 'communication' AND o.type NOT IN ('put', 'user')")"
is "the log tells the lists" \
	"$(sql "$TMP/except.db" "SELECT value FROM thread_meta WHERE key = 'except'")" 'put,Communication,user,c_*'
GASPDB_ONLY=get GASPDB_EXCEPT='*memget' gasp both
is "both: only the one, but for the other" \
	"$(sql "$TMP/both.db" "SELECT DISTINCT o.symbol FROM event e JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id")" GASP_UPC_GET
GASPDB_ONLY=nosuch gasp none
imports "$TMP/none" -o "$TMP/none.db" 2>"$TMP/none.err"
is "only what there is not: the import says why it is empty" "$? $(sed "/unknown thread number/d; s|'.*none'|RUN|" "$TMP/none.err")" \
	"1 gaspdb: RUN holds no events: the masks (--only, --except, --filter) kept all $(sql "$TMP/all.db" "SELECT raw_events FROM recording") out"
timeout 60 "$gaspdb" record --only=nosuch -o "$TMP/recorded" -- "$O/programs/gasp_events" >/dev/null 2>"$TMP/err"
like "and so does record, and proposes no import" "$? $(tail -1 "$TMP/err")" \
	"^0 gaspdb: '$TMP/recorded' holds no events: the masks .--only, --except, --filter. kept all [0-9]+ out$"

if ! command -v mpirun.openmpi >/dev/null || [ ! -x "$O/programs/openmpi/mpi_masks" ]; then
	skip "messages and collectives between masked ones" "no Open MPI"
	finish
fi
mpi() { # NAME OPTION...
	local name=$1
	shift
	timeout 60 "$gaspdb" record -o "$TMP/$name" "$@" -- mpirun.openmpi -np 2 "$O/programs/openmpi/mpi_masks" 2>/dev/null
	imports "$TMP/$name" -o "$TMP/$name.db" 2>/dev/null
	is "$name: import succeeds" $? 0
}
# The operation of each message's two ends, with the bytes sent and received
messages="SELECT so.name, po.name, s.bytes, m.bytes FROM message m
	JOIN event s ON s.id = m.send_event_id JOIN source ss ON ss.id = s.source_id
	JOIN operation so ON so.id = ss.operation_id
	JOIN event p ON p.id = m.post_event_id JOIN source ps ON ps.id = p.source_id
	JOIN operation po ON po.id = ps.operation_id ORDER BY m.bytes"
odd=$(for n in 1 3 5 7 9; do echo "MPI_Send|MPI_Irecv|$n|$n"; done)
even=$(for n in 2 4 6 8 10; do echo "MPI_Ssend|MPI_Recv|$n|$n"; done)
both=$(printf '%s\n%s\n' "$odd" "$even" | sort -t'|' -k3n)

mpi whole
is "what an event costs is told by each rank" \
	"$(sql "$TMP/whole.db" "SELECT sum(event_cost_ns BETWEEN 0.1 AND 100000) FROM recording")" 2
is "nothing masked: ten messages" "$(sql "$TMP/whole.db" "$messages")" "$both"
for name in MPI_Send MPI_Irecv; do
	mpi "no-$name" --except=$name
	is "without $name: the even ones" "$(sql "$TMP/no-$name.db" "$messages")" "$even"
	is "without $name: the five others' partners are known to have passed" \
		"$(sql "$TMP/no-$name.db" "SELECT count(*) FROM quality WHERE kind = 'partner not recorded'")" 5
	is "without $name: none is unmatched" \
		"$(sql "$TMP/no-$name.db" "SELECT count(*) FROM quality WHERE kind LIKE 'unmatched%'")" 0
	is "without $name: ten raw events are counted" "$(sql "$TMP/no-$name.db" "SELECT sum(masked) FROM recording")" 10
done
for name in MPI_Ssend MPI_Recv; do
	mpi "no-$name" --except=$name
	is "without $name: the odd ones" "$(sql "$TMP/no-$name.db" "$messages")" "$odd"
done
mpi no-MPI_Wait --except=MPI_Wait
is "without MPI_Wait: ten messages" "$(sql "$TMP/no-MPI_Wait.db" "$messages")" "$both"
is "without MPI_Wait: what it completed, no call is said to have" \
	"$(sql "$TMP/no-MPI_Wait.db" "SELECT count(*) FROM message WHERE receive_event_id IS NULL")" 5
mpi no-barrier --except=barrier
is "without barriers: reductions keep their numbers" \
	"$(sql "$TMP/no-barrier.db" "SELECT group_concat(sequence) FROM (SELECT c.sequence FROM collective c
		JOIN operation o ON o.id = c.operation_id WHERE o.name = 'MPI_Allreduce' ORDER BY 1)")" \
	"$(sql "$TMP/whole.db" "SELECT group_concat(sequence) FROM (SELECT c.sequence FROM collective c
		JOIN operation o ON o.id = c.operation_id WHERE o.name = 'MPI_Allreduce' ORDER BY 1)")"
finish
