# SPDX-License-Identifier: GPL-3.0-or-later
# Two hosts on one machine: source it after lib.sh.  Each is a network namespace with a host name of its own, and their processes
# talk by TCP.  The clock of the second, CLOCK_MONOTONIC as libfaketime shows it, is 50 ms and more away and drifts by 100 ppm.
# The time stamp counter is the same, and so the truth.
faketime=$(echo /usr/lib/*/faketime/libfaketimeMT.so.1)
net=gaspdb$$ # names of interfaces have 15 characters at most

# names_missing: why there cannot be hosts without networks; nothing: there can
names_missing() {
	if [ ! -e "$faketime" ]; then
		echo "libfaketime is not here"
	elif ! unshare -u hostname t 2>/dev/null; then
		echo "no host names of their own (root)"
	elif [ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" != tsc ]; then
		echo "the time stamp counter is not trusted"
	fi
}

# hosts_missing: the same, with networks
hosts_missing() {
	names_missing
	if ! [ -x "$(command -v ip)" ] || ! ip netns add "$net-t" 2>/dev/null; then
		echo "no network namespaces (root, iproute2)"
	fi
	ip netns delete "$net-t" 2>/dev/null
}

# Of libfaketime what belongs to processes that have ended is removed, too.
hosts_down() {
	local file
	ip netns delete "$net-1" 2>/dev/null
	ip netns delete "$net-2" 2>/dev/null
	for file in /dev/shm/*faketime_*_*; do
		[ -d "/proc/${file##*_}" ] || rm -f "$file"
	done
}

# hosts_up: makes both, until the script ends
hosts_up() {
	local host
	trap 'hosts_down; rm -rf "$TMP"' EXIT
	ip netns add "$net-1" && ip netns add "$net-2" &&
		ip link add "$net-1" netns "$net-1" type veth peer name "$net-2" netns "$net-2" || return
	for host in 1 2; do
		ip -n "$net-$host" addr add "10.77.5.$host/24" dev "$net-$host"
		ip -n "$net-$host" link set "$net-$host" up
		ip -n "$net-$host" link set lo up
	done
	# As ssh for the launchers: [-OPTION...] ADDRESS COMMAND...  A process that stays makes what libfaketime shares, so
	# that all processes of the host have one clock.
	cat >"$TMP/agent" <<-END
		#!/bin/sh
		while [ "\${1#-}" != "\$1" ]; do shift; done
		host=\${1##*.}
		shift
		export FAKETIME='+0.05 x1.0001'
		exec ip netns exec $net-\$host unshare -u sh -c "hostname host-\$host; LD_PRELOAD=$faketime sh -c 'unset LD_PRELOAD; \$*; :'"
	END
	# What each process starts by: CLOCK=real leaves the clocks; UNRECORDED=HOST: processes there are not recorded.  libfaketime
	# crashes in a fstat() after its end.
	cat >"$TMP/rank" <<-END
		#!/bin/sh
		host=\$(hostname)
		[ "\${UNRECORDED:-}" = "\$host" ] && unset LD_PRELOAD
		if [ "\${CLOCK:-}" != real ]; then
			export GASPDB_CLOCK=monotonic NO_FAKE_STAT=1
			[ \$host = host-2 ] && export LD_PRELOAD="\${LD_PRELOAD:-}:$faketime"
		fi
		exec "\$@"
	END
	chmod +x "$TMP/agent" "$TMP/rank"
}

# hosts_up_or_finish: the same, or the script ends here, and says why
hosts_up_or_finish() {
	local missing
	missing=$(hosts_missing)
	[ -z "$missing" ] && hosts_up && return
	skip "two hosts" "${missing:-they cannot be set up}"
	finish
}

# launch_openmpi N COMMAND..., launch_mpich ...: 2 N processes, N on each host (PROCESSES: so many, the first host's first);
# RECORD: words before the launcher
launch_openmpi() {
	local n=$1
	shift
	ip netns exec "$net-1" unshare -u sh -c 'hostname host-1; exec "$@"' sh timeout 120 "${RECORD[@]}" mpirun.openmpi \
		--mca plm_rsh_agent "$TMP/agent" --mca btl tcp,self --mca pml ob1 --mca btl_tcp_if_include 10.77.5.0/24 \
		--mca oob_tcp_if_include 10.77.5.0/24 --host "10.77.5.1:$n,10.77.5.2:$n" -n "${PROCESSES:-$((2 * n))}" \
		-x LD_PRELOAD -x GASPDB_DIR -x GASPDB_RUN_ID -x GASPDB_CLOCK_SAMPLING -x UNRECORDED -x CLOCK "$TMP/rank" "$@"
}

launch_mpich() {
	local n=$1
	shift
	ip netns exec "$net-1" unshare -u sh -c 'hostname host-1; exec "$@"' sh timeout 120 "${RECORD[@]}" mpiexec.hydra \
		-launcher ssh -launcher-exec "$TMP/agent" -iface "$net-1" -hosts "10.77.5.1:$n,10.77.5.2:$n" -n "${PROCESSES:-$((2 * n))}" \
		"$TMP/rank" "$@"
}
