/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of MPI programs, and the same programs with the advice followed. */
#include <mpi.h>

#include "advice.h"

enum { TIMES = 20, LARGE = 4 << 20, TAG = 7 };

static char large[LARGE], also_large[LARGE];

/* The other rank's work begins with the word, and both meet at the end. */
static void late_sender(int rank, bool mended)
{
	char word = 0;

	for (int i = 0; i < TIMES; i++) {
		if (rank == 1)
			MPI_Recv(&word, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		else if (mended)
			MPI_Send(&word, 1, MPI_CHAR, 1, TAG, MPI_COMM_WORLD);
		work_ms(rank == 1 ? 15 : 20);
		if (rank == 0 && !mended)
			MPI_Send(&word, 1, MPI_CHAR, 1, TAG, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

static void late_broadcast(int rank, bool mended)
{
	int word = 0;

	for (int i = 0; i < TIMES; i++) {
		if (rank == 0 && !mended)
			work_ms(20);
		MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
		if (rank == 1)
			work_ms(15);
		else if (mended)
			work_ms(20);
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

/* All of what rank 0 does more is shared with rank 1. */
static void uneven_work(int rank, bool mended)
{
	double mine = 1, sum = 0;

	for (int i = 0; i < TIMES; i++) {
		work_ms(mended ? 20 : rank == 0 ? 35 : 5);
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
			      MPI_COMM_WORLD);
	}
}

static void uneven_end(int rank, bool mended)
{
	work_ms(mended ? 400 : rank == 0 ? 700 : 100);
}

static void turns(int rank, bool mended)
{
	for (int i = 0; i < TIMES; i++) {
		work_ms(i % 2 == rank ? 35 : 5);
		if (!mended)
			MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* The sender's work leaves the buffer alone. */
static void late_receiver(int rank, bool mended)
{
	MPI_Request request;

	for (int i = 0; i < TIMES; i++) {
		if (rank == 1) {
			work_ms(20);
			MPI_Recv(large, LARGE, MPI_CHAR, 0, TAG, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		} else if (mended) {
			MPI_Isend(large, LARGE, MPI_CHAR, 1, TAG,
				  MPI_COMM_WORLD, &request);
			work_ms(18);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		} else {
			MPI_Send(large, LARGE, MPI_CHAR, 1, TAG,
				 MPI_COMM_WORLD);
			work_ms(18);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

/* The receive is posted before the work, and the work calls the library:
   without that the sender would wait as long. */
static void late_receive_tests(int rank, bool mended)
{
	MPI_Request request;
	int done = 0;

	for (int i = 0; i < TIMES; i++) {
		if (rank == 0) {
			MPI_Send(large, LARGE, MPI_CHAR, 1, TAG,
				 MPI_COMM_WORLD);
			work_ms(18);
		} else if (mended) {
			MPI_Irecv(large, LARGE, MPI_CHAR, 0, TAG,
				  MPI_COMM_WORLD, &request);
			for (int k = 0; k < 20; k++) {
				work_ms(1);
				MPI_Test(&request, &done, MPI_STATUS_IGNORE);
			}
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		} else {
			work_ms(20);
			MPI_Recv(large, LARGE, MPI_CHAR, 0, TAG, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

/* Computation that calls the library now and then, if asked to. */
static void compute_and_test(double ms, MPI_Request *requests, bool test)
{
	int done = 0;

	for (int i = 0; i < 20; i++) {
		compute_ms(ms / 20);
		if (test)
			MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
	}
}

static void begin_exchange(int rank, MPI_Request *requests)
{
	MPI_Irecv(also_large, LARGE, MPI_CHAR, !rank, TAG, MPI_COMM_WORLD,
		  &requests[0]);
	MPI_Isend(large, LARGE, MPI_CHAR, !rank, TAG, MPI_COMM_WORLD,
		  &requests[1]);
}

static void no_overlap(int rank, bool mended)
{
	MPI_Request requests[2];

	for (int i = 0; i < TIMES; i++) {
		begin_exchange(rank, requests);
		if (mended)
			compute_and_test(20, requests, true);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		if (!mended)
			compute_and_test(20, requests, false);
	}
}

/* There is work between, but nothing moves meanwhile. */
static void no_progress(int rank, bool mended)
{
	MPI_Request requests[2];

	for (int i = 0; i < TIMES; i++) {
		begin_exchange(rank, requests);
		compute_and_test(20, requests, mended);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
}

/* Nothing at all happens between the two. */
static void twice(int rank, bool mended)
{
	(void)rank;
	for (int i = 0; i < 20000; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (!mended)
			MPI_Barrier(MPI_COMM_WORLD);
	}
}

static void expose(MPI_Win window, MPI_Group other)
{
	MPI_Win_post(other, 0, window);
	MPI_Win_wait(window);
	work_ms(15);
}

static void access_window(MPI_Win window, MPI_Group other, bool mended)
{
	static int word;

	MPI_Win_start(other, 0, window);
	MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
	if (mended)
		MPI_Win_complete(window);
	work_ms(20);
	if (!mended)
		MPI_Win_complete(window);
}

static void late_complete(int rank, bool mended)
{
	static int memory;
	MPI_Group world, other;
	MPI_Win window;
	const int peer = !rank;

	MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL,
		       MPI_COMM_WORLD, &window);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &peer, &other);
	for (int i = 0; i < TIMES; i++) {
		if (rank == 1)
			expose(window, other);
		else
			access_window(window, other, mended);
	}
	MPI_Win_free(&window);
	MPI_Group_free(&other);
	MPI_Group_free(&world);
}

static const struct pair pairs[] = {
	{ "late_sender", "late sender", "send before the work", late_sender },
	{ "late_broadcast", "late broadcast", "the root calls before its work",
	  late_broadcast },
	{ "late_receiver", "late receiver",
	  "MPI_Isend, work that leaves the buffer alone, MPI_Wait",
	  late_receiver },
	{ "late_receive_tests", "late receiver",
	  "MPI_Irecv, work with MPI_Test, MPI_Wait", late_receive_tests },
	{ "uneven_work", "all-to-all", "an equal share of the work for each",
	  uneven_work },
	{ "uneven_end", "barrier", "an equal share of the work for each",
	  uneven_end },
	{ "turns", "barrier", "one barrier in place of many", turns },
	{ "twice", "back-to-back barriers", "leave one out", twice },
	{ "no_overlap", "no overlap", "work between, with MPI_Testall",
	  no_overlap },
	{ "no_progress", "no progress", "MPI_Testall in the work between",
	  no_progress },
	{ "late_complete", "late complete", "MPI_Win_complete before the work",
	  late_complete },
	{ NULL, NULL, NULL, NULL }
};

int main(int argc, char **argv)
{
	const struct pair *pair;
	double start;
	int rank;

	if (argc != 3)
		return list_pairs(pairs);
	pair = find_pair(pairs, argv[1]);
	if (!pair)
		return 2;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	start = now();
	pair->run(rank, strcmp(argv[2], "mended") == 0);
	MPI_Finalize();
	if (rank == 0)
		printf("%.4f\n", now() - start);
	return 0;
}
