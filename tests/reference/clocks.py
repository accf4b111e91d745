#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Offsets of several hosts' clocks, once more: Bellman-Ford without any order of arcs, on systems that tests/unit/importer/
test_hosts.c writes (GASPDB_CLOCK_SYSTEMS=FILE).  clocks.py FILE prints what differs, and the number of systems and knots.

    system HOSTS BENT                                           (BENT: some host without readings has several offsets)
    host NUMBER LINE_AT LINE_OFFSET SLOPE DRIFT SLOPE_ERROR READ (reals in hexadecimal; READ: by readings)
    order KIND FIRST SECOND FIRST_NS SECOND_NS DROPPED          (kind 0: of a reading)
    knot HOST NS LEAST MOST OFFSET                              (the solution that is checked)

Clocks: what an import has chosen within such bounds, which other parts of the reference take from its database."""
import bisect
import sys

UNBOUNDED = -1 << 63
ROUNDING = 2  # ns: readings may be off by it, messages must be by it


class Clocks:
    """Hosts without readings: their offsets, and how far they may be off."""

    def __init__(self, steps, pairs, wall):
        self.steps, self.pairs, self.wall = steps, pairs, wall

    @staticmethod
    def of(db):
        """Those of a database; None: they were not aligned."""
        steps, pairs = {}, {}
        for host, *row in db.execute("SELECT host, ns, offset_ns, error_ns FROM host_clock ORDER BY 1, 2"):
            steps.setdefault(host, []).append(row)
        for host, other, *row in db.execute("SELECT * FROM host_pair ORDER BY 1, 2, 3"):
            pairs.setdefault((host, other), []).append(row)
        wall = {host: ns or 0 for host, ns in db.execute("SELECT name, wall_error_ns FROM host")}
        return Clocks(steps, pairs, wall) if steps else None

    def offset(self, host):
        """One for all times: these clocks do not drift."""
        offsets = {offset for _, offset, _ in self.steps.get(host, [[0, 0, 0]])}
        if len(offsets) > 1:
            raise ValueError(f"{host} has several offsets: {offsets}")
        return offsets.pop()

    @staticmethod
    def at(rows, ns):
        """The error at a time."""
        error = rows[max(bisect.bisect([row[0] for row in rows], ns) - 1, 0)][-1] if rows else None
        return float("inf") if error is None else error

    def bound(self, a, b, ns):
        own = self.at(self.steps.get(a), ns) + self.at(self.steps.get(b), ns)
        return min(own, self.at(self.pairs.get((a, b)), ns))


def negated(x):
    return None if x is None else -x


class System:
    def __init__(self, n, bent):
        self.bent, self.hosts, self.orders, self.knots = bent, {}, [], []

    def line(self, host, ns):
        at, offset, slope, *_ = self.hosts[host]
        moved = slope * (ns - at)
        return offset + int(moved - 0.5 if moved < 0 else moved + 0.5)

    def departure(self, host, ns, first):
        _, _, _, drift, error, _ = self.hosts[host]
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
                exact = self.exact(a) and self.exact(b)
                yield (a, a_ns), (b, b_ns), apart + (ROUNDING if kind == 0 else 0 if exact else -ROUNDING)

    def exact(self, host):
        """Are its times moved by the same number of ns?"""
        return host == 0 or not (self.hosts[host][-1] or self.bent)

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
            high, low = (None if x is None else x + line for x in (most[host, ns], negated(least[host, ns])))
            offset = found[2]  # without readings: any that satisfies all constraints
            if host == 0 or self.hosts[host][-1]:
                offset = line + ((most[host, ns] - least[host, ns]) >> 1)
            expected = [UNBOUNDED if low is None else low, UNBOUNDED if high is None else high, offset]
            if found != expected:
                yield f"host {host} at {ns}: {found}, reference {expected}"

    def violations(self):
        """Of the offsets that were chosen."""
        x = {(host, ns): offset - self.line(host, ns) for host, ns, *_, offset in self.knots}
        for to, start, weight in self.arcs():
            if x[to] > x[start] + weight:
                yield f"host {to[0]} at {to[1]}: {x[to] - x[start] - weight} too late for host {start[0]} at {start[1]}"


def read(file):
    system = None
    for line in file:
        word, *rest = line.split()
        if word == "system":
            if system:
                yield system
            system = System(*map(int, rest))
        elif word == "host":
            system.hosts[int(rest[0])] = (int(rest[1]), int(rest[2]), *map(float.fromhex, rest[3:6]), int(rest[6]))
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
            for difference in [*system.differences(), *system.violations()]:
                wrong += 1
                print(f"system {systems}: {difference}")
    print(f"{systems} systems, {'no' if not knots else 'some'} knots, {wrong} differ")
    sys.exit(wrong > 0 or not knots)


if __name__ == "__main__":
    main()
