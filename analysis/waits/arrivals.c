/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals and their cuts, as rows of two shared sorters. */
#include "analysis/waits/arrivals.h"

enum { EVENT, INSTANCE, TEAM, CAUSE, SYNCHRONIZES, COLUMNS };
enum { CUT_THREAD, CUT_NS, CUT_TEAM, CUT_COLUMNS };

void gaspdb_arrivals_open(struct gaspdb_arrivals *a, struct gaspdb_run *run)
{
	a->calls = gaspdb_sorter_share(run, &run->shared.arrivals, COLUMNS, 2);
	a->cuts = gaspdb_sorter_share(run, &run->shared.arrival_cuts,
				      CUT_COLUMNS, CUT_COLUMNS);
}

void gaspdb_arrivals_add(struct gaspdb_arrivals *a,
			 const struct gaspdb_arrival_call *call)
{
	if (a->calls)
		gaspdb_sorter_add(
			a->calls,
			(int64_t[]){ [EVENT] = call->event,
				     [INSTANCE] = call->instance,
				     [TEAM] = call->team,
				     [CAUSE] = call->cause,
				     [SYNCHRONIZES] = call->synchronizes });
}

bool gaspdb_arrivals_next(struct gaspdb_arrivals *a,
			  struct gaspdb_arrival_call *call)
{
	const int64_t *row = a->calls ? gaspdb_sorter_next(a->calls) : NULL;

	if (!row)
		return false;
	*call = (struct gaspdb_arrival_call){ .event = row[EVENT],
					      .instance = row[INSTANCE],
					      .team = row[TEAM],
					      .cause = row[CAUSE],
					      .synchronizes =
						      row[SYNCHRONIZES] };
	return true;
}

void gaspdb_arrivals_add_cut(struct gaspdb_arrivals *a,
			     const struct gaspdb_arrival_cut *cut)
{
	if (a->cuts)
		gaspdb_sorter_add(a->cuts,
				  (int64_t[]){ [CUT_THREAD] = cut->thread,
					       [CUT_NS] = cut->at_ns,
					       [CUT_TEAM] = cut->team });
}

bool gaspdb_arrivals_next_cut(struct gaspdb_arrivals *a,
			      struct gaspdb_arrival_cut *cut)
{
	const int64_t *row = a->cuts ? gaspdb_sorter_next(a->cuts) : NULL;

	if (row)
		*cut = (struct gaspdb_arrival_cut){ .thread = row[CUT_THREAD],
						    .at_ns = row[CUT_NS],
						    .team = row[CUT_TEAM] };
	return row;
}

void gaspdb_arrivals_empty(struct gaspdb_arrivals *a)
{
	if (a->calls)
		gaspdb_sorter_empty(a->calls);
	if (a->cuts)
		gaspdb_sorter_empty(a->cuts);
}
