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
	ok "import of log ${file##*/}" ends import run -o run.db --force
	ok "info of log ${file##*/}" ends info run
	[ -e run.db ] && ok "report of it" ends report run.db
done
for file in "$corpus"/archive/*; do
	ok "import of archive ${file##*/}" ends import "$file" -o archive.db --force
	ok "info of archive ${file##*/}" ends info "$file"
done
for file in "$corpus"/database/*; do
	cp "$file" hostile.db
	if [ "$(head -c 4 "$file")" = SQL: ]; then
		rm hostile.db
		"$TOP/tests/golden/make_db" hostile.db "$TOP/tests/golden/run.sql" 2>/dev/null
		timeout 5 sqlite3 hostile.db "$(tail -c +5 "$file" | tr -d '\0')" >/dev/null 2>&1
	fi
	ok "report of database ${file##*/}" ends report hostile.db
	ok "info of database ${file##*/}" ends info hostile.db
done
finish
