/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI, OpenSHMEM, functions and user events in one thread, for gaspcc
   --inst-functions oshcc.  Each of two processes puts its rank into the other's
   memory ROUNDS times, and sums. */
#include <mpi.h>
#include <pupc.h>
#include <shmem.h>
#include <stdlib.h>

enum { ROUNDS = 5 };

static void put(long *cell, int rank, int ranks)
{
	shmem_long_p(cell, rank, (rank + 1) % ranks);
}

static long sum(long x)
{
	long all;

	MPI_Allreduce(&x, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

int main(int argc, char **argv)
{
	int rank, ranks;
	long *cell, all = 0;

	MPI_Init(&argc, &argv);
	shmem_init();
	const unsigned event = pupc_create_event("round", NULL);

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	cell = shmem_malloc(sizeof *cell);
	shmem_barrier_all();
	for (int i = 0; i < ROUNDS; i++) {
		pupc_event_start(event);
		put(cell, rank, ranks);
		shmem_barrier_all();
		all += sum(*cell);
		pupc_event_end(event);
	}
	shmem_free(cell);
	shmem_finalize(); /* Open MPI's finalizes MPI, too */
	return all == ROUNDS * ranks * (ranks - 1) / 2 ? 0 : 1;
}
