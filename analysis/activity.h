/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each thread's time from its first moment to its last as a sequence of
 * pieces: calls into the runtime, waiting in them, computation between them.
 */
#ifndef GASPDB_ANALYSIS_ACTIVITY_H
#define GASPDB_ANALYSIS_ACTIVITY_H

#include "analysis/run.h"

enum gaspdb_doing {
	GASPDB_COMPUTING,
	GASPDB_CALLING,
	GASPDB_WAITING,
	GASPDB_NOT_RECORDED
};

struct gaspdb_piece {
	int64_t thread;
	enum gaspdb_doing doing;
	int64_t start_ns, end_ns;
	int64_t event;	  /* the call; NONE while computing */
	int64_t from, to; /* sources: computing: of the calls before and after
			     it, NONE at the ends; else from the call's */
};

/* The next n pieces: many at a time, so that waiting for memory about one need
   not hold up the others. */
typedef void (*gaspdb_pieces_fn)(void *user, const struct gaspdb_piece *pieces,
				 size_t n);

/*
 * All pieces, thread by thread, in order of time; calls have at least one
 * each, that may be of no length.  They leave out nothing between a thread's
 * first and last moment.  Wants table wait as its pass left it: in
 * the order of events.
 */
void gaspdb_activity(struct gaspdb_run *run, gaspdb_pieces_fn fn, void *user);

#endif
