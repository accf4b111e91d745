/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row a call, in a sorter that the passes share. */
#include "analysis/waits/unknown_waits.h"

void gaspdb_untold_open(struct gaspdb_untold *u, struct gaspdb_run *run)
{
	u->calls = gaspdb_sorter_share(run, GASPDB_SHARED_UNTOLD, 1, 1);
	u->next = INT64_MIN;
}

void gaspdb_untold_add(struct gaspdb_untold *u, int64_t event)
{
	if (u->calls && event != GASPDB_NONE)
		gaspdb_sorter_add(u->calls, &event);
}

int64_t gaspdb_untold_next(struct gaspdb_untold *u)
{
	const int64_t *row = u->calls ? gaspdb_sorter_next(u->calls) : NULL;

	return row ? *row : GASPDB_NONE;
}

void gaspdb_untold_rewind(struct gaspdb_untold *u)
{
	if (u->calls)
		gaspdb_sorter_rewind(u->calls);
	u->next = gaspdb_untold_next(u);
}

bool gaspdb_untold_is(struct gaspdb_untold *u, int64_t event)
{
	while (u->next != GASPDB_NONE && u->next < event)
		u->next = gaspdb_untold_next(u);
	return u->next == event;
}

void gaspdb_untold_empty(struct gaspdb_untold *u)
{
	if (u->calls)
		gaspdb_sorter_empty(u->calls);
}
