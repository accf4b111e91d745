# SPDX-License-Identifier: GPL-3.0-or-later
"""What was allocated and freed: a block is there from the end of one call to the beginning of another."""
from collections import defaultdict

ALLOCATE = ("alloc", "realloc", "shared_alloc", "shared_alloc_all")
FREE = ("free", "shared_free")


def size_of(e):
    a = e.args
    return a["bytes"] if "bytes" in a else a["blocks"] * a["block_bytes"]


class Line:
    def __init__(self, shared):
        self.shared, self.sizes, self.failed, self.unseen, self.lost = shared, [], 0, 0, []
        self.frees = self.unknown = 0
        self.levels = [0]

    def row(self):
        return (self.shared, len(self.sizes), sum(self.sizes), max(self.sizes, default=0), max(self.levels), self.failed,
                self.unseen, len(self.lost), sum(self.lost), self.frees, self.unknown)


class Memory:
    def __init__(self, run):
        self.run, self.lines, self.levels = run, {}, defaultdict(lambda: [(0, 0)])
        self.blocks, self.objects, self.told = {}, set(), defaultdict(int)
        actions = []
        for e in run.events:
            if not e.nested and e.type in ALLOCATE and not e.open:
                self.take_allocation(e, actions)
            elif not e.nested and e.type in FREE and e.args["address"]:
                actions.append((e.start, e.id, 0, e, e.args["address"]))
        for at, _, allocates, e, address in sorted(actions, key=lambda a: a[:3]):
            (self.allocate if allocates else self.free)(at, e, address)
        for e, _ in self.blocks.values():
            self.line(e).lost.append(size_of(e))

    def line(self, e):
        return self.lines.setdefault((*e.source, e.thread.id), Line(int("shared" in e.type)))

    def take_allocation(self, e, actions):
        address, old = e.args["address"], e.args.get("old_address")
        if address or size_of(e) == 0:
            if old:
                actions.append((e.start, e.id, 0, e, old))
        else:
            self.line(e).failed += 1
        if address:
            actions.append((e.end, e.id, 1, e, address))

    def name(self, e, address):
        return address if e.operation.model == "UPC" else (e.thread.rank, address)

    def parts(self, e):
        """(thread, bytes): where it lies."""
        if "blocks" not in e.args:
            return [(e.thread.id, size_of(e))]
        shares, first = defaultdict(int), [self.run.process[r].id for r in sorted(self.run.process)]
        for i in range(e.args["blocks"]):
            shares[first[i % len(first)]] += e.args["block_bytes"]
        return list(shares.items())

    def count(self, at, e, sign):
        shared = int("shared" in e.type)
        line = self.line(e)
        line.levels.append(line.levels[-1] + sign * size_of(e))
        for key, size in [(("run", shared), size_of(e)), (("line", *e.source), size_of(e))] + \
                         [((t, shared), size) for t, size in self.parts(e)]:
            self.levels[key].append((self.levels[key][-1][0] + sign * size, at))

    def allocate(self, at, e, address):
        if e.type == "shared_alloc_all":
            self.told[e.thread.id] += 1
            if self.told[e.thread.id] in self.objects:
                return
            self.objects.add(self.told[e.thread.id])
        name = self.name(e, address)
        if name in self.blocks:
            before = self.blocks.pop(name)[0]
            self.count(at, before, -1)
            self.line(before).unseen += 1
        self.blocks[name] = e, at
        self.line(e).sizes.append(size_of(e))
        self.count(at, e, 1)

    def free(self, at, e, address):
        self.line(e).frees += 1
        name = self.name(e, address)
        if name in self.blocks:
            self.count(at, self.blocks.pop(name)[0], -1)
        else:
            self.line(e).unknown += 1

    def peaks(self):
        missing = {t.id for t in self.run.threads if t.first is None}
        for key, levels in self.levels.items():
            peak = max(n for n, _ in levels)
            if peak and key[0] not in missing:
                yield (str(key[0]), " ".join(map(str, key[1:])), peak, next(at for n, at in levels if n == peak), levels[-1][0])

    def tables(self):
        yield "memory_line", sorted(key + line.row() for key, line in self.lines.items())
        yield "memory_peak", sorted(self.peaks())
