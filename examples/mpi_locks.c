/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Locks of a one-sided window with built-in faults.  Three ranks: rank 0 owns
 * the memory; rank 1 keeps it locked for itself while rank 2 wants to write to
 * it, then shared while rank 2 wants it alone.  At last both share it, and
 * nobody has to wait.  Each rank reads the clock (of their one host) when it
 * begins to wait, or has given the lock back; prints the seconds between, which
 * a tool should find.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define ALONE_S	 1.2
#define SHARED_S 0.6

static int rank;
static double memory[8];
static MPI_Win window;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void put(void)
{
	static const double value = 1;

	MPI_Put(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window);
}

/* Rank 1 has the lock: rank 2 may try to get it, and will have to wait. */
static void keep(double seconds)
{
	put();
	MPI_Win_flush(0, window);
	MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
	usleep((useconds_t)(seconds * 1e6));
}

/* Rank 1 has given it back. */
static void say_released(void)
{
	const double released = now();

	MPI_Send(&released, 1, MPI_DOUBLE, 2, 1, MPI_COMM_WORLD);
}

/* Prints how long rank 2, which wants to write, waits for rank 1. */
static void write_when_allowed(const char *name, int type)
{
	double start, done, released;

	MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	start = now();
	MPI_Win_lock(type, 0, 0, window); /* WAIT lock */
	put();
	MPI_Win_unlock(0, window);
	done = now();
	usleep(100000); /* so that rank 1, in its unlock, is not the last */
	MPI_Recv(&released, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	printf("fault: %s 1 by rank 2 seconds %.6f\n", name,
	       fmin(released, done) - start);
}

static void held_alone(void)
{
	const int type = MPI_LOCK_EXCLUSIVE;

	if (rank == 1) {
		MPI_Win_lock(type, 0, 0, window); /* HOLD held-alone */
		keep(ALONE_S);
		MPI_Win_unlock(0, window);
		say_released();
	} else if (rank == 2) {
		write_when_allowed("held-alone", MPI_LOCK_SHARED);
	}
}

static void held_shared(void)
{
	if (rank == 1) {
		MPI_Win_lock_all(0, window); /* HOLD held-shared */
		keep(SHARED_S);
		MPI_Win_unlock_all(window);
		say_released();
	} else if (rank == 2) {
		write_when_allowed("held-shared", MPI_LOCK_EXCLUSIVE);
	}
}

static void shared(void)
{
	if (rank == 1) {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window); /* HOLD shared */
		keep(SHARED_S);
		MPI_Win_unlock(0, window);
		say_released();
	} else if (rank == 2) {
		write_when_allowed("shared", MPI_LOCK_SHARED);
	}
}

int main(int argc, char **argv)
{
	int ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (ranks != 3) {
		fprintf(stderr, "mpi_locks: needs 3 ranks\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL,
		       MPI_COMM_WORLD, &window);
	MPI_Barrier(MPI_COMM_WORLD);
	held_alone();
	MPI_Barrier(MPI_COMM_WORLD);
	held_shared();
	MPI_Barrier(MPI_COMM_WORLD);
	shared();
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
