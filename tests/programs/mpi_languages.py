# SPDX-License-Identifier: BSD-2-Clause
"""mpi_languages.c in Python."""
import sys
import time
from array import array

#: init
from mpi4py import MPI

WORLD = MPI.COMM_WORLD
me = WORLD.rank
right = (me + 1) % 3
left = (me + 2) % 3
a = array("i", range(30))
b = array("i", range(30))


def some(data, n, at=0):
    """n integers, from place at on; of collectives those of one process."""
    return [memoryview(data)[at:], n, MPI.INT]


def late():
    time.sleep(0.06)


def blocking():
    status = MPI.Status()
    if me == 0:
        late()
        #: send
        WORLD.Send(some(a, 5), 1, 11)
        #: probed
        WORLD.Send(some(a, 7), 1, 17)
        #: matched
        WORLD.Send(some(a, 1), 1, 18)
    elif me == 1:
        #: recv
        WORLD.Recv(some(b, 8), 0, 11)
        #: probe
        WORLD.Probe(MPI.ANY_SOURCE, 17, status)
        #: recv-probed
        WORLD.Recv(some(b, 8), status.Get_source(), 17, status)
        #: mprobe
        message = WORLD.Mprobe(0, MPI.ANY_TAG)
        #: mrecv
        message.Recv(some(b, 8), status)
        #: ssend
        WORLD.Ssend(some(a, 3), 2, 12)
    else:
        #: wild
        WORLD.Recv(some(b, 8), MPI.ANY_SOURCE, MPI.ANY_TAG, status)
    #: sendrecv
    WORLD.Sendrecv(some(a, 2), right, 15, some(b, 8), left, 15, status)
    #: replace
    WORLD.Sendrecv_replace(some(a, 6), right, 16, MPI.ANY_SOURCE, 16)
    #: null
    WORLD.Send(some(a, 1), MPI.PROC_NULL, 20)


def non_blocking():
    #: irecv
    receive = WORLD.Irecv(some(b, 8), left, MPI.ANY_TAG)
    #: isend
    send = WORLD.Isend(some(a, 4), right, 13)
    #: waitall
    MPI.Request.Waitall([receive, send])
    #: irecv-any
    receive = WORLD.Irecv(some(b, 8), MPI.ANY_SOURCE, 14)
    #: isend-2
    send = WORLD.Isend(some(a, 2), right, 14)
    #: waitany
    MPI.Request.Waitany([receive])
    #: wait
    send.Wait()
    #: irecv-cancelled
    receive = WORLD.Irecv(some(b, 1), left, 99)
    #: cancel
    receive.Cancel()
    #: wait-cancelled
    receive.Wait()


def persistent():
    #: recv-init
    receive = WORLD.Recv_init(some(b, 8), left, 19)
    #: send-init
    send = WORLD.Send_init(some(a, 3), right, 19)
    for _ in range(2):
        #: startall
        MPI.Prequest.Startall([receive, send])
        #: wait-started
        MPI.Request.Waitall([receive, send])
    #: start-recv
    receive.Start()
    #: start-send
    send.Start()
    #: wait-recv
    receive.Wait()
    #: wait-send
    send.Wait()
    #: free-recv
    receive.Free()
    #: free-send
    send.Free()


def add(values, sums, _):
    total = memoryview(sums).cast("i")
    for i, value in enumerate(memoryview(values).cast("i")):
        total[i] += value


def in_place():
    send = MPI.IN_PLACE if me == 2 else some(a, 2)
    receive = MPI.IN_PLACE if me == 2 else some(b, 2)
    #: allreduce
    WORLD.Allreduce(MPI.IN_PLACE, some(a, 2))
    #: gather
    WORLD.Gather(send, some(b, 2), 2)
    #: scatter
    WORLD.Scatter(some(a, 2), receive, 2)
    #: allgather
    WORLD.Allgather(MPI.IN_PLACE, some(b, 1))
    #: alltoall
    WORLD.Alltoall(MPI.IN_PLACE, some(b, 2))
    #: reduce-scatter
    WORLD.Reduce_scatter_block(MPI.IN_PLACE, some(a, 2))


def collectives():
    counts, places = (1, 2, 3), (0, 4, 8)
    if me == 2:
        late()
    #: barrier
    WORLD.Barrier()
    #: bcast
    WORLD.Bcast(some(a, 10), 1)
    #: reduce
    WORLD.Reduce(some(a, 3), some(b, 3), MPI.SUM, 0)
    in_place()
    #: allgatherv
    WORLD.Allgatherv(some(a, me + 1), [b, counts, places, MPI.INT])
    #: alltoallv
    WORLD.Alltoallv([a, counts, places, MPI.INT], [b, (me + 1,) * 3, places, MPI.INT])
    shape = [(1,) * 3, (0, 16, 32), [MPI.INT] * 3]
    #: alltoallw
    WORLD.Alltoallw([a, *shape], [b, *shape])
    #: scan
    WORLD.Scan(some(a, 1), some(b, 1))
    #: exscan
    WORLD.Exscan(some(a, 1), some(b, 1))
    own = MPI.Op.Create(add, commute=True)
    #: allreduce-own
    WORLD.Allreduce(some(a, 2), some(b, 2), own)
    own.Free()
    #: iallreduce
    request = WORLD.Iallreduce(some(a, 3), some(b, 3), MPI.MAX)
    #: wait-allreduce
    request.Wait()
    #: ibarrier
    request = WORLD.Ibarrier()
    #: wait-barrier
    request.Wait()
    #: allreduce-part
    part.Allreduce(some(a, 1), some(b, 1))


