#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Databases from strangers: an error or escaped text, never a crash, a hang, or a command to the terminal.
# Long.
source "$TOP/tests/lib.sh"
make_db=$TOP/tests/golden/make_db
analyses=$("$gaspdb" --list=analyses)

# survives FILE [ANALYSES]: whatever reads it ends by itself, with an exit status of ours.  These analyses by the command, which
# limits the length of values; the others by the shell.
survives() {
	local command
	for command in report info compare "${2:-threads}"; do
		case $command in
		compare) ours "$command" timeout 60 "$gaspdb" compare "$1" "$1,$1" ;;
		report | info) ours "$command" timeout 60 "$gaspdb" $command "$1" ;;
		*) analyzed_by_command "$1" "$command" ;;
		esac || return 1
	done
	[ -n "${2-}" ] || analyze_all "$1" >>"$TMP/out" 2>>"$TMP/err" || { echo "# shell: exit status $?"; return 1; }
}
# ours WHAT COMMAND...: its exit status is
ours() {
	local status
	"${@:2}" >>"$TMP/out" 2>>"$TMP/err" </dev/null
	status=$?
	[ $status -le 1 ] || [ $status -eq 3 ] || { echo "# $1: exit status $status"; return 1; }
}
analyzed_by_command() {
	local analysis
	for analysis in $2; do
		ours "$analysis" timeout 60 "$gaspdb" analyze "$analysis" "$1" || return 1
	done
}
# What a terminal would obey, or must not show as if it were text
harmful() { LC_ALL=C grep -cP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' "$@"; }
# Columns of all tables: table, column, type
columns() {
	sqlite3 "$1" "SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_xinfo(t.name) c
		WHERE t.type = 'table' AND c.hidden = 0 ORDER BY 1, c.cid"
}

# A view where a table is expected
for view in "SELECT * FROM other" \
	"WITH RECURSIVE c(thread_id) AS (SELECT 1 UNION ALL SELECT thread_id + 1 FROM c) SELECT thread_id FROM c"; do
	"$make_db" "$TMP/view.db" <(echo "ALTER TABLE event RENAME TO other; CREATE VIEW event AS $view;")
	timeout 20 "$gaspdb" report "$TMP/view.db" >"$TMP/out" 2>"$TMP/err"
	is "a view for a table" "$? $(wc -c <"$TMP/out")" "1 0"
	like "is named" "$(cat "$TMP/err")" "'$TMP/view.db' (is not a sound|has no 'event)"
done
"$make_db" "$TMP/column.db" <(echo "ALTER TABLE passed DROP COLUMN tag;")
"$gaspdb" report "$TMP/column.db" 2>"$TMP/err"
is "a column that is missing" "$? $(cat "$TMP/err")" \
	"1 gaspdb: '$TMP/column.db' has no 'passed.tag': it is damaged or of another gaspdb; import the run again"
"$make_db" "$TMP/generated.db" <(echo "ALTER TABLE passed DROP COLUMN tag; ALTER TABLE passed ADD COLUMN tag INTEGER AS (1);")
"$gaspdb" report "$TMP/generated.db" 2>"$TMP/err"
is "a column that is computed" "$? $(cat "$TMP/err")" \
	"1 gaspdb: '$TMP/generated.db' is not a sound gaspdb database: 'passed' is not a plain table"
"$make_db" "$TMP/virtual.db" <(echo "DROP TABLE gap; CREATE VIRTUAL TABLE gap USING fts5(id, thread_id, kind, start_ns, end_ns);")
"$gaspdb" report "$TMP/virtual.db" 2>"$TMP/err"
is "a virtual table" "$?" 1
like "is told, with the file" "$(cat "$TMP/err")" "'$TMP/virtual.db'.*gap"

"$make_db" "$TMP/broken.db" <(echo "CREATE VIEW broken AS SELECT * FROM nosuch;")
timeout 20 "$gaspdb" shell "$TMP/broken.db" .tables >"$TMP/out" 2>"$TMP/err"
is "a view of a table that is gone: the others are listed" "$? $(grep -cE '^(broken|events|event|thread) ' "$TMP/out")$(cat "$TMP/err")" "0 4"
like "with their columns" "$(cat "$TMP/out")" "^thread +table +id, rank, number"

# A pipe that nobody writes to
mkfifo "$TMP/pipe"
for command in report shell "analyze profile" "compare $TMP/view.db"; do
	# shellcheck disable=SC2086
	timeout 20 "$gaspdb" $command "$TMP/pipe" >"$TMP/out" 2>"$TMP/err" </dev/null
	is "a pipe is no database: ${command%% *}" "$?" 1
done
like "which is told" "$("$gaspdb" report "$TMP/pipe" 2>&1)" "'$TMP/pipe' is not a gaspdb database"

# So are those that SQLite would look into; and a journal cannot be played back.
"$make_db" "$TMP/beside.db" /dev/null
for suffix in -journal -wal -shm; do
	[ $suffix != -shm ] || : >"$TMP/beside.db-wal"
	mkfifo "$TMP/beside.db$suffix"
	timeout 10 "$gaspdb" info "$TMP/beside.db" >"$TMP/out" 2>"$TMP/err"
	is "a pipe beside a database: $suffix" "$? $(cat "$TMP/err")" \
		"1 gaspdb: '$TMP/beside.db$suffix', which belongs to the database, is no regular file"
	rm "$TMP/beside.db$suffix"
done
rm "$TMP/beside.db-wal"
echo "what was written" >"$TMP/beside.db-journal"
timeout 10 "$gaspdb" info "$TMP/beside.db" >"$TMP/out" 2>"$TMP/err"
is "a journal beside a database" "$? $(cat "$TMP/err")" \
	"1 gaspdb: '$TMP/beside.db-journal' is left of a program that ended while it wrote '$TMP/beside.db': open that once with sqlite3"
rm "$TMP/beside.db-journal"

# Views that never end under our names: ours are used.
"$make_db" "$TMP/views.db" <(
	for view in $(sed -n 's/^CREATE VIEW \([a-z_]*\)[^ ]* .*/\1/p' "$TOP/sql/views.sql" "$TOP/sql/advice.sql"); do
		echo "DROP VIEW $view; CREATE VIEW $view AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c)
			SELECT count(*) AS source_id FROM c;"
	done
	for analysis in $analyses; do
		echo "CREATE VIEW analysis_${analysis//-/_} AS SELECT * FROM place;"
	done
)
ok "views that never end" survives "$TMP/views.db"

# Text that is none, in every column of text; the rest 0
"$make_db" "$TMP/text.db"
text=$(printf 'X\033]0;owned\007\033[2J\302\233\342\200\256\t%s' "$(printf 'y%.0s' $(seq 300))")
columns "$TMP/text.db" | awk -F'|' -v text="$text" '
	function flush() { if (table) printf "INSERT OR IGNORE INTO %s VALUES(%s);\n", table, values }
	$1 != table { flush(); table = $1; values = "" }
	{ values = values (values == "" ? "" : ", ") ($3 == "TEXT" || $3 == "ANY" ? "'\''" text "'\''" : "0") }
	END { flush() }' >"$TMP/text.sql"
sqlite3 "$TMP/text.db" <"$TMP/text.sql"
: >"$TMP/out" >"$TMP/err"
ok "text with commands to the terminal" survives "$TMP/text.db" "$analyses"
is "none of which comes out" "$(harmful "$TMP/out") $(harmful "$TMP/err")" "0 0"
like "but is shown" "$(cat "$TMP/out")" 'X\\x1b\]0;owned\\x07\\x1b\[2J\\u\{9b\}'
is "nor from the shell" "$("$gaspdb" shell "$TMP/text.db" 'SELECT * FROM thread; SELECT * FROM meta' | harmful)" 0
"$gaspdb" analyze --format=json threads "$TMP/text.db" >"$TMP/out" 2>/dev/null
is "JSON of it is JSON" "$(sqlite3 :memory: "SELECT json_valid(CAST(readfile('$TMP/out') AS TEXT))")" 1

# Text without end: the file is refused; of what is shown of shorter ones, a person's query may make more.
"$make_db" "$TMP/long.db" "$TOP/tests/golden/run.sql" <(echo "UPDATE operation SET name = replace(hex(zeroblob(2000000)), '0', 'n');")
for command in report "analyze profile" "compare $TMP/long.db"; do
	# shellcheck disable=SC2086
	timeout 20 "$gaspdb" $command "$TMP/long.db" >"$TMP/out" 2>"$TMP/err"
	is "names of 4 MB: ${command%% *}" "$? $(grep -c "'$TMP/long.db'.* too big" "$TMP/err")" "1 1"
done
is "but a query of the shell may" "$(timeout 20 "$gaspdb" shell --format=csv "$TMP/long.db" "SELECT max(length(name)) FROM operation" |
	tail -n 1 | tr -d '\r')" 4000000
