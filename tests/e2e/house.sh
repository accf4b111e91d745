#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The rooms of the code (docs/development.md): each has its page, pages name files that exist, and arrows go one way.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
rooms=$(find collector importer analysis sql cli common -name '*.[ch]' -printf '%h\n' | sort -u)

is "every room has a README.md" "$(for room in $rooms; do [ -f "$room/README.md" ] || echo "$room"; done)" ""
is "at most 32 files of code a room" "$(for room in $rooms; do
	n=$(find "$room" -maxdepth 1 -name '*.[chS]' | wc -l)
	[ "$n" -le 32 ] || echo "$room: $n"
done)" ""

# named_in PAGE: files in backquotes, or with a room before them
named_in() {
	grep -ohE '`[a-z_0-9/]+\.(c|h|tbl\.h|sql|awk|S)`|\b(collector|importer|analysis|sql|cli|common|tests)/[A-Za-z_0-9/]+\.(tbl\.h|[ch]|sql|sh|awk|py)\b' "$1" |
		tr -d '`' | grep -v NAME
}
is "pages of rooms name files that exist" "$(for page in $(find collector importer analysis sql cli common -name README.md); do
	for file in $(named_in "$page"); do
		[ -e "$(dirname "$page")/$file" ] || [ -e "$file" ] || echo "$page: $file"
	done
done)" ""
is "so do the documents" "$(for page in README.md docs/*.md tests/README.md; do
	for file in $(grep -ohE '\b(collector|importer|analysis|sql|cli|common|tests)/[A-Za-z_0-9/]+\.(tbl\.h|[ch]|sql|sh|awk|py)\b' "$page" | grep -v 'NAME\|MODEL'); do
		[ -e "$file" ] || echo "$page: $file"
	done
done)" ""

# arrows FROM TO: includes that must not be
arrows() {
	grep -rn --include='*.[ch]' "^#include \"$2" "$1"
}
is "the importer does not know analysis" "$(arrows importer analysis/)" ""
is "analysis does not know the importer" "$(arrows analysis importer/)" ""
is "neither knows the command" "$(arrows importer cli/; arrows analysis cli/)" ""
is "sql knows none of them" "$(arrows sql '\(importer\|analysis\|cli\)/')" ""
is "common knows common alone" "$(arrows common '\(importer\|analysis\|cli\|sql\)/')" ""
subjects='analysis/\(access\|collectives\|completion\|entities\|findings\|io\|locks\|messages\|onesided\|path\|pop\|signals\|user\)/'
is "below the subjects of analysis no room knows one" "$(for room in engine rows waits; do arrows analysis/$room "$subjects"; done)" ""
is "one log knows neither its replay nor its roll-ups" "$(arrows importer/log 'importer/\(replay\|rollups\|profile\|hosts\)/')" ""
is "analysis knows no page format" "$(arrows analysis sql/store/btree/)" ""
is "includes name the path from the top" "$(for room in importer analysis sql cli common; do
	grep -rnhE --include='*.[ch]' '^#include "[^/"]+"' "$room"
done)" ""
is "SQL stands in .sql files" "$(grep -rnE --include='*.[ch]' '"[^"]*\b(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|REPLACE) ' analysis importer)" ""
is "all statements of passes are used" "$(comm -23 <(sed -n 's/^-- name: //p' sql/{passes,page}/*.sql | sort) \
	<(grep -rohE 'gaspdb_sql_[a-z0-9_]+' analysis importer cli/html | sed 's/^gaspdb_sql_//' | sort -u))" ""
is "lines of SQL have 140 columns" "$(awk 'length > 140 { print FILENAME ":" FNR }' sql/{schema,rollups,views}.sql sql/{pass_rollups,passes,page}/*.sql)" ""
finish
