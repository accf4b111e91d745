/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of which nobody can tell how much of their time is waiting: others that
 * they may have waited for were not recorded, or what they wait for is not in
 * the logs.  The passes that match calls tell them here; what completion costs
 * leaves them out.
 */
#ifndef GASPDB_ANALYSIS_WAITS_UNKNOWN_WAITS_H
#define GASPDB_ANALYSIS_WAITS_UNKNOWN_WAITS_H

#include "analysis/rows/shared_sorter.h"

struct gaspdb_untold {
	struct gaspdb_sorter *calls;
	int64_t next; /* of those that were asked for; NONE: no more */
};

void gaspdb_untold_open(struct gaspdb_untold *u, struct gaspdb_run *run);
/* event NONE: none. */
void gaspdb_untold_add(struct gaspdb_untold *u, int64_t event);
/* All that were added, in order, some more than once; NONE: no more. */
int64_t gaspdb_untold_next(struct gaspdb_untold *u);
void gaspdb_untold_rewind(struct gaspdb_untold *u);
/* Is an event among them?  After a rewind, in the order of events. */
bool gaspdb_untold_is(struct gaspdb_untold *u, int64_t event);
/* Forget all. */
void gaspdb_untold_empty(struct gaspdb_untold *u);

#endif
