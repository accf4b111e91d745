/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that take locks, give them back, try to, and free them. */
#ifndef GASPDB_ANALYSIS_LOCKS_CALLS_H
#define GASPDB_ANALYSIS_LOCKS_CALLS_H

#include "analysis/engine/run.h"
#include "analysis/rows/sorter.h"

/* A row, in the order of its first four columns.  EFFECT: when the call takes
   the lock, gives it back, or begins in vain; OBJECT may be NONE. */
enum {
	GASPDB_LOCK_OBJECT,
	GASPDB_LOCK_EFFECT,
	GASPDB_LOCK_WHAT,
	GASPDB_LOCK_EVENT,
	GASPDB_LOCK_THREAD,
	GASPDB_LOCK_START,
	GASPDB_LOCK_END,
	GASPDB_LOCK_SOURCE,
	GASPDB_LOCK_ATTEMPTS, /* calls that it stands for */
	GASPDB_LOCK_COLUMNS
};

/* WHAT; of one moment in this order, for a thread may give back what another
   one of its process has just taken.  PENDING: still waiting when its log
   ended.  FREE: what comes later is of another lock.  UNSEEN and STRAY are
   pairs.h's. */
enum {
	GASPDB_LOCK_ACQUIRE,
	GASPDB_LOCK_UNSEEN,
	GASPDB_LOCK_ATTEMPT,
	GASPDB_LOCK_RELEASE,
	GASPDB_LOCK_PENDING,
	GASPDB_LOCK_FREE,
	GASPDB_LOCK_STRAY
};

/* Begins the sorter, and fills it. */
void gaspdb_lock_calls_gather(struct gaspdb_run *run,
			      struct gaspdb_sorter *calls);

#endif
