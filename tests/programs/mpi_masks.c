/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten messages of 1 to 10 bytes in one channel, from rank 0 to rank 1, by
 * calls of two names in turns: odd sizes by MPI_Send and MPI_Irecv, even ones
 * by MPI_Ssend and MPI_Recv.  Whatever of them is not recorded, what is left
 * has to match by size.  Then a barrier and a reduction, three times.
 */
#include <mpi.h>

static char bytes[10];

static void send(int n)
{
	if (n % 2)
		MPI_Send(bytes, n, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
	else
		MPI_Ssend(bytes, n, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
}

/* The odd one is posted before the even one, and completes after it. */
static void receive_two(void)
{
	static char other[10];
	MPI_Request request;

	MPI_Irecv(other, 10, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request);
	MPI_Recv(bytes, 10, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int rank, one = 1, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int n = 1; n <= 10; n++)
		if (rank == 0)
			send(n);
		else if (rank == 1 && n % 2)
			receive_two();
	for (int i = 0; i < 3; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
