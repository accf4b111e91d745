# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks: holds, contention cut at the holders, hand-over, attempts in vain."""
from collections import defaultdict


class Hold:
    def __init__(self, acquire):
        self.acquire, self.release, self.start, self.end = acquire, None, acquire.end, None
        self.contended, self.attempts = 0, 0


class Locks:
    def __init__(self, run):
        self.run, self.holds, self.waits = run, [], []
        locks, freed = defaultdict(list), defaultdict(list)
        for e in run.events:
            if e.nested:
                continue
            if e.type == "lock_free":
                freed[e.args["object"]].append(e.start)
            if e.type in ("lock", "lock_attempt", "unlock"):
                locks[e.args["object"]].append(e)
        for key, events in locks.items():
            ends = sorted(freed[key]) + [None]
            for since, until in zip([None] + ends, ends):  # what is freed is another lock afterwards
                self.freed = until
                self.one([e for e in events if self.between(since, e, until)])

    @staticmethod
    def between(since, e, until):
        at = e.start if e.type == "unlock" else e.end
        return (since is None or at > since) and (until is None or at <= until)

    def one(self, events):
        taken = [e for e in events if not e.open and (e.type == "lock" or (
            e.type == "lock_attempt" and e.args["success"] == 1))]
        holds = [Hold(e) for e in sorted(taken, key=lambda e: (e.end, e.id))]
        self.find_releases(holds, [e for e in events if e.type == "unlock"])
        for h, after in zip(holds, holds[1:] + [None]):
            self.find_end(h, after)
        for i, h in enumerate(holds):
            h.contended = self.contend(h.acquire, holds[:i])
        for e in [e for e in events if e.open and e.type == "lock"]:
            self.contend(e, [h for h in holds if h.start <= e.end])
        failed = [e for e in events if e.type == "lock_attempt" and not e.open and e.args["success"] != 1]
        for e in failed:
            self.in_vain(e, holds)
        self.holds += holds

    @staticmethod
    def find_releases(holds, unlocks):
        """Each is that of the last hold of its process that began before and has none."""
        for u in sorted(unlocks, key=lambda e: (e.start, e.id)):
            mine = [h for h in holds if h.acquire.thread.rank == u.thread.rank and h.release is None
                    and (h.acquire.id < u.id if h.acquire.thread is u.thread else h.start <= u.start)]
            if len(mine) > 1 and mine[-1].start == u.start:  # the one before, if that has just been given back
                own = [h for h in holds if h.acquire.thread.rank == u.thread.rank]
                before = own[own.index(mine[-1]) - 1]
                mine = [before] if before.release is None else mine
            if mine:
                mine[-1].release = u

    def find_end(self, h, after):
        if not after and self.freed is not None:
            h.end = min(h.release.end, max(h.release.start, self.freed)) if h.release else self.freed
        elif h.release and after:
            h.end = min(h.release.end, max(h.release.start, after.start))
        elif h.release:
            h.end = h.release.end
        else:
            h.end = after.start if after else h.acquire.thread.last

    def contend(self, e, before):
        if not before or min(before[-1].end, e.end) <= e.start:
            return 0
        limit = at = min(before[-1].end, e.end)
        for other in reversed(before):  # from the end of the interval back
            if at <= e.start:
                break
            if other.end < at:
                self.add(e, "lock hand-over", max(other.end, e.start), at, None)
                at = max(other.end, e.start)
            if at > e.start and other.start < at:
                self.add(e, "lock", max(other.start, e.start), at, other)
                at = max(other.start, e.start)
        if at > e.start:
            self.add(e, "lock hand-over", e.start, at, None)
        return limit - e.start

    def in_vain(self, e, holds):
        holding = [h for h in holds if h.start <= e.start < h.end]
        if not holding or holding[-1].acquire.thread is not e.thread:  # of a lock of one's own: no waiting
            self.add(e, "lock attempt", e.start, e.end, holding[-1] if holding else None)
        later = [h for h in holds if h.acquire.thread is e.thread and h.acquire.start >= e.end]
        if later:
            later[0].attempts += 1

    def add(self, e, kind, start, end, hold):
        if end > start:
            self.waits.append(dict(event=e, kind=kind, start=start, end=end, cause=hold.acquire if hold else None,
                                   cause_ns=hold.end if hold else None, clamped=0, bound=0))
