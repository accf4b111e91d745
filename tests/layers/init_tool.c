/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library that sets itself up in MPI_Init, as those for checkpoints do; with
   PROGRAM the program that needs it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void checkpoint(void);

#ifndef PROGRAM
static int *state;

int MPI_Init(int *argc, char ***argv)
{
	const int rc = PMPI_Init(argc, argv);

	state = malloc(sizeof *state);
	PMPI_Comm_rank(MPI_COMM_WORLD, state);
	return rc;
}

void checkpoint(void)
{
	printf("checkpoint of rank %d\n", *state);
}
#else
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	checkpoint();
	MPI_Finalize();
	return 0;
}
#endif
