/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each thread's time from its first moment to its last: calls into the runtime,
 * waiting in them, computation between them, by the innermost function of the
 * program's own that is open, if one is.  Most calls change nothing for
 * anybody: they are added up, line by line and in all, until something does.
 */
#ifndef GASPDB_ANALYSIS_PATH_ACTIVITY_H
#define GASPDB_ANALYSIS_PATH_ACTIVITY_H

#include "analysis/path/lines.h"
#include "analysis/engine/scan.h"

struct gaspdb_piece {
	int64_t thread;
	enum gaspdb_doing doing;
	int64_t start_ns, end_ns;
	int64_t event;	  /* the call; NONE while computing */
	int64_t from, to; /* sources: computing: as lines.h says; else
			     from the call's */
};

/* Who listens to it. */
struct gaspdb_activity_calls {
	void *user;
	/*
	 * It is that time on the thread, asked before it does anything: on
	 * which side of the path it is, and whether to tell each piece from now
	 * on.  Returns when to ask again, later than that.
	 */
	int64_t (*at)(void *user, int64_t thread, int64_t at_ns,
		      enum gaspdb_path_side *side, bool *pieces);
	/* The pieces of which that was wanted, whole or cut into several. */
	void (*piece)(void *user, const struct gaspdb_piece *piece);
	/* The first event to come whose pieces are wanted, whatever at() said;
	   INT64_MAX: none.  Asked for after each such event. */
	int64_t (*next_whole)(void *user);
};

struct gaspdb_activity;

/*
 * All threads, one after the other, each in order of time.  Nothing is left out
 * between a thread's first and last moment.  Wants table wait.  spent is given
 * all that each thread does, and told when the thread ends, if not before.
 * What it is given must outlive it.  NULL after a failure.
 */
struct gaspdb_activity *
gaspdb_activity_open(struct gaspdb_run *run, struct gaspdb_path_lines *lines,
		     struct gaspdb_recent_time *spent,
		     const struct gaspdb_activity_calls *calls);
/* All events but nested ones, in the order of their ids. */
void gaspdb_activity_consume(struct gaspdb_activity *activity,
			     const struct gaspdb_event *event);
/* They are all told. */
void gaspdb_activity_close(struct gaspdb_activity *activity);

#endif