"$make_db" "$TMP/long.db" "$TOP/tests/golden/run.sql" <(echo "UPDATE source SET file = replace(hex(zeroblob(200000)), '0', 'f');")
ok "files' names of 400 KB" survives "$TMP/long.db" "$analyses"

# A generated column in place of a plain one
"$make_db" "$TMP/generated.db" "$TOP/tests/golden/run.sql" <(echo "DROP TABLE gap; CREATE TABLE gap(thread_id INTEGER, kind TEXT,
	start_ns INTEGER, end_ns INTEGER AS (abs(-9223372036854775807 - 1)));")
"$gaspdb" report "$TMP/generated.db" >"$TMP/out" 2>"$TMP/err"
is "a generated column" "$? $(cat "$TMP/err")" "1 gaspdb: '$TMP/generated.db' is not a sound gaspdb database: 'gap' is not a plain table"

# One that is computed of others
"$make_db" "$TMP/generated.db" "$TOP/tests/golden/run.sql" <(echo "DROP TABLE event_arg; CREATE TABLE event_arg(id INTEGER PRIMARY KEY,
	argument_id INTEGER, value AS (id >> 5));")
"$gaspdb" report "$TMP/generated.db" >"$TMP/out" 2>"$TMP/err"
is "another generated column" "$? $(cat "$TMP/err")" "1 gaspdb: '$TMP/generated.db' is not a sound gaspdb database: 'event_arg' is not a plain table"

