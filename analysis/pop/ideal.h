/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replay of the run on an ideal network, on which communication takes no time.
 * A thread's clock advances by its own work, and at a synchronization to the
 * latest clock of the threads that release it.
 */
#ifndef GASPDB_ANALYSIS_POP_IDEAL_H
#define GASPDB_ANALYSIS_POP_IDEAL_H

#include "analysis/rows/sorter.h"

/* The regions of the run that are replayed, both at once. */
enum gaspdb_region {
	GASPDB_REGION_CLIP, /* from all runtimes' init to the first finalize */
	GASPDB_REGION_RUN,
	GASPDB_REGIONS
};

/* A thread's own work, ns: all, and its values at start and end of regions. */
struct gaspdb_ideal_thread {
	int64_t work_ns;
	int64_t from_ns[GASPDB_REGIONS], to_ns[GASPDB_REGIONS];
	int64_t clock_ns[GASPDB_REGIONS]; /* result: its final clock */
};

/* A synchronization point: the enter of a call that releases others, or the
   leave of a call that is released. */
struct gaspdb_sync_point {
	int64_t at_ns, thread;
	int64_t work_ns; /* the thread's work until then */
	int64_t sync;	 /* number of the synchronization */
	int64_t parts;	 /* number of its points */
	bool releases;	 /* false: it is released */
};

void gaspdb_sync_points_init(struct gaspdb_sorter *points,
			     struct gaspdb_run *run);
/* Add a point. Threads come one after another, each one's points in order. */
void gaspdb_sync_points_add(struct gaspdb_sorter *points,
			    const struct gaspdb_sync_point *point);

/*
 * Replay all points, and set clock_ns of threads, by id, one for each thread of
 * the run. A release after the leave that it releases, caused by clock errors,
 * has no effect.
 */
void gaspdb_ideal_replay(struct gaspdb_run *run, struct gaspdb_sorter *points,
			 struct gaspdb_ideal_thread *threads);

#endif
