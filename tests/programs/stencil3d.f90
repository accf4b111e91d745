! SPDX-License-Identifier: BSD-2-Clause
! Heat in a box: Jacobi's iteration of a 7-point stencil on a grid in three dimensions, cut into blocks by a Cartesian
! communicator.  Faces are exchanged with derived datatypes; a reduction ends each step.
!
!   stencil3d [STEPS [LATE_MS]]
!
! The fault: in the procedure `sources` of module physics rank 2 takes LATE_MS (80) longer than the others, who then wait for it in
! the sum over all.  The box has the temperature x + 2 y + 3 z on its boundary, and inside to begin with, so it has it ever after: an
! exchange that moves a wrong face is noticed.
!
! Prints by its own clock, in seconds:
!   fault: sources 2 seconds S     what the others wait because of it: the late rank's extra time, once for each of them
!   rest R                         the longest of all ranks' time outside of it, from one sum to the next, all steps together.  When
!                                  they all leave a sum at once, the sum of waits differs from S by at most R for each other rank
!   sum A                          the late rank's time in the sums.  It waits for none there
!   elapsed E                      all steps
module clock
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  implicit none
  private
  public :: now, pause_ms, stopwatch

  ! Adds up the time between start and stop.
  type :: stopwatch
    real(real64) :: total = 0, begun = 0
  contains
    procedure :: start => stopwatch_start
    procedure :: stop => stopwatch_stop
  end type

  interface
    subroutine usleep(us) bind(c, name='usleep')
      import :: c_int
      integer(c_int), value :: us
    end subroutine
  end interface
contains
  function now() result(seconds)
    real(real64) :: seconds
    seconds = MPI_Wtime()
  end function

  ! Asleep, so that no processor is missing.
  subroutine pause_ms(ms)
    integer, intent(in) :: ms
    if (ms > 0) call usleep(int(1000 * ms, c_int))
  end subroutine

  subroutine stopwatch_start(self)
    class(stopwatch), intent(inout) :: self
    self%begun = now()
  end subroutine

  subroutine stopwatch_stop(self)
    class(stopwatch), intent(inout) :: self
    self%total = self%total + now() - self%begun
  end subroutine
end module

! Which block of the box a rank has, and who its neighbours are.
module decomposition
  use mpi_f08
  implicit none
  private
  public :: domain

  type :: domain
    type(MPI_Comm) :: comm
    integer :: rank = 0, ranks = 0
    integer :: blocks(3) = 0     ! of the box, in each direction
    integer :: place(3) = 0      ! of the own block among them
    integer :: below(3) = 0      ! neighbours' ranks; MPI_PROC_NULL at the boundary
    integer :: above(3) = 0
    integer :: cells(3) = 0      ! of the own block
    integer :: first(3) = 0      ! index of its first cell in the box, from 1
    integer :: box(3) = 0
  contains
    procedure :: create => domain_create
    procedure :: destroy => domain_destroy
  end type
contains
  subroutine domain_create(self, box)
    class(domain), intent(inout) :: self
    integer, intent(in) :: box(3)
    logical :: periods(3)
    integer :: direction
    periods = .false.
    self%box = box
    call MPI_Comm_size(MPI_COMM_WORLD, self%ranks)
    call MPI_Dims_create(self%ranks, 3, self%blocks)
    call MPI_Cart_create(MPI_COMM_WORLD, 3, self%blocks, periods, .false., self%comm)
    call MPI_Comm_set_name(self%comm, 'box')
    call MPI_Comm_rank(self%comm, self%rank)
    call MPI_Cart_coords(self%comm, self%rank, 3, self%place)
    do direction = 1, 3
      call MPI_Cart_shift(self%comm, direction - 1, 1, self%below(direction), self%above(direction))
      call share(box(direction), self%blocks(direction), self%place(direction), self%cells(direction), self%first(direction))
    end do
  end subroutine

  ! Cells and first cell of one of n blocks; the first blocks have one more where they cannot be equal.
  pure subroutine share(total, n, which, cells, first)
    integer, intent(in) :: total, n, which
    integer, intent(out) :: cells, first
    integer :: more
    more = mod(total, n)
    cells = total / n
    first = which * cells + min(which, more) + 1
    if (which < more) cells = cells + 1
  end subroutine

  subroutine domain_destroy(self)
    class(domain), intent(inout) :: self
    call MPI_Comm_free(self%comm)
  end subroutine
end module

! Temperatures of a block, with a layer of cells around it.
module fields
  use, intrinsic :: iso_fortran_env, only: real64
  use decomposition, only: domain
  implicit none
  private
  public :: field

  type :: field
    real(real64), allocatable :: t(:, :, :)
  contains
    procedure :: create => field_create
    procedure :: fill => field_fill
    procedure :: largest_error => field_largest_error
  end type
