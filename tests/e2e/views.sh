#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A stock sqlite3 finds in the views of analyses.sql what `gaspdb analyze` prints, row by row, and by the SQL in table analysis.
# Long.
source "$TOP/tests/lib.sh"
analyses=$("$gaspdb" --list=analyses)
declare -A all_rows # by analysis: the option
for analysis in $analyses; do
	case $'\n'$("$gaspdb" --list=parameters:"$analysis") in *$'\nlimit\t'*) all_rows[$analysis]=--limit=-1 ;; *) all_rows[$analysis]= ;; esac
done

# Statements that say where view $1 of a run differs from the CSV in $2
compare() {
	cat <<-SQL
		CREATE TEMP TABLE view AS SELECT * FROM $1;
		CREATE TEMP TABLE text AS SELECT * FROM temp.view WHERE 0;
		.import --csv --skip 1 --schema temp $2 text
		SELECT '$1: ' || (SELECT count(*) FROM view) || ' rows, not ' || (SELECT count(*) FROM text)
		WHERE (SELECT count(*) FROM view) <> (SELECT count(*) FROM text);
		${cells[$1]}
		SELECT '+$1' WHERE EXISTS (SELECT * FROM view); DROP TABLE temp.view; DROP TABLE temp.text;
	SQL
}

# columns_of FILE: by view, the statements for each of its columns; all runs have the same views
declare -A cells=()
columns_of() {
	local view statement
	while IFS='|' read -r view statement; do
		cells[$view]+=$statement$'\n'
	done < <(sqlite3 -batch -noheader -init "$O/analyses.sql" "$1" "SELECT v.name, 'SELECT ''' || v.name || '.' || c.name || ', row '' || v.rowid || '': '' || quote(v.' || c.name ||
		') || '', not '' || t.' || c.name || ' FROM view v JOIN text t ON t.rowid = v.rowid WHERE NOT CASE typeof(v.' || c.name ||
		') WHEN ''null'' THEN t.' || c.name || ' = '''' WHEN ''real'' THEN abs(v.' || c.name || ' - t.' || c.name ||
		') <= 1e-14 * abs(v.' || c.name || ') ELSE CAST(v.' || c.name || ' AS TEXT) = t.' || c.name || ' END;'
		FROM sqlite_temp_schema v, pragma_table_info(v.name) c WHERE v.type = 'view' AND v.name LIKE 'analysis~_%' ESCAPE '~'")
}

# agree NAME: of the run of the script on stdin.  One shell runs all analyses; of the first run the command prints the same.
agree() {
	rm -rf "$TMP/run"
	"$O/tests/mkrun" - "$TMP/run"
	"$gaspdb" import "$TMP/run" -o "$TMP/run.db" --force 2>/dev/null
	# No line of a script stands for counted memory.
	[ "$1" != memory_upc ] || sqlite3 "$TMP/run.db" "INSERT INTO memory_sample VALUES(0, 1, NULL, 0, 0, 0, 200, 300, 0, 0, 0, 0);
		INSERT INTO memory_sample SELECT 0, 1, min(source_id), 3, 300, 1, 200, 300, 100, 0, 0, 0 FROM memory_peak"
	for analysis in $analyses; do
		printf ".once '%s'\n.analyze %s %s\n" "$TMP/$analysis.csv" "$analysis" "${all_rows[$analysis]}"
	done | "$gaspdb" shell --format=csv "$TMP/run.db" >/dev/null 2>"$TMP/err"
	is "$1: every analysis runs in one shell" "$?" 0
	if [ ${#cells[@]} -eq 0 ]; then
		columns_of "$TMP/run.db"
		for analysis in $analyses; do
			# shellcheck disable=SC2086 # perhaps none
			"$gaspdb" analyze "$analysis" "$TMP/run.db" --format=csv ${all_rows[$analysis]} 2>/dev/null |
				cmp - "$TMP/$analysis.csv"
		done >"$TMP/out" 2>&1
		is "$1: the command prints what the shell does" "$(cat "$TMP/out")" ""
	fi
	for analysis in $analyses; do
		compare "analysis_${analysis//-/_}" "$TMP/$analysis.csv"
	done >"$TMP/compare.sql"
	sqlite3 -batch -init "$O/analyses.sql" "$TMP/run.db" <"$TMP/compare.sql" >"$TMP/out" 2>&1
	is "$1: the views and the analyses agree" "$(grep -v '^+' "$TMP/out")" ""
	grep '^+' "$TMP/out" >>"$TMP/rows"
	is "$1: the table's SQL gives the rows of the views" "$(sqlite3 -batch "$TMP/run.db" "SELECT '.print ' || name || char(10) || sql || ';' FROM analysis
		ORDER BY name" | sqlite3 -batch -quote "$TMP/run.db" 2>&1 | md5sum)" "$(for analysis in $(sort <<<"$analyses"); do
		printf '.print %s\nSELECT * FROM analysis_%s;\n' "$analysis" "${analysis//-/_}"
	done | sqlite3 -batch -quote -init "$O/analyses.sql" "$TMP/run.db" 2>&1 | md5sum)"
}

for seed in 1 2; do
	agree "random run $seed" < <(PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/reference/compare.py" --show $seed)
done
for name in barriers delays delivery efficiency entities finalize_hung fine_grained hand_made io lock matching memory_upc missing_thread no_progress split_phase unmatched user_values; do
	# With what an event costs, so that there is overhead.
	agree "$name" < <(cat "$TOP/tests/worked/$name.run"; echo "meta 1 event_cost_ticks 2")
done
empty=$(comm -23 <(for analysis in $analyses; do echo "+analysis_${analysis//-/_}"; done | sort) <(sort -u "$TMP/rows"))
is "every analysis has rows of some run" "$empty" ""
is "the file has no view of them" \
	"$(sqlite3 "$TMP/run.db" "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name LIKE 'analysis~_%' ESCAPE '~'")" 0
is "but a row of each" "$(sqlite3 "$TMP/run.db" "SELECT name FROM analysis ORDER BY name")" "$(sort <<<"$analyses")"
is "--sql prints that" "$(for analysis in $(sort <<<"$analyses"); do "$gaspdb" analyze --sql "$analysis"; done)" \
	"$(sqlite3 "$TMP/run.db" "SELECT sql || ';' FROM analysis ORDER BY name")"
sqlite3 "$TMP/run.db" "UPDATE analysis SET sql = 'SELECT 1 AS x'"
is "the command runs its own, not the file's" "$("$gaspdb" analyze threads --format=csv "$TMP/run.db")" "$(cat "$TMP/threads.csv")"
is "the shell has them, too" \
	"$("$gaspdb" shell --format=csv "$TMP/run.db" 'SELECT * FROM analysis_threads')" "$(cat "$TMP/threads.csv")"
like "their columns have names" "$("$gaspdb" shell "$TMP/run.db" '.schema analysis_threads')" \
	"^CREATE VIEW analysis_threads\(thread, rank, number, .*\) AS -- The threads of the run"

# What is looked at again for each row of another is found by a key: with thousands of threads nothing else would end.
is "no view walks a table for each row of a finding" "$(for view in loss starved hand_made hot_access analysis_messages analysis_operations analysis_threads analysis_waits analysis_worst; do
	stock "$TMP/run.db" "EXPLAIN QUERY PLAN SELECT * FROM $view" | awk '
		{ at = index($0, "--") }
		at <= inside { inside = 0 }
		/--CORRELATED/ && !inside { inside = at }
		inside && /--SCAN/ { print "'$view'", $0 }'
done)" ""
finish
