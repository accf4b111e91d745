# SPDX-License-Identifier: GPL-3.0-or-later
"""What threads did that others waited for."""
from collections import defaultdict
from fractions import Fraction


def pieces(run, waits):
    """Each thread's time: (doing, from, to, start, end, event), from and to sources.  Only outermost calls count."""
    waiting = defaultdict(list)
    for w in waits:
        waiting[w["event"].id].append((w["start"], w["end"]))
    for t in run.threads:
        found, at, before = [], t.first, None
        if t.first is None:
            t.pieces = []
            continue
        for e in t.events:
            if not e.runtime or e.nested or e.start < at:
                continue
            found += list(compute(t, at, e.start, before, e.source))
            at = e.start
            for start, end in sorted(waiting[e.id]) + [(e.end, e.end)]:
                if start > at or at == e.start == e.end:
                    found.append(("call", e.source, None, at, start, e))
                if end > start:
                    found.append(("inherited", e.source, None, start, end, e))
                at = end
            before = e.source
        t.pieces = found + list(compute(t, at, t.last, before, None))


def compute(t, start, end, before, after):
    """Computation without the parts that were not recorded."""
    cuts = sorted({start, end} | {x for _, a, b in t.gaps for x in (a, b) if start < x < end})
    for a, b in zip(cuts, cuts[1:]):
        if not any(x <= a and b <= y for _, x, y in t.gaps):
            yield ("computation", before, after, a, b, None)


def synchronizes(c):
    return c.rule in ("all", "data", "groups", "groups data")


def since_before(c, m, instances):
    """Time of a member by line, from the team's instance before to its arrival."""
    before = [o for d in instances if d.team == c.team and synchronizes(d) for o in d.members
              if o.thread is m.thread and o.event.id < m.event.id]
    previous = max(before, key=lambda o: o.event.id, default=None)
    # The calls of that instance, split phase: both, are not in what follows it.
    calls = {previous.event.id, previous.wait.id if previous.event.type == "notify" and previous.wait else 0} \
        if previous else set()
    found, after = defaultdict(int), previous is None
    for doing, a, b, start, end, e in m.thread.pieces:
        if e is m.event:
            break
        if e is not None and e.id in calls:
            after = True
        elif after:
            found[doing, a, b] += end - start
    return found


class Delays:
    def __init__(self, run, waits, instances):
        pieces(run, waits)
        self.rows = defaultdict(Fraction)
        self.totals = defaultdict(int)
        of_event = {m.event.id: c for c in instances for m in c.members}
        reach = {}
        for w in waits:
            if w["cause"] is None or w["below"]:
                continue
            cause = (w["kind"], w["cause"].thread.id, w["cause"].source)
            self.totals[cause] += w["end"] - w["start"]
            if w["kind"] not in ("barrier", "all-to-all"):
                for doing, a, b, start, end, _ in w["cause"].thread.pieces:
                    both = min(end, w["end"]) - max(start, w["start"])
                    if both > 0:
                        self.rows[cause + (doing, a, b)] += both
                continue
            c = of_event[w["cause"].id]
            if c not in reach:
                reach[c] = self.excess(c, w["cause"], instances)
            total = sum(reach[c].values())
            for line, d in reach[c].items():
                self.rows[cause + line] += min(1, Fraction(w["end"] - w["start"]) / total) * d

    @staticmethod
    def excess(c, cause, instances):
        """What the last did longer than the others in the mean, and all its own waiting."""
        last = [m for m in c.members if m.event is cause][0]
        others = [since_before(c, m, instances) for m in c.members if m is not last and m.enter is not None]
        found = {}
        for line, ns in since_before(c, last, instances).items():
            if line[0] != "inherited" and not others:
                continue  # longer than whom?
            mean = 0 if line[0] == "inherited" else Fraction(sum(o[line] for o in others), len(others))
            if ns > mean:
                found[line] = ns - mean
        return found

    def table(self):
        """Whole ns by largest remainder; the sums are those of the waiting."""
        rows = defaultdict(list)
        for (kind, thread, source, *line), ns in self.rows.items():
            rows[kind, thread, source].append((tuple(line), ns))
        for cause, total in self.totals.items():
            parts = rows[cause] + [(("unexplained", None, None), total - sum(ns for _, ns in rows[cause]))]
            yield cause, parts, total
