/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delay causes: the activity of a thread while others wait for it. */
#ifndef GASPDB_ANALYSIS_PATH_DELAY_CAUSES_H
#define GASPDB_ANALYSIS_PATH_DELAY_CAUSES_H

#include "analysis/path/activity.h"
#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"

/* A wait for a thread to reach a line. */
struct gaspdb_delay_causes_wait {
	int64_t id, start_ns, end_ns;
	int64_t kind, cause_thread, cause_source;
};

struct gaspdb_delay_causes_end;

struct gaspdb_delay_causes {
	struct gaspdb_run *run;
	struct gaspdb_groups *shares;
	struct gaspdb_sorter waits; /* thread, start, id: end, kind, source */
	const int64_t *next;	    /* the next wait; NULL: no more */
	int64_t thread;
	struct gaspdb_delay_causes_end *open; /* heap of the open waits */
	size_t n_open, open_room;
	int64_t last_end_ns; /* latest end of the open waits */
	/* Since no wait was open; values: enums in delay_causes.c. */
	struct gaspdb_groups waited; /* kind, source */
	struct gaspdb_groups lines;  /* activity, from, to */
	struct gaspdb_groups sums;   /* row of waited, row of lines */
	size_t newest;		     /* row of lines + 1; 0: none */
	int64_t ticks;		     /* pieces so far */
};

/* shares: the result, borrowed: kind, thread, source, activity, from, to: ns.
 */
void gaspdb_delay_causes_open(struct gaspdb_delay_causes *causes,
			      struct gaspdb_run *run,
			      struct gaspdb_groups *shares);
/* Add a wait. All waits are added before gaspdb_delay_causes_begin(). */
void gaspdb_delay_causes_wait(struct gaspdb_delay_causes *causes,
			      const struct gaspdb_delay_causes_wait *wait);
void gaspdb_delay_causes_begin(struct gaspdb_delay_causes *causes);
/* Like gaspdb_delays_need(). */
bool gaspdb_delay_causes_need(struct gaspdb_delay_causes *causes,
			      int64_t thread, int64_t at_ns, int64_t *until_ns);
/* Add a piece: all that are needed, in order. */
void gaspdb_delay_causes_add(struct gaspdb_delay_causes *causes,
			     const struct gaspdb_activity_piece *piece);
/* Complete shares, after the last piece. */
void gaspdb_delay_causes_finish(struct gaspdb_delay_causes *causes);
void gaspdb_delay_causes_close(struct gaspdb_delay_causes *causes);

#endif
