#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Databases whose schema would do something, and such as may only be read: nothing is done, nothing is written.
source "$TOP/tests/lib.sh"
make_db=$TOP/tests/golden/make_db
mkdir "$TMP/db"
cd "$TMP/db" || exit 1
analyses=$("$gaspdb" --list=analyses)

# make NAME SQL: the golden run and that
make() { "$make_db" "$1.db" "$TOP/tests/golden/run.sql" <(echo "$2"); }
# state: all files of the folder, and what is in them
state() { sha256sum ./* ../loaded 2>/dev/null; }
# shows NAME SQL: exit status and stderr of the shell, and whether anything came out
shows() {
	local out
	out=$(timeout 20 "$gaspdb" shell "$1.db" "$2" 2>../err)
	echo "$? ${out:+text, }$(cat ../err)"
}

make plain ""
make pragma "CREATE VIEW v AS SELECT file FROM pragma_database_list;"
make extension "CREATE VIEW v AS SELECT load_extension('$TMP/extension.so') AS x;"
make tokenizer "CREATE VIEW v AS SELECT fts3_tokenizer('simple') AS x;"
make trigger "CREATE TABLE extra(a); CREATE VIEW v AS SELECT a FROM extra;
	CREATE TRIGGER t AFTER INSERT ON extra BEGIN INSERT INTO meta VALUES('owned', 1); END;
	CREATE TRIGGER i INSTEAD OF INSERT ON v BEGIN INSERT INTO meta VALUES('owned', 2); END;
	CREATE TRIGGER e AFTER DELETE ON event BEGIN INSERT INTO meta VALUES('owned', 3); END;"
for table in meta thread event profile; do
	make "for_$table" "ALTER TABLE $table RENAME TO other; CREATE VIEW $table AS SELECT file, load_extension('x') AS key FROM pragma_database_list;"
done
printf 'void sqlite3_extension_init(void) { __builtin_trap(); }\n' >"$TMP/extension.c"
${CC:-cc} -shared -fPIC -o "$TMP/extension.so" "$TMP/extension.c" 2>/dev/null
before=$(state)

is "a view of a pragma" "$(shows pragma 'SELECT * FROM v')" \
	'1 gaspdb: line 1: unsafe use of virtual table "pragma_database_list"'
is "a view that loads code" "$(shows extension 'SELECT * FROM v')" "1 gaspdb: line 1: unsafe use of load_extension()"
is "a view that makes a pointer of a number" "$(shows tokenizer 'SELECT * FROM v')" \
	"1 gaspdb: line 1: unsafe use of fts3_tokenizer()"
for statement in "INSERT INTO extra VALUES(1)" "INSERT INTO v VALUES(1)" "DELETE FROM event" "DELETE FROM main.event WHERE id = 1"; do
	is "triggers: $statement" "$(shows trigger "$statement")" \
		"1 gaspdb: line 1: not authorized; the shell only reads, and only this file"
done
is "a person may ask the pragma" "$("$gaspdb" shell --format=csv plain.db 'SELECT name FROM pragma_database_list WHERE seq = 0')" \
	$'name\nmain'

# What does not use them is as without them.
"$gaspdb" report plain.db >../expected 2>../expected.err
expected=$?
cp trigger.db all.db
sqlite3 all.db "$(for view in pragma extension tokenizer; do
	sqlite3 $view.db "SELECT replace(sql, ' v ', ' v_$view ') || ';' FROM sqlite_schema WHERE name = 'v'"
done)"
before=$(state)
"$gaspdb" report all.db >../out 2>../err
is "the report is as without them" "$? $(sed 's/all\.db/plain.db/' ../out | diff ../expected -) $(diff ../expected.err ../err)" \
	"$expected  "
bad=
for analysis in $analyses; do
	"$gaspdb" analyze "$analysis" plain.db >../a 2>../a.err
	status=$?
	"$gaspdb" analyze "$analysis" all.db >../b 2>../b.err
	{ [ $? = $status ] && cmp -s ../a ../b && cmp -s ../a.err ../b.err; } || bad+="$analysis "
done
is "so are the analyses" "$bad" ""
for table in meta thread event profile; do
	for command in report "analyze threads" "analyze profile" info "compare plain.db"; do
		# shellcheck disable=SC2086
		timeout 20 "$gaspdb" $command "for_$table.db" >../out 2>../err
		is "such a view for table $table: ${command% plain.db}" "$? $(wc -c <../out) $(sed "/^gaspdb: 'plain.db'/d; s/'$table\.[a-z_0-9]*'/COLUMN/" ../err)" \
			"1 0 gaspdb: 'for_$table.db' has no COLUMN: it is damaged or of another gaspdb; import the run again"
	done
done
is "nothing was written" "$(state)" "$before"
rm ./*.db

# --- a folder that nobody may write to, as another user ---
cp "$gaspdb" "$TMP/gaspdb"
make run ""
make wal ""
sqlite3 wal.db "PRAGMA journal_mode = wal" >/dev/null
chmod 755 "$TMP"
chmod 444 run.db wal.db
chmod 555 .
if [ "$(id -u)" != 0 ]; then
	nobody() { "$@"; }
elif setpriv --reuid=65534 --regid=65534 --clear-groups "$TMP/gaspdb" --version >/dev/null 2>&1; then
	nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent "$@"; }
else
	skip "a folder that nobody may write to" "no other user"
	finish
fi
is "nothing can be made there" "$(nobody touch new 2>/dev/null; ls)" $'run.db\nwal.db'
for db in run wal; do
	before=$(state)
	is "it can be read: $db" "$(nobody "$TMP/gaspdb" report $db.db 2>/dev/null | sed "s/$db\.db/plain.db/" | diff - ../expected)" ""
	is "by the shell" "$(nobody "$TMP/gaspdb" shell --format=csv $db.db 'SELECT count(*) AS n FROM event' 2>&1)" \
		"$(printf 'n\n%s' "$(sqlite3 -batch "file:run.db?immutable=1" 'SELECT count(*) FROM event')")"
	is "by analyze" "$(nobody "$TMP/gaspdb" analyze profile $db.db 2>&1 >/dev/null | grep -ci 'cannot\|unable')" 0
	is "and nothing is left beside it" "$(ls) $(state)" "run.db
wal.db $before"
done
chmod 755 .
finish
