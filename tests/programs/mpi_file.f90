! SPDX-License-Identifier: GPL-3.0-or-later
! mpi_file, of 2 ranks: a file is written by all, and read without blocking.  The script compiles it with `include 'mpif.h'`
! as it stands, and with `use mpi_f08`.
program files
  implicit none
  include 'mpif.h'
  integer :: rank, buffer(100), error, file, request, status(MPI_STATUS_SIZE)
  integer(kind=MPI_OFFSET_KIND) :: at
  character(len=4096) :: path
  call get_command_argument(1, path)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  buffer = rank
  at = rank * 400
  call MPI_File_open(MPI_COMM_WORLD, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, error)
  call MPI_File_write_at_all(file, at, buffer, 100, MPI_INTEGER, MPI_STATUS_IGNORE, error)
  call MPI_File_iread_at(file, at, buffer, 50, MPI_INTEGER, request, error)
  call MPI_Wait(request, status, error)
  call MPI_File_close(file, error)
  call MPI_Finalize(error)
end program
