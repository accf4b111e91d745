/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which teams have the same members, and which have all threads of the run. */
#ifndef GASPDB_ANALYSIS_ENGINE_TEAM_SETS_H
#define GASPDB_ANALYSIS_ENGINE_TEAM_SETS_H

#include "analysis/rows/groups.h"

struct gaspdb_team_sets {
	struct gaspdb_groups teams; /* team: its set */
	int64_t n;		    /* sets are numbered from 0 on */
	int64_t whole;		    /* the one of all; NONE: no team has them */
};

/* Teams not all of whose members are known make a set each. */
void gaspdb_team_sets_load(struct gaspdb_team_sets *sets,
			   struct gaspdb_run *run);
void gaspdb_team_sets_free(struct gaspdb_team_sets *sets);
/* NONE: there is no such team. */
int64_t gaspdb_team_set(const struct gaspdb_team_sets *sets, int64_t team);

#endif