contains
  pure function exact(at) result(temperature)
    integer, intent(in) :: at(3)
    real(real64) :: temperature
    temperature = at(1) + 2.0_real64 * at(2) + 3.0_real64 * at(3)
  end function

  subroutine field_create(self, d)
    class(field), intent(inout) :: self
    type(domain), intent(in) :: d
    allocate(self%t(0:d%cells(1) + 1, 0:d%cells(2) + 1, 0:d%cells(3) + 1))
    self%t = 0
  end subroutine

  ! The block, and the boundary of the box where the block has some; layers that neighbours have stay as they are.
  subroutine field_fill(self, d)
    class(field), intent(inout) :: self
    type(domain), intent(in) :: d
    integer :: i, j, k, at(3)
    do k = 0, d%cells(3) + 1
      do j = 0, d%cells(2) + 1
        do i = 0, d%cells(1) + 1
          at = d%first + [i, j, k] - 1
          if (is_own([i, j, k], d%cells) .or. any(at < 1) .or. any(at > d%box)) self%t(i, j, k) = exact(at)
        end do
      end do
    end do
  end subroutine

  pure function is_own(local, cells) result(own)
    integer, intent(in) :: local(3), cells(3)
    logical :: own
    own = all(local >= 1) .and. all(local <= cells)
  end function

  pure function field_largest_error(self, d) result(error)
    class(field), intent(in) :: self
    type(domain), intent(in) :: d
    real(real64) :: error
    integer :: i, j, k
    error = 0
    do k = 1, d%cells(3)
      do j = 1, d%cells(2)
        do i = 1, d%cells(1)
          error = max(error, abs(self%t(i, j, k) - exact(d%first + [i, j, k] - 1)))
        end do
      end do
    end do
  end function
end module

! Exchange of the faces of blocks.
module halos
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use decomposition, only: domain
  use fields, only: field
  implicit none
  private
  public :: halo

  type :: halo
    type(MPI_Datatype) :: face(3)        ! of a block with its layer, normal to each direction
    integer :: inner(3, 2, 3) = 0        ! first cell of own faces, below and above, by direction
    integer :: outer(3, 2, 3) = 0        ! and of the layer's
  contains
    procedure :: create => halo_create
    procedure :: exchange => halo_exchange
    procedure :: destroy => halo_destroy
  end type
contains
  subroutine halo_create(self, d)
    class(halo), intent(inout) :: self
    type(domain), intent(in) :: d
    integer :: whole(3), part(3), direction
    whole = d%cells + 2
    do direction = 1, 3
      part = d%cells
      part(direction) = 1
      call MPI_Type_create_subarray(3, whole, part, [0, 0, 0], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, &
        self%face(direction))
      call MPI_Type_commit(self%face(direction))
      self%inner(:, :, direction) = 1
      self%inner(direction, 2, direction) = d%cells(direction)
      self%outer(:, :, direction) = 1
      self%outer(direction, 1, direction) = 0
      self%outer(direction, 2, direction) = d%cells(direction) + 1
    end do
  end subroutine

  subroutine halo_exchange(self, d, f)
    class(halo), intent(in) :: self
    type(domain), intent(in) :: d
    type(field), asynchronous, intent(inout) :: f
    type(MPI_Request) :: requests(12)
    integer :: direction, side, n, to, tag, at(3)
    n = 0
    do direction = 1, 3
      do side = 1, 2
        to = merge(d%below(direction), d%above(direction), side == 1)
        at = self%outer(:, side, direction)
        tag = 10 * direction + 3 - side     ! as the neighbour names its own side
        n = n + 1
        call MPI_Irecv(f%t(at(1), at(2), at(3)), 1, self%face(direction), to, tag, d%comm, requests(n))
      end do
    end do
    do direction = 1, 3
      do side = 1, 2
        to = merge(d%below(direction), d%above(direction), side == 1)
        at = self%inner(:, side, direction)
        tag = 10 * direction + side
        n = n + 1
        call MPI_Isend(f%t(at(1), at(2), at(3)), 1, self%face(direction), to, tag, d%comm, requests(n))
      end do
    end do
    call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE)
  end subroutine

  subroutine halo_destroy(self)
    class(halo), intent(inout) :: self
    integer :: direction
    do direction = 1, 3
      call MPI_Type_free(self%face(direction))
    end do
  end subroutine
end module

! Reductions over all blocks.
module sums
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use decomposition, only: domain
  implicit none
  private
  public :: global_sum, global_max
contains
  function global_sum(d, value) result(total)
    type(domain), intent(in) :: d
    real(real64), intent(in) :: value
    real(real64) :: total
    call MPI_Allreduce(value, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, d%comm) ! SUM
  end function

  function global_max(d, value) result(largest)
    type(domain), intent(in) :: d
    real(real64), intent(in) :: value
    real(real64) :: largest
    call MPI_Allreduce(value, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, d%comm)
  end function
