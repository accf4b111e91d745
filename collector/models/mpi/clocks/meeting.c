/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the hosts of the world and their leaders.  Each process sends its host's
 * name to rank 0 (hello), which answers with the list of leaders.  It is done in
 * MPI_Init, or in the creation of the communicator, when the program cannot have
 * sent or received a message there.  What
 * arrives late must not reach the program's own receives: receives for it were
 * posted before, and stay posted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/models/mpi/clocks/clocks.h"

#define HELLO_TAG	0x5ac1
#define LEADERS_TAG	0x5ac2
#define COMM_TAG	0x5ac3
#define ANSWER_SECONDS	5 /* rank 0 waits so long after each hello */
#define PATIENCE_SECONDS 10 /* others wait so long for its answer */

struct hello {
	char host[256]; /* "": not heard of */
	char can_lead;
};

/* The meeting at rank 0. */
struct meeting {
	struct hello *of; /* by rank */
	MPI_Request *late; /* receives of those that are missing */
	int n, heard;
	MPI_Comm comm; /* of the world */
};

static void say_hello(struct hello *h, bool can_lead)
{
	*h = (struct hello){ .can_lead = can_lead };
	if (gethostname(h->host, sizeof h->host - 1) || !*h->host)
		strcpy(h->host, "?");
}

/* --- leaders -------------------------------------------------------------- */

static int by_host(const void *a, const void *b, void *of)
{
	const int i = *(const int *)a, j = *(const int *)b;
	const struct hello *hello = of;
	const int order = strcmp(hello[i].host, hello[j].host);

	return order ? order : (i > j) - (i < j);
}

static int by_rank(const void *a, const void *b)
{
	const int i = *(const int *)a, j = *(const int *)b;

	return (i > j) - (i < j);
}

/* Keeps the first rank of each host that can lead, in their order; returns the
   number. */
static int choose_leaders(const struct meeting *m, int *ranks)
{
	const struct hello *of = m->of, *last = NULL;
	int n = 0;

	for (int i = 0; i < m->n; i++)
		ranks[i] = i;
	qsort_r(ranks, (size_t)m->n, sizeof *ranks, by_host, m->of);
	for (int i = 0; i < m->n; i++) {
		const struct hello *h = &of[ranks[i]];

		if (!h->can_lead || (last && !strcmp(last->host, h->host)))
			continue;
		last = h;
		ranks[n++] = ranks[i];
	}
	qsort(ranks, (size_t)n, sizeof *ranks, by_rank);
	return n;
}

/* --- rank 0 --------------------------------------------------------------- */

/* One receive for each process that is missing, for the case that it comes
   later. */
static void post_late(struct meeting *m)
{
	m->late = calloc((size_t)m->n, sizeof *m->late);
	for (int i = 0; m->late && i < m->n; i++) {
		m->late[i] = MPI_REQUEST_NULL;
		if (!*m->of[i].host)
			PMPI_Irecv(&m->of[i], sizeof *m->of, MPI_BYTE, i,
				   HELLO_TAG, m->comm, &m->late[i]);
	}
}

/* Receives of all others; a process can be heard only once. */
static void hear(struct meeting *m)
{
	struct hello *next = calloc(1, sizeof *next);
	MPI_Status status;
	MPI_Request r;
	int rank;

	while (next && m->heard < m->n) {
		const int64_t deadline =
			gaspdb_leaders_deadline(ANSWER_SECONDS);

		PMPI_Irecv(next, sizeof *next, MPI_BYTE, MPI_ANY_SOURCE,
			   HELLO_TAG, m->comm, &r);
		if (!gaspdb_mpi_clock_wait(&r, deadline, &status)) {
			post_late(m);
			return; /* next stays: it is posted */
		}
		rank = status.MPI_SOURCE;
		m->of[rank] = *next;
		m->heard++;
	}
	free(next);
}

/* Answers those that were heard: leaders get the list, others its first n_others
   entries. */
static void answer(const struct meeting *m, const int *ranks, int n,
		   int n_others)
{
	for (int i = 1, next = 0; i < m->n; i++) {
		while (next < n && ranks[next] < i)
			next++;
		if (*m->of[i].host)
			PMPI_Send(ranks,
				  next < n && ranks[next] == i ? n : n_others,
				  MPI_INT, i, LEADERS_TAG, m->comm);
	}
}

