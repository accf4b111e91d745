# SPDX-License-Identifier: GPL-3.0-or-later
"""Conway's game of life on a torus, cut into bands of rows, with messages of Python objects.

    python_life.py [GENERATIONS [LATE_MS]]

The fault: in World.census rank 1 takes LATE_MS (100) longer than the others, who then wait for it in the sum.  A glider, which has
five cells for ever, comes back to where it began after 4 x 24 generations; what it looks like is checked at the end.

Prints, by its own clock:
    fault: census 1 seconds S    by how much the late rank comes to the sums after rank 0
    slept S                      its extra time
    elapsed E                    all generations
"""
import sys
import time

from mpi4py import MPI

SIZE = 24
GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
LATE_RANK = 1


class World:
    """The rows from first to last (exclusive) of the torus: a set of living cells (x, y) for each row."""

    def __init__(self, comm, cells):
        self.comm = comm
        self.first = SIZE * comm.rank // comm.size
        self.last = SIZE * (comm.rank + 1) // comm.size
        self.rows = {y: {x for x, row in cells if row == y} for y in range(self.first, self.last)}
        self.above = self.below = frozenset()

    def exchange(self):
        """The rows next to the own ones, from both neighbours."""
        before, after = (self.comm.rank - 1) % self.comm.size, (self.comm.rank + 1) % self.comm.size
        self.above = self.comm.sendrecv(self.rows[self.last - 1], dest=after, sendtag=1, source=before, recvtag=1)  #: up
        self.below = self.comm.sendrecv(self.rows[self.first], dest=before, sendtag=2, source=after, recvtag=2)  #: down

    def row(self, y):
        if y < self.first:
            return self.above
        return self.below if y >= self.last else self.rows[y]

    def neighbours(self, x, y):
        return sum(
            (x + dx) % SIZE in self.row(y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy
        )

    def step(self):
        self.exchange()
        new = {}
        for y in range(self.first, self.last):
            counts = {x: self.neighbours(x, y) for x in range(SIZE)}
            new[y] = {x for x, n in counts.items() if n == 3 or n == 2 and x in self.rows[y]}
        self.rows = new

    def census(self, late_ms):
        """How many cells live; for how long this rank was late, and when it came to the sum."""
        began = time.monotonic()
        if self.comm.rank == LATE_RANK:
            time.sleep(late_ms / 1000)
        came = time.monotonic()
        return self.comm.allreduce(sum(map(len, self.rows.values()))), came - began, came  #: late

    def picture(self):
        parts = self.comm.gather({(x, y) for y, row in self.rows.items() for x in row})
        return parts and set().union(*parts)


def live(world, generations, late_ms):
    late, arrivals = 0, []
    for _ in range(generations):
        world.step()
        living, more, came = world.census(late_ms)
        late += more
        arrivals.append(came)
        assert living == len(GLIDER)
    return late, arrivals


def main(generations=8, late_ms=100):
    comm = MPI.COMM_WORLD
    world = World(comm, GLIDER)
    comm.Barrier()
    began = time.monotonic()
    late, arrivals = live(world, generations, late_ms)
    elapsed = time.monotonic() - began
    lates, arrivals = comm.gather(late), comm.gather(arrivals)
    picture = world.picture()
    if comm.rank == 0:
        # Each four generations it moves by one cell in both directions.
        moved = generations // 4
        assert generations % 4 or picture == {((x + moved) % SIZE, (y + moved) % SIZE) for x, y in GLIDER}
        waited = sum(max(0, there - here) for here, there in zip(arrivals[0], arrivals[LATE_RANK]))
        print(f"fault: census {LATE_RANK} seconds {waited:.6f}")
        print(f"slept {lates[LATE_RANK]:.6f}\nelapsed {elapsed:.6f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
