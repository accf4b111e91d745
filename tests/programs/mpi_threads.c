/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks of THREADS threads that all call MPI.
 *   mpi_threads faults  in each of ROUNDS rounds of each fault, thread 2 of
 *     rank 0 comes LATE (and thread 1 a fifth of that), and prints how long
 *     the others' threads waited for it by their own clocks:
 *     `fault: FAULT 2 cases ROUNDS seconds S`
 *       sender, reduce  each thread on a communicator of its own
 *       receiver  each thread by a tag of its own
 *       other     threads wait for receives that others of them have posted
 *       probe     threads receive what others of them have probed
 *   mpi_threads storm  each thread sends MESSAGES messages, of size_of(thread,
 *     number) bytes, in each of four ways (the enum), by changing calls
 */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

#define THREADS	 3
#define ROUNDS	 3
#define LATE_US	 50000
#define MESSAGES 100
#define WORLD	 MPI_COMM_WORLD
#define IGNORE	 MPI_STATUS_IGNORE

static int me;
static MPI_Comm own[THREADS], shared; /* by thread; of all threads */
static pthread_barrier_t all;
static char memory[THREADS][1 << 20];

/* --- faults --------------------------------------------------------------- */

enum { SENDER, REDUCE, RECEIVER, OTHER, PROBE, FAULTS };
static const char *const names[] = { "sender", "reduce", "receiver", "other",
				     "probe" };

/* When a thread came, or began to wait for the other rank's of that number. */
static double came[FAULTS][THREADS][ROUNDS];
static MPI_Request requests[THREADS];
static MPI_Message messages[THREADS];

static void be_late(int fault, int k, int i)
{
	if (me == 0 && k > 0)
		usleep(k == 2 ? LATE_US : LATE_US / 5);
	came[fault][k][i] = now();
}

static void sender(int k, int i)
{
	be_late(SENDER, k, i);
	if (me == 0)
		MPI_Send(&i, 1, MPI_INT, 1, 5, own[k]); /* LATE sender */
	else
		MPI_Recv(&i, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, own[k],
			 IGNORE);
}

static void reduce(int k, int i)
{
	int sum;

	be_late(REDUCE, k, i);
	MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, own[k]); /* LATE reduce */
}

static void receiver(int k, int i)
{
	const int n = sizeof memory[k];
	char *b = memory[k];

	be_late(RECEIVER, k, i);
	if (me == 1) {
		MPI_Send(b, n, MPI_BYTE, 0, k, WORLD);
		return;
	}
	MPI_Recv(b, n, MPI_BYTE, 1, k, WORLD, IGNORE); /* LATE receiver */
}

static void other(int k, int i)
{
	const int next = (k + 1) % THREADS;

	if (me == 0) {
		be_late(OTHER, k, i);
		MPI_Send(memory[k], 9, MPI_BYTE, 1, k, WORLD); /* LATE other */
		return;
	}
	MPI_Irecv(memory[k], 9, MPI_BYTE, 0, k, WORLD, &requests[k]);
	pthread_barrier_wait(&all);
	be_late(OTHER, next, i);
	MPI_Wait(&requests[next], IGNORE);
}

static void probe(int k, int i)
{
	const int next = (k + 1) % THREADS;

	be_late(PROBE, k, i);
	if (me == 0) {
		MPI_Send(memory[k], 9, MPI_BYTE, 1, k, WORLD); /* LATE probe */
		return;
	}
	MPI_Mprobe(MPI_ANY_SOURCE, k, WORLD, &messages[k], IGNORE);
	pthread_barrier_wait(&all);
	MPI_Mrecv(memory[k], 9, MPI_BYTE, &messages[next], IGNORE);
}

static void faults(int k)
{
	static void (*const fault[])(int k, int i) = { sender, reduce, receiver,
						       other, probe };

	for (int f = 0; f < FAULTS; f++)
		for (int i = 0; i < ROUNDS; i++) {
			MPI_Barrier(own[k]);
			pthread_barrier_wait(&all);
			fault[f](k, i);
			pthread_barrier_wait(&all);
		}
}

static void tell(void)
{
	static double began[FAULTS][THREADS][ROUNDS];
	const int n = sizeof began / sizeof(double);

	if (me == 1) {
		MPI_Send(came, n, MPI_DOUBLE, 0, 0, WORLD);
		return;
	}
	MPI_Recv(began, n, MPI_DOUBLE, 1, 0, WORLD, IGNORE);
	for (int f = 0; f < FAULTS; f++) {
		double seconds = 0;

		for (int i = 0; i < ROUNDS; i++)
			if (came[f][2][i] > began[f][2][i])
				seconds += came[f][2][i] - began[f][2][i];
		printf("fault: %s 2 cases %d seconds %.6f\n", names[f], ROUNDS,
		       seconds);
	}
}

/* --- storm ---------------------------------------------------------------- */

/* Rank 0 sends: on a communicator a thread; on one, by a tag a thread; with one
   tag (1000) for all threads.  Both send: on a communicator a thread. */
