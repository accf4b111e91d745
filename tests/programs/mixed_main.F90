! SPDX-License-Identifier: BSD-2-Clause
! Two ranks of Fortran and C: communicators, requests and a reduction operator made in one language and used in the other
! (mixed_library.c), with what -DMODULE= names: mpi or mpi_f08 (-DF08 too).  Marks as in mpi_languages.F90.
#ifdef F08
#define HANDLE(type_of) type(type_of)
#define NUMBER(handle) handle%MPI_VAL
#else
#define HANDLE(type_of) integer
#define NUMBER(handle) handle
#endif
module mixed
  use, intrinsic :: iso_c_binding
  use MODULE
  implicit none
  integer :: me, other, error
  integer, asynchronous :: a(8), b(8)
  logical, volatile :: on = .true.
  interface
    subroutine library_split(comm, part) bind(c)
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int), intent(out) :: part
    end subroutine
    subroutine library_sum(comm, op, value) bind(c)
      import :: c_int
      integer(c_int), value :: comm, op
      integer(c_int), intent(inout) :: value
    end subroutine
    subroutine library_start(request) bind(c)
      import :: c_int
      integer(c_int), intent(inout) :: request
    end subroutine
    subroutine library_post(comm, other, send, recv, requests) bind(c)
      import :: c_int
      integer(c_int), value :: comm, other
      integer(c_int), asynchronous :: send(*), recv(*)
      integer(c_int), intent(out) :: requests(2)
    end subroutine
    subroutine library_finish(request) bind(c)
      import :: c_int
      integer(c_int), intent(inout) :: request
    end subroutine
    subroutine library_visit(comm, visitor) bind(c)
      import :: c_int, c_funptr
      integer(c_int), value :: comm
      type(c_funptr), value :: visitor
    end subroutine
  end interface
contains
#ifdef F08
  subroutine largest(in, inout, n, datatype)
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: datatype
    integer, pointer :: from(:), to(:)
    call c_f_pointer(in, from, [n])
    call c_f_pointer(inout, to, [n])
    to = max(to, from)
  end subroutine
#else
  subroutine largest(from, to, n, datatype)
    integer :: n, datatype
    integer :: from(n), to(n)
    to = max(to, from)
  end subroutine
#endif

  ! Called by the library between two of its own calls.
  subroutine visit() bind(c)
    !: bcast
    if (on) call MPI_Bcast(a, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  end subroutine
end module

program mixed_main
  use mixed
  implicit none
  HANDLE(MPI_Comm) :: comm, part
  HANDLE(MPI_Op) :: op
  HANDLE(MPI_Request) :: r(2)
  integer :: numbers(2), top
  !: init
  if (on) call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  other = 1 - me
  !: dup
  if (on) call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
  call library_split(NUMBER(comm), NUMBER(part))
  !: allreduce-part
  if (on) call MPI_Allreduce(MPI_IN_PLACE, a, 2, MPI_INTEGER, MPI_SUM, part, error)
  call MPI_Op_create(largest, .true., op, error)
  top = 10 + me
  call library_sum(NUMBER(comm), NUMBER(op), top)
  if (top /= 11) error stop 'the operator'
  call MPI_Op_free(op, error)

  if (me == 0) then
    !: send-init
    if (on) call MPI_Send_init(a, 3, MPI_INTEGER, other, 5, part, r(1), error)
  else
    !: recv-init
    if (on) call MPI_Recv_init(b, 3, MPI_INTEGER, other, 5, part, r(1), error)
  end if
  call library_start(NUMBER(r(1)))
  !: wait
  if (on) call MPI_Wait(r(1), MPI_STATUS_IGNORE, error)
  !: start
  if (on) call MPI_Start(r(1), error)
  call library_finish(NUMBER(r(1)))

  call library_post(NUMBER(part), other, a, b, numbers)
  NUMBER(r(1)) = numbers(1)
  NUMBER(r(2)) = numbers(2)
  !: waitall
  if (on) call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, error)
  call library_visit(NUMBER(part), c_funloc(visit))
  !: free-part
  if (on) call MPI_Comm_free(part, error)
  !: free
  if (on) call MPI_Comm_free(comm, error)
  !: end
  if (on) call MPI_Finalize(error)
end program
