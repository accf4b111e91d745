#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is worst, for people: every kind of finding says what happens, what to try, and which analysis shows more.
# Long.
source "$TOP/tests/lib.sh"

# is_new KIND...: was one of them not found in two runs yet?
declare -A found
is_new() {
	local kind new=1
	for kind; do
		found[$kind]=$((${found[$kind]:-0} + 1))
		[ "${found[$kind]}" -gt 2 ] || new=0
	done
	return $new
}

for file in "$TOP"/tests/worked/*.run; do
	rm -rf "$TMP/run"
	"$O/tests/mkrun" "$file" "$TMP/run"
	"$gaspdb" import "$TMP/run" -o "$TMP/run.db" --force 2>/dev/null
	mapfile -t kinds < <(sqlite3 "$TMP/run.db" "SELECT DISTINCT kind FROM loss_total UNION SELECT 'imbalance' FROM root_cause")
	is_new "${kinds[@]}" || continue
	sqlite3 "$TMP/run.db" "SELECT kind FROM wait_total" >>"$TMP/kinds"
	"$gaspdb" analyze worst --min-share=0 --limit=-1 --format=csv "$TMP/run.db" >"$TMP/worst" 2>/dev/null
	sqlite3 :memory: ".import --csv $TMP/worst w" \
		"SELECT iif('' IN (meaning, advice, more), 'untold ', 'told ') || kind FROM w" >>"$TMP/rows"
	sqlite3 :memory: ".import --csv $TMP/worst w" "SELECT DISTINCT more FROM w" | while read -r more; do
		# As a shell reads it
		eval "'$gaspdb' analyze $more '$TMP/run.db' --format=csv" 2>/dev/null | sed -n 2p | grep -q . || echo "$file: $more"
	done >>"$TMP/empty"
done
is "no kind without words" "$(grep '^untold' "$TMP/rows" | sort -u)" ""
is "the analysis named has rows of it" "$(cat "$TMP/empty")" ""
is "all kinds of waiting were looked at" "$(sort -u "$TMP/kinds" | comm -23 - <(sed -n 's/^told //p' "$TMP/rows" | sort -u))" ""
ok "which are ten or more" test "$(sort -u "$TMP/kinds" | wc -l)" -ge 10
sed -n 's/^told //p' "$TMP/rows" | sort -u | while read -r kind; do
	"$gaspdb" compare "$TMP/run.db" "$TMP/run.db" --fail-if="finding:$kind>0" >/dev/null 2>&1 || echo "$kind"
done >"$TMP/kinds"
is "conditions of a comparison take all kinds" "$(cat "$TMP/kinds")" ""
rm -rf "$TMP/run"
"$O/tests/mkrun" "$TOP/tests/worked/delays.run" "$TMP/run"
"$gaspdb" import "$TMP/run" -o "$TMP/delays.db" 2>/dev/null
like "the report names the command" "$(cd "$TMP" && "$gaspdb" report delays.db)" "^     see: gaspdb analyze barrier-wait delays.db$"
finish
