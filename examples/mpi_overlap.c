/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overlap that is none, and overlap.  Two ranks: rank 0 sends what is too large
 * to leave at once to rank 1, who works before it receives.  First rank 0 waits
 * for each send as soon as it is begun; then it works meanwhile.  It prints by
 * its own clock what a tool should find.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 20, BYTES = 4 << 20 };

#define WORK_S 0.01

static double work(double seconds)
{
	const double start = MPI_Wtime();

	while (MPI_Wtime() - start < seconds)
		;
	return MPI_Wtime() - start;
}

/* Seconds in the calls that begin and complete the sends. */
static double send_and_wait(char *data)
{
	double seconds = 0;

	for (int i = 0; i < STEPS; i++) {
		const double start = MPI_Wtime();
		MPI_Request request;

		MPI_Isend(data, BYTES, MPI_CHAR, 1, 0, /* FAULT no-overlap */
			  MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* WAIT no-overlap */
		seconds += MPI_Wtime() - start;
		MPI_Barrier(MPI_COMM_WORLD);
	}
	return seconds;
}

/* Seconds of work between. */
static double send_and_work(char *data)
{
	double seconds = 0;

	for (int i = 0; i < STEPS; i++) {
		MPI_Request request;

		MPI_Isend(data, BYTES, MPI_CHAR, 1, 0, /* FAULT overlap */
			  MPI_COMM_WORLD, &request);
		seconds += work(WORK_S);
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* WAIT overlap */
		MPI_Barrier(MPI_COMM_WORLD);
	}
	return seconds;
}

static void receive(char *data, double work_s)
{
	for (int i = 0; i < STEPS; i++) {
		work(work_s);
		MPI_Recv(data, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	char *data = calloc(BYTES, 1);
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size != 2 || !data) {
		fprintf(stderr, "mpi_overlap wants 2 ranks, and memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	if (rank == 0) {
		printf("fault: no-overlap 0 exposed seconds %.6f\n",
		       send_and_wait(data));
		printf("fault: overlap 0 overlapped seconds %.6f\n",
		       send_and_work(data));
	} else {
		receive(data, WORK_S);
		receive(data, 0);
	}
	MPI_Finalize();
	free(data);
	return 0;
}