static const char *lead_meeting(struct meeting *m, int *ranks, int *n,
				bool can_lead)
{
	m->of = calloc((size_t)m->n, sizeof *m->of);
	if (!m->of)
		return "no memory";
	say_hello(&m->of[0], can_lead);
	m->heard = 1;
	hear(m);
	if (m->heard < m->n) {
		answer(m, (const int[]){ -1 }, 0, 1);
		return "not all processes of the program are recorded";
	}
	*n = choose_leaders(m, ranks);
	answer(m, ranks, *n, 0);
	free(m->of);
	return NULL;
}

/* --- others --------------------------------------------------------------- */

static const char *attend_meeting(const struct meeting *m, int *ranks, int *n,
				  bool can_lead)
{
	const int64_t deadline = gaspdb_leaders_deadline(PATIENCE_SECONDS);
	struct hello *own = malloc(sizeof *own);
	MPI_Request to, from;
	MPI_Status status;

	if (!own)
		return "no memory";
	say_hello(own, can_lead);
	PMPI_Irecv(ranks, m->n, MPI_INT, 0, LEADERS_TAG, m->comm, &from);
	PMPI_Isend(own, sizeof *own, MPI_BYTE, 0, HELLO_TAG, m->comm, &to);
	if (!gaspdb_mpi_clock_wait(&from, deadline, &status) ||
	    !gaspdb_mpi_clock_wait(&to, deadline, MPI_STATUS_IGNORE))
		return "rank 0 does not answer";
	free(own);
	PMPI_Get_count(&status, MPI_INT, n);
	return *n == 1 && ranks[0] < 0
		       ? "not all processes of the program are recorded"
		       : NULL;
}

/* --- the leaders' communicator -------------------------------------------- */

static void make_comm(struct gaspdb_mpi_leaders *l, MPI_Comm comm)
{
	MPI_Group world, leaders;

	PMPI_Comm_group(comm, &world);
	PMPI_Group_incl(world, l->l.n, l->ranks, &leaders);
	if (PMPI_Comm_create_group(comm, leaders, COMM_TAG, &l->comm) !=
	    MPI_SUCCESS)
		l->comm = MPI_COMM_NULL;
	PMPI_Group_free(&leaders);
	PMPI_Group_free(&world);
	if (l->comm == MPI_COMM_NULL)
		return;
	PMPI_Comm_set_errhandler(l->comm, MPI_ERRORS_RETURN);
	PMPI_Comm_rank(l->comm, &l->l.me);
}

/* The buffers of what is still posted are kept. */
const char *gaspdb_mpi_leaders_find(struct gaspdb_mpi_leaders *l,
				    const struct gaspdb_mpi_clock_world *world,
				    bool can_lead)
{
	struct meeting m = { .comm = world->comm };
	const char *why;
	int rank;

	*l = (struct gaspdb_mpi_leaders)GASPDB_MPI_NO_LEADERS;
	PMPI_Comm_rank(m.comm, &rank);
	PMPI_Comm_size(m.comm, &m.n);
	l->l.ranks = l->ranks = malloc((size_t)m.n * sizeof *l->ranks);
	if (!l->ranks)
		return "no memory";
	why = rank ? attend_meeting(&m, l->ranks, &l->l.n, can_lead)
		   : lead_meeting(&m, l->ranks, &l->l.n, can_lead);
	if (why)
		return why;
	if (l->l.n > 1 && bsearch(&rank, l->ranks, (size_t)l->l.n,
				  sizeof *l->ranks, by_rank))
		make_comm(l, m.comm);
	for (int i = 0; i < l->l.n; i++)
		l->ranks[i] += world->first;
	return NULL;
}

void gaspdb_mpi_leaders_free(struct gaspdb_mpi_leaders *l)
{
	if (l->comm != MPI_COMM_NULL)
		PMPI_Comm_free(&l->comm);
	free(l->ranks);
	*l = (struct gaspdb_mpi_leaders)GASPDB_MPI_NO_LEADERS;
}
