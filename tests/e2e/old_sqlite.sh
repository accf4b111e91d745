#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Databases open in SQLite 3.26, and in a browser's of 2019: each stored view gives the rows that today's sqlite3 finds in it.
# (test_schema holds the dialect everywhere.)
# Long.
source "$TOP/tests/lib.sh"
old=$O/old-sqlite # what npm's registry has, kept

# fetch PACKAGE: its tarball, unpacked to $old/PACKAGE
fetch() {
	[ -d "$old/$1" ] && return
	mkdir -p "$old" && (cd "$TMP" && timeout 120 npm pack --silent "$1" >/dev/null 2>&1) || return
	mkdir "$old/$1" && tar xzf "$TMP/${1/@/-}.tgz" -C "$old/$1" --strip-components=1
}
if ! command -v npm >/dev/null || ! fetch sqlite3@4.0.6 || ! fetch sql.js@1.0.0; then
	skip "SQLite 3.26" "npm is not here, or reaches no registry"
	finish
fi
if [ ! -x "$old/sqlite3" ]; then
	tar xzf "$old/sqlite3@4.0.6/deps/sqlite-autoconf-3260000.tar.gz" -C "$TMP"
	(cd "$TMP/sqlite-autoconf-3260000" && ${CC:-cc} -O0 -w -o "$old/sqlite3" shell.c sqlite3.c -lpthread -ldl -lm)
fi
like "it is 3.26" "$("$old/sqlite3" --version)" '^3\.26\.0 '

examples=(delays lock memory windows_post signals)
for name in "${examples[@]}"; do
	rm -rf "$TMP/run"
	"$O/tests/mkrun" "$TOP/tests/worked/$name.run" "$TMP/run"
	"$gaspdb" import "$TMP/run" -o "$TMP/$name.db" 2>/dev/null
	views=$(sqlite3 "$TMP/$name.db" "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
	for view in $views; do
		printf ".print '%s'\nSELECT * FROM %s;\n" "$view" "$view"
	done >"$TMP/views.sql"
	sqlite3 -batch -quote "$TMP/$name.db" <"$TMP/views.sql" >"$TMP/now" 2>&1
	"$old/sqlite3" -batch -quote "$TMP/$name.db" <"$TMP/views.sql" >"$TMP/then" 2>&1
	ok "$name: views have rows" test "$(wc -l <"$TMP/now")" -gt $((2 * $(wc -w <<<"$views")))
	is "$name: each view has the same rows in 3.26" "$(diff "$TMP/now" "$TMP/then")" ''
	sqlite3 -batch "$TMP/$name.db" "SELECT '.print ' || name || char(10) || sql || ';' FROM analysis WHERE min_sqlite = '3.26'" \
		>"$TMP/analyses.sql"
	ok "$name: there are analyses for it" grep -q '^\.print matching$' "$TMP/analyses.sql"
	is "$name: and so have these" "$("$old/sqlite3" -batch -quote "$TMP/$name.db" <"$TMP/analyses.sql" 2>&1)" \
		"$(sqlite3 -batch -quote "$TMP/$name.db" <"$TMP/analyses.sql" 2>&1)"
	is "$name: it is whole" "$("$old/sqlite3" "$TMP/$name.db" 'PRAGMA integrity_check; PRAGMA foreign_key_check')" ok
	for view in $views; do
		echo "SELECT '$name $view ' || count(*) FROM $view;"
	done | sqlite3 -batch "$TMP/$name.db" >>"$TMP/counts"
done
# It takes seconds to start.
is "sql.js counts the same rows" "$(node - "$old/sql.js@1.0.0/dist/sql-wasm.js" "$TMP" "${examples[@]}" 2>"$TMP/err" <<'JS'
const [, , library, folder, ...names] = process.argv;
require(library)().then(SQL => {
	for (const name of names) {
		const db = new SQL.Database(require("fs").readFileSync(`${folder}/${name}.db`));
		const [{ values }] = db.exec("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name");
		for (const [view] of values) {
			const [rows] = db.exec(`SELECT * FROM ${view}`);
			console.log(name, view, rows ? rows.values.length : 0);
		}
	}
});
JS
)" "$(cat "$TMP/counts")"
finish
