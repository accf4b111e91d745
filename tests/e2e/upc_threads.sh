#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# UPC threads as processes, as pthreads and as both; how they end; what is known without their numbers.
. "$(dirname "$0")/../lib.sh"

# run NAME STATUS IMPORT-STATUS PROGRAM ARGS...: record, and import to $TMP/NAME.db; a program ends as without us
run() {
	local name=$1 status=$2 import=$3 program=$4
	shift 4
	GASPDB_DIR=$TMP/$name timeout 120 "$O/upc/$program" "$@" >"$TMP/out" 2>"$TMP/err"
	is "$name: exit status" $? "$status"
	is "$name: nothing on stdout or stderr" "$(cat "$TMP/out" "$TMP/err")" ""
	imports "$TMP/$name" -o "$TMP/$name.db" 2>/dev/null
	is "$name: import" $? "$import"
}
# q NAME QUERY: rows, each followed by a space
q() {
	sql "$TMP/$1.db" "$2" | tr '\n' ' '
}
# Every thread by its number: how many events, how many open, is its log whole.
threads="SELECT rank, count(e.id), total(e.open), t.complete FROM thread t LEFT JOIN event e ON e.thread_id = t.id
	GROUP BY t.id ORDER BY t.id"
threads() {
	sql "$TMP/$1.db" "$threads" | sed 's/\.0|/|/' | tr '\n' ' '
}
logs() {
	ls "$TMP/$1" | grep -c '\.gasplog$'
}
pids() {
	q "$1" "SELECT count(DISTINCT pid) FROM thread"
}
unknown="SELECT count(*) FROM quality WHERE kind = 'unknown thread number'"

# --- who they are ------------------------------------------------------------
# Uninstrumented: gasp_init and the pair at the end.  The monitor has no log, and leaves no line.
run processes 0 0 gnu process 4 bare
is "processes: four logs, none of the monitor" "$(logs processes)" 4
is "processes: each thread by its number" "$(threads processes)" "0|1|0|1 1|1|0|1 2|1|0|1 3|1|0|1 "
is "processes: each its own" "$(pids processes)" "4 "
is "processes: what they are" "$(q processes "SELECT DISTINCT model FROM thread")" "UPC "
is "processes: the run knows how many there are" "$(q processes "SELECT value FROM meta WHERE key = 'processes'")" "4 "
is "processes: the end has no line, and no file" \
	"$(q processes "SELECT o.symbol, ifnull(s.file, '-'), ifnull(s.line, '-') FROM source s JOIN operation o ON o.id = operation_id")" \
	"GASP_UPC_COLLECTIVE_EXIT|-|- "
run pthreads 0 0 gnu-pthreads pthreads 4 bare
is "pthreads: each thread by its number" "$(threads pthreads)" "0|1|0|1 1|1|0|1 2|1|0|1 3|1|0|1 "
is "pthreads: all in one process" "$(pids pthreads)" "1 "
run both 0 0 berkeley both 6 bare
is "both: each thread by its number" "$(threads both)" "0|1|0|1 1|1|0|1 2|1|0|1 3|1|0|1 4|1|0|1 5|1|0|1 "
is "both: two threads a process" "$(pids both)" "3 "
run alone 0 0 gnu process 1 bare
is "one thread, no fork" "$(threads alone)" "0|1|0|1 "
run upcalls 0 0 gnu-upcalls process 3 bare
is "the upcalls that gaspdb ships" "$(threads upcalls)" "0|1|0|1 1|1|0|1 2|1|0|1 "
is "and the numbers of the flags" \
	"$(q upcalls "SELECT count(*) FROM thread_meta WHERE key = 'upc_sync_flags' AND value = '0 2 1 0 8 4'")" "3 "

# Upcalls raise events of their own, and take 20 ms each.
is "upcalls: nobody sees their events" \
	"$(q both "SELECT count(*) FROM source WHERE file = 'upcalls.upc'")$(q both "SELECT count(*) FROM quality
		WHERE kind = 'lost events'")" "0 0 "
