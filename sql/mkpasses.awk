# SPDX-License-Identifier: GPL-3.0-or-later
# Statements of passes, for C: awk [-v header=1] -f sql/mkpasses.awk sql/passes/FILE.sql...
# `-- name: NAME` begins a statement, or several, gaspdb_sql_NAME; the comment above it says what it is.  `-- fragment: NAME(PARAMETER,
# ...)` begins a part of statements, in which $PARAMETER stands for its argument; they use it as @NAME(ARGUMENT, ...).
# Without header: definitions, and the list of all, gaspdb_statements.  Works under mawk, gawk and busybox.
function stop(text) {
	print FILENAME ":" FNR ": " text > "/dev/stderr"
	failed = 1
	exit 1
}
# s without comments, with fragments in place of their names
function expand(s,    out, name, call, n, i, argument, parameter, body) {
	while (match(s, /@[a-z_]+(\([^()]*\))?/)) {
		out = out substr(s, 1, RSTART - 1)
		call = substr(s, RSTART + 1, RLENGTH - 1)
		s = substr(s, RSTART + RLENGTH)
		name = call
		sub(/\(.*/, "", name)
		if (!(name in fragment))
			stop("no fragment '" name "'")
		sub(/^[^(]*\(?/, "", call)
		sub(/\)$/, "", call)
		n = split(call, argument, /, */)
		if (n != split(parameters[name], parameter, /, */))
			stop("wrong number of arguments of '" name "'")
		body = fragment[name]
		for (i = 1; i <= n; i++)
			gsub("[$]" parameter[i], argument[i], body)
		out = out body
	}
	return out s
}
# What was read is complete.
function finish() {
	if (is_fragment && !header)
		fragment[current] = expand(text)
	else if (current && !header)
		sql[n] = expand(text)
	current = text = ""
}
FNR == 1 {
	finish()
	comment = 0
}
/^-- (name|fragment): / {
	finish()
	is_fragment = $2 == "fragment:"
	current = $0
	sub(/^-- [a-z]*: /, "", current)
	if (current !~ /^[a-z0-9_]+(\([a-z_, ]*\))?$/)
		stop("'" current "' is no name")
	if (!comment)
		stop("no comment above '" current "'")
	if (is_fragment) {
		list = current
		sub(/^[^(]*\(?/, "", list)
		sub(/\)$/, "", list)
		sub(/\(.*/, "", current)
		parameters[current] = list
	}
	if (current in seen)
		stop("a second '" current "'")
	seen[current] = 1
	if (!is_fragment) {
		names[++n] = current
		files[n] = FILENAME
	}
	next
}
/^--/ {
	comment = 1
	next
}
/^[ \t]*$/ {
	comment = 0
	next
}
{
	comment = 0
	if (!current)
		stop("SQL without a name")
	text = text (text ? "\n" : "") $0
}
# A literal a line.
function literals(s,    line, k, i) {
	k = split(s, line, "\n")
	for (i = 1; i <= k; i++) {
		gsub(/\\/, "\\\\&", line[i])
		gsub(/"/, "\\\"", line[i])
		print "\t\"" line[i] (i < k ? "\\n" : "") "\"" (i < k ? "" : ";")
	}
}
END {
	if (failed)
		exit 1
	finish()
	print "/* Made by sql/mkpasses.awk of the SQL files: edit those. */"
	if (header) {
		for (i = 1; i <= n; i++)
			print "extern const char gaspdb_sql_" names[i] "[];"
		exit
	}
	print "#include \"sql/statements.h\""
	for (i = 1; i <= n; i++) {
		print "\nextern const char gaspdb_sql_" names[i] "[];"
		print "const char gaspdb_sql_" names[i] "[] ="
		literals(sql[i])
	}
	print "\nconst struct gaspdb_statement gaspdb_statements[] = {"
	for (i = 1; i <= n; i++)
		print "\t{ \"" files[i] "\", \"" names[i] "\", gaspdb_sql_" names[i] " },"
	print "\t{ 0 },\n};"
}
