# SPDX-License-Identifier: GPL-3.0-or-later
"""What completes each non-blocking operation and the remote part of each put; what of it was exposed, what overlapped."""
from collections import defaultdict

from accesses import halves, of_nothing
from run import END, NOTE, records_in_order

ON_CONTEXT = ("quiet", "barrier", "finalize", "unlock", "shared_alloc", "shared_free", "context")
ENDS_RELAXED = ("quiet", "barrier", "finalize", "unlock", "notify", "lock")


class Transfer:
    """begun: leave of the initiation.  completer None: not seen; lost: until when it was in flight."""

    def __init__(self, event, nbytes, blocking=False, start=None):
        self.event, self.bytes, self.blocking, self.thread = event, nbytes, blocking, event.thread
        self.init = event.end - event.start if start is None else start
        self.begun, self.completer, self.share, self.bound = event.end, None, 0, False
        self.lost, self.unseen, self.told, self.data, self.trivial = None, False, False, None, False
        self.request = False  # whose end the log tells, wherever it is
        self.unrecorded = False  # a call that is not recorded completed it

    def gap(self):
        if self.completer:
            return (self.begun, self.begun if self.trivial else self.completer.start)
        return (self.begun, max(self.begun, self.lost))


def shares(time, weights):
    """By largest remainder; of equal ones the first."""
    whole = sum(weights)
    if not whole:
        weights, whole = [1] * len(weights), len(weights)
    parts = [time * w // whole for w in weights]
    order = sorted(range(len(weights)), key=lambda i: (-(time * weights[i] % whole), i))
    for i in order[:time - sum(parts)]:
        parts[i] += 1
    return parts


def peer(e):
    a = e.args
    if "peer" in a:
        return a["peer"]
    return a.get("source_thread" if e.type in ("get", "get_nb") else "target_thread", -1)


def has(e, name):
    """Does its operation declare such an argument?"""
    return name in e.operation.arguments


class Made:
    """How a request was made, told by a thread that did not make it."""

    def __init__(self, kind, args):
        self.type, self.args = kind, args


class Completions:
    def __init__(self, run):
        self.run, self.transfers = run, []
        processes = defaultdict(list)
        for t in run.threads:
            processes[t.rank].append(t)
        for threads in processes.values():
            self.process(threads)
        for t in self.transfers:
            t.overlapped = self.overlapped(t)

    # --- requests ----------------------------------------------------------------------------------------------

    def requests(self, threads):
        """(transfer's parts) of each event that posts: [(event, bytes, completing event or None, is a message)]."""
        patterns, active, found = {}, {}, []
        for what, e in records_in_order(threads):
            if what == NOTE:
                self.noted(None, *e, patterns, active, found)
            if what != END or e.nested:
                continue
            request = e.args.get("request", 0) if has(e, "request") and not e.open else 0
            if request and e.type in ("send_init", "receive_init", "request"):
                patterns[request] = e
            elif request:
                active[request] = self.posted(e, e, found)
            for note in e.notes:
                self.noted(e, *note, patterns, active, found)
        return [p for p in found if not p["none"]]

    def noted(self, e, kind, plain, values, patterns, active, found):
        number = int(plain[0]) if plain else 0
        if kind == "made" and number not in patterns:
            receive, peer = "receive" in plain, int(values.get("peer", -1))
            patterns[number] = Made("receive_init" if receive else "send_init", {
                "posted_peer" if receive else "peer": peer, "bytes": int(values.get("bytes", 0))})
        elif kind == "started":  # the log may have lost how it was made
            active[number] = self.posted(e, patterns.get(number), found)
        elif kind == "freed":
            active.pop(number, None)
        elif kind == "complete" and number in active:
            p = active.pop(number)
            p["by"], p["unseen"] = e, e is None
            if "cancelled" in plain:
                p["none"] = True
            elif "receive" in plain or p["lost"]:
                p["bytes"] = int(values.get("bytes", 0))

    @staticmethod
    def posted(e, pattern, found):
        if not pattern:
            found.append(dict(event=e, bytes=0, by=None, message=True, none=False, lost=True))
            return found[-1]
        receive = pattern.type in ("receive_nb", "receive_init")
        message = receive or pattern.type in ("send_nb", "send_init")
        nowhere = pattern.args.get("posted_peer") == -2 if receive else pattern.args.get("peer", 0) == -1
        found.append(dict(event=e, bytes=0 if receive else pattern.args.get("bytes", 0), by=None, message=message,
                          lost=False,
                          none=nowhere and (message or has(e, "window"))))
        return found[-1]

    # --- a process -----------------------------------------------------------------------------------------------

    def process(self, threads):
        self.rank, self.open = threads[0].rank, []
        by_event = defaultdict(list)
        for p in self.requests(threads):
            by_event[p["event"]].append(p)
        steps = [(e.start, 0, t.id, e.number, e, None) for t in threads for e in t.events]
        steps += [(a, 1, t.id, 0, t, a) for t in threads for kind, a, b in t.gaps if kind != "tool"]
        for *_, what, gap in sorted(steps, key=lambda s: s[:4]):
            if gap is not None:
                self.stopped(what, gap)
            elif what.type == "nb_data":
                for t in self.open:
                    if t.key == ("handle", what.args["handle"]):
                        t.data = (t.data or []) + [(what.start, what.end)]
            elif not what.nested and what.runtime:
                self.complete(what)
                if not what.open:
                    self.begin(what, by_event[what])
        whole = not any(t.missing or t.cut for t in threads)
        for t in self.open:
            t.lost = t.thread.last
            gaps = [b for u in threads for kind, _, b in u.gaps if kind != "tool"]
            t.told &= not t.request or not any(kind == "damage" and b > t.begun for u in threads for kind, _, b in u.gaps)
            t.unseen = t.unrecorded or not t.told and (not whole or any(b > t.begun for b in gaps))

    def stopped(self, thread, when):
        for t in list(self.open):
            kind = t.key[0]
            if kind in ("context", "window") or kind in ("implicit", "relaxed") and t.key[1] is thread:
                self.lose(t, when)
            elif kind == "handle":
                t.bound = True

    def lose(self, t, when):
        t.lost, t.unseen = when, True
        self.open.remove(t)

    # --- beginning ---------------------------------------------------------------------------------------------

    def add(self, t, *key):
        t.key = key
        self.open.append(t)
        self.transfers.append(t)

    def begin(self, e, posted):
        a = e.args
        if has(e, "request") or e.type == "start":
            parts = shares(e.end - e.start, [p["bytes"] for p in posted])
            for p, part in zip(posted, parts):
                t = Transfer(e, p["bytes"], start=part)
                t.told = t.request = p["message"] or e.type == "start"
                t.unrecorded = p.get("unseen", False)
                self.add(t, "event", p["by"])
        elif e.type in ("put_nb", "get_nb", "copy_nb") or e.type in ("atomic", "atomic_fetch") and (has(e, "window") or has(e, "result")):
            t = Transfer(e, a.get("bytes", 0))
            if has(e, "window"):
                if a["peer"] != -1:
                    self.add(t, "window", a["window"], a["peer"])
            elif has(e, "handle"):
                self.begin_on_handle(t, a["handle"])
            elif has(e, "context"):
                self.add(t, "context", a["context"])
            else:
                self.add(t, "implicit", e.thread, e.operation.model)
        elif e.type in ("put", "copy") and a.get("relaxed") != 0 and peer(e) != self.rank:
            t = Transfer(e, a.get("bytes", 0), blocking=True, start=halves(e)[1][2] if e.type == "copy" else None)
            if has(e, "context"):
                self.add(t, "context", a["context"])
            else:
                t.told = True  # the program's end completes it
                self.add(t, "relaxed", e.thread, e.operation.model)

    def begin_on_handle(self, t, handle):
        if handle == 0:
            t.completer, t.trivial, t.key = t.event, True, None
            self.transfers.append(t)
            return
        for old in [o for o in self.open if o.key == ("handle", handle) and o.bound]:
            self.lose(old, t.event.start)
        self.add(t, "handle", handle)

    # --- completing ----------------------------------------------------------------------------------------------

    def completes(self, e, t):
        """By the table: does e complete t, which is open?"""
        a, kind = e.args, t.key[0]
        if kind == "event":
            return t.key[1] is e
        if kind == "context":
            if e.type == "finalize" and has(e, "context"):
                return True
            if e.type not in ON_CONTEXT or not has(e, "context") or a.get("context") != t.key[1]:
                return False
            if e.type == "unlock":
                return t.event.type not in ("get_nb", "atomic_fetch")
            if of_nothing(e):
                return False
            return e.type != "context" or not has(e, "success")
        if kind == "handle":
            return e.type in ("nb_sync", "nb_test") and has(e, "handle") and a["handle"] == t.key[1] and \
                (e.type == "nb_sync" or a.get("success", 0) != 0)
        if kind == "window":
            return e.type in ("window_sync", "window_complete", "window_unlock") and a.get("completes") == 1 and a["window"] == t.key[1] and \
                a.get("peer", -1) in (-1, t.key[2])
        if e.thread is not t.key[1] or e.operation.model != t.key[2]:
            return False
        if kind == "implicit":
            return e.type == "nb_sync" and not has(e, "handle") or \
                e.type == "nb_test" and not has(e, "handle") and a.get("success", 0) != 0
        if e.type in ("get", "put", "get_nb", "put_nb"):
            return a.get("relaxed") == 0
        if e.type == "lock_attempt":
            return a.get("success", 0) != 0
        return e.type in ENDS_RELAXED and not has(e, "context")

    def complete(self, e):
        done = [t for t in self.open if t.begun <= e.start and self.completes(e, t)]
        for t, part in zip(done, shares(e.end - e.start, [t.bytes for t in done])):
            t.completer, t.share = e, part
            t.bound = t.bound or e.open
            self.open.remove(t)

    # --- what became of the time -----------------------------------------------------------------------------------

    def overlapped(self, t):
        if not t.completer:
            return None
        start, end = t.gap()
        parts, until = [], start  # when its data were in flight, without what is there twice
        for a, b in sorted(t.data) if t.data else [(start, end)]:
            parts.append((max(a, until), min(b, end)))
            until = max(until, b)
        return sum(max(0, min(b, high) - max(a, low)) for low, high in parts
                   for state, a, b in t.thread.state_parts if state == "computation")

    def rows(self):
        for t in self.transfers:
            gap = None if not t.completer else max(0, t.gap()[1] - t.begun)
            yield (t.event.id, t.completer.id if t.completer else 0, int(t.blocking), -1 if gap is None else gap, t.share,
                   t.init + t.share, -1 if t.overlapped is None else t.overlapped, int(t.data is not None),
                   int(t.bound or not t.completer))

    def lines(self):
        lines = defaultdict(list)
        for t in self.transfers:
            lines[t.thread.id, t.event.source, t.blocking].append(t)
        for (thread, source, blocking), found in lines.items():
            flight, until = 0, None
            for a, b in sorted(t.gap() for t in found):
                flight += max(0, b - (a if until is None else max(a, until)))
                until = b if until is None else max(until, b)
            yield (thread, *source, int(blocking), len(found), sum(t.bytes for t in found), sum(t.init for t in found),
                   sum(t.share for t in found), sum(t.overlapped or 0 for t in found), flight,
                   sum(not t.completer for t in found), sum(t.data is not None for t in found),
                   sum(t.trivial for t in found), sum(t.init for t in found if t.trivial))

    def by(self):
        sums = defaultdict(lambda: (0, 0))
        for t in self.transfers:
            if t.completer:
                key = (t.thread.id, *t.event.source, *t.completer.source)
                n, share = sums[key]
                sums[key] = (n + 1, share + t.share)
        return sorted(key + row for key, row in sums.items())

    def unseen(self):
        sums = defaultdict(lambda: (0, 0))
        for t in self.transfers:
            if t.completer or t.told and not t.unseen:
                continue
            key = ("completion not recorded" if t.unseen else "transfer never completed", t.thread.id,
                   "puts" if t.blocking else "non-blocking operations")
            n, nbytes = sums[key]
            sums[key] = (n + 1, nbytes + t.bytes)
        return sorted(key + row for key, row in sums.items())
