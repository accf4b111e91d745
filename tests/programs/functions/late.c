/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One rank whose function works longer, behind a wrapper that communicates:
 * rank 1 spends 30 ms in refine() in each of STEPS steps, the others 10 ms.
 * Prints what refine() took on rank 1 by the program's clock.
 */
#include <mpi.h>
#include <stdio.h>

#include "../work.h"

enum { STEPS = 12, WORK_MS = 10 };

static double refined;
static int inside;

__attribute__((noinline)) static void refine(int ms) /* REFINE */
{
	const double start = now();

	work(ms / 1e3);
	refined += now() - start;
}

__attribute__((noinline)) static void add(void *in, void *out, int *n,
					  MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *n; i++)
		((int *)out)[i] += ((int *)in)[i];
	inside++;
}

__attribute__((noinline)) static void combine(int *value, MPI_Op op)
{
	int sum;

	MPI_Allreduce(value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
	*value = sum;
}

__attribute__((noinline)) static void step(int rank, MPI_Op op)
{
	int value = 1;

	refine(rank == 1 ? 3 * WORK_MS : WORK_MS);
	combine(&value, op);
}

int main(int argc, char **argv)
{
	MPI_Op op;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Op_create(add, 1, &op);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < STEPS; i++)
		step(rank, op);
	MPI_Op_free(&op);
	if (rank == 1)
		printf("refine %.6f\n", refined);
	MPI_Finalize();
	return inside > 0 ? 0 : 1;
}
