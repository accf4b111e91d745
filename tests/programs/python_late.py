# SPDX-License-Identifier: GPL-3.0-or-later
"""Rank 2 computes 200 ms where the others compute 5, and comes late to the barrier after that; four times."""
import time

from mpi4py import MPI

comm = MPI.COMM_WORLD


def compute(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def step():
    time.sleep(0.2 if comm.rank == 2 else 0.005)
    comm.Barrier()  #: late


comm.Barrier()
for _ in range(4):
    step()
