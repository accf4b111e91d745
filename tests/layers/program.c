/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks: a barrier, three messages from each to the other, a barrier, and a
 * collective write to a file, for which the library calls other functions of
 * MPI itself.  MPI may have been started by somebody else.
 */
#include <mpi.h>
#include <stdio.h>

static void write_file(const char *path, int rank)
{
	MPI_File file;

	MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY,
		      MPI_INFO_NULL, &file);
	MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1,
			      MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

int main(int argc, char **argv)
{
	int rank, started, b = 0;

	MPI_Initialized(&started);
	if (!started)
		MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 3; i++) {
		MPI_Send(&b, 1, MPI_INT, !rank, i, MPI_COMM_WORLD);
		MPI_Recv(&b, 1, MPI_INT, !rank, i, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 1)
		write_file(argv[1], rank);
	MPI_Finalize();
	return 0;
}
