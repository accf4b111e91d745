/* SPDX-License-Identifier: BSD-2-Clause */
/* Identity of a communicator: its members, its run-wide name, its records. */
#ifndef GASPDB_COLLECTOR_MODELS_MPI_TEAMS_H
#define GASPDB_COLLECTOR_MODELS_MPI_TEAMS_H

#include "collector/models/mpi/adapter.h"

/* Called first: prepares the translation to world ranks. */
void gaspdb_mpi_teams_init(void);

/* A new team with a communicator's members; NULL: no memory. */
struct gaspdb_mpi_comm *gaspdb_mpi_team_new(MPI_Comm handle);
/* Adds the neighbours of its topology. */
void gaspdb_mpi_team_find_neighbors(struct gaspdb_mpi_comm *m);
void gaspdb_mpi_team_delete(struct gaspdb_mpi_comm *m);

/* Names it by (parent, ordinal, first world rank); parent may be NULL. */
void gaspdb_mpi_team_identify(struct gaspdb_mpi_comm *m,
			      const struct gaspdb_mpi_comm *parent,
			      uint64_t ordinal, uint64_t key);

void gaspdb_mpi_team_emit(struct gaspdb_context *c,
			  const struct gaspdb_mpi_comm *m);
/* Logs the neighbours that this process receives from, if it has a topology. */
void gaspdb_mpi_team_emit_sources(struct gaspdb_context *c,
				  const struct gaspdb_mpi_comm *m);
void gaspdb_mpi_team_emit_members(struct gaspdb_context *c,
				  const struct gaspdb_mpi_comm *m);

#endif
