#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What who knows sqlite3 types into the shell, compared with sqlite3 byte by byte where that has it.
source "$TOP/tests/lib.sh"
export LC_ALL=C.UTF-8
db=$TMP/run.db
"$TOP/tests/golden/make_db" "$db" "$TOP/tests/golden/run.sql"
before=$(sha256sum <"$db")
sqlite3 "$TMP/other.db" "CREATE TABLE x(a)"
mkdir "$TMP/work"
cd "$TMP/work" || exit 1
# shell COMMANDS: their output, and what is wrong with them, as lines
shell() { "$gaspdb" shell --format=list "$db" "$1" 2>&1; }

# --- modes ---
cat >queries.sql <<'SQL'
SELECT 1 AS a, 'héllo' AS longname, NULL AS c UNION ALL SELECT 2.5, 'it''s', 'x' UNION ALL SELECT NULL, 'Grüße – ½ €', -7;
SELECT 1e21 AS a, 0.1 AS b, 1 / 3.0 AS c, 123456789012345678 AS d, 100.0 AS e, 9e999 AS f;
SELECT 1 AS n, replace(hex(zeroblob(45)), '00', 'lang ') AS long, 'tail' AS t UNION ALL SELECT 22, NULL, 'y';
SELECT replace(hex(zeroblob(60)), '0', 'ü') AS umlauts;
SELECT 5 AS x WHERE 0;
SELECT '' AS "", 1 AS "a b";
SELECT 'two
lines' AS a, 1 AS b UNION ALL SELECT 'x', 2;
SELECT 'a	tab' AS a, char(13, 10) AS b, 'an end
' AS c, 'of

three' AS d;
SELECT 1 AS "a name that is longer than the sixty columns to which texts of these modes are broken";
SQL
# as_sqlite3 COMMANDS: these, and the queries, do the same in both shells
as_sqlite3() {
	{ printf '%s\n' "$1" && cat queries.sql; } >in.sql
	sqlite3 -batch "$TMP/other.db" <in.sql >expected
	"$gaspdb" shell "$db" <in.sql >out
	is "as sqlite3: ${1//$'\n'/, }" "$(wc -c <out) $(cmp expected out 2>&1)" "$(wc -c <expected) "
}
for mode in line box markdown column list tabs quote; do
	for headers in "" $'\n.headers on' $'\n.headers off'; do
		for width in "" $'\n.width 5 -8 0' $'\n.width 3 4 -5 6'; do
			as_sqlite3 ".mode $mode$headers$width"
		done
	done
	header=
	[ $mode = column ] && header=-header # as with .mode column
	sqlite3 -batch $header -$mode "$TMP/other.db" "SELECT 'é' AS a, NULL AS b, printf('%.*c', 90, 'x') AS c" >expected 2>/dev/null ||
		continue # it has no such option
	is "as sqlite3: --format=$mode" \
		"$("$gaspdb" shell --format=$mode "$db" "SELECT 'é' AS a, NULL AS b, printf('%.*c', 90, 'x') AS c")" "$(cat expected)"
done
as_sqlite3 ".mode box --wrap 20"
as_sqlite3 ".mode columns"
is "analyze writes in them, too" "$("$gaspdb" analyze threads "$db" --format=quote 2>/dev/null)" \
	"$("$gaspdb" shell "$db" $'.mode quote\nSELECT * FROM analysis_threads')"
is ".headers of a table" "$("$gaspdb" shell "$db" $'.headers off\nSELECT 1 AS a, 22 AS b')" "1  22"
is ".headers of CSV" "$("$gaspdb" shell --format=csv "$db" $'.headers 0\nSELECT 1 AS a, 22 AS b')" "1,22"
is ".headers on for a list" "$(shell $'.header ON\nSELECT 1 AS a, 22 AS b')" $'a|b\n1|22'
is ".width of a table" "$("$gaspdb" shell "$db" $'.width 8 -6\nSELECT \'abcdefghijkl\' AS a, \'x\' AS b')" \
	$'a              b\n--------  ------\na...ijkl       x'
is ".width alone takes it back" "$("$gaspdb" shell "$db" $'.width 8 -6\n.width\nSELECT 1 AS a, 2 AS b')" $'a  b\n-  -\n1  2'
is "on a terminal a box fits" "$(on_terminal 60 "$gaspdb" shell --format=box "$db" "SELECT * FROM thread" | wc -L)" \
	"$(on_terminal 400 "$gaspdb" shell --format=box "$db" "SELECT * FROM thread" | wc -L)"
is "if that suffices" "$(on_terminal 60 "$gaspdb" shell --format=box "$db" "SELECT sql FROM sqlite_schema" | wc -L)" 60
is "there nothing acts on it" "$(on_terminal 60 "$gaspdb" shell --format=list "$db" "SELECT char(27, 10) || 'x'")" '\x1b\nx'

