#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is worst, for people: every kind of finding says what happens, what to try, and which analysis shows more.
source "$TOP/tests/lib.sh"

for file in "$TOP"/tests/worked/*.run; do
	rm -rf "$TMP/run"
	"$O/tests/mkrun" "$file" "$TMP/run"
	imports "$TMP/run" -o "$TMP/run.db" --force 2>/dev/null
	sqlite3 "$TMP/run.db" "SELECT kind FROM wait_total" >>"$TMP/kinds"
	"$gaspdb" analyze worst --min-share=0 --limit=-1 --format=csv "$TMP/run.db" >"$TMP/worst" 2>/dev/null
	sqlite3 :memory: ".import --csv $TMP/worst w" \
		"SELECT iif('' IN (meaning, advice, more), 'untold ', 'told ') || kind FROM w" >>"$TMP/rows"
	sqlite3 :memory: ".import --csv $TMP/worst w" "SELECT DISTINCT more FROM w" | while read -r more; do
		# As a shell reads it
		eval "'$gaspdb' analyze $more '$TMP/run.db' --format=csv" 2>/dev/null | sed -n 2p | grep -q . || echo "$file: $more"
	done >>"$TMP/empty"
	[ "${file##*/}" != delays.run ] || cp "$TMP/run.db" "$TMP/delays.db"
done
is "no kind without words" "$(grep '^untold' "$TMP/rows" | sort -u)" ""
is "the analysis named has rows of it" "$(cat "$TMP/empty")" ""
is "all kinds of waiting were looked at" "$(sort -u "$TMP/kinds" | comm -23 - <(sed -n 's/^told //p' "$TMP/rows" | sort -u))" ""
ok "which are ten or more" test "$(sort -u "$TMP/kinds" | wc -l)" -ge 10
sed -n 's/^told //p' "$TMP/rows" | sort -u | while read -r kind; do
	"$gaspdb" compare "$TMP/run.db" "$TMP/run.db" --fail-if="finding:$kind>0" >/dev/null 2>&1 || echo "$kind"
done >"$TMP/kinds"
is "conditions of a comparison take all kinds" "$(cat "$TMP/kinds")" ""
like "the report names the command" "$(cd "$TMP" && "$gaspdb" report delays.db)" "^     see: gaspdb analyze barrier-wait delays.db$"
finish
