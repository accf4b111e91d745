/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_polls, of 2 ranks: rank 1 polls in several ways for what rank 0 is late
 * with.  Each prints, by the program's own clock, from when the polling begins
 * to when rank 0 begins its call: `fault: WAY RANK cases N seconds S`.
 *   test    MPI_Test, and nothing else
 *   any     MPI_Testany over several receives of which one comes
 *   probe   MPI_Iprobe, then MPI_Recv
 *   sleep   MPI_Test, and a nap of a millisecond
 *   sender  MPI_Test of a send that is too large to be buffered
 *   barrier MPI_Testall of MPI_Ibarrier
 *   started MPI_Test of a persistent MPI_Allreduce
 *   exposed MPI_Win_test
 * and, without being at fault,
 *   work    MPI_Test, and work of 2 ms
 *   often   MPI_Test, and work of 30 us
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#include "persistent.h"
#include "work.h"

#define ROUNDS 3
#define LATE   0.1 /* seconds */
#define LARGE  (4 << 20)
#define OTHERS 4

#define WORLD	MPI_COMM_WORLD
#define IGNORE	MPI_STATUS_IGNORE
#define IGNORES MPI_STATUSES_IGNORE

static char large[LARGE];
static MPI_Request sum = MPI_REQUEST_NULL;
static int in, out;
static MPI_Group other;
static MPI_Win window;

static MPI_Request receive(double *when)
{
	MPI_Request request;

	MPI_Irecv(when, 1, MPI_DOUBLE, 0, 1, WORLD, &request);
	return request;
}

static void test(double *when)
{
	MPI_Request request = receive(when);

	for (int done = 0; !done;)
		MPI_Test(&request, &done, IGNORE); /* POLLS test */
}

static void sleep_between(double *when)
{
	MPI_Request request = receive(when);

	for (int done = 0; !done; usleep(1000))
		MPI_Test(&request, &done, IGNORE); /* POLLS sleep */
}

static void work_between(double *when)
{
	MPI_Request request = receive(when);

	for (int done = 0; !done; work(0.002))
		MPI_Test(&request, &done, IGNORE); /* POLLS work */
}

static void work_often(double *when)
{
	MPI_Request request = receive(when);

	for (int done = 0; !done; work(0.00003))
		MPI_Test(&request, &done, IGNORE); /* POLLS often */
}

static void any(double *when)
{
	MPI_Request r[1 + OTHERS];
	char nothing[OTHERS];
	int at, done = 0;

	for (int i = 0; i < OTHERS; i++)
		MPI_Irecv(&nothing[i], 1, MPI_CHAR, 0, 10 + i, WORLD, &r[i]);
	r[OTHERS] = receive(when);
	while (!done)
		MPI_Testany(1 + OTHERS, r, &at, &done, IGNORE); /* POLLS any */
	for (int i = 0; i < OTHERS; i++)
		MPI_Send(NULL, 0, MPI_CHAR, 0, 10 + i, WORLD);
	MPI_Waitall(OTHERS, r, IGNORES);
}

static void probe(double *when)
{
	for (int done = 0; !done;)
		MPI_Iprobe(0, 1, WORLD, &done, IGNORE); /* POLLS probe */
	MPI_Recv(when, 1, MPI_DOUBLE, 0, 1, WORLD, IGNORE);
}

static void send_large(double *when)
{
	MPI_Request request;

	MPI_Isend(large, LARGE, MPI_CHAR, 0, 2, WORLD, &request);
	for (int done = 0; !done;)
		MPI_Test(&request, &done, IGNORE); /* POLLS sender */
	MPI_Recv(when, 1, MPI_DOUBLE, 0, 1, WORLD, IGNORE);
}

static void barrier(double *when)
{
	MPI_Request request;

	MPI_Ibarrier(WORLD, &request);
	for (int done = 0; !done;)
		MPI_Testall(1, &request, &done, IGNORES); /* POLLS barrier */
	MPI_Recv(when, 1, MPI_DOUBLE, 0, 1, WORLD, IGNORE);
}

static void start_sum(void)
{
	if (sum == MPI_REQUEST_NULL)
		MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, WORLD,
				   MPI_INFO_NULL, &sum);
	MPI_Start(&sum);
}

static void started(double *when)
{
	start_sum();
	for (int done = 0; !done;)
		MPI_Test(&sum, &done, IGNORE); /* POLLS started */
	MPI_Recv(when, 1, MPI_DOUBLE, 0, 1, WORLD, IGNORE);
}

static void exposed(double *when)
{
	MPI_Win_post(other, 0, window);
	for (int done = 0; !done;)
		MPI_Win_test(window, &done); /* POLLS exposed */
	MPI_Recv(when, 1, MPI_DOUBLE, 0, 1, WORLD, IGNORE);
}

static const struct {
	const char *name;
	void (*poll)(double *when);
} ways[] = { { "test", test },	       { "any", any },
	     { "probe", probe },       { "sleep", sleep_between },
	     { "work", work_between }, { "sender", send_large },
	     { "barrier", barrier },   { "started", started },
	     { "exposed", exposed },   { "often", work_often } };

enum { ANY = 1, SENDER = 5, BARRIER, STARTED, EXPOSED, OFTEN, WAYS };

/* Rank 0's part of what is no message. */
static void join(int way)
{
	MPI_Request request;

	if (way == BARRIER) {
		MPI_Ibarrier(WORLD, &request);
		MPI_Wait(&request, IGNORE);
	} else if (way == STARTED) {
		start_sum();
		MPI_Wait(&sum, IGNORE);
	} else if (way == EXPOSED) {
		MPI_Win_start(other, 0, window);
		MPI_Put(&out, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
		MPI_Win_complete(window);
	}
}

static void answer(int way)
{
	double when;
	char nothing;

	work(LATE);
	when = now();
	if (way == SENDER)
		MPI_Recv(large, LARGE, MPI_CHAR, 1, 2, WORLD, IGNORE);
	join(way);
	MPI_Send(&when, 1, MPI_DOUBLE, 1, 1, WORLD); /* LATE */
	for (int i = 0; way == ANY && i < OTHERS; i++) {
		MPI_Recv(NULL, 0, MPI_CHAR, 1, 10 + i, WORLD, IGNORE);
		MPI_Send(&nothing, 1, MPI_CHAR, 1, 10 + i, WORLD);
	}
}

int main(int argc, char **argv)
{
	double seconds[WAYS] = { 0 }, begun, when;
	MPI_Group both;
	int *memory, me;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &me);
	MPI_Comm_group(WORLD, &both);
	MPI_Group_excl(both, 1, &me, &other);
	MPI_Win_allocate(sizeof in, 1, MPI_INFO_NULL, WORLD, &memory, &window);
	for (int i = 0; i < WAYS * ROUNDS; i++) {
		MPI_Barrier(WORLD);
		begun = now();
		if (me == 0) {
			answer(i % WAYS);
		} else {
			ways[i % WAYS].poll(&when);
			seconds[i % WAYS] += when - begun;
		}
	}
	MPI_Request_free(&sum);
	MPI_Win_free(&window);
	for (int i = 0; me == 1 && i < WAYS; i++)
		printf("fault: %s 0 cases %d seconds %.6f\n", ways[i].name,
		       ROUNDS, seconds[i]);
	MPI_Finalize();
	return 0;
}
