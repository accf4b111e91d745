/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the run would have taken on a network that costs nothing: every
 * thread's own work, and at each synchronization the clock of whoever had to be
 * there before.
 */
#ifndef GASPDB_ANALYSIS_POP_IDEAL_H
#define GASPDB_ANALYSIS_POP_IDEAL_H

#include "analysis/rows/sorter.h"

/* The stretches of time that are replayed, both at once. */
enum gaspdb_region {
	GASPDB_REGION_CLIP, /* from all runtimes' init to the first finalize */
	GASPDB_REGION_RUN,
	GASPDB_REGIONS
};

/* A thread's own work, ns: in all, and when the regions begin and end. */
struct gaspdb_ideal_thread {
	int64_t work_ns;
	int64_t from_ns[GASPDB_REGIONS], to_ns[GASPDB_REGIONS];
	int64_t clock_ns[GASPDB_REGIONS]; /* found: when it is done */
};

/* A call that releases others, at its enter, or is released, at its leave. */
struct gaspdb_moment {
	int64_t at_ns, thread;
	int64_t work_ns; /* the thread's until then */
	int64_t sync;	 /* the synchronization's number */
	int64_t parts;	 /* how many moments that has */
	bool releases;	 /* else it is released */
};

void gaspdb_moments_init(struct gaspdb_sorter *moments, struct gaspdb_run *run);
/* Threads one after the other, those of each in its order. */
void gaspdb_moments_add(struct gaspdb_sorter *moments,
			const struct gaspdb_moment *moment);

/*
 * threads: by id, as many as the run has.  A release that came later than what
 * it released, by clocks that contradict, counts for nothing.
 */
void gaspdb_ideal_replay(struct gaspdb_run *run, struct gaspdb_sorter *moments,
			 struct gaspdb_ideal_thread *threads);

#endif
