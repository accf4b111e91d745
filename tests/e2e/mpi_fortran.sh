#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fortran programs: recorded with their lines; where an adapter that is linked with them cannot see them the log says so.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
source=$TOP/tests/programs/mpi_fortran.f90
sed -e "/include 'mpif.h'/d" -e 's/^  implicit none/  use mpi_f08\n  implicit none/' \
	-e 's/, request, status(MPI_STATUS_SIZE)/\n  type(MPI_Request) :: request\n  type(MPI_Status) :: status/' \
	"$source" >"$TMP/f08.f90"

# fortran MPI SOURCE [OPTION...]: compile, record, import
fortran() {
	local mpi=$1 file=$2 launcher=mpirun.openmpi
	[ "$mpi" = mpich ] && launcher=mpiexec.hydra
	shift 2
	rm -rf "$TMP/run" "$TMP/run.db"
	"mpif90.$mpi" -g -o "$TMP/program" "$file" "$@" || return
	timeout 60 "$gaspdb" record -o "$TMP/run" -- "$launcher" -np 2 "$TMP/program" >"$TMP/out" 2>"$TMP/err"
	is "$mpi: $(basename "$file"): record exits as the program does" $? 0
	imports "$TMP/run" -o "$TMP/run.db" 2>"$TMP/err"
	is "$mpi: $(basename "$file"): import exits 0" $? 0
}

calls="SELECT o.name, count(*) FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	GROUP BY 1 ORDER BY 1"
not_seen="SELECT DISTINCT detail FROM quality WHERE kind = 'calls not seen'"
recorded="MPI_Allreduce|2 MPI_Finalize|2 MPI_Init|2 MPI_Irecv|1 MPI_Isend|1 MPI_Recv|1 MPI_Send|1 MPI_Wait|2 "

# lines FILE: of each call of MPI
lines() {
	awk '/call MPI_/ && !/MPI_Comm_rank/ { match($0, /MPI_[A-Za-z]*/); print substr($0, RSTART, RLENGTH) "|" NR }' "$1"
}

# seen WHAT SOURCE [REGEX]: all is there; and the functions that match, each at its line
seen() {
	is "$1: all calls are there" "$(sql "$TMP/run.db" "$calls" | tr '\n' ' ')" "$recorded"
	is "$1: both messages are matched" \
		"$(sql "$TMP/run.db" "SELECT tag, bytes FROM message ORDER BY tag" | tr '\n' ' ')" "7|16 8|16 "
	is "$1: each call has its line in the program" \
		"$(sql "$TMP/run.db" "SELECT o.name, s.line FROM source s JOIN operation o ON o.id = s.operation_id
			WHERE s.file LIKE '%.f90' ORDER BY 2" | grep -E "${3:-.}")" "$(lines "$2" | grep -E "${3:-.}")"
	is "$1: nothing is amiss" "$(sql "$TMP/run.db" "SELECT DISTINCT kind FROM quality")" ""
}

# unseen WHAT: what is there is the start and the end, and a sentence
unseen() {
	is "$1: the start and the end are there, with their lines" \
		"$(sql "$TMP/run.db" "$calls" | tr '\n' ' ')" "MPI_Finalize|2 MPI_Init|2 "
	is "$1: they have lines" "$(sql "$TMP/run.db" "SELECT count(*) FROM source WHERE file LIKE '%.f90' AND line > 0")" 2
	like "$1: it is said that the rest was not seen" "$(sql "$TMP/run.db" "$not_seen")" \
		"^this program's MPI calls are Fortran's.* not seen"
	like "$1: and what to do" "$(sql "$TMP/run.db" "$not_seen")" 'gaspdb record'
}

for mpi in openmpi mpich; do
	if ! command -v mpif90.$mpi >/dev/null || [ ! -e "$O/libgaspdb-$mpi.so" ]; then
		skip "$mpi" "not here, or no Fortran"
		continue
	fi
	fortran $mpi "$source"
	seen $mpi "$source"
	fortran $mpi "$TMP/f08.f90"
	# gfortran gives a call without a buffer the line of the block that it stands in.
	seen "$mpi, mpi_f08" "$TMP/f08.f90" 'send|recv|Send|Recv|Allreduce'
	# The adapter in the program has what passes by the functions of C alone.
	linked=(-L"$O" -Wl,--no-as-needed -lgaspdb-$mpi -lgaspdb "-Wl,-rpath,$O")
	fortran $mpi "$TMP/f08.f90" "${linked[@]}"
	unseen "$mpi, mpi_f08, linked"
	fortran $mpi "$source" "${linked[@]}"
	if [ $mpi = openmpi ]; then
		unseen "$mpi, linked"
	else
		seen "$mpi, linked" "$source"
	fi
done
invariants
finish
