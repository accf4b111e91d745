/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unknown waits: calls whose waiting time is not known, because calls that they
 * may have waited for were not recorded, or because the logs lack what they
 * wait for. The passes that match calls add them; the completion analysis
 * excludes them.
 */
#ifndef GASPDB_ANALYSIS_WAITS_UNKNOWN_WAITS_H
#define GASPDB_ANALYSIS_WAITS_UNKNOWN_WAITS_H

#include "analysis/rows/shared_sorter.h"

struct gaspdb_unknown_waits {
	struct gaspdb_sorter *calls;
	int64_t next; /* of gaspdb_unknown_waits_contain(); NONE: no more */
};

void gaspdb_unknown_waits_open(struct gaspdb_unknown_waits *u,
			       struct gaspdb_run *run);
/* Add a call; NONE: no effect. */
void gaspdb_unknown_waits_add(struct gaspdb_unknown_waits *u, int64_t event);
/* The next call in the order of events, with duplicates; NONE: no more. */
int64_t gaspdb_unknown_waits_next(struct gaspdb_unknown_waits *u);
/* Start again at the first call. */
void gaspdb_unknown_waits_rewind(struct gaspdb_unknown_waits *u);
/* Is a call among them? Queries follow a rewind, in the order of events. */
bool gaspdb_unknown_waits_contain(struct gaspdb_unknown_waits *u,
				  int64_t event);
/* Remove all calls. */
void gaspdb_unknown_waits_empty(struct gaspdb_unknown_waits *u);

#endif
