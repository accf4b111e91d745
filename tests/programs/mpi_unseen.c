/* SPDX-License-Identifier: BSD-2-Clause */
/* Three threads of each process that call nothing. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 3 };

static pthread_barrier_t done;

static void *compute(void *unused)
{
	pthread_barrier_wait(&done);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	MPI_Init(&argc, &argv);
	pthread_barrier_init(&done, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, compute, NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	pthread_barrier_wait(&done);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
