#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What commands print of tests/golden/run.sql, against tests/golden/NAME.expected.  The figures in these were checked by
# hand; `make golden` (GOLDEN_UPDATE=1) rewrites them: look at the difference.
source "$TOP/tests/lib.sh"
golden=$TOP/tests/golden
"$golden/make_db" "$TMP/run.db" "$golden/run.sql" || exit 1
cd "$TMP" || exit 1

# golden NAME COMMAND...: stdout, then what stderr says
golden() {
	local name=$1
	shift
	{ "$@" 2>err; } >"$name.got"
	[ ! -s err ] || { echo "--- stderr"; cat err; } >>"$name.got"
	if [ -n "${GOLDEN_UPDATE-}" ]; then
		cp "$name.got" "$golden/$name.expected"
	fi
	if diff -u "$golden/$name.expected" "$name.got" >difference; then
		ok "$name" true
	else
		sed 's/^/# /' difference
		ok "$name" false
	fi
}

golden report "$gaspdb" report run.db
# The size is SQLite's affair.
golden info sh -c '"$0" info run.db | sed "/^size/d"' "$gaspdb"
golden analyze-table "$gaspdb" analyze waits run.db
golden analyze-csv "$gaspdb" analyze messages run.db --format=csv
golden analyze-json "$gaspdb" analyze comm-matrix run.db --format=json
golden analyze-parameter "$gaspdb" analyze waits run.db --format=csv --min-wait=800ms
golden analyze-nothing "$gaspdb" analyze fine-grained run.db --format=csv
golden shell-table "$gaspdb" shell run.db 'SELECT event_id, thread_id, operation, location, start_s, duration_s, bytes, direction FROM events'
ok "the report fits 100 columns" awk 'length > 100 { exit 1 }' report.got
long=$(printf 'd%.0s' $(seq 100))
mkdir "$long" && cp run.db "$long"
ok "also for a file with a long name" awk 'length > 100 { exit 1 }' <("$gaspdb" report "$long/run.db")
ok "CSV has a header and a record a row, and nothing else" \
	test "$("$gaspdb" analyze profile run.db --format=csv 2>/dev/null | sqlite3 :memory: \
		'.mode csv' '.import /dev/stdin t' 'SELECT count(*) FROM t')" = 9
finish
