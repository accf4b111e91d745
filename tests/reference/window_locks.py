# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks of windows: who held which process's, when it was given back, which call of those after waited for it."""
from collections import defaultdict

ACCESSES = ("get_nb", "put_nb", "atomic", "atomic_fetch")


class Hold:
    """RELEASING..END: it is given back somewhere there.  target None: all."""

    def __init__(self, lock, target):
        self.lock, self.target, self.window = lock, target, lock.args["window"]
        self.exclusive, self.object = lock.args["exclusive"] == 1, None
        self.start, self.returned, self.unlock, self.state = lock.start, lock.end, None, "never"
        self.releasing, self.end = lock.end, lock.thread.last
        self.call, self.contended, self.waits, self.other = None, 0, False, None

    def of(self, target):
        h = Hold(self.lock, target)
        h.unlock, h.state, h.releasing, h.end = self.unlock, self.state, self.releasing, self.end
        return h

    def conflicts(self, other):
        return self.exclusive or other.exclusive


class WindowLocks:
    def __init__(self, run, cuts):
        self.run, self.cuts, self.holds, self.groups, self.unseen = run, cuts, [], [], []
        self.calls, epochs = defaultdict(list), []
        for e in run.events:
            if not e.nested and "window" in e.operation.arguments:
                self.calls[e.thread.rank, e.args["window"]].append(e)
        for calls in self.calls.values():
            calls.sort(key=lambda e: (e.start, e.id))
            epochs += self.epochs(calls)
        for h in epochs:
            if h.state == "never":  # may have been given back unseen
                h.end = min(h.end, cuts.absences.next(h.lock.thread.rank, h.returned))
        cuts.absences = cuts.absences.and_also(self.unseen)
        objects = defaultdict(list)
        for h in epochs:
            team = h.lock.args["team"]
            if h.target is not None:
                objects[team, h.target].append(h)
            elif not h.exclusive:
                for t in {x.target for x in epochs if x.exclusive and x.target is not None
                          and x.lock.args["team"] == team and x.start <= h.end and h.start <= x.end}:
                    objects[team, t].append(h.of(t))
        order = [h for key in sorted(objects, key=str) for h in self.one(objects[key])]
        self.share(order)
        for h in order:
            self.use(h)

    def process(self, e):
        """Rank of the process that it goes to; None: all, or none."""
        peer = e.args.get("peer", -1)
        return peer if 0 <= peer < self.run.script.ranks else None

    def epochs(self, calls):
        going, over = {}, {}
        for e in calls:
            target = self.process(e)
            if e.type == "window_lock":
                if target in going:
                    going.pop(target).end = e.start
                h = going[target] = Hold(e, target)
                yield h
                if e.open:
                    h.state, h.end, over[target] = "locking", e.end, e.end
                    del going[target]
            elif e.type == "window_unlock" and target not in going:
                had = self.cuts.absences.last(e.thread.rank, e.start)
                if had > over.get(target, -1):  # it had it unseen, shared or not
                    self.unseen.append([had, e.end])
            elif e.type == "window_unlock":
                h = going.pop(target)
                h.unlock, h.releasing, h.end = e, e.start, e.end
                h.state = "unlocking" if e.open else "released"
                over[target] = h.end

    def one(self, holds):
        """Of one target: their ends, and the last in the way of each."""
        ends = {}
        for h in holds:
            others = [o for o in holds if o is not h and o.conflicts(h) and o.state != "locking"]
            if h.state == "never":
                over = [o.releasing for o in others if o.state == "released" and o.releasing >= h.returned]
            else:
                over = [o.returned for o in others if o.returned >= h.releasing >= o.start]
            ends[h] = min([h.end] + over)
        for h in holds:
            if h.state != "locking":
                h.end = ends[h]
        order = sorted(holds, key=lambda h: (h.state == "locking", 0 if h.state == "locking" else h.end, h.lock.id))
        for i, h in enumerate(order):
            h.before = [o for o in order[:i] if o.state != "locking" and o.conflicts(h)]
            h.free = min(h.before[-1].end, h.end) if h.before else h.start
            h.taken = max(h.returned, h.free)
            self.find_call(h)
        return order

    def find_call(self, h):
        if not h.before or h.free <= h.start or h.state == h.before[-1].state == "unlocking":
            return
        best = 0
        for e in self.calls[h.lock.thread.rank, h.window]:
            target = self.process(e)
            if not (target == h.target if e.type in ACCESSES else
                    e.type in ("window_lock", "window_unlock", "window_sync") and target in (None, h.target)):
                continue
            if h.start <= e.start <= h.free and e.end >= h.before[-1].releasing and min(h.free, e.end) - e.start > best:
                best, h.call = min(h.free, e.end) - e.start, e

    @staticmethod
    def share(order):
        """A call of several targets waits once."""
        until = {}
        for h in sorted(order, key=lambda h: h.target):  # the first of equal ones
            if h.call and (h.call not in until or min(h.free, h.call.end) > min(until[h.call].free, h.call.end)):
                until[h.call] = h
        for h in until.values():
            h.waits = True

    def use(self, h):
        if h.waits:
            limit = min(h.free, h.call.end)
            h.contended = limit - h.call.start
            self.cuts.cut(h.call, limit, [(o.taken, o.end, o.lock, o.taken, o.end) for o in h.before])
        if h.state == "locking":
            return
        self.holds.append(h)
        inside = h.contended if h.call is h.lock else 0
        h.untold = self.cuts.absences.within(h.start + inside, h.returned)
        h.latency = h.returned - h.start - inside - h.untold
        if not inside:
            self.cuts.tell(h.lock, h.untold)
        if h.before and h.before[-1].unlock:
            self.groups.append(([h.before[-1].unlock], [h.call or h.lock]))

    def rows(self):
        for h in self.holds:
            yield (h.lock.id, h.unlock.id if h.unlock else 0, h.start, h.taken, h.end, h.contended, h.latency, h.untold, 0)
