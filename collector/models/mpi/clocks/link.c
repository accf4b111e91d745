/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clocks of two worlds.  The root of a spawn and the first child compare
 * them over the communicator between their groups, while neither has it from
 * MPI yet: so no message can be the program's.  The root sends first, because
 * it knows that the child listens.
 */
#include <errno.h>
#include <stdlib.h>

#include "collector/log/log_format.h"
#include "collector/models/mpi/clocks/clocks.h"

/* Two leaders: the root, and the child, which asks it. */
struct link {
	struct gaspdb_mpi_leaders leaders; /* first */
	int ranks[2];
};

static struct link *link_new(MPI_Comm inter, int me, int other, int peer)
{
	struct link *k = malloc(sizeof *k);

	if (!k)
		return NULL;
	*k = (struct link){ .leaders = GASPDB_MPI_NO_LEADERS };
	k->ranks[me] = gaspdb_rank();
	k->ranks[1 - me] = peer;
	k->leaders.l.me = me;
	k->leaders.l.n = 2;
	k->leaders.l.ranks = k->ranks;
	k->leaders.comm = inter;
	k->leaders.tag = GASPDB_MPI_LINK_TAG;
	k->leaders.other = other;
	return k;
}

static bool greet(const struct gaspdb_leaders *l, int64_t deadline)
{
	struct gaspdb_leaders_message m = { .word = GASPDB_LEADERS_READY,
					    .number = GASPDB_SAMPLE_AT_START };

	return l->me ? l->by->receive(l, 0, &m, deadline)
		     : l->by->send(l, 1, &m, deadline);
}

/* After a fault the buffers stay: a request may be posted. */
static void measure(struct gaspdb_context *c, struct link *k)
{
	const int64_t deadline = gaspdb_leaders_deadline(GASPDB_SAMPLE_SECONDS);
	const struct gaspdb_leaders *l = &k->leaders.l;

	if (greet(l, deadline) &&
	    gaspdb_leaders_measure(l, c, GASPDB_SAMPLE_AT_START))
		free(k);
	else
		gaspdb_meta("clock_sampling_failed",
			    "the process at the other end of a spawn did not "
			    "come to a sample");
}

static void take(struct gaspdb_context *c, struct link *k)
{
	const int error = errno;
	const uint64_t start = gaspdb_ticks();

	if (k)
		measure(c, k);
	gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", start, gaspdb_ticks());
	errno = error;
}

void gaspdb_mpi_clocks_link_child(struct gaspdb_context *c, MPI_Comm inter,
				  int peer)
{
	take(c, link_new(inter, 0, 0, peer));
}

void gaspdb_mpi_clocks_link_root(struct gaspdb_context *c, MPI_Comm inter,
				 int root, int peer)
{
	take(c, link_new(inter, 1, root, peer));
}
