# SPDX-License-Identifier: GPL-3.0-or-later
"""What a script's logs hold: threads and events on the run's time, parents, self times, categories, profile."""
from collections import defaultdict

RULES = {"peer": -1, "posted_peer": -1, "posted_tag": -1, "source_thread": -1, "target_thread": -1,
         "element_bytes": 8, "success": 1, "attempts": 1}
ASTRAY_NS = 1 << 55
SAME = {"posted_peer": "peer", "posted_tag": "tag", "limit": "bytes", "receive_peer": "posted_peer",
        "receive_tag": "posted_tag", "bytes_received": "bytes"}
SIZES = "bytes", "limit", "bytes_received"


class Event:
    """start_at, end_at: places of its records in the thread's log; end_at None: it is open."""

    def __init__(self, line, thread, number):
        self.line, self.thread, self.number = line, thread, number
        self.operation, self.type = line.operation, line.operation.type
        self.category = line.operation.category
        self.instant, self.end_at, self.end, self.open = line.instant, None, None, False
        self.parent, self.self_ns, self.nested, self.args, self.notes = None, 0, False, {}, []

    ends_all = property(lambda e: e.type == "finalize" and e.operation.model == "UPC")
    source = property(lambda e: (e.operation.name, e.line.where))
    runtime = property(lambda e: e.category not in ("computation", "none"))

    def __repr__(self):
        return f"{self.thread.id}.{self.number} {self.operation.name} [{self.start},{self.end}]"


class RunThread:
    def __init__(self, script, thread, ident):
        self.id, self.rank, self.number, self.model = ident, thread.rank, thread.number, thread.model
        self.missing, self.cut, self.damaged = thread.missing, thread.cut is not None, False
        self.no_end = False
        self.events, self.steps, self.gaps, self.passed, self.unseen = [], [], [], [], []
        self.script, self.thread, self.first, self.last = script, thread, None, None


START, END, NOTE = range(3)  # of one moment and place in this order


def records_in_order(threads):
    """What stands in the logs of these threads, as time goes: (START or END, event), (NOTE, what passed unrecorded)."""
    found = []
    for t in threads:
        for e in t.events:
            found.append((e.start, t.id, e.start_at, START, e))
            if e.end_at is not None or e.notes:
                found.append((e.end, t.id, e.end_at if e.end_at is not None else e.start_at, END, e))
        found += [(when, t.id, at, NOTE, note) for when, at, note in t.unseen]
    return [(what, e) for *_, what, e in sorted(found, key=lambda m: m[:4])]


def log_order(script, thread):
    """The records of a log as mkrun writes them: (time, 'start'|'end'|'whole', line)."""
    starts = sorted((line.start, i) for i, line in enumerate(script.lines)
                    if line.thread == thread.ident and line.start is not None)
    ends = [(line.end, 0, i) for i, line in enumerate(script.lines)
            if line.thread == thread.ident and line.start is None]
    ends += [(script.lines[i].end, -at, i) for at, (start, i) in enumerate(starts)
             if script.lines[i].end not in (None, start)]
    records = [(t, 0, order, "end", i) for t, order, i in ends]
    records += [(t, 1, at, "whole" if script.lines[i].end == t else "start", i) for at, (t, i) in enumerate(starts)]
    return [(t, what, script.lines[i]) for t, _, _, what, i in sorted(records)
            if thread.cut is None or t <= thread.cut]


def without_damage(records):
    """'lost' is what a damaged block held, 'resume' where a good one follows."""
    found, damaged = [], False
    for t, what, line in records:
        if line.kind == "block":
            found += [(t, "resume", line)] * (damaged and not line.damaged)
            damaged = line.damaged
        elif damaged:
            found += [(t, "lost", line)] * (what != "end")
        else:
            found.append((t, what, line))
    return found, damaged


def arguments(run, event, sequence):
    given, values = event.line.values, {}
    for name in event.operation.arguments:
        if name == "sequence" and name not in given:
            team = given.get("team", "world")
            values[name] = sequence[team]
            sequence[team] += 1
            continue
        text, asked = given.get(name), name
        if text is None and name in SAME:
            text = given.get(SAME[name])
        if text is None:
            values[name] = "world" if name == "team" else len(event.line.notes) if name == "requests" \
                else RULES.get(asked, 0)
        else:
            values[name] = run.value(text)
            if name in SIZES:
                values[name] = min(values[name], 1 << 48)
    return values


