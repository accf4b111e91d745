/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults in the program's own functions, for gaspcc --inst-functions and record
 * --memory:
 *     refine() takes SLOW_MS longer on rank SLOW in each step when solve() calls
 *         it, not when check() does, and the others wait for it in comm_sum(), a
 *         wrapper that is called for other sums too
 *     remember() of rank FORGETFUL never frees what it keeps of each step
 *     the phase "step" gives the residual, 1 / 2^step, of rank 0 at its end
 * FAULT marks the causes, WAIT the call in which others wait.  Rank SLOW prints
 * how much longer refine() took there than on the ranks' mean, rank FORGETFUL
 * what it never freed.
 */
#include <mpi.h>
#include <pupc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 10, SLOW = 2, SLOW_MS = 30, FORGETFUL = 1, KEPT = 100000 };

static int rank, ranks;
static double refined_ns;

__attribute__((no_instrument_function)) static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Not on a processor, which the ranks may share. */
__attribute__((no_instrument_function)) static void pass(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

static double comm_sum(double x)
{
	double sum;

	MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* WAIT slow-function */
	return sum;
}

static void refine(bool finest)
{
	const double begun = now_ns();

	pass(rank == SLOW && finest ? 1 + SLOW_MS : 1); /* FAULT slow-function */
	refined_ns += now_ns() - begun;
}

static void remember(void)
{
	static char *kept;
	char *next = malloc(KEPT); /* FAULT leak */

	memset(next, 1, KEPT);
	if (rank != FORGETFUL)
		free(kept);
	kept = next;
}

static double solve(void)
{
	refine(true);
	return comm_sum(rank);
}

static void check(void)
{
	refine(false);
	if (comm_sum(1) != ranks)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	double residual = 1, mean;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	const unsigned step = pupc_create_event("step", "residual %g");

	for (int i = 0; i < STEPS; i++, residual /= 2) {
		pupc_event_start(step, 0.0);
		check();
		solve();
		remember();
		pupc_event_end(step, rank == 0 ? residual : 0.0);
	}
	MPI_Reduce(&refined_ns, &mean, 1, MPI_DOUBLE, MPI_SUM, SLOW,
		   MPI_COMM_WORLD);
	if (rank == SLOW)
		printf("fault: slow-function %d seconds %.6f\n", SLOW,
		       (refined_ns - mean / ranks) / 1e9);
	if (rank == FORGETFUL)
		printf("fault: leak %d blocks %d bytes %d\n", FORGETFUL, STEPS,
		       STEPS * KEPT);
	MPI_Finalize();
	return 0;
}
