/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_made_at_once, of 2 ranks: two threads of each make communicators at the
 * same time, of the same processes, ROUNDS times each.  Thread 0 sends 4 bytes
 * over each, thread 1 400, from rank 0 to rank 1.  Rank 0 is late with thread
 * 0's, rank 1 with thread 1's, so that the processes make them in different
 * orders.  Message tags:
 *   20  MPI_Intercomm_create
 *   21  MPI_Comm_create_group (not MPICH 4.0, which crashes if two threads are
 *       in it; nor is its MPI_Intercomm_create_from_groups here, which fails)
 *   22  MPI_Comm_dup of a parent of its own
 *   23  MPI_Comm_idup of one, completed by the other thread
 *   24  MPI_Comm_create_from_group (MPI 4)
 * Each has a barrier, too.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define ROUNDS	10
#define THREADS 2

static MPI_Comm parent[THREADS], self[THREADS], made[THREADS];
static MPI_Request pending[THREADS];
static MPI_Group world[THREADS];
static pthread_barrier_t both;
static int me;

static void use(int k, MPI_Comm comm, int other, int tag)
{
	char bytes[400] = "";

	if (me == 0)
		MPI_Send(bytes, k ? 400 : 4, MPI_BYTE, other, tag, comm);
	else
		MPI_Recv(bytes, 400, MPI_BYTE, other, tag, comm,
			 MPI_STATUS_IGNORE);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
}

static void inter(int k, MPI_Comm *comm)
{
	MPI_Intercomm_create(self[k], 0, parent[k], !me, k + 1, comm);
}

static void group(int k, MPI_Comm *comm)
{
#ifdef OPEN_MPI
	MPI_Comm_create_group(parent[0], world[k], k + 1, comm);
#else
	MPI_Comm_dup(parent[k], comm);
#endif
}

static void duplicate(int k, MPI_Comm *comm)
{
	MPI_Comm_dup(parent[k], comm);
}

/* The other thread's is completed here, and used there. */
static void idup(int k, MPI_Comm *comm)
{
	MPI_Comm_idup(parent[k], &made[k], &pending[k]);
	pthread_barrier_wait(&both);
	MPI_Wait(&pending[!k], MPI_STATUS_IGNORE);
	pthread_barrier_wait(&both);
	*comm = made[k];
}

#if MPI_VERSION >= 4
static void from_group(int k, MPI_Comm *comm)
{
	MPI_Comm_create_from_group(world[k], k ? "one" : "nought",
				   MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm);
}
#endif

static const struct {
	void (*make)(int k, MPI_Comm *comm);
	int is_inter;
} ways[] = {
	{ inter, 1 },	   { group, 0 }, { duplicate, 0 }, { idup, 0 },
#if MPI_VERSION >= 4
	{ from_group, 0 },
#endif
};

static void *run(void *number)
{
	const int k = *(int *)number;
	MPI_Comm comm;

	for (int way = 0; way < (int)(sizeof ways / sizeof *ways); way++)
		for (int i = 0; i < ROUNDS; i++) {
			if (k == me)
				usleep(1000);
			ways[way].make(k, &comm);
			use(k, comm, ways[way].is_inter ? 0 : !me, 20 + way);
		}
	return NULL;
}

int main(int argc, char **argv)
{
	int numbers[THREADS], level;
	pthread_t threads[THREADS];

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	pthread_barrier_init(&both, NULL, THREADS);
	for (int k = 0; k < THREADS; k++) {
		MPI_Comm_group(MPI_COMM_WORLD, &world[k]);
		MPI_Comm_dup(MPI_COMM_WORLD, &parent[k]);
		MPI_Comm_dup(MPI_COMM_SELF, &self[k]);
	}
	for (int k = 0; k < THREADS; k++) {
		numbers[k] = k;
		pthread_create(&threads[k], NULL, run, &numbers[k]);
	}
	for (int k = 0; k < THREADS; k++)
		pthread_join(threads[k], NULL);
	if (me == 0)
		printf("ways %d\n", (int)(sizeof ways / sizeof *ways));
	MPI_Finalize();
	return 0;
}
