# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocking gets and puts: by line, by pair, and the fine-grained among them."""
from collections import defaultdict

from signals import covers, writes

ACCESSES = ("get", "put", "atomic", "atomic_fetch", "get_nb", "put_nb")
RECEIVING = ("receive", "send_receive", "wait", "test")  # a message may tell what its sender did
COLLECTIVE = ("broadcast", "scatter", "gather", "reduce", "all_to_all", "exchange", "scan", "neighbor")


def percentile(sorted_values, p100):
    n = len(sorted_values)
    return sorted_values[max(0, -(-p100 * n // 100) - 1)]


def blocks(e):
    """Is it an access that returns when it is done?  MPI's end with a call of their window, or that of their request;
    an atomic's may come when its context's are completed."""
    return e.type in ("get", "put", "atomic", "atomic_fetch") and not {"window", "request", "result"} & set(e.operation.arguments)


def peer_of(e):
    a = e.args
    if "peer" in a:
        return a["peer"]
    return a.get("source_thread", -1) if e.type in ("get", "get_nb") else a.get("target_thread", -1)


def halves(e):
    """A copy is a get and a put, which share its time."""
    ns, a = e.end - e.start, e.args
    return [("get", a.get("source_thread", -1), ns - ns // 2), ("put", a.get("target_thread", -1), ns // 2)]


def parts(e):
    """(direction, owner's rank, time) of each access that returns when it is done."""
    if e.type == "copy":
        return halves(e)
    if not blocks(e):
        return []
    return [("atomic" if "atomic" in e.type else e.type, peer_of(e), e.end - e.start)]


def of_nothing(e):
    """Does it allocate or free nothing?"""
    if e.type == "shared_alloc":
        return e.args["bytes"] == 0 and e.args.get("old_address", 0) == 0
    return e.type == "shared_free" and e.args["address"] == 0


def separates(e):
    """Does the thread synchronize?  OpenSHMEM's allocations contain a barrier of all."""
    if e.type in ("shared_alloc", "shared_free") and "context" in e.operation.arguments:
        return not of_nothing(e)
    return e.category == "synchronization" or e.type in COLLECTIVE or e.type in RECEIVING


def recorded(t):
    """The thread's outermost calls; None for what was not recorded between them."""
    gaps = sorted(a for kind, a, _ in t.gaps if kind != "tool")
    for e in t.events:
        if e.nested:
            continue
        if gaps and gaps[0] < e.start:
            gaps = [a for a in gaps if a >= e.start]
            yield None
        yield e


class Accesses:
    def __init__(self, run):
        self.run = run
        self.events = [e for e in run.events if blocks(e) and not e.nested
                       and 0 <= peer_of(e) < run.script.ranks]
        self.lines, self.pairs = defaultdict(list), defaultdict(list)
        for e in run.events:
            if e.nested:
                continue
            for direction, owner, ns in parts(e):
                known = 0 <= owner < run.script.ranks
                self.lines[e.source, direction, int(owner != e.thread.rank) if known else 2].append((e, ns))
                if known:
                    self.pairs[e.source, e.thread.id, direction, run.process[owner].id].append((e, ns))
        self.polled, self.repeated = set(), set()
        self.polling, self.rereads, self.series = defaultdict(list), defaultdict(list), defaultdict(int)
        for t in run.threads:
            self.needless(t)
        self.groups = []
        for t in run.threads:
            self.fine_grained(t)

    @staticmethod
    def summary(accesses):
        d = sorted(ns for _, ns in accesses)
        return (len(d), sum(e.args["bytes"] for e, _ in accesses), sum(d), d[0], percentile(d, 50), percentile(d, 95), d[-1])

    @staticmethod
    def row(accesses):
        strict = sum(Accesses.strict(e) for e, _ in accesses) if Accesses.told(accesses[0][0]) else -1
        return Accesses.summary(accesses) + (strict,)

    def needless(self, t):
        """Gets that poll, and gets of what was read before."""
        series, reads = [], set()  # gets of one word; what was read since it may last have changed
        again = set()

        def close():
            if len(series) >= 8:
                self.polled.update(series[:-1])
                for e in series[:-1]:
                    key = e.source, t.id, self.run.process[peer_of(e)].id
                    self.polling[key].append(e)
                    self.series[key] += e is series[0]
            else:
                for e in series:
                    if e in again:
                        self.repeated.add(e)
                        self.rereads[e.source, t.id, self.run.process[peer_of(e)].id].append(e)

        for e in recorded(t):
            if e is None:
                close()
                series, reads = [], set()
                continue
            if separates(e):
                reads = set()
            if self.strict(e):
                reads = set()
            if e.type not in ACCESSES + ("copy", "copy_nb") or peer_of(e) == t.rank:
                continue
            word = _, at, _ = self.word(e)
            if self.reads(e) and isinstance(at, tuple) and e.args["bytes"] > 0:
                if series and self.word(series[0]) != word:
                    close()
                    series = []
                series.append(e)
                if word in reads:
                    again.add(e)
                reads.add(word)
                continue
            close()
            series = []
            if e.type in ("copy", "copy_nb"):
                reads = set()
            elif writes(e):
                reads = {w for w in reads if not self.touches(e, w)}
        close()

    def reads(self, e):
        """Atomics that only fetch do, too."""
        return e in self.events and (e.type == "get" or e.type == "atomic_fetch" and not writes(e))

    @staticmethod
    def told(e):
        return e.type in ("get", "put", "get_nb", "put_nb") and "relaxed" in e.operation.arguments

    @staticmethod
    def strict(e):
        """As far as the runtime tells."""
        return Accesses.told(e) and e.args["relaxed"] == 0

    @staticmethod
    def word(e):
        """Where a pointer-to-shared points is not known, but what is the same."""
        at, pointer = e.args.get("object"), e.args.get("source")
        if at is None and e.type == "get" and e.operation.model == "UPC" and pointer:
            at = ("pointer", (pointer, e.args.get("source_high", 0)))
        return peer_of(e), at, e.args.get("bytes", 0)

    def touches(self, written, read):
        """May the write have changed what was read?  Of a process that is none of the run nothing is known."""
        (peer, at, _), (reader, where, length) = self.word(written), read
        if 0 <= peer < self.run.script.ranks and peer != reader:
            return False
        if where[0] == "pointer":
            return True
        return not isinstance(at, tuple) or not isinstance(written.args.get("signal", at), tuple) or \
            covers(written, where, length)

    def fine_grained(self, t):
        groups = defaultdict(list)
        for e in recorded(t):
            if e is None or separates(e):
                self.close(t, groups)
                groups = defaultdict(list)
            elif e.type in ("get", "put") and e in self.events and peer_of(e) != t.rank and 0 < e.args["bytes"] <= 256 \
                    and e not in self.polled:
                groups[e.source, e.type].append(e)
        self.close(t, groups)

    def close(self, t, groups):
        for (source, direction), events in groups.items():
            if len(events) < 16:
                continue
            by_peer = defaultdict(list)
            for e in events:
                by_peer[peer_of(e)].append(e)
            total = sum(e.end - e.start for e in events)
            saving = total - sum(max(e.end - e.start for e in p) for p in by_peer.values())
            if saving <= 0:
                continue
            self.groups.append((t.id, source, events[0].id, len(by_peer), len(events),
                                sum(e.args["bytes"] for e in events), total, saving,
                                sum(e.end - e.start for e in events if e in self.repeated),
                                self.pattern(by_peer)))

    @staticmethod
    def place(e):
        """Object and offset; of a pointer of UPC nothing and its number, NULL is none."""
        where = e.args.get("object")
        if isinstance(where, tuple):
            return where
        return None, e.args.get("source" if e.type == "get" else "target") or None

    def pattern(self, by_peer):
        strides, sizes, pointers = set(), set(), False
        for events in by_peer.values():
            at = [self.place(e) for e in events]
            if any(where[1] is None for where in at):
                return "unknown"
            pointers |= at[0][0] is None
            sizes |= {e.args["bytes"] for e in events}
            strides |= {b[1] - a[1] if a[0] == b[0] else None for a, b in zip(at, at[1:])}
        # More than an address is in a number that takes such steps.
        if pointers and any(abs(step) >= 2 ** 31 for step in strides):
            return "unknown"
        if len(strides) != 1 or None in strides:
            return "irregular"
        stride = strides.pop()
        if stride == 0:
            return "same address"
        return "contiguous" if sizes == {abs(stride)} else f"strided by {stride}"
