/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages in a ring, and barriers, for a run on several hosts.  Between its
 * calls each rank notes the clock of its host together with the time stamp
 * counter, which is the true time where all "hosts" are one machine:
 *
 *     mpi_clocks DIRECTORY ROUNDS PAUSE_US
 *
 * DIRECTORY/RANK.truth has a line a reading: counter, CLOCK_MONOTONIC in ns,
 * counter.  The first is before MPI_Init, the last after MPI_Finalize.  In
 * between the readings 2k + 1 and 2k + 2 enclose the k-th call (Isend, Recv, Wait
 * and Barrier, over and over).
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct reading {
	uint64_t before, after;
	int64_t ns;
};

static struct reading *readings;
static size_t n_readings;

static uint64_t counter(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

/* The tightest of a few: one can be interrupted. */
static void note(void)
{
	struct reading *r = &readings[n_readings++];
	struct timespec t;

	r->after = UINT64_MAX;
	for (int i = 0; i < 4; i++) {
		const uint64_t before = counter();
		clock_gettime(CLOCK_MONOTONIC, &t);
		const uint64_t after = counter();

		if (i > 0 && after - before >= r->after - r->before)
			continue;
		*r = (struct reading){
			before, after,
			(int64_t)t.tv_sec * 1000000000 + t.tv_nsec
		};
	}
}

static void exchange(int rank, int size)
{
	const int next = (rank + 1) % size, last = (rank + size - 1) % size;
	MPI_Request request;
	int sent = rank, received;

	note();
	MPI_Isend(&sent, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request);
	note();
	note();
	MPI_Recv(&received, 1, MPI_INT, last, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	note();
	note();
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	note();
	note();
	MPI_Barrier(MPI_COMM_WORLD);
	note();
}

static int write_readings(const char *directory, int rank)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/%d.truth", directory, rank);
	f = fopen(path, "w");
	if (!f)
		return 1;
	for (size_t i = 0; i < n_readings; i++)
		fprintf(f, "%" PRIu64 " %" PRId64 " %" PRIu64 "\n",
			readings[i].before, readings[i].ns, readings[i].after);
	return fclose(f) != 0;
}

int main(int argc, char **argv)
{
	int rank, size, rounds;

	if (argc < 4)
		return 2;
	rounds = atoi(argv[2]);
	readings = calloc((size_t)rounds * 8 + 2, sizeof *readings);
	if (!readings)
		return 1;
	note();
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < rounds; i++) {
		exchange(rank, size);
		usleep((useconds_t)atoi(argv[3]));
	}
	MPI_Finalize();
	note();
	return write_readings(argv[1], rank);
}
