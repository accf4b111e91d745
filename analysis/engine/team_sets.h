/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of teams with equal members, and the set of teams of all threads. */
#ifndef GASPDB_ANALYSIS_ENGINE_TEAM_SETS_H
#define GASPDB_ANALYSIS_ENGINE_TEAM_SETS_H

#include "analysis/rows/groups.h"

struct gaspdb_team_sets {
	struct gaspdb_groups teams; /* team: its set */
	int64_t n;     /* number of sets; they are numbered from 0 */
	int64_t whole; /* set of all members; NONE: no such team */
};

/* A team with unknown members is a set of its own. */
void gaspdb_team_sets_load(struct gaspdb_team_sets *sets,
			   struct gaspdb_run *run);
void gaspdb_team_sets_free(struct gaspdb_team_sets *sets);
/* The set of a team; NONE: no such team. */
int64_t gaspdb_team_set(const struct gaspdb_team_sets *sets, int64_t team);

#endif
