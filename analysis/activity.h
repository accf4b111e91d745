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

struct gaspdb_activity {
	struct gaspdb_run *run;
	sqlite3_stmt *events, *waits, *gaps;
	int64_t thread, at_ns, before; /* so far: until when, after which
					  source */
	struct {
		int64_t thread, event, source, start_ns, end_ns;
	} call;
	struct {
		int64_t event, start_ns, end_ns;
	} wait; /* the next */
	struct {
		int64_t thread, start_ns, end_ns;
	} gap; /* the next */
	bool has_call, has_wait, has_gap, in_call;
};

/* Wants table wait as its pass left it: in the order of events. */
void gaspdb_activity_open(struct gaspdb_activity *activity,
			  struct gaspdb_run *run);
/*
 * The next piece, thread by thread, in order of time; calls have at least one
 * piece each, that may be of no length.  False at the end.
 */
bool gaspdb_activity_next(struct gaspdb_activity *activity,
			  struct gaspdb_piece *piece);
void gaspdb_activity_close(struct gaspdb_activity *activity);

#endif