is "upcalls: their time is the tool's" \
	"$(q both "SELECT count(*) FROM category_time WHERE category = 'tool' AND time_ns >= 20000000")" "6 "
is "upcalls: the program's clock is noted" \
	"$(q both "SELECT count(*) FROM thread_meta WHERE key = 'upc_clock' AND value LIKE '% 1234567890123'")" "6 "

# Nobody knows their numbers: the rest is there, and so is the cure.
run nameless 0 0 berkeley-silent both 4 bare
is "no numbers: the threads" "$(threads nameless)" "|1|0|1 |1|0|1 |1|0|1 |1|0|1 "
is "no numbers: each is told" "$(q nameless "$unknown")" "4 "
like "no numbers: the cure is named" \
	"$("$gaspdb" report "$TMP/nameless.db" | tr -s ' \n' ' ')" "link upcalls: docs/upc.md"
is "numbers: nothing is told" "$(q processes "$unknown")$(q pthreads "$unknown")$(q both "$unknown")" "0 0 0 "

# Thread 0 raises a hundred events before the others have come to gasp_init.
for how in "gnu process" "gnu-pthreads pthreads" "berkeley both"; do
	name=early-${how#* }
	run "$name" 0 0 ${how} 4 early
	is "$name: what each did" "$(q "$name" "SELECT t.rank, count(*) FROM event e JOIN thread t ON t.id = thread_id
		JOIN source s ON s.id = source_id WHERE s.line = 15 GROUP BY 1")" "0|100 "
	is "$name: all logs are whole" "$(q "$name" "SELECT count(*) FROM thread WHERE complete AND rank = id")" "4 "
done

# --- how they end ------------------------------------------------------------
open="SELECT t.rank, o.symbol, s.line FROM event e JOIN thread t ON t.id = thread_id JOIN source s ON s.id = source_id
	JOIN operation o ON o.id = s.operation_id WHERE e.open ORDER BY t.rank, e.id"
ends="SELECT t.rank, o.symbol, a.value FROM event e JOIN thread t ON t.id = thread_id JOIN source s ON s.id = source_id
	JOIN operation o ON o.id = s.operation_id JOIN event_arg a ON a.id >> 6 = e.id JOIN argument n ON n.id = argument_id
	WHERE n.name = 'status' ORDER BY 1"
whole="SELECT group_concat(complete, '') FROM (SELECT complete FROM thread ORDER BY rank)"
reasons="SELECT group_concat(value) FROM (SELECT ifnull(m.value, '-') AS value FROM thread t
	LEFT JOIN thread_meta m ON m.thread_id = t.id AND m.key = 'end' ORDER BY t.rank)"

run mixed 3 0 gnu process 3 mixed
is "exit() of one, return of the rest: who has an exit event" "$(q mixed "$ends")" \
	"1|GASP_UPC_COLLECTIVE_EXIT|0 2|GASP_UPC_COLLECTIVE_EXIT|0 "
is "exit() of one: all logs are whole" "$(q mixed "$whole")" "111 "
run mixed-pthreads 3 0 gnu-pthreads pthreads 3 mixed
is "pthreads: who has an exit event" "$(q mixed-pthreads "$ends")" \
	"1|GASP_UPC_COLLECTIVE_EXIT|0 2|GASP_UPC_COLLECTIVE_EXIT|0 "
is "pthreads: all logs are whole" "$(q mixed-pthreads "$whole")" "111 "

# upc_global_exit: the others are killed in their barrier.
run killed 9 3 gnu process 4 global-exit
is "upc_global_exit: who called it" "$(q killed "$ends")" "1|GASP_UPC_NONCOLLECTIVE_EXIT|9 "
is "upc_global_exit: where the others were" "$(q killed "$open")" \
	"0|GASP_UPC_BARRIER|12 2|GASP_UPC_BARRIER|12 3|GASP_UPC_BARRIER|12 "
