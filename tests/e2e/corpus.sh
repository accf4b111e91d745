#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What fuzzing began with and what it found (tests/fuzz/corpus): read to an end, with an exit status of ours.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
corpus=$TOP/tests/fuzz/corpus

# ends COMMAND...: by itself, with success, failure, or a loss
ends() {
	timeout 20 "$gaspdb" "$@" >out 2>err </dev/null
	case $? in
	0 | 1 | 3) ;;
	*) sed 's/^/# /' err && return 1 ;;
	esac
}

for file in "$corpus"/log/*; do
	rm -rf run run.db && mkdir run && cp "$file" run/node-100-0.gasplog
	cp "$corpus"/beside/* run
	ok "import of log ${file##*/}" ends import run -o run.db --force
	ok "info of log ${file##*/}" ends info run
	[ -e run.db ] && ok "report of it" ends report run.db
done
for file in "$corpus"/archive/*; do
	ok "import of archive ${file##*/}" ends import "$file" -o archive.db --force
	ok "info of archive ${file##*/}" ends info "$file"
done
"$TOP/tests/golden/make_db" good.db "$TOP/tests/golden/run.sql" 2>/dev/null
for file in "$corpus"/database/*; do
	cp "$file" hostile.db
	if [ "$(head -c 4 "$file")" = SQL: ]; then
		cp good.db hostile.db
		timeout 5 sqlite3 hostile.db "PRAGMA writable_schema = ON; $(tail -c +5 "$file" | tr -d '\0')" >/dev/null 2>&1
		ok "${file##*/} changes something" test "$(cksum <hostile.db)" != "$(cksum <good.db)"
	fi
	before=$(cksum <hostile.db)
	ok "report of database ${file##*/}" ends report hostile.db
	ok "page of database ${file##*/}" ends report hostile.db --html hostile.html
	ok "info of database ${file##*/}" ends info hostile.db
	analyze_all hostile.db >out 2>err
	is "analyses of database ${file##*/}" $? 0
	ok "compare of database ${file##*/}" ends compare good.db hostile.db
	ok "with itself, as a group" ends compare hostile.db hostile.db,hostile.db
	for query in .tables ".analyze worst" "SELECT * FROM events" "SELECT * FROM messages; SELECT * FROM sqlite_schema" \
		"SELECT count(*) FROM event JOIN event_arg ON event_arg.id / 64 = event.id" "INSERT INTO extra VALUES(1)" "DELETE FROM event"; do
		ok "shell of database ${file##*/}: $query" ends shell hostile.db "$query"
	done
	is "it is as it was" "$(cksum <hostile.db)" "$before"
done
finish
