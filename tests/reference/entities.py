# SPDX-License-Identifier: GPL-3.0-or-later
"""Mapping to entities: each piece of a thread's time belongs to the entity that was begun last of those open, or is split over a
mix; and work that was handed over."""
from collections import defaultdict
from fractions import Fraction

WORKS = "entity", "work"


class Cover:
    """Intervals of a thread, which time passes."""

    def __init__(self, intervals):
        self.left = sorted(intervals)

    def at(self, now):
        """(is it in one, when that changes)"""
        while self.left and self.left[0][1] <= now:
            self.left.pop(0)
        if not self.left:
            return False, float("inf")
        start, end = self.left[0]
        return start <= now, end if start <= now else start


class Mix:
    """Splits amounts in whole units; what a part is owed is carried on."""

    def __init__(self, parts):
        self.parts = parts
        self.owed = defaultdict(lambda: [Fraction(0)] * len(parts))

    def split(self, what, amount):
        owed, total, given = self.owed[what], sum(w for _, w in self.parts), []
        for i, (_, weight) in enumerate(self.parts):
            share = Fraction(amount * weight, total)
            whole = share.numerator // share.denominator
            owed[i] += share - whole
            if owed[i] >= 1:
                owed[i], whole = owed[i] - 1, whole + 1
            given.append(whole)
        while sum(given) < amount:
            i = max((i for i, (_, weight) in enumerate(self.parts) if weight), key=lambda i: (owed[i], -i))
            owed[i], given[i] = owed[i] - 1, given[i] + 1
        while sum(given) > amount:
            i = min((i for i, n in enumerate(given) if n), key=lambda i: (owed[i], i))
            owed[i], given[i] = owed[i] + 1, given[i] - 1
        return [(name, n) for (name, _), n in zip(self.parts, given)]


class Timeline:
    """One thread."""

    def __init__(self, entities, t, waits, width):
        self.rows = defaultdict(lambda: [0, 0, 0, 0, 0])  # calls, self, inclusive, shared, wait
        self.bins = defaultdict(lambda: [0, 0])
        self.mixes = {name: Mix(parts) for name, parts in entities.mixes.items()}
        self.gaps, self.waits, self.width = Cover([g[1:] for g in t.gaps]), Cover(waits), width
        self.calls, self.open, self.now = [], [], t.first
        for e in t.events:
            self.event(e)
        self.advance(t.last)

    def shares(self, name, what, amount):
        return self.mixes[name].split(what, amount) if name in self.mixes else [(name, amount)]

    def event(self, e):
        if e.nested or (e.category == "none" and e.type not in WORKS + ("work_put",)):
            return
        self.advance(e.start)
        name = e.args.get("entity") if e.category == "none" else self.open[-1].args["entity"] if self.open else None
        for part, _ in self.shares(name, "calls", 0):  # their bytes: invariants.sql
            self.rows[part, e.source][0] += 1
        if e.end > e.start and e.type != "work_put":
            (self.open if e.category == "none" else self.calls).append(e)

    def advance(self, to):
        while self.now < to:
            self.drop()
            ends = [to] + [e.end for e in self.open + self.calls[-1:]]
            gap, gap_changes = self.gaps.at(self.now)
            waiting, wait_changes = self.waits.at(self.now)
            until = min(ends + [gap_changes, wait_changes, (self.now // self.width + 1) * self.width])
            if gap:
                self.alone(None, until - self.now, False)
            else:
                self.piece(until - self.now, waiting)
            self.now = until
        self.drop()

    def drop(self):
        while self.calls and self.calls[-1].end <= self.now:
            self.calls.pop()
        self.open = [e for e in self.open if e.end > self.now]

    def alone(self, source, ns, waiting):
        row = self.rows[None, source]
        row[1], row[2], row[4] = row[1] + ns, row[2] + ns, row[4] + ns * waiting

    def piece(self, ns, waiting):
        last = max(self.open[-1:] + self.calls[-1:], key=lambda e: e.id, default=None)
        source, counted = last.source if last else None, defaultdict(int)
        if not self.open:
            self.alone(source, ns, waiting)
        for i, e in enumerate(reversed(self.open)):
            name = e.args["entity"]
            for part, n in self.shares(name, "outer" if i else "self", ns):
                row = self.rows[part, source]
                if i == 0:
                    row[1], row[3], row[4] = row[1] + n, row[3] + n * (name in self.mixes), row[4] + n * waiting
                    if n:
                        at = self.bins[self.now // self.width * self.width, part]
                        at[0], at[1] = at[0] + n, at[1] + n * waiting
                n = min(n, ns - counted[part])
                counted[part] += n
                row[2] += n


class Entities:
    def __init__(self, run, waits, width):
        script = run.script
        self.mixes, self.run, self.threads = script.mixes, run, {}
        if not any(e.type in WORKS + ("work_put",) for e in run.events):
            return
        of_thread = defaultdict(list)
        for w in waits:
            of_thread[w["event"].thread.id].append((w["start"], w["end"]))
        for t in run.threads:
            if t.first is not None:
                self.threads[t.id] = Timeline(self, t, of_thread[t.id], width)

    def name(self, entity):
        """Of a mix: its parts'."""
        return " + ".join(part for part, _ in self.mixes.get(entity, [(entity, 1)]))

    def work(self):
        """Hand-overs and runs by process and number; the first hand-over counts, and the first run ends the queue."""
        puts, runs = {}, defaultdict(list)
        for e in self.run.events:
            key = e.thread.rank, e.args.get("work")
            if e.type == "work_put" and key[1]:
                puts.setdefault(key, e)
            elif e.type == "work" and key[1]:
                runs[key].append(e)
        for key, put in puts.items():
            if key not in runs:
                yield self.name(put.args["entity"]), put.id, 0, -1, -1
        for key, of_key in runs.items():
            put = puts.get(key)
            for i, e in enumerate(sorted(of_key, key=lambda e: (e.start, e.id))):
                queued = max(e.start - put.start, 0) if put and i == 0 else -1
                yield self.name((put or e).args["entity"]), put.id if put else 0, e.id, e.end - e.start, queued

    def tables(self):
        yield "entity_profile", [(t, entity or "", *(source or ("", "")), *row)
                                 for t, line in self.threads.items() for (entity, source), row in line.rows.items()]
        yield "entity_bin", [(t, *key, *row) for t, line in self.threads.items() for key, row in line.bins.items()]
        yield "entity_work", list(self.work()) if self.threads else []
