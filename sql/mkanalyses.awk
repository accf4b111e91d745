# SPDX-License-Identifier: GPL-3.0-or-later
# A generator of C from sql/analyses/NAME.sql: awk -f sql/mkanalyses.awk FILE... >analyses.c
#
# A missing or contradictory declaration stops the build with `file:line: what`, so every analysis is documented.
# docs/development.md describes the form of a file.  The script must run under mawk.

function fail(line, what) {
	printf "%s:%d: %s\n", file, line, what >"/dev/stderr"
	failed = 1
	exit 1
}

function quote(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	gsub(/\?\?/, "?\\?", text)
	gsub(/\t/, "\\t", text)
	return "\"" text "\""
}

# The next word of `rest`, removed from it.
function word(    w) {
	sub(/^[ \t]+/, "", rest)
	w = rest
	sub(/[ \t].*/, "", w)
	rest = substr(rest, length(w) + 1)
	return w
}

function remainder() {
	sub(/^[ \t]+/, "", rest)
	sub(/[ \t]+$/, "", rest)
	return rest
}

function check_common(what, name, type, unit) {
	if (name !~ /^[a-z][a-z0-9_]*$/)
		fail(FNR, "'" name "' is no name for a " what)
	if (type != "INTEGER" && type != "REAL" && type != "TEXT")
		fail(FNR, "type of " what " '" name "' is '" type "', not INTEGER, REAL or TEXT")
	if (unit == "")
		fail(FNR, what " '" name "' has no unit; '-' stands for none")
	if (name ~ /_ns$/ && unit != "ns")
		fail(FNR, what " '" name "' has the unit '" unit "', not ns")
}

# Is `value` one of the words in `choices`, a list with bars?
function is_choice(choices, value) {
	return index("|" choices "|", "|" value "|") > 0
}

# "one of a|b|c: text", "at least n: text", "power of two: text", "found in table.column: text" and "list of table.column: text"
# at the start of `about` declare the valid values; they are removed from it.
function take_range() {
	choices = least = found_in = ""
	power_of_two = is_list = "false"
	if (match(about, /^one of [^ :][^:]*: /)) {
		choices = substr(about, 8, RLENGTH - 9)
		if (choices ~ /^\||\|\||\|$/)
			fail(FNR, "an empty word in 'one of " choices "'")
	} else if (match(about, /^at least -?[0-9]+: /)) {
		least = substr(about, 10, RLENGTH - 11)
	} else if (match(about, /^found in [a-z_]+\.[a-z_]+: /)) {
		found_in = substr(about, 10, RLENGTH - 11)
	} else if (match(about, /^list of [a-z_]+\.[a-z_]+: /)) {
		found_in = substr(about, 9, RLENGTH - 10)
		is_list = "true"
	} else if (match(about, /^power of two: /)) {
		power_of_two = "true"
	} else {
		return
	}
	about = substr(about, RLENGTH + 1)
}

function check_default(name, value) {
	if (value == "NULL")
		return
	if (choices != "" && !is_choice(choices, value))
		fail(FNR, "default of param '" name "' is none of " choices)
	if (least != "" && value + 0 < least + 0)
		fail(FNR, "default of param '" name "' is below " least)
}

function add_param(    name, typed, type, unit, value) {
	name = word()
	type = word()
	unit = word()
	value = word()
	about = remainder()
	check_common("param", name, type, unit)
	if (about == "")
		fail(FNR, "param '" name "' needs a name, type, unit, default and text")
	if (name in param)
		fail(FNR, "param '" name "' stands twice")
	if (type != "TEXT" && value != "NULL" && value !~ /^-?[0-9]+(\.[0-9]+)?$/)
		fail(FNR, "default of param '" name "' is '" value "', not a number or NULL")
	take_range()
	if (least != "" && type == "TEXT")
		fail(FNR, "param '" name "' is a text, and has no least value")
	if (power_of_two == "true" && type != "INTEGER")
		fail(FNR, "param '" name "' is no whole number, and no power of two")
	if (is_list == "true" && type != "TEXT")
		fail(FNR, "param '" name "' is a list, and so a TEXT")
	if (found_in != "" && value != "NULL")
		fail(FNR, "param '" name "' is of the run, and has no default")
	check_default(name, value)
	param[name] = FNR
	typed = name
	gsub(/_/, "-", typed)
	params = params sprintf("\t{ %s, %s, %s, %s, %s,\n\t  %s,\n\t  %s, %s, %s, %s, %s },\n", quote(typed), quote(name), quote(type),
		quote(unit == "-" ? "" : unit), value == "NULL" ? "NULL" : quote(value), quote(about),
		choices == "" ? "NULL" : quote(choices), least == "" ? "NULL" : quote(least),
		found_in == "" ? "NULL" : quote(found_in), power_of_two, is_list)
}

