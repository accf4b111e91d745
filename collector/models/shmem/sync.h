/* SPDX-License-Identifier: BSD-2-Clause */
/* Syncs before collectives (GASPDB_SYNC_COLLECTIVES), each an operation of its
   own. */
#ifndef GASPDB_COLLECTOR_MODELS_SHMEM_SYNC_H
#define GASPDB_COLLECTOR_MODELS_SHMEM_SYNC_H

#include "collector/models/shmem/adapter.h"

struct gaspdb_shmem_set {
	int first, log_stride, size;
};

extern bool gaspdb_shmem_syncs GASPDB_HIDDEN; /* they are asked for */

/* A collective of all PEs, when OpenSHMEM has started. */
void gaspdb_shmem_syncs_init(void);

void gaspdb_shmem_time_sync_set(struct gaspdb_context *c,
				const struct gaspdb_entry *e,
				struct gaspdb_shmem_set s);

/* Called before each collective of an active set. c NULL: it is not
   recorded. */
static inline void gaspdb_shmem_sync_set(struct gaspdb_context *c,
					 const struct gaspdb_entry *e,
					 int first, int log_stride, int size)
{
	if (GASPDB_UNLIKELY(gaspdb_shmem_syncs))
		gaspdb_shmem_time_sync_set(
			c, e,
			(struct gaspdb_shmem_set){ first, log_stride, size });
}

#ifdef GASPDB_SHMEM_TEAMS
void gaspdb_shmem_time_sync_team(struct gaspdb_context *c,
				 const struct gaspdb_entry *e,
				 shmem_team_t handle);

/* Called before each collective of a team. */
static inline void gaspdb_shmem_sync_team(struct gaspdb_context *c,
					  const struct gaspdb_entry *e,
					  shmem_team_t handle)
{
	if (GASPDB_UNLIKELY(gaspdb_shmem_syncs))
		gaspdb_shmem_time_sync_team(c, e, handle);
}
#endif

#endif
