/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages between leaders, with deadlines. */
#include "collector/models/mpi/clocks/clocks.h"

enum word { PING = 16, PONG, STOP }; /* besides those of leaders.h */

#define WORDS (int)(sizeof(struct gaspdb_leaders_message) / sizeof(uint64_t))

static struct gaspdb_mpi_leaders *of(const struct gaspdb_leaders *l)
{
	return (struct gaspdb_mpi_leaders *)(uintptr_t)l;
}

static int rank_of(const struct gaspdb_mpi_leaders *own, int leader)
{
	return own->other < 0 ? leader : own->other;
}

/* Not MPI_Wait: the other side may never come. */
bool gaspdb_mpi_clock_wait(MPI_Request *request, int64_t deadline,
			   MPI_Status *status)
{
	unsigned tests = 0;
	int done = 0;

	do {
		if (PMPI_Test(request, &done, status) != MPI_SUCCESS)
			return false;
		if (done)
			return true;
	} while (gaspdb_leaders_may_wait(&tests, deadline));
	return false;
}

/* Gives up a request that is not done, so that its buffer is free again.  But on
   a communicator of the program's it stays: what comes late is not for it. */
static void give_up(MPI_Request *request)
{
	if (*request == MPI_REQUEST_NULL)
		return;
	PMPI_Cancel(request);
	PMPI_Request_free(request);
}

/* The buffer of what is not done stays: sends of this size are buffered, but no
   standard says so. */
static bool send(const struct gaspdb_leaders *l, int to,
		 const struct gaspdb_leaders_message *m, int64_t deadline)
{
	struct gaspdb_mpi_leaders *own = of(l);
	MPI_Request r;

	own->sent = *m;
	return PMPI_Isend(&own->sent, WORDS, MPI_UINT64_T, rank_of(own, to),
			  own->tag, own->comm, &r) == MPI_SUCCESS &&
	       gaspdb_mpi_clock_wait(&r, deadline, MPI_STATUS_IGNORE);
}

static bool receive(const struct gaspdb_leaders *l, int from,
		    struct gaspdb_leaders_message *m, int64_t deadline)
{
	struct gaspdb_mpi_leaders *own = of(l);
	const struct gaspdb_leaders_message expected = *m;
	MPI_Request r;

	if (PMPI_Irecv(&own->received, WORDS, MPI_UINT64_T, rank_of(own, from),
		       own->tag, own->comm, &r) != MPI_SUCCESS)
		return false;
	if (!gaspdb_mpi_clock_wait(&r, deadline, MPI_STATUS_IGNORE)) {
		if (own->other < 0)
			give_up(&r);
		return false;
	}
	*m = own->received;
	return m->word == expected.word && m->number == expected.number;
}

static bool ask(const struct gaspdb_leaders *l, int of, uint64_t number,
		struct gaspdb_answer *a, int64_t deadline)
{
	struct gaspdb_leaders_message m = { .word = PING, .number = number };

	if (!send(l, of, &m, deadline))
		return false;
	m.word = PONG;
	if (!receive(l, of, &m, deadline))
		return false;
	*a = (struct gaspdb_answer){ m.value[0], m.value[1] };
	return true;
}

static bool answer(const struct gaspdb_leaders *l, int to, uint64_t number,
		   int64_t deadline)
{
	struct gaspdb_leaders_message m = { .word = PING, .number = number };

	if (!receive(l, to, &m, deadline))
		return false;
	m.value[0] = gaspdb_ticks();
	m.word = PONG;
	m.value[1] = gaspdb_ticks();
	return send(l, to, &m, deadline);
}

static void stop(const struct gaspdb_leaders *l, int to)
{
	static struct gaspdb_leaders_message kept = { .word = STOP };
	MPI_Request r;

	if (PMPI_Isend(&kept, WORDS, MPI_UINT64_T, to, of(l)->tag, of(l)->comm,
		       &r) == MPI_SUCCESS)
		PMPI_Request_free(&r);
}

const struct gaspdb_transport gaspdb_mpi_transport = { send, receive, ask,
							answer, stop };
