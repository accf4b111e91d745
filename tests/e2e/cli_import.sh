#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb import and info as commands: names, exit statuses, what is told of damage.
source "$TOP/tests/lib.sh"
killed=$O/programs/gasp_killed
cd "$TMP" || exit 1
# run NAME N HOW: a run directory of one thread that allocated N times and ended like that
run() { "$gaspdb" record -o "$1" -- "$killed" "$2" "$3" 2>/dev/null; }

run whole 100 none
"$gaspdb" info whole >out 2>err
is "info of a whole run" "$? $(wc -c <err)" "0 0"
# 100 allocations and main, a start and an end each
like "tells its events" "$(cat out)" "^logs +1, .*, 202 raw events$"
like "and its command" "$(cat out)" "^command +$killed 100 none$"
like "and its log" "$(cat out)" " 202 +[0-9,]+ +[0-9,.]+ +whole +[^ ]*\.gasplog$"

"$gaspdb" import whole/ >out 2>err
is "import" "$? $(wc -c <out)" "0 0"
is "ends with what to type next" "$(tail -1 err)" "gaspdb: next: gaspdb report whole.db"
like "says what it did, in a line" "$(head -1 err)" "^gaspdb: whole.db: 1 thread, 101 events \(202 raw\), .* in [0-9.]+ m?s \([0-9.]+ [mu]?s for analyses, [0-9,]+ raw events/s\)$"
is "the database is named after the run" "$(sql whole.db 'SELECT count(*) FROM event')" 101
"$gaspdb" import whole 2>err
is "an existing database is refused" "$? $(grep -c next: err)" "1 0"
like "and named" "$(cat err)" "'whole.db'.*exists"
"$gaspdb" import --force whole 2>/dev/null
is "unless it is to be replaced" "$?" 0
"$gaspdb" import whole -o other.db 2>/dev/null
is "-o" "$? $(sql other.db 'SELECT count(*) FROM event')" "0 101"
(cd whole && "$gaspdb" import . 2>/dev/null)
is "'.' has the folder's name" "$? $(ls ./*.db | tr '\n' ' ')" "1 ./other.db ./whole.db "
rm whole.db
(cd whole && "$gaspdb" import . 2>/dev/null)
is "beside the folder" "$? $(ls ./*.db | tr '\n' ' ')" "0 ./other.db ./whole.db "
"$gaspdb" info whole.db >out 2>err
is "info of a whole database" "$? $(wc -c <err)" "0 0"
like "tells its events" "$(cat out)" "^events +101$"

run killed 50 KILL
is "record tells the signal" "$?" 137
"$gaspdb" info killed >out 2>err
is "info of a killed run" "$?" 3
like "says what is wrong" "$(cat err)" "^gaspdb: .*\.gasplog: no end block at byte [0-9]+: "
"$gaspdb" import killed 2>err
is "import of a killed run" "$? $(sql killed.db 'SELECT count(*) FROM event')" "3 51"
like "says what is lost" "$(cat err)" "^gaspdb: [^ ]*\.gasplog: no end block at byte [0-9]+: "
is "and ends with what to type next" "$(tail -1 err)" "gaspdb: next: gaspdb report killed.db"
"$gaspdb" info killed.db >/dev/null 2>err
is "info of its database" "$? $(cat err)" "3 gaspdb: no end block: 1"
for input in killed killed.db; do
	"$gaspdb" info $input >/dev/full 2>/dev/null
	is "info of $input that nobody gets is not done" "$?" 1
done
ok "the report says it" grep -q "no end block" <("$gaspdb" report killed.db)

cp -r whole cut && truncate -s -20 cut/*.gasplog
"$gaspdb" info cut >/dev/null 2>err
is "a cut log" "$?" 3
cp -r whole garbage && echo garbage >garbage/x.gasplog
"$gaspdb" info garbage >out 2>err
is "a log that is none" "$?" 3
like "is named" "$(cat err)" "^gaspdb: x.gasplog: unreadable log: not a gaspdb log$"
run second 10 none && cp second/*.gasplog whole/
"$gaspdb" info whole >/dev/null 2>err
is "a log of another run" "$?" 3
like "is named" "$(cat err)" "^gaspdb: [^ ]*: log of another run at byte "

for what in nothing /etc/passwd; do
	"$gaspdb" import $what -o none.db 2>err
	is "import $what" "$? $(ls none.db* 2>/dev/null)" "1 "
	like "names it" "$(cat err)" "'$what'"
done
mkdir empty
"$gaspdb" import empty 2>err
is "an empty folder" "$? $(ls empty.db* 2>/dev/null)" "1 "
"$gaspdb" import killed -o no/such/folder.db 2>err
is "a folder that is not there" "$?" 1
like "is named" "$(cat err)" "'no/such/folder.db"
# An empty log beside a good one: the good one is not to blame.
cp -r garbage beside && mv beside/x.gasplog beside/a-1-0.gasplog && : >beside/a-1-0.gasplog
"$gaspdb" info beside >/dev/null 2>err
is "info of a run with an empty log" "$? $(grep -c 'another run' err) $(grep -c 'a-1-0.gasplog: no end block: its process was killed' err)" "3 0 1"

finish
