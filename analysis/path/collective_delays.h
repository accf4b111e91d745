/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the last to arrive at a barrier did longer than the others, since the
 * barrier before of the same threads, or of all: Scalasca's delay, instance by
 * instance.
 */
#ifndef GASPDB_ANALYSIS_PATH_COLLECTIVE_DELAYS_H
#define GASPDB_ANALYSIS_PATH_COLLECTIVE_DELAYS_H

#include "analysis/path/activity.h"
#include "analysis/waits/arrivals.h"
#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"
#include "analysis/path/team_times.h"

struct gaspdb_collective_delays {
	struct gaspdb_run *run;
	struct gaspdb_recent_time *spent;
	struct gaspdb_arrivals arrivals;
	struct gaspdb_arrival_call next; /* event NONE: no more */
	int64_t *team;			 /* its; of teams */
	struct gaspdb_arrival_cut cut;	 /* thread INT64_MAX: no more */
	/* An instance is told by the call that was waited for. */
	struct gaspdb_sorter waits; /* cause: kind, ns */
	/* cause, doing, from, to: the last thread's time, or another's */
	struct gaspdb_sorter shares;
	bool any;
	/* Teams that matter: collective_delays.c's */
	struct gaspdb_groups teams;
	struct gaspdb_team_times times; /* by set of members that matters */
	int64_t whole;			/* that of all; NONE: none matters */
	int64_t thread;
	int64_t first_event, last_event; /* the current thread's */
};

/* A wait for the last to come to a barrier or its like. */
struct gaspdb_collective_wait {
	int64_t cause_event, kind, ns;
};

/* What a thread did that others waited for. */
struct gaspdb_delay_share {
	int64_t kind, thread, source; /* the wait's; whom for; to come where */
	enum gaspdb_doing doing;
	int64_t from, to;
	double ns;
};

typedef void (*gaspdb_delay_share_fn)(void *user,
				      const struct gaspdb_delay_share *share);

void gaspdb_collective_delays_open(struct gaspdb_collective_delays *delays,
				   struct gaspdb_run *run);
/* All waits first; then it begins: `any` is false if there is nothing to do.
   spent is told when that matters. */
void gaspdb_collective_delays_wait(struct gaspdb_collective_delays *delays,
				   const struct gaspdb_collective_wait *wait);
void gaspdb_collective_delays_begin(struct gaspdb_collective_delays *delays,
				    struct gaspdb_recent_time *spent);
/* A thread has come to that time; returns when to tell that again. */
int64_t gaspdb_collective_delays_at(struct gaspdb_collective_delays *delays,
				    int64_t thread, int64_t at_ns);
/* All pieces of the calls by which threads arrive, and any others, in their
   order, each before it is spent. */
void gaspdb_collective_delays_add(struct gaspdb_collective_delays *delays,
				  const struct gaspdb_piece *piece);
/* What the thread did; in no order. */
void gaspdb_collective_delays_spent(struct gaspdb_collective_delays *delays,
				    const struct gaspdb_recent_time_line *line);
/* The next call by which a thread arrives; INT64_MAX: there are no more. */
static inline int64_t
gaspdb_collective_delays_next(const struct gaspdb_collective_delays *delays)
{
	return delays->any && delays->next.event != GASPDB_NONE
		       ? delays->next.event
		       : INT64_MAX;
}
/* Share out the waiting, after all pieces. */
void gaspdb_collective_delays_finish(struct gaspdb_collective_delays *delays,
				     gaspdb_delay_share_fn fn, void *user);
void gaspdb_collective_delays_close(struct gaspdb_collective_delays *delays);

#endif
