/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Delays of barriers and similar collectives: Scalasca's delay, instance by
 * instance. It is the activity that took the last thread to arrive longer than
 * the others, since the last instance that synchronized the same threads or all
 * threads.
 */
#ifndef GASPDB_ANALYSIS_PATH_COLLECTIVE_DELAYS_H
#define GASPDB_ANALYSIS_PATH_COLLECTIVE_DELAYS_H

#include "analysis/path/activity.h"
#include "analysis/path/team_times.h"
#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"
#include "analysis/waits/arrivals.h"

struct gaspdb_collective_delays {
	struct gaspdb_run *run;
	struct gaspdb_recent_time *recent;
	struct gaspdb_arrivals arrivals;
	struct gaspdb_arrival_call next; /* next arrival; event NONE: none */
	int64_t *team;			 /* values of its team in teams */
	struct gaspdb_arrival_cut cut;	 /* next cut; thread INT64_MAX: none */
	/* An instance is identified by its cause: the call of the last thread
	   to arrive. */
	struct gaspdb_sorter waits; /* cause: kind, ns */
	/* cause, activity, from, to: time of the last thread or another one */
	struct gaspdb_sorter shares;
	bool any;
	struct gaspdb_groups teams; /* teams with waits: collective_delays.c */
	struct gaspdb_team_times times; /* by set of members with waits */
	int64_t whole; /* index in times of the set of all threads; NONE: none
			*/
	int64_t thread;
	int64_t first_event, last_event; /* the current thread's */
};

/* A wait for the last thread to arrive at an instance. */
struct gaspdb_collective_wait {
	int64_t cause_event, kind, ns;
};

/* Activity of a thread that others waited for. */
struct gaspdb_delay_share {
	int64_t kind;		/* of the wait */
	int64_t thread, source; /* the late thread, the line it had to reach */
	enum gaspdb_activity_kind activity;
	int64_t from, to;
	double ns;
};

typedef void (*gaspdb_delay_share_fn)(void *user,
				      const struct gaspdb_delay_share *share);

void gaspdb_collective_delays_open(struct gaspdb_collective_delays *delays,
				   struct gaspdb_run *run);
/* Add a wait. All waits are added before gaspdb_collective_delays_begin(),
   after which `any` is false if there is nothing to do. recent: borrowed; it is
   emitted at each arrival. */
void gaspdb_collective_delays_wait(struct gaspdb_collective_delays *delays,
				   const struct gaspdb_collective_wait *wait);
void gaspdb_collective_delays_begin(struct gaspdb_collective_delays *delays,
				    struct gaspdb_recent_time *recent);
/* Advance a thread to a time. Returns the time of its next cut, at which this
   must be called again. */
int64_t gaspdb_collective_delays_at(struct gaspdb_collective_delays *delays,
				    int64_t thread, int64_t at_ns);
/* Add a piece, before its time is added: all pieces of the calls by which
   threads arrive, and any others, in order. */
void gaspdb_collective_delays_add(struct gaspdb_collective_delays *delays,
				  const struct gaspdb_activity_piece *piece);
/* Add recent time of the thread. */
void gaspdb_collective_delays_add_time(
	struct gaspdb_collective_delays *delays,
	const struct gaspdb_recent_time_line *line);
/* The next call by which a thread arrives; INT64_MAX: no more. */
static inline int64_t
gaspdb_collective_delays_next(const struct gaspdb_collective_delays *delays)
{
	return delays->any && delays->next.event != GASPDB_NONE
		       ? delays->next.event
		       : INT64_MAX;
}
/* Distribute the waiting, after the last piece: fn gets each share. */
void gaspdb_collective_delays_finish(struct gaspdb_collective_delays *delays,
				     gaspdb_delay_share_fn fn, void *user);
void gaspdb_collective_delays_close(struct gaspdb_collective_delays *delays);

#endif
