/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_switched [N [THREADS]]: recording is switched off and on between the
 * calls that post, start, probe, receive and complete.  No two messages of a
 * channel have one size, and each goes to the receive that is posted as the
 * how manieth it is sent.  First every pattern of three receives, then N at
 * random, posted by THREADS (1 or 2) threads in turns.  Tells how many messages
 * have both ends recorded, and how many receives were posted while it was on,
 * and freed before anything completed them: no other request is left.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 4096, OPEN = 64 };

static char (*buffers)[BYTES];
static int rank;
static long recorded, freed;

static void record(bool on)
{
	MPI_Pcontrol(on);
}

/* --- every pattern -------------------------------------------------------- */

enum how { ONE_BY_ONE, ALL, SOME, HOWS };

static void complete(enum how how, MPI_Request *requests, int n, int on)
{
	MPI_Status statuses[OPEN];
	int done, indices[OPEN];

	for (int i = 0; how == ONE_BY_ONE && i < n; i++) {
		record(on >> i & 1);
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
	}
	record(on & 1);
	if (how == ALL)
		MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
	for (int left = n; how == SOME && left; left -= done)
		MPI_Waitsome(n, requests, &done, indices, statuses);
	record(true);
}

/* Which of three receives are posted while it is on, are completed so, and are
   from anyone; and a blocking one. */
