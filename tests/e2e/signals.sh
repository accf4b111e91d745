#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Signals while the collector holds a lock: their handlers end the process, or make calls, and nothing waits for itself.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
exec 2>"$TMP/shell"

# recorded OPTION COMMAND...: status, output, and what import says
recorded() {
	rm -rf run run.db
	timeout 60 "$gaspdb" record $1 -o run -- "${@:2}" >out 2>err </dev/null
	status=$?
	"$gaspdb" import run -o run.db >/dev/null 2>import
	imported=$?
	damage=$(sql run.db "SELECT group_concat(kind) FROM quality WHERE severity = 'loss' AND kind NOT IN ('lost events', 'no end block')")
}

handlers() {
	local mpi=$1 program=$O/programs/$1/mpi_signals total n how
	recorded --nested "$2" -np 1 "$program" nothing -1
	total=$(awk '$1 == "done" { print $4 }' out)
	ok "$mpi: locks are taken while the program works: $total" test "${total:-0}" -gt 20
	for n in 1 $((total / 2)) $((1 + RANDOM % total)) $((1 + RANDOM % total)); do
		recorded --nested "$2" -np 1 "$program" abort "$n"
		is "$mpi: MPI_Abort while lock $n is held: it ends as it should, and the log has an end" \
			"$status $damage$(sql run.db "SELECT complete FROM thread")" "7 1"
	done
	recorded --nested "$2" -np 1 "$program" exit $((total / 2))
	is "$mpi: exit while a lock is held" "$status $damage" "7 "
	recorded --nested "$2" -np 1 "$program" signal $((total / 2))
	ok "$mpi: abort while a lock is held: it is no hang" test $status -ne 0 -a $status -ne 124
	for how in calls fork; do
		recorded --nested "$2" -np 1 "$program" $how 0
		is "$mpi: $how in handlers, at each lock: the program ends, its log is whole" \
			"$status $(awk '{ print $1, ($2 == $4 && $2 > 20) }' out) $damage$(sql run.db "SELECT min(complete) FROM thread")" "0 done 1 1"
	done
	recorded --nested "$2" -np 1 "$program" jump $((total / 2))
	is "$mpi: a jump out of a lock: the program goes on" "$status $(cut -d' ' -f1,2 out) $damage" "0 done 1 "
}

# In the child the handler returns to the record that it has interrupted.
total=$(GASPDB_DIR=$TMP/run0 timeout 60 "$O/programs/gasp_forks" -1 | awk '{ print $1 }')
ok "memory is asked for while records are written: $total" test "$total" -gt 4
for n in $(seq "$total"); do
	rm -rf run run.db
	GASPDB_DIR=$TMP/run timeout 60 "$O/programs/gasp_forks" "$n" >out
	status=$?
	imports run -o run.db 2>import
	is "a fork in a handler, $n: parent and child go on, the parent's log is whole" \
		"$status $(cat out) $(sql run.db "SELECT count(*), min(t.complete) FROM event e JOIN thread t ON t.id = e.thread_id
			WHERE NOT EXISTS (SELECT 1 FROM thread_meta m WHERE m.thread_id = t.id AND m.key = 'forked_from')")" "0 child 768 2040|1"
done
each_mpi mpi_signals handlers
finish
