# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks: holds, contention cut at the holders, hand-over, attempts in vain; what nobody knows, for a thread was not recorded."""
from collections import defaultdict
from copy import copy

from messages import Nothing
from path import overlap, union

EVER = 1 << 60


class Absences:
    """When threads were not recorded: of all together, and of each process."""

    def __init__(self, run):
        of_process = defaultdict(list)
        for t in run.threads:
            of_process[t.rank] += [(a, b) for kind, a, b in t.gaps if kind != "tool"]
            if t.missing or t.cut or t.first is None:
                of_process[t.rank].append((0 if t.first is None else t.last, EVER))
        self.of_process = {rank: union(found) for rank, found in of_process.items()}
        self.all = union(a for found in of_process.values() for a in found)

    def and_also(self, more):
        """Nobody knows who had what then, either."""
        other = copy(self)
        other.all = union(self.all + more)
        return other

    def within(self, start, end):
        return sum(overlap(start, end, a, b) for a, b in self.all)

    def next(self, rank, at):
        """From when on a process is not recorded, at the earliest then."""
        return min((max(a, at) for a, b in self.of_process[rank] if b > at), default=EVER)

    def last(self, rank, at):
        """Until when it was not recorded, at the latest then."""
        return max((min(b, at) for a, b in self.of_process[rank] if a < at), default=-1)

    def between(self, rank, start, end):
        return any(overlap(start, end, a, b) for a, b in self.of_process[rank])


class Hold:
    """acquire None: nobody recorded that it was taken; from start on it was had, at the latest, at the earliest since.
    Without a release it may have been had until then."""

    def __init__(self, acquire, release=None, start=None, since=None):
        self.acquire, self.release, self.end = acquire, release, None
        self.start = acquire.end if acquire else start
        self.since, self.until = self.start if acquire else since, None
        self.contended, self.untold, self.attempts = 0, 0, 0
        self.thread = (acquire or release).thread
        self.order = (self.start, acquire is None, (acquire or release).id)


class Cuts:
    """Waits of calls for locks, cut at the holds before."""

    def __init__(self, absences):
        self.absences, self.waits, self.untold, self.told = absences, [], set(), defaultdict(lambda: [0, 0])

    def add(self, e, kind, start, end, cause, cause_ns=None, bound=0):
        if end > start:
            self.waits.append(dict(event=e, kind=kind, start=start, end=end, cause=cause, cause_ns=cause_ns, clamped=0,
                                   bound=int(bound)))

    @staticmethod
    def may_hold(holds):
        """When those that had a lock may have had it besides."""
        return [x for start, end, _, since, until in holds for x in ([since, start], [end, until]) if x[0] < x[1]]

    def unseen(self, start, end, holds):
        """When somebody may have held it whom nobody saw."""
        return [(max(a, start), min(b, end)) for a, b in union(self.absences.all + self.may_hold(holds)) if overlap(start, end, a, b)]

    def between(self, e, start, end, bound, holds):
        """What no hold covers: nobody's where all were recorded."""
        unseen = self.unseen(start, end, holds)
        cuts = sorted({start, end} | {x for a in unseen for x in a})
        for a, b in zip(cuts, cuts[1:]):
            self.add(e, "lock" if (a, b) in unseen else "lock hand-over", a, b, None, bound=(a, b) in unseen or bound)
        return sum(b - a for a, b in unseen)

    def tell(self, e, ns):
        if ns:
            self.untold.add(e)
            self.told[e.thread.id][0] += 1
            self.told[e.thread.id][1] += ns

    def cut(self, e, limit, holds):
        """holds: (start, end, cause, since, until) in the order in which they were taken.  How much of the rest nobody knows."""
        at, unknown = limit, 0
        untold = sum(b - a for a, b in self.unseen(limit, e.end, holds))
        for start, end, cause, since, until in reversed(holds):
            low, high = max(start, e.start), min(end, at)
            if end <= e.start:
                break
            if low <= high and since < until:
                unknown += self.between(e, high, at, untold > 0, holds)
                self.add(e, "lock", low, high, cause, end, untold > 0)
                at = low
        unknown += self.between(e, e.start, at, untold > 0, holds)
        self.tell(e, unknown + untold)
        return untold


