/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_loops, of 2 ranks: rank 1 polls, in loops of several calls, for what rank
 * 0 is late with.  Of each way: `polls: WAY calls N`, what its line made in
 * all, and `fault: WAY 0 cases 1 seconds S`, from when the polling begins to
 * when rank 0 begins its call.
 *   two     MPI_Test of two requests by turns
 *   null    MPI_Test of two requests by turns, of which one is complete
 *   any     MPI_Testany of a receive, MPI_Iprobe for another
 *   improbe MPI_Improbe
 *   nap     MPI_Improbe, and a nap of a millisecond
 *   sync    MPI_Iprobe and MPI_Win_sync
 *   fetch   MPI_Fetch_and_op of an own word, and MPI_Win_flush
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#include "work.h"

#define LATE  0.1 /* seconds */
#define WORLD MPI_COMM_WORLD
#define NONE  MPI_STATUS_IGNORE

static MPI_Win window;
static int *word;
static long calls;

static MPI_Request receive(double *when, int tag)
{
	MPI_Request request;

	MPI_Irecv(when, 1, MPI_DOUBLE, 0, tag, WORLD, &request);
	return request;
}

static void two(double *when)
{
	double never;
	MPI_Request r[] = { receive(when, 1), receive(&never, 2) };

	for (int done = 0; !done; calls++)
		MPI_Test(&r[calls % 2], &done, NONE); /* POLLS two */
	MPI_Cancel(&r[1]);
	MPI_Wait(&r[1], NONE);
}

static void null(double *when)
{
	MPI_Request r[] = { MPI_REQUEST_NULL, receive(when, 1) };

	for (int done; r[1] != MPI_REQUEST_NULL; calls++)
		MPI_Test(&r[calls % 2], &done, NONE); /* POLLS null */
}

static void any(double *when)
{
	MPI_Request r = receive(when, 1);

	/* clang-format off */
	for (int at, seen, done = 0; !done; calls += 1 + !done)
		MPI_Testany(1, &r, &at, &done, NONE), done || MPI_Iprobe(0, 3, WORLD, &seen, NONE); /* POLLS any */
	/* clang-format on */
}

static void improbe(double *when)
{
	MPI_Message m;

	for (int done = 0; !done; calls++)
		MPI_Improbe(0, 1, WORLD, &done, &m, NONE); /* POLLS improbe */
	MPI_Mrecv(when, 1, MPI_DOUBLE, &m, NONE);
}

static void nap(double *when)
{
	MPI_Message m;

	for (int done = 0; !done; calls++, usleep(1000))
		MPI_Improbe(0, 1, WORLD, &done, &m, NONE); /* POLLS nap */
	MPI_Mrecv(when, 1, MPI_DOUBLE, &m, NONE);
}

static void sync_between(double *when)
{
	/* clang-format off */
	for (int done = 0; !done; calls += 2)
		MPI_Win_sync(window), MPI_Iprobe(0, 1, WORLD, &done, NONE); /* POLLS sync */
	/* clang-format on */
	MPI_Recv(when, 1, MPI_DOUBLE, 0, 1, WORLD, NONE);
}

static void fetch(double *when)
{
	/* clang-format off */
	for (int value = 0; !value; calls += 2)
		MPI_Fetch_and_op(NULL, &value, MPI_INT, 1, 0, MPI_NO_OP, window), MPI_Win_flush(1, window); /* POLLS fetch */
	/* clang-format on */
	MPI_Recv(when, 1, MPI_DOUBLE, 0, 1, WORLD, NONE);
}

static const struct {
	const char *name;
	void (*poll)(double *when);
} ways[] = { { "two", two },	     { "null", null }, { "any", any },
	     { "improbe", improbe }, { "nap", nap },   { "sync", sync_between },
	     { "fetch", fetch } };

enum { FETCH = 6, WAYS };

static void be_late(int way)
{
	const int one = 1;
	double when;

	work(LATE);
	when = now();
	if (way == FETCH) {
		MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE,
			       window);
		MPI_Win_flush(1, window);
	}
	MPI_Send(&when, 1, MPI_DOUBLE, 1, 1, WORLD); /* LATE */
}

int main(int argc, char **argv)
{
	double begun, when;
	int me;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &me);
	MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, WORLD,
			 &word, &window);
	*word = 0;
	MPI_Win_lock_all(0, window);
	for (int way = 0; way < WAYS; way++) {
		calls = 0;
		MPI_Barrier(WORLD);
		begun = now();
		if (me == 0) {
			be_late(way);
			continue;
		}
		ways[way].poll(&when);
		printf("polls: %s calls %ld\nfault: %s 0 cases 1 seconds %.6f\n",
		       ways[way].name, calls, ways[way].name, when - begun);
	}
	MPI_Barrier(WORLD);
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
