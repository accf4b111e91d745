#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Long.
# Clocks of several hosts where there is more than the world of MPI_Init: spawned worlds, and sessions.  Hosts and truth as in
# clocks.sh.
. "$TOP/tests/lib.sh"
. "$TOP/tests/hosts.sh"
. "$TOP/tests/readings.sh"
rounds=60 pause=8000

hosts_up_or_finish

# record MPI RUN WHAT [ARGUMENT...]: mpi_clock_worlds WHAT on both hosts, 2 places each; OPTION; its exit status
record() {
	local mpi=$1 run=$2 what=$3
	shift 3
	mkdir -p "$TMP/$run.truth"
	RECORD=("$gaspdb" record -f -o "$TMP/$run" ${OPTION:---clock-sampling=200ms})
	"launch_$mpi" 2 "$O/programs/$mpi/mpi_clock_worlds" "$what" "$TMP/$run.truth" "$rounds" "$pause" "$@" >"$TMP/$run.out" 2>&1
}

# pairs RUN: who asks whom, and whether more often than once
pairs() {
	python3 "$read_clocks" "$TMP/$1" | awk '{ n[$2 " " $3]++ } END { for (p in n) print p, (n[p] > 10 ? "often" : n[p]) }' | sort -n
}

# aligned RUN EVENTS MESSAGES: readings are true, and so is what an import makes of them
aligned() {
	local run=$1
	true_readings "$run"
	ok "$run: it is imported" imports "$TMP/$run" -f -o "$TMP/$run.db"
	true_events "$run" "$2" "$3"
	well_aligned "$run"
	is "$run: no host has its wall clock alone" "$(sql "$TMP/$run.db" "SELECT count(*) FROM quality WHERE kind = 'several hosts'")" 0
}

# failures RUN: why there was no sampling
failures() {
	"$gaspdb" import -f -o "$TMP/meta.db" "$TMP/$1" >"$TMP/import.out" 2>&1
	sql "$TMP/meta.db" "SELECT DISTINCT value FROM thread_meta WHERE key = 'clock_sampling_failed'"
}

marks() { ls "$TMP/$1" | grep 'clocks$'; }

# --- a world that is spawned: processes 1 and 2 of the run
spawned() {
	local mpi=$1
	PROCESSES=1 record "$mpi" "$mpi.there" spawn 2 10.77.5.2 "$TMP/rank"
	if [ $? -ne 0 ] && grep -q 'Error in spawn call' "$TMP/$mpi.there.out"; then
		skip "$mpi: spawned worlds" "it cannot spawn here"
		return
	fi
	is "$mpi: children on another host: the first one asks the spawn's root, once" "$(pairs "$mpi.there")" "1 0 10"
	aligned "$mpi.there" $((3 * 4 * rounds)) $((3 * rounds))
	is "$mpi: the first child says that it is recorded" "$(marks "$mpi.there") $(cat "$TMP/$mpi.there/1.clocks")" "1.clocks host-2"

	PROCESSES=1 record "$mpi" "$mpi.both" spawn 2 - "$TMP/rank"
	is "$mpi: children on both hosts: they ask each other, and no parent" "$? $(pairs "$mpi.both")" "0 2 1 often"
	aligned "$mpi.both" $((3 * 4 * rounds)) $((3 * rounds))

	cat >"$TMP/bare" <<-END
		#!/bin/sh
		unset LD_PRELOAD
		exec $TMP/rank "\$@"
	END
	chmod +x "$TMP/bare"
	PROCESSES=1 rounds=5 record "$mpi" "$mpi.bare" spawn 2 10.77.5.2 "$TMP/bare"
	is "$mpi: children that are not recorded are not waited for" "$? $(pairs "$mpi.bare")$(marks "$mpi.bare")$(failures "$mpi.bare")" "0 "
	PROCESSES=1 OPTION=--clock-sampling=off rounds=5 record "$mpi" "$mpi.both" spawn 2 10.77.5.2 "$TMP/rank"
	is "$mpi: off: nothing is done, and a run with marks is replaced" \
		"$? $(pairs "$mpi.both")$(marks "$mpi.both")$(grep -c '^root' "$TMP/$mpi.both/worlds.txt")" "0 0"
	PROCESSES=1 OPTION=--mode=trace rounds=5 record "$mpi" "$mpi.default" spawn 2 10.77.5.2 "$TMP/rank"
	is "$mpi: without the option it is done, too" "$? $(pairs "$mpi.default")" "0 1 0 10"

	# A root that does not come: the run directory says that it does.
	cat >"$TMP/misled" <<-END
		#!/bin/sh
		worlds=\$GASPDB_DIR/worlds.txt
		sed -n 's/^spawn \([^ ]*\) \([^ ]*\) .*/root \1 \2 0 elsewhere/p' "\$worlds" >$TMP/root
		cat $TMP/root >>"\$worlds"
		export GASPDB_CLOCK_SAMPLING=200ms
		exec $TMP/rank "\$@"
	END
	chmod +x "$TMP/misled"
	PROCESSES=1 OPTION=--clock-sampling=off rounds=5 record "$mpi" "$mpi.misled" spawn 1 10.77.5.2 "$TMP/misled"
	is "$mpi: a root that does not come is not waited for without an end" "$? $(pairs "$mpi.misled")$(failures "$mpi.misled")" \
		"0 the process at the other end of a spawn did not come to a sample"
	is "$mpi: and the program has its messages" "$(sql "$TMP/meta.db" "SELECT count(*) FROM message")" 10
}
each_mpi mpi_clock_worlds spawned

# --- no MPI_Init
sessions() {
	local mpi=$1
	record "$mpi" "$mpi.sessions" sessions
	if [ $? -eq 77 ] || grep -q 'exit\(ed with non-zero\)\? .*77' "$TMP/$mpi.sessions.out"; then
		skip "$mpi: sessions" "it has none"
		return
	fi
	is "$mpi, sessions: the first of host 2 asks that of host 1" "$(pairs "$mpi.sessions")" "2 0 often"
	aligned "$mpi.sessions" $((4 * 4 * rounds)) $((4 * rounds))
	# Of each of the two communicators: when it is made, and when it is freed.
	OPTION=--clock-sampling=1000s record "$mpi" "$mpi.rare" sessions
	is "$mpi, sessions: samples at the start and the end of each communicator" \
		"$? $(python3 "$read_clocks" "$TMP/$mpi.rare" | wc -l)" "0 40"
	aligned "$mpi.rare" $((4 * 4 * rounds)) $((4 * rounds))
	export UNRECORDED=host-2
	OPTION=--mode=trace rounds=4 record "$mpi" "$mpi.half" sessions
	is "$mpi, sessions: a host that is not recorded" "$? $(pairs "$mpi.half")$(failures "$mpi.half")" \
		"0 not all processes of the program are recorded"
	unset UNRECORDED
}
each_mpi mpi_clock_worlds sessions

# --- one host: nothing is done
on_one_host() {
	local mpi=$1 launcher=$2 what
	for what in spawn sessions; do
		mkdir -p "$TMP/$what.truth"
		timeout 60 "$gaspdb" record -f -o "$TMP/$what" --clock-sampling=1ms "$launcher" -n 2 "$O/programs/$mpi/mpi_clock_worlds" \
			$what "$TMP/$what.truth" 5 1000 2 - "$TMP/rank" >"$TMP/$what.out" 2>&1 || continue
		is "$mpi, one host, $what: neither readings nor marks" "$(pairs $what)$(marks $what)" ""
	done
}
CLOCK=real each_mpi mpi_clock_worlds on_one_host
finish
