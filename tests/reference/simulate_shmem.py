# SPDX-License-Identifier: GPL-3.0-or-later
"""What PEs do, of one thread each or two: locks, accesses, words that others wait for, barriers."""
from machine import Machine, Pairs


class Shmem(Machine):
    first, last, model = "shmem_init", "shmem_finalize", "OpenSHMEM"

    def __init__(self, seed, large=False):
        super().__init__(seed, large)
        self.contexts, self.last_context = {}, 0

    def step_lock(self, p):
        """Take a lock, hold it, give it back; or first try in vain."""
        name, rnd = f"heap+{64 * self.random.randint(1, 2)}", self.random
        held = self.locks.get(name)  # (from, to): the last hold
        if held and held[0] <= p.clock < held[1] and rnd.random() < .6:
            start = p.clock
            p.clock = min(held[1], start + self.time())
            self.emit(p, start, p.clock, "shmem_test_lock", f"object={name} success=0")
            p.clock += self.time()
        if held and held[1] is None:
            return
        until = held[1] if held else 0
        if rnd.random() < .2 and p.clock >= until:
            self.call(p, "shmem_test_lock", f"object={name} success=1", until=until)
        else:
            self.call(p, "shmem_set_lock", f"object={name}", until=until)
        took = p.clock
        self.compute(p)
        start = p.clock
        self.call(p, "shmem_clear_lock", f"object={name}")
        self.locks[name] = (took, rnd.randint(start, p.clock))

    def step_access(self, p):
        rnd = self.random
        what = rnd.choice(("SHMEM_PUT", "SHMEM_GET", "SHMEM_P/shmem_long_p", "SHMEM_ATOMIC", "SHMEM_ATOMIC_FETCH",
                           "SHMEM_PUT_NBI", "SHMEM_GET_NBI", "SHMEM_ATOMIC_FETCH_NBI",
                           "SHMEM_ATOMIC_FETCH_NBI/shmem_long_atomic_fetch_nbi"))
        size = 8 if what.startswith(("SHMEM_P/", "SHMEM_A")) else rnd.choice((8, 64, 256, 257, 4096))
        self.call(p, what, f"peer={rnd.randrange(self.ranks)} object=heap+{1024 + 8 * rnd.randint(0, 30)} bytes={size} "
                  f"context={self.context(p)}")

    def context(self, p):
        return self.random.choice([0, 0] + self.contexts.setdefault(p.process, []))

    def step_context(self, p):
        """Make one, or end one."""
        mine = self.contexts.setdefault(p.process, [])
        if mine and self.random.random() < .5:
            self.call(p, "shmem_ctx_destroy", f"context={mine.pop()}")
        else:
            self.last_context += 1
            made = self.random.random() < .9
            self.call(p, "shmem_ctx_create", f"context={self.last_context if made else 0} success={int(made)}")
            mine += [self.last_context] * made

    def step_memory(self, p):
        """By all, mostly; or by one, whose log does not tell which instance it is."""
        what, values = self.random.choice((
            ("shmem_malloc", "bytes=64"), ("shmem_malloc", "bytes=0"), ("shmem_free", "address=heap+64"),
            ("shmem_free", "address=0"), ("shmem_realloc", "old_address=heap+64 bytes=0"),
            ("shmem_realloc", "old_address=0 bytes=0"), ("shmem_finalize", "")))
        if self.random.random() < .3:
            self.call(p, what, f"{values} team=0 sequence=0")
            return
        number, until = self.next_of_all(), max(q.clock for q in self.p)
        for q in self.p:
            self.call(q, what, f"{values} {number}", until=until if self.random.random() < .95 else 0)

    def next_of_all(self):
        self.sequence["world"] = self.sequence.get("world", -1) + 1
        return f"team=world sequence={self.sequence['world']}"

    def step_collective(self, p):
        """Of all, a team, or an active set: one thread of each."""
        rnd = self.random
        team = rnd.choice([t for t, members in self.teams.items() if p.process in members])
        members = self.in_turn(self.teams[team], team)
        what = rnd.choice(("shmem_broadcast", "shmem_collect", "shmem_fcollect", "shmem_alltoall", "SHMEM_TO_ALL", "SHMEM_SYNC",
                           "shmem_barrier"))
        self.sequence[team] = self.sequence.get(team, -1) + 1
        head, root, last = f"team={team} sequence={self.sequence[team]}", rnd.choice(members), max(q.clock for q in members)
        sizes = {q: rnd.choice((0, 8, 8, 8)) for q in members}
        for q in members:
            values, until = head, last
            if what == "shmem_broadcast":
                size = sizes[root]
                values += f" root={root.process} bytes={size * (q is root)} bytes_received={size * (q is not root)}"
                until = root.lines[-1][0] if q is not root and root.lines and members.index(root) < members.index(q) else 0
            elif what == "shmem_collect":
                values += f" bytes={sizes[q]}"
            elif what not in ("SHMEM_SYNC", "shmem_barrier"):
                values += f" bytes={sizes[root]} bytes_received={sizes[root]}"
            self.call(q, what, values, until=until)
        self.over(members, team)

    def step_burst(self, p):
        """Many small accesses of one line."""
        rnd = self.random
        what, count = rnd.choice(("SHMEM_G/shmem_long_g", "SHMEM_P/shmem_long_p")), rnd.randint(10, 40)
        stride, peers = rnd.choice((0, 8, 8, 16, -8)), rnd.randint(1, self.n)
        if peers == 1 and p.process == 0:  # reads of one own word are waiting, which is not in the reference
            stride = stride or 8
        at = {}
        for i in range(count):
            peer = (p.rank + i) % peers
            at[peer] = at.get(peer, 5000) + (stride if rnd.random() < .99 else 24)
            self.call(p, what, f"peer={peer} object=heap+{at[peer]} bytes=8")
            if rnd.random() < .02:
                self.step_memory(p)

    def step_synchronize(self, p):
        self.call(p, self.random.choice(("shmem_quiet", "shmem_fence")))

    def step_reread(self, p):
        """Look at a few words again and again; now and then something else between."""
        rnd, peer = self.random, self.random.randrange(self.n)
        if self.ranks == 1:
            return
        if peer == p.process:  # see step_burst
            peer = (peer + 1) % self.ranks
        words = [4096] * 20 + [4100, 4104]
        for _ in range(rnd.randint(2, 30)):
            self.line = rnd.choice((1,) * 9 + (2,))
            at, way = f"peer={peer} object=heap+{rnd.choice(words)} bytes=", rnd.random()
            if way < .86:
                self.call(p, rnd.choice(("SHMEM_G/shmem_long_g",) * 9 + ("SHMEM_ATOMIC_FETCH/shmem_long_atomic_fetch",)),
                          at + "8")
            elif way < .88:
                self.call(p, "SHMEM_IPUT", f"peer={peer} object=heap+{rnd.choice(words) - 16} " + self.strided())
            elif way < .91:
                self.call(p, rnd.choice(("SHMEM_PUT", "SHMEM_ATOMIC", "SHMEM_PUT_NBI",
                                         "SHMEM_ATOMIC_FETCH/shmem_long_atomic_swap")), at + "4")
            elif way < .94:
                self.call(p, rnd.choice(("SHMEM_GET", "SHMEM_GET_NBI")), at + "4")
            elif way < .97:
                self.call(p, "SHMEM_G/shmem_long_g", f"peer={p.rank} object=heap+4096 bytes=8")
            elif way < .98:
                self.step_memory(p)
            else:
                self.call(p, "shmem_fence")
        self.line = 0

    def strided(self):
        rnd = self.random
        size, count = rnd.choice((2, 4, 8)), rnd.randint(0, 6)
        return (f"bytes={size * count} element_bytes={size} elements={count} target_stride={rnd.choice((-1, 0, 1, 2, 3, 4))} "
                "source_stride=1")

    def write_word(self, p, q, word):
        """q writes to a word of p's, or near it, or elsewhere; returns when it began."""
        rnd, start = self.random, q.clock
        at = word + rnd.choice((0, 0, 0, -8, 8))
        values = f"peer={rnd.choice((p.process, p.process, p.process, q.process))} object=heap+"
        way, near = rnd.random(), rnd.choice((0, 0, 0, 4, -4))
        if way < .3:
            self.call(q, "SHMEM_IPUT", f"{values}{at + rnd.choice((-24, -4, 0, 24))} {self.strided()}")
        elif way < .5:
            signal = rnd.choice((f"heap+{at + near}", f"heap+{at + near}", "0x40"))
            self.call(q, rnd.choice(("SHMEM_PUT_SIGNAL", "SHMEM_PUT_SIGNAL_NBI")), f"{values}{word - 64 + rnd.choice((0, 0, 56))} "
                      f"bytes={rnd.choice((0, 8, 64))} signal={signal} signal_value=1 context={self.context(q)}")
        else:
            self.call(q, rnd.choice(("SHMEM_PUT", "SHMEM_ATOMIC", "SHMEM_PUT_NBI", "SHMEM_ATOMIC_FETCH",
                                     "SHMEM_ATOMIC_FETCH/shmem_long_atomic_swap")),
                      f"{values}{at + near} bytes={rnd.choice((4, 8, 8, 16, 24))}")
        return start

    def step_signal(self, p):
        """p waits for a word; others write there before, in time, and elsewhere."""
        rnd, word = self.random, 512 + 8 * self.random.randint(0, 3)
        writers = [q for q in (rnd.choice(self.p) for _ in range(rnd.randint(0, 3))) if q is not p]
        until = max([self.write_word(p, q, word) for q in writers], default=0)
        slow = rnd.choice((0, 0, 4 * self.short))
        what = rnd.choice(("shmem_wait_until", "shmem_wait_until", "shmem_test"))
        fails = f" success={rnd.randint(0, 1)}" * (what == "shmem_test")
        self.call(p, what, f"object=heap+{word} value=1 "
                  f"element_bytes={rnd.choice((8, 8, 8, 4, 2))}" + fails,
                  until=until + slow if rnd.random() < .9 else 0)

    def step_signals(self, p):
        """Threads of one process, mostly, wait for words of arrays again and again."""
        for _ in range(self.random.choice((1, 3, 6))):
            self.wait_for_several(p)
            p = self.random.choice([q for q in self.p if q.process == p.process] * 5 + self.p)

    def wait_for_several(self, p):
        """p waits for words of an array: all, any, some; but for some of them."""
        rnd, size = self.random, self.random.choice((8, 8, 8, 4))
        base, n = 512 + size * rnd.randint(-2, 3), rnd.choice((0, 1, 2, 4, 8, 8))
        looked = [i for i in range(n) if rnd.random() < .8] if rnd.random() < .5 else list(range(n))
        words = rnd.sample(looked, rnd.randint(0, len(looked)))
        until = max([self.write_word(p, q, base + size * i) for i in words
                     for q in rnd.sample(self.p, rnd.randint(0, min(2, self.n))) if q is not p], default=0)
        kind, test = rnd.choice(("ALL", "ANY", "SOME", "SOME")), rnd.random() < .4
        values = f"object=heap+{base} value=1 element_bytes={size} elements={n} left_out={n - len(looked)}"
        come, notes = words if rnd.random() < .9 else [], []
        if kind == "ALL":
            notes = runs_of(looked, rnd) * (len(looked) < n)
        elif kind == "ANY":
            values += f" index={rnd.choice(come) if come else -1}"
        else:
            values += f" indices={len(come) + (rnd.random() < .1)}"
            notes = runs_of(come, rnd)
        if test:
            values += f" success={int(bool(come)) if kind != 'ALL' else rnd.randint(0, 1)}"
        self.call(p, f"SHMEM_{'TEST' if test else 'WAIT_UNTIL'}_{kind}", values,
                  until=until + rnd.choice((0, 0, 4 * self.short)) if rnd.random() < .9 else 0, notes=notes)

    def step_starve(self, p):
        """Accesses while the target is inside its runtime, few or many, and others that end when it calls."""
        rnd, q = self.random, self.other(p)
        if q is p or rnd.random() < .3:
            return
        self.line, what = rnd.choice((1, 3)), rnd.choice(("SHMEM_G/shmem_long_g", "SHMEM_PUT", "SHMEM_ATOMIC_FETCH"))
        inside, outside, long = (rnd.randint(28, 34), rnd.randint(29, 60), .5) if self.line == 1 else \
            (rnd.choice((0, 0, 1, 29)), rnd.randint(29, 80), rnd.choice((.5, .8, 1)))
        values = f"peer={q.rank} object=heap+8192 bytes=512"
        start = max(p.clock, q.clock)
        q.clock = max(q.clock, start - self.short)
        p.clock = start
        for _ in range(inside):
            self.call(p, what, values)
        self.call(q, "shmem_quiet", until=p.clock)
        early = rnd.choice((0, 0, .5))  # the target is inside, but leaves without an answer
        for _ in range(outside):
            if rnd.random() >= early:
                p.clock = max(p.clock, q.clock + (rnd.random() < .1) * self.time())
            q.clock = max(p.clock, q.clock) + 3 * self.short * (rnd.random() < long) + self.time()
            self.call(p, what, values, until=q.clock)
            self.call(q, "shmem_quiet")
        self.line = 0

    def step_by_hand(self, p):
        """One puts to all others, who wait for it, or nearly so."""
        rnd, what = self.random, self.random.choice(("SHMEM_PUT", "SHMEM_GET"))
        self.line = 1
        self.call(p, "shmem_quiet")
        p.clock = max([p.clock] + [q.clock - rnd.choice((0, self.short)) for q in self.p])
        for q in self.p:
            if q is not p and rnd.random() < .97:
                self.call(p, what, f"peer={q.rank} object=heap+16384 bytes={8 if rnd.random() < .97 else 16}")
        self.line = 0
        self.barrier("shmem_barrier")

    def step_barrier(self, p):
        self.barrier(self.random.choice(("shmem_barrier", "SHMEM_SYNC", "SHMEM_TO_ALL")))
        while self.random.random() < .4:  # another one; it may be needed
            q = self.random.choice(self.p)
            if self.random.random() < .4:
                self.call(q, *self.random.choice((
                    ("SHMEM_PUT", f"peer={q.rank} object=heap bytes=8"), ("shmem_quiet", ""),
                    ("SHMEM_G/shmem_long_g", f"peer={self.random.randrange(self.n)} object=heap bytes=8"))))
            elif self.random.random() < .3:
                q.clock += self.random.choice((4000, 4999, 5000, 5001))
            self.barrier(self.random.choice(("shmem_barrier", "SHMEM_SYNC")))

    def barrier(self, what):
        values, until = self.next_of_all(), max(q.clock for q in self.p)
        for q in self.p:
            self.call(q, what, values + (" bytes=8" if what == "SHMEM_TO_ALL" else ""), until=until)


class ShmemPairs(Pairs, Shmem):
    """Each thread completes what the other of its process began."""

    step_barrier = step_by_hand = None

    def __init__(self, seed, large=False):
        super().__init__(seed, large)
        self.pair()

    def next_of_all(self):
        """Both threads of a process would be in it."""
        return "team=0 sequence=0"


def runs_of(indices, rnd):
    """The lines that tell indices: of those side by side mostly the first and the last."""
    notes, i = [], 0
    indices = sorted(indices)
    while i < len(indices):
        first = i
        while i + 1 < len(indices) and indices[i + 1] == indices[i] + 1 and rnd.random() < .9:
            i += 1
        notes.append(f"argument index={indices[first]}")
        if i > first or rnd.random() < .1:
            notes.append(f"argument index_last={indices[i]}")
        i += 1
    return notes
