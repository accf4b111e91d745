#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Clocks of several hosts in UPC programs (tests/upc/clocks.c).  Hosts are names: shared memory is that of one machine, and so is the
# time stamp counter, which the program notes as the truth; the second host's clock is libfaketime's.
# Long.
. "$TOP/tests/lib.sh"
. "$TOP/tests/hosts.sh"
. "$TOP/tests/readings.sh"
export ROUNDS=150 PAUSE_US=4000

# --- one host: each thread says its host and is told that it leads none
one_host() {
	local name=$1 how=$2
	timeout 60 "$gaspdb" record -f -o "$TMP/one" --clock-sampling=1ms "$O/upc/$name" "$how" 4 clocks >"$TMP/one.out" 2>"$TMP/one.err"
	is "$name, $how, one host: two words of each thread" "$? $(cat "$TMP/one.out")" "0 2 2 2 2"
	is "$name, $how, one host: no readings" "$(count one)" 0
}
ROUNDS=10
for name in gnu-clocks gnu-clocks-silent berkeley-clocks; do one_host $name process; done
one_host gnu-clocks-pthreads both
one_host gnu-clocks-pthreads pthreads
is "one thread: no word" "$(GASPDB_DIR=$TMP/single "$O/upc/gnu-clocks" process 1 clocks)" 0
is "off: no word" "$(GASPDB_DIR=$TMP/unwished GASPDB_CLOCK_SAMPLING=off "$O/upc/gnu-clocks" process 4 clocks)" "0 0 0 0"

# --- not linked: nothing is there
is "without the file the program has no words" "$(nm "$O/upc/gnu-upcalls" | grep -E 'gaspdb_upc_(set_)?word|gaspdb_upc_has_shared' | sort -u)" \
"                 w gaspdb_upc_has_shared
                 w gaspdb_upc_set_word
                 w gaspdb_upc_word"

missing=$(names_missing)
if [ -n "$missing" ]; then
	skip "several hosts" "$missing"
	finish
fi
trap 'hosts_down; rm -rf "$TMP"' EXIT

# --- several hosts
# $TMP/host NUMBER FIRST THREADS PER_PROCESS COMMAND...: one host's processes
cat >"$TMP/host" <<-'END'
	#!/bin/bash
	hostname "host-$1"
	first=$2 end=$(($2 + $3)) per=$4
	[ "$1" = "$FAKED" ] && export LD_PRELOAD=$FAKETIME_LIBRARY
	shift 4
	pids=() status=0
	for ((; first < end; first += per)); do
		RT_FIRST=$first RT_THREADS=$per "$@" &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
	exit $status
END
# $TMP/hosts HOSTS THREADS PER_PROCESS COMMAND...: as a launcher; so many threads a host.  Of the faked host a process stays that makes
# what libfaketime shares.
cat >"$TMP/hosts" <<-'END'
	#!/bin/bash
	hosts=$1 threads=$2 per=$3 status=0 pids=()
	shift 3
	unset LD_PRELOAD
	export RT_FILE=$HOSTS_FOLDER/shared NO_FAKE_STAT=1 GASPDB_CLOCK=monotonic
	rm -f "$RT_FILE" && truncate -s 1M "$RT_FILE"
	for ((h = 1; h <= hosts; h++)); do
		command=(unshare -u "$HOSTS_FOLDER/host" $h $(((h - 1) * threads)) $threads $per "$@")
		if [ $h = "${FAKED:-}" ]; then
			FAKETIME='+0.05 x1.0001' LD_PRELOAD=$FAKETIME_LIBRARY sh -c 'unset LD_PRELOAD; "$@"' sh "${command[@]}" &
		else
			"${command[@]}" &
		fi
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
	exit $status
END
chmod +x "$TMP/host" "$TMP/hosts"
export HOSTS_FOLDER=$TMP FAKETIME_LIBRARY=$faketime FAKED=2

# record RUN OPTION HOSTS THREADS PER_PROCESS NAME PROGRAM; its exit status
record() {
	local run=$1 option=$2 hosts=$3 threads=$4 per=$5 name=$6 program=$7
	mkdir -p "$TMP/$run.truth"
	TRUTH=$TMP/$run.truth timeout 120 "$gaspdb" record -f -o "$TMP/$run" $option "$TMP/hosts" "$hosts" "$threads" "$per" \
		"$O/upc/$name" launched $((hosts * threads)) "$program" >"$TMP/$run.out" 2>"$TMP/$run.err"
}

two_hosts() {
	local name=$1 per=$2 expected=$3
	record "$name" --clock-sampling=100ms 2 2 "$per" "$name" clocks
	is "$name: the program ends well" $? 0
	true_readings "$name"
	false_readings "$name"
	is "$name: samples at the start, at the end, and in between" "$(sampled_over_time "$name")" "$expected"
	is "$name: the first thread of each host leads" "$(meta "$name")" \
		"0|clock_sampling|2 hosts, asks rank -1, every 100 ms
2|clock_sampling|2 hosts, asks rank 0, every 100 ms"
	ok "$name: it is imported" imports "$TMP/$name" -f -o "$TMP/$name.db"
	is "$name: only its own events are there" "$(sql "$TMP/$name.db" "SELECT DISTINCT operation FROM place
		WHERE operation NOT IN ('upc_barrier', 'upc_notify', 'upc_wait', 'exit')")" ""
	is "$name: no thread leaves a barrier before all have entered" "$(sql "$TMP/$name.db" "SELECT sum(first_leave_ns < last_enter_ns)
		FROM collective WHERE rule = 'all'; SELECT kind, detail FROM quality WHERE kind GLOB 'clock*' AND detail NOT GLOB '*drift*'")" 0
	well_aligned "$name"
}

