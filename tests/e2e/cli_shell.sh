#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The shell without a terminal, and through one.
source "$TOP/tests/lib.sh"
db=$TMP/run.db
cat >"$TMP/fill.sql" <<'SQL'
INSERT INTO thread VALUES
	(0, 0, 0, 100, 100, 'node1', 'MPI', 0, 1000, 1, 1, 2, 'a.gasplog'),
	(1, 1, 0, 101, 101, 'node2', 'MPI', 0, 900, 1, 3, 3, 'b.gasplog');
SQL
"$TOP/tests/golden/make_db" "$db" "$TMP/fill.sql"
before=$(sha256sum <"$db")

is "SQL as an argument" "$("$gaspdb" shell --format=csv "$db" 'SELECT id, host FROM thread ORDER BY id')" \
	$'id,host\n0,node1\n1,node2'
is "SQL from stdin, over several lines, the last without semicolon" \
	"$(printf 'SELECT id\nFROM thread;\n-- a comment\nSELECT 2 AS two' | "$gaspdb" shell --format=csv "$db")" \
	$'id\n0\n1\ntwo\n2'
is "JSON" "$("$gaspdb" shell --format=json "$db" "SELECT 1 AS a, NULL AS b, 'x' AS c")" \
	$'[\n{"a": 1, "b": null, "c": "x"}\n]'
is "a table" "$("$gaspdb" shell "$db" "SELECT id, host FROM thread ORDER BY id")" \
	$'id  host\n--  -----\n 0  node1\n 1  node2'
is ".mode" "$(printf '.mode json\nSELECT 1 AS a;\n.mode' | "$gaspdb" shell "$db")" $'[\n{"a": 1}\n]\njson'
like ".tables" "$("$gaspdb" shell "$db" .tables)" "^thread +table +id, rank, number"
like ".schema shows the columns' meaning" "$("$gaspdb" shell "$db" '.schema gap')" "off \(gasp_control\), tool"
is ".analyze is analyze" "$("$gaspdb" shell --format=csv "$db" '.analyze threads')" \
	"$("$gaspdb" analyze --format=csv threads "$db")"
is ".analyze with a parameter" "$("$gaspdb" shell --format=csv "$db" '.analyze categories limit=1' | wc -l)" 2
is ".analyze with a value in quotes: the header" \
	"$("$gaspdb" shell --format=csv "$db" ".analyze avoidable-accesses  kind='repeated get' limit=1" | wc -l)" 1
like ".explain" "$("$gaspdb" shell "$db" '.explain SELECT * FROM event WHERE id = 1')" "SEARCH event USING INTEGER PRIMARY KEY"
is ".analyses lists all" "$("$gaspdb" shell --format=csv "$db" .analyses | wc -l)" \
	$(($("$gaspdb" --list=analyses | wc -l) + 1))
like ".help of an analysis" "$("$gaspdb" shell "$db" '.help profile')" "^columns:"
"$gaspdb" shell "$db" .help >"$TMP/help"
is ".help lists every command once" "$(grep -oE '^  \.[a-z]+' "$TMP/help" | sort | uniq -c | awk '$1 != 1')" ""
is "in groups" "$(grep -E '^[^ .]+.*:$' "$TMP/help" | tr '\n' ' ')" \
	"What there is, and analyses: How rows are shown: Files (not with --safe): The session: Functions that SQLite does not have: "
