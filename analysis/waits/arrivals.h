/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls by which threads arrive at barriers and collectives: told when
 * these are matched, read by who shares out the waiting.
 */
#ifndef GASPDB_ANALYSIS_WAITS_ARRIVALS_H
#define GASPDB_ANALYSIS_WAITS_ARRIVALS_H

#include "analysis/collectives/waits.h"
#include "analysis/rows/shared_sorter.h"

struct gaspdb_arrival_call {
	int64_t event;
	int64_t instance; /* collective.id */
	int64_t team;
	int64_t cause;	   /* the call of the member whose coming others waited
			      for; NONE: of nobody's, or not of all */
	bool synchronizes; /* all */
};

/* Another thread of the process was the member of a team before: what this one
   did until then was before that instance. */
struct gaspdb_arrival_cut {
	int64_t thread, at_ns, team;
};

struct gaspdb_arrivals {
	struct gaspdb_sorter *calls; /* the run's */
	struct gaspdb_sorter *cuts;
};

void gaspdb_arrivals_open(struct gaspdb_arrivals *arrivals,
			  struct gaspdb_run *run);
/* All calls of an instance, the second halves too: as in collective_member. */
void gaspdb_arrivals_add(struct gaspdb_arrivals *arrivals,
			 const struct gaspdb_arrival_call *call);
/* All, in the order of events and instances; false: no more. */
bool gaspdb_arrivals_next(struct gaspdb_arrivals *arrivals,
			  struct gaspdb_arrival_call *call);
void gaspdb_arrivals_add_cut(struct gaspdb_arrivals *arrivals,
			     const struct gaspdb_arrival_cut *cut);
/* All, by thread and time; false: no more. */
bool gaspdb_arrivals_next_cut(struct gaspdb_arrivals *arrivals,
			      struct gaspdb_arrival_cut *cut);
/* Forget all. */
void gaspdb_arrivals_empty(struct gaspdb_arrivals *arrivals);

#endif
