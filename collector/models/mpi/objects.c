/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of windows and files: a program has few of them at once. */
#include "collector/models/mpi/objects.h"

#include <errno.h>
#include <stdlib.h>

static void release_team(struct gaspdb_context *c, struct gaspdb_mpi_comm *team)
{
	if (!team)
		return;
	if (gaspdb_mpi_comm_remove_object(team))
		gaspdb_mpi_comm_freed(c, team);
}

uint64_t gaspdb_mpi_objects_add(struct gaspdb_mpi_objects *objects,
				uintptr_t handle, struct gaspdb_mpi_comm *team)
{
	const int error = errno;
	struct gaspdb_mpi_object *o = malloc(sizeof *o);
	uint64_t id = 0;

	errno = error;
	if (!o) {
		release_team(NULL, team);
		return 0;
	}
	o->handle = handle;
	o->team = team;
	if (!gaspdb_lock_enter(&objects->lock)) {
		release_team(NULL, team);
		free(o);
		return 0;
	}
	o->id = id = ++objects->last_id;
	o->next = objects->first;
	objects->first = o;
	gaspdb_lock_leave(&objects->lock);
	return id;
}

uint64_t gaspdb_mpi_objects_find(struct gaspdb_mpi_objects *objects,
				 struct gaspdb_mpi_call *call, uintptr_t handle)
{
	struct gaspdb_mpi_comm *team = NULL;
	struct gaspdb_mpi_object *o;
	uint64_t id = 0;

	if (!gaspdb_lock_enter(&objects->lock)) {
		call->comm = NULL;
		return 0;
	}
	for (o = objects->first; o && o->handle != handle; o = o->next)
		;
	if (o) {
		id = o->id;
		team = gaspdb_mpi_comm_ref(o->team);
	}
	gaspdb_lock_leave(&objects->lock);
	gaspdb_mpi_comm_emit(call->c, team);
	call->comm = gaspdb_mpi_comm_hold(team);
	return id;
}

struct gaspdb_mpi_object *
gaspdb_mpi_objects_unlink(struct gaspdb_mpi_objects *objects, uintptr_t handle)
{
	struct gaspdb_mpi_object **at = &objects->first, *o;

	if (!gaspdb_lock_enter(&objects->lock))
		return NULL;
	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	o = *at;
	if (o)
		*at = o->next;
	gaspdb_lock_leave(&objects->lock);
	return o;
}

void gaspdb_mpi_objects_unlinked(struct gaspdb_mpi_objects *objects,
				 struct gaspdb_context *c,
				 struct gaspdb_mpi_object *o, bool is_freed)
{
	if (!o)
		return;
	if (is_freed) {
		release_team(c, o->team);
		free(o);
		return;
	}
	if (!gaspdb_lock_enter(&objects->lock))
		return;
	o->next = objects->first;
	objects->first = o;
	gaspdb_lock_leave(&objects->lock);
}
