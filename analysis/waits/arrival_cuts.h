/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads of one process take turns as members of teams: where what one did
 * before it arrives does not count, because another one had been in the
 * instance before.
 */
#ifndef GASPDB_ANALYSIS_WAITS_ARRIVAL_CUTS_H
#define GASPDB_ANALYSIS_WAITS_ARRIVAL_CUTS_H

#include "analysis/waits/arrivals.h"
#include "analysis/engine/team_sets.h"

struct gaspdb_arrival_cuts {
	struct gaspdb_run *run;
	bool threaded; /* there are processes of several */
	struct gaspdb_team_sets sets;
	struct gaspdb_sorter moments;
};

void gaspdb_arrival_cuts_open(struct gaspdb_arrival_cuts *cuts,
			      struct gaspdb_run *run);
/* The part of a thread in an instance: the call by which it came, until when
   that kept it, NONE: not known. */
void gaspdb_arrival_cuts_add(struct gaspdb_arrival_cuts *cuts,
			     const struct gaspdb_arrival_call *call,
			     int64_t thread, int64_t enter_ns, int64_t end_ns);
/* All are told to arrivals. */
void gaspdb_arrival_cuts_close(struct gaspdb_arrival_cuts *cuts,
			       struct gaspdb_arrivals *arrivals);

#endif
