/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_loaded TEXT: rank 0 sends 11 bytes to rank 1, and prints how many files
 * with TEXT in their names the process has mapped, and its rank.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int count_mapped(const char *text)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	int n = 0;

	while (maps && fgets(line, sizeof line, maps))
		n += strstr(line, text) && strstr(line, " 00000000 ");
	if (maps)
		fclose(maps);
	return n;
}

int main(int argc, char **argv)
{
	char bytes[11] = "";
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		MPI_Send(bytes, 11, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
	else if (rank == 1)
		MPI_Recv(bytes, 11, MPI_BYTE, 0, 1, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	MPI_Finalize();
	printf("mapped %d\n", count_mapped(argc > 1 ? argv[1] : "libmpi"));
	return 0;
}
