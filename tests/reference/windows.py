# SPDX-License-Identifier: GPL-3.0-or-later
"""Epochs of windows: which belong together, late posts, early waits, late completes."""
from collections import defaultdict

from messages import in_vain_before

ACCESSES = ("get_nb", "put_nb", "atomic", "atomic_fetch")
BEGINS = {"window_start": "access", "window_post": "exposure"}
DETAILS = {"access": "starts without the other side's post", "exposure": "posts without the other side's start"}


class Epoch:
    def __init__(self, event):
        self.event, self.rank, self.calls, self.end, self.pairs = event, event.thread.rank, [event], None, []
        self.role = BEGINS[event.type]


class Windows:
    def __init__(self, run):
        self.run, self.epochs, self.waits, self.unmatched = run, [], [], defaultdict(int)
        self.untold = set()  # calls of which nobody knows how long they waited
        windows = defaultdict(list)
        for e in run.events:
            if not e.nested and "window" in e.operation.arguments:
                windows[e.thread.rank, e.args["window"]].append(e)
        for events in windows.values():
            self.one(sorted(events, key=lambda e: (e.start, e.id)))
        self.match()
        for a in self.epochs:
            (self.late_posts if a.role == "access" else self.early_wait)(a)

    def one(self, events):
        """What a process did with one window."""
        going, counts = {}, defaultdict(int)
        for e in events:
            if e.type in BEGINS:
                going[BEGINS[e.type]] = epoch = Epoch(e)
                self.epochs.append(epoch)
                self.number(epoch, counts)
            elif e.type in ACCESSES and "access" in going:
                going["access"].calls.append(e)
            elif e.type == "window_complete" and "access" in going:
                going["access"].end = e
                going.pop("access").calls.append(e)
            elif e.type == "window_complete":
                self.untold.add(e)  # its start was not recorded
            elif "exposure" in going and (
                    e.type == "window_wait" or e.type == "window_test" and not e.open and e.args["success"] == 1):
                going.pop("exposure").end = e

    def number(self, epoch, counts):
        """Which of those with each of its group it is; None: nobody knows."""
        e, a = epoch.event, epoch.event.args
        listed = [int(v["member"]) for kind, _, v in e.notes if kind == "argument"]
        group = listed if len(listed) == a["members"] else [None] if a["first"] < 0 else \
            [a["first"] + i * a["stride"] for i in range(a["members"])]
        unseen = any(kind in ("off", "damage") for t in self.run.threads if t.rank == epoch.rank for kind, _, _ in t.gaps)
        for rank in group:
            n = counts[epoch.role, rank] = a["epoch"] or counts[epoch.role, rank] + 1
            epoch.pairs.append([rank, n if rank is not None and (a["epoch"] or not unseen) else None, None])

    def match(self):
        for a in self.epochs:
            for b in self.epochs:
                if a.role == "access" and b.role == "exposure" and a.event.args["team"] == b.event.args["team"]:
                    for p in a.pairs:
                        for q in b.pairs:
                            if p[0] == b.rank and q[0] == a.rank and p[1] == q[1] is not None:
                                p[2], q[2] = b, a
        for a in self.epochs:
            for _, _, other in a.pairs:
                self.unmatched[self.run.process[a.rank].id, DETAILS[a.role]] += other is None

    def add(self, call, kind, start, end, cause, bound):
        if min(end, call.end) > start:
            self.waits.append(dict(event=call, kind=kind, start=start, end=min(end, call.end), cause=cause,
                                   cause_ns=cause.start if cause else None, clamped=int(end > call.end), bound=int(bound)))

    def late_posts(self, a):
        lacking = any(p[2] is None for p in a.pairs)
        if lacking and a.end:
            self.untold.add(a.end)
        for call in a.calls:
            if lacking and call.open and call.type != "get_nb" and call in (a.event, a.end):
                self.add(call, "late post", call.start, call.end, None, True)
            posts = [p[2].event for p in a.pairs if p[2] and (call.type not in ACCESSES or call.args["peer"] == p[0])]
            for post in sorted(posts, key=lambda e: e.id):
                if call.start < post.start < call.end:
                    self.add(call, "late post", call.start, post.start, post, lacking)

    def early_wait(self, x):
        if x.end is None or not x.pairs:
            return
        known = [p[2] for p in x.pairs if p[2] and p[2].end]
        lacking = len(known) < len(x.pairs)
        if lacking and x.end.open:
            self.add(x.end, "early wait", x.end.start, x.end.end, None, True)
            return
        if not known:
            return
        last = max(known, key=lambda a: (a.end.start, -a.end.thread.id)).end
        accesses = [e.end for p in x.pairs if p[2] for e in p[2].calls if e.type in ACCESSES]
        for call in [x.end] + in_vain_before(x.end):
            until = last.start if call is x.end and not call.open else min(last.start, call.end)
            middle = max(call.start, min(max(accesses, default=0), until))
            self.add(call, "early wait", call.start, middle, last, lacking)
            self.add(call, "late complete", middle, until, last, lacking)

    def quality(self):
        return sorted((thread, n, detail) for (thread, detail), n in self.unmatched.items() if n)
