/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages between leaders, with deadlines. */
#include <sched.h>
#include <time.h>

#include "collector/models/mpi/clocks/clocks.h"

#define WORDS (int)(sizeof(struct gaspdb_mpi_clock_message) / sizeof(uint64_t))
#define TESTS 64 /* before another process gets the processor */

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t gaspdb_mpi_clock_deadline(unsigned seconds)
{
	return now() + (int64_t)seconds * 1000000000;
}

/* Not MPI_Wait: the other side may never come. */
bool gaspdb_mpi_clock_wait(MPI_Request *request, int64_t deadline,
			   MPI_Status *status)
{
	int done = 0;

	for (unsigned i = 1;; i++) {
		if (PMPI_Test(request, &done, status) != MPI_SUCCESS)
			return false;
		if (done)
			return true;
		if (i % TESTS == 0) {
			if (now() > deadline)
				return false;
			sched_yield();
		}
	}
}

/* Gives up a request that is not done, so that its buffer is free again. */
static void give_up(MPI_Request *request)
{
	if (*request == MPI_REQUEST_NULL)
		return;
	PMPI_Cancel(request);
	PMPI_Request_free(request);
}

/* The buffer of what is not done stays: sends of this size are buffered, but no
   standard says so. */
bool gaspdb_mpi_clock_send(const struct gaspdb_mpi_leaders *l, int to,
			   struct gaspdb_mpi_clock_message *m, int64_t deadline)
{
	static struct gaspdb_mpi_clock_message kept;
	MPI_Request r;

	kept = *m;
	return PMPI_Isend(&kept, WORDS, MPI_UINT64_T, to, 0, l->comm, &r) ==
		       MPI_SUCCESS &&
	       gaspdb_mpi_clock_wait(&r, deadline, MPI_STATUS_IGNORE);
}

bool gaspdb_mpi_clock_receive(const struct gaspdb_mpi_leaders *l, int from,
			      enum gaspdb_mpi_clock_word word, uint64_t number,
			      struct gaspdb_mpi_clock_message *m,
			      int64_t deadline)
{
	static struct gaspdb_mpi_clock_message kept;
	MPI_Request r;

	if (PMPI_Irecv(&kept, WORDS, MPI_UINT64_T, from, 0, l->comm, &r) !=
	    MPI_SUCCESS)
		return false;
	if (!gaspdb_mpi_clock_wait(&r, deadline, MPI_STATUS_IGNORE)) {
		give_up(&r);
		return false;
	}
	*m = kept;
	return m->word == word && m->number == number;
}

void gaspdb_mpi_clock_stop(const struct gaspdb_mpi_leaders *l)
{
	static struct gaspdb_mpi_clock_message stop = {
		.word = GASPDB_MPI_CLOCK_STOP
	};
	const int parent = gaspdb_mpi_clock_parent(l);
	MPI_Request r;
	int child;

	if (parent >= 0 && PMPI_Isend(&stop, WORDS, MPI_UINT64_T, parent, 0,
				      l->comm, &r) == MPI_SUCCESS)
		PMPI_Request_free(&r);
	for (int i = 0; (child = gaspdb_mpi_clock_child(l, i)) >= 0; i++)
		if (PMPI_Isend(&stop, WORDS, MPI_UINT64_T, child, 0, l->comm,
			       &r) == MPI_SUCCESS)
			PMPI_Request_free(&r);
}
