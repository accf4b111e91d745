/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another tool: it counts sends and barriers, and at the end adds up what the
 * ranks have counted, by a call of its own.  Sends it passes on as dlsym says,
 * barriers by the profiling name; with OTHER_WAY it sends by other functions.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int counts[2];

int MPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag,
	     MPI_Comm comm)
{
	counts[0]++;
#ifdef OTHER_WAY
	MPI_Request request;

	PMPI_Isend(buffer, n, type, to, tag, comm, &request);
	return PMPI_Wait(&request, MPI_STATUS_IGNORE);
#else
	static __typeof__(MPI_Send) *next;

	if (!next)
		next = (__typeof__(next))(size_t)dlsym(RTLD_NEXT, "MPI_Send");
	return next(buffer, n, type, to, tag, comm);
#endif
}

int MPI_Barrier(MPI_Comm comm)
{
	counts[1]++;
	return PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
	int sums[2], rank;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Reduce(counts, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		printf("tool: %d sends, %d barriers\n", sums[0], sums[1]);
		fflush(stdout);
	}
	return PMPI_Finalize();
}
