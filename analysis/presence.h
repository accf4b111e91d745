/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When processes were somewhere, inside their runtime or not recorded, during
 * one slice of time after the other.
 */
#ifndef GASPDB_ANALYSIS_PRESENCE_H
#define GASPDB_ANALYSIS_PRESENCE_H

#include "analysis/run.h"

struct gaspdb_stay {
	int64_t start_ns;
	int64_t until_ns; /* when settled: of all up to this one */
	int64_t process;
};

struct gaspdb_presence {
	struct gaspdb_run *run;
	struct gaspdb_stay *stays; /* of this slice */
	size_t n, room;
	bool in_order;	   /* by process and start */
	uint32_t *first;   /* by process, and one more: its stays */
	int64_t *until_ns; /* by process: of those in slices before */
};

void gaspdb_presence_open(struct gaspdb_presence *presence,
			  struct gaspdb_run *run);
void gaspdb_presence_close(struct gaspdb_presence *presence);

static inline void gaspdb_presence_add(struct gaspdb_presence *p,
				       int64_t process, int64_t start_ns,
				       int64_t end_ns)
{
	struct gaspdb_stay *last = p->n ? &p->stays[p->n - 1] : NULL;

	/* Very many may be of no time at all. */
	if (last && last->process == process && last->start_ns == start_ns) {
		if (end_ns > last->until_ns)
			last->until_ns = end_ns;
		return;
	}
	if (!gaspdb_grow(p->run, &p->stays, p->n, &p->room, sizeof *p->stays))
		return;
	last = p->n ? &p->stays[p->n - 1] : NULL;
	if (last && (last->process > process ||
		     (last->process == process && last->start_ns > start_ns)))
		p->in_order = false;
	p->stays[p->n++] = (struct gaspdb_stay){ start_ns, end_ns, process };
}

/* All of the slice have been added: now it can be asked. */
void gaspdb_presence_settle(struct gaspdb_presence *presence);
/* The next slice begins, which is later. */
void gaspdb_presence_next(struct gaspdb_presence *presence);

struct gaspdb_stays_at {
	int64_t until_ns; /* how long those last that begin up to now; INT64_MIN
			     without any */
	int64_t next_ns;  /* when another one begins in this slice; INT64_MAX */
};

/* This is asked for each access: a search without branches that are hard to
   foresee. */
static inline struct gaspdb_stays_at
gaspdb_presence_at(const struct gaspdb_presence *p, int64_t process,
		   int64_t at_ns)
{
	const struct gaspdb_stay *stays = p->stays + p->first[process];
	const size_t all = p->first[process + 1] - p->first[process];
	size_t begun = 0, n = all;

	while (n) {
		const size_t half = (n + 1) / 2;

		begun += half &
			 -(size_t)(stays[begun + half - 1].start_ns <= at_ns);
		n -= half;
	}
	return (struct gaspdb_stays_at){
		.until_ns = begun ? stays[begun - 1].until_ns
				  : p->until_ns[process],
		.next_ns = begun < all ? stays[begun].start_ns : INT64_MAX
	};
}

#endif