enum { BY_COMMUNICATOR, BY_TAG, BY_NOTHING, BOTH_SEND, WAYS };

static int size_of(int k, int i)
{
	return 1 + (7 * i + 131 * k) % 900;
}

static void send(int how, int n, int tag, MPI_Comm comm)
{
	char *b = memory[0];
	MPI_Request r;
	int done = 0;

	if (how == 0) {
		MPI_Send(b, n, MPI_BYTE, 1, tag, comm);
		return;
	} else if (how == 1) {
		MPI_Isend(b, n, MPI_BYTE, 1, tag, comm, &r);
	} else if (how == 2) {
		MPI_Issend(b, n, MPI_BYTE, 1, tag, comm, &r);
	} else {
		MPI_Send_init(b, n, MPI_BYTE, 1, tag, comm, &r);
		MPI_Start(&r);
	}
	for (; !done; sched_yield())
		MPI_Test(&r, &done, IGNORE);
	if (how == 3)
		MPI_Request_free(&r);
}

/* Returns the size. */
static int receive(int how, char *b, int tag, MPI_Comm comm)
{
	MPI_Request r;
	MPI_Message message;
	MPI_Status status;
	int there = 0, n;

	if (how == 0) {
		MPI_Recv(b, 999, MPI_BYTE, MPI_ANY_SOURCE, tag, comm, &status);
	} else if (how == 1) {
		MPI_Irecv(b, 999, MPI_BYTE, 0, tag, comm, &r);
		MPI_Wait(&r, &status);
	} else if (how == 2) {
		MPI_Mprobe(0, tag, comm, &message, &status);
		MPI_Mrecv(b, 999, MPI_BYTE, &message, &status);
	} else {
		for (; !there; sched_yield())
			MPI_Improbe(0, tag, comm, &there, &message, &status);
		MPI_Imrecv(b, 999, MPI_BYTE, &message, &r);
		MPI_Wait(&r, &status);
	}
	MPI_Get_count(&status, MPI_BYTE, &n);
	return n;
}

static void both(int how, char *b, int k, int i)
{
	MPI_Request r[2];
	int n = 0, some, at[2];

	MPI_Irecv(b, 999, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, own[k], &r[0]);
	MPI_Isend(memory[k], size_of(k, i), MPI_BYTE, 1 - me, i, own[k], &r[1]);
	if (how == 0)
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	else if (how == 1)
		for (; n < 2; n++)
			MPI_Waitany(2, r, at, IGNORE);
	else if (how == 2)
		for (; n < 2; n += some)
			MPI_Waitsome(2, r, &some, at, MPI_STATUSES_IGNORE);
	else
		for (; !n; sched_yield())
			MPI_Testall(2, r, &n, MPI_STATUSES_IGNORE);
}

static void message(int way, int k, int i)
{
	static _Thread_local char b[999];
	static _Thread_local unsigned random;
	const MPI_Comm comm = way == BY_COMMUNICATOR ? own[k] : shared;
	const int tag = way == BY_NOTHING ? 1000 : k;
	const int how = (rand_r(&random) + k + me) % 4;

	if (way == BOTH_SEND)
		both(how, b, k, i);
	else if (me == 0)
		send(how, size_of(k, i), tag, comm);
	else if (receive(how, b, tag, comm) != size_of(k, i) &&
		 way != BY_NOTHING)
		MPI_Abort(WORLD, 1);
}

static void storm(int k)
{
	for (int way = 0; way < WAYS; way++) {
		MPI_Barrier(own[k]);
		pthread_barrier_wait(&all);
		for (int i = 0; i < MESSAGES; i++)
			message(way, k, i);
		pthread_barrier_wait(&all);
	}
}

/* --- threads -------------------------------------------------------------- */

static pthread_barrier_t begun; /* the first calls are in the threads' order */
static void (*what)(int k);
static int numbers[THREADS];

static void *run(void *number)
{
	MPI_Barrier(MPI_COMM_SELF);
	pthread_barrier_wait(&begun);
	what(*(int *)number);
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const of[THREADS] = { "of 0", "of 1", "of 2" };
	pthread_t thread[THREADS];
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (argc < 2 || level != MPI_THREAD_MULTIPLE)
		return 2;
	what = strcmp(argv[1], "storm") ? faults : storm;
	MPI_Comm_rank(WORLD, &me);
	pthread_barrier_init(&all, NULL, THREADS);
	pthread_barrier_init(&begun, NULL, 2);
	MPI_Comm_dup(WORLD, &shared);
	MPI_Comm_set_name(shared, "shared");
	for (int k = 0; k < THREADS; k++) {
		MPI_Comm_dup(WORLD, &own[k]);
		MPI_Comm_set_name(own[k], of[k]);
	}
	for (int k = 1; k < THREADS; k++) {
		numbers[k] = k;
		pthread_create(&thread[k], NULL, run, &numbers[k]);
		pthread_barrier_wait(&begun);
	}
	what(0);
	for (int k = 1; k < THREADS; k++)
		pthread_join(thread[k], NULL);
	if (what == faults)
		tell();
	MPI_Finalize();
	return 0;
}
