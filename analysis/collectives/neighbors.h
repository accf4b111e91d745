/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom the members of a team with a topology receive from. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_NEIGHBORS_H
#define GASPDB_ANALYSIS_COLLECTIVES_NEIGHBORS_H

#include "analysis/collectives/waits.h"
#include "analysis/rows/groups.h"

struct gaspdb_neighbors {
	struct gaspdb_run *run;
	sqlite3_stmt *stmt;
	int64_t team;		      /* the current one; NONE: none */
	struct gaspdb_groups members; /* process: its first run, how many */
	struct gaspdb_source_run {
		int64_t first, n; /* ranks */
	} * runs;
	size_t n_runs, runs_room;
	struct gaspdb_awaited *tree; /* of an instance */
	int64_t tree_room;	     /* ranks */
};

void gaspdb_neighbors_open(struct gaspdb_neighbors *neighbors,
			   struct gaspdb_run *run);
/*
 * For whom each member waits, into that array, which is then in->awaited.
 * size: of the team.  false: nothing is known of any of them.
 */
bool gaspdb_neighbors_find(struct gaspdb_neighbors *neighbors, int64_t team,
			   int64_t size, struct gaspdb_instance *in,
			   struct gaspdb_awaited *awaited);
void gaspdb_neighbors_close(struct gaspdb_neighbors *neighbors);

#endif
