/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Passes beside those that follow them in the list.  Each reads what is there
 * when it begins; what it writes waits until it is joined, rows of large tables
 * in their files (analysis/table.h), all others in one.  A thread runs it, with
 * a connection of its own, or it runs at once, or, if all that it does is to
 * look at all events, with the next scan of these, be it that of another of
 * them: the file is the same.
 *
 * Such a pass writes by gaspdb_write() and bulks (table.h) only, and opens one
 * run.
 */
#ifndef GASPDB_ANALYSIS_LANE_H
#define GASPDB_ANALYSIS_LANE_H

#include "analysis/passes.h"
#include "analysis/run.h"
#include "analysis/scan.h"

struct gaspdb_lane;

enum { GASPDB_LANES_MAX = 4 }; /* in all */

/*
 * Start a pass.  run: that which others share; if it may have lanes, a thread
 * may run the pass.  What is in its transaction is committed then, and another
 * begun.  NULL after a failure, which fails the run.
 */
struct gaspdb_lane *gaspdb_lane_start(struct gaspdb_run *run,
				      const struct gaspdb_pass *pass);
const struct gaspdb_pass *gaspdb_lane_pass(const struct gaspdb_lane *lane);
/* Wait for its end, write what it has to, unless the run has failed, and free
   it.  In the order in which they were started. */
void gaspdb_lane_join(struct gaspdb_lane *lane, struct gaspdb_run *run);

/* Who takes the events of a scan. */
struct gaspdb_taker {
	gaspdb_event_fn fn;
	void *user;
};

/* Part of gaspdb_scan_events(): the passes that wait for a scan of the run's
   begin.  How many of them take events: room for all lanes. */
size_t gaspdb_lanes_scan_begins(struct gaspdb_run *run,
				struct gaspdb_taker *takers);
/* That was the last one. */
void gaspdb_lanes_scan_ends(struct gaspdb_lane *first);

/* Part of gaspdb_write(): a row that waits. */
void gaspdb_lane_write(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		       const int64_t *values, size_t n_texts,
		       const char *const *texts);
/* Part of gaspdb_run_close(): large tables that wait. */
void gaspdb_lane_keep(struct gaspdb_run *run);

#endif
