/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unknown waits, as rows of a shared sorter: the event of a call. */
#include "analysis/waits/unknown_waits.h"

void gaspdb_unknown_waits_open(struct gaspdb_unknown_waits *u,
			       struct gaspdb_run *run)
{
	u->calls = gaspdb_sorter_share(run, &run->shared.unknown_waits, 1, 1);
	u->next = INT64_MIN;
}

void gaspdb_unknown_waits_add(struct gaspdb_unknown_waits *u, int64_t event)
{
	if (u->calls && event != GASPDB_NONE)
		gaspdb_sorter_add(u->calls, &event);
}

int64_t gaspdb_unknown_waits_next(struct gaspdb_unknown_waits *u)
{
	const int64_t *row = u->calls ? gaspdb_sorter_next(u->calls) : NULL;

	return row ? *row : GASPDB_NONE;
}

void gaspdb_unknown_waits_rewind(struct gaspdb_unknown_waits *u)
{
	if (u->calls)
		gaspdb_sorter_rewind(u->calls);
	u->next = gaspdb_unknown_waits_next(u);
}

bool gaspdb_unknown_waits_contain(struct gaspdb_unknown_waits *u, int64_t event)
{
	while (u->next != GASPDB_NONE && u->next < event)
		u->next = gaspdb_unknown_waits_next(u);
	return u->next == event;
}

void gaspdb_unknown_waits_empty(struct gaspdb_unknown_waits *u)
{
	if (u->calls)
		gaspdb_sorter_empty(u->calls);
}
