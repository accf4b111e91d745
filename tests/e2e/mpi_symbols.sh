#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every public function of both MPIs is wrapped, or on the list with a reason; and the adapters define nothing else.
. "$(dirname "$0")/../lib.sh"
list=$TOP/collector/models/mpi/unwrapped

# symbols FILE REGEX: functions that it defines
symbols() {
	nm -D --defined-only "$1" | awk -v re="$2" '$2 ~ /[TW]/ && $3 ~ re { print $3 }' | LC_ALL=C sort -u
}

grep -v '^#' "$list" >"$TMP/list"
is "every line of the list has a reason" "$(awk -F '\t' 'NF != 2 || $2 == ""' "$TMP/list")" ""
sed 's/\t.*//; s/.*/^(&)$/' "$TMP/list" >"$TMP/patterns"
: >"$TMP/all"

for adapter in openmpi mpich; do
	so=$O/libgaspdb-$adapter.so
	if [ ! -e "$so" ]; then
		skip "$adapter" "no such MPI here"
		continue
	fi
	library=$(ldd "$so" | awk '/libmpi(ch)?\.so/ { print $3 }')
	symbols "$library" '^MPI_' >"$TMP/public"
	symbols "$so" '^MPI_[A-Z][a-z]' >"$TMP/wrapped"
	symbols "$so" '^MPIX_[A-Z][a-z]' >"$TMP/extensions"
	cat "$TMP/public" >>"$TMP/all"
	ok "$adapter: more than a hundred functions are wrapped" [ "$(wc -l <"$TMP/wrapped")" -gt 100 ]
	is "$adapter: wrapped functions are MPI's" "$(LC_ALL=C comm -13 "$TMP/public" "$TMP/wrapped")" ""
	is "$adapter: so are wrapped extensions" \
		"$(symbols "$library" '^MPIX_' | LC_ALL=C comm -13 - "$TMP/extensions")" ""
	is "$adapter: what is not wrapped is on the list" \
		"$(LC_ALL=C comm -23 "$TMP/public" "$TMP/wrapped" | grep -vEf "$TMP/patterns")" ""
	is "$adapter: what is wrapped is not" "$(grep -Ef "$TMP/patterns" "$TMP/wrapped")" ""
	is "$adapter: it defines no other names, but dlclose" \
		"$(symbols "$so" . | grep -vE '^(MPIX?_[A-Z][a-z].*|mpix?_[a-z0-9_]+|MPIX?_[A-Z_]+|dlclose)$')" ""
	# The preload library stands before all of them, and before C's by their profiling names too.
	symbols "$O/libgaspdb-preload.so" . >"$TMP/trampolines"
	is "$adapter: each has a trampoline" "$(symbols "$so" . | LC_ALL=C comm -23 - "$TMP/trampolines")" ""
	is "$adapter: each function of C has two" \
		"$(cat "$TMP/wrapped" "$TMP/extensions" | sed 's/^/P/' | LC_ALL=C sort | LC_ALL=C comm -23 - "$TMP/trampolines")" ""
done

# MPICH's Fortran functions note where they are called from.
fortran=$(ldconfig -p | awk '$1 == "libmpichfort.so.12" { print $NF; exit }')
if [ -e "$O/libgaspdb-mpich.so" ] && [ -n "$fortran" ]; then
	symbols "$fortran" '^mpi_[a-z_]*[a-z]_$' >"$TMP/fortran"
	symbols "$O/libgaspdb-mpich.so" '^MPI_[A-Z][a-z]' | tr '[:upper:]' '[:lower:]' | sed 's/$/_/' |
		LC_ALL=C sort | LC_ALL=C comm -12 - "$TMP/fortran" >"$TMP/wanted"
	ok "mpich: it has Fortran functions" [ "$(wc -l <"$TMP/wanted")" -gt 100 ]
	is "mpich: each wrapped function's Fortran name is wrapped" \
		"$(symbols "$O/libgaspdb-mpich.so" '^mpi_' | LC_ALL=C comm -23 "$TMP/wanted" -)" ""
else
	skip "mpich: Fortran names" "not here"
fi

sort -u "$TMP/all" >"$TMP/every"
while read -r pattern; do
	grep -qE "$pattern" "$TMP/every" || echo "$pattern"
done <"$TMP/patterns" >"$TMP/stale"
[ -s "$TMP/all" ] && is "every line of the list matches something" "$(cat "$TMP/stale")" ""
finish
