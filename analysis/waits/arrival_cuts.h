/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrival cuts: the times before which a thread's activity does not explain its
 * late arrival. Threads of one process may take turns as the member of a team.
 * If another thread was the member in the previous instance, the arriving
 * thread's activity counts only from the end of that instance.
 */
#ifndef GASPDB_ANALYSIS_WAITS_ARRIVAL_CUTS_H
#define GASPDB_ANALYSIS_WAITS_ARRIVAL_CUTS_H

#include "analysis/engine/team_sets.h"
#include "analysis/waits/arrivals.h"

struct gaspdb_arrival_cuts {
	struct gaspdb_run *run;
	bool threaded; /* some process has several threads */
	struct gaspdb_team_sets sets;
	struct gaspdb_sorter moments; /* arrivals and departures */
};

void gaspdb_arrival_cuts_open(struct gaspdb_arrival_cuts *cuts,
			      struct gaspdb_run *run);
/* Add a member of an instance: its call, when it entered it, and when it left
   it. enter_ns NONE: unknown. */
void gaspdb_arrival_cuts_add(struct gaspdb_arrival_cuts *cuts,
			     const struct gaspdb_arrival_call *call,
			     int64_t thread, int64_t enter_ns, int64_t end_ns);
/* Write the cuts to arrivals. */
void gaspdb_arrival_cuts_close(struct gaspdb_arrival_cuts *cuts,
			       struct gaspdb_arrivals *arrivals);

#endif