# events_as_said NAME: each barrier is where it is in true time, but for the stored error
events_as_said() {
	true_events "$1" $((4 * ROUNDS)) 0
	false_events "$1"
}

ROUNDS=150
two_hosts gnu-clocks 1 '10 10 and more'
events_as_said gnu-clocks
two_hosts gnu-clocks-pthreads 2 '10 10 and more'
events_as_said gnu-clocks-pthreads
two_hosts gnu-clocks-silent 1 '0 10 and more'
events_as_said gnu-clocks-silent
two_hosts berkeley-clocks 1 '0 10 and more' # its upc_barrier is two calls

# --- recording is off, in some threads, now and then: barriers are counted all the same
record off --clock-sampling=50ms 2 2 1 gnu-clocks clocks-off
is "recording off in some threads: the program ends well" $? 0
is "recording off in some threads: sampling does not end" "$(meta off | grep -c failed)" 0
like "recording off in some threads: there are readings" "$(count off)" '^[3-9][0-9]$|^[1-9][0-9][0-9]+$'

# --- barriers that are not recorded, or counted alone
record masked "--clock-sampling=50ms --except=UPC_BARRIER" 2 2 1 gnu-clocks clocks
is "barriers masked: the program ends well" $? 0
is "barriers masked: there are readings between, too" "$(sampled_over_time masked)" '10 10 and more'
"$gaspdb" import -f -o "$TMP/masked.db" "$TMP/masked" 2>/dev/null
is "barriers masked: they are counted" "$(sql "$TMP/masked.db" "SELECT sum(count) FROM quality WHERE kind = 'masked events'")" $((2 * 4 * ROUNDS))
record both "--clock-sampling=50ms --mode=both" 2 2 1 gnu-clocks clocks
"$gaspdb" import -f -o "$TMP/both.db" "$TMP/both" 2>/dev/null
is "a profile beside a trace: barriers and readings" "$(sql "$TMP/both.db" "SELECT sum(calls) FROM profile JOIN place USING (source_id)
	WHERE operation = 'upc_barrier'; SELECT readings > 20 FROM host WHERE name = 'host-2'")" "$((4 * ROUNDS))"$'\n1'
record profile "--clock-sampling=50ms --mode=profile" 2 2 1 gnu-clocks clocks
is "a profile alone: no samples" "$? $(cat "$TMP/profile.out") $(meta profile)" "0 0 0 0 0 "

# --- one leader raises no more events: the other waits for it once, for 10 s, and the program goes on
failed="another host's leader did not come to a sample, or has stopped sampling"
both_failed="0|clock_sampling|2 hosts, asks rank -1, every 20 ms
0|clock_sampling_failed|$failed
2|clock_sampling|2 hosts, asks rank 0, every 20 ms
2|clock_sampling_failed|$failed"
record gone --clock-sampling=20ms 2 2 1 gnu-clocks clocks-gone
is "a leader does not come: the program ends well" $? 0
is "a leader does not come: both say so" "$(meta gone)" "$both_failed"
like "a leader does not come: readings before that" "$(count gone)" '^[1-9][0-9]*0$'
is "a leader does not come: it is waited for once" "$(sql "$TMP/meta.db" "SELECT count(*), max(end_ns - start_ns) > 9e9, max(end_ns - start_ns) < 15e9
	FROM gap WHERE kind = 'tool' AND end_ns - start_ns > 1e9")" "1|1|1"

# --- thread 0 ends by exit(), which raises no event: the others do not wait long for it at their end
record mixed --clock-sampling=20ms 2 2 1 gnu-clocks mixed
is "a leader calls exit(): the program's status" $? 3
is "a leader calls exit(): the other says so" "$(meta mixed)" "$(grep -v '^0|clock_sampling_failed' <<<"$both_failed")"
is "a leader calls exit(): it is waited for 2 s" "$(sql "$TMP/meta.db" "SELECT count(*), max(end_ns - start_ns) < 7e9
	FROM gap WHERE kind = 'tool' AND end_ns - start_ns > 1e9")" "1|1"

# --- seven hosts, by one clock, so that the four times of a reading are in order
ROUNDS=20 PAUSE_US=1000
FAKED='' record seven --clock-sampling=20ms 7 2 1 gnu-clocks clocks
is "seven hosts: the program ends well" $? 0
tree_of_seven seven

# --- not wished
record unwished --clock-sampling=off 2 2 1 gnu-clocks clocks
is "off: no readings, and no word" "$? $(cat "$TMP/unwished.out") $(count unwished) $(meta unwished)" "0 0 0 0 0 0 "
finish
