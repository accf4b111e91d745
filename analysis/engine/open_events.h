/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events that are open on a thread, in one walk over all of its events: a
 * stack.  One that ends below the top changes nothing while the top is open, so
 * it may stay until it comes up.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_OPEN_EVENTS_H
#define GASPDB_ANALYSIS_ENGINE_OPEN_EVENTS_H

#include "analysis/engine/run.h"

struct gaspdb_open_event {
	int64_t end_ns;
	int64_t value; /* what the walk wants to know of it */
};

struct gaspdb_open_events {
	struct gaspdb_open_event *list; /* by start */
	size_t n, room;
};

void gaspdb_open_events_fini(struct gaspdb_open_events *open);

/* One begins at at_ns. */
void gaspdb_open_events_add(struct gaspdb_run *run,
			    struct gaspdb_open_events *open, int64_t at_ns,
			    struct gaspdb_open_event event);

/* The one that began last, whether it has ended or not; NULL: none is left.
   Who finds that it has ended takes it off. */
static inline const struct gaspdb_open_event *
gaspdb_open_events_top(const struct gaspdb_open_events *open)
{
	return open->n ? &open->list[open->n - 1] : NULL;
}

#endif