# Check of units :COLUMN, which refer to a column with the unit of each row: time, bytes or calls.
function check_unit_columns(    i) {
	for (i = 1; i <= n_columns; i++)
		if (column_unit[i] ~ /^:/ && !(substr(column_unit[i], 2) in column))
			fail(column_line[i], "the unit of column '" column_name[i] "' is of a column that is not there")
}

function add_column(    name, type, unit, doc) {
	name = word()
	type = word()
	unit = word()
	doc = remainder()
	check_common("column", name, type, unit)
	if (doc == "")
		fail(FNR, "column '" name "' needs a name, type, unit and text")
	if (name in column)
		fail(FNR, "column '" name "' stands twice")
	column[name] = ++n_columns
	column_name[n_columns] = name
	column_line[n_columns] = FNR
	column_unit[n_columns] = unit
	columns = columns sprintf("\t{ %s, %s, %s,\n\t  %s },\n", quote(name), quote(type),
		quote(unit == "-" ? "" : unit), quote(doc))
}

function start_file(    n, part) {
	finish_file()
	file = FILENAME
	seen[file] = 1
	n = split(file, part, "/")
	name = part[n]
	if (name !~ /^[a-z][a-z0-9-]*\.sql$/)
		fail(1, "an analysis is named in lower case, with hyphens")
	sub(/\.sql$/, "", name)
	needs = ""
	summary = group = params = columns = doc = sql = plain = ""
	n_columns = 0
	split("", param)
	split("", column)
	state = "header"
}

function header_line() {
	if ($0 ~ /^-- SPDX-License-Identifier:/ && FNR == 1)
		return
	rest = $0
	if (sub(/^-- summary:/, "", rest)) {
		if (summary != "")
			fail(FNR, "a second summary")
		summary = remainder()
		if (length(summary) == 0 || length(summary) > 60)
			fail(FNR, "a summary has 1 to 60 characters, this one " length(summary))
	} else if (summary == "") {
		fail(FNR, "no '-- summary:' line")
	} else if (sub(/^-- group:/, "", rest)) {
		group = remainder()
		if (!(group in group_place))
			fail(FNR, "there is no group '" group "'")
	} else if (group == "") {
		fail(FNR, "no '-- group:' line")
	} else if (sub(/^-- needs:/, "", rest)) {
		needs = remainder()
		if (needs != "trace" || params != "" || n_columns)
			fail(FNR, "'-- needs: trace' follows the group, if the analysis has no rows of a profile")
	} else if (sub(/^-- param:/, "", rest)) {
		if (n_columns)
			fail(FNR, "params stand before columns")
		add_param()
	} else if (sub(/^-- column:/, "", rest)) {
		add_column()
	} else if ($0 == "--") {
		if (!n_columns)
			fail(FNR, "no '-- column:' line")
		state = "doc"
	} else {
		fail(FNR, "neither summary, group, needs, param, column nor the '--' that ends them")
	}
}

function doc_line() {
	if ($0 == "--") {
		doc = doc "\n\t" quote("") " \"\\n\""
	} else if ($0 ~ /^-- /) {
		doc = doc "\n\t" quote(substr($0, 4)) " \"\\n\""
	} else {
		if (doc !~ /[a-z]/)
			fail(FNR, "no text says what the analysis means")
		state = "sql"
		sql_line()
	}
}

# Add a line of SQL.  `plain` is the SQL without comments and strings, for checks.
function sql_line(    text) {
	sql = sql "\n\t" quote($0) " \"\\n\""
	text = $0
	gsub(/'[^']*'/, "''", text)
	sub(/--.*/, "", text)
	plain = plain text "\n"
}

# The names of the columns of the outermost SELECT.
function select_columns(    i, n, c, depth, upper, at, item, items, end, ordered) {
	upper = toupper(plain)
	n = length(plain)
	for (i = 1; i <= n; i++) {
		c = substr(upper, i, 1)
		if (c == "(")
			depth++
		else if (c == ")")
			depth--
		else if (depth)
			continue
		else if (c == ";" && substr(plain, i + 1) ~ /[^ \t\n]/)
			fail(lines, "more than one statement")
		else if (!at && substr(upper, i, 7) ~ /^SELECT[ \t\n]/)
			at = item = i += 6
		else if (at && !end && (c == "," || substr(upper, i, 6) ~ /^[ \t\n]FROM[ \t\n]/)) {
			found[++items] = substr(plain, item, i - item)
			item = i + 1
			end = c != ","
		} else if (end && substr(upper, i, 8) == "ORDER BY")
			ordered = 1
	}
	if (!at || !end)
		fail(lines, "no SELECT ... FROM")
	if (!ordered)
		fail(lines, "no ORDER BY at the end: the order of the rows must be total")
	return items
}

