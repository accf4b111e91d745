#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An MPI with MPICH's binary interface under the name that Intel MPI and Cray MPICH have; and variables of launchers.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# MPICH itself as libmpi.so.12, with another maker's name.  Names keep their lengths, and so their places.
abi() {
	local mpich
	mpich=$(ldd "$O/libgaspdb-mpich.so" 2>/dev/null | awk '$1 == "libmpich.so.12" { print $3 }')
	if [ -z "$mpich" ] || ! command -v mpicc.mpich >/dev/null; then
		skip "libmpi.so.12" "no MPICH here"
		return
	fi
	LC_ALL=C sed 's/libmpich\.so\.12\x00/libmpi.so.12\x00\x00\x00/g; s/MPICH Version:/Intel(R) MPI :/g' "$mpich" >"$TMP/libmpi.so.12"
	gcc -g -O1 $(mpicc.mpich -show | tr ' ' '\n' | grep '^-I') "$TOP/tests/programs/mpi_loaded.c" -o "$TMP/program" \
		"$TMP/libmpi.so.12" -Wl,-rpath,"$TMP"
	is "abi: the program needs libmpi.so.12 alone" \
		"$(readelf -d "$TMP/program" | sed -n 's/.*NEEDED.*\[\(libmpi.*\)\]/\1/p')" "libmpi.so.12"
	record abi mpiexec.hydra -np 2 "$TMP/program" libmpich
	is "abi: no other MPI is loaded beside it" "$(sort -u "$TMP/abi.out")" "mapped 0"
	is "abi: the message" "$(sql "$TMP/abi.db" "SELECT m.bytes, s.thread_id, r.thread_id FROM message m
		JOIN event s ON s.id = m.send_event_id JOIN event r ON r.id = m.receive_event_id")" "11|0|1"
	like "abi: info names the library as it names itself" "$("$gaspdb" info "$TMP/abi.db")" "^runtime +Intel\(R\) MPI : 4\."
	is "abi: the adapter for record needs no MPI" \
		"$(readelf -d "$O/libgaspdb-mpich-abi.so" | sed -n 's/.*NEEDED.*\[\(libmpi.*\)\]/\1/p')" ""
}

# ranks NAME: ranks, and what the launcher said
ranks() {
	sql "$TMP/$1.db" "SELECT t.rank, l.value FROM thread t LEFT JOIN thread_meta l ON l.thread_id = t.id AND l.key = 'launcher_rank'
		ORDER BY t.id"
}

# Variables of srun, as an mpirun in its allocation passes them on: alike for all.
launchers() { # MPI LAUNCHER
	export SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_LOCALID=0
	record "$1" "$2" -np 3 "$O/programs/$1/mpi_loaded"
	is "$1 in srun: ranks are MPI's" "$(ranks "$1")" $'0|0\n1|1\n2|2'
	is "$1 in srun: the message" "$(sql "$TMP/$1.db" "SELECT m.bytes, s.thread_id, r.thread_id FROM message m
		JOIN event s ON s.id = m.send_event_id JOIN event r ON r.id = m.receive_event_id")" "11|0|1"
	unset SLURM_PROCID SLURM_NTASKS SLURM_LOCALID
}

abi
each_mpi mpi_loaded launchers
invariants
finish