for command in $(grep -oE '^  \.[a-z]+' "$TMP/help"); do
	like ".help $command explains it" "$("$gaspdb" shell "$db" ".help $command" | head -1)" "^usage: $command( |$)"
	is "without its dot, too" "$("$gaspdb" shell "$db" ".help ${command#.}")" "$("$gaspdb" shell "$db" ".help $command")"
done
is ".help mode lists the modes" "$("$gaspdb" shell "$db" '.help mode' | sed -n 's/^  \([a-z]*\) .*/\1/p')" "$("$gaspdb" --list=formats)"
like ".help of a function" "$("$gaspdb" shell "$db" '.help stddev')" "^stddev\(X\): the sample standard deviation \(n - 1\)"
rm -f "$TMP/help"
is ".quit ends it" "$(printf '.quit\nSELECT 1;' | "$gaspdb" shell "$db")" ""
is "temporary views last for the session" \
	"$("$gaspdb" shell --format=csv "$db" "CREATE TEMP VIEW v AS SELECT count(*) AS n FROM thread; SELECT * FROM v")" \
	$'n\n2'

is "a mode by the beginning of its name" "$("$gaspdb" shell "$db" $'.mode col\n.mode')" column

# fails STATEMENT PATTERN: exit status 1, and stderr matches
fails() {
	local out
	out=$("$gaspdb" shell "$db" "$1" 2>&1 >/dev/null)
	is "'${1//$'\n'/ }' fails" "$?" 1
	like "'${1//$'\n'/ }' says why" "$out" "$2"
}
fails "SELECT * FROM nosuch" "line 1: no such table: nosuch"
fails $'SELECT id\nFROM thread\nWHERE x' "line 3: no such column: x"
fails 'SELECT "x"' "no such column: x"
fails "SELEC 1" 'near "SELEC": syntax error'
fails ".nothing" "there is no '.nothing'"
fails ".analyze nothing" "there is no analysis 'nothing'"
fails ".analyze categories limit=x" "invalid value 'x' for --limit"
fails ".analyze categories foo=1" "there is no parameter 'foo'"
fails ".mode xml" "no such mode as 'xml'; there are table csv json"
fails ".mode box --wrap x" "usage: .mode"
is "the first error ends a script" "$(printf 'SELECT x;\nSELECT 1;' | "$gaspdb" shell "$db" 2>/dev/null)" ""

# Nothing but this file can be read, and nothing changed.
denied='not authorized|denied|prohibited|may not be modified'
for statement in "DELETE FROM thread" "INSERT INTO meta VALUES('a', 1)" "UPDATE thread SET rank = 9" \
	"CREATE TABLE x(a)" "DROP TABLE thread" "ATTACH '$TMP/other.db' AS o" "VACUUM INTO '$TMP/copy.db'" \
	"PRAGMA user_version = 7" "PRAGMA writable_schema = 1" "PRAGMA journal_mode = wal" "ANALYZE" "REINDEX" \
	"SELECT load_extension('x')" "SELECT readfile('/etc/passwd')" "SELECT writefile('$TMP/x', 'y')" \
	"CREATE VIRTUAL TABLE temp.x USING fts5(a)" "PRAGMA temp_store_directory = '$TMP'" \
	"UPDATE sqlite_master SET sql = ''" "CREATE TEMP TRIGGER t AFTER INSERT ON thread BEGIN SELECT 1; END"; do
	fails "$statement" "$denied|no such function"
done
is "the file is as it was" "$(sha256sum <"$db")" "$before"
is "and nothing stands beside it" "$(ls "$TMP" | tr '\n' ' ')" "fill.sql run.db "

# A terminal of 24 rows, without the pager that there should be.
PAGER=/no/such/pager python3 - "$gaspdb" shell "$db" >"$TMP/screen" <<'PYTHON'
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if not pid:
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
for _ in range(2):
    os.write(terminal, b"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100) SELECT x FROM c;\n")
os.write(terminal, b".quit\n")
try:
    while chunk := os.read(terminal, 4096):
        sys.stdout.buffer.write(chunk)
except OSError:  # its other end is closed
    pass
os.waitpid(pid, 0)
PYTHON
is "a pager that is not there takes no output with it" \
	"$(tr -d '\r' <"$TMP/screen" | grep -cE '^ *(1|50|100)$') $(grep -c "gaspdb: there is no pager '/no/such/pager'" "$TMP/screen")" "6 1"
rm -f "$TMP/screen"

if ! command -v tmux >/dev/null; then
	skip "on a terminal" "no tmux"
	finish
fi
# A person at a terminal.
export TMUX_TMPDIR=$TMP
mkdir "$TMP/home"
printf -- '-- wrong\nSELECT nosuch;\n' >"$TMP/bad.sql"
trap 'tmux kill-server 2>/dev/null; rm -rf "$TMP"' EXIT
tmux -f /dev/null new-session -d -x 100 -y 24 -s gaspdb \
	"env HOME='$TMP/home' LC_ALL=C.UTF-8 PAGER= '$gaspdb' shell '$db'; echo status \$?; sleep 60"
screen() { tmux capture-pane -p -t gaspdb; }
# waits PATTERN: until the screen has it
waits() {
	for _ in $(seq 100); do
		screen | grep -qE -e "$1" && return
		sleep 0.1
	done
	screen | sed 's/^/# /'
	return 1
}
type_text() {
	local i
	for ((i = 0; i < ${#1}; i++)); do tmux send-keys -t gaspdb -H "$(printf '%02x' "'${1:i:1}")"; done
}
ok "it greets" waits 'run.db: 2 ranks, 1.0 us$'
greets() { # MODEL WORD
	cp "$db" "$TMP/$1.db"
	sqlite3 "$TMP/$1.db" "UPDATE thread SET model = '$1'"
	tmux new-window -t gaspdb "cd '$TMP' && HOME='$TMP/home' '$gaspdb' shell '$1.db'"
	ok "it greets with $2" waits "$1.db: 2 $2, 1.0 us$"
	tmux kill-window -t gaspdb
}
greets OpenSHMEM PEs
greets UPC threads
type_text "SELECT hos"
tmux send-keys -t gaspdb Tab
ok "TAB completes a column" waits 'gaspdb> SELECT host *$'
type_text " FROM thread"
tmux send-keys -t gaspdb Enter
ok "a statement goes on until its semicolon" waits '^   \.\.\.>'
type_text "WHERE id = 1;"
tmux send-keys -t gaspdb Enter
ok "and then runs" waits '^node2'
tmux send-keys -t gaspdb Up
ok "the history has it whole" waits '^WHERE id = 1;'
tmux send-keys -t gaspdb C-u C-l
type_text "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c;"
tmux send-keys -t gaspdb Enter
sleep 1
tmux send-keys -t gaspdb C-c
ok "Ctrl-C stops a query" waits 'gaspdb: interrupted'
type_text "SELECT 40 + 2;"
tmux send-keys -t gaspdb Enter
ok "and not the shell" waits '^ *42$'
tmux send-keys -t gaspdb C-l
type_text "SELECT 1"
waits 'SELECT 1$'
tmux send-keys -t gaspdb C-c
ok "Ctrl-C at the prompt is shown" waits '\^C'
type_text "SELECT 7 * 9;"
tmux send-keys -t gaspdb Enter
ok "Ctrl-C gives a line up" waits '^ *63$'
type_text "help;"
tmux send-keys -t gaspdb Enter
ok "help is .help" waits 'Ctrl-C stops a query'
tmux send-keys -t gaspdb C-l
type_text "SELECT n, n, n, n, n, n FROM (SELECT 1234567890123456789 AS n);"
tmux send-keys -t gaspdb Enter
ok "a row that is wider than the terminal takes a second line" waits '^    1234567890123456789  1234567890123456789$'
tmux send-keys -t gaspdb C-l
type_text ".analyze overlap by=t"
tmux send-keys -t gaspdb Tab
ok "TAB completes a parameter's value" waits '^gaspdb> .analyze overlap by=thread *$'
tmux send-keys -t gaspdb C-u
type_text ".param"
tmux send-keys -t gaspdb Tab
type_text "l"
tmux send-keys -t gaspdb Tab
ok "and commands, and theirs" waits '^gaspdb> .parameter list *$'
tmux send-keys -t gaspdb C-u
type_text ".mode mark"
tmux send-keys -t gaspdb Tab
ok "modes" waits '^gaspdb> .mode markdown *$'
tmux send-keys -t gaspdb C-u
type_text ".read $TMP/fi"
tmux send-keys -t gaspdb Tab
ok "files, where one is meant" waits "^gaspdb> .read $TMP/fill.sql *$"
tmux send-keys -t gaspdb C-u
type_text "SELECT med"
tmux send-keys -t gaspdb Tab
ok "functions" waits '^gaspdb> SELECT median *$'
tmux send-keys -t gaspdb C-u
type_text ".read $TMP/bad.sql"
tmux send-keys -t gaspdb Enter
ok "an error in a file has its place" waits "^gaspdb: $TMP/bad.sql:2: no such column: nosuch"
type_text "SELECT nosuch FROM thread;"
tmux send-keys -t gaspdb Enter
ok "what is typed is seen" waits "^gaspdb: no such column: nosuch"
tmux send-keys -t gaspdb C-u
tmux send-keys -t gaspdb C-d
ok "Ctrl-D leaves" waits '^status 0'
like "the history is kept" "$(cat "$TMP"/home/.gaspdb_history)" "^WHERE id = 1;"
finish
