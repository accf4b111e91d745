/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of wrong channels (table wrong_channel): waits for them are
   rejected. */
#ifndef GASPDB_ANALYSIS_WAITS_DISTRUSTED_H
#define GASPDB_ANALYSIS_WAITS_DISTRUSTED_H

#include "analysis/waits/unknown_waits.h"
#include "analysis/waits/waits.h"

struct gaspdb_distrusted {
	struct gaspdb_run *run;
	struct gaspdb_unknown_waits unknown_waits;
	struct gaspdb_distrusted_end {
		int64_t event, waiting; /* waiting: process that waits for it */
	} * sends, *posts;		/* sorted */
	size_t n, room[2];
};

void gaspdb_distrusted_load(struct gaspdb_distrusted *d,
			    struct gaspdb_run *run);
/* Is the wait for a message of a wrong channel? Its call is added to the
   unknown waits then. */
bool gaspdb_distrusted_has(struct gaspdb_distrusted *d,
			   const struct gaspdb_wait *wait);
void gaspdb_distrusted_free(struct gaspdb_distrusted *d);

#endif
