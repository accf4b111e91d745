! SPDX-License-Identifier: BSD-2-Clause
! mpi_languages.c in Fortran, with what -DMODULE= names: mpif_h, mpi or mpi_f08 (-DF08 too).  gfortran gives a call
! of mpi_f08 whose arguments are variables the line of the block that it stands in: here that is its own line, by `if (on)`.
#ifdef F08
#define HANDLE(type_of) type(type_of)
#define STATUS type(MPI_Status)
#define SOURCE_OF(s) s%MPI_SOURCE
#else
#define HANDLE(type_of) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE_OF(s) s(MPI_SOURCE)
#endif

#ifdef MPIF_H
! The constants of mpif.h, for all procedures.
module mpif_h
  implicit none
  include 'mpif.h'
end module
#endif

module languages
  use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_f_pointer
  use MODULE
  implicit none
  integer, parameter :: ints = 30
  integer :: me, left, right, error
  integer, asynchronous :: a(ints), b(ints)
  HANDLE(MPI_Comm) :: part
  logical, volatile :: on = .true.
  interface
    subroutine usleep(us) bind(c, name='usleep')
      import :: c_int
      integer(c_int), value :: us
    end subroutine
  end interface
contains
  subroutine late()
    call usleep(60000)
  end subroutine

  subroutine blocking()
    STATUS :: status
    HANDLE(MPI_Message) :: message
    if (me == 0) then
      call late()
      !: send
      if (on) call MPI_Send(a, 5, MPI_INTEGER, 1, 11, MPI_COMM_WORLD, error)
      !: probed
      if (on) call MPI_Send(a, 7, MPI_INTEGER, 1, 17, MPI_COMM_WORLD, error)
      !: matched
      if (on) call MPI_Send(a, 1, MPI_INTEGER, 1, 18, MPI_COMM_WORLD, error)
    else if (me == 1) then
      !: recv
      if (on) call MPI_Recv(b, 8, MPI_INTEGER, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      !: probe
      if (on) call MPI_Probe(MPI_ANY_SOURCE, 17, MPI_COMM_WORLD, status, error)
      !: recv-probed
      if (on) call MPI_Recv(b, 8, MPI_INTEGER, SOURCE_OF(status), 17, MPI_COMM_WORLD, status, error)
      !: mprobe
      if (on) call MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, error)
      !: mrecv
      if (on) call MPI_Mrecv(b, 8, MPI_INTEGER, message, status, error)
      !: ssend
      if (on) call MPI_Ssend(a, 3, MPI_INTEGER, 2, 12, MPI_COMM_WORLD, error)
    else
      !: wild
      if (on) call MPI_Recv(b, 8, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
    end if
    !: sendrecv
    if (on) call MPI_Sendrecv(a, 2, MPI_INTEGER, right, 15, b, 8, MPI_INTEGER, left, 15, MPI_COMM_WORLD, status, error)
    !: replace
    if (on) call MPI_Sendrecv_replace(a, 6, MPI_INTEGER, right, 16, MPI_ANY_SOURCE, 16, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    !: null
    if (on) call MPI_Send(a, 1, MPI_INTEGER, MPI_PROC_NULL, 20, MPI_COMM_WORLD, error)
  end subroutine

  subroutine non_blocking()
    HANDLE(MPI_Request) :: r(2)
#ifdef F08
    type(MPI_Status) :: status(2)
#else
    integer :: status(MPI_STATUS_SIZE, 2)
#endif
    integer :: place
    !: irecv
    if (on) call MPI_Irecv(b, 8, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, r(1), error)
    !: isend
    if (on) call MPI_Isend(a, 4, MPI_INTEGER, right, 13, MPI_COMM_WORLD, r(2), error)
    !: waitall
    if (on) call MPI_Waitall(2, r, status, error)
    !: irecv-any
    if (on) call MPI_Irecv(b, 8, MPI_INTEGER, MPI_ANY_SOURCE, 14, MPI_COMM_WORLD, r(1), error)
    !: isend-2
    if (on) call MPI_Isend(a, 2, MPI_INTEGER, right, 14, MPI_COMM_WORLD, r(2), error)
    !: waitany
    if (on) call MPI_Waitany(1, r, place, MPI_STATUS_IGNORE, error)
    !: wait
    if (on) call MPI_Wait(r(2), MPI_STATUS_IGNORE, error)
    !: irecv-cancelled
    if (on) call MPI_Irecv(b, 1, MPI_INTEGER, left, 99, MPI_COMM_WORLD, r(1), error)
    !: cancel
    if (on) call MPI_Cancel(r(1), error)
    !: wait-cancelled
    if (on) call MPI_Wait(r(1), MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine persistent()
    HANDLE(MPI_Request) :: r(2)
    integer :: i
    !: recv-init
    if (on) call MPI_Recv_init(b, 8, MPI_INTEGER, left, 19, MPI_COMM_WORLD, r(1), error)
    !: send-init
    if (on) call MPI_Send_init(a, 3, MPI_INTEGER, right, 19, MPI_COMM_WORLD, r(2), error)
    do i = 1, 2
      !: startall
      if (on) call MPI_Startall(2, r, error)
      !: wait-started
      if (on) call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, error)
    end do
    !: start-recv
    if (on) call MPI_Start(r(1), error)
    !: start-send
    if (on) call MPI_Start(r(2), error)
    !: wait-recv
    if (on) call MPI_Wait(r(1), MPI_STATUS_IGNORE, error)
    !: wait-send
    if (on) call MPI_Wait(r(2), MPI_STATUS_IGNORE, error)
    !: free-recv
    if (on) call MPI_Request_free(r(1), error)
    !: free-send
    if (on) call MPI_Request_free(r(2), error)
  end subroutine

#ifdef F08
  subroutine add(in, inout, n, datatype)
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: datatype
    integer, pointer :: from(:), to(:)
    call c_f_pointer(in, from, [n])
    call c_f_pointer(inout, to, [n])
    to = to + from
  end subroutine
#else
  subroutine add(from, to, n, datatype)
    integer :: n, datatype
    integer :: from(n), to(n)
    to = to + from
  end subroutine
#endif

  subroutine in_place()
    !: allreduce
    if (on) call MPI_Allreduce(MPI_IN_PLACE, a, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (me == 2) then
      !: gather
      if (on) call MPI_Gather(MPI_IN_PLACE, 2, MPI_INTEGER, b, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, error)
      !: scatter
      if (on) call MPI_Scatter(a, 2, MPI_INTEGER, MPI_IN_PLACE, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, error)
    else
      !: gather
      if (on) call MPI_Gather(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, error)
      !: scatter
      if (on) call MPI_Scatter(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, error)
    end if
    !: allgather
    if (on) call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, b, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
    !: alltoall
    if (on) call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, b, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
    !: reduce-scatter
    if (on) call MPI_Reduce_scatter_block(MPI_IN_PLACE, a, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  end subroutine

  subroutine collectives()
    integer :: counts(3), mine(3), places(3), bytes(3), ones(3)
    HANDLE(MPI_Datatype) :: types(3)
    HANDLE(MPI_Request) :: r
    HANDLE(MPI_Op) :: op
    counts = [1, 2, 3]
    mine = me + 1
    places = [0, 4, 8]
    bytes = [0, 16, 32]
    ones = 1
    types = MPI_INTEGER
    if (me == 2) call late()
    !: barrier
    if (on) call MPI_Barrier(MPI_COMM_WORLD, error)
    !: bcast
    if (on) call MPI_Bcast(a, 10, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
    !: reduce
    if (on) call MPI_Reduce(a, b, 3, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    call in_place()
    !: allgatherv
    if (on) call MPI_Allgatherv(a, me + 1, MPI_INTEGER, b, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    !: alltoallv
    if (on) call MPI_Alltoallv(a, counts, places, MPI_INTEGER, b, mine, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    !: alltoallw
    if (on) call MPI_Alltoallw(a, ones, bytes, types, b, ones, bytes, types, MPI_COMM_WORLD, error)
    !: scan
    if (on) call MPI_Scan(a, b, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    !: exscan
    if (on) call MPI_Exscan(a, b, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Op_create(add, .true., op, error)
    !: allreduce-own
    if (on) call MPI_Allreduce(a, b, 2, MPI_INTEGER, op, MPI_COMM_WORLD, error)
    call MPI_Op_free(op, error)
    !: iallreduce
    if (on) call MPI_Iallreduce(a, b, 3, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, r, error)
    !: wait-allreduce
    if (on) call MPI_Wait(r, MPI_STATUS_IGNORE, error)
    !: ibarrier
    if (on) call MPI_Ibarrier(MPI_COMM_WORLD, r, error)
    !: wait-barrier
    if (on) call MPI_Wait(r, MPI_STATUS_IGNORE, error)
    !: allreduce-part
    if (on) call MPI_Allreduce(a, b, 1, MPI_INTEGER, MPI_SUM, part, error)
  end subroutine

  subroutine datatypes()
    integer :: ones(2)
    integer(MPI_ADDRESS_KIND) :: places(2), at(2)
    HANDLE(MPI_Datatype) :: types(2), t
    ones = 1
    places = [0, 8]
    types(1) = MPI_INTEGER
    types(2) = MPI_DOUBLE_PRECISION
    call MPI_Type_vector(3, 2, 4, MPI_INTEGER, t, error)
    call MPI_Type_commit(t, error)
    !: vector
    if (on) call MPI_Sendrecv(a, 1, t, right, 21, b, 8, MPI_INTEGER, left, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Type_free(t, error)
    call MPI_Type_create_struct(2, ones, places, types, t, error)
    call MPI_Type_commit(t, error)
    !: struct
    if (on) call MPI_Sendrecv(a, 1, t, right, 22, b, 2, t, left, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Type_free(t, error)
    call MPI_Get_address(a(4), at(1), error)
    call MPI_Get_address(a(8), at(2), error)
    call MPI_Type_create_hindexed(2, ones, at, MPI_INTEGER, t, error)
    call MPI_Type_commit(t, error)
    !: bottom
    if (on) call MPI_Sendrecv(MPI_BOTTOM, 1, t, right, 23, b, 8, MPI_INTEGER, left, 23, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Type_free(t, error)
  end subroutine

  subroutine communicators()
    HANDLE(MPI_Comm) :: comm
    !: cart
    if (on) call MPI_Cart_create(MPI_COMM_WORLD, 1, [3], [.true.], .false., comm, error)
    !: name-cart
    if (on) call MPI_Comm_set_name(comm, 'ring', error)
    !: neighbor
    if (on) call MPI_Neighbor_allgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, comm, error)
    !: free-cart
    if (on) call MPI_Comm_free(comm, error)
    !: dup
    if (on) call MPI_Comm_dup(part, comm, error)
    !: free-dup
    if (on) call MPI_Comm_free(comm, error)
  end subroutine

  subroutine active_target(win)
    HANDLE(MPI_Win), intent(in) :: win
    HANDLE(MPI_Group) :: world, from, to
    integer(MPI_ADDRESS_KIND) :: at
    if (me == 1) call late()
    !: fence-1
    if (on) call MPI_Win_fence(0, win, error)
    at = 1
    !: put
    if (on) call MPI_Put(a, 3, MPI_INTEGER, right, at, 3, MPI_INTEGER, win, error)
    !: fence-2
    if (on) call MPI_Win_fence(0, win, error)
    at = 0
    !: get
    if (on) call MPI_Get(b, 2, MPI_INTEGER, left, at, 2, MPI_INTEGER, win, error)
    !: fence-3
    if (on) call MPI_Win_fence(0, win, error)
    at = 5
    !: accumulate
    if (on) call MPI_Accumulate(a, 1, MPI_INTEGER, right, at, 1, MPI_INTEGER, MPI_SUM, win, error)
    !: fence-4
    if (on) call MPI_Win_fence(0, win, error)
    call MPI_Comm_group(MPI_COMM_WORLD, world, error)
    call MPI_Group_incl(world, 1, [left], from, error)
    call MPI_Group_incl(world, 1, [right], to, error)
    !: post
    if (on) call MPI_Win_post(from, 0, win, error)
    !: start
    if (on) call MPI_Win_start(to, 0, win, error)
    at = 4
    !: put-started
    if (on) call MPI_Put(a, 1, MPI_INTEGER, right, at, 1, MPI_INTEGER, win, error)
    !: complete
    if (on) call MPI_Win_complete(win, error)
    !: win-wait
    if (on) call MPI_Win_wait(win, error)
    call MPI_Group_free(world, error)
    call MPI_Group_free(from, error)
    call MPI_Group_free(to, error)
  end subroutine

  subroutine passive_target(win)
    HANDLE(MPI_Win), intent(in) :: win
    HANDLE(MPI_Request) :: r
    integer(MPI_ADDRESS_KIND) :: at
    !: lock
    if (on) call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win, error)
    at = 6
    !: put-locked
    if (on) call MPI_Put(a, 1, MPI_INTEGER, right, at, 1, MPI_INTEGER, win, error)
    !: flush
    if (on) call MPI_Win_flush(right, win, error)
    !: unlock
    if (on) call MPI_Win_unlock(right, win, error)
    !: lock-all
    if (on) call MPI_Win_lock_all(0, win, error)
    at = 7
    !: fetch
    if (on) call MPI_Fetch_and_op(a, b, MPI_INTEGER, right, at, MPI_SUM, win, error)
    at = 8
    !: rput
    if (on) call MPI_Rput(a, 2, MPI_INTEGER, right, at, 2, MPI_INTEGER, win, r, error)
    !: wait-rput
    if (on) call MPI_Wait(r, MPI_STATUS_IGNORE, error)
    !: unlock-all
    if (on) call MPI_Win_unlock_all(win, error)
  end subroutine

  subroutine one_sided()
    integer, asynchronous, save :: memory(10)
    integer(MPI_ADDRESS_KIND) :: bytes
    HANDLE(MPI_Win) :: win
    ! Two interfaces of modules; mpif.h has but one.
#ifdef POINTER
    type(c_ptr) :: address
    integer, pointer :: there(:)
#else
    integer(MPI_ADDRESS_KIND) :: address
#endif
    bytes = 40
    !: win-create
    if (on) call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
    call active_target(win)
    call passive_target(win)
    !: win-free
    if (on) call MPI_Win_free(win, error)
    bytes = 16
    !: win-allocate
    if (on) call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, address, win, error)
    !: free-allocated
    if (on) call MPI_Win_free(win, error)
    bytes = 64
    !: alloc-mem
    if (on) call MPI_Alloc_mem(bytes, MPI_INFO_NULL, address, error)
#ifdef POINTER
    call c_f_pointer(address, there, [16])
    !: free-mem
    if (on) call MPI_Free_mem(there, error)
#else
    call free_at(address)
#endif
  end subroutine

#ifndef POINTER
  subroutine free_at(address)
    integer(MPI_ADDRESS_KIND), intent(in) :: address
    integer, pointer :: there(:)
    type(c_ptr) :: pointer_to
    pointer_to = transfer(address, pointer_to)
    call c_f_pointer(pointer_to, there, [16])
    !: free-mem
    if (on) call MPI_Free_mem(there, error)
  end subroutine
#endif

  subroutine files(path)
    character(len=*), intent(in) :: path
    HANDLE(MPI_Request) :: r
    HANDLE(MPI_File) :: f
    integer(MPI_OFFSET_KIND) :: at
    !: open
    if (on) call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, f, error)
    at = 8
    !: view
    if (on) call MPI_File_set_view(f, at, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, error)
    at = 5 * me
    !: write-all
    if (on) call MPI_File_write_at_all(f, at, a, 5, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    !: sync
    if (on) call MPI_File_sync(f, error)
    !: barrier-files
    if (on) call MPI_Barrier(MPI_COMM_WORLD, error)
    !: sync-2
    if (on) call MPI_File_sync(f, error)
    !: read
    if (on) call MPI_File_read_at(f, at, b, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    at = at + 3
    !: iread
    if (on) call MPI_File_iread_at(f, at, b, 2, MPI_INTEGER, r, error)
    !: wait-read
    if (on) call MPI_Wait(r, MPI_STATUS_IGNORE, error)
    !: close
    if (on) call MPI_File_close(f, error)
  end subroutine
end module

program mpi_languages
  use languages
  implicit none
  character(len=4096) :: path
  call get_command_argument(1, path)
  !: init
  if (on) call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  right = mod(me + 1, 3)
  left = mod(me + 2, 3)
  !: split
  if (on) call MPI_Comm_split(MPI_COMM_WORLD, mod(me, 2), me, part, error)
  !: name
  if (on) call MPI_Comm_set_name(part, merge('odd ', 'even', mod(me, 2) == 1), error)
  call blocking()
  call non_blocking()
  call persistent()
  call collectives()
  call datatypes()
  call communicators()
  call one_sided()
  call files(trim(path))
  call MPI_Pcontrol(0)
  if (on) call MPI_Barrier(MPI_COMM_WORLD, error) ! not recorded
  call MPI_Pcontrol(1)
  !: free-part
  if (on) call MPI_Comm_free(part, error)
  !: end
  if (on) call MPI_Finalize(error)
end program
