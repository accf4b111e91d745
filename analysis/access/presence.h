/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Presence intervals of processes, for one slice of time after the other: the
 * times in which a process is inside its runtime, or unrecorded. An index by
 * time makes a query constant in time, because there is one for each access.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_PRESENCE_H
#define GASPDB_ANALYSIS_ACCESS_PRESENCE_H

#include "analysis/engine/run.h"
#include "common/sum.h"

struct gaspdb_presence_interval {
	int64_t start_ns;
	int64_t until_ns; /* its end; indexed: the latest end so far */
	int32_t process;
	/* Indexed: in the process's interval i, the number of its intervals
	   that begin up to the end of bucket i. */
	uint32_t begun;
};

struct gaspdb_presence {
	struct gaspdb_run *run;
	struct gaspdb_presence_interval *intervals; /* of this slice */
	size_t n, room;
	bool in_order; /* sorted by process and start */
	struct gaspdb_presence_process {
		uint32_t first;	  /* index of its first interval */
		int shift;	  /* log2 of the length of a bucket in ns */
		int64_t from_ns;  /* start of the first interval and bucket */
		int64_t until_ns; /* latest end in earlier slices */
	} * processes;		  /* by process, and a sentinel */
};

void gaspdb_presence_open(struct gaspdb_presence *presence,
			  struct gaspdb_run *run);
void gaspdb_presence_close(struct gaspdb_presence *presence);

/* Make room for `more` intervals; false after a failure. */
static inline bool gaspdb_presence_make_room(struct gaspdb_presence *p,
					     size_t more)
{
	return gaspdb_grow_by(p->run, &p->intervals, p->n, more, &p->room,
			      sizeof *p->intervals);
}

/* Add an interval of this slice; there is room. */
static inline void gaspdb_presence_add(struct gaspdb_presence *p,
				       int32_t process, int64_t start_ns,
				       int64_t end_ns)
{
	struct gaspdb_presence_interval *last =
		p->n ? &p->intervals[p->n - 1] : NULL;

	if (last && last->process == process) {
		/* There may be very many calls of no duration. */
		if (last->start_ns == start_ns) {
			last->until_ns = gaspdb_max(last->until_ns, end_ns);
			return;
		}
		p->in_order &= last->start_ns < start_ns;
	} else if (last) {
		p->in_order &= last->process < process;
	}
	p->intervals[p->n++] =
		(struct gaspdb_presence_interval){ start_ns, end_ns, process,
						   0 };
}

/* Index the intervals of the slice, before queries. */
void gaspdb_presence_index(struct gaspdb_presence *presence);
/* Begin the next slice, which is later. */
void gaspdb_presence_next_slice(struct gaspdb_presence *presence);

struct gaspdb_presence_state {
	int64_t until_ns; /* latest end of the intervals that began; INT64_MIN:
			     none began */
	int64_t next_ns;  /* start of the next in this slice; INT64_MAX: none */
};

/* Intervals compared without a branch: a bucket has one or two on average, and
   branches would be mispredicted. */
enum { GASPDB_PRESENCE_NEAR = 3 };

/* The number of intervals that begin up to at_ns, which is not before the
   first. */
static inline size_t
gaspdb_presence_begun(const struct gaspdb_presence_process *of,
		      const struct gaspdb_presence_interval *intervals,
		      size_t all, int64_t at_ns)
{
	const uint64_t part =
		((uint64_t)at_ns - (uint64_t)of->from_ns) >> of->shift;
	size_t begun, n, near = 0;

	if (part >= all)
		return all;
	begun = part ? intervals[part - 1].begun : 0;
	if (begun + GASPDB_PRESENCE_NEAR <= all) {
		for (size_t i = 0; i < GASPDB_PRESENCE_NEAR; i++)
			near += intervals[begun + i].start_ns <= at_ns;
		if (near < GASPDB_PRESENCE_NEAR)
			return begun + near;
	}
	for (n = intervals[part].begun - begun; n;) {
		const size_t half = (n + 1) / 2;

		begun +=
			half & -(size_t)(intervals[begun + half - 1].start_ns <=
					 at_ns);
		n -= half;
	}
	return begun;
}

/* The state of a process at a time. */
static inline struct gaspdb_presence_state
gaspdb_presence_at(const struct gaspdb_presence *p, int64_t process,
		   int64_t at_ns)
{
	const struct gaspdb_presence_process *of = &p->processes[process];
	const struct gaspdb_presence_interval *intervals =
		p->intervals + of->first;
	const size_t all = of[1].first - of->first;
	const size_t begun =
		at_ns >= of->from_ns
			? gaspdb_presence_begun(of, intervals, all, at_ns)
			: 0;

	return (struct gaspdb_presence_state){
		.until_ns =
			begun ? intervals[begun - 1].until_ns : of->until_ns,
		.next_ns = begun < all ? intervals[begun].start_ns : INT64_MAX
	};
}

#endif
