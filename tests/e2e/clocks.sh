#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Long.
# Clocks of several hosts: two namespaces, the second with a faked clock (tests/hosts.sh).  The time stamp counter that the program
# notes is the truth: each reading brackets the true offset, and imported events are as wrong as the database says, at most.
. "$TOP/tests/lib.sh"
. "$TOP/tests/hosts.sh"
. "$TOP/tests/readings.sh"
rounds=150 pause=8000

hosts_up_or_finish

# record MPI RUN N [OPTION...]: 2 N processes of mpi_clocks; its exit status
record() {
	local mpi=$1 run=$2 n=$3
	shift 3
	mkdir -p "$TMP/$run.truth"
	RECORD=("$gaspdb" record -f -o "$TMP/$run" "$@")
	"launch_$mpi" "$n" "$O/programs/$mpi/mpi_clocks" "$TMP/$run.truth" "$rounds" "$pause" >"$TMP/$run.out" 2>&1
}

# What an import makes of it.
aligned() {
	local run=$1
	ok "$run: it is imported" imports "$TMP/$run" -f -o "$TMP/$run.db"
	true_events "$run" $((4 * 4 * rounds)) $((4 * rounds))
	well_aligned "$run"
	false_events "$run"
}

both_clocks() {
	local mpi=$1
	record "$mpi" "$mpi" 2 --clock-sampling=200ms
	is "$mpi: the program ends well" $? 0
	true_readings "$mpi"
	false_readings "$mpi"
	is "$mpi: samples at the start, at the end, and in between" "$(sampled_over_time "$mpi")" '10 10 and more'
	is "$mpi: the first process of each host leads" "$(meta "$mpi")" \
		"0|clock_sampling|2 hosts, asks rank -1, every 200 ms
2|clock_sampling|2 hosts, asks rank 0, every 200 ms"
	aligned "$mpi"
}
each_mpi mpi_clocks both_clocks

# --- without readings: messages show that the wall clock of the second host is 50 ms ahead, and by how much it may be off after that
messages_alone() {
	local mpi=$1 run=$1.unread
	record "$mpi" "$run" 2 --clock-sampling=off
	is "$mpi, without readings: the program ends well" "$? $(count "$run")" '0 0'
	ok "$mpi, without readings: it is imported" imports "$TMP/$run" -f -o "$TMP/$run.db"
	true_events "$run" $((4 * 4 * rounds)) $((4 * rounds))
	is "$mpi, without readings: that is less than 50 ms, by which the wall clock is off" "$(sql "$TMP/$run.db" "
		SELECT readings, drift_ppm IS NULL, wall_error_ns > 45000000, (SELECT max(error_ns) FROM host_clock) < 20000000
		FROM host WHERE name = 'host-2'")" '0|1|1|1'
}
each_mpi mpi_clocks messages_alone

# --- without the option; in a run that has the mark of rank 0
by_default() {
	local mpi=$1 run=$1.default
	rounds=5 record "$mpi" "$run" 1
	is "$mpi, by default: two samples of a short run" "$? $(count "$run") $(ls "$TMP/$run/clocks")" "0 20 $TMP/$run/clocks"
	rounds=5 record "$mpi" "$run" 1 --clock-sampling=off
	is "$mpi, off: none" "$? $(count "$run") $(ls "$TMP/$run" | grep -c '^clocks$') $(meta "$run")" "0 0 0 "
}
each_mpi mpi_clocks by_default

# --- not all processes are recorded: the program does not suffer
unrecorded() {
	local mpi=$1 run=$1.unrecorded
	export UNRECORDED=host-2
	rounds=5 record "$mpi" "$run" 1
	is "$mpi: a host that is not recorded" "$? $(count "$run") $(meta "$run")" \
		"0 0 0|clock_sampling_failed|not all processes of the program are recorded"
	export UNRECORDED=host-1
	rounds=5 record "$mpi" "$run" 1
	is "$mpi: rank 0 is not" "$? $(count "$run") $(meta "$run")" \
		"0 0 1|clock_sampling_failed|the run directory does not show that rank 0 is recorded; --clock-sampling asserts it"
	unset UNRECORDED
}
each_mpi mpi_clocks unrecorded

# --- one host: nothing is done
on_one_host() {
	local mpi=$1 launcher=$2 run=$1.one
	mkdir -p "$TMP/$run.truth"
	timeout 60 "$gaspdb" record -f -o "$TMP/$run" --clock-sampling=1ms "$launcher" -n 2 "$O/programs/$mpi/mpi_clocks" \
		"$TMP/$run.truth" 20 1000 >"$TMP/$run.out" 2>&1
	is "$mpi, one host: neither readings nor a mark" "$? $(count "$run") $(ls "$TMP/$run" | grep -c '^clocks$') $(meta "$run")" "0 0 0 "
}
each_mpi mpi_clocks on_one_host

