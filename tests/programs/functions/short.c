/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A short function, called in known numbers from two places on two threads:
 *
 *	short counts N	leaf() N times from counts(), then N times from second()
 *on each of two threads; with WITH_MPI barriers before, between and after short
 *timed N	spin() N times, each at least 2 us; prints the ns that all took
 *	short killed N	leaf() N times, a million times more, then SIGKILL
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#else
#define MPI_Barrier(comm)
#endif

#define CALLED	 __attribute__((noinline))
#define UNTRACED __attribute__((no_instrument_function))

static volatile long sum;

CALLED static void leaf(void)
{
	__asm__ volatile("");
}

CALLED static void second(long n)
{
	for (long i = 0; i < n; i++)
		leaf();
	sum++; /* so that no call is a jump */
}

CALLED static void *worker(void *n)
{
	second(*(const long *)n);
	sum++;
	return NULL;
}

static void counts(long n)
{
	pthread_t thread;

	MPI_Barrier(MPI_COMM_WORLD);
	for (long i = 0; i < n; i++)
		leaf();
	MPI_Barrier(MPI_COMM_WORLD);
	pthread_create(&thread, NULL, worker, &n);
	second(n);
	pthread_join(thread, NULL);
	MPI_Barrier(MPI_COMM_WORLD);
}

UNTRACED static long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

CALLED static void spin(void)
{
	const long start = now_ns();

	while (now_ns() - start < 2000)
		;
}

UNTRACED static void timed(long n)
{
	const long start = now_ns();

	for (long i = 0; i < n; i++)
		spin();
	printf("%ld\n", now_ns() - start);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	const long n = argc > 2 ? atol(argv[2]) : 0;

#ifdef WITH_MPI
	MPI_Init(&argc, &argv);
#endif
	if (!strcmp(what, "counts"))
		counts(n);
	if (!strcmp(what, "timed"))
		timed(n);
	if (!strcmp(what, "killed")) {
		second(n);
		second(1000000);
		kill(getpid(), SIGKILL);
	}
#ifdef WITH_MPI
	MPI_Finalize();
#endif
	return 0;
}
