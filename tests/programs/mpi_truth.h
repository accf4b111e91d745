/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of messages and a barrier, each call between two readings of the clock
   and of the true time (truth.h). */
#ifndef TEST_MPI_TRUTH_H
#define TEST_MPI_TRUTH_H

#include <mpi.h>

#include "truth.h"

static struct truth truth;

static void note(void)
{
	truth_note(&truth);
}

static void exchange(MPI_Comm comm)
{
	int rank, size, sent = 1, received;
	MPI_Request request;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	note();
	MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 0, comm, &request);
	note();
	note();
	MPI_Recv(&received, 1, MPI_INT, (rank + size - 1) % size, 0, comm,
		 MPI_STATUS_IGNORE);
	note();
	note();
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	note();
	note();
	MPI_Barrier(comm);
	note();
}

#endif
