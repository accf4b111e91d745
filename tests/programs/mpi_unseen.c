/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI-IO, and three threads of each process that call nothing. */
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
	MPI_File file;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pthread_barrier_init(&done, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, compute, NULL);
	MPI_File_open(MPI_COMM_WORLD, argc > 1 ? argv[1] : "unseen.dat",
		      MPI_MODE_CREATE | MPI_MODE_WRONLY |
			      MPI_MODE_DELETE_ON_CLOSE,
		      MPI_INFO_NULL, &file);
	MPI_File_write_at_all(file, 4 * rank, &rank, 1, MPI_INT,
			      MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_Finalize();
	pthread_barrier_wait(&done);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
