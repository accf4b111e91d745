# SPDX-License-Identifier: GPL-3.0-or-later
"""A small machine: each process has a clock; what one does for another constrains when the other can go on, as in a real
run."""
import random


class Process:
    """A thread of one; rank: its number in the script."""

    def __init__(self, rank):
        self.rank, self.clock, self.lines = rank, 0, []
        self.process, self.number = rank, 0
        self.data_until = 0  # data in flight are recorded until then
        self.pending = []  # of its process: (request, earliest completion, words of its COMPLETE, when it was begun)
        self.functions, self.entities = [], []
        self.blocks, self.symmetric = set(), set()
        self.gaps = []


class Machine:
    first = last = model = None  # what all call first and last, and of which model

    def __init__(self, seed, large=False):
        r = self.random = random.Random(seed * 104729 + 2)  # not what chose the kind
        self.n = self.ranks = r.randint(8, 16) if large else r.randint(1, 5)
        self.short = r.choice((3, 20, 1000))  # short times make ties
        self.p = [Process(i) for i in range(self.n)]
        self.head, self.teams = [], {"world": list(range(self.n))}
        self.sequence, self.meta = {}, None
        self.entities, self.works, self.work = [], {}, 0
        self.epochs, self.numbered = {}, r.random() < .7
        self.locks, self.message, self.shared, self.window_locks, self.requests = {}, 0, {}, {}, {}
        self.done = {}  # (process, what): when its threads were last done with it
        self.line = 0  # of two of each operation; 0: either
        for p in self.p:
            p.clock = r.randint(0, self.short)

    def time(self):
        return self.random.randint(0, self.short)

    def other(self, p):
        return self.random.choice([q for q in self.p if q is not p] or [p])

    def of(self, process):
        """One of its threads."""
        return self.p[process]

    def in_turn(self, processes, what):
        """A thread of each, after its process is done with something of before."""
        threads = [self.of(i) for i in processes]
        for p in threads:
            p.clock = max(p.clock, self.done.get((p.process, what), 0))
        return threads

    def over(self, threads, what):
        """Another thread of theirs comes after that."""
        for p in threads:
            self.done[p.process, what] = p.clock + (self.n > self.ranks)

    def emit(self, p, start, end, what, values="", notes=()):
        """A line of p's; end None: open."""
        where = f"{'abc'[hash_of(what) % 3]}.c:{hash_of(what) % 50 * 10 + (self.line or self.random.randint(1, 2))}"
        p.lines.append([start, end, f"thread {p.rank} {where} {what} {values}".rstrip(), list(notes), {}])
        return p.lines[-1]

    def call(self, p, what, values="", until=0, notes=()):
        """A call from the clock on that cannot end before `until`."""
        start = p.clock
        p.clock = max(start, until) + self.time()
        return self.emit(p, start, p.clock, what, values, notes)

    def compute(self, p):
        p.clock += self.time()


class Pairs:
    """Processes of two threads, or three."""

    def pair(self):
        threads = self.random.choice((2, 2, 3))
        self.ranks = -(-self.n // threads)
        self.teams["world"] = list(range(self.ranks))
        for p in self.p:
            p.process, p.number = divmod(p.rank, threads)
            p.pending = self.p[p.rank - p.number].pending

    def of(self, process):
        return self.random.choice([p for p in self.p if p.process == process])


def hash_of(text):
    h = 0
    for c in text:
        h = (h * 31 + ord(c)) % 1000003
    return h
