/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the POP efficiencies are made of. */
#ifndef GASPDB_ANALYSIS_POP_H
#define GASPDB_ANALYSIS_POP_H

#include "analysis/activity.h"
#include "analysis/ideal.h"
#include "analysis/pop_bins.h"
#include "analysis/syncs.h"
#include "analysis/waits.h"

struct gaspdb_pop_region {
	int64_t start_ns, end_ns;
};

struct gaspdb_pop {
	struct gaspdb_run *run;
	struct gaspdb_syncs syncs;
	struct gaspdb_sync next; /* of syncs */
	bool more;
	struct gaspdb_table events; /* while syncs are gathered */
	bool has_probes;
	struct gaspdb_pop_region regions[GASPDB_REGIONS];
	/* where the present time is */
	bool begun[GASPDB_REGIONS], ended[GASPDB_REGIONS];
	struct gaspdb_sorter moments;
	struct gaspdb_ideal_thread *threads;
	int64_t (*computation_ns)[GASPDB_REGIONS]; /* by thread */
	struct gaspdb_pop_bins bins[GASPDB_REGIONS];
	int64_t binned;		      /* threads that are over */
	struct gaspdb_sync *released; /* that the present call cannot leave
					 before */
	size_t n_released, released_room;
};

/*
 * Wants lock_use, and what the passes before told by syncs.h, which it forgets.
 */
void gaspdb_pop_open(struct gaspdb_pop *pop, struct gaspdb_run *run);
/* All rows of table wait, and their kinds. */
void gaspdb_pop_wait(struct gaspdb_pop *pop, const int64_t *wait,
		     enum gaspdb_wait_kind kind);
/* They are all told.  Returns the first event that synchronizes. */
int64_t gaspdb_pop_begin(struct gaspdb_pop *pop);
/* As gaspdb_activity() calls them. */
void gaspdb_pop_did(struct gaspdb_pop *pop, int64_t thread,
		    const struct gaspdb_activity_sums *sums);
int64_t gaspdb_pop_at(struct gaspdb_pop *pop, int64_t thread, int64_t at_ns);
int64_t gaspdb_pop_enter(struct gaspdb_pop *pop, int64_t thread, int64_t event,
			 int64_t at_ns, int64_t work_ns);
void gaspdb_pop_leave(struct gaspdb_pop *pop, int64_t thread, int64_t at_ns,
		      int64_t work_ns);
/* Write pop, pop_thread and pop_bin. */
void gaspdb_pop_close(struct gaspdb_pop *pop);

#endif
