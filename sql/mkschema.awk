# SPDX-License-Identifier: GPL-3.0-or-later
# SQL files as one C string, comments and all (they are what .schema shows): awk -v name=STRING -f sql/mkschema.awk FILE...
# A literal a line; the compiler joins them.  Works under mawk, gawk and busybox.
BEGIN {
	print "/* Made by sql/mkschema.awk of the SQL files: edit those. */"
	print "#include \"sql/sql.h\""
	print ""
	print "const char *const " name " ="
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
