/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages in a ring, and barriers, for a run on several hosts:
 *
 *     mpi_clocks DIRECTORY ROUNDS PAUSE_US
 *
 * Between its calls each rank notes the clock of its host and the true time
 * (truth.h).  The first reading is before MPI_Init, the last after
 * MPI_Finalize.  In between the readings 2k + 1 and 2k + 2 enclose the k-th call
 * (Isend, Recv, Wait and Barrier, over and over).
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "truth.h"

static struct truth truth;

static void note(void)
{
	truth_note(&truth);
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

int main(int argc, char **argv)
{
	int rank, size, rounds;

	if (argc < 4)
		return 2;
	rounds = atoi(argv[2]);
	truth.room = (size_t)rounds * 8 + 2;
	truth.of = calloc(truth.room, sizeof *truth.of);
	if (!truth.of)
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
	return truth_write(&truth, argv[1], rank);
}
