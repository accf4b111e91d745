/* SPDX-License-Identifier: BSD-2-Clause */
/* Identity of a communicator: its members, its run-wide name, its records. */
#ifndef GASPDB_COLLECTOR_MODELS_MPI_TEAMS_H
#define GASPDB_COLLECTOR_MODELS_MPI_TEAMS_H

#include "collector/models/mpi/adapter.h"

/* Called first: prepares the translation to ranks of the run.  world: the own
   world, taken over; first: the rank in the run of its rank 0; -1: not known. */
void gaspdb_mpi_teams_init(MPI_Group world, int first);
/* Adds a group of processes of other worlds, taken over, with the ranks in the
   run of its n members (copied). */
void gaspdb_mpi_teams_add_world(MPI_Group group, const int *ranks, int n);
/* Forgets all groups. */
void gaspdb_mpi_teams_fini(void);
/* The rank after those of the own world; 0: not known. */
int gaspdb_mpi_teams_end(void);

/* A new team with a communicator's members; NULL: no memory. */
struct gaspdb_mpi_comm *gaspdb_mpi_team_new(MPI_Comm handle);
/* A new team with a group's members, without a handle. */
struct gaspdb_mpi_comm *gaspdb_mpi_team_new_group(MPI_Group group);
/* Adds the neighbours of its topology. */
void gaspdb_mpi_team_find_neighbors(struct gaspdb_mpi_comm *m);
void gaspdb_mpi_team_delete(struct gaspdb_mpi_comm *m);

/* Names it by (parent, ordinal, first world rank); parent may be NULL. */
void gaspdb_mpi_team_identify(struct gaspdb_mpi_comm *m,
			      const struct gaspdb_mpi_comm *parent,
			      uint64_t ordinal, uint64_t key);

/* Key of the ordinal-th creation on m, alike in all its members. */
uint64_t gaspdb_mpi_team_spawn_key(const struct gaspdb_mpi_comm *m,
				   uint64_t ordinal);

void gaspdb_mpi_team_emit(struct gaspdb_context *c,
			  const struct gaspdb_mpi_comm *m);
/* Logs the neighbours that this process receives from, if it has a topology. */
void gaspdb_mpi_team_emit_sources(struct gaspdb_context *c,
				  const struct gaspdb_mpi_comm *m);
void gaspdb_mpi_team_emit_members(struct gaspdb_context *c,
				  const struct gaspdb_mpi_comm *m);

#endif
