# SPDX-License-Identifier: GPL-3.0-or-later
# schema.sql and views.sql as one C string, gaspdb_schema, comments and all: they are what .schema shows.
# A literal a line; the compiler joins them.  Works under mawk, gawk and busybox.
BEGIN {
	print "/* Made by sql/mkschema.awk from sql/schema.sql and sql/views.sql: edit those. */"
	print "#include \"sql/sql.h\""
	print ""
	print "const char *const gaspdb_schema ="
}
/[^\t -~]/ && FILENAME ~ /\.sql$/ { nonascii = FILENAME ":" FNR ": only ASCII is portable here" }
{
	sub(/\r$/, "")
	gsub(/\\/, "\\\\")
	gsub(/"/, "\\\"")
	gsub(/\?\?/, "?\\?")
	gsub(/\t/, "\\t")
	print "\t\"" $0 "\\n\""
}
END {
	if (nonascii) {
		print nonascii > "/dev/stderr"
		exit 1
	}
	print "\t;"
}
