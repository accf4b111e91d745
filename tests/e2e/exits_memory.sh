#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# No memory for the collector's tables: each event is there or counted as lost.  And what ends the program may interrupt their growth.
. "$(dirname "$0")/../lib.sh"
program=$O/programs/gasp_memory
cd "$TMP" || exit 1

# N steps, the function's two events and the late one; and the last step, at a known line
N=1000
GASPDB_DIR=lost timeout 60 "$program" lost $N >out 2>err
is "no memory: the program's end is its own, with one line" "$? $(cat out) $(wc -l <err)" "0  1"
like "no memory: which tells that events are lost" "$(cat err)" "^gaspdb: events are lost: no memory for the tables of log '/.*gasplog'$"
imports lost -o lost.db 2>/dev/null
is "no memory: that is a loss" "$?" 3
is "no memory: each event is there, or lost" "$(sql lost.db "SELECT (SELECT count(*) FROM event) + q.count, (SELECT max(value) >= 2 AND min(value) = 0 FROM event_arg), detail
	FROM quality q WHERE kind = 'lost events'")" "$((N + 4))|1|no memory for the collector's tables"
is "no memory: and its tag is not unknown" "$(sql lost.db "SELECT count(*) FROM quality WHERE kind = 'unknown tags'")" 0

GASPDB_DIR=exit timeout 60 "$program" exit >out 2>err
is "exit while a table is given back: the program's end is its own" "$? $(cat out err)" "5 "
imports exit -o exit.db 2>/dev/null
is "exit while a table is given back: the log is whole" "$(sql exit.db "SELECT complete FROM thread")" 1

# Threads come and go: each has its log, and nothing of it stays in the process (with gasp_init the context itself does).
for how in pupc gasp; do
	GASPDB_DIR=$how timeout 60 "$O/programs/gasp_churn" $how 200 >out 2>err
	is "threads one after another ($how): the program's end is its own" "$? $(cat err)" "0 "
	most=$([ $how = pupc ] && echo 5 || echo 600)
	is "threads one after another ($how): no more than $most mappings for 190 of them" "$(($(cat out) <= most))" 1
	imports $how -o churn-$how.db 2>/dev/null
	is "threads one after another ($how): each has its event" "$? $(sql churn-$how.db "SELECT count(DISTINCT event.thread_id), sum(value),
		(SELECT sum(complete) FROM thread) FROM event JOIN event_arg ON event_arg.id >> 6 = event.id")" "0 200|20100|200"
done
finish
