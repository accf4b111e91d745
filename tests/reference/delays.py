# SPDX-License-Identifier: GPL-3.0-or-later
"""What threads did that others waited for."""
from collections import defaultdict
from fractions import Fraction


def pieces(run, waits):
    """Each thread's time: (doing, from, to, start, end, event), from and to sources.  Only outermost calls count, and the
    functions and loops of the program's own."""
    waiting = defaultdict(list)
    for w in waits:
        waiting[w["event"].id].append((w["start"], w["end"]))
    for t in run.threads:
        found, at = [], t.first
        if t.first is None:
            t.pieces = []
            continue
        own = [e for e in t.events if e.category == "computation"]
        calls, until = [], t.first
        for e in t.events:
            if e.runtime and not e.nested and e.start >= until:
                calls.append(e)
                until = e.end
        neighbours = sorted(calls + own, key=lambda e: e.id)
        for e in calls:
            found += compute(t, at, e.start, own, neighbours)
            at = e.start
            for start, end in sorted(waiting[e.id]) + [(e.end, e.end)]:
                if start > at or at == e.start == e.end:
                    found.append(("call", e.source, None, at, start, e))
                if end > start:
                    found.append(("inherited", e.source, None, start, end, e))
                at = end
        t.pieces = found + list(compute(t, at, t.last, own, neighbours))


def compute(t, start, end, own, neighbours):
    """Computation without the parts that were not recorded: by the function that was begun last of those that are open, or,
    where none is, by what ended last before and what begins first after it."""
    edges = [g[1:] for g in t.gaps] + [(e.start, e.end) for e in own]
    cuts = sorted({start, end} | {x for edge in edges for x in edge if start < x < end})
    for a, b in zip(cuts, cuts[1:]):
        if any(x <= a and b <= y for _, x, y in t.gaps):
            continue
        inside = [e for e in own if e.start <= a and b <= e.end]
        if inside:
            yield ("function", *in_function(inside[-1], neighbours, a, b), a, b, None)
        else:
            yield ("computation", last_before(neighbours, a), first_after(neighbours, b), a, b, None)


def in_function(f, neighbours, start, end):
    """f, with what ended last in it before that, unless it is f again, and what comes next in it."""
    ended = [e for e in neighbours if e.id > f.id and e.start >= f.start or e.runtime and e.id < f.id and e.end > f.start]
    before, after = last_before([e for e in ended if e.id != f.id], start), first_after(neighbours, end)
    last = next((e for e in neighbours if e.start >= end), None)
    return f.source + ((before or ("", "")) if before != f.source else ("", "")), after if last and last.start < f.end else None


def last_before(events, at):
    """Of those that end at the same time the outermost, but what takes no time comes after what ends then."""
    ended = [e for e in events if e.end <= at]
    last = max((e.end for e in ended), default=None)
    ended = [e for e in ended if e.end == last]
    whole = [e for e in ended if e.start == e.end]
    return whole[-1].source if whole else ended[0].source if ended else None


def first_after(events, at):
    return next((e.source for e in events if e.start >= at), None)


def synchronizes(c):
    return c.rule in ("all", "data", "sizes", "groups", "groups data")


def arrival_end(o):
    """Until when the call by which it arrives keeps a thread; one that does not block: when that begins."""
    e = o.event
    return e.start if e.open or e.type == "start" or "request" in e.operation.arguments else e.end


def members_of(run, team):
    """As far as the logs tell; a team of which they do not is like no other."""
    there = {t.rank for t in run.threads if not t.missing}
    known = set(team.members) if team.listed and team.members[0] in there else there & set(team.members)
    return frozenset(known) if len(known) == len(set(team.members)) else team.name


def since_before(run, c, m, instances):
    """Time of a member by line, from the instance before, of the same members or of all threads, in which another thread of its
    process may have been, to its arrival."""
    whole = frozenset(range(run.script.ranks))

    def members(instance):
        return whole if instance.team is None else members_of(run, run.teams[instance.team])

    def stands_for(d):
        return d.team == c.team or members(d) in (members(c), whole)

    before = [d for d in instances if synchronizes(d) and stands_for(d)]
    own = [o for d in before for o in d.members if o.thread is m.thread and o.event.id < m.event.id]
    previous = max(own, key=lambda o: o.event.id, default=None)
    since = max((arrival_end(o) for d in before for o in d.members if o.thread.rank == m.thread.rank and
                 o.thread is not m.thread and arrival_end(o) < m.event.start), default=None)
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
            found[doing, a, b] += max(0, end - (start if since is None else max(start, since)))
    return found


class Delays:
    def __init__(self, run, waits, instances):
        pieces(run, waits)
        self.rows = defaultdict(Fraction)
        self.totals = defaultdict(int)
        of_event = {m.event.id: c for c in instances for m in c.members}
        reach = {}
        for w in waits:
            if w["cause"] is None or not w["cause"].id or w["below"]:
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
                reach[c] = self.excess(run, c, w["cause"], instances)
            total = sum(reach[c].values())
            for line, d in reach[c].items():
                self.rows[cause + line] += min(1, Fraction(w["end"] - w["start"]) / total) * d

    @staticmethod
    def excess(run, c, cause, instances):
        """What the last did longer than the others in the mean, and all its own waiting."""
        last = [m for m in c.members if m.event is cause][0]
        others = [since_before(run, c, m, instances) for m in c.members if m is not last and m.enter is not None]
        found = {}
        for line, ns in since_before(run, c, last, instances).items():
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
