/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_teams N: N rounds of collectives on two communicators, a copy of the
 * world and one made from it, in turned order, and six that each process does
 * alone.  Each 1,000 rounds the communicators are made anew.
 */
#include <mpi.h>
#include <stdlib.h>

static MPI_Comm copy, turned;

static void make(int rank)
{
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_set_name(copy, "copy");
	MPI_Comm_split(copy, 0, -rank, &turned);
}

static void unmake(void)
{
	MPI_Comm_free(&turned);
	MPI_Comm_free(&copy);
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 1;
	int rank, one = 1, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < n; i++) {
		if (i % 1000 == 0 && i)
			unmake();
		if (i % 1000 == 0)
			make(rank);
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, turned);
		MPI_Barrier(copy);
		for (int alone = 0; alone < 6; alone++)
			MPI_Barrier(MPI_COMM_SELF);
	}
	unmake();
	MPI_Finalize();
	return 0;
}
