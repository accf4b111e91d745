/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs of acquisition and release of a lock. A lock belongs to a process: any
 * of its threads may release it.
 *
 * A process may release a lock, and acquire it again, in an unrecorded
 * interval. It did so if another process acquired the lock before the recorded
 * release began. A release without a recorded acquisition therefore ends a hold
 * that began in an unrecorded interval, at the latest at its end: the
 * acquisition is UNSEEN. If the process has no such interval since it last did
 * not hold the lock, the release is a STRAY.
 */
#ifndef GASPDB_ANALYSIS_LOCKS_PAIRS_H
#define GASPDB_ANALYSIS_LOCKS_PAIRS_H

#include "analysis/engine/unrecorded.h"
#include "analysis/locks/calls.h"

/* Columns that sort a call: object, effect, kind, event. */
enum { GASPDB_LOCK_KEYS = GASPDB_LOCK_EVENT + 1 };

/* A release, sorted by its acquisition, whose sort columns come first. */
enum {
	GASPDB_RELEASE_BY = GASPDB_LOCK_KEYS,
	GASPDB_RELEASE_START,
	GASPDB_RELEASE_END,
	GASPDB_RELEASE_COLUMNS
};

/*
 * Pair all calls, which are read and rewound. Initializes both sorters and
 * fills them. inferred: UNSEEN and STRAY rows, with the columns of calls, and
 * event, thread and line of the release. An UNSEEN hold began between START and
 * END, which is also its EFFECT.
 */
void gaspdb_lock_pairs_find(struct gaspdb_run *run,
			    const struct gaspdb_unrecorded *unrecorded,
			    struct gaspdb_sorter *calls,
			    struct gaspdb_sorter *releases,
			    struct gaspdb_sorter *inferred);

#endif
