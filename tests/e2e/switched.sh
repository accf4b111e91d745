#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Recording is switched off and on, or calls are masked, between those that post, probe, start and complete: every message
# that passes unrecorded takes its place on its channel, so that all that have both ends recorded are paired, each with its own.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

# look NAME [OPTION...] -- COMMAND: what a run's messages are like: matched and uncertain ones, and what of these is odd
look() {
	rm -rf run
	timeout 100 "$gaspdb" record -o run "${@:2}" >out 2>/dev/null
	imports run -o run.db --force 2>/dev/null
	is "$1: import succeeds" $? 0
	read -r recorded freed <out
	[ "$2" != --except=MPI_Irecv ] || freed=0
	is "$1: what is completed unseen is completed" "$(sql run.db "SELECT coalesce(sum(count), 0), min(detail), max(detail)
		FROM quality WHERE kind IN ('request never completed', 'transfer never completed')")" \
		"$freed|$([ "$freed" = 0 ] || echo 'receive, freed before')|$([ "$freed" = 0 ] || echo 'receive, freed before')"
	is "$1: none is taken for another's, none is missing" \
		"$(sql run.db "SELECT kind, sum(count) FROM quality WHERE kind IN ('bytes differ', 'unmatched send',
			'unmatched receive') GROUP BY 1")" ""
	is "$1: sizes are those sent" \
		"$(sql run.db "SELECT count(*) FROM message m JOIN p2p s ON s.direction = 'send' AND s.post_event_id = m.send_event_id
			AND s.bytes <> m.bytes")" 0
	is "$1: all have a channel" "$(sql run.db "SELECT count(*) FROM p2p_total WHERE outcome IN ('wildcard', 'unknown')")" 0
}

check() {
	local mpi=$1 program=$O/programs/$1/mpi_switched
	look "$mpi" -- "$2" -np 2 "$program" 1200
	is "$mpi: all with both ends are matched" "$(sql run.db "SELECT count(*), sum(order_uncertain) FROM message")" "$recorded|0"
	look "$mpi, two threads" -- "$2" -np 2 "$program" 1200 2
	is "$mpi, two threads: all with both ends are matched" "$(sql run.db "SELECT count(*) FROM message")" "$recorded"
	for name in Mprobe Mrecv Imrecv Recv_init Send_init Start Irecv; do
		look "$mpi, without MPI_$name" --except="MPI_$name" -- "$2" -np 2 "$program" 300
		ok "$mpi, without MPI_$name: others are certain" \
			[ "$(sql run.db "SELECT count(*) > 1000 AND sum(order_uncertain) = 0 FROM message")" = 1 ]
	done
}

each_mpi mpi_switched check
finish
