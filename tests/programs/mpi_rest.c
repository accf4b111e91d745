/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_rest STEPS: the same calls in each step, for traces that end at a size
 * limit.  A receive that a step posts is completed by the next one, so that
 * some are under way wherever a trace ends.  Each rank prints how many bytes
 * its receives got: `received RANK BYTES`.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define WORLD MPI_COMM_WORLD
enum { MOST = 64 };

static int rank, size, left, right;
static long received;
static double from[2][MOST], to[2][MOST], early[MOST], late[MOST], kept[MOST];
static MPI_Request pending = MPI_REQUEST_NULL, persistent[2];

static void count(MPI_Status *status)
{
	int n;

	MPI_Get_count(status, MPI_DOUBLE, &n);
	received += n * (long)sizeof(double);
}

/* Two messages around the ring, of a size that changes. */
static void exchange(int step)
{
	const int n = 1 + step % MOST;
	MPI_Request requests[4];
	MPI_Status statuses[4];

	for (int i = 0; i < 2; i++)
		MPI_Irecv(from[i], MOST, MPI_DOUBLE, i ? right : left, i, WORLD,
			  &requests[i]);
	for (int i = 0; i < 2; i++)
		MPI_Isend(to[i], n, MPI_DOUBLE, i ? left : right, i, WORLD,
			  &requests[2 + i]);
	MPI_Waitall(4, requests, statuses);
	count(&statuses[0]);
	count(&statuses[1]);
}

/* Completes the receive of the step before, and posts the next one. */
static void across(int step)
{
	MPI_Status status;

	MPI_Send(early, 1 + step % 7, MPI_DOUBLE, right, 2, WORLD);
	if (step > 0) {
		MPI_Wait(&pending, &status);
		count(&status);
	}
	MPI_Irecv(late, MOST, MPI_DOUBLE, left, 2, WORLD, &pending);
}

static void start_all(void)
{
	MPI_Status statuses[2];

	MPI_Startall(2, persistent);
	MPI_Waitall(2, persistent, statuses);
	count(&statuses[0]);
}

static void collect(int step)
{
	double sum[2], all[2] = { rank, step };

	MPI_Allreduce(all, sum, 2, MPI_DOUBLE, MPI_SUM, WORLD);
	if (step % 8 == 0)
		MPI_Bcast(sum, 1 + step % 2, MPI_DOUBLE, step % size, WORLD);
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 1;
	MPI_Status status;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Comm_size(WORLD, &size);
	left = (rank + size - 1) % size;
	right = (rank + 1) % size;
	MPI_Recv_init(kept, MOST, MPI_DOUBLE, left, 3, WORLD, &persistent[0]);
	MPI_Send_init(early, 5, MPI_DOUBLE, right, 3, WORLD, &persistent[1]);
	for (int step = 0; step < steps; step++) {
		exchange(step);
		across(step);
		start_all();
		collect(step);
	}
	MPI_Wait(&pending, &status);
	count(&status);
	MPI_Request_free(&persistent[0]);
	MPI_Request_free(&persistent[1]);
	MPI_Barrier(WORLD);
	printf("received %d %ld\n", rank, received);
	MPI_Finalize();
	return 0;
}
