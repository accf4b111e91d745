/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls from eight functions deep: each goes one of two ways, so that there
 * are 256 stacks.  Prints the ns of a call: of a stack's first, and of later
 * ones in a loop.
 * Usage: stacks_mpi N
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <mpi.h>

static __attribute__((noinline)) void down(unsigned way, int depth, long n)
{
	if (depth == 0) {
		for (long i = 0; i < n; i++)
			MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0,
				 MPI_COMM_WORLD);
	} else if (way & 1) { /* two calls that are not merged */
		down(way >> 1, depth - 1, n);
		__asm__ volatile("# left" ::: "memory");
	} else {
		down(way >> 1, depth - 1, n);
		__asm__ volatile("# right" ::: "memory");
	}
}

/* The thread's time on a processor. */
static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double pass(long n)
{
	const double start = now_ns();

	for (unsigned way = 0; way < 256; way++)
		down(way, 8, n);
	return (now_ns() - start) / 256 / (double)n;
}

int main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 200;
	double first, later;

	MPI_Init(&argc, &argv);
	down(0, 3, 1000); /* the log's first block is touched */
	first = pass(1);
	later = pass(n);
	printf("%.1f %.1f\n", first, later);
	MPI_Finalize();
	return 0;
}
