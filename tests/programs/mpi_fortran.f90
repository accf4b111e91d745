! SPDX-License-Identifier: GPL-3.0-or-later
! A message of 16 bytes from rank 0 to rank 1, another one without blocking, and a sum: in Fortran.  The script compiles it
! with `include 'mpif.h'` as it stands, and with `use mpi_f08`.
program messages
  implicit none
  include 'mpif.h'
  integer :: rank, buffer(4), total, error, request, status(MPI_STATUS_SIZE)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  buffer = rank
  if (rank == 0) then
    call MPI_Send(buffer, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, error)
    call MPI_Isend(buffer, 4, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, request, error)
    call MPI_Wait(request, status, error)
  else if (rank == 1) then
    call MPI_Recv(buffer, 4, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, status, error)
    call MPI_Irecv(buffer, 4, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  end if
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (total /= 1) stop 5
  call MPI_Finalize(error)
end program
