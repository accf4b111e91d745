/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A halo's exchange and a sum, STEPS times, of which one fault is known.
 *
 *	mpi_imbalance slow     rank 1 works 9 times as long as the others
 *	mpi_imbalance turns    each rank in turn works 9 times as long
 */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 24, WORK_MS = 5, CELLS = 64 };

static double cells[CELLS + 2];
static int rank, size;

/* Six calls at six lines, between which next to nothing is done. */
static void exchange(void)
{
	const int left = (rank + size - 1) % size, right = (rank + 1) % size;
	MPI_Request requests[4];

	MPI_Irecv(&cells[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
		  &requests[0]);
	MPI_Irecv(&cells[CELLS + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
		  &requests[1]);
	MPI_Isend(&cells[CELLS], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
		  &requests[2]);
	MPI_Isend(&cells[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
		  &requests[3]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Waitall(3, &requests[1], MPI_STATUSES_IGNORE);
}

/* Asleep, so that no processor is missing. */
static void update(int ms)
{
	usleep(1000 * (unsigned)ms);
	for (int i = 1; i <= CELLS; i++)
		cells[i] = (cells[i - 1] + cells[i + 1]) / 2;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "slow";
	double sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int step = 0; step < STEPS; step++) {
		const int late = strcmp(mode, "turns") ? 1 : step % size;

		update(rank == late ? 9 * WORK_MS : WORK_MS);
		exchange();
		MPI_Allreduce(&cells[1], &sum, 1, MPI_DOUBLE, MPI_SUM, /* SUM */
			      MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
