/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defects of collectives for table quality: missing members, and members that
   disagree. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_QUALITY_H
#define GASPDB_ANALYSIS_COLLECTIVES_QUALITY_H

#include "analysis/collectives/calls/events.h"
#include "analysis/rows/groups.h"

/* Why an instance has no waits. */
#define GASPDB_MISMATCHES(MISMATCH)                                  \
	MISMATCH(DIFFERENT_CALLS, "different operations")            \
	MISMATCH(DIFFERENT_ROOTS, "different roots")                 \
	MISMATCH(TWICE, "a process called it twice")                 \
	MISMATCH(DIFFERENT_NAMES, "barriers with different names")   \
	MISMATCH(NO_OVERLAP, "calls that do not overlap in time")    \
	MISMATCH(DIFFERENT_FLAGS, "different synchronization flags") \
	MISMATCH(UNKNOWN_TEAM, "a team that no log describes")

enum gaspdb_collective_mismatch {
#define MISMATCH(ident, text) GASPDB_MISMATCH_##ident,
	GASPDB_MISMATCHES(MISMATCH)
#undef MISMATCH
};

struct gaspdb_collective_quality {
	struct gaspdb_run *run;
	struct gaspdb_groups missing;	 /* team, thread: instances, sequence of
					    the first */
	struct gaspdb_groups mismatches; /* team, why: instances, sequence and
				     event of the first */
	int64_t further_missing,
		further_mismatches; /* instances without a row */
};

void gaspdb_collective_quality_open(struct gaspdb_collective_quality *quality,
				    struct gaspdb_run *run);
/* Count a mismatch of an instance. member: one of its members. */
void gaspdb_collective_quality_mismatch(
	struct gaspdb_collective_quality *quality,
	const struct gaspdb_member *member,
	enum gaspdb_collective_mismatch why);
/* Count instances of a team in which a thread has no event. thread NONE:
   unknown; first: their lowest sequence number. */
void gaspdb_collective_quality_missing(
	struct gaspdb_collective_quality *quality, int64_t team, int64_t thread,
	int64_t instances, int64_t first);
/* Write the rows. */
void gaspdb_collective_quality_close(struct gaspdb_collective_quality *quality);

#endif
