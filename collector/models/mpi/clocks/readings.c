/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ping-pongs along the edges of the tree: a child asks its parent.  Edges that
 * share no leader are measured at the same time.  Ticks are read next to MPI's
 * calls, so that each reading bounds the difference of the clocks.
 */
#include "collector/log/log_format.h"
#include "collector/models/mpi/clocks/clocks.h"

#define PING_PONGS 10
#define PATIENCE_SECONDS 10 /* all leaders have come: only faults take longer */

struct reading {
	uint64_t sent, received, replied, returned;
};

static bool ping(const struct gaspdb_mpi_leaders *l, int to, uint64_t number,
		 struct reading *r, int64_t deadline)
{
	struct gaspdb_mpi_clock_message m = { .word = GASPDB_MPI_CLOCK_PING,
					      .number = number };

	r->sent = gaspdb_ticks();
	if (!gaspdb_mpi_clock_send(l, to, &m, deadline) ||
	    !gaspdb_mpi_clock_receive(l, to, GASPDB_MPI_CLOCK_PONG, number, &m,
				      deadline))
		return false;
	r->returned = gaspdb_ticks();
	r->received = m.value[0];
	r->replied = m.value[1];
	return true;
}

static bool pong(const struct gaspdb_mpi_leaders *l, int to, uint64_t number,
		 int64_t deadline)
{
	struct gaspdb_mpi_clock_message m;

	if (!gaspdb_mpi_clock_receive(l, to, GASPDB_MPI_CLOCK_PING, number, &m,
				      deadline))
		return false;
	m.value[0] = gaspdb_ticks();
	m.word = GASPDB_MPI_CLOCK_PONG;
	m.value[1] = gaspdb_ticks();
	return gaspdb_mpi_clock_send(l, to, &m, deadline);
}

/* The first ping-pong is for both sides to come, and not recorded. */
static bool ask(const struct gaspdb_mpi_leaders *l, struct gaspdb_context *c,
		int parent, uint64_t number, int64_t deadline)
{
	struct reading r[1 + PING_PONGS];

	for (int i = 0; i <= PING_PONGS; i++)
		if (!ping(l, parent, number, &r[i], deadline))
			return false;
	for (int i = 1; i <= PING_PONGS; i++)
		gaspdb_record(c, GASPDB_RECORD_REMOTE_CLOCK, "uuuuu",
			      (uint64_t)l->ranks[parent], r[i].sent,
			      r[i].received, r[i].replied, r[i].returned);
	return true;
}

bool gaspdb_mpi_clock_measure(const struct gaspdb_mpi_leaders *l,
			      struct gaspdb_context *c, uint64_t number)
{
	const int64_t deadline = gaspdb_mpi_clock_deadline(PATIENCE_SECONDS);
	const int parent = gaspdb_mpi_clock_parent(l);
	int child;

	for (int i = 0; (child = gaspdb_mpi_clock_child(l, i)) >= 0; i++)
		for (int k = 0; k <= PING_PONGS; k++)
			if (!pong(l, child, number, deadline))
				return false;
	return parent < 0 || ask(l, c, parent, number, deadline);
}
