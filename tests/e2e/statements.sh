#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What sql/mkpasses.awk makes of a file of statements, and what it refuses.
. "$(dirname "$0")/../lib.sh"

# make_of TEXT [OPTION...]: what the generator prints of a file with that text
make_of() {
	printf '%s\n' "$1" >"$TMP/room.sql"
	shift
	LC_ALL=C awk "$@" -f "$TOP/sql/mkpasses.awk" "$TMP/room.sql" 2>&1 | sed "s|$TMP/||"
}

two=$'-- A part.\n-- fragment: of(id, name)\n(SELECT $name WHERE $id)\n\n-- One.\n-- name: one\nSELECT @of(x.id, "a")\n  FROM b -- c\n
-- Two.\n-- name: two\nSELECT \'\\\'\n'
is "a header declares the statements" "$(make_of "$two" -v header=1 | grep gaspdb_sql)" \
	"extern const char gaspdb_sql_one[];
extern const char gaspdb_sql_two[];"
is "their texts are literals, fragments have their place" "$(make_of "$two" | grep '^	"')" \
	'	"SELECT (SELECT \"a\" WHERE x.id)\n"
	"  FROM b -- c";
	"SELECT '"'\\\\'"'";'
is "all are listed" "$(make_of "$two" | grep '^	{')" \
	'	{ "room.sql", "one", gaspdb_sql_one },
	{ "room.sql", "two", gaspdb_sql_two },
	{ 0 },'

is "a statement needs a comment" "$(make_of $'-- File.\n\n-- name: a\nSELECT 1' | grep :)" "room.sql:3: no comment above 'a'"
is "and a name" "$(make_of $'-- File.\n\nSELECT 1' | grep :)" "room.sql:3: SQL without a name"
is "of its own" "$(make_of $'-- A.\n-- name: a\nSELECT 1\n-- B.\n-- name: a\nSELECT 2' | grep :)" "room.sql:5: a second 'a'"
is "that C can have" "$(make_of $'-- A.\n-- name: A b\nSELECT 1' | grep :)" "room.sql:2: 'A b' is no name"
is "a fragment is there" "$(make_of $'-- A.\n-- name: a\nSELECT @b' | grep : | sed 's/:[0-9]*:/:/')" "room.sql: no fragment 'b'"
is "and gets its arguments" "$(make_of "$two"$'\n-- C.\n-- name: c\nSELECT @of(1)' | grep : | sed 's/:[0-9]*:/:/')" \
	"room.sql: wrong number of arguments of 'of'"
finish
