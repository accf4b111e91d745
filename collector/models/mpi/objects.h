/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Windows and files of this process, by handle.  Each has a number in this
 * process, and a team of its own for all, with the ranks of the communicator
 * that it was made from.
 */
#ifndef GASPDB_COLLECTOR_MODELS_MPI_OBJECTS_H
#define GASPDB_COLLECTOR_MODELS_MPI_OBJECTS_H

#include "collector/models/mpi/adapter.h"

struct gaspdb_mpi_object {
	uintptr_t handle;
	uint64_t id;		      /* from 1 */
	struct gaspdb_mpi_comm *team; /* NULL: no memory */
	struct gaspdb_mpi_object *next;
};

/* Objects of one kind; zeroed at first. */
struct gaspdb_mpi_objects {
	struct gaspdb_lock lock;
	struct gaspdb_mpi_object *first;
	uint64_t last_id;
};

/* Adds an object, and takes over the team's reference.  Returns its id; 0: not
   added. */
uint64_t gaspdb_mpi_objects_add(struct gaspdb_mpi_objects *objects,
				uintptr_t handle, struct gaspdb_mpi_comm *team);

/* An object's id, 0 if not known; its team becomes the call's. */
uint64_t gaspdb_mpi_objects_find(struct gaspdb_mpi_objects *objects,
				 struct gaspdb_mpi_call *call,
				 uintptr_t handle);

/* Unlinks an object before MPI can reuse its handle; NULL: not found. */
struct gaspdb_mpi_object *
gaspdb_mpi_objects_unlink(struct gaspdb_mpi_objects *objects, uintptr_t handle);

/* Frees an unlinked object (NULL: none), or links it again: MPI did not free
   it. */
void gaspdb_mpi_objects_unlinked(struct gaspdb_mpi_objects *objects,
				 struct gaspdb_context *c,
				 struct gaspdb_mpi_object *o, bool is_freed);

#endif
