# SPDX-License-Identifier: GPL-3.0-or-later
"""Categories and waiting over time: bins of a power of two ns, so many that they cover what was read so far."""
from collections import defaultdict

RUN, THREAD = 2048, 512  # bins; of runs of few threads


def width(n, last):
    w = 1
    while n * w < last:
        w *= 2
    return w


def cut(start, end, w):
    """(bin, ns) of the parts."""
    while start < end:
        edge = min(end, (start // w + 1) * w)
        yield start // w * w, edge - start
        start = edge


def reached(t):
    """Until when a thread is known to go on before its log is read: to its block before the last."""
    blocks = sorted(line.start for line in t.script.lines if line.kind == "block" and line.thread == t.thread.ident
                    and (t.thread.cut is None or line.start <= t.thread.cut))
    return blocks[-2] + t.move if len(blocks) > 1 else 0


class Bins:
    def __init__(self, run, waits):
        with_time = [t for t in run.threads if t.first is not None and t.last > t.first]
        last = max((t.last for t in with_time), default=0)
        self.run_width, self.thread_width = width(RUN, last), width(RUN, last) * (RUN // THREAD)
        self.bins, self.thread_bins = defaultdict(int), defaultdict(int)
        self.wait_bins, self.thread_wait_bins = defaultdict(int), defaultdict(int)
        so_far = max((reached(t) for t in with_time), default=0)
        for t in with_time:
            so_far = max(so_far, t.last)
            for category, start, end in t.state_parts:
                for at, ns in cut(start, end, self.run_width):
                    self.bins[at, category] += ns
                for at, ns in cut(start, end, width(RUN, so_far) * (RUN // THREAD)):
                    self.thread_bins[t.id, at, category] += ns
        for w in waits:
            for at, ns in cut(w["start"], w["end"], self.run_width):
                self.wait_bins[at, w["kind"]] += ns
            for at, ns in cut(w["start"], w["end"], self.thread_width):
                self.thread_wait_bins[w["event"].thread.id, at] += ns

    def tables(self):
        for name in ("bins", "thread_bins", "wait_bins", "thread_wait_bins"):
            yield name[:-1], sorted(key + (ns,) for key, ns in getattr(self, name).items())
