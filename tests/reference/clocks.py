#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Offsets of several hosts' clocks, once more: Bellman-Ford without any order of arcs, on systems that tests/unit/importer/
test_hosts.c writes (GASPDB_CLOCK_SYSTEMS=FILE).  clocks.py FILE prints what differs, and the number of systems and knots.

    system HOSTS
    host NUMBER LINE_AT LINE_OFFSET SLOPE DRIFT SLOPE_ERROR     (reals in hexadecimal)
    order KIND FIRST SECOND FIRST_NS SECOND_NS DROPPED          (kind 0: of a reading)
    knot HOST NS LEAST MOST OFFSET                              (the solution that is checked)
"""
import sys

ROUNDING = 2  # ns: readings may be off by it, messages must be by it


class System:
    def __init__(self, n):
        self.n, self.hosts, self.orders, self.knots = n, {}, [], []

    def line(self, host, ns):
        at, offset, slope, _, _ = self.hosts[host]
        moved = slope * (ns - at)
        return offset + int(moved - 0.5 if moved < 0 else moved + 0.5)

    def departure(self, host, ns, first):
        _, _, _, drift, error = self.hosts[host]
        return int((drift + error) * (ns - first)) + (ns > first and drift > 0)

    def arcs(self):
        """(to, from, weight): x[to] <= x[from] + weight; x of a knot (host, ns): its offset less its line."""
        by_host = {}
        for host, ns, *_ in self.knots:
            by_host.setdefault(host, []).append(ns)
        for host, times in by_host.items():
            far = [self.departure(host, ns, times[0]) for ns in times]
            for i in range(1, len(times)):
                yield (host, times[i]), (host, times[i - 1]), far[i] - far[i - 1]
                yield (host, times[i - 1]), (host, times[i]), far[i] - far[i - 1]
        for kind, a, b, a_ns, b_ns, dropped in self.orders:
            if not dropped:
                apart = b_ns + self.line(b, b_ns) - a_ns - self.line(a, a_ns)
                yield (a, a_ns), (b, b_ns), apart + (ROUNDING if kind == 0 else -ROUNDING)

    def bounds(self, back):
        """The shortest path from the reference host to each knot; back: to it."""
        arcs = [(f, t, w) if back else (t, f, w) for t, f, w in self.arcs()]
        x = {(h, ns): 0 if h == 0 else None for h, ns, *_ in self.knots}
        changed = True
        while changed:
            changed = False
            for to, start, weight in arcs:
                if x[start] is not None and (x[to] is None or x[start] + weight < x[to]):
                    x[to] = x[start] + weight
                    changed = True
        return x

    def differences(self):
        most, least = self.bounds(False), self.bounds(True)
        for host, ns, *found in self.knots:
            line = self.line(host, ns)
            high, low = line + most[host, ns], line - least[host, ns]
            expected = [low, high, line + ((most[host, ns] - least[host, ns]) >> 1)]
            if found != expected:
                yield f"host {host} at {ns}: {found}, reference {expected}"


def read(file):
    system = None
    for line in file:
        word, *rest = line.split()
        if word == "system":
            if system:
                yield system
            system = System(int(rest[0]))
        elif word == "host":
            system.hosts[int(rest[0])] = (int(rest[1]), int(rest[2]), *map(float.fromhex, rest[3:]))
        elif word == "order":
            system.orders.append(tuple(map(int, rest)))
        else:
            system.knots.append(tuple(map(int, rest)))
    if system:
        yield system


def main():
    systems = knots = wrong = 0
    with open(sys.argv[1]) as file:
        for system in read(file):
            systems += 1
            knots += len(system.knots)
            for difference in system.differences():
                wrong += 1
                print(f"system {systems}: {difference}")
    print(f"{systems} systems, {'no' if not knots else 'some'} knots, {wrong} differ")
    sys.exit(wrong > 0 or not knots)


main()
