/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls that make up collective operations: what the matching of
 * collectives starts from.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_EVENTS_H
#define GASPDB_ANALYSIS_COLLECTIVES_EVENTS_H

#include "analysis/collectives/members.h"

/* The last barrier of a UPC program has this number in the team below, and any
   later end of the same thread the next ones. */
#define GASPDB_COLLECTIVE_ENDS ((int64_t)1 << 40)

/*
 * Every call becomes a member, or half of one.  Runtimes that number no
 * collectives (GASP) get a team of their own, and the numbers from the order of
 * calls: returns that team, NONE if there is none.
 */
int64_t gaspdb_collective_events_gather(struct gaspdb_run *run,
					struct gaspdb_members *members);

#endif