class Run:
    def __init__(self, script):
        self.script = script
        self.teams = {t.name: t for t in script.teams}
        known = sorted(script.threads, key=lambda t: (t.rank, t.number))
        have = {t.rank for t in known}
        self.threads = []
        for rank in range(script.ranks):
            of_rank = [t for t in known if t.rank == rank]
            if rank not in have:
                missing = type(known[0])(rank, {})
                missing.missing = True
                of_rank = [missing]
            for t in of_rank:
                self.threads.append(RunThread(script, t, len(self.threads)))
        self.process = {}  # rank: its first thread
        for t in self.threads:
            self.process.setdefault(t.rank, t)
        for t in self.threads:
            if not t.missing:
                self.replay(t)
        self.align([t for t in self.threads if t.first is not None])
        zero = min(t.first for t in self.threads if t.first is not None)
        for t in self.threads:
            self.shift(t, zero)
            self.nest(t)
        # Ids as the database has them.
        self.events = [e for t in self.threads for e in t.events]
        for i, e in enumerate(self.events):
            e.id = i + 1

    @staticmethod
    def align(threads):
        """A host whose wall clock is astray, by half of what times may be, began when most did."""
        usual = sorted(t.first for t in threads)[len(threads) // 2]
        for host in {t.thread.host for t in threads}:
            there = sorted((t for t in threads if t.thread.host == host), key=lambda t: t.first)
            astray = usual - there[len(there) // 2].first
            for t in there if abs(astray) > ASTRAY_NS else []:
                t.first, t.last, t.skew = t.first + astray, t.last + astray, t.skew + astray

    def value(self, text):
        """A number, an address (segment, offset), or a name."""
        try:
            return int(text, 0)
        except ValueError:
            segment, _, offset = text.partition("+")
            return (segment, int(offset or "0", 0)) if segment in self.script.segments else text

    def replay(self, t):
        """steps: (time, open events, recording off, tool) from each record to the next."""
        skew = self.script.skew.get(t.thread.host, 0)
        if self.script.clocks:
            skew += self.script.clocks.offset(t.thread.host)
        records, sequence = log_order(self.script, t.thread), defaultdict(int)
        first = t.thread.first if t.thread.first is not None else records[0][0] if records else 0
        t.first, last, open_events, off = first + skew, first, [], None
        perhaps_off = False  # damage may have lost that it was switched off
        t.damaged = any(line.kind == "block" and line.damaged for _, _, line in records)
        records, t.no_end = without_damage(records)
        t.cut = t.cut or t.no_end
        marks, since, ending = [], first, None  # ending: a UPC program's end, while nothing follows it
        for at, (when, what, line) in enumerate(records):
            if what == "lost":
                if line.kind == "event":
                    arguments(self, Event(line, t, 0), sequence)
                continue
            if line.kind == "tool" and what == "start":
                continue  # its record comes at its end
            if ending and (what == "resume" or line.kind == "event"):
                ending.end = when
                if what != "resume":
                    open_events.remove(ending)
                ending = None
            if what == "resume":
                for e in [e for e in open_events if e.runtime]:
                    self.break_off(e, last)
                    open_events.remove(e)
                marks.append((last, list(open_events)))
                if off is not None:
                    t.gaps.append(("off", off, last))
                t.gaps.append(("damage", last, when))
                off, since, perhaps_off = None, when, True
            last = max(last, when)
            if line.kind == "event":
                if what != "end":
                    e = Event(line, t, len(t.events))
                    e.start, e.start_at = when, at
                    e.args = arguments(self, e, sequence)
                    e.below = list(open_events)
                    t.events.append(e)
                    open_events.append(e)
                ended = [e for e in open_events if e.operation is line.operation and self.pairs(e, line)][-1:] \
                    if what != "start" else []
                if what == "end" and not ended:  # what completed in it is told
                    t.unseen += [(when, at, note) for note in line.notes if note[0] == "complete"]
                for e in ended:
                    e.at_end = [f for f in open_events if f is not e]
                    e.end, e.end_at = when, at
                    e.notes = line.notes
                    if e.ends_all and e is [f for f in open_events if f.category != "none"][-1]:
                        ending = e
                    else:
                        open_events.remove(e)
                if what == "start" and line.end is None:
                    e.notes = line.notes
            elif line.kind == "off":
                if what != "end":
                    off = when
                elif perhaps_off:
                    off = since if off is None else off
                perhaps_off = False
                if what != "start":
                    t.gaps.append(("off", off, when))
                    for kind, plain, values in line.notes:
                        if kind == "passed":
                            t.passed.append((when, values))
                        if kind == "complete":
                            t.unseen.append((when, at, (kind, plain, values)))
                    off = None
            elif line.kind == "tool" and what == "end":
                t.gaps.append(("tool", max(line.start, since), when))
            marks.append((when, list(open_events)))
        if t.thread.last is not None and not t.no_end:
            last = max(last, t.thread.last)
        if off is not None:
            t.gaps.append(("off", off, last))
        t.last = last + skew
        t.marks, t.skew = marks, skew
        if ending and (not t.cut or ending.instant):
            ending.end = last
            open_events.remove(ending)
        for i, e in enumerate(open_events):
            e.at_end = open_events[:i]
            self.break_off(e, last)

    @staticmethod
    def pairs(e, line):
        """Ends of work for entities are matched by the entity, or the work."""
        name = {"entity": "entity", "work": "work"}.get(e.type)
        return name is None or e.line.values.get(name) == line.values.get(name)

    @staticmethod
    def break_off(e, when):
        """Its end is in no log."""
        e.end, e.open = when, True
        e.args = {name: value for name, value in e.args.items() if name in e.operation.at_start}

    def shift(self, t, zero):
        if t.first is None:
            return
        move = t.skew - zero
        t.first, t.last, t.move = t.first - zero, t.last - zero, move
        t.gaps = [(kind, a + move, b + move) for kind, a, b in t.gaps if b > a]
        t.cut |= t.damaged and all(kind != "damage" for kind, *_ in t.gaps)  # nobody knows when
        t.passed = [(when + move, values) for when, values in t.passed]
        t.unseen = [(when + move, at, note) for when, at, note in t.unseen]
        t.marks = [(when + move, stack) for when, stack in t.marks]
        for e in t.events:
            e.start, e.end = e.start + move, e.end + move

    def nest(self, t):
        for e in t.events:
            if e.category == "none":
                e.self_ns = None
                continue
            below = [f for f in e.below if f.category != "none"]
            around = [f for f in below if f.end >= e.end]
            e.parent = around[-1] if around else None
            for f in reversed(below):
                if f.category == "computation":
                    break
                if e.runtime:
                    e.nested = True
                    break
        self.spend(t)

    def spend(self, t):
        """Every piece of the thread's time: to one category, and to one event's self time."""
        t.categories, t.state_parts = defaultdict(int), []
        if t.first is None:
            return
        cuts = {t.first, t.last} | {w for w, _ in t.marks} | {x for g in t.gaps for x in g[1:]}
        cuts = sorted(c for c in cuts if t.first <= c <= t.last)
        marks, at, stack = t.marks, 0, []
        for a, b in zip(cuts, cuts[1:]):
            while at < len(marks) and marks[at][0] <= a:
                stack = [e for e in marks[at][1] if e.category != "none"]
                at += 1
            covering = {kind for kind, x, y in t.gaps if x <= a and b <= y}
            t.categories[self.category(stack, covering)] += b - a
            t.state_parts.append((self.category(stack, covering), a, b))
            if not covering and stack:
                stack[-1].self_ns += b - a

    @staticmethod
    def category(stack, covering):
        if covering & {"off", "damage"}:
            return "not recorded"
        outermost = None
        for e in reversed(stack):
            if e.category == "computation":
                break
            outermost = e
        if outermost:
            return outermost.category
        return "tool" if "tool" in covering else "computation"

    def profile(self):
        rows, of_key = {}, {}
        for t in self.threads:
            for e in t.events:
                key = (t.id, e.source, int(e.nested))
                calls, total, own, low, high, n_open, inner, again = rows.get(key, (0, 0, 0, None, 0, 0, 0, 0))
                of_key.setdefault(key, []).append(e.end - e.start)
                d = e.end - e.start
                around = [f.source for f in e.below if f.nested == e.nested and f.operation.name == e.operation.name]
                outermost = e.source not in around
                if e.type in ("entity", "work"):  # they may cross: what is open at its end counts
                    around = [f.source for f in e.at_end if f.operation.name == e.operation.name and f.id < e.id]
                    outermost = all(f.source != e.source for f in e.at_end)
                rows[key] = (calls + 1, total + (d if outermost else 0),
                             None if e.self_ns is None else own + e.self_ns,
                             d if low is None else min(low, d), max(high, d), n_open + e.open,
                             inner + (0 if outermost else d), again + (d if outermost and around else 0))
        return {key: row + (float(len(all_ns) * sum(d * d for d in all_ns) - sum(all_ns) ** 2),)
                for (key, row), all_ns in zip(rows.items(), of_key.values())}
