/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private memory of an MPI program (record --memory).  Rank 1 loses a block in
 * each of its rounds; each rank keeps one block for the run, and frees others,
 * one of them on another thread than allocated it.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 120, LOST = 1000, KEPT = 50000, WORK = 300, LARGE = 20000 };

static void *volatile sink;

static __attribute__((noinline)) void *refine(int rank)
{
	void *work = malloc(WORK); /* WORK */

	if (rank == 1)
		sink = malloc(LOST); /* LOST */
	return work;
}

static void *release(void *block)
{
	free(block);
	return NULL;
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

int main(int argc, char **argv)
{
	void *kept, *large;
	pthread_t thread;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	kept = calloc(1, KEPT); /* KEPT */
	sink = kept;
	for (int i = 0; i < ROUNDS; i++) {
		void *work = refine(rank);

		memset(work, 0, WORK);
		pause_ms(4);
		free(work);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	large = malloc(LARGE); /* LARGE */
	pthread_create(&thread, NULL, release, large);
	pthread_join(thread, NULL);
	MPI_Finalize();
	return 0;
}
