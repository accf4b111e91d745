#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Polling loops of several calls: few events, that tell how many calls they are; who polls waits.
# Alone: its programs need the processors.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# at_lines NAME WAY WHAT: of rank 1's calls at the line of that way, and the attempts that they are
at_lines() {
	sql "$TMP/$1.db" "SELECT $3 FROM (SELECT c.start_ns, c.duration_ns, coalesce((SELECT value FROM event_arg x
			JOIN argument a ON a.id = x.argument_id AND a.name = 'attempts' WHERE x.id / 64 = c.id), 1) AS attempts
		FROM named_event c WHERE c.thread = 1 AND c.location = 'mpi_loops.c:$(line_of mpi_loops "POLLS $2")')"
}

loops() { # MPI LAUNCHER
	local way name=loops_$1 calls
	record "$name" "$2" -np 2 "$O/programs/$1/mpi_loops"
	for way in two null any improbe nap sync fetch; do
		calls=$(sed -n "s/^polls: $way calls //p" "$TMP/$name.out")
		is "$name: $way: all calls are counted" "$(at_lines "$name" $way "sum(attempts)")" "$calls"
		is "$name: $way: few events of many calls" "$(at_lines "$name" $way "count(*) <= 30 + $calls / 20")" 1
		is "$name: $way: they last as long as was polled" "$(at_lines "$name" $way "2 * sum(duration_ns) > max(start_ns + duration_ns) - min(start_ns)")" 1
		case $way in
		sync | fetch) ;; # nothing that is recorded ends these
		*) agrees "$name: $way" "$(measured "$name" $way)" "$(sql "$TMP/$name.db" "SELECT cause_thread, sum(wait_ns) / 1e9
			FROM named_wait WHERE kind = 'late sender'
			AND location = 'mpi_loops.c:$(line_of mpi_loops "POLLS $way")' GROUP BY 1" | tr '|' ' ')" ;;
		esac
	done
	is "$name: the log is small" "$(du -sb "$TMP/$name" | awk '{ print $1 < 500000 }')" 1
}
each_mpi mpi_loops loops

# On one processor with a program that never rests: the loss of it does not end a loop.
crowded() { # MPI LAUNCHER
	local way name=crowded_$1 one busy
	one=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
	taskset -c "$one" timeout 100 bash -c 'while :; do :; done' &
	busy=$!
	record "$name" taskset -c "$one" "$2" -np 2 "$O/programs/$1/mpi_loops"
	kill $busy
	wait $busy 2>/dev/null
	for way in null any improbe nap; do
		is "$name: $way: few events of many calls" "$(at_lines "$name" $way "count(*) <= 10 + sum(attempts) / 20")" 1
		is "$name: $way: they last as long as was polled" "$(at_lines "$name" $way \
			"sum(duration_ns) > 0.8 * (max(start_ns + duration_ns) - min(start_ns))")" 1
	done
}
each_mpi mpi_loops crowded
invariants
finish