# Numbers of any size in every column of numbers
for number in 9223372036854775807 -9223372036854775808 -1 4611686018427387904 1; do
	"$make_db" "$TMP/number.db"
	columns "$TMP/number.db" | awk -F'|' -v n=$number '
		function flush() { if (table) printf "INSERT OR IGNORE INTO %s VALUES(%s);\n", table, values }
		$1 != table { flush(); table = $1; values = "" }
		{ values = values (values == "" ? "" : ", ") ($3 == "TEXT" ? "'\''x'\''" : $3 == "REAL" ? "1e308" : n) }
		END { flush() }' | sqlite3 "$TMP/number.db"
	ok "every number is $number" survives "$TMP/number.db"
done

# Damage: bytes changed, the end cut off.  The version, in the first 100, stays, so that there is something to read.
python3 - "$TMP/number.db" "$TMP/damaged" <<'PYTHON'
import random, sys
base, to = sys.argv[1:]
random.seed(1)
for i in range(1, 26):
    data = bytearray(open(base, "rb").read())
    if i % 5 == 0:
        data = data[:len(data) * i // 30]
    else:
        for _ in range(40):
            data[random.randrange(100, len(data))] = random.randrange(256)
    open(f"{to}.{i}", "wb").write(data)
PYTHON
bad=0
for i in {1..25}; do
	mv "$TMP/damaged.$i" "$TMP/damaged.db"
	for command in report info; do
		timeout 20 "$gaspdb" $command "$TMP/damaged.db" >"$TMP/out" 2>&1
		status=$?
		[ $status -le 1 ] || [ $status -eq 3 ] || { echo "# $i: $command: exit status $status"; bad=$((bad + 1)); }
		[ "$(harmful "$TMP/out")" = 0 ] || { echo "# $i: $command: harmful output"; bad=$((bad + 1)); }
	done
done
is "damaged files" "$bad" 0
finish
