# SPDX-License-Identifier: GPL-3.0-or-later
"""Barriers and collectives: instances, their waits, split phases."""
from collections import defaultdict

from accesses import of_nothing
from messages import Nothing, in_vain_before

ROOTED_FROM = ("broadcast", "scatter")
ROOTED_TO = ("gather", "reduce")
FILES = ("file", "file_sync", "file_read", "file_write", "file_read_nb", "file_write_nb", "file_read_begin", "file_write_begin", "file_end")
TYPES = ("barrier", "broadcast", "scatter", "gather", "reduce", "all_to_all", "exchange", "scan", "neighbor", "team", "window",
         "window_sync", "shared_alloc", "shared_free", "finalize") + FILES
CONTAINS_BARRIER = ("shared_alloc", "shared_free", "finalize")
PERHAPS = ("team", "window", "window_sync", "start") + FILES + CONTAINS_BARRIER  # may synchronize all, or not
DOES = ("start", "barrier", "broadcast", "scatter", "gather", "reduce", "all_to_all", "exchange", "scan", "neighbor")
ENDS = 1 << 40
NO_SIZES = ("exchange",)  # blocks may be empty, and whose is not told


class Member:
    """A thread's part.  enter, leave: of the whole operation; wait: the call in which it would wait."""

    def __init__(self, thread, event, rank):
        self.thread, self.event, self.rank = thread, event, rank
        self.enter, self.leave, self.wait = event.start, None if event.open else event.end, event
        self.notify_leave = event.start
        self.made = None  # of a start: the arguments of the call that made it, if they tell what it does
        self.sends = event.args.get("bytes", 1) > 0
        self.receives = event.args.get("bytes_received", 1) > 0


def upc_root(m):
    """The owner of what is read, or of what is written."""
    kind = m.event.type
    return m.event.args["source_thread"] if kind in ROOTED_FROM else \
        m.event.args["target_thread"] if kind in ROOTED_TO else None


def root_of(m):
    args = m.made or m.event.args
    return args["root"] if "root" in args else upc_root(m)


def kind_of(m):
    return DOES[m.made["does"]] if m.made else m.event.type


class Instance:
    def __init__(self, team, sequence, expected):
        self.team, self.sequence, self.expected, self.members, self.waits = team, sequence, expected, [], []
        self.matched, self.rule, self.local, self.listed = True, None, None, True

    first = property(lambda c: c.members[0])
    came = property(lambda c: [m for m in c.members if m.enter is not None])
    last = property(lambda c: max(c.came, key=lambda m: (m.enter, -m.thread.id)))


