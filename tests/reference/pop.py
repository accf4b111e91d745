# SPDX-License-Identifier: GPL-3.0-or-later
"""What the POP efficiencies are made of: computation, and the ideal run by replay on a network that costs nothing."""
from collections import defaultdict

from collectives import root_of
from signals import failed, last_writes


class Moment:
    def __init__(self, thread, at, work, group, releases):
        self.thread, self.at, self.work, self.group, self.releases = thread, at, work, group, releases


def is_root(m):
    return m.thread.rank == root_of(m)


def collective_groups(collectives, c):
    """Who must have come, by the call that they come with; who can leave then, by the call that they leave."""
    left = [m for m in c.members if m.leave is not None]
    if c.rule == "all":
        yield [m.event for m in c.came], [m.wait for m in left]
    elif c.rule in ("groups", "groups data"):
        plain = c.rule == "groups"
        for first in (True, False):
            yield ([m.event for m in c.members if (m.rank < c.local) == first and (plain or m.sends)],
                   [m.wait for m in left if (m.rank < c.local) != first and (plain or m.receives)])
    elif c.rule in ("data", "sizes"):
        yield [m.event for m in c.members if m.sends], [m.wait for m in left if m.receives]
    elif c.rule == "root":
        yield [m.event for m in c.members if m.sends and is_root(m)], [m.wait for m in left if m.receives]
    elif c.rule == "to root":
        yield [m.event for m in c.members if m.sends], [m.wait for m in left if m.receives and is_root(m)]
    elif c.rule == "neighbours":
        for m in left:
            last = collectives.awaited(c, m)
            if last:
                yield [last.event], [m.wait]
    elif c.rule == "before":
        for m in left:
            before = [o for o in c.members if o.rank <= m.rank and o.sends]
            if before and m.receives:
                yield [max(before, key=lambda o: (o.enter, -o.thread.id)).event], [m.wait]


class Pop:
    def __init__(self, run, waits, messages, collectives, locks, window_locks):
        self.run, self.groups = run, list(window_locks.groups)
        for m in messages.messages:
            if m.receive.complete is not None and not m.uncertain:
                self.groups.append(([m.send.post], [m.receive.complete]))
        for w in waits:
            if w["cause_ns"] is not None and w["cause_ns"] > w["end"]:
                continue  # a test in vain ended before that
            if w["kind"] in ("late receiver", "late post", "early wait", "late complete") and w["cause"] or \
                    w["kind"] == "late sender" and w["event"].type in ("probe", "probe_nb"):
                self.groups.append(([w["cause"]], [w["event"]]))
        of_lock = defaultdict(list)
        for h in locks.holds:
            of_lock[h.acquire.args["object"]].append(h)
        for holds in of_lock.values():
            for h, after in zip(holds, holds[1:]):
                if h.release is not None:
                    self.groups.append(([h.release], [after.acquire]))
        for e, write in last_writes(run):
            if write is not None and not failed(e):
                self.groups.append(([write], [e]))
        for c in collectives.instances:
            self.groups += collective_groups(collectives, c)
        known = [t for t in run.threads if t.first is not None]
        self.regions = [self.clip(known), (min(t.first for t in known), max(t.last for t in known))]
        self.known = known
        self.replay()

    @staticmethod
    def clip(known):
        events = [e for t in known for e in t.events if not e.nested]
        inits = [e.end for e in events if e.type == "init" and not e.open]
        finalizes = [e.start for e in events if e.type == "finalize"]
        start = max(inits, default=min(t.first for t in known))
        return start, max(start, min(finalizes, default=max(t.last for t in known)))

    @staticmethod
    def work(t, region, until):
        """What the thread worked itself in the region, until then: all its time but calls that are no allocation and on no file."""
        low, high = region
        total = max(0, min(high, until) - max(low, t.first))
        for doing, _, _, start, end, e in t.pieces:
            if doing == "inherited" or doing == "call" and e.category not in ("allocation", "io"):
                total -= max(0, min(end, high, until) - max(start, low))
        return total

    def moments(self):
        roles = defaultdict(lambda: ([], []))
        for i, (releases, released) in enumerate(self.groups):
            for e in releases:
                roles[e.id][0].append(i)
            for e in released:
                roles[e.id][1].append(i)
        for t in self.known:
            seen = []
            for e in (p[5] for p in t.pieces):
                if e is not None and e not in seen:
                    seen.append(e)
            for e in seen:
                for at, releases, groups in ((e.start, True, roles[e.id][0]), (e.end, False, roles[e.id][1])):
                    for i in groups:
                        yield Moment(t, at, [self.work(t, r, at if not releases else e.start) for r in self.regions],
                                     i, releases)

    def replay(self):
        self.clock = {t: [0, 0] for t in self.known}
        done = {t: [0, 0] for t in self.known}
        reached = defaultdict(lambda: [0, 0])

        def advance(t, work):
            for i in 0, 1:
                self.clock[t][i] += work[i] - done[t][i]
                done[t][i] = work[i]

        times = defaultdict(list)
        for m in self.moments():
            times[m.at].append(m)
        for _, batch in sorted(times.items()):
            left = list(batch)
            while left:
                heads = {}
                for m in left:
                    heads.setdefault(m.thread.id, m)
                pending = {m.group for m in left if m.releases}
                free = [m for m in heads.values() if m.releases or m.group not in pending]
                m = (free or [heads[min(heads)]])[0]
                left.remove(m)
                advance(m.thread, m.work)
                a, b = reached[m.group], self.clock[m.thread]
                for i in 0, 1:
                    if m.releases:
                        a[i] = max(a[i], b[i])
                    else:
                        b[i] = max(a[i], b[i])
        for t in self.known:
            advance(t, [self.work(t, r, t.last) for r in self.regions])

    def rows(self):
        for i, (start, end) in enumerate(self.regions):
            yield i, start, end, max(c[i] for c in self.clock.values())

    @staticmethod
    def computation(t, low, high):
        return sum(max(0, min(end, high) - max(start, low)) for doing, _, _, start, end, _ in t.pieces
                   if doing in ("computation", "function"))

    def thread_rows(self):
        for t in self.known:
            for i, (low, high) in enumerate(self.regions):
                yield i, t.id, self.computation(t, low, high), self.clock[t][i]

    def bin_rows(self):
        for i, (start, end) in enumerate(self.regions):
            for n in (1, 2, 4, 8, 16, 32, 64):
                edges = [start + (end - start) * k // n for k in range(n + 1)]
                for low, high in zip(edges, edges[1:]):
                    computed = {t.id: self.computation(t, low, high) for t in self.known}
                    most = max(computed, key=lambda t: (computed[t], -t))
                    if high > low:
                        yield i, n, low, high, sum(computed.values()), computed[most], most
