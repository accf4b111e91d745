#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What info and the report say of the run itself: exit status, programs, what was left out, what recording cost.
source "$TOP/tests/lib.sh"
killed=$O/programs/gasp_killed
cd "$TMP" || exit 1

# status NAME COMMAND...: record, import; $stored, $report, $info
status() {
	local name=$1
	shift
	"$gaspdb" record -o "$name" -- "$@" 2>/dev/null
	"$gaspdb" import "$name" 2>/dev/null
	stored=$(sql "$name.db" "SELECT value, typeof(value) FROM meta WHERE key = 'exit_status'")
	report=$("$gaspdb" report "$name.db")
	info=$("$gaspdb" info "$name.db" 2>/dev/null)
}
status good "$killed" 10 none
is "exit status 0" "$stored" "0|integer"
like "in the report" "$report" "^  exit status +0$"
like "in info" "$info" "^exit status +0$"
is "the command" "$(sql good.db "SELECT value FROM meta WHERE key = 'command'")" "$killed 10 none"
tar cf good.tar good
"$gaspdb" import good.tar -o tarred.db 2>/dev/null
is "both, of an archive" "$(sql tarred.db "SELECT group_concat(value, '|') FROM (SELECT value FROM meta
	WHERE key IN ('command', 'exit_status') ORDER BY key)")" "$killed 10 none|0"
status failed sh -c '"$0" 10 none; exit 3' "$killed"
is "exit status 3" "$stored" "3|integer"
like "in the report" "$report" "^  exit status +3$"
status killed "$killed" 10 KILL
is "a signal" "$stored" "137|integer"
like "in the report" "$report" "exit status 137 \(signal 9\)$"
like "in info" "$info" "^exit status +137 \(signal 9\)$"

# Without run.txt, and with another's: not known.
for text in "" "status: nine" "status: -3" "status: 999" "statuses: 4"; do
	echo "$text" >good/run.txt
	"$gaspdb" import --force good 2>/dev/null
	is "no status in '$text'" "$(sql good.db "SELECT count(*) FROM meta WHERE key = 'exit_status'")" 0
	ok "nor in the report" test "$("$gaspdb" report good.db | grep -c 'exit status')" = 0
done

{ printf 'command: '; head -c 3000000 /dev/zero | tr '\0' c; } >good/run.txt
"$gaspdb" import --force good 2>/dev/null
is "of a command without end the beginning is kept" "$? $(sql good.db "SELECT length(value) FROM meta WHERE key = 'command'")" "0 32768"

# info of logs: one program by its name, of several how many run each
like "info of logs, one program" "$("$gaspdb" info killed)" "^program +$killed\$"
{
	echo 'thread 0..2 from=0 to=100'
	printf 'meta %d program %s\n' 0 /b 1 /a 2 /b
	echo 'at 10..20 thread 0 a.c:1 MPI_Barrier'
} | "$O/tests/mkrun" - several
like "several" "$("$gaspdb" info several)" '^program +/b \(2 ranks\), /a \(1 rank\)$'

# head SQL: the head of the report of the golden run, changed like this
head_of() {
	echo "$1" >change.sql
	"$TOP/tests/golden/make_db" run.db "$TOP/tests/golden/run.sql" change.sql
	report=$("$gaspdb" report run.db)
	info=$("$gaspdb" info run.db 2>/dev/null)
}
head_of "INSERT INTO thread_meta VALUES (0, 'program', '/b'), (1, 'program', '/a'), (2, 'program', '/b'),
	(0, 'arguments', 'b 1'), (1, 'arguments', 'a'), (2, 'arguments', 'b 1');"
like "several programs" "$report" '^  program +/b \(2 ranks\), /a \(1 rank\)$'
like "and their arguments" "$report" '^  arguments +b 1 \(2 ranks\), a \(1 rank\)$'
like "in info" "$info" '^program +/b \(2 ranks\), /a \(1 rank\)$'
head_of "INSERT INTO thread_meta VALUES (0, 'program', '/b'), (1, 'program', '/b'), (0, 'arguments', '/b');"
like "one program" "$report" '^  program +/b$'
ok "its arguments are its name" test "$(grep -c '^  arguments' <<<"$report")" = 0
head_of "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 34)
	INSERT INTO thread(id, rank, number, complete) SELECT i, i, 0, 1 FROM n;
	INSERT INTO thread_meta SELECT id, 'program', '/p' || id FROM thread WHERE id >= 10;"
like "very many programs" "$(tr -s '\n ' ' ' <<<"$report")" '/p10 \(1 rank\), .*/p29 \(1 rank\), \.\.\. arguments'

ok "nothing was left out" test "$(grep -cE '^  (left out|stopped)' <<<"$report")" = 0
head_of "UPDATE recording SET masked = 1000 + thread_id;
	INSERT INTO thread_meta VALUES (0, 'only', 'MPI_*'), (1, 'only', 'MPI_*'), (0, 'except', '*probe*,get');"
like "what was left out" "$report" '^  left out +3,003 raw events by --only=MPI_\* --except=\*probe\*,get$'
head_of "INSERT INTO quality_kind VALUES ('size limit', 'warning', 'x', 'y');
	INSERT INTO quality(kind, severity, thread_id, count) VALUES ('size limit', 'warning', 1, 1);"
like "a full log" "$report" '^  stopped +1 of 4 ranks: its log was full$'

head_of "UPDATE recording SET event_cost_ns = NULL; UPDATE profile_total SET costed_calls = 0;"
like "no cost is known" "$report" '^  recording +cost not known: the logs do not tell what recording an event takes$'
ok "and no line is blamed" test "$(grep -c 'Mostly the cost' <<<"$report")" = 0
head_of "UPDATE recording SET event_cost_ns = NULL WHERE thread_id = 1;"
# 0.14 of 10 and 0.27 of 9
like "of one it is not" "$report" \
	"^  recording +cost about 2.2 % of the ranks' time \(worst: rank 2, 3.0 %\); of 1 rank not known$"
head_of "DELETE FROM recording WHERE thread_id > 0;"
like "of one only" "$report" "^  recording +cost about 1.4 % of the ranks' time$"
head_of "DELETE FROM recording;"
ok "nothing is known of recording" test "$(grep -c '^  recording' <<<"$report")" = 0
finish
