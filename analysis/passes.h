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

struct gaspdb_pass {
	const char *name;
	const char *summary;
	enum gaspdb_status (*run)(sqlite3 *db, struct gaspdb_error *err);
	enum {
		GASPDB_IN_TURN,
		GASPDB_BESIDE /* those that follow, which do not read what it
				 writes, unless they come after it */
	} when;
	/* The pass BESIDE that must be over, and those of before it; NULL: it
	   reads nothing of what they write. */
	const char *after;
	/* BESIDE: the objects of before (analysis/shared.h) that it uses, and
	   those that follow do not; NULL after the last.  NULL: none. */
	const char *const *takes;
	/* BESIDE, and all that it does is to look at all events (scan.h): then
	   it may do so with those that follow.  NULL: else. */
	const struct gaspdb_event_pass *events;
};

/* In the order in which they run; ends with a NULL name. */
extern const struct gaspdb_pass gaspdb_passes[];

/*
 * Run every pass, inside the caller's transaction.  Nothing of the data is
 * an error: what cannot be analysed becomes a row in quality.  spans: of
 * whoever wrote table p2p, marks: of whoever wrote table event; NULL: not
 * known.  threads: some may run in threads of their own.
 */
enum gaspdb_status gaspdb_run_passes(sqlite3 *db,
				     const struct gaspdb_p2p_spans *spans,
				     const struct gaspdb_event_marks *marks,
				     bool threads, struct gaspdb_error *err);

#endif
