/* SPDX-License-Identifier: BSD-2-Clause */
/* Each rank: 5 steps, of which each reduces once. */
#include <mpi.h>

int main(int argc, char **argv)
{
	double mine = 1, sum = 0;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < 5; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
#pragma gaspdb statement "step"
		mine += i;
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma gaspdb end
		mine = sum;
	}
	MPI_Finalize();
	return 0;
}
