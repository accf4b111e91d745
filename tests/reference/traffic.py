# SPDX-License-Identifier: GPL-3.0-or-later
"""Who accessed whose memory, or sent to whom, by line, direction and size in powers of two."""
from collections import defaultdict

from accesses import halves

DIRECTIONS = {"get": "get", "get_nb": "get", "put": "put", "put_nb": "put", "atomic": "atomic", "atomic_fetch": "atomic",
              "send": "send", "send_nb": "send", "send_receive": "send"}
COPIES = ("copy", "copy_nb")


def size_from(n):
    size = 0
    while n >= max(1, 2 * size):
        size = max(1, 2 * size)
    return size


class Traffic:
    def __init__(self, run, messages):
        self.run = run
        self.rows = defaultdict(lambda: [0, 0, 0])
        for e in run.events:
            if e.nested:
                continue
            ns, a = e.end - e.start, e.args
            if e.type in COPIES:
                for direction, owner, part in halves(e):
                    self.add(e, owner, direction, a["bytes"], part)
            elif e.type in DIRECTIONS:
                direction = DIRECTIONS[e.type]
                owner = "source_thread" if direction == "get" else "target_thread"
                self.add(e, a["peer"] if "peer" in a else a.get(owner, -1), direction, a.get("bytes", 0), ns)
        # What a call started that was made ready before; it is shared among the sends.
        started = defaultdict(list)
        for p in messages.all:
            if p.direction == "send" and p.team and p.post.type not in DIRECTIONS:
                started[p.post.id].append(p)
        for sends in started.values():
            ns, n = sends[0].post.end - sends[0].post.start, len(sends)
            for i, p in enumerate(sends):
                self.add(p.post, p.peer, "send", p.bytes, ns // n + (i < ns % n))

    def add(self, e, rank, direction, nbytes, ns):
        if not 0 <= rank < self.run.script.ranks:
            return
        peer = self.run.process[rank].id
        row = self.rows[e.thread.id, peer, *e.source, direction, size_from(nbytes)]
        for i, n in enumerate((1, nbytes, ns)):
            row[i] += n

    def tables(self):
        yield "traffic", sorted(key + tuple(row) for key, row in self.rows.items())
        totals = defaultdict(lambda: [0, 0, 0])
        for (thread, peer, _, _, direction, size), row in self.rows.items():
            first = self.run.process[self.run.threads[thread].rank].id
            totals[first, peer, direction, size] = [a + b for a, b in zip(totals[first, peer, direction, size], row)]
        yield "traffic_total", sorted(key + tuple(row) for key, row in totals.items())
