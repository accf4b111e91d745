#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Fortran names of both MPIs: each function whose function of C is wrapped notes its place, and calls that function.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1
declare -A libraries=([openmpi]="libmpi_mpifh.so.40 libmpi_usempi_ignore_tkr.so.40 libmpi_usempif08.so.40" [mpich]=libmpichfort.so.12)
# MPI_COMM_WORLD where the test needs it.
declare -A world=([openmpi]= [mpich]=-DWORLD=0x44000000)
declare -A link=([openmpi]="-lmpi_usempif08 -lmpi_usempi_ignore_tkr -lmpi_mpifh" [mpich]=-lmpichfort)

# functions FILE REGEX: those that it defines
functions() {
	nm -D --defined-only "$1" | awk -v re="$2" '$2 ~ /[TWi]/ && $3 ~ re { print $3 }' | LC_ALL=C sort -u
}

# c_names: each Fortran name on standard input with that of its function of C in small letters
c_names() {
	awk '{
		c = tolower($1)
		sub(/_+$/, "", c)
		sub(/_cptr$/, "", c)
		large = sub(/_large$/, "", c)
		sub(/_f08(ts)?$/, "", c)
		print $1, c (large ? "_c" : "") }'
}

names() { # MPI
	local mpi=$1 library adapter=$O/libgaspdb-$1.so found=0
	for library in ${libraries[$mpi]}; do
		path=$(ldconfig -p | awk -v name="$library" '$1 == name { print $NF; exit }')
		[ -n "$path" ] && found=1 && functions "$path" '^(mpix?_[a-z0-9_]+|MPIX?_[A-Z0-9_]+)$'
	done >all
	[ $found = 1 ] && [ -e "$adapter" ] || { skip "$mpi" "not here"; return; }
	functions "$adapter" '^MPIX?_[A-Z][a-z]' | awk '{ print tolower($1), $1 }' | LC_ALL=C sort >wrapped
	# Fortran name, function of C
	LC_ALL=C sort -u all | c_names | awk 'NR == FNR { c[$1] = $2; next } $2 in c { print $1, c[$2] }' wrapped - >names
	ok "$mpi: more than a thousand Fortran names ($(wc -l <names))" [ "$(wc -l <names)" -gt 1000 ]
	is "$mpi: each wrapped function has a Fortran name" \
		"$(awk 'NR == FNR { there[$2] = 1; next } !($2 in there || sub(/_c$/, "", $2)) { print $2 }' names wrapped)" ""
	is "$mpi: the adapter has each name" \
		"$(cut -d' ' -f1 names | LC_ALL=C sort | LC_ALL=C comm -23 - <(functions "$adapter" '^(mpi|MPI)'))" ""

	# The start and the end have code of their own (fortran.c): mpi_fortran.sh.  Arrays of texts are left out.
	# Of the spellings of one name one is enough.
	grep '^[^ ]*[^_ ]_ ' names | grep -viE '^mpi_(init|init_thread|finalize|comm_spawn_multiple)(_| )' >called
	awk '!/^MPI_(Init|Init_thread|Finalize)$/ { print "STUB(" $0 ")" }' <(cut -d' ' -f2 wrapped) >stubs.h
	# shellcheck disable=SC2086
	"mpicc.$mpi" -w ${world[$mpi]} -I. -rdynamic -o reach "$TOP/tests/programs/fortran_names.c" -Wl,--no-as-needed ${link[$mpi]} -ldl || return
	cut -d' ' -f1 called | timeout 300 ./reach >reached 2>err
	is "$mpi: each calls its function of C" "$(cat reached)" "$(cat called)"
}
names openmpi
names mpich
finish
