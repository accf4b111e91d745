/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barrier drain: barriers that complete puts and whose operation takes more
 * than three times the median of their line.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_BARRIER_DRAIN_H
#define GASPDB_ANALYSIS_COMPLETION_BARRIER_DRAIN_H

#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"

struct gaspdb_drain_call {
	int64_t instance, source, thread;
	int64_t operation_ns; /* time of the operation in this call */
	bool operates;	      /* false: the first half of a split barrier */
	bool pending;	      /* the call completes puts */
	bool completes;	      /* ... or other transfers */
	bool back_to_back;
};

struct gaspdb_barrier_drain {
	struct gaspdb_run *run;
	struct gaspdb_sorter durations; /* source, ns of an operation */
	struct gaspdb_groups medians;	/* source: number, median */
	struct gaspdb_sorter calls;	/* sorted by instance; those with puts
					   first */
};

typedef void (*gaspdb_drain_fn)(void *user,
				const struct gaspdb_drain_call *call);

void gaspdb_barrier_drain_open(struct gaspdb_barrier_drain *drain,
			       struct gaspdb_run *run);
void gaspdb_barrier_drain_add(struct gaspdb_barrier_drain *drain,
			      const struct gaspdb_drain_call *call);
/* Call fn for each call whose operation is drain, after all calls are added. */
void gaspdb_barrier_drain_find(struct gaspdb_barrier_drain *drain,
			       gaspdb_drain_fn fn, void *user);
void gaspdb_barrier_drain_close(struct gaspdb_barrier_drain *drain);

#endif
