/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of 2 ranks one comes LATE to each of these, ROUNDS times, and by its own
 * clock tells how long the other waited: `fault: FAULT RANK cases N seconds S`.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#include "persistent.h"
#include "work.h"

#define ROUNDS	3
#define LATE_US 50000
#define WORLD	MPI_COMM_WORLD
#define IGNORE	MPI_STATUS_IGNORE
#define ONE	words, 1, MPI_DOUBLE

static int me;
static double came[ROUNDS];
static MPI_Comm ring, inter; /* of both; one on either side */
static MPI_Win window;
static MPI_Request requests[2];
static double words[2];

static void be_late(int rank, int i)
{
	if (me == rank)
		usleep(LATE_US);
	came[i] = now();
}

/* 1. To a neighbour, and from the other, in one buffer. */
static void swap(int i)
{
	int by, to;

	MPI_Cart_shift(ring, 0, 1, &by, &to);
	be_late(0, i);
	MPI_Sendrecv_replace(ONE, to, 3, by, 3, ring, IGNORE); /* LATE swap */
}

/* 2. and 3. What comes from anyone, by whichever call tells of it. */
static void waitsome(int i)
{
	int some, at[2];

	if (me == 1)
		for (int j = 0; j < 2; j++)
			MPI_Irecv(&words[j], 1, MPI_DOUBLE, MPI_ANY_SOURCE, j,
				  WORLD, &requests[j]);
	be_late(0, i);
	if (me == 0)
		for (int j = 0; j < 2; j++)
			MPI_Send(ONE, 1, j, WORLD); /* LATE waitsome */
	else
		for (int n = 0; n < 2; n += some)
			MPI_Waitsome(2, requests, &some, at,
				     MPI_STATUSES_IGNORE);
}

static void waitany(int i)
{
	int at;

	if (me == 1)
		for (int j = 0; j < 2; j++)
			MPI_Irecv(&words[j], 1, MPI_DOUBLE, 0, MPI_ANY_TAG,
				  WORLD, &requests[j]);
	be_late(0, i);
	for (int j = 0; j < 2; j++)
		if (me == 0)
			MPI_Send(ONE, 1, j, WORLD); /* LATE waitany */
		else
			MPI_Waitany(2, requests, &at, IGNORE);
}

/* 4. Persistent requests: late is who starts one late. */
static void persistent(int i)
{
	if (i == 0 && me == 0)
		MPI_Send_init(ONE, 1, 6, WORLD, requests);
	else if (i == 0)
		MPI_Recv_init(ONE, 0, 6, WORLD, requests);
	be_late(0, i);
	MPI_Startall(1, requests); /* LATE persistent */
	MPI_Wait(requests, IGNORE);
	if (i == ROUNDS - 1)
		MPI_Request_free(requests);
}

/* 5. to 7. The other side of an intercommunicator. */
static void broadcast(int i)
{
	be_late(0, i);
	MPI_Bcast(ONE, me ? 0 : MPI_ROOT, inter); /* LATE broadcast */
}

static void sum(int i)
{
	const int root = me ? 0 : MPI_ROOT;

	be_late(1, i);
	MPI_Reduce(&words[1], ONE, MPI_SUM, root, inter); /* LATE sum */
}

static void meet(int i)
{
	be_late(1, i);
	MPI_Barrier(inter); /* LATE meet */
}

/* 8. All of a window, of which a part is locked by its owner. */
static void lock(int i)
{
	MPI_Request put;

	if (me == 0)
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window); /* LATE lock */
	MPI_Barrier(WORLD);
	be_late(0, i);
	if (me == 0) {
		MPI_Win_unlock(0, window);
		return;
	}
	MPI_Win_lock_all(0, window);
	MPI_Rput(ONE, 0, 0, 1, MPI_DOUBLE, window, &put);
	MPI_Wait(&put, IGNORE);
	MPI_Win_unlock_all(window);
}

/* 9. to 13. Persistent collectives. */
static void start(int late, int i)
{
	be_late(late, i);
	MPI_Start(requests); /* LATE started */
	MPI_Wait(requests, IGNORE);
	if (i == ROUNDS - 1)
		MPI_Request_free(requests);
}

static void start_barrier(int i)
{
	if (i == 0)
		MPI_Barrier_init(WORLD, MPI_INFO_NULL, requests);
	start(0, i);
}

static void start_allreduce(int i)
{
	if (i == 0)
		MPI_Allreduce_init(&words[1], ONE, MPI_SUM, WORLD,
				   MPI_INFO_NULL, requests);
	start(1, i);
}

static void start_broadcast(int i)
{
	if (i == 0)
		MPI_Bcast_init(ONE, 1, WORLD, MPI_INFO_NULL, requests);
	start(1, i);
}

static void start_reduce(int i)
{
	if (i == 0)
		MPI_Reduce_init(&words[1], ONE, MPI_SUM, 1, WORLD,
				MPI_INFO_NULL, requests);
	start(0, i);
}

static void start_scan(int i)
{
	if (i == 0)
		MPI_Scan_init(&words[1], ONE, MPI_SUM, WORLD, MPI_INFO_NULL,
			      requests);
	start(0, i);
}

static const struct {
	const char *name;
	int late;
	void (*round)(int i);
} faults[] = {
	{ "swap", 0, swap },
	{ "waitsome", 0, waitsome },
	{ "waitany", 0, waitany },
	{ "persistent", 0, persistent },
	{ "broadcast", 0, broadcast },
	{ "sum", 1, sum },
	{ "meet", 1, meet },
	{ "lock", 0, lock },
	{ "start_barrier", 0, start_barrier },
	{ "start_allreduce", 1, start_allreduce },
	{ "start_broadcast", 1, start_broadcast },
	{ "start_reduce", 0, start_reduce },
	{ "start_scan", 0, start_scan },
};

static void tell(const char *name, int late)
{
	double theirs[ROUNDS], seconds = 0;

	MPI_Sendrecv(came, ROUNDS, MPI_DOUBLE, 1 - me, 0, theirs, ROUNDS,
		     MPI_DOUBLE, 1 - me, 0, WORLD, IGNORE);
	for (int i = 0; i < ROUNDS; i++)
		seconds += came[i] - theirs[i];
	if (me == late)
		printf("fault: %s %d cases %d seconds %.6f\n", name, late,
		       ROUNDS, seconds);
}

int main(int argc, char **argv)
{
	int two = 2, periodic = 1;
	double *memory;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &me);
	MPI_Cart_create(WORLD, 1, &two, &periodic, 0, &ring);
	MPI_Intercomm_create(MPI_COMM_SELF, 0, WORLD, 1 - me, 7, &inter);
	MPI_Win_allocate(64, 8, MPI_INFO_NULL, WORLD, &memory, &window);
	for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
		for (int i = 0; i < ROUNDS; i++) {
			MPI_Barrier(WORLD);
			faults[f].round(i);
		}
		tell(faults[f].name, faults[f].late);
	}
	MPI_Win_free(&window);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&ring);
	MPI_Finalize();
	return 0;
}
