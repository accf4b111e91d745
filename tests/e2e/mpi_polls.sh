#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who polls for a late partner waits: the finding names the line, the partner and the time; who works between does not wait.
# Alone: its programs need the processors.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# waited NAME WAY KIND: thread that was waited for, and seconds
waited() {
	sql "$TMP/$1.db" "SELECT cause_thread, sum(wait_ns) / 1e9 FROM named_wait WHERE kind = '$3'
		AND location = 'mpi_polls.c:$(line_of mpi_polls "POLLS $2")' GROUP BY 1" | tr '|' ' '
}

polls() { # MPI LAUNCHER
	local way kind name=polls_$1
	record "$name" "$2" -np 2 "$O/programs/$1/mpi_polls"
	for way in test any probe sleep sender barrier started exposed; do
		case $way in
		sender) kind="late receiver" ;;
		barrier) kind=barrier ;;
		started) kind=all-to-all ;;
		exposed) kind="early wait" ;;
		*) kind="late sender" ;;
		esac
		agrees "$name: $way" "$(measured "$name" $way)" "$(waited "$name" $way "$kind")"
	done
	like "$name: the first finding is the late sender, or what makes it late" "$(sql "$TMP/$name.served.db" "SELECT kind, thread, location FROM analysis_worst LIMIT 1")" \
		"^(late sender|imbalance)\|0\|mpi_polls.c:$(line_of mpi_polls LATE)"
	is "$name: who works is not waiting" "$(sql "$TMP/$name.db" "SELECT count(*) > 10 FROM named_event
		WHERE location = 'mpi_polls.c:$(line_of mpi_polls "POLLS work")'")" 1
	# On a loaded machine each test loses the processor for longer than the work takes; then it is waiting.
	often=$(sql "$TMP/$name.db" "SELECT count(*), sum(attempts)
		FROM (SELECT coalesce((SELECT value FROM event_arg x JOIN argument a ON a.id = x.argument_id AND a.name = 'attempts'
			WHERE x.id / 64 = c.id), 1) AS attempts FROM named_event c
			WHERE location = 'mpi_polls.c:$(line_of mpi_polls "POLLS often")')")
	if [ "${often#*|}" -ge 1000 ]; then
		ok "$name: nor who works a little between any two ($often)" [ $((2 * ${often%|*})) -gt "${often#*|}" ]
	else
		skip "$name: who works a little between any two" "${often#*|} tests in 0.3 s: they had no processor"
	fi
	is "$name: tests in vain are few events" "$(sql "$TMP/$name.db" "SELECT count(*) BETWEEN 1 AND 1000
		FROM event_arg JOIN argument a ON a.id = argument_id WHERE a.name = 'attempts'")" 1
	is "$name: so are those of a window" "$(sql "$TMP/$name.db" "SELECT count(*) BETWEEN 3 AND 1000 FROM named_event
		WHERE location = 'mpi_polls.c:$(line_of mpi_polls "POLLS exposed")'")" 1
}
each_mpi mpi_polls polls
invariants
finish
