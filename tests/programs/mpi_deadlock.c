/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hangs, until it is killed:
 *
 *	mpi_deadlock receive   each rank receives from the next one, and would
 *			       send then
 *	mpi_deadlock send      each sends to the next one, synchronously
 *	mpi_deadlock wait      as receive, by MPI_Irecv and MPI_Wait
 *	mpi_deadlock tag       rank 0 receives from rank 1, which sends
 *			       with another tag; all others end
 *	mpi_deadlock barrier   rank 0 receives from rank 1, all others are in a
 *			       barrier
 *	mpi_deadlock loop      rank 0 computes for ever, all others are in a
 *			       barrier
 */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "receive";
	int rank, size, next, value = 0;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	next = (rank + 1) % size;
	MPI_Barrier(MPI_COMM_WORLD);
	if (!strcmp(mode, "receive")) {
		MPI_Recv(&value, 1, MPI_INT, next, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	} else if (!strcmp(mode, "send")) {
		MPI_Ssend(&value, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
	} else if (!strcmp(mode, "wait")) {
		MPI_Irecv(&value, 1, MPI_INT, next, 0, MPI_COMM_WORLD,
			  &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else if (!strcmp(mode, "tag")) {
		if (rank == 0)
			MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		else if (rank == 1)
			MPI_Ssend(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
	} else if (rank > 0) {
		MPI_Barrier(MPI_COMM_WORLD);
	} else if (!strcmp(mode, "barrier")) {
		MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	} else {
		for (;;)
			usleep(1000);
	}
	MPI_Finalize();
	return 0;
}
