/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row a call and instance, in a sorter that two passes share. */
#include "analysis/arrivals.h"

enum { EVENT, INSTANCE, TEAM, CAUSE, SYNCHRONIZES, COLUMNS };

void gaspdb_arrivals_open(struct gaspdb_arrivals *a, struct gaspdb_run *run)
{
	a->calls = gaspdb_sorter_share(run, "gaspdb_arrivals", COLUMNS, 2);
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

void gaspdb_arrivals_empty(struct gaspdb_arrivals *a)
{
	if (a->calls)
		gaspdb_sorter_empty(a->calls);
}
