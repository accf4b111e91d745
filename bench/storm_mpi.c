/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ping-pong of small messages: two ranks send each other N longs in turn, and
 * check the sum of them.  Prints the seconds, without start-up.
 * Usage: storm_mpi N
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

/* Each answers with what it got, plus one: the sum of what rank 0 receives. */
static long ping_pong(long n, int me)
{
	long sum = 0, value = 0;

	for (long i = 0; i < n; i++) {
		if (me == 0)
			MPI_Send(&value, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(&value, 1, MPI_LONG, 1 - me, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		value++;
		sum += value;
		if (me == 1)
			MPI_Send(&value, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
	}
	return sum;
}

int main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 1000000;
	double start, seconds;
	long sum;
	int me;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	sum = me < 2 ? ping_pong(n, me) : 0;
	seconds = MPI_Wtime() - start;
	/* Rank 0 ends round i with 2 (i + 1). */
	if (me == 0)
		printf("%.6f %s\n", seconds,
		       sum == n * (n + 1) ? "right" : "WRONG");
	MPI_Finalize();
	return me == 0 && sum != n * (n + 1);
}
