# SPDX-License-Identifier: GPL-3.0-or-later
# A generator of one C string from SQL files, with their comments, which .schema shows: awk -v name=STRING -f sql/mkschema.awk FILE...
# Each line is a literal, and the compiler joins them.  The script runs under mawk, gawk and busybox.
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
