# SPDX-License-Identifier: GPL-3.0-or-later
"""The critical path, the lines that it goes through, and how long it lay on threads that were waited for."""
from collections import defaultdict


def overlap(a, b, c, d):
    return max(0, min(b, d) - max(a, c))


def union(intervals):
    """Disjoint ones that cover the same."""
    found = []
    for a, b in sorted(intervals):
        if found and a <= found[-1][1]:
            found[-1][1] = max(b, found[-1][1])
        else:
            found.append([a, b])
    return found


def neighbours(before):
    """The function, and what is before."""
    before = before or ("", "")
    return before if len(before) == 4 else ("", "") + before


class Path:
    """segments: (thread, kind, start, end, wait), the last first."""

    def __init__(self, run, waits):
        self.run, self.segments = run, []
        self.waits = waits
        self.walk()
        self.segments.reverse()

    def emit(self, t, kind, start, end, wait=None):
        if start < end:
            self.segments.append((t, kind, start, end, wait))

    def back(self, t, start, end, wait):
        """On the thread from end back to start; what is after its log's end is not its running."""
        ended = max(start, min(t.last, end))
        self.emit(t, "ended", ended, end, wait if ended == start else None)
        self.emit(t, "running", start, ended, wait)
        return start

    def walk(self):
        known = [t for t in self.run.threads if t.first is not None]
        at = max(t.last for t in known)
        zero = min(t.first for t in known)
        j = [t for t in known if t.last == at][0]
        unused = list(self.waits)
        while at > zero:
            mine = [w for w in unused if w["event"].thread is j and w["start"] < at]
            if mine:
                w = max(mine, key=lambda w: (min(w["end"], at), w["start"], w["event"].id))
                unused.remove(w)
                at = self.back(j, min(w["end"], at), at, w)
                if w["cause"] is not None and w["cause"].thread.first is not None:
                    j = w["cause"].thread
                else:
                    self.emit(j, "waiting", w["start"], at, w)
                    at = w["start"]
                continue
            at = self.back(j, min(j.first, at), at, None)
            creator = self.run.process[j.rank]
            if creator is not j and creator.first is not None and creator.first < at:
                j = creator
                continue
            self.emit(j, "not started", zero, at)
            return

    def rows(self):
        for t, kind, start, end, w in self.segments:
            yield t.id, kind, start, end, w["event"].id if w else 0, w["start"] if w else 0

    def lines(self):
        on_path, of_threads = defaultdict(int), defaultdict(int)
        for t in self.run.threads:
            mine = [(a, b) for u, kind, a, b, _ in self.segments if u is t and kind in ("running", "waiting")]
            rest, rest_path = (t.last - t.first if t.first is not None else 0), sum(b - a for a, b in mine)
            for doing, before, after, start, end, _ in t.pieces:
                line = ("waiting" if doing == "inherited" else doing, before, after)
                here = sum(overlap(a, b, start, end) for a, b in mine)
                on_path[line] += here
                of_threads[line] += 0 if doing == "inherited" else end - start
                rest, rest_path = rest - (end - start), rest_path - here
            on_path["not recorded", None, None] += rest_path
            of_threads["not recorded", None, None] += rest
        for _, kind, start, end, _ in self.segments:
            if kind in ("not started", "ended"):
                on_path[kind, None, None] += end - start
        return sorted(((what,) + neighbours(before) + (after or ("", "")) + (ns, of_threads[what, before, after])
                       for (what, before, after), ns in on_path.items()
                       if ns or of_threads[what, before, after]), key=repr)

    def calls(self):
        found = defaultdict(int)
        for t in self.run.threads:
            mine = [(a, b) for u, kind, a, b, _ in self.segments if u is t and kind in ("running", "waiting")]
            for doing, before, _, start, end, _ in t.pieces:
                if doing == "call":
                    found[before, t.id] += sum(overlap(a, b, start, end) for a, b in mine)
        return sorted((*source, t, ns) for (source, t), ns in found.items() if ns)

    def blame(self):
        causes, found = defaultdict(list), defaultdict(int)
        for w in self.waits:
            if w["cause"] is not None and not w["below"]:
                causes[w["kind"], w["cause"].thread, w["cause"].source].append((w["start"], w["end"]))
        for (kind, t, source), intervals in causes.items():
            for a, b in union(intervals):
                found[kind, t.id, source] += sum(overlap(a, b, start, end) for u, what, start, end, _ in self.segments
                                                 if u is t and what == "running")
        for _, what, start, end, w in self.segments:
            if what == "waiting":
                found[w["kind"], -1, w["event"].source] += end - start
        return sorted((kind, t, *source, ns) for (kind, t, source), ns in found.items() if ns)
