/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All events in a row. */
#ifndef GASPDB_ANALYSIS_SCAN_H
#define GASPDB_ANALYSIS_SCAN_H

#include "analysis/run.h"

struct gaspdb_event {
	int64_t id, thread, source;
	int64_t start_ns, duration_ns;
	int64_t bytes, peer, object; /* NONE: NULL */
	bool open;
};

typedef void (*gaspdb_event_fn)(void *user, const struct gaspdb_event *event);

/* Part of gaspdb_run_open(): while statements are active it is too late. */
void gaspdb_scan_register(struct gaspdb_run *run);
/* Every event but nested ones, in the order of their ids. */
void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user);

#endif
