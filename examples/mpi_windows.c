/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One-sided windows with built-in faults.  Three ranks: rank 0 owns the memory,
 * rank 1 writes to it, by epochs of start and post.  It exposes the memory too
 * late, waits while rank 1 works between its puts, and while it has other
 * things to do before it completes them; then all wait for rank 2 at a fence.
 * Prints by its own clock what a tool should find.
 */
#include <mpi.h>
#include <stdio.h>
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

/* Prints what the rank that waited has measured. */
static void fault(const char *name, int late, double seconds)
{
	printf("fault: %s %d by rank %d seconds %.6f\n", name, late, rank,
	       seconds);
}

static void put(void)
{
	static const double value = 1;

	MPI_Put(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window);
}

/* Seconds of rank 1 in its epoch, while rank 0 does something else. */
static void late_post(void)
{
	const double start = MPI_Wtime();

	if (rank == 0) {
		idle();
		MPI_Win_post(origin, 0, window); /* LATE late-post */
		MPI_Win_wait(window);
	} else if (rank == 1) {
		MPI_Win_start(target, 0, window);
		put();
		MPI_Win_complete(window);
		fault("late-post", 0, MPI_Wtime() - start);
	}
}

/* Seconds of rank 0 in its wait, until the second put. */
static void early_wait(void)
{
	double start;

	if (rank == 0) {
		MPI_Win_post(origin, 0, window);
		start = MPI_Wtime();
		MPI_Win_wait(window); /* WAIT early-wait */
		fault("early-wait", 1, MPI_Wtime() - start);
	} else if (rank == 1) {
		MPI_Win_start(target, 0, window);
		put();
		idle();
		put();
		MPI_Win_complete(window);
	}
}

/* Seconds of rank 0 in its wait, after the last put. */
static void late_complete(void)
{
	double start;

	if (rank == 0) {
		MPI_Win_post(origin, 0, window);
		start = MPI_Wtime();
		MPI_Win_wait(window); /* WAIT late-complete */
		fault("late-complete", 1, MPI_Wtime() - start);
	} else if (rank == 1) {
		MPI_Win_start(target, 0, window);
		put();
		idle();
		MPI_Win_complete(window);
	}
}

/* Seconds of ranks 0 and 1 at a fence that ends with rank 2's coming. */
static void late_fence(void)
{
	double start, mine, seconds;

	MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
	if (rank == 1)
		put();
	if (rank == 2)
		idle();
	start = MPI_Wtime();
	MPI_Win_fence(MPI_MODE_NOSUCCEED, window); /* WAIT late-fence */
	mine = rank == 2 ? 0 : MPI_Wtime() - start;
	MPI_Reduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		fault("late-fence", 2, seconds);
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
