/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stack of open events of a thread, for a pass over all of its events. An
 * event that ends below the top has no effect while the top is open, so it
 * stays until it becomes the top.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_OPEN_EVENTS_H
#define GASPDB_ANALYSIS_ENGINE_OPEN_EVENTS_H

#include "analysis/engine/run.h"

struct gaspdb_open_event {
	int64_t end_ns;
	int64_t value; /* the pass's value of the event */
};

struct gaspdb_open_events {
	struct gaspdb_open_event *list; /* by start */
	size_t n, room;
};

void gaspdb_open_events_fini(struct gaspdb_open_events *open);

/* Push an event that begins at at_ns. */
void gaspdb_open_events_add(struct gaspdb_run *run,
			    struct gaspdb_open_events *open, int64_t at_ns,
			    struct gaspdb_open_event event);

/* The top, ended or not; NULL: empty. The caller pops an ended event. */
static inline const struct gaspdb_open_event *
gaspdb_open_events_top(const struct gaspdb_open_events *open)
{
	return open->n ? &open->list[open->n - 1] : NULL;
}

#endif
