/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_costs FAULT, of 2 ranks: one fault, of a size that the program measures
 * by its own clock and prints: `fault: FAULT RANK cases N seconds S`.
 *   order  rank 0 sends, works, and sends again; rank 1 receives the second
 *          message first.  S: from when it begins that to the second send
 *   split  rank 0 comes late to the first half of a split-phase barrier
 *          (MPI_Ibarrier), and both work before the second.  S: from when
 *          rank 1 begins its second half to when rank 0 began its first
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

#define ROUNDS	8
#define LATE	0.06 /* seconds */
#define BETWEEN 0.02

static double mine[ROUNDS]; /* when the others came, or began to wait */
static int me;

static void send_both(int i)
{
	MPI_Send(&i, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	work(LATE);
	mine[i] = now();
	MPI_Send(&i, 1, MPI_INT, 1, 2, MPI_COMM_WORLD); /* LATE order */
}

static void receive_both(int i)
{
	int what;

	mine[i] = now();
	MPI_Recv(&what, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(&what, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void order(int i)
{
	if (me == 0)
		send_both(i);
	else
		receive_both(i);
}

static void split(int i)
{
	MPI_Request request;

	if (me == 0) {
		work(LATE);
		mine[i] = now();
	}
	MPI_Ibarrier(MPI_COMM_WORLD, &request); /* LATE split */
	work(BETWEEN);
	if (me == 1)
		mine[i] = now();
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* WAIT split */
}

static void tell(const char *fault)
{
	double begun[ROUNDS], seconds = 0;

	if (me == 1) {
		MPI_Send(mine, ROUNDS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
		return;
	}
	MPI_Recv(begun, ROUNDS, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	for (int i = 0; i < ROUNDS; i++)
		if (mine[i] > begun[i])
			seconds += mine[i] - begun[i];
	printf("fault: %s 0 cases %d seconds %.6f\n", fault, ROUNDS, seconds);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	for (int i = 0; argc > 1 && i < ROUNDS; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (strcmp(argv[1], "order") == 0)
			order(i);
		else
			split(i);
	}
	if (argc > 1)
		tell(argv[1]);
	MPI_Finalize();
	return 0;
}
