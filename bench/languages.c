/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A call of MPI from C that moves nothing, N times: prints the ns of one, of
 * the thread's time on a processor.  languages.F90 is the same in Fortran.
 * Usage: languages_c N
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <mpi.h>

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void calls(long n)
{
	for (long i = 0; i < n; i++)
		MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 500000;
	double start;

	MPI_Init(&argc, &argv);
	calls(1000);
	start = now_ns();
	calls(n);
	printf("%.2f\n", (now_ns() - start) / (double)n);
	MPI_Finalize();
	return 0;
}
