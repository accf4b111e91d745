/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least MPI program: each rank says hello, after a barrier. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	printf("hello %d\n", rank);
	MPI_Finalize();
	return 0;
}
