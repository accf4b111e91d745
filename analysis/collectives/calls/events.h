/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of collective operations, gathered as members of instances: the
   input of the matching. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_CALLS_EVENTS_H
#define GASPDB_ANALYSIS_COLLECTIVES_CALLS_EVENTS_H

#include "analysis/collectives/calls/members.h"

/* The sequence number of the last barrier of a UPC program, in the team of
   unnumbered calls. Later ends of the same thread have the next numbers. */
#define GASPDB_COLLECTIVE_ENDS ((int64_t)1 << 40)

/*
 * Gather the members: a call is a member, or half of one. For runtimes that do
 * not number collectives (GASP) a team is created, and the numbers are the
 * order of calls. Returns that team; NONE: none.
 */
int64_t gaspdb_collective_events_gather(struct gaspdb_run *run,
					struct gaspdb_members *members);

#endif