static void receive_pattern(int pattern, enum how how, int tag)
{
	MPI_Request requests[3];

	for (int i = 0; i < 3; i++) {
		record(pattern >> i & 1);
		recorded += pattern >> i & 1;
		MPI_Irecv(buffers[i], BYTES, MPI_CHAR,
			  pattern >> (6 + i) & 1 ? MPI_ANY_SOURCE : 0, tag,
			  MPI_COMM_WORLD, &requests[i]);
	}
	complete(how, requests, 3, pattern >> 3 & 7);
	MPI_Recv(buffers[3], BYTES, MPI_CHAR, 0, tag, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	recorded++;
}

static void patterns(void)
{
	for (int how = 0; how < HOWS; how++)
		for (int pattern = 0; pattern < 512; pattern++) {
			const int tag = how * 512 + pattern;

			for (int i = 0; i < 4 && rank == 0; i++)
				MPI_Send(buffers[i], 100 + i, MPI_CHAR, 1, tag,
					 MPI_COMM_WORLD);
			if (rank == 1)
				receive_pattern(pattern, (enum how)how, tag);
		}
}

/* --- at random ------------------------------------------------------------ */

/* The same on both ranks. */
static unsigned chance(int i, unsigned what)
{
	unsigned x = (unsigned)i * 2654435761u ^ what * 40503u;

	x = (x ^ x >> 15) * 2246822519u;
	x = (x ^ x >> 13) * 3266489917u;
	return x ^ x >> 16;
}

enum what { POST, COMPLETE, MAKE, KIND, FROM, ANY_TAG, TAG, DRAIN, HOW, WHO };

static bool is_on(int i, enum what what)
{
	return chance(i, what) & 1;
}

static int tag_of(int i)
{
	return 5000 + (int)(chance(i, TAG) & 1);
}

static void send_one(int i)
{
	const int kind = (int)(chance(-i, KIND) % 3), tag = tag_of(i);
	MPI_Request request;

	record(is_on(-i, MAKE));
	if (kind == 2)
		MPI_Send_init(buffers[i], i, MPI_CHAR, 1, tag, MPI_COMM_WORLD,
			      &request);
	record(is_on(-i, POST));
	if (kind == 0)
		MPI_Send(buffers[i], i, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
	else if (kind == 1)
		MPI_Isend(buffers[i], i, MPI_CHAR, 1, tag, MPI_COMM_WORLD,
			  &request);
	else
		MPI_Start(&request);
	record(is_on(-i, COMPLETE));
	if (kind)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (kind == 2)
		MPI_Request_free(&request);
}

static struct {
	MPI_Request request[OPEN], made[OPEN];
	MPI_Message message[OPEN];
	int of[OPEN]; /* the messages */
	int n, n_made, n_messages;
} waiting;

/* A matched message is received some time after its probe. */
static void match(int i, int source, int tag)
{
	const int n = waiting.n_messages++;

	record(is_on(i, POST));
	MPI_Mprobe(source, tag, MPI_COMM_WORLD, &waiting.message[n],
		   MPI_STATUS_IGNORE);
	waiting.of[n] = i;
}

static bool receive_matched(int n)
{
	const int i = waiting.of[n];
	const bool on = is_on(i, COMPLETE);

	record(on);
	if (chance(i, HOW) & 1)
		MPI_Mrecv(buffers[i], BYTES, MPI_CHAR, &waiting.message[n],
			  MPI_STATUS_IGNORE);
	else
		MPI_Imrecv(buffers[i], BYTES, MPI_CHAR, &waiting.message[n],
			   &waiting.request[waiting.n++]);
	return on;
}

static void count(int i, bool on)
{
	recorded += on && is_on(-i, POST);
}

static void drain(int i)
{
	for (int n = waiting.n_messages; n-- > 0;) {
		const int m = waiting.of[n];

		count(m, receive_matched(n) || is_on(m, POST));
	}
	waiting.n_messages = 0;
	complete((enum how)(chance(i, HOW) % HOWS), waiting.request, waiting.n,
		 (int)(chance(i, COMPLETE) & 0xffff));
	waiting.n = 0;
	for (int n = 0; n < waiting.n_made; n++)
		MPI_Request_free(&waiting.made[n]);
	waiting.n_made = 0;
}

static void start_made(int i, int source, int tag)
{
	MPI_Request request;

	record(is_on(i, MAKE));
	MPI_Recv_init(buffers[i], BYTES, MPI_CHAR, source, tag, MPI_COMM_WORLD,
		      &request);
	record(is_on(i, POST));
	MPI_Start(&request);
	record(is_on(i, COMPLETE));
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	waiting.made[waiting.n_made++] = request;
}

static void receive_one(int i)
{
	const int source = chance(i, FROM) & 1 ? MPI_ANY_SOURCE : 0;
	const int tag = chance(i, ANY_TAG) & 1 ? MPI_ANY_TAG : tag_of(i);
	const int kind = (int)(chance(i, KIND) % 5);
	MPI_Request request;

	record(is_on(i, POST));
	if (kind == 0)
		MPI_Recv(buffers[i], BYTES, MPI_CHAR, source, tag,
			 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else if (kind == 1)
		MPI_Irecv(buffers[i], BYTES, MPI_CHAR, source, tag,
			  MPI_COMM_WORLD, &waiting.request[waiting.n++]);
	else if (kind == 2)
		start_made(i, source, tag);
	else if (kind == 3)
		match(i, source, tag);
	if (kind == 4) { /* completes unseen */
		MPI_Irecv(buffers[i], BYTES, MPI_CHAR, 0, tag_of(i),
			  MPI_COMM_WORLD, &request);
		freed += is_on(i, POST);
		record(is_on(i, COMPLETE));
		MPI_Request_free(&request);
	}
	if (kind != 3)
		count(i, is_on(i, POST));
	if (chance(i, DRAIN) % 8 == 0 || waiting.n + waiting.n_messages > 20)
		drain(i);
}

/* --- threads in turns ----------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static int turn = 1, last, threads = 1;

static void *take_turns(void *me)
{
	pthread_mutex_lock(&lock);
	for (; turn <= last;) {
		if ((long)(chance(turn, WHO) % (unsigned)threads) != (long)me) {
			pthread_cond_wait(&next, &lock);
			continue;
		}
		if (rank == 0)
			send_one(turn);
		else
			receive_one(turn);
		turn++;
		pthread_cond_broadcast(&next);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void at_random(void)
{
	pthread_t other;

	if (threads > 1)
		pthread_create(&other, NULL, take_turns, (void *)1);
	take_turns((void *)0);
	if (threads > 1)
		pthread_join(other, NULL);
	if (rank == 1)
		drain(0);
	record(true);
}

int main(int argc, char **argv)
{
	int level;

	last = argc > 1 ? atoi(argv[1]) : 1000;
	threads = argc > 2 ? atoi(argv[2]) : 1;
	buffers = calloc((size_t)last + 4, sizeof *buffers);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	patterns();
	MPI_Barrier(MPI_COMM_WORLD);
	at_random();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
		printf("%ld %ld\n", recorded, freed);
	MPI_Finalize();
	free(buffers);
	return 0;
}
