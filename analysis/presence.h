/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Was a process inside its runtime at some time, and when did it enter it next?
 * Asked process by process, and of each in the order of time: then the answers
 * come from one walk along its events.
 */
#ifndef GASPDB_ANALYSIS_PRESENCE_H
#define GASPDB_ANALYSIS_PRESENCE_H

#include "analysis/table.h"

enum gaspdb_presence_state {
	GASPDB_PRESENCE_UNKNOWN, /* it was not recorded then */
	GASPDB_PRESENCE_INSIDE,	 /* one of its threads was */
	GASPDB_PRESENCE_OUTSIDE
};

struct gaspdb_presence {
	struct gaspdb_run *run;
	struct gaspdb_presence_thread {
		struct gaspdb_cursor events;
		int64_t id, last_id;	    /* the next event, the last */
		int64_t since_ns, until_ns; /* the call that goes on or comes
					       next; INT64_MAX: none */
	} * threads;			    /* of the process */
	size_t n, n_open, room;
	int64_t process;
	int64_t first_ns, last_ns; /* of its threads; no log: first NONE */
	sqlite3_stmt *gaps;	   /* of all processes */
	int64_t gap_process;	   /* NONE: no more */
	int64_t gap_since_ns, gap_until_ns; /* of the row at hand */
	int64_t inside_until_ns; /* what was found last still holds */
	int64_t outside_until_ns;
};

void gaspdb_presence_open(struct gaspdb_presence *presence,
			  struct gaspdb_run *run);
/* Processes by their first threads' ids, ascending. */
void gaspdb_presence_of(struct gaspdb_presence *presence, int64_t process);
/*
 * Times of a process ascend.  *next_ns, if it is outside: when it enters the
 * runtime next, or when nobody knows any more whether it has.
 */
enum gaspdb_presence_state gaspdb_presence_at(struct gaspdb_presence *presence,
					      int64_t at_ns, int64_t *next_ns);
void gaspdb_presence_close(struct gaspdb_presence *presence);

#endif
