/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rounds of work that takes each rank the same time on a processor, or rank 1
 * twice as much, and a barrier.  Each rank measures by itself how much longer
 * its work took than it was on a processor, and prints (rank 0, at the end)
 *     RANK  WORK ns on a processor  LOST ns without one
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 12, WORK_NS = 20000000, RANKS_MAX = 64 };

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double work(double ns)
{
	const double begun = now(CLOCK_MONOTONIC),
		     used = now(CLOCK_THREAD_CPUTIME_ID);
	double done;

	do
		done = now(CLOCK_THREAD_CPUTIME_ID) - used;
	while (done < ns);
	return now(CLOCK_MONOTONIC) - begun - done;
}

int main(int argc, char **argv)
{
	const int uneven = argc > 1 && atoi(argv[1]);
	double lost = 0, all[RANKS_MAX];
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (ranks > RANKS_MAX)
		MPI_Abort(MPI_COMM_WORLD, 1);
	const double ns = WORK_NS * (uneven && rank == 1 ? 2.0 : 1.0);

	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < ROUNDS; i++) {
		lost += work(ns);
		MPI_Barrier(MPI_COMM_WORLD); /* ROUND */
	}
	MPI_Gather(&lost, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	for (int i = 0; rank == 0 && i < ranks; i++)
		printf("%d %.0f %.0f\n", i,
		       ROUNDS * WORK_NS * (uneven && i == 1 ? 2.0 : 1.0),
		       all[i]);
	MPI_Finalize();
	return 0;
}
