# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of mpi4py by two processes.  A comment "#: CALL FUNCTION" says what its line calls, and in which function."""
import os
import threading
import time

from mpi4py import MPI  #: MPI_Init_thread <module>

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
peer = 1 - rank
data = bytearray(100)


class Exchange:
    def send(self, tag):
        comm.Send([data, MPI.BYTE], dest=peer, tag=tag)  #: MPI_Send Exchange.send

    def receive(self, tag):
        comm.Recv([data, MPI.BYTE], source=peer, tag=tag)  #: MPI_Recv Exchange.receive

    def nonblocking(self):
        request = comm.Irecv([data, MPI.BYTE], source=peer)  #: MPI_Irecv Exchange.nonblocking
        other = comm.Isend([bytearray(8), MPI.BYTE], dest=peer)  #: MPI_Isend Exchange.nonblocking
        MPI.Request.Waitall([request, other])  #: MPI_Waitall Exchange.nonblocking


def ping(tag):
    exchange = Exchange()
    if rank == 0:
        exchange.send(tag)
    else:
        exchange.receive(tag)


def persistent():
    if rank == 0:
        request = comm.Send_init([data, MPI.BYTE], dest=1, tag=9)  #: MPI_Send_init persistent
    else:
        request = comm.Recv_init([data, MPI.BYTE], source=0, tag=9)  #: MPI_Recv_init persistent
    for _ in range(3):
        request.Start()  #: MPI_Start persistent
        request.Wait()  #: MPI_Wait persistent
    request.Free()  #: MPI_Request_free persistent


def collectives():
    comm.Bcast(  #: MPI_Bcast collectives
        [data, MPI.BYTE],
        root=0,
    )
    total = bytearray(8)
    comm.Allreduce([bytearray(8), MPI.INT64_T], [total, MPI.INT64_T])  #: MPI_Allreduce collectives
    for barrier in (lambda: comm.Barrier(), comm.Barrier):  #: MPI_Barrier collectives.<locals>.<lambda>
        barrier()  #: MPI_Barrier collectives


def generator():
    comm.Barrier()  #: MPI_Barrier generator
    yield rank


def umlaut_ä():
    comm.Barrier()  #: MPI_Barrier umlaut_ä


ping(1)
ping(2)
Exchange().nonblocking()
persistent()
collectives()
assert list(generator()) == [rank]
umlaut_ä()

# Code objects that come and go, in memory of the ones before them: line n + 1 of generated.py, and names of their own.
for n in range(8):
    exec(compile("\n" * n + "comm.Barrier()\n", "generated.py", "exec"))
for n in range(8):
    names = {"comm": comm}
    exec(compile(f"def made{n}():\n    comm.Barrier()\n", "named.py", "exec"), names)
    names[f"made{n}"]()
    del names


def threads():
    return len(os.listdir("/proc/self/task"))


# Another thread than the main one, which is gone for the system, too, when MPI ends.
others = threads()
thread = threading.Thread(target=ping, args=(3,))
thread.start()
thread.join()
while threads() > others:
    time.sleep(0.001)
