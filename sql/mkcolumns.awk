# SPDX-License-Identifier: GPL-3.0-or-later
# A generator of C from the columns of tables: awk -v rows='TABLE ...' -f sql/mkcolumns.awk FILE.sql...
# For each table: the list of its stored columns and their number; GASPDB_N_KEYS_TABLE, the number of columns of a PRIMARY KEY on a
# line of its own; GASPDB_INSERT_INTO_TABLE, the statement with a parameter for each column.  For each table in `rows` also: the
# numbers of its columns, GASPDB_TABLE_COLUMN, and the members of a struct for a row of integers.  Numbers lack the suffixes _id and
# _ns, members _id.
function member(name) {
	sub(/_id$/, "", name)
	return name
}
function number(name) {
	sub(/_(id|ns)$/, "", name)
	return toupper(name)
}
BEGIN {
	print "/* Made by sql/mkcolumns.awk of the SQL files: edit those. */"
	print "#ifndef GASPDB_SQL_COLUMNS_H"
	print "#define GASPDB_SQL_COLUMNS_H"
	print ""
	print "#include <stdint.h>"
	split(rows, names, " ")
	for (i in names)
		is_row[names[i]] = 1
}
/^CREATE TABLE/ {
	table = $3
	sub(/\(.*/, "", table)
	n = keys = 0
	next
}
table && /^\)/ {
	list = parameters = ""
	for (i = 1; i <= n; i++) {
		list = list (i > 1 ? ", " : "") column[i]
		parameters = parameters (i > 1 ? ", ?" : "?") i
	}
	print ""
	print "#define GASPDB_COLUMNS_" table " \"" list "\""
	print "#define GASPDB_N_COLUMNS_" table " " n
	if (keys)
		print "#define GASPDB_N_KEYS_" table " " keys
	print "#define GASPDB_INSERT_INTO_" table " \"INSERT INTO " table "(" list ") VALUES(" parameters ")\""
	if (table in is_row) {
		print "enum gaspdb_" table "_column {"
		for (i = 1; i <= n; i++)
			print "\tGASPDB_" toupper(table) "_" number(column[i]) ","
		print "\tGASPDB_" toupper(table) "_COLUMNS"
		print "};"
		list = ""
		for (i = 1; i <= n; i++)
			list = list " int64_t " member(column[i]) ";"
		print "#define GASPDB_ROW_" table list
	}
	table = ""
}
table && /^  [a-z]/ {
	line = $0
	sub(/--.*/, "", line)
	if (line !~ / VIRTUAL/)
		column[++n] = $1
}
table && /^  PRIMARY KEY\(/ {
	keys = split($0, parts, ",")
}
END {
	print ""
	print "#endif"
}
