/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_alike N: N rounds of messages to the next rank by blocking calls, by
 * requests, and N by receives from anyone.  All of them have one size, so that
 * nothing but their order tells them apart.
 */
#include <mpi.h>
#include <stdlib.h>

static int next, previous;

static void blocking(int n)
{
	double out = 1, in;

	while (n-- > 0)
		MPI_Sendrecv(&out, 1, MPI_DOUBLE, next, 0, &in, 1, MPI_DOUBLE,
			     previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void by_requests(int n, int from, int tag)
{
	double out = 1, in;
	MPI_Request requests[2];

	while (n-- > 0) {
		MPI_Irecv(&in, 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD,
			  &requests[0]);
		MPI_Isend(&out, 1, MPI_DOUBLE, next, tag, MPI_COMM_WORLD,
			  &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 1;
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	next = (rank + 1) % ranks;
	previous = (rank + ranks - 1) % ranks;
	blocking(n);
	by_requests(n, previous, 1);
	by_requests(n, MPI_ANY_SOURCE, 2);
	blocking(n);
	MPI_Finalize();
	return 0;
}
