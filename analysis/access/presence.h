/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When processes were somewhere, inside their runtime or not recorded, during
 * one slice of time after the other.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_PRESENCE_H
#define GASPDB_ANALYSIS_ACCESS_PRESENCE_H

#include "analysis/engine/run.h"
#include "common/sum.h"

struct gaspdb_stay {
	int64_t start_ns;
	int64_t until_ns; /* when settled: of all up to this one */
	int32_t process;
	/* When settled: how many of the process's stays begin up to the end of
	   a part of time, the i-th in its i-th stay. */
	uint32_t begun;
};

struct gaspdb_presence {
	struct gaspdb_run *run;
	struct gaspdb_stay *stays; /* of this slice */
	size_t n, room;
	bool in_order; /* by process and start */
	struct gaspdb_stays {
		uint32_t first;	  /* of its stays */
		int shift;	  /* a part is 2^shift ns long */
		int64_t from_ns;  /* when the first begins, and parts do */
		int64_t until_ns; /* of those in slices before */
	} * of;			  /* by process, and one more */
};

void gaspdb_presence_open(struct gaspdb_presence *presence,
			  struct gaspdb_run *run);
void gaspdb_presence_close(struct gaspdb_presence *presence);

/* Make room for so many more; false after a failure. */
static inline bool gaspdb_presence_make_room(struct gaspdb_presence *p,
					     size_t more)
{
	return gaspdb_grow_by(p->run, &p->stays, p->n, more, &p->room,
			      sizeof *p->stays);
}

/* There is room. */
static inline void gaspdb_presence_add(struct gaspdb_presence *p,
				       int32_t process, int64_t start_ns,
				       int64_t end_ns)
{
	struct gaspdb_stay *last = p->n ? &p->stays[p->n - 1] : NULL;

	if (last && last->process == process) {
		/* Very many may be of no time at all. */
		if (last->start_ns == start_ns) {
			last->until_ns = gaspdb_max(last->until_ns, end_ns);
			return;
		}
		p->in_order &= last->start_ns < start_ns;
	} else if (last) {
		p->in_order &= last->process < process;
	}
	p->stays[p->n++] = (struct gaspdb_stay){ start_ns, end_ns, process, 0 };
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

/* A part of time has one or two, so the stays that begin up to then are these
   at most; one comparison after the other would be foreseen by no processor. */
enum { GASPDB_STAYS_NEAR = 3 };

/* How many of these begin up to then: not before the first. */
static inline size_t gaspdb_stays_begun(const struct gaspdb_stays *of,
					const struct gaspdb_stay *stays,
					size_t all, int64_t at_ns)
{
	const uint64_t part =
		((uint64_t)at_ns - (uint64_t)of->from_ns) >> of->shift;
	size_t begun, n, near = 0;

	if (part >= all)
		return all;
	begun = part ? stays[part - 1].begun : 0;
	if (begun + GASPDB_STAYS_NEAR <= all) {
		for (size_t i = 0; i < GASPDB_STAYS_NEAR; i++)
			near += stays[begun + i].start_ns <= at_ns;
		if (near < GASPDB_STAYS_NEAR)
			return begun + near;
	}
	for (n = stays[part].begun - begun; n;) {
		const size_t half = (n + 1) / 2;

		begun += half &
			 -(size_t)(stays[begun + half - 1].start_ns <= at_ns);
		n -= half;
	}
	return begun;
}

/* This is asked for each access: the parts of time leave few stays to search
   among, wherever they are in memory. */
static inline struct gaspdb_stays_at
gaspdb_presence_at(const struct gaspdb_presence *p, int64_t process,
		   int64_t at_ns)
{
	const struct gaspdb_stays *of = &p->of[process];
	const struct gaspdb_stay *stays = p->stays + of->first;
	const size_t all = of[1].first - of->first;
	const size_t begun = at_ns >= of->from_ns
				     ? gaspdb_stays_begun(of, stays, all, at_ns)
				     : 0;

	return (struct gaspdb_stays_at){
		.until_ns = begun ? stays[begun - 1].until_ns : of->until_ns,
		.next_ns = begun < all ? stays[begun].start_ns : INT64_MAX
	};
}

#endif
