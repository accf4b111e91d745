/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the last to arrive at a barrier did longer than the others, since the
 * team's barrier before: Scalasca's delay, instance by instance.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVE_DELAYS_H
#define GASPDB_ANALYSIS_COLLECTIVE_DELAYS_H

#include "analysis/activity.h"
#include "analysis/groups.h"
#include "analysis/sorter.h"

struct gaspdb_team_time;

struct gaspdb_collective_delays {
	struct gaspdb_run *run;
	sqlite3_stmt *teams;
	struct gaspdb_sorter
		waits; /* cause's event: thread, source, kind, ns */
	struct gaspdb_sorter members; /* event, instance */
	struct gaspdb_sorter waiters; /* instance: ns */
	/* instance, doing, from, to: the last thread's own time, others' */
	struct gaspdb_sorter shares;
	/* Of the teams that wait; an instance is a number in it. */
	struct gaspdb_instance_facts *facts;
	size_t n_facts, facts_room;
	struct gaspdb_team_time *times; /* of the teams with waits */
	size_t n_times, times_room;
	struct gaspdb_groups slots; /* team: its index in times + 1 */
	size_t *active;		    /* those of the current thread */
	size_t n_active, active_room;
	int64_t thread;
	int64_t next_event, next_instance; /* of members; NONE at the end */
};

/* A wait for the last to come to a barrier or its like. */
struct gaspdb_collective_wait {
	int64_t cause_event, cause_thread, cause_source;
	int64_t kind, ns;
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
/* All waits first; then it begins: n_times is 0 if there is nothing to do. */
void gaspdb_collective_delays_wait(struct gaspdb_collective_delays *delays,
				   const struct gaspdb_collective_wait *wait);
void gaspdb_collective_delays_begin(struct gaspdb_collective_delays *delays);
/* All pieces, in their order. */
void gaspdb_collective_delays_add(struct gaspdb_collective_delays *delays,
				  const struct gaspdb_piece *piece);
/* Share out the waiting, after all pieces. */
void gaspdb_collective_delays_finish(struct gaspdb_collective_delays *delays,
				     gaspdb_delay_share_fn fn, void *user);
void gaspdb_collective_delays_close(struct gaspdb_collective_delays *delays);

#endif
