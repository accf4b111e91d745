/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * History of one lock: its holds, numbered in the order of acquisition. The
 * last ones are in memory, the earlier ones in a file.
 */
#ifndef GASPDB_ANALYSIS_LOCKS_HISTORY_H
#define GASPDB_ANALYSIS_LOCKS_HISTORY_H

#include "analysis/engine/run.h"

struct gaspdb_hold {
	int64_t event, source, thread; /* of the acquiring call; event and
					  source NONE: it was not recorded */
	int64_t taken_ns, end_ns;      /* return of that call; release */
	/* Bounds of a hold whose ends were not recorded: it began at the
	   earliest, and ended at the latest, at these times. */
	int64_t earliest_ns, latest_ns;
};

struct gaspdb_spool;

struct gaspdb_lock_history {
	struct gaspdb_run *run;
	size_t n;		    /* holds */
	struct gaspdb_hold *recent; /* ring of the last ones, then the holds
				       read from the file */
	size_t from, until; /* numbers of the holds read: [from, until) */
	struct gaspdb_spool *spool;
	int64_t offset; /* of this lock's first hold in the file */
};

/* A history with all fields zero but run is empty. */
void gaspdb_lock_history_add(struct gaspdb_lock_history *history,
			     const struct gaspdb_hold *hold);
/* Hold number i, i < n, borrowed until the next call; NULL after a failure. */
const struct gaspdb_hold *
gaspdb_lock_history_get(struct gaspdb_lock_history *history, size_t i);
/* Empty the history for the next lock. */
void gaspdb_lock_history_clear(struct gaspdb_lock_history *history);
void gaspdb_lock_history_free(struct gaspdb_lock_history *history);

#endif
