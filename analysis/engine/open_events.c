/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stack of open events. Events may cross: each may begin before the previous
 * one has ended. Ended events are dropped before the array grows, so it has at
 * most twice the room for the open ones.
 */
#include "analysis/engine/open_events.h"

#include <stdlib.h>

void gaspdb_open_events_fini(struct gaspdb_open_events *o)
{
	free(o->list);
	*o = (struct gaspdb_open_events){ .list = NULL };
}

static void drop_ended(struct gaspdb_open_events *o, int64_t at_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < o->n; i++)
		if (o->list[i].end_ns > at_ns)
			o->list[kept++] = o->list[i];
	o->n = kept;
}

void gaspdb_open_events_add(struct gaspdb_run *run,
			    struct gaspdb_open_events *o, int64_t at_ns,
			    struct gaspdb_open_event event)
{
	if (o->n == o->room) {
		drop_ended(o, at_ns);
		/*
		 * Otherwise the next search for ended events may come too soon.
		 */
		if (o->n >= o->room / 2 &&
		    !gaspdb_grow(run, &o->list, o->room, &o->room,
				 sizeof *o->list))
			return;
	}
	o->list[o->n++] = event;
}
