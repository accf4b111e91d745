/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the POP efficiencies are made of. */
#ifndef GASPDB_ANALYSIS_POP_H
#define GASPDB_ANALYSIS_POP_H

#include "analysis/activity.h"
#include "analysis/ideal.h"
#include "analysis/pop_bins.h"
#include "analysis/syncs.h"

struct gaspdb_pop_region {
	int64_t start_ns, end_ns;
};

struct gaspdb_pop {
	struct gaspdb_run *run;
	struct gaspdb_syncs syncs;
	struct gaspdb_sync next; /* of syncs */
	bool more;
	struct gaspdb_pop_region regions[GASPDB_REGIONS];
	struct gaspdb_sorter moments;
	struct gaspdb_ideal_thread *threads;
	int64_t (*computation_ns)[GASPDB_REGIONS]; /* by thread */
	struct gaspdb_pop_bins bins[GASPDB_REGIONS];
	int64_t binned; /* threads that are over */
	/* the call that is being read */
	int64_t thread, event, leave_ns;
	struct gaspdb_sync *released; /* that it cannot leave before */
	size_t n_released, released_room;
};

/*
 * Wants wait, message and lock_use, and what the passes before told by
 * syncs.h, which it forgets.
 */
void gaspdb_pop_open(struct gaspdb_pop *pop, struct gaspdb_run *run);
/* All pieces, in their order, the next n of them. */
void gaspdb_pop_add(struct gaspdb_pop *pop, const struct gaspdb_piece *pieces,
		    size_t n);
/* Write pop, pop_thread and pop_bin. */
void gaspdb_pop_close(struct gaspdb_pop *pop);

#endif
