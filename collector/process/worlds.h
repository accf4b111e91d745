/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Worlds of spawned processes.  Processes that MPI_Comm_spawn starts have an
 * MPI_COMM_WORLD of their own, with ranks from 0.  In the run their ranks
 * follow those of the processes before them.  Both sides learn the numbers
 * without a message: the spawning group's root appends a line to a file of the
 * run directory before it spawns; its group reads the line afterwards, and
 * children before they connect to it.
 */
#ifndef GASPDB_COLLECTOR_PROCESS_WORLDS_H
#define GASPDB_COLLECTOR_PROCESS_WORLDS_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/process/clock_mark.h"

#define GASPDB_WORLDS "worlds.txt"

/* A spawned world. */
struct gaspdb_world {
	int number; /* of worlds that were spawned in its job, from 1 */
	int first;  /* rank in the run of its rank 0 */
	int n;	    /* processes, at most */
	uint64_t key;
	int *parents; /* ranks in the run of the spawning group; the caller's
			 to free */
	int n_parents;
	/* Of the spawn's root, if it compares its clock with the children's:
	   its rank among the parents, and its host; "": it does not. */
	int root;
	char root_host[GASPDB_HOST_BYTES];
};

/*
 * Announces a world of n processes.  key: the spawn's, alike in the spawning
 * group and unique in the job.  from: the ranks below are the spawning world's,
 * or older.  root: the calling process's rank among the parents, if it compares
 * its clock with the children's; else -1.  The run directory must be known.
 * errno is kept.
 */
void gaspdb_world_announce(uint64_t key, int from, int n, const int *parents,
			   int n_parents, int root);
/* Its processes have started, n of them (0: the spawn failed). */
void gaspdb_world_started(uint64_t key, int n);

/* The world of a spawn, in the spawning group; false: not known. */
bool gaspdb_world_of_spawn(uint64_t key, struct gaspdb_world *w);
/*
 * The world of the calling process, a child, before it connects to its parents:
 * the only announced one, not yet started, that can be its own.  The process
 * joins its job.  false: there is none, or there are several.
 */
bool gaspdb_world_of_child(struct gaspdb_world *w);

/* Whether another process of an MPI program has started this one. */
bool gaspdb_world_is_spawned(void);

#endif
