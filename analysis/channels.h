/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ends of messages, sorted by channel and time: what the matching walks
 * along, sends and receives side by side.
 */
#ifndef GASPDB_ANALYSIS_CHANNELS_H
#define GASPDB_ANALYSIS_CHANNELS_H

#include "analysis/run.h"

/* A call that starts or completes an end. */
struct gaspdb_end_call {
	int64_t event, source; /* NONE: not seen */
	int64_t start_ns, end_ns;
};

struct gaspdb_end {
	int64_t channel[4]; /* team, sender, receiver, tag; NULL team: NONE */
	int64_t at_ns;	    /* enter of the call that starts or posts it */
	int64_t id;	    /* p2p.id; NONE: these passed while recording was
			       off, count of them */
	int64_t count;
	int64_t thread;
	struct gaspdb_end_call post, complete;
	int64_t bytes, limit_bytes; /* NONE: not known */
	bool error;
	bool uncertain; /* another thread posted at the same time */
};

/* One direction.  `now` is valid while `more`. */
struct gaspdb_ends {
	struct gaspdb_run *run;
	sqlite3_stmt *stmt;
	struct gaspdb_end now, next;
	bool more, has_next;
	/* of the current channel: the latest end of a posting call, its
	   thread, and the latest of any other thread */
	int64_t busy_until_ns, busy_thread, others_until_ns;
};

/* direction: "send" or "receive". */
void gaspdb_ends_open(struct gaspdb_ends *ends, struct gaspdb_run *run,
		      const char *direction);
void gaspdb_ends_advance(struct gaspdb_ends *ends);
/* Use up n of now's count, and go on when none is left. */
void gaspdb_ends_take(struct gaspdb_ends *ends, int64_t n);
void gaspdb_ends_close(struct gaspdb_ends *ends);

/* < 0, 0, > 0, in the order of the sorted ends. */
int gaspdb_channel_compare(const int64_t *a, const int64_t *b);

#endif
