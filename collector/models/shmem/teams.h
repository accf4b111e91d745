/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Teams as the adapter keeps them: made once, and kept for good, so that
 * looking one up takes no lock.
 */
#ifndef GASPDB_SHMEM_TEAMS_H
#define GASPDB_SHMEM_TEAMS_H

#include <stdatomic.h>

#include "collector/models/shmem/adapter.h"

struct gaspdb_shmem_team {
	uint64_t id, ordinal;
	const struct gaspdb_shmem_team *parent; /* NULL: the world */
	const char *kind;
	int first, stride, size; /* world PEs; stride 0 of an active set of one
				    PE, too */
	int *members;		 /* world PEs, where they have no stride */
	int rank;		 /* the own PE's */
	_Atomic uint64_t collectives;
	struct gaspdb_shmem_team *next;		   /* in a bucket */
	_Atomic(struct gaspdb_shmem_team *) newer; /* by id */
};

/* Gives it its id, and makes it known to all threads; the lock is held. */
void gaspdb_shmem_team_enter(struct gaspdb_shmem_team *team);
bool gaspdb_shmem_teams_lock(void); /* false: lock.h */
void gaspdb_shmem_teams_unlock(void);

/* The next collective on it; NULL: not known.  A team that the thread's log
   does not know yet is told to it first. */
struct gaspdb_shmem_collective
gaspdb_shmem_next(struct gaspdb_context *c, struct gaspdb_shmem_team *team);
/* Its id, known to the log from now on. */
uint64_t gaspdb_shmem_team_told(struct gaspdb_context *c,
				struct gaspdb_shmem_team *team);
struct gaspdb_shmem_team *gaspdb_shmem_world(void);

#endif
