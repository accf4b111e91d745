! SPDX-License-Identifier: BSD-2-Clause
! languages.c in Fortran, with the module that -DMODULE= names: mpi or mpi_f08.
program languages
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use MODULE
  implicit none
  integer(int64) :: n
  real(real64) :: start, end
  character(len=32) :: text
  integer :: error, status
  n = 500000
  call get_command_argument(1, text)
  read (text, *, iostat=status) n
  call MPI_Init(error)
  call calls(1000_int64)
  call cpu_time(start)
  call calls(n)
  call cpu_time(end)
  print '(f0.2)', (end - start) * 1e9_real64 / n
  call MPI_Finalize(error)
contains
  subroutine calls(n)
    integer(int64), intent(in) :: n
    integer(int64) :: i
    integer :: buffer(1)
    buffer = 0
    do i = 1, n
      call MPI_Send(buffer, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, error)
    end do
  end subroutine
end program
