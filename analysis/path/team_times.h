/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a thread did since each of its teams synchronized last. */
#ifndef GASPDB_ANALYSIS_PATH_TEAM_TIMES_H
#define GASPDB_ANALYSIS_PATH_TEAM_TIMES_H

#include "analysis/path/activity.h"
#include "analysis/rows/groups.h"

struct gaspdb_team_time;

enum { GASPDB_RECENT_LINES = 128 };

struct gaspdb_team_times {
	struct gaspdb_run *run;
	struct gaspdb_groups lines; /* doing, from, to: enum in team_times.c */
	/* Rows of these: mostly a thread does what it has done before. */
	uint32_t recent[GASPDB_RECENT_LINES];
	struct gaspdb_team_time *teams;
	size_t n, room;
	size_t newest; /* to have synchronized: its index + 1; 0: none has */
	int64_t ticks; /* how often any has */
	int64_t threads;
	int64_t call;	/* the last in which any has */
	size_t *called; /* those */
	size_t n_called, called_room;
};

void gaspdb_team_times_init(struct gaspdb_team_times *times,
			    struct gaspdb_run *run);
void gaspdb_team_times_fini(struct gaspdb_team_times *times);
/* One more team; they are numbered from 0 on. */
void gaspdb_team_times_team(struct gaspdb_team_times *times);

/* Threads one after the other: another begins. */
void gaspdb_team_times_start(struct gaspdb_team_times *times);
/* So long it did that, in whatever order, but before a team's times begin anew
   or are asked for. */
void gaspdb_team_times_spend(struct gaspdb_team_times *times,
			     enum gaspdb_doing doing, int64_t from, int64_t to,
			     int64_t ns);
/* Of what is going to be spent this is in a call, which may be left out. */
void gaspdb_team_times_call(struct gaspdb_team_times *times, int64_t event,
			    enum gaspdb_doing doing, int64_t from, int64_t to,
			    int64_t ns);
/* The team's times begin anew. */
void gaspdb_team_times_clear(struct gaspdb_team_times *times, size_t team);
/* And that call, from here to its end, is not among them. */
void gaspdb_team_times_leave_out(struct gaspdb_team_times *times, size_t team,
				 int64_t event);
/* They begin anew within a call, which stays left out if it is of this team's
   times or the whole's (SIZE_MAX: there is none), whose times stand for every
   team's: so where they are the whole's, those of the call's teams do, too. */
void gaspdb_team_times_cut(struct gaspdb_team_times *times, size_t team,
			   size_t whole);
/* That of the two which synchronized later. */
size_t gaspdb_team_times_later(struct gaspdb_team_times *times, size_t team,
			       size_t other);

/* The lines of a team's times: how many, and each: doing, from, to. */
size_t gaspdb_team_times_lines(struct gaspdb_team_times *times, size_t team);
const int64_t *gaspdb_team_times_line(struct gaspdb_team_times *times,
				      size_t team, size_t i, int64_t *ns);

#endif
