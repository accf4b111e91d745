#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Polling loops of OpenSHMEM: few events, that tell how many calls they are.
# Alone: its programs need the processors.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

if [ ! -x "$O/programs/oshmem/shmem_polls" ]; then
	skip "OpenSHMEM" "not here"
	finish
fi
record polls oshrun -np 2 "$O/programs/oshmem/shmem_polls"

# Of the calls of PE 0 at the lines of that name: WHAT of events, with attempts
at_lines() {
	sql "$TMP/polls.db" "SELECT $2 FROM (SELECT c.start_ns AS start_ns, c.start_ns + c.duration_ns AS end_ns,
			coalesce((SELECT value FROM event_arg x JOIN argument a ON a.id = x.argument_id AND a.name = 'attempts'
				WHERE x.id / 64 = c.id), 1) AS attempts
		FROM named_event c WHERE c.thread = 0 AND c.location = 'shmem_polls.c:$(line_of shmem_polls "POLLS $1")')"
}

for way in test nap two many fetch g get mixed lock reads remote; do
	calls=$(sed -n "s/^polls: $way calls //p" "$TMP/polls.out")
	is "$way: all calls are counted" "$(at_lines $way "sum(attempts)")" "$calls"
	case $way in
	reads | remote)
		is "$way: each is an event" "$(at_lines $way "count(*)")" "$calls"
		continue
		;;
	many) is "$way: rounds, and few" "$(at_lines $way "count(*) <= 100 + $calls / 20")" 1 ;;
	*) is "$way: few events" "$(at_lines $way "count(*) <= 30 + $calls / 20")" 1 ;;
	esac
done
is "the log is small" "$(du -sb "$TMP/polls" | awk '{ print $1 < 300000 }')" 1
is "nothing is amiss" "$(sql "$TMP/polls.db" "SELECT DISTINCT kind FROM quality WHERE severity <> 'note'")" ""
invariants
finish