end module

! Sources of heat, whose total all ranks need to know.
module physics
  use, intrinsic :: iso_fortran_env, only: real64
  use clock, only: pause_ms, stopwatch
  use decomposition, only: domain
  use sums, only: global_sum
  implicit none
  private
  public :: sources, late_rank

  integer, parameter :: late_rank = 2
contains
  ! The total of the sources of all blocks; there are none.
  subroutine sources(d, late_ms, late, sum, total)
    type(domain), intent(in) :: d
    integer, intent(in) :: late_ms
    type(stopwatch), intent(inout) :: late, sum
    real(real64), intent(out) :: total
    call late%start()
    if (d%rank == late_rank) call pause_ms(late_ms)
    call late%stop()
    call sum%start()
    total = global_sum(d, 0.0_real64)
    call sum%stop()
  end subroutine
end module

! The iteration.
module solver
  use, intrinsic :: iso_fortran_env, only: real64
  use clock, only: stopwatch
  use decomposition, only: domain
  use fields, only: field
  use halos, only: halo
  use physics, only: sources
  implicit none
  private
  public :: solve
contains
  ! One step from old to new: each cell becomes the mean of its neighbours.
  subroutine sweep(d, old, new, heat)
    type(domain), intent(in) :: d
    type(field), intent(in) :: old
    type(field), intent(inout) :: new
    real(real64), intent(in) :: heat
    integer :: i, j, k
    do k = 1, d%cells(3)
      do j = 1, d%cells(2)
        do i = 1, d%cells(1)
          new%t(i, j, k) = (old%t(i - 1, j, k) + old%t(i + 1, j, k) + old%t(i, j - 1, k) + old%t(i, j + 1, k) &
            + old%t(i, j, k - 1) + old%t(i, j, k + 1) + heat) / 6
        end do
      end do
    end do
  end subroutine

  ! late, sum, rest: the time in which a late rank is late, that of the sums, and that of all else.
  subroutine solve(d, h, f, steps, late_ms, late, sum, rest)
    type(domain), intent(in) :: d
    type(halo), intent(in) :: h
    type(field), intent(inout) :: f
    integer, intent(in) :: steps, late_ms
    type(stopwatch), intent(inout) :: late, sum, rest
    type(field) :: next
    real(real64) :: heat
    integer :: step
    call next%create(d)
    next%t = f%t
    heat = 0
    do step = 1, steps
      call rest%start()
      call h%exchange(d, f)
      call sweep(d, f, next, heat)
      call move(next, f)
      call rest%stop()
      call sources(d, late_ms, late, sum, heat)
    end do
  end subroutine

  ! Swaps two fields without a copy.
  subroutine move(a, b)
    type(field), intent(inout) :: a, b
    real(real64), allocatable :: t(:, :, :)
    call move_alloc(a%t, t)
    call move_alloc(b%t, a%t)
    call move_alloc(t, b%t)
  end subroutine
end module

program stencil3d
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use clock, only: now, stopwatch
  use decomposition, only: domain
  use fields, only: field
  use halos, only: halo
  use sums, only: global_max
  use physics, only: late_rank
  use solver, only: solve
  implicit none
  type(domain) :: d
  type(field) :: f
  type(halo) :: h
  type(stopwatch) :: late, sum, rest
  real(real64) :: begun, elapsed, error, longest, extra, own_sum
  integer :: steps, late_ms

  steps = argument(1, 12)
  late_ms = argument(2, 80)
  call MPI_Init()
  call d%create([24, 24, 24])
  call f%create(d)
  call f%fill(d)
  call h%create(d)
  call MPI_Barrier(d%comm)
  begun = now()
  call solve(d, h, f, steps, late_ms, late, sum, rest)
  elapsed = now() - begun
  error = global_max(d, f%largest_error(d))
  longest = global_max(d, rest%total)
  extra = global_max(d, merge(late%total, 0.0_real64, d%rank == late_rank))
  own_sum = global_max(d, merge(sum%total, 0.0_real64, d%rank == late_rank))
  if (d%rank == 0) then
    print '(a, i0, a, f0.6)', 'fault: sources ', late_rank, ' seconds ', (d%ranks - 1) * extra
    print '(a, f0.6)', 'rest ', longest
    print '(a, f0.6)', 'sum ', own_sum
    print '(a, f0.6)', 'elapsed ', elapsed
    if (error > 1e-9_real64) error stop 'a face is wrong'
  end if
  call h%destroy()
  call d%destroy()
  call MPI_Finalize()
contains
  function argument(number, default) result(value)
    integer, intent(in) :: number, default
    integer :: value, status
    character(len=32) :: text
    value = default
    call get_command_argument(number, text)
    read (text, *, iostat=status) value
    if (status /= 0) value = default
  end function
end program
