/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls of one byte each: pwrite to /dev/null, fwrite to a file's buffer, and a
 * write and a read of a pipe, which is no file.  Prints the ns of a call, by the
 * thread's processor time: `NAME NS`.
 * Usage: io_mpi [N]
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

static FILE *file;
static int null, pipes[2];
static char byte;

static void one_pwrite(void)
{
	if (pwrite(null, &byte, 1, 0) != 1)
		exit(1);
}

static void one_fwrite(void)
{
	if (fwrite(&byte, 1, 1, file) != 1)
		exit(1);
}

static void through_pipe(void)
{
	if (write(pipes[1], &byte, 1) != 1 || read(pipes[0], &byte, 1) != 1)
		exit(1);
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(const char *name, void (*call)(void), long n)
{
	double start;

	for (long i = 0; i < 1000; i++)
		call();
	start = now_ns();
	for (long i = 0; i < n; i++)
		call();
	printf("%s %.1f\n", name, (now_ns() - start) / (double)n);
}

int main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 500000;

	MPI_Init(&argc, &argv);
	file = tmpfile();
	null = open("/dev/null", O_WRONLY);
	if (!file || null < 0 || pipe(pipes))
		return 1;
	measure("pwrite", one_pwrite, n);
	measure("fwrite", one_fwrite, n);
	measure("pipe", through_pipe, n);
	MPI_Finalize();
	return 0;
}