def datatypes():
    kind = MPI.INT.Create_vector(3, 2, 4).Commit()
    #: vector
    WORLD.Sendrecv([a, 1, kind], right, 21, some(b, 8), left, 21)
    kind.Free()
    kind = MPI.Datatype.Create_struct([1, 1], [0, 8], [MPI.INT, MPI.DOUBLE]).Commit()
    #: struct
    WORLD.Sendrecv([a, 1, kind], right, 22, [b, 2, kind], left, 22)
    kind.Free()
    addresses = [MPI.Get_address(memoryview(a)[place:]) for place in (3, 7)]
    kind = MPI.INT.Create_hindexed([1, 1], addresses).Commit()
    #: bottom
    WORLD.Sendrecv([MPI.BOTTOM, 1, kind], right, 23, some(b, 8), left, 23)
    kind.Free()


def communicators():
    #: cart
    comm = WORLD.Create_cart([3], [True], False)
    #: name-cart
    comm.Set_name("ring")
    #: neighbor
    comm.Neighbor_allgather(some(a, 1), some(b, 1))
    #: free-cart
    comm.Free()
    #: dup
    comm = part.Dup()
    #: free-dup
    comm.Free()


def active_target(win):
    if me == 1:
        late()
    #: fence-1
    win.Fence(0)
    #: put
    win.Put(some(a, 3), right, (1, 3, MPI.INT))
    #: fence-2
    win.Fence(0)
    #: get
    win.Get(some(b, 2), left, (0, 2, MPI.INT))
    #: fence-3
    win.Fence(0)
    #: accumulate
    win.Accumulate(some(a, 1), right, (5, 1, MPI.INT))
    #: fence-4
    win.Fence(0)
    world = WORLD.Get_group()
    before, after = world.Incl([left]), world.Incl([right])
    #: post
    win.Post(before)
    #: start
    win.Start(after)
    #: put-started
    win.Put(some(a, 1), right, (4, 1, MPI.INT))
    #: complete
    win.Complete()
    #: win-wait
    win.Wait()
    for group in (world, before, after):
        group.Free()


def passive_target(win):
    #: lock
    win.Lock(right, MPI.LOCK_EXCLUSIVE)
    #: put-locked
    win.Put(some(a, 1), right, (6, 1, MPI.INT))
    #: flush
    win.Flush(right)
    #: unlock
    win.Unlock(right)
    #: lock-all
    win.Lock_all()
    #: fetch
    win.Fetch_and_op(some(a, 1), some(b, 1), right, 7)
    #: rput
    request = win.Rput(some(a, 2), right, (8, 2, MPI.INT))
    #: wait-rput
    request.Wait()
    #: unlock-all
    win.Unlock_all()


def one_sided():
    memory = array("i", [0] * 10)
    #: win-create
    win = MPI.Win.Create(memory, 4, MPI.INFO_NULL, WORLD)
    active_target(win)
    passive_target(win)
    #: win-free
    win.Free()
    #: win-allocate
    win = MPI.Win.Allocate(16, 4, MPI.INFO_NULL, WORLD)
    #: free-allocated
    win.Free()
    #: alloc-mem
    data = MPI.Alloc_mem(64)
    #: free-mem
    MPI.Free_mem(data)


def files(path):
    #: open
    file = MPI.File.Open(WORLD, path, MPI.MODE_CREATE | MPI.MODE_RDWR)
    #: view
    file.Set_view(8, MPI.INT, MPI.INT)
    #: write-all
    file.Write_at_all(5 * me, some(a, 5))
    #: sync
    file.Sync()
    #: barrier-files
    WORLD.Barrier()
    #: sync-2
    file.Sync()
    #: read
    file.Read_at(5 * me, some(b, 2))
    #: iread
    request = file.Iread_at(5 * me + 3, some(b, 2))
    #: wait-read
    request.Wait()
    #: close
    file.Close()


#: split
part = WORLD.Split(me % 2, me)
#: name
part.Set_name("odd" if me % 2 else "even")
blocking()
non_blocking()
persistent()
collectives()
datatypes()
communicators()
one_sided()
files(sys.argv[1])
MPI.Pcontrol(0)
WORLD.Barrier()  # not recorded
MPI.Pcontrol(1)
#: free-part
part.Free()
