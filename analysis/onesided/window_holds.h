/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who locked which process's window from when to when: an epoch from
 * MPI_Win_lock to MPI_Win_unlock is a hold of (window, target).  They come
 * target by target, in the order in which they were given back.
 *
 * A hold ends somewhere in its unlock, and not after a conflicting call for the
 * lock that was going on when the unlock began has returned.
 */
#ifndef GASPDB_ANALYSIS_ONESIDED_WINDOW_HOLDS_H
#define GASPDB_ANALYSIS_ONESIDED_WINDOW_HOLDS_H

#include "analysis/engine/unrecorded.h"
#include "analysis/rows/sorter.h"

enum gaspdb_window_state {
	GASPDB_WINDOW_RELEASED,
	GASPDB_WINDOW_UNLOCKING, /* when its log ended */
	GASPDB_WINDOW_NEVER,	 /* its unlock was not seen; it ends at the
				    latest when its process is not recorded */
	GASPDB_WINDOW_LOCKING	 /* when its log ended: it never had it */
};

enum gaspdb_window_hold {
	GASPDB_HOLD_OBJECT, /* as lock_use.object */
	GASPDB_HOLD_AT,	    /* its end; INT64_MAX: it never had it */
	GASPDB_HOLD_STEP,   /* the last that they are sorted by but the event */
	GASPDB_HOLD_EVENT,  /* the lock call; one of all targets comes with each
			       of those that others wanted alone meanwhile */
	GASPDB_HOLD_FROM,   /* its enter */
	GASPDB_HOLD_TAKEN,  /* its leave */
	GASPDB_HOLD_RELEASING, /* the hold ends no earlier, */
	GASPDB_HOLD_END,       /* and here: the same as AT, but of LOCKING */
	GASPDB_HOLD_UNLOCK,    /* the unlock call; NONE */
	GASPDB_HOLD_THREAD,
	GASPDB_HOLD_SOURCE,
	GASPDB_HOLD_EXCLUSIVE,
	GASPDB_HOLD_PROCESS,
	GASPDB_HOLD_WINDOW, /* as the process numbers it */
	GASPDB_HOLD_TEAM,
	GASPDB_HOLD_TARGET, /* process */
	GASPDB_HOLD_STATE,
	GASPDB_HOLD_COLUMNS
};

/* Of two holds of one lock: may they not be at the same time? */
static inline bool gaspdb_holds_conflict(const int64_t *a, const int64_t *b)
{
	return a[GASPDB_HOLD_EXCLUSIVE] || b[GASPDB_HOLD_EXCLUSIVE];
}

/*
 * Of window_calls.h's calls: begins two sorters, and fills them; the caller
 * frees them.  A row of holds may come twice in a row.  unseen, as analysis/engine/unrecorded.h
 * takes it: what ended with an unlock whose lock was not recorded; nobody knows
 * whom that excluded.
 */
void gaspdb_window_holds(struct gaspdb_run *run,
			 const struct gaspdb_unrecorded *unrecorded,
			 struct gaspdb_sorter *calls,
			 struct gaspdb_sorter *holds,
			 struct gaspdb_sorter *unseen);

#endif
