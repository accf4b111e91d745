/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_windows [phase | control | never]: 30 steps of two ranks, each a phase
 * "step" with a reduction.  In a step's end rank 0 sends a message of as many
 * bytes as its number, which rank 1 receives at the next one's beginning.
 * Rank 1 is late in steps 5 and 15; before the message of step 9 so is rank 0.
 * control: recording is switched on before step 10, and off after step 20.
 * Each rank prints the time by its clock before the reduction of step 15.
 */
#include <mpi.h>
#include <pupc.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

enum { STEPS = 30 };

static char bytes[STEPS];
static int rank;

static void reduce(int step)
{
	double before;
	int sum;

	if (rank == 1 && step == 5)
		work(0.2);
	if (rank == 1 && step == 15)
		work(0.1);
	before = now();
	MPI_Allreduce(&step, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (step == 15)
		printf("rank %d: %.6f\n", rank, before);
}

static void one_step(int step)
{
	if (rank == 1 && step > 1)
		MPI_Recv(bytes, STEPS, MPI_CHAR, 0, 1, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	reduce(step);
	if (rank == 0 && step == 9)
		work(0.1);
	if (rank == 0 && step < STEPS)
		MPI_Send(bytes, step, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	const int control = argc > 1 && !strcmp(argv[1], "control");
	unsigned phase;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	phase = pupc_create_event("step", "%d");
	for (int step = 1; step <= STEPS; step++) {
		if (control && step == 10)
			MPI_Pcontrol(1);
		pupc_event_start(phase, step);
		one_step(step);
		pupc_event_end(phase, step);
		if (control && step == 20)
			MPI_Pcontrol(0);
	}
	MPI_Finalize();
	return 0;
}
