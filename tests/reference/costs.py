# SPDX-License-Identifier: GPL-3.0-or-later
"""What barriers and completion cost besides waiting."""
from collections import defaultdict

from accesses import ACCESSES, peer_of
from completions import shares

BARRIERS = ("barrier", "notify", "barrier_wait")
SYNCHRONIZING = ("lock", "lock_attempt", "unlock", "wait_until", "wait_test", "window_sync")


class Costs:
    def __init__(self, run, waits, collectives, completions, untold):
        self.run, self.collectives = run, collectives
        self.untold = untold | {w["event"] for w in waits if w["bound"]}
        self.waited = defaultdict(int)  # by event
        for w in waits:
            self.waited[w["event"]] += w["end"] - w["start"]
        self.completion(completions)
        self.barriers()

    def completion(self, completions):
        """Of each completing call its waiting, shared out over the lines that it completed; if nobody can tell, the rest, too."""
        self.lines, self.completes, self.others = defaultdict(lambda: [0, 0]), set(), defaultdict(int)
        self.puts = {t.completer for t in completions.transfers
                     if t.completer and t.share > 0 and t.event.type in ("put", "put_nb")}
        calls = defaultdict(list)
        for t in completions.transfers:
            if t.completer and t.share > 0:
                calls[t.completer].append(t)
        for e, transfers in calls.items():
            by_line = {}
            for t in sorted(transfers, key=lambda t: t.event.id):
                key = t.thread.id, t.event.source
                by_line[key] = by_line.get(key, 0) + t.share
            self.completes.add(e)
            waited = self.waited[e] * sum(by_line.values()) // (e.end - e.start)
            for ((thread, source), share), part in zip(by_line.items(), shares(waited, list(by_line.values()))):
                row = self.lines[(thread, *source, *e.source)]
                row[0] += part
                row[1] += share - part if e in self.untold else 0
                if thread != e.thread.id:
                    self.others[e] += share - part

    # --- barriers ------------------------------------------------------------------------------------------------

    @staticmethod
    def whole(c):
        if c.rule != "all" or c.expected != len(c.members):
            return False
        return c.first.event.type in BARRIERS and all(
            m.enter is not None and m.leave is not None and (m.wait is m.event or m.event.type == "notify")
            for m in c.members)

    def communicates(self, before, m):
        """Has the thread, or may it have, between its part in an instance and that in the next?"""
        t = m.thread
        for e in t.events[before.wait.number + 1:m.event.number]:
            if (e.category == "communication" or e.type in SYNCHRONIZING) and not e.nested and \
                    not (e.type in ACCESSES and peer_of(e) == t.rank):
                return True
        return any(kind != "tool" and before.wait.start < a <= m.event.start for kind, a, _ in t.gaps)

    def follows(self, before, m):
        return before is not None and before.thread is m.thread and m.enter - before.leave < 5000 and \
            not self.communicates(before, m)

    def barriers(self):
        self.totals = defaultdict(lambda: [0] * 11)
        self.operations = []  # instance, member, whether it followed at once, part of the operation
        last = {}  # of a team: sequence of its last barrier, its members by process
        for c in self.collectives:
            if c.first.event.type in BARRIERS and not self.whole(c):
                last.pop(c.team, None)  # an interval from before it would not be one
            if not self.whole(c):
                for m in c.members if c.rule == "all" and c.first.event.type in BARRIERS else []:
                    self.add_slack(m)
                continue
            number, before = last.get(c.team, (None, {}))
            at_once = number == c.sequence - 1 if number is not None else False
            at_once = at_once and all(self.follows(before.get(m.thread.rank), m) for m in c.members)
            for m in c.members:
                self.add(c, m, before.get(m.thread.rank), at_once)
            last[c.team] = c.sequence, {m.thread.rank: m for m in c.members}
        self.drain()

    def drain(self):
        """Operations that took long for puts are none."""
        of_line = defaultdict(list)
        for _, m, _, ns in self.operations:
            of_line[m.event.source].append(ns)
        median = {source: sorted(all_ns)[(len(all_ns) + 1) // 2 - 1] for source, all_ns in of_line.items()}
        for c, m, at_once, ns in self.operations:
            if ns <= 3 * median[m.event.source] or not any({o.event, o.wait} & self.puts for o in c.members):
                continue
            row = self.totals[(*m.event.source, m.thread.id)]
            row[1] -= ns
            row[7] += ns
            if m.wait in self.completes:
                row[8] += ns
            elif at_once:
                row[6] -= ns

    def add_slack(self, m):
        if m.wait is not None and m.event.type == "notify" and not m.event.open:
            row = self.totals[(*m.event.source, m.thread.id)]
            row[9] += 1
            row[10] += max(0, m.wait.start - m.event.end)

    def add(self, c, m, before, at_once):
        row = self.totals[(*m.event.source, m.thread.id)]
        all_there, first_gone = c.last.enter, min(o.leave for o in c.members)
        row[0] += 1
        if before:
            row[3] += 1
            row[4] += max(0, m.enter - before.leave)
        row[5] += at_once
        self.add_slack(m)
        for call in {m.event, m.wait}:
            own = max(0, call.end - call.start - self.waited[call] - self.others[call])
            operation = 0 if call is not m.wait else min(own, max(0, first_gone - max(all_there, call.start)))
            row[1] += operation
            if call is m.wait:
                self.operations.append((c, m, at_once, operation))
            row[2] += own - operation
            if at_once and call not in self.completes:
                row[6] += own

    def tables(self):
        yield "completion_waited", sorted((*key, *row) for key, row in self.lines.items() if any(row))
        yield "barrier_total", sorted(key + tuple(row) for key, row in self.totals.items())