# --- .once, .output ---
is ".once is for one output" "$(shell $'.once one\n.mode csv\nSELECT 1 AS a;\nSELECT 2 AS a;') $(cat one)" $'a\n2 a\n1'
is ".once for the statements of a line" "$(shell $'.once one\nSELECT 1; SELECT 2;\nSELECT 3;') $(cat one)" $'3 1\n2'
is ".once of a dot-command" "$(shell $'.once one\n.analyses\nSELECT 3;') $(wc -l <one)" "3 $("$gaspdb" --list=analyses | wc -l)"
is ".output is for all of it" "$(shell $'.output two\nSELECT 1;\n.mode\nSELECT 2;\n.output\nSELECT 3;') $(cat two)" $'3 1\nlist\n2'
is ".output without .output at the end" "$(shell $'.output "two words"\nSELECT 1') $(cat 'two words')" " 1"
is ".output off" "$(shell $'.output off\nSELECT 1;\n.output stdout\nSELECT 2;')" 2
is "a command" "$(shell $'.once |tr 1 "x"; echo done\nSELECT 11; SELECT 12;\nSELECT 13;')" $'xx\nx2\ndone\n13'
is "one that reads little" "$(shell $'.once |head -1\nWITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000) SELECT x FROM c;
	SELECT 5;')" $'1\n5'
is "files have the bytes of a text" "$(shell $'.once one\nSELECT char(27)') $(od -An -tx1 one)" "  1b 0a"
is "neither terminal nor file knows of the other" "$(on_terminal 60 "$gaspdb" shell "$db" \
	$'.once one\nSELECT sql FROM sqlite_schema;\nSELECT char(27) AS x' | tail -1) $(wc -L <one)" \
	"\\x1b $("$gaspdb" shell "$db" 'SELECT sql FROM sqlite_schema' | wc -L)"
is "a file that cannot be made" "$(shell $'.output /no/such/file\nSELECT 1') $?" \
	"gaspdb: line 1: cannot write '/no/such/file': No such file or directory 1"
for command in once output; do
	is "a full disk: .$command" "$(shell ".$command /dev/full"$'\nSELECT 1;\nSELECT 2') $?" \
		"gaspdb: line 2: cannot write '/dev/full': No space left on device 1"
done
is "a full disk, at the end" "$(shell $'.output /dev/full\nWITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000)
	SELECT x FROM c') $?" "gaspdb: line 3: cannot write '/dev/full': No space left on device 1"

# --- .read ---
printf 'SELECT 1;\nSELECT\n2; -- no semicolon follows\nSELECT 3' >good.sql
printf '.read good.sql\n\nSELECT\n  nosuch FROM thread;\nSELECT 4;\n' >bad.sql
printf '.read bad.sql\n' >outer.sql
printf 'SELECT 1;\n.read loop.sql\n' >loop.sql
printf 'SELECT 1;\n.quit\nSELECT 2;\n' >quit.sql
printf '.nothing\n' >dot.sql
is ".read runs a file" "$(shell $'.read good.sql\nSELECT 5')" $'1\n2\n3\n5'
is "a command" "$(shell $'.read |printf "SELECT 6;"')" 6
is "an error names file and line" "$(shell '.read outer.sql' | sed -n '4,5p')" \
	$'gaspdb: bad.sql:4: no such column: nosuch\n    nosuch FROM thread;'
is "and ends it all" "$(shell $'.read outer.sql\nSELECT 7' | tail -1) $?" "    ^ 0"
is "so does one of a dot-command" "$(shell '.read dot.sql')" "gaspdb: dot.sql:1: there is no '.nothing'; '.help' lists what there is"
is "a file that reads itself" "$(shell '.read loop.sql' | tail -1) $(shell '.read loop.sql' | grep -c '^1$')" \
	"gaspdb: loop.sql:2: files that read files are 25 deep: does one read itself? 25"
is ".quit ends the file" "$(shell $'.read quit.sql\nSELECT 8')" $'1\n8'
is ".exit ends all" "$(sed -i s/quit/exit\ 3/ quit.sql && shell $'.read quit.sql\nSELECT 8') $(shell '.exit 3' || echo $?)" "1 3"
is "a file that is not there" "$(shell $'SELECT 1;\n.read nothing' | tail -1)" "gaspdb: line 2: cannot open 'nothing': No such file or directory"
is "a folder" "$(shell $'.read /')" "gaspdb: line 1: cannot read '/'"

# --- --safe ---
rm -f one two
for command in ".once one" ".output one" ".output" ".output |touch one" ".once |touch one" ".read good.sql" ".read |touch one" ".out one"; do
	out=$("$gaspdb" shell --safe "$db" "$command"$'\nSELECT 1' 2>&1)
	like "--safe refuses $command" "$? $out" "^1 gaspdb: line 1: '\.(once|output|read)' is refused, as --safe asks for$"
done
is "nothing came of it" "$(ls one two 2>/dev/null)" ""
is "--safe refuses no SQL" "$("$gaspdb" shell --safe --format=list "$db" $'.parameter set :x 1\nSELECT :x')" 1

