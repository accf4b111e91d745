/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The analyses that need more than SQL.  Each reads tables of an imported
 * run and writes one (and quality); all waiting goes to table wait.
 */
#ifndef GASPDB_PASSES_H
#define GASPDB_PASSES_H

#include <sqlite3.h>
#include <stdbool.h>

#include "error.h"

struct gaspdb_event_marks;
struct gaspdb_event_pass;
struct gaspdb_p2p_spans;

struct gaspdb_run;

struct gaspdb_pass {
	const char *name;
	const char *summary;
	void (*run)(struct gaspdb_run *run); /* NULL: events */
	/* All that it does is to look at all events (scan.h); those that follow
	   each other do so together.  NULL: run. */
	const struct gaspdb_event_pass *events;
};

/* In the order in which they run; ends with a NULL name. */
extern const struct gaspdb_pass gaspdb_passes[];

/*
 * Run every pass, one after another, inside the caller's transaction, which may
 * be committed and another begun (table.h).  Nothing of the data is an error:
 * what cannot be analysed becomes a row in quality.  spans: of whoever wrote
 * table p2p, marks: of whoever wrote table event; NULL: not known.
 */
enum gaspdb_status gaspdb_run_passes(sqlite3 *db,
				     const struct gaspdb_p2p_spans *spans,
				     const struct gaspdb_event_marks *marks,
				     struct gaspdb_error *err);

#endif
