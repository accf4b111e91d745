/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ping-pongs along the edges of the tree: a child asks its parent.  Edges that
 * share no leader are measured at the same time.  Ticks are read next to the
 * transport's calls, so that each reading bounds the difference of the clocks.
 */
#include "collector/core/clocks/sampler.h"
#include "collector/log/log_format.h"

#define PING_PONGS 10
#define PATIENCE_SECONDS 10 /* all leaders have come: only faults take longer */

struct reading {
	uint64_t sent, returned;
	struct gaspdb_answer answer;
};

static bool ping(const struct gaspdb_leaders *l, int to, uint64_t number,
		 struct reading *r, int64_t deadline)
{
	r->sent = gaspdb_ticks();
	if (!l->by->ask(l, to, number, &r->answer, deadline))
		return false;
	r->returned = gaspdb_ticks();
	return true;
}

/* The first ping-pong is for both sides to come, and not recorded. */
static bool ask(const struct gaspdb_leaders *l, struct gaspdb_context *c,
		int parent, uint64_t number, int64_t deadline)
{
	struct reading r[1 + PING_PONGS];

	for (int i = 0; i <= PING_PONGS; i++)
		if (!ping(l, parent, number, &r[i], deadline))
			return false;
	for (int i = 1; i <= PING_PONGS; i++)
		gaspdb_record(c, GASPDB_RECORD_REMOTE_CLOCK, "uuuuu",
			      (uint64_t)l->ranks[parent], r[i].sent,
			      r[i].answer.received, r[i].answer.replied,
			      r[i].returned);
	return true;
}

GASPDB_EXPORT bool gaspdb_leaders_measure(const struct gaspdb_leaders *l,
					  struct gaspdb_context *c,
					  uint64_t number)
{
	const int64_t deadline = gaspdb_leaders_deadline(PATIENCE_SECONDS);
	const int parent = gaspdb_leaders_parent(l);
	int child;

	for (int i = 0; (child = gaspdb_leaders_child(l, i)) >= 0; i++)
		for (int k = 0; k <= PING_PONGS; k++)
			if (!l->by->answer(l, child, number, deadline))
				return false;
	return parent < 0 || ask(l, c, parent, number, deadline);
}
