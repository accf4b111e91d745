# SPDX-License-Identifier: GPL-3.0-or-later
"""What UPC threads do."""
from machine import Machine


class Upc(Machine):
    last, model = "exit", "UPC"

    def __init__(self, seed, large=False):
        super().__init__(seed, large)
        self.handles = {}
        self.numbers = self.random.choice(((16, 2, 1, 32, 8, 4), (0, 2, 1, 0, 8, 4), (1, 2, 4, 8, 16, 32)))
        if self.random.random() < .8:
            self.meta = " ".join(map(str, self.numbers))
        self.head += ['op put_nbi type=put_nb model=UPC start="target_thread:i bytes:z"',
                      "op synci type=nb_sync model=UPC",
                      'op synci_attempt type=nb_test model=UPC end="success:i"']

    def step_non_blocking(self, p):
        """Handles are few, come again, and hold several."""
        rnd, size = self.random, self.random.choice((0, 4, 8, 300))
        what = rnd.choice(("UPC_NB_GET_INIT", "UPC_NB_PUT_INIT", "BUPC_NB_MEMCPY_INIT", "put_nbi"))
        handle = rnd.choice((0, 1, 2, 3, 3))
        values = {"UPC_NB_GET_INIT": "source=0x40 source_thread=0", "put_nbi": "target_thread=0"}.get(
            what, "target=0x40 target_thread=0")
        if what in ("UPC_NB_GET_INIT", "UPC_NB_PUT_INIT"):
            values += f" relaxed={int(rnd.random() < .8)}"
        self.call(p, what, f"{values} bytes={size}" + ("" if what == "put_nbi" else f" handle={handle}"))
        if what != "put_nbi" and handle:
            self.handles.setdefault(p.rank, []).append((handle, p.clock))

    def step_sync(self, p):
        rnd, open_ones = self.random, self.handles.setdefault(p.rank, [])
        if rnd.random() < .3:
            self.call(p, *rnd.choice((("synci",), ("synci_attempt", "success=0"), ("synci_attempt", "success=1"))))
            return
        handle = rnd.choice(open_ones)[0] if open_ones else rnd.choice((1, 2))
        if rnd.random() < .3 and p.clock >= p.data_until:
            self.call(p, "UPC_NB_GET_DATA", f"handle={handle}")
            p.data_until = p.clock
            p.clock -= rnd.randint(0, p.clock - p.lines[-1][0])  # it goes on while the thread does other things
            return
        done = rnd.random() < .7
        if rnd.random() < .5:
            self.call(p, "bupc_trysync", f"handle={handle} success={int(done)}")
        else:
            self.call(p, "UPC_NB_SYNC", f"handle={handle}")

    def step_barrier(self, _):
        rnd = self.random
        split = {q: rnd.random() < .6 for q in self.p}
        first = {q: q.clock for q in self.p}
        ready = max(first.values())
        ends = [ready]
        for q in self.p:
            if split[q]:
                self.call(q, "upc_notify")
                ends.append(q.clock)
        for q in self.p:
            if split[q]:
                self.compute(q)
                self.call(q, "upc_wait", until=ready if rnd.random() < .5 else max(ends))
            else:
                self.call(q, "upc_barrier", until=ready if rnd.random() < .5 else max(ends))

    def step_collective(self, p):
        """Flags say who needs whom."""
        rnd, sync = self.random, self.random.choice(("all", "my", "my", "no"))
        what, role = rnd.choice((("upc_all_broadcast", "from"), ("upc_all_scatter", "from"), ("upc_all_gather", "to"),
                                 ("upc_all_gather_all", "all"), ("upc_all_permute", "free"), ("upc_all_reduce", "to"),
                                 ("upc_all_prefix_reduce", "before")))
        numbers, root = self.numbers, rnd.choice(self.p)
        flags = {"all": rnd.choice((numbers[0] | numbers[3], numbers[1] | numbers[3], numbers[0] | numbers[4])),
                 "my": numbers[1] | rnd.choice(numbers[4:]), "no": numbers[2] | rnd.choice(numbers[4:])}[sync]
        side, first = "source" if role == "from" else "target", rnd.choice((0, 0, p.rank))
        values = f"flags={flags} " + (f"source_thread={first} target_thread={root.rank} elements={rnd.choice((3, 8, 16))} "
                                      f"block_elements={rnd.randint(0, 4)}" if "reduce" in what else
                                      f"{side}_thread={root.rank} bytes={rnd.choice((0, 8, 8, 8))}")
        enters = {q: q.clock for q in self.p}
        for i, q in enumerate(self.p):
            ready = {"from": enters[root], "to": max(enters.values()) if q is root else 0, "free": 0,
                     "all": max(enters.values()), "before": max(enters[o] for o in self.p[:i + 1])}[role]
            until = {"all": max(enters.values()), "no": 0, "my": ready}[sync]
            self.call(q, what, values, until=until)

    def step_lock(self, p):
        name = f"0x{0x7000 + self.random.randint(1, 2) * 64:x}"
        held, rnd = self.locks.get(name, 0), self.random
        if p.clock < held and rnd.random() < .3:
            start = p.clock
            p.clock = min(held, start + self.time())
            self.emit(p, start, p.clock, "upc_lock_attempt", f"object={name} success=0")
        if rnd.random() < .2 and p.clock >= held:
            self.call(p, "upc_lock_attempt", f"object={name} success=1")
        else:
            self.call(p, "upc_lock", f"object={name}", until=held)
        self.compute(p)
        start = p.clock
        if rnd.random() < .95:
            self.call(p, "upc_unlock", f"object={name}")
        self.locks[name] = rnd.randint(start, p.clock)
        if rnd.random() < .1:  # the next one is another lock, of the same pointer
            self.call(p, "upc_lock_free", f"object={name}")
            self.locks[name] = p.clock

    def step_access(self, p):
        rnd, peer = self.random, self.random.randrange(self.n)
        what = rnd.choice(("UPC_GET", "UPC_PUT", "upc_memget", "upc_memput", "upc_memcpy"))
        side = "source" if what in ("UPC_GET", "upc_memget") else "target"
        count, same = rnd.choice((1, 20)), rnd.random() < .3
        where, step = rnd.randrange(4) * 8, rnd.choice((0, 4, 8, -8, 24, 1 << 40))
        size = rnd.choice((4, 8, 300, 0))
        for _ in range(count):
            where = where if same else 1 << 50 | rnd.randrange(4096) if not step else (where or 1 << 49) + step
            relaxed = f" relaxed={int(rnd.random() < .8)}" if "UPC" in what else ""
            copy = f" source=0x40 source_thread={rnd.randrange(-1, self.n)}" if what == "upc_memcpy" else ""
            self.call(p, what, f"{side}=0x{where:x} {side}_thread={peer} bytes={size or rnd.choice((4, 8, 300))}" +
                      relaxed + copy)

    def step_fence(self, p):
        self.call(p, "upc_fence")