is "upc_global_exit: only the caller's log is whole" "$(q killed "$whole")" "0100 "
is "upc_global_exit: why they ended, as far as the logs know" "$(q killed "$reasons")" "-,exit,-,- "
run killed-pthreads 9 0 gnu-pthreads pthreads 4 global-exit
is "pthreads: who called it" "$(q killed-pthreads "$ends")" "1|GASP_UPC_NONCOLLECTIVE_EXIT|9 "
is "pthreads: where the others were" "$(q killed-pthreads "$open")" \
	"0|GASP_UPC_BARRIER|12 2|GASP_UPC_BARRIER|12 3|GASP_UPC_BARRIER|12 "
is "pthreads: one exit() closes all logs" "$(q killed-pthreads "$whole")" "1111 "
run killed-both 9 3 berkeley both 4 global-exit
is "both: where the others were" "$(q killed-both "$open")" \
	"0|GASP_UPC_WAIT|12 2|GASP_UPC_WAIT|12 3|GASP_UPC_WAIT|12 "
is "both: the logs of the caller's process are whole" "$(q killed-both "$whole")" "1100 "
run busy 9 0 gnu-pthreads pthreads 4 busy
is "pthreads at work while one calls exit(): all logs are whole" "$(q busy "$whole")" "1111 "
is "pthreads at work while one calls exit(): what they did is there" "$(q busy "SELECT count(*) FROM (SELECT 1
	FROM event GROUP BY thread_id HAVING count(*) > 1000 AND sum(open) <= 1)")" "3 "
is "pthreads at work while one calls exit(): nothing is wrong" \
	"$(q busy "SELECT DISTINCT kind FROM quality WHERE severity <> 'note'")" ""

# The end waits for nobody's upcall, and all logs are whole.
run asking 9 0 berkeley pthreads 40 asking
is "pthreads in upcalls while one calls exit(): what they did before is there" "$(q asking "SELECT count(*), sum(e.n), min(t.complete)
	FROM thread t JOIN (SELECT thread_id, count(*) AS n FROM event GROUP BY 1) e ON e.thread_id = t.id WHERE t.rank > 0")" "39|39|1 "

# A log that is gone: its thread is known to have been.
rm "$(ls -d "$TMP"/processes/*.gasplog | tail -1)"
imports "$TMP/processes" --force -o "$TMP/processes.db" 2>/dev/null
is "a log is gone: import" $? 3
is "a log is gone: the thread is there, and not whole" "$(q processes "SELECT count(*), sum(complete) FROM thread")" "4|3 "

# A crash: the whole group is sent SIGTERM.
crash() { # NAME STATUS PROGRAM ARGS...: as run, but the shell may tell of the signal
	local name=$1 status=$2
	shift 2
	(GASPDB_DIR=$TMP/$name timeout 120 "$O/upc/$@" >"$TMP/out" 2>"$TMP/err") 2>/dev/null
	is "$name: exit status" $? "$status"
	is "$name: nothing on stdout or stderr" "$(cat "$TMP/out" "$TMP/err")" ""
	imports "$TMP/$name" -o "$TMP/$name.db" 2>/dev/null
	is "$name: import" $? 3
}
crash crash 143 gnu process 3 crash
is "crash: where all were" "$(q crash "$open")" "0|GASP_UPC_NOTIFY|12 1|GASP_C_FUNC|14 2|GASP_UPC_NOTIFY|12 "
is "crash: no log is whole" "$(q crash "$whole")" "000 "
crash crash-pthreads 139 gnu-pthreads pthreads 3 crash
is "crash of pthreads: where all were" "$(q crash-pthreads "$open")" \
	"0|GASP_UPC_NOTIFY|12 1|GASP_C_FUNC|14 2|GASP_UPC_NOTIFY|12 "
is "crash of pthreads: no log is whole" "$(q crash-pthreads "$whole")" "000 "
finish
