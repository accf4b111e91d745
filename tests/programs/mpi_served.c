/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rounds of work that takes each rank the same time on a processor, or rank 1
 * twice as much, and a barrier.  Each rank measures by itself how much longer
 * its work took than it was on a processor, and prints (rank 0, at the end)
 *     RANK  WORK ns on a processor  LOST ns without one
 * and of all waits at the barrier, from a rank's coming to the last one's, the
 * sum, and the part that this explains: for each rank and round, how much more
 * the last to come had lost in its work than the rank, at most the wait,
 *     waits  ns
 *     explained  ns
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

/* Of a round: when a rank came to the barrier and what its work had lost. */
struct arrival {
	double came, lost;
};

/* all: [RANKS][ROUNDS]; waits: their sum */
static double explained(const struct arrival *all, int ranks, double *waits)
{
	double ns = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const struct arrival *last = &all[i];

		for (int rank = 1; rank < ranks; rank++)
			if (all[rank * ROUNDS + i].came > last->came)
				last = &all[rank * ROUNDS + i];
		for (int rank = 0; rank < ranks; rank++) {
			const struct arrival *own = &all[rank * ROUNDS + i];
			const double more = last->lost - own->lost,
				     wait = last->came - own->came;

			*waits += wait;
			ns += more < 0 ? 0 : more < wait ? more : wait;
		}
	}
	return ns;
}

int main(int argc, char **argv)
{
	const int uneven = argc > 1 && atoi(argv[1]);
	static struct arrival arrivals[ROUNDS], all[RANKS_MAX * ROUNDS];
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (ranks > RANKS_MAX)
		MPI_Abort(MPI_COMM_WORLD, 1);
	const double ns = WORK_NS * (uneven && rank == 1 ? 2.0 : 1.0);

	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < ROUNDS; i++) {
		arrivals[i].lost = work(ns);
		arrivals[i].came = now(CLOCK_MONOTONIC);
		MPI_Barrier(MPI_COMM_WORLD); /* ROUND */
	}
	MPI_Gather(arrivals, 2 * ROUNDS, MPI_DOUBLE, all, 2 * ROUNDS,
		   MPI_DOUBLE, 0, MPI_COMM_WORLD);
	for (int i = 0; rank == 0 && i < ranks; i++) {
		double lost = 0;

		for (int round = 0; round < ROUNDS; round++)
			lost += all[i * ROUNDS + round].lost;
		printf("%d %.0f %.0f\n", i,
		       ROUNDS * WORK_NS * (uneven && i == 1 ? 2.0 : 1.0), lost);
	}
	if (rank == 0) {
		double waits = 0;
		const double part = explained(all, ranks, &waits);

		printf("waits %.0f\nexplained %.0f\n", waits, part);
	}
	MPI_Finalize();
	return 0;
}
