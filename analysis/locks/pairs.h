/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which call gives back which use of a lock.  A lock belongs to a process: any
 * thread of it may give it back.
 *
 * A process that was not recorded for a while may have given back what it had,
 * and have taken it again.  It did so where another took the lock before the
 * call that gives it back began.  What it gives back without having taken it,
 * it took while it was not recorded, and has had at least since it is again: a
 * use of its own, whose taking is UNSEEN.  Was it recorded ever since it did
 * not have the lock, the call is a STRAY.
 */
#ifndef GASPDB_ANALYSIS_LOCKS_PAIRS_H
#define GASPDB_ANALYSIS_LOCKS_PAIRS_H

#include "analysis/engine/unrecorded.h"
#include "analysis/locks/calls.h"

/* How many of a call's columns tell which it is, in the order of calls. */
enum { GASPDB_LOCK_KEYS = GASPDB_LOCK_EVENT + 1 };

/* A row of releases, in the order of the uses that end, whose calls' keys come
   first: its last call. */
enum {
	GASPDB_RELEASE_BY = GASPDB_LOCK_KEYS,
	GASPDB_RELEASE_START,
	GASPDB_RELEASE_END,
	GASPDB_RELEASE_COLUMNS
};

/*
 * All calls, by lock, are read and rewound.  Begins both sorters, and fills
 * them; found: rows as of calls, UNSEEN and STRAY, with the event, thread and
 * line of the call that gives the lock back; an UNSEEN one's start is when its
 * process may have had the lock at the earliest, its end and effect, at the
 * latest.
 */
void gaspdb_lock_pairs_find(struct gaspdb_run *run,
			    const struct gaspdb_unrecorded *absences,
			    struct gaspdb_sorter *calls,
			    struct gaspdb_sorter *releases,
			    struct gaspdb_sorter *found);

#endif
