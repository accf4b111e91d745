/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lock calls: acquisitions, failed attempts, releases and frees, sorted by lock
   and time. */
#ifndef GASPDB_ANALYSIS_LOCKS_CALLS_H
#define GASPDB_ANALYSIS_LOCKS_CALLS_H

#include "analysis/engine/run.h"
#include "analysis/rows/sorter.h"

/* A call, sorted by the first four columns. OBJECT: the lock; NONE: unknown.
   EFFECT: end of an acquisition, start of any other call. */
enum {
	GASPDB_LOCK_OBJECT,
	GASPDB_LOCK_EFFECT,
	GASPDB_LOCK_KIND,
	GASPDB_LOCK_EVENT,
	GASPDB_LOCK_THREAD,
	GASPDB_LOCK_START,
	GASPDB_LOCK_END,
	GASPDB_LOCK_SOURCE,
	GASPDB_LOCK_ATTEMPTS, /* calls folded into the event */
	GASPDB_LOCK_COLUMNS
};

/* KIND. Calls at one time are in this order: a thread may release what another
   thread of its process has just acquired. UNSEEN and STRAY come from pairs.h.
 */
enum {
	GASPDB_LOCK_ACQUIRE,
	GASPDB_LOCK_UNSEEN,
	GASPDB_LOCK_FAILED_ATTEMPT,
	GASPDB_LOCK_RELEASE,
	GASPDB_LOCK_PENDING, /* an acquisition that its log ends in */
	GASPDB_LOCK_FREE,    /* later calls with this object use another lock */
	GASPDB_LOCK_STRAY
};

/* Initialize the sorter and fill it. */
void gaspdb_lock_calls_gather(struct gaspdb_run *run,
			      struct gaspdb_sorter *calls);

#endif
