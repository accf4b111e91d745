#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the collector does to its host program when things go wrong: nothing, but for one line on stderr.
. "$(dirname "$0")/../lib.sh"
program=$O/programs/gasp_events
killed=$O/programs/gasp_killed

# run DIR COMMAND...: status, stdout and stderr of the program in $TMP
run() {
	local dir=$1
	shift
	GASPDB_DIR=$dir "$@" >"$TMP/out" 2>"$TMP/err"
	echo $? >"$TMP/status"
}

run "$TMP/good" "$program"
is "a recorded program exits as it would" "$(cat "$TMP/status")" 0
is "and prints what it would" "$(cat "$TMP/out")" 1005
is "and nothing else" "$(cat "$TMP/err")" ""
is "one log for its one thread" "$(ls "$TMP/good" | grep -c '\.gasplog$')" 1

run /proc/self/none "$program"
is "unwritable directory: exit status" "$(cat "$TMP/status")" 0
is "unwritable directory: output" "$(cat "$TMP/out")" 1005
is "unwritable directory: one line on stderr" "$(wc -l <"$TMP/err")" 1
like "unwritable directory: it names the cause" "$(cat "$TMP/err")" "^gaspdb: nothing is recorded: .*/proc/self/none"

long=/proc/self/none/$(printf 'x%.0s' $(seq 2900))
run "$long" "$program"
is "a long path: one line on stderr" "$(cat "$TMP/status") $(wc -l <"$TMP/err")" "0 1"
like "a long path: the cause is not cut off" "$(cat "$TMP/err")" "xx': [A-Z][a-z ]+$"

# 64 KiB: less than the first piece of a log
run "$TMP/limit" bash -c "ulimit -f 64; exec $program"
is "low file-size limit: exit status" "$(cat "$TMP/status")" 0
is "low file-size limit: output" "$(cat "$TMP/out")" 1005
is "low file-size limit: one line on stderr" "$(wc -l <"$TMP/err")" 1
like "low file-size limit: it names the cause" "$(cat "$TMP/err")" "^gaspdb: nothing is recorded of this thread: .*File too large"
is "low file-size limit: nothing is left but the reason" "$(ls "$TMP/limit" | sed 's/.*-0-/0-/')" 0-27.failed

# 1 MiB: recording stops in the middle, and what was recorded stays.
run "$TMP/limit1" bash -c "ulimit -f 1024; exec $killed 300000 none"
is "file-size limit: exit status" "$(cat "$TMP/status")" 0
is "file-size limit: one line on stderr" "$(wc -l <"$TMP/err")" 1
like "file-size limit: it says that recording stops" "$(cat "$TMP/err")" "^gaspdb: recording stops: .*File too large"
"$gaspdb" import "$TMP/limit1" -o "$TMP/limit1.db" 2>/dev/null
is "file-size limit: import says that data is missing" $? 3
is "file-size limit: the first events are all there" \
	"$(sql "$TMP/limit1.db" "SELECT count(*) > 50000 AND sum(bytes) = (count(*) - 1) * count(*) / 2 FROM event")" 1

for signal in KILL SEGV ABRT; do
	run "$TMP/$signal" "$killed" 5000 $signal
	is "SIG$signal: the program dies of it" "$(cat "$TMP/status")" $((128 + $(kill -l $signal)))
	"$gaspdb" import "$TMP/$signal" -o "$TMP/$signal.db" 2>/dev/null
	is "SIG$signal: import says that data is missing" $? 3
	is "SIG$signal: every event is there" \
		"$(sql "$TMP/$signal.db" "SELECT count(*), sum(open), sum(bytes) FROM event")" "5001|1|12502500"
done

run "$TMP/fork" "$killed" 10 fork
is "a child of the program does not disturb its log" "$(cat "$TMP/status")" 0
"$gaspdb" import "$TMP/fork" -o "$TMP/fork.db" 2>/dev/null
is "fork: the parent's log is whole" \
	"$(sql "$TMP/fork.db" "SELECT min(complete), (SELECT count(*) FROM event) FROM thread")" "1|11"
invariants
finish