# --- .parameter ---
cat >in.sql <<'SQL'
.param list
.param set :x 5
.param set @y abc
.param set $z "'5'"
.param set :word "(SELECT 7)"
.param list
SELECT :x, @y, $z, typeof($z), :word, :nope, ?9, typeof(:x);
.param unset :x
.param unset :nope
.param list
.param set ?1 77
.param set :t "it's"
SELECT :plain, ?1, ?, :t;
.param clear
.param list
.param init
.param list
INSERT INTO temp.sqlite_parameters VALUES('$k', 2.5);
SELECT * FROM temp.sqlite_parameters;
SELECT $k;
SQL
is ".parameter, as sqlite3" "$("$gaspdb" shell --format=list "$db" <in.sql)" "$(sqlite3 -batch "$TMP/other.db" <in.sql)"
is "a value of the database" "$(shell $'.parameter set :most "(SELECT max(id) FROM thread)"\nSELECT :most = max(id) FROM thread')" 1
is "a name without its sign" "$(shell $'.param set x 3\n.param set @x 4\nSELECT :x, @x, $x')" "3|4|3"
like "a parameter without a value" "$(shell '.param set :x')" "^gaspdb: line 1: usage: .parameter set NAME VALUE"
like "a value of several words" "$(shell '.param set :x a b')" "^gaspdb: line 1: usage: .parameter set NAME VALUE"

# --- names ---
is ".tables of LIKE: those that only analyses are made of come last" "$(shell '.tables thread%' | cut -d'|' -f1 | tr '\n' ' ')" \
	"thread thread_meta threads thread_bin thread_computation thread_wait_bin "
is ".tables" "$(shell .tables | cut -d'|' -f1 | grep -cx 'event\|events\|analysis_waits\|event_piece\|loss')" 3
is ".tables --all" "$(shell '.tables --all' | cut -d'|' -f1 | sort)" \
	"$(shell "SELECT name FROM (SELECT name, type FROM sqlite_schema UNION SELECT name, type FROM sqlite_temp_schema)
		WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'" | sort)"
is "what is internal comes last" "$(shell '.tables --all' | cut -d'|' -f1 | grep -nx 'waits\|event_piece' | cut -d: -f2 | xargs)" \
	"waits event_piece"
is ".tables of GLOB" "$(shell '.tables T?read[s]' | cut -d'|' -f1)" threads
is ".tables of one" "$(shell '.tables GAP' | cut -d'|' -f1)" gap
for pattern in event 'wait%' 'gap' 'thread_*' 'METa'; do
	is ".schema $pattern, as sqlite3" "$(shell ".schema $pattern" | grep -E '^CREATE' | sed 's/(.*//' | sort)" \
		"$(sqlite3 "$db" ".schema $pattern" | grep -E '^CREATE' | sed 's/(.*//' | sort)"
done
# means NAME STATEMENT: that is proposed
means() {
	out=$(shell "$2")
	is "'$2': $1 is proposed" "$(grep -o "did you mean '.*'?" <<<"$out")" "did you mean '$1'?"
}
means event "SELECT * FROM evnt"
means messages "SELECT * FROM mesages"
means analysis_hot_lines "SELECT * FROM hot_lines"
means event "SELECT 1 FROM main.evnt"
means start_ns "SELECT star_ns FROM event"
means duration_ns "SELECT duratoin FROM event"
means duration_ns "SELECT e.duration FROM event AS e JOIN thread AS t ON t.id = e.thread_id"
means host "SELECT hst FROM thread"
means host ".explain SELECT hst FROM thread"
means median "SELECT mediann(id) FROM thread"
means event ".schema evnt"
means event ".tables evnt"
means .tables .tabels
means .headers ".haeders on"
is "of a table's columns, not of another's" "$(shell 'SELECT duration FROM thread' | grep -c 'did you mean')" 0
is "nothing is proposed where nothing is near" "$(shell 'SELECT * FROM nosuch')" "gaspdb: line 1: no such table: nosuch"
is "a command's name cut short" "$(shell '.tab gap' | cut -d'|' -f1)" gap
is "too short" "$(shell .he)" "gaspdb: line 1: '.he' may be .headers, .help"

# --- functions ---
is "median, stddev" "$(shell 'SELECT median(x), stddev(x) FROM (SELECT 1 AS x UNION ALL SELECT 3)')" "2.0|1.4142135623731"
is "in a temporary view" "$(shell 'CREATE TEMP VIEW v AS SELECT median(column1) AS m FROM (VALUES (1), (9)); SELECT m FROM v')" 5.0
cp "$db" "$TMP/view.db"
sqlite3 "$TMP/view.db" "CREATE VIEW v AS SELECT median(id) AS m FROM thread"
is "not in one that is stored" "$("$gaspdb" shell "$TMP/view.db" 'SELECT * FROM v' 2>&1)" "gaspdb: line 1: unsafe use of median()"
is "no view uses them" "$(sqlite3 "$db" "SELECT name FROM sqlite_schema WHERE sql LIKE '%median(%' OR sql LIKE '%stddev(%'")" ""
is "the file is as it was" "$(sha256sum <"$db")" "$before"
finish
