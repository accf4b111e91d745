/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The holds of one lock, numbered in the order in which it was taken, however
 * many: the last ones are in memory, those before in a file.
 */
#ifndef GASPDB_ANALYSIS_LOCKS_HISTORY_H
#define GASPDB_ANALYSIS_LOCKS_HISTORY_H

#include "analysis/engine/run.h"

struct gaspdb_hold {
	int64_t event, source, thread; /* of the call that took it; event and
					  source NONE: not recorded */
	int64_t taken_ns, end_ns;      /* when that returned; free again */
	int64_t since_ns, until_ns;    /* not recorded: from when on, and until
					  when its process may have had it */
};

struct gaspdb_spool;

struct gaspdb_lock_history {
	struct gaspdb_run *run;
	size_t n;		    /* holds */
	struct gaspdb_hold *recent; /* the last ones, in turn; and some that
				       were read */
	size_t from, until;	    /* the latter's numbers */
	struct gaspdb_spool *spool;
	int64_t offset; /* of the first hold */
};

/* Zeroed, but for the run: there are none. */
void gaspdb_lock_history_add(struct gaspdb_lock_history *history,
			     const struct gaspdb_hold *hold);
/* Number i, i < n, borrowed until the next call; NULL after a failure. */
const struct gaspdb_hold *
gaspdb_lock_history_get(struct gaspdb_lock_history *history, size_t i);
/* Forget them: another lock's are to come. */
void gaspdb_lock_history_clear(struct gaspdb_lock_history *history);
void gaspdb_lock_history_free(struct gaspdb_lock_history *history);

#endif
