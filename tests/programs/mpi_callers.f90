! SPDX-License-Identifier: GPL-3.0-or-later
! Five reductions by a procedure of a module.  The test replaces MODULE by mpi and by mpi_f08.
module work
  use MODULE
contains
  subroutine solve(x)
    double precision, intent(inout) :: x
    double precision :: y
    integer :: error
    call MPI_Allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    x = y
  end subroutine
end module

program callers
  use work
  double precision :: x
  integer :: error, i
  call MPI_Init(error)
  x = 1
  do i = 1, 5
    call solve(x)
  end do
  call MPI_Finalize(error)
end program
