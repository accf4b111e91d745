/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One-sided windows with built-in faults.  Three ranks: rank 0 owns the memory,
 * rank 1 writes to it, by epochs of start and post.  It exposes the memory too
 * late, waits while rank 1 works between its puts, and while it has other
 * things to do before it completes them; then all wait for rank 2 at a fence.
 * Each rank reads the clock (of their one host) when it begins to wait, or when
 * what others wait for happens; prints the seconds between, which a tool should
 * find.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LATE_S 0.8

static int rank;
static double memory[8];
static MPI_Win window;
static MPI_Group origin, target; /* who puts, and where to */

static void idle(void)
{
	usleep((useconds_t)(LATE_S * 1e6));
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Prints for how long one rank waited for another: since both had come so far,
   until the late one did what it waited for. */
static void fault(const char *name, int late, int waiter, double since,
		  double until)
{
	double others[2] = { since, until };

	if (rank == late) {
		MPI_Send(others, 2, MPI_DOUBLE, waiter, 0, MPI_COMM_WORLD);
	} else if (rank == waiter) {
		MPI_Recv(others, 2, MPI_DOUBLE, late, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		printf("fault: %s %d by rank %d seconds %.6f\n", name, late,
		       rank, others[1] - fmax(since, others[0]));
	}
}

static void put(void)
{
	static const double value = 1;

	MPI_Put(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window);
}

/* From rank 1's start of its epoch to rank 0's post. */
static void late_post(void)
{
	double since = 0, until = 0;

	if (rank == 0) {
		idle();
		until = now();
		MPI_Win_post(origin, 0, window); /* LATE late-post */
		MPI_Win_wait(window);
	} else if (rank == 1) {
		since = now();
		MPI_Win_start(target, 0, window);
		put();
		MPI_Win_complete(window);
	}
	fault("late-post", 0, 1, since, until);
}

/* From the beginning of rank 0's wait to the end of the second put. */
static void early_wait(void)
{
	double since = 0, until = 0;

	if (rank == 0) {
		MPI_Win_post(origin, 0, window);
		since = now();
		MPI_Win_wait(window); /* WAIT early-wait */
	} else if (rank == 1) {
		MPI_Win_start(target, 0, window);
		put();
		idle();
		put();
		until = now();
		MPI_Win_complete(window);
	}
	fault("early-wait", 1, 0, since, until);
}

/* From the beginning of rank 0's wait, or the end of the last put, to the
   beginning of rank 1's completion. */
static void late_complete(void)
{
	double since = 0, until = 0;

	if (rank == 0) {
		MPI_Win_post(origin, 0, window);
		since = now();
		MPI_Win_wait(window); /* WAIT late-complete */
	} else if (rank == 1) {
		MPI_Win_start(target, 0, window);
		put();
		since = now();
		idle();
		until = now();
		MPI_Win_complete(window);
	}
	fault("late-complete", 1, 0, since, until);
}

/* From when ranks 0 and 1 come to a fence to when rank 2 does. */
static void late_fence(void)
{
	double moment, came, mine, seconds;

	MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
	if (rank == 1)
		put();
	if (rank == 2)
		idle();
	came = moment = now();
	MPI_Win_fence(MPI_MODE_NOSUCCEED, window); /* WAIT late-fence */
	MPI_Bcast(&came, 1, MPI_DOUBLE, 2, MPI_COMM_WORLD);
	mine = came - moment;
	MPI_Reduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("fault: late-fence 2 by rank 0 seconds %.6f\n", seconds);
}

int main(int argc, char **argv)
{
	MPI_Group world;
	int ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (ranks != 3) {
		fprintf(stderr, "mpi_windows: needs 3 ranks\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, (int[]){ 0 }, &target);
	MPI_Group_incl(world, 1, (int[]){ 1 }, &origin);
	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL,
		       MPI_COMM_WORLD, &window);
	MPI_Barrier(MPI_COMM_WORLD);
	late_post();
	MPI_Barrier(MPI_COMM_WORLD);
	early_wait();
	MPI_Barrier(MPI_COMM_WORLD);
	late_complete();
	MPI_Barrier(MPI_COMM_WORLD);
	late_fence();
	MPI_Win_free(&window);
	MPI_Group_free(&world);
	MPI_Group_free(&target);
	MPI_Group_free(&origin);
	MPI_Finalize();
	return 0;
}
