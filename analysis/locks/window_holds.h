/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holds of window locks: epochs from MPI_Win_lock to MPI_Win_unlock, each a
 * hold of (window, target). They are sorted by lock and end.
 *
 * A hold ends inside its unlock, at the latest when a conflicting lock call
 * that began before the unlock returns.
 */
#ifndef GASPDB_ANALYSIS_LOCKS_WINDOW_HOLDS_H
#define GASPDB_ANALYSIS_LOCKS_WINDOW_HOLDS_H

#include "analysis/engine/unrecorded.h"
#include "analysis/rows/sorter.h"

enum gaspdb_window_state {
	GASPDB_WINDOW_RELEASED,
	GASPDB_WINDOW_UNLOCKING,  /* the log ends in the unlock */
	GASPDB_WINDOW_UNRELEASED, /* no unlock was recorded; the hold ends at
				     the latest in the process's next unrecorded
				     interval */
	GASPDB_WINDOW_LOCKING	  /* the log ends in the lock call: no hold */
};

enum gaspdb_window_hold {
	GASPDB_HOLD_OBJECT, /* as lock_use.object */
	GASPDB_HOLD_TIME,   /* its end; INT64_MAX: LOCKING */
	GASPDB_HOLD_STEP,   /* see window_holds.c */
	GASPDB_HOLD_EVENT,  /* the lock call; last column of the sort order. A
			       lock of all targets is a hold of each target that
			       another process locks exclusively meanwhile */
	GASPDB_HOLD_REQUESTED, /* enter of the lock call */
	GASPDB_HOLD_ACQUIRED,  /* its leave */
	GASPDB_HOLD_RELEASING, /* earliest end of the hold */
	GASPDB_HOLD_END,       /* its end: equal to TIME, except for LOCKING */
	GASPDB_HOLD_UNLOCK,    /* the unlock call; NONE: none */
	GASPDB_HOLD_THREAD,
	GASPDB_HOLD_SOURCE,
	GASPDB_HOLD_EXCLUSIVE,
	GASPDB_HOLD_PROCESS,
	GASPDB_HOLD_WINDOW, /* the process's own number */
	GASPDB_HOLD_TEAM,
	GASPDB_HOLD_TARGET, /* process */
	GASPDB_HOLD_STATE,
	GASPDB_HOLD_COLUMNS
};

/* Do two holds of one lock exclude each other? */
static inline bool gaspdb_holds_conflict(const int64_t *a, const int64_t *b)
{
	return a[GASPDB_HOLD_EXCLUSIVE] || b[GASPDB_HOLD_EXCLUSIVE];
}

/*
 * Find the holds of window calls. Initializes two sorters and fills them; the
 * caller frees them. A row of holds may be repeated. unseen: rows of unrecorded
 * intervals (analysis/engine/unrecorded.h) for holds without a recorded lock
 * call, whose conflicts are unknown.
 */
void gaspdb_window_holds(struct gaspdb_run *run,
			 const struct gaspdb_unrecorded *unrecorded,
			 struct gaspdb_sorter *calls,
			 struct gaspdb_sorter *holds,
			 struct gaspdb_sorter *unseen);

#endif
