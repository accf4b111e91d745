# SPDX-License-Identifier: GPL-3.0-or-later
"""What accesses suffer from their targets: no progress, slow deliveries, collectives made by hand."""
from collections import defaultdict
from fractions import Fraction

from accesses import blocks, peer_of, percentile, recorded, separates
from signals import failed, is_delivered, last_writes


def median(events):
    return percentile(sorted(e.end - e.start for e in events), 50)


class Targets:
    def __init__(self, run, waits):
        self.run, self.waits = run, waits
        self.threads = defaultdict(list)  # of a process
        for t in run.threads:
            self.threads[t.rank].append(t)
        self.accesses = [e for e in run.events if blocks(e) and not e.nested and not e.open
                         and 0 <= peer_of(e) < run.script.ranks and peer_of(e) != e.thread.rank]
        self.line_ns = defaultdict(int)
        for e in run.events:
            if blocks(e) and not e.nested and 0 <= peer_of(e) < run.script.ranks and peer_of(e) != e.thread.rank:
                self.line_ns[e.source, e.thread.id] += e.end - e.start
        self.starve()

    # --- no progress ---------------------------------------------------------------------------------------------

    def presence(self, e):
        """What the target did when e began: None, or whether it was inside its runtime, since when it was not, when it
        entered next, and from when on nobody knows."""
        threads, at = self.threads[peer_of(e)], e.start
        if any(t.first is None for t in threads) or at < min(t.first for t in threads) or \
                at >= max(t.last for t in threads):
            return None
        gaps = [g for t in threads for g in t.gaps if g[0] != "tool"]
        if any(a <= at < b for _, a, b in gaps):
            return None
        calls = [c for t in threads for c in t.events if c.runtime and not c.nested]
        left = max([at] + [c.end for c in calls if c.start <= at])
        return (left > at, left, min((c.start for c in calls if c.start > at), default=None),
                min([max(t.last for t in threads)] + [a for _, a, _ in gaps if a > at]))

    def starve(self):
        self.lines = defaultdict(list)
        for e in self.accesses:
            p = self.presence(e)
            if p is not None:
                self.lines[e.source].append((e, *p))
        self.inside = {source: [e for e, inside, *_ in found if inside] for source, found in self.lines.items()}
        self.outside = {source: [e for e, inside, *_ in found if not inside] for source, found in self.lines.items()}
        self.answered, self.starved = defaultdict(dict), defaultdict(list)
        for source, found in self.lines.items():
            for e, _, left, enter, unknown in found:
                if enter is not None and enter < unknown and left < enter < e.end and \
                        Fraction(e.end - enter, e.end - left) < Fraction(1, 4):
                    self.answered[source][e] = enter - left
            for e, starved in self.who_starves(source):
                if starved:
                    self.starved[source, e.thread.id, self.run.process[peer_of(e)].id].append(starved)

    def who_starves(self, source):
        found, inside, outside = self.lines[source], self.inside[source], self.outside[source]
        if len(inside) >= 30 and len(outside) >= 30 and median(outside) >= 2 * median(inside):
            for e, is_inside, _, enter, unknown in found:
                entered = unknown if enter is None else min(enter, unknown)
                if not is_inside and e.end - entered < 2 * median(inside):
                    yield e, min(entered, e.end) - e.start
        elif len(self.answered[source]) >= max(30, len(found) / 2):
            yield from self.answered[source].items()

    # --- signals -------------------------------------------------------------------------------------------------

    def deliveries(self):
        puts = [e for e in self.accesses if e.type == "put"]
        found = defaultdict(list)
        for e, write in last_writes(self.run):
            if write is not None and not failed(e) and is_delivered(self.run, e, write):
                found[e.source, e.thread.id].append(max(0, e.end - max(e.start, write.start)))
        for (source, thread), times in sorted(found.items()):
            slow = [ns for ns in times if puts and median(puts) > 0 and ns > 3 * median(puts)]
            yield (*source, thread, len(times), len(slow), sum(slow), max(slow, default=0))

    # --- by hand -------------------------------------------------------------------------------------------------

    def episodes(self, t):
        """Lists of the accesses of a line between two synchronizations."""
        lines = defaultdict(list)
        for e in recorded(t):
            if e is None or separates(e):
                yield from lines.values()
                lines = defaultdict(list)
            elif e.type in ("get", "put") and e in self.accesses:
                lines[e.source].append(e)
        yield from lines.values()

    def hand_made(self):
        others, sums = len(self.threads) - 1, {}
        for t in self.run.threads if others >= 3 else []:
            mine = [w for w in self.waits if w["cause"] is not None and w["cause"].thread is t]
            for events in self.episodes(t):
                first, last = events[0].start, events[-1].end
                if len(events) != others or len({peer_of(e) for e in events}) != others or \
                        len({e.args["bytes"] for e in events}) != 1 or last == first:
                    continue
                waited = sum(max(0, min(last, w["end"]) - max(first, w["start"])) for w in mine)
                if waited < (last - first) * others // 2:
                    continue
                row = sums.setdefault((*events[0].source, t.id), [0] * 5)
                for i, v in enumerate((1, others, sum(e.args["bytes"] for e in events),
                                       sum(e.end - e.start for e in events), waited)):
                    row[i] += v
        return sorted((*key, *row, self.line_ns[key[:2], key[2]]) for key, row in sums.items())

    def tables(self):
        yield "target_line", sorted(
            (*source, len(self.inside[source]), median(self.inside[source]) if self.inside[source] else -1,
             len(self.outside[source]), median(self.outside[source]) if self.outside[source] else -1,
             len(self.answered[source])) for source in self.lines)
        yield "starved_total", sorted((*source, t, peer, len(x), sum(x), max(x), self.line_ns[source, t])
                                      for (source, t, peer), x in self.starved.items())
        yield "delivery_total", list(self.deliveries())
        yield "hand_made_total", self.hand_made()
