# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocking gets and puts: by line, by pair, and the fine-grained among them."""
from collections import defaultdict

BLOCKING = ("get", "put", "atomic", "atomic_fetch")
COLLECTIVE = ("broadcast", "scatter", "gather", "reduce", "all_to_all", "scan", "neighbor")


def percentile(sorted_values, p100):
    n = len(sorted_values)
    return sorted_values[max(0, -(-p100 * n // 100) - 1)]


def peer_of(e):
    a = e.args
    if "peer" in a:
        return a["peer"]
    return a.get("source_thread", -1) if e.type == "get" else a.get("target_thread", -1)


class Accesses:
    def __init__(self, run):
        self.run = run
        self.events = [e for e in run.events if e.type in BLOCKING and not e.nested
                       and 0 <= peer_of(e) < run.script.ranks]
        self.lines, self.pairs = defaultdict(list), defaultdict(list)
        for e in self.events:
            self.lines[e.source, int(peer_of(e) != e.thread.rank)].append(e)
            self.pairs[e.source, e.thread.id, run.process[peer_of(e)].id].append(e)
        self.groups = []
        for t in run.threads:
            self.fine_grained(t)

    @staticmethod
    def summary(events):
        d = sorted(e.end - e.start for e in events)
        return (len(d), sum(e.args["bytes"] for e in events), sum(d), d[0], percentile(d, 50), percentile(d, 95), d[-1])

    def fine_grained(self, t):
        groups = defaultdict(list)
        for e in t.events:
            if e.nested:
                continue
            if e.category == "synchronization" or e.type in COLLECTIVE:
                self.close(t, groups)
                groups = defaultdict(list)
            elif e.type in ("get", "put") and e in self.events and peer_of(e) != t.rank and e.args["bytes"] <= 256:
                groups[e.source, e.type].append(e)
        self.close(t, groups)

    def close(self, t, groups):
        for (source, _), events in groups.items():
            if len(events) < 16:
                continue
            by_peer = defaultdict(list)
            for e in events:
                by_peer[peer_of(e)].append(e)
            median = self.summary(self.lines[source, 1])[4]
            total = sum(e.end - e.start for e in events)
            saving = min((len(events) - len(by_peer)) * median,
                         total - sum(max(e.end - e.start for e in p) for p in by_peer.values()))
            self.groups.append((t.id, source, events[0].id, len(by_peer), len(events),
                                sum(e.args["bytes"] for e in events), total, saving, self.pattern(by_peer)))

    @staticmethod
    def pattern(by_peer):
        strides, sizes = set(), set()
        for events in by_peer.values():
            at = [e.args.get("object") for e in events]
            if not all(isinstance(a, tuple) for a in at):
                return "unknown"
            sizes |= {e.args["bytes"] for e in events}
            strides |= {b[1] - a[1] if a[0] == b[0] else None for a, b in zip(at, at[1:])}
        if len(strides) != 1 or None in strides:
            return "irregular"
        stride = strides.pop()
        if stride == 0:
            return "same address"
        return "contiguous" if sizes == {stride} else f"strided by {stride}"
