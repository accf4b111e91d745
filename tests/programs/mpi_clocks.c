/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages in a ring, and barriers, for a run on several hosts:
 *
 *     mpi_clocks DIRECTORY ROUNDS PAUSE_US
 *
 * Between its calls each rank notes the clock of its host and the true time
 * (mpi_truth.h).  The first reading is before MPI_Init, the last after
 * MPI_Finalize.  In between the readings 2k + 1 and 2k + 2 enclose the k-th call
 * (Isend, Recv, Wait and Barrier, over and over).
 */
#include <stdlib.h>
#include <unistd.h>

#include "mpi_truth.h"

int main(int argc, char **argv)
{
	int rank, rounds;

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
	for (int i = 0; i < rounds; i++) {
		exchange(MPI_COMM_WORLD);
		usleep((useconds_t)atoi(argv[3]));
	}
	MPI_Finalize();
	note();
	return truth_write(&truth, argv[1], rank);
}