class Collectives:
    def __init__(self, run):
        self.run, self.instances, self.waits = run, [], []
        self.untold = set()  # calls of which nobody knows how long they waited
        self.completions()
        self.numbered()
        self.unnumbered()
        for c in self.instances:
            self.find_waits(c)
            self.waits += c.waits
            if c.rule == "neighbours":
                self.untold |= {m.wait for m in c.members if not self.all_there(c, m)}
            elif c.rule in ("unknown", "mismatch") or c.expected > len(c.came):
                self.untold |= {m.wait for m in c.members}

    def completions(self):
        """Which call completed a non-blocking collective's request."""
        self.completed = {}
        for t in self.run.threads:
            for e in t.events:
                for kind, plain, _ in e.notes:
                    if kind == "complete":
                        self.completed[t.rank, int(plain[0])] = e

    # --- instances -------------------------------------------------------------

    def numbered(self):
        found = defaultdict(list)
        for t in self.run.threads:
            for e in t.events:
                if e.type in CONTAINS_BARRIER and not e.ends_all and (e.args.get("team") not in self.run.teams or of_nothing(e)):
                    self.untold.add(e)
                elif not e.nested and "sequence" in e.operation.arguments and "team" in e.operation.arguments \
                        and e.type in TYPES:
                    team = self.run.teams[e.args["team"]]
                    m = Member(t, e, team.members.index(t.rank))
                    if "request" in e.operation.arguments and e.type not in ("file_read_begin", "file_write_begin"):
                        m.wait = self.completed.get((t.rank, e.args["request"])) if not e.open else None
                        m.leave = m.wait.end if m.wait and not m.wait.open else None
                    found[e.args["team"], e.args["sequence"]].append(m)
        self.started(found)
        for (team, sequence), members in sorted(found.items(), key=lambda f: f[0]):
            c = Instance(team, sequence, len(self.run.teams[team].members))
            if self.run.teams[team].inter:
                c.local = self.run.teams[team].local
                c.listed = c.local < c.expected
                there = {t.rank for t in self.run.threads if not t.missing}
                if self.run.teams[team].members[0] not in there:  # which tells who they are
                    c.expected = max(i for i, r in enumerate(self.run.teams[team].members) if r in there) + 1
                    c.listed = False
                c.matched = len({root_of(m) for m in members if (root_of(m) or 0) >= 0}) <= 1
            c.members = sorted(members, key=lambda m: m.thread.id)
            c.matched &= len({tuple(m.event.operation.arguments) + (m.event.type, kind_of(m)) for m in members}) == 1
            if c.first.event.type in PERHAPS and c.matched:
                c.overlap = self.overlap(members)
            self.instances.append(c)

    def started(self, found):
        """Persistent ones: a start is one more instance of what was made."""
        made = {(t.rank, e.args["request"]): e.args for t in self.run.threads for e in t.events
                if e.type == "request" and "sequence" in e.args and not e.nested and not e.open}
        going = {}
        for e in sorted((e for t in self.run.threads for e in t.events if not e.nested), key=lambda e: (e.end, e.id)):
            for kind, plain, _ in e.notes:
                request = (e.thread.rank, int(plain[0])) if kind in ("started", "complete") else None
                args = made.get(request)
                if args and kind == "complete" and request in going:
                    m = going.pop(request)
                    m.wait, m.leave = e, None if e.open else e.end
                elif args and kind == "started":
                    m = going[request] = Member(e.thread, e, self.run.teams[args["team"]].members.index(e.thread.rank))
                    m.wait = m.leave = None
                    if args.get("does"):
                        m.made, m.sends, m.receives = args, args["bytes"] > 0, args["bytes_received"] > 0
                    found[args["team"], args["sequence"] + (int(plain[1]) << 32)].append(m)

    @staticmethod
    def part(t, start):
        """Before damaged blocks, after them, or nobody knows."""
        resumed = [b for kind, _, b in t.gaps if kind == "damage"]
        if t.damaged and not resumed and not t.no_end and t.thread.cut is None:
            return "unknown"  # the block has no time of its own
        return "before" if all(start < b for b in resumed) else "after" if all(start >= b for b in resumed) else "unknown"

    def phases(self, t):
        """A thread's barriers and collectives in order; notify and wait are one, but on both sides of damage."""
        found = []
        for e in t.events:
            if e.nested or "sequence" in e.operation.arguments or e.category == "none":
                continue
            if e.type == "barrier_wait":
                if found and found[-1].event.type == "notify" and found[-1].wait is None and \
                        self.part(t, found[-1].event.start) == self.part(t, e.start):
                    found[-1].wait, found[-1].leave = e, None if e.open else e.end
                else:  # the first half came before, unrecorded
                    found.append(Member(t, e, t.rank))
                    found[-1].enter = found[-1].notify_leave = None
            elif e.type in TYPES[:9] or e.type == "notify":
                m = Member(t, e, t.rank)
                if e.type == "notify":
                    m.notify_leave, m.wait, m.leave = e.end, None, None
                found.append(m)
        return found

    def told(self, t, phases):
        """But for damaged blocks all its calls are there, and it came out of the last."""
        calls = [e for m in phases for e in (m.event, m.wait) if e]
        return not t.missing and not t.cut and all(kind in ("tool", "damage") for kind, *_ in t.gaps) and \
            not any(e.open and (not t.damaged or self.part(t, e.start) == "after") for e in calls)

    def place(self, t, phases, expected):
        """Their places in the order of all threads' calls, of which there are so many (None: nobody knows)."""
        lost = expected - len(phases) if expected is not None and self.told(t, phases) else None
        parts = [self.part(t, m.event.start) for m in phases]
        halves = [k for k, m in enumerate(phases) if k and m.enter is None and phases[k - 1].event.type == "notify"
                  and phases[k - 1].wait is None and (parts[k - 1], parts[k]) == ("before", "after")]
        if lost is not None and lost < (-1 if halves else 0):
            lost = None
        for k, m in enumerate(phases):
            if k in halves and lost == -1:  # one phase, though a block was damaged between its halves
                phases[k - 1].wait, phases[k - 1].leave = m.wait, m.leave
            elif parts[k] == "before" or parts[k] == "after" and lost is not None:
                yield k if parts[k] == "before" else k + lost, m
            elif m.wait:
                self.untold.add(m.wait)

    def unnumbered(self):
        threads = [t for t in self.run.threads if t.model == "UPC"]
        lists, found = [self.phases(t) for t in threads], defaultdict(list)
        counts = {len(phases) for t, phases in zip(threads, lists) if not t.damaged and self.told(t, phases)}
        for t, phases in zip(threads, lists):
            for k, m in self.place(t, phases, min(counts) if len(counts) == 1 else None):
                found[k].append(m)
        for k in sorted(found):
            c = Instance(None, k, self.run.script.ranks)
            c.members = found[k]
            kinds = {"barrier" if m.event.type in ("barrier", "notify", "barrier_wait") else m.event.operation.name
                     for m in c.members}
            c.matched, c.unknown = len(kinds) == 1 and len({upc_root(m) for m in c.members}) == 1, c.came == []
            for m in c.members if not c.came else []:
                m.enter = m.event.start
            c.overlap = self.overlap(c.members)
            self.instances.append(c)
        self.ends(threads)

    def ends(self, threads):
        """The last barrier of the program: the n-th end of each thread, whatever else it was seen in."""
        found = defaultdict(list)
        for t in threads:
            for n, e in enumerate([e for e in t.events if e.ends_all and not e.nested]):
                found[n].append(Member(t, e, t.rank))
        for n, members in sorted(found.items()):
            c = Instance(None, ENDS + n, self.run.script.ranks)
            c.members, c.overlap = members, self.overlap(members)
            self.instances.append(c)

    def overlap(self, members):
        """Nobody left before all had come, as far as the clocks of each two agree."""
        return all(a.enter <= b.leave + self.run.script.error_between(a.thread, b.thread)
                   for a in members if a.enter is not None for b in members if b.leave is not None)

    # --- waits -----------------------------------------------------------------

    def add(self, c, m, kind, begin, end, cause, cause_ns, bound=None):
        call = m.wait
        if call is None or cause is m:
            return
        bound = int(c.expected > len(c.came) if bound is None else bound)
        for e in [call] + (in_vain_before(call) if end > begin else []):
            first, stop = max(begin, e.start) if e is call else e.start, min(end, e.end)
            # Others must have begun their first halves before one leaves, not ended them.
            clamped = e is call and end > call.end and not call.open and kind != "notify drain"
            if clamped and call.thread.thread.host == cause.event.thread.thread.host:
                c.refuted = True  # by one clock it is no instance, also where nobody had to wait
            if stop > first:
                c.waits.append(dict(event=e, kind=kind, start=first, end=stop, cause=cause.event, cause_ns=cause_ns,
                                    clamped=int(clamped), bound=bound))

    @staticmethod
    def never_came(c, m, kind, cause=None):
        """One that is still inside at the end of its log, while others never came, waited for these."""
        call = m.wait
        if len(c.members) == c.expected or call is None or not call.open:
            return False
        if call.end > call.start:
            c.waits.append(dict(event=call, kind=kind, start=call.start, end=call.end, cause=cause, cause_ns=None,
                                clamped=0, bound=1))
        return True

    @staticmethod
    def latest(members):
        return max(members, key=lambda m: (m.enter, -m.thread.id), default=None)

    def find_waits(self, c):
        c.refuted = False
        self.find_waits_by_rule(c)
        if c.refuted:
            c.rule, c.waits = "mismatch", []

    def find_waits_by_rule(self, c):
        c.rule = self.rule_of(c)
        if c.rule == "all":
            self.barrier(c)
        elif c.rule == "data":
            self.to_all(c, "all-to-all", [m for m in c.members if m.sends])
        elif c.rule == "sizes":
            for m in c.members:
                m.sends = m.receives = True
            self.to_all(c, "all-to-all", c.members)
        elif c.rule in ("root", "to root"):
            self.rooted(c, c.rule)
        elif c.rule in ("groups", "groups data"):
            self.groups(c)
        elif c.rule == "neighbours":
            self.neighbours(c)
        elif c.rule == "before":
            there = {m.rank for m in c.members}
            for m in c.members:
                before = [o for o in c.members if o.rank <= m.rank and o.sends]
                if m.receives and not there.issuperset(range(m.rank)) and self.never_came(c, m, "early scan"):
                    continue
                last = self.latest(before)
                if last and m.receives:
                    self.add(c, m, "early scan", m.enter, last.enter, last, last.enter)

    def rule_of(self, c):
        kind = kind_of(c.first)
        if getattr(c, "unknown", False):
            return "unknown"
        if not c.matched:
            return "mismatch"
        if c.expected == 1 and c.local is None:
            return "nobody"
        if c.team is None and c.sequence < ENDS:
            return self.upc_rule(c)
        if not c.listed and kind not in PERHAPS:
            return "unknown"
        if c.local is not None and kind in ("barrier", "scan"):
            return "groups" if kind == "barrier" else "unknown"
        if c.team and self.run.teams[c.team].made_by_use and c.sequence == 0 and self.overlap(c.members):
            return "all"
        if kind == "barrier":
            return "all"
        if kind in PERHAPS:
            return "all" if c.overlap else "unknown"
        if kind in NO_SIZES:
            return "unknown"
        if kind == "neighbor":
            return "neighbours" if c.local is None and self.sources(c) else "unknown"
        if c.local is not None and kind == "all_to_all":
            return "groups data"
        if kind == "all_to_all" and self.of_sizes(c):
            return "sizes"
        return {"all_to_all": "data", "scan": "before"}.get(kind) or ("root" if kind in ROOTED_FROM else "to root")

    def of_sizes(self, c):
        """Members wait for those that send nothing, too: they do not know that these do, or all left soon after them."""
        if all(m.sends and m.receives for m in c.members):
            return False
        if not any("bytes_received" in (m.made or m.event.args) for m in c.members):
            return True
        if len(c.came) < c.expected or any(m.leave is None for m in c.members) or not self.overlap(c.members):
            return False
        others = [m.enter for m in c.members if m is not c.last and (not m.receives if c.last.sends else m.sends)]
        if not others and c.last.sends:
            return False
        waited = c.last.enter - (max(others) if others else min(m.enter for m in c.members))
        return max(m.leave for m in c.members) - c.last.enter < waited // 4

    def upc_sync(self, m):
        """What the flags of a call ask for; all: also where nobody knows."""
        numbers = self.run.script.meta.get("upc_sync_flags")
        if numbers is None or "flags" not in m.event.operation.arguments:
            return "all"
        in_all, in_my, in_no, out_all, out_my, out_no = map(int, numbers.split())
        flags = m.event.args["flags"]
        ins = "no" if flags & in_no else "my" if flags & in_my else "all"
        outs = "no" if flags & out_no else "my" if flags & out_my else "all"
        return "all" if "all" in (ins, outs) else ins

    def upc_rule(self, c):
        syncs, a, rule = {self.upc_sync(m) for m in c.members}, c.first.event.args, "all"
        if len(syncs) > 1:
            return "mismatch"
        if syncs == {"no"}:
            return "nobody"
        if syncs == {"my"}:
            kind, root = c.first.event.type, upc_root(c.first)
            full = a.get("block_elements", 0) and -(-a.get("elements", 0) // a["block_elements"]) >= c.expected
            if kind in ROOTED_FROM + ("gather",) or kind == "reduce" and full:
                rule = ("root" if kind in ROOTED_FROM else "to root") if root is not None and root >= 0 else "unknown"
            elif kind == "scan" and full and a["source_thread"] == 0:
                rule = "before"
            elif kind == "all_to_all" and "permutation" not in a:
                rule = "data"
            else:
                rule = "unknown"
        return "mismatch" if rule in ("all", "data") and not c.overlap else rule

    def barrier(self, c):
        last = c.last
        drained = max(c.came, key=lambda m: (m.notify_leave, -m.thread.id))
        for m in c.members:
            if self.never_came(c, m, "barrier"):
                continue
            self.add(c, m, "barrier", m.event.start, last.enter, last, last.enter)
            self.add(c, m, "notify drain", last.enter, drained.notify_leave, drained, drained.notify_leave)

    def to_all(self, c, kind, senders):
        last = self.latest(senders)
        for m in c.members:
            if m.receives and self.never_came(c, m, kind):
                continue
            if last and m.receives:
                self.add(c, m, kind, m.enter, last.enter, last, last.enter)

    def groups(self, c):
        """Each waits for the last of the other group; data: that sends, if it receives."""
        plain, kind = c.rule == "groups", "other group"
        for m in c.members:
            others = [o for o in c.members if (o.rank < c.local) != (m.rank < c.local)]
            size = c.local if m.rank >= c.local else c.expected - c.local
            last = self.latest([o for o in others if plain or o.sends])
            if not plain and not m.receives or len(others) < size and self.never_came(c, m, kind):
                continue
            if last:
                self.add(c, m, kind, m.enter, last.enter, last, last.enter)

    # --- neighbours ------------------------------------------------------------

    def sources(self, c):
        """Of members that have a log: the ranks that they receive from."""
        team, there = self.run.teams[c.team], {t.rank for t in self.run.threads if not t.missing}
        return {rank: ranks for rank, ranks in team.sources.items() if team.members[rank] in there}

    def all_there(self, c, m):
        """It is known whom it receives from, and that all of them came."""
        ranks = self.sources(c).get(m.rank)
        return ranks is not None and ranks <= {o.rank for o in c.members}

    def awaited(self, c, m):
        """The last to arrive of those that it receives from and that send; it may be itself."""
        ranks = self.sources(c).get(m.rank, ())
        return self.latest([o for o in c.members if o.rank in ranks and o.sends]) if m.receives else None

    def neighbours(self, c):
        for m in c.members:
            if m.rank not in self.sources(c) or not m.receives:
                continue
            bound = not self.all_there(c, m)
            if bound and self.never_came(c, m, "late neighbour"):
                continue
            last = self.awaited(c, m)
            if last:
                self.add(c, m, "late neighbour", m.enter, last.enter, last, last.enter, bound)

    # --- roots -----------------------------------------------------------------

    def rooted(self, c, kind):
        roots = [m for m in c.members if m.thread.rank == root_of(m)]
        if not roots:
            for m in c.members if kind == "root" else []:
                process = self.run.process.get(root_of(m))
                if m.receives and m.wait:
                    self.never_came(c, m, "late broadcast", Nothing(process, m.wait) if process else None)
            return
        root = roots[0]
        if kind == "root":
            for m in c.members:
                if m is not root and m.receives and root.sends:
                    self.add(c, m, "late broadcast", m.enter, root.enter, root, root.enter)
            return
        senders = [m for m in c.members if m is not root and m.sends]
        if root.receives and self.never_came(c, root, "early reduce"):
            return
        if senders and root.receives:
            first = min(senders, key=lambda m: (m.enter, m.thread.id))
            self.add(c, root, "early reduce", root.enter, first.enter, first, first.enter)

    # --- by line ---------------------------------------------------------------

    def late(self, c):
        """Who others wait for, or would have to."""
        roots = [m for m in c.members if m.thread.rank == root_of(m)]
        if c.rule == "root":
            return roots[0] if roots else c.last
        if c.rule == "to root":
            return min((m for m in c.members if m not in roots[:1] and m.sends), default=c.last,
                       key=lambda m: (m.enter, m.thread.id))
        if c.rule == "neighbours":
            awaited = [(m, self.awaited(c, m)) for m in c.members]
            return self.latest([o for m, o in awaited if o not in (None, m)]) or c.last
        return c.rule == "data" and self.latest([m for m in c.members if m.sends]) or c.last

    def totals(self):
        """collective_total's rows."""
        found = defaultdict(lambda: [0] * 7)
        for c in self.instances:
            late, left = self.late(c), [m for m in c.members if m.leave is not None]
            first = min((m.leave for m in left), default=c.last.enter)
            waited = sum(w["end"] - w["start"] for w in c.waits)
            since, row = max(c.last.enter, first), found[c.team or "all threads", late.event.source, late.thread.id]
            row[0] += 1
            row[1] += len(c.members)
            row[2] += waited
            row[3] = max(row[3], waited)
            row[4] += c.last.enter - min(m.enter for m in c.came)
            row[5] += max(0, first - c.last.enter)
            for m in left if c.rule in ("all", "data", "sizes") else []:
                if c.rule == "all" or m.sends and m.receives:
                    row[6] += max(0, m.leave - max(since, m.wait.start))
        return sorted((team, *source, t, *row) for (team, source, t), row in found.items())
