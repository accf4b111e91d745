/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls by which threads arrive at barriers and collectives. Their matching
 * writes them; the delay analysis reads them.
 */
#ifndef GASPDB_ANALYSIS_WAITS_ARRIVALS_H
#define GASPDB_ANALYSIS_WAITS_ARRIVALS_H

#include "analysis/rows/shared_sorter.h"

struct gaspdb_arrival_call {
	int64_t event;
	int64_t instance; /* collective.id */
	int64_t team;
	int64_t cause;	   /* call of the member that all others waited for;
			      NONE: no such member */
	bool synchronizes; /* the instance synchronizes all members */
};

/* The thread's activity before at_ns does not explain its next arrival in the
   team (arrival_cuts.h). */
struct gaspdb_arrival_cut {
	int64_t thread, at_ns, team;
};

struct gaspdb_arrivals {
	struct gaspdb_sorter *calls, *cuts; /* of run->shared */
};

void gaspdb_arrivals_open(struct gaspdb_arrivals *arrivals,
			  struct gaspdb_run *run);
/* Add a call of an instance: all rows of collective_member, also the second
   halves of split phases. */
void gaspdb_arrivals_add(struct gaspdb_arrivals *arrivals,
			 const struct gaspdb_arrival_call *call);
/* The next call in the order of events and instances; false: no more. */
bool gaspdb_arrivals_next(struct gaspdb_arrivals *arrivals,
			  struct gaspdb_arrival_call *call);
void gaspdb_arrivals_add_cut(struct gaspdb_arrivals *arrivals,
			     const struct gaspdb_arrival_cut *cut);
/* The next cut in the order of threads and time; false: no more. */
bool gaspdb_arrivals_next_cut(struct gaspdb_arrivals *arrivals,
			      struct gaspdb_arrival_cut *cut);
/* Remove all rows. */
void gaspdb_arrivals_empty(struct gaspdb_arrivals *arrivals);

#endif
