/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the last to arrive at a barrier did longer than the others, since the
 * team's barrier before: Scalasca's delay.  Summed over all instances at a line
 * that the same thread was last at, so that chance evens out.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVE_DELAYS_H
#define GASPDB_ANALYSIS_COLLECTIVE_DELAYS_H

#include "analysis/activity.h"
#include "analysis/groups.h"

struct gaspdb_team_time;

struct gaspdb_collective_delays {
	struct gaspdb_run *run;
	sqlite3_stmt *members, *teams;
	struct gaspdb_instance_facts *facts; /* by collective.id */
	int64_t n_facts;
	struct gaspdb_team_time *times; /* of the teams with waits */
	size_t n_times, times_room;
	struct gaspdb_groups slots; /* team: its index in times + 1 */
	size_t *active;		    /* those of the current thread */
	size_t n_active, active_room;
	int64_t thread;
	int64_t next_event, next_instance; /* of members; NONE at the end */
	/* line, last thread, doing, from, to: the last thread's own time and
	   the others' mean, both in ps */
	struct gaspdb_groups shares;
};

void gaspdb_collective_delays_open(struct gaspdb_collective_delays *delays,
				   struct gaspdb_run *run);
/* All pieces, in their order. */
void gaspdb_collective_delays_add(struct gaspdb_collective_delays *delays,
				  const struct gaspdb_piece *piece);
/* Before `shares` is read. */
void gaspdb_collective_delays_finish(struct gaspdb_collective_delays *delays);
void gaspdb_collective_delays_close(struct gaspdb_collective_delays *delays);

#endif
