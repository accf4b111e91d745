/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Team times: a thread's activity since the last synchronization of each of its
   teams. */
#ifndef GASPDB_ANALYSIS_PATH_TEAM_TIMES_H
#define GASPDB_ANALYSIS_PATH_TEAM_TIMES_H

#include "analysis/path/activity.h"
#include "analysis/rows/groups.h"

struct gaspdb_team_time;

enum { GASPDB_RECENT_LINES = 128 };

struct gaspdb_team_times {
	struct gaspdb_run *run;
	struct gaspdb_groups lines; /* activity, from, to: team_times.c */
	uint32_t recent[GASPDB_RECENT_LINES]; /* cache of lines */
	struct gaspdb_team_time *teams;
	size_t n, room;
	size_t newest;	 /* the last team to synchronize: index + 1; 0: none */
	int64_t ticks;	 /* synchronizations so far */
	int64_t threads; /* threads so far */
	int64_t call;	 /* the last call that synchronized teams */
	size_t *called;	 /* those teams */
	size_t n_called, called_room;
};

void gaspdb_team_times_init(struct gaspdb_team_times *times,
			    struct gaspdb_run *run);
void gaspdb_team_times_fini(struct gaspdb_team_times *times);
/* Add a team; indices are from 0. */
void gaspdb_team_times_add_team(struct gaspdb_team_times *times);

/* Start the next thread. */
void gaspdb_team_times_start_thread(struct gaspdb_team_times *times);
/* Add time of the thread, in any order between the synchronizations and
   queries. */
void gaspdb_team_times_add(struct gaspdb_team_times *times,
			   enum gaspdb_activity_kind kind, int64_t from,
			   int64_t to, int64_t ns);
/* Declare that some of the time to be added is part of a call: it is excluded
   for the teams for which the call is. */
void gaspdb_team_times_add_call(struct gaspdb_team_times *times, int64_t event,
				enum gaspdb_activity_kind kind, int64_t from,
				int64_t to, int64_t ns);
/* Synchronize a team: its times start again at 0. */
void gaspdb_team_times_clear(struct gaspdb_team_times *times, size_t team);
/* Exclude the rest of a call from a team's times. */
void gaspdb_team_times_exclude_call(struct gaspdb_team_times *times,
				    size_t team, int64_t event);
/* Restart a team's times within a call. The call stays excluded if it is
   excluded for this team or for the whole, the team of all threads (SIZE_MAX:
   none). The whole's times apply to every team, so if the whole restarts, the
   call's teams do too. */
void gaspdb_team_times_cut(struct gaspdb_team_times *times, size_t team,
			   size_t whole);
/* The one of two teams that synchronized later. */
size_t gaspdb_team_times_later(struct gaspdb_team_times *times, size_t team,
			       size_t other);

/* A team's lines: their number, and line i as activity, from, to with its time.
 */
size_t gaspdb_team_times_lines(struct gaspdb_team_times *times, size_t team);
const int64_t *gaspdb_team_times_line(struct gaspdb_team_times *times,
				      size_t team, size_t i, int64_t *ns);

#endif