class Locks:
    def __init__(self, run):
        self.run, self.holds, self.strays = run, [], []
        self.absences = Absences(run)
        self.cuts = Cuts(self.absences)
        self.waits = self.cuts.waits
        locks, freed = defaultdict(list), defaultdict(list)
        for e in run.events:
            if e.nested:
                continue
            if e.type == "lock_free":
                freed[e.args["object"]].append(e.start)
            if e.type in ("lock", "lock_attempt", "unlock"):
                locks[e.args["object"]].append(e)
        for key, events in locks.items():
            ends, strays = sorted(freed[key]) + [None], 0
            for since, until in zip([None] + ends, ends):  # what is freed is another lock afterwards
                self.since, self.freed = -1 if since is None else since, until
                strays += self.one([e for e in events if self.between(since, e, until)])
            self.strays += [strays] * (strays > 0)

    @staticmethod
    def between(since, e, until):
        in_vain = e.type == "lock_attempt" and e.args.get("success") != 1 and not e.open
        at = e.start if e.type == "unlock" or in_vain or e.open else e.end  # of one that never ends: what was there at its start
        return (since is None or at > since) and (until is None or at <= until)

    def one(self, events):
        taken = [e for e in events if not e.open and (e.type == "lock" or (
            e.type == "lock_attempt" and e.args["success"] == 1))]
        holds = sorted((Hold(e) for e in taken), key=lambda h: h.order)
        unseen, strays = self.find_releases(holds, [e for e in events if e.type == "unlock"])
        holds = sorted(holds + unseen, key=lambda h: h.order)
        for h, after in zip(holds, holds[1:] + [None]):
            self.find_end(h, after)
        for i, h in enumerate(holds):
            if h.acquire:
                h.contended, h.untold = self.contend(h.acquire, holds[:i])
        for e in [e for e in events if e.open and e.type == "lock"]:
            self.contend(e, [h for h in holds if h.start <= e.end])
        failed = [e for e in events if e.type == "lock_attempt" and not e.open and e.args["success"] != 1]
        for e in failed:
            self.in_vain(e, holds)
        self.holds += [h for h in holds if h.acquire]
        return strays

    def find_releases(self, holds, unlocks):
        """Each is that of its process's last hold that has none; unless another had the lock before the call, and the process
        may have given it back unseen before that.  If there is none, the process took it unseen, or is wrong."""
        unseen, strays, given_back, over = [], 0, {}, set()

        def is_over(h, at):
            after = min((o.start for o in holds + unseen if o.order > h.order), default=EVER)
            if after < at and self.absences.between(h.thread.rank, h.start, after):
                over.add(h)
            return h in over

        for u in sorted(unlocks, key=lambda e: (e.start, e.id)):
            rank = u.thread.rank
            since, given_back[rank] = given_back.get(rank, 0), u.start
            own = [h for h in holds if h.thread.rank == rank and h.start <= u.start]
            last, before = ([None, None] + own)[:-3:-1]
            if before and last.start == u.start and not before.release and not is_over(before, u.start):
                before.release = u  # that has just been given back
                continue
            if last and last.thread is u.thread and last.acquire.id > u.id:
                continue  # at one moment both given back and taken: whatever it had
            if last and not last.release and not is_over(last, u.start):
                last.release = u
                continue
            had = self.absences.last(rank, u.start)
            latest = max((o.start for o in holds + unseen if o.start <= u.start), default=-1)
            if had <= max(since, self.since) or had < latest:
                strays += 1
            elif latest < u.start:  # else another has it from the same moment on
                unseen.append(Hold(None, u, had, min(had, self.absences.next(rank, max(since, self.since, latest)))))
        return unseen, strays

    def find_end(self, h, after):
        limit = after.start if after else self.freed
        if h.release:
            h.end = h.until = h.release.end if limit is None else min(h.release.end, max(h.release.start, limit))
        else:
            h.end = min(h.thread.last if limit is None else limit, self.absences.next(h.thread.rank, h.start))
            h.until = max(h.end, self.absences.last(h.thread.rank, EVER if limit is None else limit))

    def contend(self, e, before):
        limit = max(e.start, min(before[-1].end, e.end)) if before else e.start
        return limit - e.start, self.cuts.cut(e, limit, [(h.start, h.end, self.cause(h, e), h.since, h.until) for h in before])

    @staticmethod
    def cause(h, e):
        return h.acquire or Nothing(h.thread, e)

    def in_vain(self, e, holds):
        began = [h for h in holds if h.start < e.start or h.start == e.start < h.end]  # who took it last
        h = began[-1] if began and began[-1].end > e.start else None
        if h is None or h.thread is not e.thread:  # of a lock of one's own: no waiting
            self.cuts.add(e, "lock attempt", e.start, e.end, h and self.cause(h, e), h and h.end)
        later = [h for h in holds if h.acquire and h.thread is e.thread and h.acquire.start >= e.end
                 and h.acquire.id > e.id]  # of one moment, too
        if later:
            later[0].attempts += 1

    def rows(self):
        for h in self.holds:
            yield (h.acquire.id, h.release.id if h.release else 0, h.acquire.start, h.start, h.end, h.contended,
                   h.start - h.acquire.start - h.contended - h.untold, h.untold, h.attempts)
