/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pass beside those that follow it in the list.  It reads what is there when
 * it begins; what it writes waits until it is joined, rows of large tables in
 * their files (analysis/table.h), all others in one.  A thread runs it, with a
 * connection of its own, or it runs at once, or, if all that it does is to look
 * at all events, with the next scan of these: the file is the same.
 *
 * Such a pass writes by gaspdb_write() and gaspdb_bulk_add() only, and opens
 * one run.
 */
#ifndef GASPDB_ANALYSIS_LANE_H
#define GASPDB_ANALYSIS_LANE_H

#include "analysis/passes.h"
#include "analysis/run.h"
#include "analysis/scan.h"

struct gaspdb_lane;

/*
 * Start a pass.  run: that which others share; if it may have lanes, a thread
 * may run the pass.  What is in its transaction is committed then, and another
 * begun.  NULL after a failure, which fails the run.
 */
struct gaspdb_lane *gaspdb_lane_start(struct gaspdb_run *run,
				      const struct gaspdb_pass *pass);
/* Wait for its end, write what it has to, unless the run has failed, and free
   it.  NULL: nothing. */
void gaspdb_lane_join(struct gaspdb_lane *lane, struct gaspdb_run *run);

/* Part of gaspdb_scan_events(): a pass that waited for them begins.  *user: for
   the function that takes them.  NULL: it is over already. */
gaspdb_event_fn gaspdb_lane_scan_begins(struct gaspdb_lane *lane, void **user);
/* That was the last one. */
void gaspdb_lane_scan_ends(struct gaspdb_lane *lane);

/* Part of gaspdb_write(): a row that waits. */
void gaspdb_lane_write(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		       const int64_t *values, size_t n_texts,
		       const char *const *texts);
/* Part of gaspdb_run_close(): large tables that wait. */
void gaspdb_lane_keep(struct gaspdb_run *run);

#endif