function check_select(    i, n, text) {
	n = select_columns()
	for (i = 1; i <= n || i <= n_columns; i++) {
		if (i > n_columns)
			fail(lines, "column " i " of the SELECT is not documented:" trim(found[i]))
		if (i > n)
			fail(column_line[i], "column '" column_name[i] "' is not in the SELECT")
		text = found[i]
		sub(/[ \t\n]+$/, "", text)
		sub(/^.*[^a-z0-9_]/, "", text)
		if (text != column_name[i])
			fail(column_line[i], "column " i " is '" column_name[i] "' here and '" text "' in the SELECT")
	}
}

function trim(text) {
	gsub(/[ \t\n]+/, " ", text)
	return text
}

function check_params(    text, name, used) {
	text = plain
	while (match(text, /:[a-z][a-z0-9_]*/)) {
		name = substr(text, RSTART + 1, RLENGTH - 1)
		used[name] = 1
		if (!(name in param))
			fail(lines, "parameter ':" name "' is not documented")
		text = substr(text, RSTART + RLENGTH)
	}
	for (name in param)
		if (!(name in used))
			fail(param[name], "param '" name "' is not in the SQL")
}

# Tables of events, and of what only their order tells, without which a row is not there.
function check_needs() {
	if (needs == "" && plain ~ /(FROM|JOIN)[ \t\n]+(event|message|wait|collective|lock_use|completion|critical_path|entity_(profile|total|bin|work|work_total))[ \t\n;]/)
		fail(lines, "it reads events, or what is made of them, and has no '-- needs: trace'")
}

function finish_file() {
	if (file == "")
		return
	if (summary == "")
		fail(1, "no '-- summary:' line")
	if (sql == "")
		fail(lines, "no SQL after the text")
	if (plain !~ /^[ \t\n]*(SELECT|WITH)[ \t\n]/)
		fail(lines, "an analysis is one SELECT, with or without WITH")
	check_select()
	check_params()
	check_unit_columns()
	check_needs()
	printf "static const struct gaspdb_analysis_param params_%d[] = {\n%s\t{ NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, false }\n};\n",
		n_files, params
	printf "static const struct gaspdb_analysis_column columns_%d[] = {\n%s\t{ NULL, NULL, NULL, NULL }\n};\n\n",
		n_files, columns
	rows = rows "\t{ " quote(name) ",\n\t" quote(summary) ", " group_place[group] ", " (needs == "" ? "false" : "true") ",\n\tparams_" n_files ", columns_" n_files "," doc "," sql " },\n"
	n_files++
}

# Groups in the order of the list.
function add_group(name, title) {
	group_place[name] = n_groups++
	groups = groups "\t" quote(title) ",\n"
}

BEGIN {
	n_files = n_groups = 0
	add_group("time", "Where the time goes")
	add_group("entities", "Entities of the program")
	add_group("efficiency", "Efficiency and balance")
	add_group("waiting", "Waiting, and who causes it")
	add_group("messages", "Messages")
	add_group("collectives", "Barriers and collectives")
	add_group("accesses", "One-sided accesses and locks")
	add_group("overlap", "Overlap and completion")
	add_group("memory", "Memory and files")
	add_group("recording", "The recording and its quality")
	print "/* SPDX-License-Identifier: GPL-3.0-or-later */"
	print "/* Generated by sql/mkanalyses.awk from sql/analyses. */"
	print "#include \"sql/sql.h\"\n"
}
FNR == 1 { start_file() }
{ lines = FNR }
state == "header" { header_line(); next }
state == "doc" { doc_line(); next }
{ sql_line() }
END {
	if (failed)
		exit 1
	finish_file()
	if (failed)
		exit 1
	for (i = 1; i < ARGC; i++) {
		file = ARGV[i]
		if (!(file in seen))
			fail(1, "the file is empty")
	}
	printf "const char *const gaspdb_analysis_groups[] = {\n%s\tNULL\n};\n", groups
	printf "const struct gaspdb_analysis gaspdb_analyses[] = {\n%s", rows
	print "\t{ NULL, NULL, 0, false, NULL, NULL, NULL, NULL }\n};"
}
