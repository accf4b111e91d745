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

struct gaspdb_unknown_waits {
	struct gaspdb_sorter *calls;
	int64_t next; /* of those that were asked for; NONE: no more */
};

void gaspdb_unknown_waits_open(struct gaspdb_unknown_waits *u,
			       struct gaspdb_run *run);
/* event NONE: none. */
void gaspdb_unknown_waits_add(struct gaspdb_unknown_waits *u, int64_t event);
/* All that were added, in order, some more than once; NONE: no more. */
int64_t gaspdb_unknown_waits_next(struct gaspdb_unknown_waits *u);
void gaspdb_unknown_waits_rewind(struct gaspdb_unknown_waits *u);
/* Is an event among them?  After a rewind, in the order of events. */
bool gaspdb_unknown_waits_is(struct gaspdb_unknown_waits *u, int64_t event);
/* Forget all. */
void gaspdb_unknown_waits_empty(struct gaspdb_unknown_waits *u);

#endif
