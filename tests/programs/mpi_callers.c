/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reductions through a wrapper two levels deep.  With -DLIBRARY this is the
 * wrapper alone, with -DPROGRAM the program alone, else both.  solve() asks for
 * two norms a step, check() for one every second step; walk() goes down three
 * levels of itself first.
 *
 * mpi_callers STEPS [MS...]: in each step solve() works MS milliseconds first,
 * of rank 0, rank 1 ...
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

double comm_norm(double x);

#ifndef PROGRAM
#define WORLD MPI_COMM_WORLD
#ifdef INLINED
#define COMM_SUM static inline __attribute__((always_inline))
#else
#define COMM_SUM __attribute__((noinline))
#endif

COMM_SUM double comm_sum(double x)
{
	double y;

	MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, WORLD); /* reduce */
	return y + 1;
}

__attribute__((noinline)) double comm_norm(double x)
{
	return comm_sum(x * x) / 2; /* norm */
}
#endif

#ifndef LIBRARY
static volatile double total;
static long work_ms;

static __attribute__((noinline)) void solve(double x)
{
	const struct timespec work = { work_ms / 1000, work_ms % 1000 * 1000000 };

	if (work_ms)
		nanosleep(&work, NULL);
	total += comm_norm(x);	   /* first */
	total += comm_norm(x + 1); /* second */
}

static __attribute__((noinline)) void check(void)
{
	total += comm_norm(total) > 3; /* check */
}

static __attribute__((noinline)) void walk(int level)
{
	if (level > 1)
		walk(level - 1);
	else
		total += comm_norm(level); /* walk */
	total += level;
}

int main(int argc, char **argv)
{
	const int steps = atoi(argv[1]);
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	work_ms = rank + 2 < argc ? atol(argv[rank + 2]) : 0;
	for (int i = 0; i < steps; i++) {
		solve(i);
		if (i % 2 == 0)
			check();
		walk(3);
	}
	MPI_Finalize();
	return 0;
}
#endif
