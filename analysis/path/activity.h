/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The activity of each thread from its start to its end: calls into the
 * runtime, waiting in them, and computation between them, by the innermost open
 * function of the program. Time is added up by line. Single pieces are reported
 * only where a consumer needs them.
 */
#ifndef GASPDB_ANALYSIS_PATH_ACTIVITY_H
#define GASPDB_ANALYSIS_PATH_ACTIVITY_H

#include "analysis/engine/scan.h"
#include "analysis/path/lines.h"

struct gaspdb_activity_piece {
	int64_t thread;
	enum gaspdb_activity_kind kind;
	int64_t start_ns, end_ns;
	int64_t event;	  /* the call; NONE: computation */
	int64_t from, to; /* sources of computation (lines.h); else from: the
			     call's source */
};

/* Callbacks of the consumer. */
struct gaspdb_activity_callbacks {
	void *user;
	/*
	 * The state of a thread from at_ns on: the side of the path, and
	 * whether each piece is to be reported. Returns the time, after at_ns,
	 * until which it holds. Called in the order of threads and time.
	 */
	int64_t (*state_at)(void *user, int64_t thread, int64_t at_ns,
			    enum gaspdb_path_side *side, bool *pieces);
	/* A piece that is to be reported; a piece may be split into several. */
	void (*piece)(void *user, const struct gaspdb_activity_piece *piece);
	/* The next event whose pieces are to be reported in any state;
	   INT64_MAX: none. Called again after each such event. */
	int64_t (*next_reported)(void *user);
};

struct gaspdb_activity;

/*
 * Open the activity of all threads, one after another in order of time, without
 * gaps between a thread's start and end. Needs table wait. All activity goes to
 * recent, which is emitted at the end of each thread at the latest. The
 * arguments are borrowed until it is closed. NULL: a failure.
 */
struct gaspdb_activity *
gaspdb_activity_open(struct gaspdb_run *run, struct gaspdb_path_lines *lines,
		     struct gaspdb_recent_time *recent,
		     const struct gaspdb_activity_callbacks *callbacks);
/* Consume an event: all events except nested ones, in the order of ids. */
void gaspdb_activity_consume(struct gaspdb_activity *activity,
			     const struct gaspdb_event *event);
/* Close it after the last event. */
void gaspdb_activity_close(struct gaspdb_activity *activity);

#endif
