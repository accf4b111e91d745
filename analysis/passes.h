/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The analyses that need more than SQL.  Each reads tables of an imported
 * run and writes one (and quality); all waiting goes to table wait.
 */
#ifndef GASPDB_ANALYSIS_PASSES_H
#define GASPDB_ANALYSIS_PASSES_H

#include <sqlite3.h>
#include <stdbool.h>

#include "common/error.h"
#include "sql/store/store.h"

struct gaspdb_event_pass;
struct gaspdb_run;

/* What a pass takes, about: for the forecast of an import's end. */
struct gaspdb_pass_cost {
	double event, p2p, collective;		  /* ns a row */
	bool reads_events, reads_args, reads_p2p; /* all of them, once */
	bool writes_collectives;
};

/* Who wants to know how far the passes are. */
struct gaspdb_passes_watch {
	/* left: ns, at the costs above, of this pass and those after it */
	void (*report)(void *user, const char *pass, double left);
	void *user;
	struct gaspdb_row_counts rows;
};

struct gaspdb_pass {
	const char *name;
	const char *summary;
	enum {
		GASPDB_PASS_OF_TRACE, /* it needs events */
		GASPDB_PASS_OF_ALL
	} of;
	struct gaspdb_pass_cost cost; /* all zero: next to nothing */
	/* One of these three.  Returns run->status. */
	enum gaspdb_status (*run)(struct gaspdb_run *run);
	/* All that it does is to look at all events (scan.h); those that follow
	   each other do so together. */
	const struct gaspdb_event_pass *events;
	const char *sql; /* sql/passes/passes.sql */
};

/* In the order in which they run; ends with a NULL name. */
extern const struct gaspdb_pass gaspdb_passes[];

/*
 * Run every pass, one after another, inside the caller's transaction, which may
 * be committed and another begun (table.h).  Nothing of the data is an error:
 * what cannot be analysed becomes a row in quality; an interrupt is a failure.
 * watch: NULL: no progress is reported.
 */
enum gaspdb_status gaspdb_run_passes(sqlite3 *db,
				     const struct gaspdb_passes_watch *watch,
				     struct gaspdb_error *err);

/* What all passes take of so many rows, in ns. */
double gaspdb_passes_cost(const struct gaspdb_row_counts *rows);

#endif