# --- seven hosts by name: all with one clock, so that the four times of a reading are in order
cat >"$TMP/named" <<-'END'
	#!/bin/sh
	rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
	unset OMPI_COMM_WORLD_LOCAL_SIZE MPI_LOCALNRANKS
	export GASPDB_CLOCK=monotonic
	exec unshare -u sh -c 'hostname "$0"; exec "$@"' "node$((rank / 2))" "$@"
END
chmod +x "$TMP/named"
by_tree() {
	local mpi=$1 launcher=$2 run=$1.seven
	mkdir -p "$TMP/$run.truth"
	timeout 120 "$gaspdb" record -f -o "$TMP/$run" --clock-sampling=100ms "$launcher" -n 13 "$TMP/named" \
		"$O/programs/$mpi/mpi_clocks" "$TMP/$run.truth" 20 1000 >"$TMP/$run.out" 2>&1
	is "$mpi, seven hosts: the program ends well" $? 0
	tree_of_seven "$run"
	"$gaspdb" import -f -o "$TMP/$run.db" "$TMP/$run" >"$TMP/import.out" 2>&1
	is "$mpi, seven hosts: those that ask each other know their difference better" "$(sql "$TMP/$run.db" "
		WITH at AS (SELECT host, other, ns FROM host_pair UNION
			SELECT p.host, p.other, c.ns FROM host_pair p JOIN host_clock c ON c.host IN (p.host, p.other)), -- all steps
		own AS (SELECT a.*, (SELECT error_ns FROM host_pair p WHERE (p.host, p.other) = (a.host, a.other) AND p.ns <= a.ns
				ORDER BY p.ns DESC LIMIT 1) AS error_ns,
			(SELECT sum(c.error_ns) FROM host_clock c WHERE c.host IN (a.host, a.other)
			AND c.ns = (SELECT max(ns) FROM host_clock d WHERE d.host = c.host AND d.ns <= a.ns)) AS both_ns FROM at a)
		SELECT host, other, max(error_ns < both_ns) FROM own GROUP BY 1, 2")" $'node2|node3|1\nnode4|node5|1\nnode4|node6|1'
	is "$mpi, seven hosts: no message goes backwards" "$(sql "$TMP/$run.db" "SELECT count(*) FROM message WHERE received_ns < sent_ns")" 0
}
each_mpi mpi_clocks by_tree

# --- OpenSHMEM: by the MPI below it
shmem_hosts() {
	timeout 120 "$gaspdb" record -f -o "$TMP/shmem" --clock-sampling=50ms oshrun -n 6 "$TMP/named" \
		"$O/programs/oshmem/shmem_clocks" 100 2000 >"$TMP/shmem.out" 2>&1
	is "OpenSHMEM, three hosts: the program ends well" $? 0
	python3 "$read_clocks" "$TMP/shmem" >"$TMP/readings"
	is "OpenSHMEM: each asks its parent in the tree" "$(awk '{ print $2 " " $3 }' "$TMP/readings" | sort -nu)" $'2 0\n4 0'
	like "OpenSHMEM: at the start, at the end, and in between" "$(grep -c ' 2 0 ' "$TMP/readings")" '^([3-9]|[1-9][0-9]+)0$'
	is "OpenSHMEM: times are in order" "$(awk '$4 "" > $5 "" || $5 "" > $6 "" || $6 "" > $7 ""' "$TMP/readings")" ''
	is "OpenSHMEM: samples are the collector's time" "$(python3 "$read_clocks" --tool "$TMP/shmem")" '0 outside'
}
if [ -x "$O/programs/oshmem/shmem_clocks" ]; then
	shmem_hosts
else
	skip "OpenSHMEM" "not here"
fi

# --- the program's communicators are as they are without samples
teams_of() {
	RECORD=("$gaspdb" record -f -o "$TMP/teams" --clock-sampling="$2")
	CLOCK=real "launch_$1" 1 "$O/programs/$1/mpi_teams" >"$TMP/teams.out" 2>&1 || echo "ended with $?"
	"$gaspdb" import -f -o "$TMP/teams.db" "$TMP/teams" >"$TMP/import.out" 2>&1
	sql "$TMP/teams.db" "SELECT * FROM team ORDER BY id; SELECT * FROM team_member ORDER BY 1, 2"
}
same_teams() {
	local with
	with=$(teams_of "$1" 1ms)
	like "$1: there are readings in a run with communicators" "$(count teams)" '^[1-9]'
	is "$1: its communicators are those of a run without" "$with" "$(teams_of "$1" off)"
}
each_mpi mpi_teams same_teams
finish
