/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What quality is told of collectives: who is missing, and what does not fit.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_QUALITY_H
#define GASPDB_ANALYSIS_COLLECTIVES_QUALITY_H

#include "analysis/collectives/events.h"
#include "analysis/rows/groups.h"

/* Why an instance has no waits. */
#define GASPDB_ODDITIES(ODD)                                    \
	ODD(DIFFERENT_CALLS, "different operations")            \
	ODD(DIFFERENT_ROOTS, "different roots")                 \
	ODD(TWICE, "a process called it twice")                 \
	ODD(DIFFERENT_NAMES, "barriers with different names")   \
	ODD(NO_OVERLAP, "calls that do not overlap in time")    \
	ODD(DIFFERENT_FLAGS, "different synchronization flags") \
	ODD(UNKNOWN_TEAM, "a team that no log describes")

enum gaspdb_collective_odd {
#define ODD(ident, text) GASPDB_ODD_##ident,
	GASPDB_ODDITIES(ODD)
#undef ODD
};

struct gaspdb_collective_quality {
	struct gaspdb_run *run;
	struct gaspdb_groups missing; /* team, thread: instances, first */
	struct gaspdb_groups odd; /* team, why: instances, first, its event */
	int64_t further_missing, further_odd; /* instances without a row */
};

void gaspdb_collective_quality_open(struct gaspdb_collective_quality *quality,
				    struct gaspdb_run *run);
/* One more instance, of that member. */
void gaspdb_collective_quality_odd(struct gaspdb_collective_quality *quality,
				   const struct gaspdb_member *member,
				   enum gaspdb_collective_odd why);
/* So many more of a team, of which first is the least number, in which that
   thread has no event; NONE: nobody knows who. */
void gaspdb_collective_quality_missing(
	struct gaspdb_collective_quality *quality, int64_t team, int64_t thread,
	int64_t instances, int64_t first);
/* Write what was counted. */
void gaspdb_collective_quality_close(struct gaspdb_collective_quality *quality);

#endif
