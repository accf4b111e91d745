/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Teams of the adapter, which are never freed, so that a lookup takes no lock.
 */
#ifndef GASPDB_COLLECTOR_MODELS_SHMEM_TEAMS_H
#define GASPDB_COLLECTOR_MODELS_SHMEM_TEAMS_H

#include <stdatomic.h>

#include "collector/models/shmem/adapter.h"

struct gaspdb_shmem_team {
	uint64_t id, ordinal;
	const struct gaspdb_shmem_team *parent; /* NULL: the world */
	const char *kind;
	int first, stride,
		size; /* world PEs; stride 0 for an active set of one PE too */
	int *members; /* world PEs without a common stride */
	int rank;     /* the own PE's */
	_Atomic uint64_t collectives;
	struct gaspdb_shmem_team *next;		   /* in a bucket */
	_Atomic(struct gaspdb_shmem_team *) newer; /* by id */
};

/* Assigns the id, and publishes the team to all threads; the lock is held. */
void gaspdb_shmem_team_add(struct gaspdb_shmem_team *team);
bool gaspdb_shmem_teams_lock(void); /* false: lock.h */
void gaspdb_shmem_teams_unlock(void);

/* The next collective on a team (NULL: not known); logs a team that the
   thread's log lacks. */
struct gaspdb_shmem_collective
gaspdb_shmem_next(struct gaspdb_context *c, struct gaspdb_shmem_team *team);
/* Logs a team if the thread's log lacks it; returns its id. */
uint64_t gaspdb_shmem_team_emit(struct gaspdb_context *c,
				struct gaspdb_shmem_team *team);
struct gaspdb_shmem_team *gaspdb_shmem_world(void);

#endif
