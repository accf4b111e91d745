/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neighbours: the members from which each member of a team with a topology
   receives. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_NEIGHBORS_H
#define GASPDB_ANALYSIS_COLLECTIVES_NEIGHBORS_H

#include "analysis/collectives/waits.h"
#include "analysis/rows/groups.h"

struct gaspdb_neighbors {
	struct gaspdb_run *run;
	sqlite3_stmt *stmt;
	int64_t team;		      /* the current one; NONE: none */
	struct gaspdb_groups members; /* process: first run, number of runs */
	struct gaspdb_source_run {
		int64_t first, n; /* a run of consecutive ranks */
	} * runs;
	size_t n_runs, runs_room;
	struct gaspdb_awaited *tree; /* of an instance */
	int64_t tree_room;	     /* in ranks */
};

void gaspdb_neighbors_open(struct gaspdb_neighbors *neighbors,
			   struct gaspdb_run *run);
/*
 * Find the neighbour that each member waits for, in the given array, which
 * becomes in->awaited. size: of the team. false: no neighbours are known.
 */
bool gaspdb_neighbors_find(struct gaspdb_neighbors *neighbors, int64_t team,
			   int64_t size, struct gaspdb_instance *in,
			   struct gaspdb_awaited *awaited);
void gaspdb_neighbors_close(struct gaspdb_neighbors *neighbors);

#endif
