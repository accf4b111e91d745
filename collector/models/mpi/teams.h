/* SPDX-License-Identifier: BSD-2-Clause */
/* What a communicator is: its members, its run-wide name, its records. */
#ifndef GASPDB_MPI_TEAMS_H
#define GASPDB_MPI_TEAMS_H

#include "collector/models/mpi/adapter.h"

/* Before all else: what world ranks are. */
void gaspdb_mpi_teams_init(void);

/* Asks MPI for a communicator's members.  NULL: no memory. */
struct gaspdb_mpi_comm *gaspdb_mpi_team_new(MPI_Comm handle);
/* And for its topology. */
void gaspdb_mpi_team_find_neighbors(struct gaspdb_mpi_comm *m);
void gaspdb_mpi_team_delete(struct gaspdb_mpi_comm *m);

/* (parent, ordinal, first world rank) names it; parent may be NULL. */
void gaspdb_mpi_team_identify(struct gaspdb_mpi_comm *m,
			      const struct gaspdb_mpi_comm *parent,
			      uint64_t ordinal, uint64_t key);

void gaspdb_mpi_team_emit(struct gaspdb_context *c,
			  const struct gaspdb_mpi_comm *m);
/* Whom this process receives from, if it has a topology. */
void gaspdb_mpi_team_emit_sources(struct gaspdb_context *c,
				  const struct gaspdb_mpi_comm *m);
void gaspdb_mpi_team_emit_members(struct gaspdb_context *c,
				  const struct gaspdb_mpi_comm *m);

#endif
