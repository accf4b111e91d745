#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Communicators of the same processes that two threads make at once: each process knows which is which.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

at_once() { # MPI LAUNCHER
	local name=at_once_$1 ways
	record "$name" "$2" -np 2 "$O/programs/$1/mpi_made_at_once"
	ways=$(sed -n 's/^ways //p' "$TMP/$name.out")
	is "$name: messages of 4 bytes and of 400, by their sizes as sent and as received" \
		"$(sql "$TMP/$name.db" "SELECT m.tag, s.bytes, m.bytes, count(*), count(DISTINCT m.team_id) FROM message m
			JOIN event s ON s.id = m.send_event_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3")" \
		"$(for ((tag = 20; tag < 20 + ways; tag++)); do printf '%s|4|4|10|10\n%s|400|400|10|10\n' $tag $tag; done)"
	is "$name: each has its barrier, with all members" \
		"$(sql "$TMP/$name.db" "SELECT count(*), min(members), max(members) FROM (SELECT count(*) AS members FROM collective_member m
			JOIN event e ON e.id = m.event_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
			WHERE o.name = 'MPI_Barrier' GROUP BY m.collective_id)")" "$((20 * ways))|2|2"
	is "$name: nothing is amiss" "$(sql "$TMP/$name.db" "SELECT DISTINCT kind, detail FROM quality WHERE severity <> 'note'")" ""
}
each_mpi mpi_made_at_once at_once
invariants
finish
