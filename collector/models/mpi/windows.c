/* SPDX-License-Identifier: BSD-2-Clause */
/* One-sided windows: accesses and their synchronization. */
#include <errno.h>
#include <stdlib.h>

#include "collector/models/mpi/objects.h"

static struct gaspdb_mpi_objects windows;

/* A window's id, 0 if not known; its team becomes the call's. */
static uint64_t find_window(struct gaspdb_mpi_call *call, MPI_Win handle)
{
	return gaspdb_mpi_objects_find(&windows, call, (uintptr_t)handle);
}

/* --- creation and freeing ------------------------------------------------- */

/* Starts a creation; returns its ordinal on the communicator. */
static uint64_t start_window(struct gaspdb_mpi_call *call, MPI_Comm comm,
			     MPI_Aint size, MPI_Aint unit)
{
	struct gaspdb_mpi_comm *m = gaspdb_mpi_comm_get(call->c, comm);
	uint64_t sequence = gaspdb_mpi_comm_count(m);

	call->comm = m;
	gaspdb_mpi_start(call, 4,
			 (uint64_t[]){ gaspdb_mpi_comm_id(m), sequence,
				       (uint64_t)size, (uint64_t)unit });
	return m ? atomic_fetch_add(&m->created, 1) : 0;
}

static int finish_window(struct gaspdb_mpi_call *call, int rc, MPI_Comm comm,
			 uint64_t ordinal, const MPI_Win *win, const void *base)
{
	uint64_t args[3] = { 0, (uint64_t)(uintptr_t)base };
	struct gaspdb_mpi_comm *team;

	if (rc == MPI_SUCCESS && *win != MPI_WIN_NULL) {
		team = gaspdb_mpi_comm_add_object(call->c, comm, call->comm,
						  ordinal, "window", NULL);
		args[2] = gaspdb_mpi_comm_id(team);
		args[0] = gaspdb_mpi_objects_add(&windows, (uintptr_t)*win,
						 team);
	}
	gaspdb_mpi_finish(call, 3, args);
	return rc;
}

/* clang-format off */

/* base: an expression, evaluated after a successful call. */
#define WINDOW(name, size, unit, base, PARAMETERS, ...)                        \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(WIN_CREATE, MPI_##name);                               \
	uint64_t ordinal;                                                      \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	ordinal = start_window(&call, comm, size, unit);                       \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	return finish_window(&call, rc, comm, ordinal, win,                    \
			     rc == MPI_SUCCESS ? (base) : NULL);               \
}

#define WINDOWS(large, U)                                                      \
WINDOW(Win_create##large, size, unit, base,                                    \
       (void *base, MPI_Aint size, U unit, MPI_Info info, MPI_Comm comm,       \
	MPI_Win *win),                                                         \
       base, size, unit, info, comm, win)                                      \
WINDOW(Win_allocate##large, size, unit, *(void **)base,                        \
       (MPI_Aint size, U unit, MPI_Info info, MPI_Comm comm, void *base,       \
	MPI_Win *win),                                                         \
       size, unit, info, comm, base, win)                                      \
WINDOW(Win_allocate_shared##large, size, unit, *(void **)base,                 \
       (MPI_Aint size, U unit, MPI_Info info, MPI_Comm comm, void *base,       \
	MPI_Win *win),                                                         \
       size, unit, info, comm, base, win)

WINDOWS(, int)
GASPDB_MPI4(WINDOWS(_c, MPI_Aint))
WINDOW(Win_create_dynamic, 0, 1, NULL,
       (MPI_Info info, MPI_Comm comm, MPI_Win *win), info, comm, win)

/* Calls on a window: n arguments of START, in which id is the window's and
   call.comm its communicator. */
#define ON_WINDOW_BY(ident, name, START, FINISH, PARAMETERS, ...)              \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	uint64_t id;                                                           \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	id = find_window(&call, win);                                          \
	START;                                                                 \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	FINISH;                                                                \
	return rc;                                                             \
}

#define ON_WINDOW(ident, name, n, ARGS, PARAMETERS, ...)                       \
ON_WINDOW_BY(ident, name, gaspdb_mpi_start(&call, n, (uint64_t[])ARGS),        \
	     gaspdb_mpi_finish(&call, 0, NULL), PARAMETERS, __VA_ARGS__)

/* Calls that a loop may poll by, if weak. */
#define ON_OWN_WINDOW(ident, name, weak, n, ARGS, PARAMETERS, ...)             \
ON_WINDOW_BY(ident, name,                                                      \
	     gaspdb_mpi_start_weak(&call, weak, n, (uint64_t[])ARGS),          \
	     gaspdb_mpi_finish_weak(&call), PARAMETERS, __VA_ARGS__)

#define LIST(...) { __VA_ARGS__ }
#define IS_OWN(whom) (call.comm && (whom) == call.comm->rank)
#define ADDRESS(p) (uint64_t)(uintptr_t)(p)
#define PEER(rank) (uint64_t)gaspdb_mpi_comm_peer(call.comm, rank)
#define ALL (uint64_t)-1
#define TEAM gaspdb_mpi_comm_id(call.comm)
#define SEQUENCE gaspdb_mpi_comm_count(call.comm)

ON_WINDOW(WIN_ATTACH, Win_attach, 3,
	  LIST(id, ADDRESS(base), (uint64_t)size),
	  (MPI_Win win, void *base, MPI_Aint size), win, base, size)
ON_WINDOW(WIN_ATTACH, Win_detach, 3, LIST(id, ADDRESS(base), 0),
	  (MPI_Win win, const void *base), win, base)

GASPDB_EXPORT int MPI_Win_free(MPI_Win *win)
{
	GASPDB_MPI_CALL(WIN_FREE, MPI_Win_free);
	const MPI_Win handle = win ? *win : MPI_WIN_NULL;
	struct gaspdb_mpi_object *w;
	uint64_t args[3];
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Win_free)(win);
	args[0] = find_window(&call, handle);
	args[1] = TEAM;
	args[2] = SEQUENCE;
	gaspdb_mpi_start(&call, 3, args);
	w = gaspdb_mpi_objects_unlink(&windows, (uintptr_t)handle);
	rc = PMPI_Win_free(win);
	gaspdb_mpi_objects_unlinked(&windows, call.c, w, rc == MPI_SUCCESS);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

/* --- synchronization ------------------------------------------------------ */

enum role { ACCESS_EPOCH, EXPOSURE_EPOCH };

/* Most members of an irregular group that are logged: more would crowd out an
   event's other arguments. */
#define MEMBERS_MAX 48

/*
 * Number of the window's epoch with these members, from 1.  It counts
 * unrecorded ones, so that a reader finds the other side's. 0: the members'
 * numbers differ, or no memory.
 */
static uint64_t count_epoch(struct gaspdb_mpi_comm *team, enum role role,
			    const struct gaspdb_mpi_ranks *members)
{
	const int error = errno;
	uint64_t number = 0;
	bool alike = true;
	int world = 0;

	PMPI_Comm_size(MPI_COMM_WORLD, &world);
	if (team && !team->epochs[role])
		team->epochs[role] = calloc((size_t)world, sizeof(uint32_t));
	errno = error;
	if (!team || !team->epochs[role] || members->start < 0)
		return 0;
	for (int i = 0; i < members->n; i++) {
		int rank = gaspdb_mpi_rank_at(members, i);
		uint64_t n = rank < 0 ? 0 : ++team->epochs[role][rank];

		alike &= !i || n == number;
		number = n;
	}
	return alike ? number : 0;
}

static void start_epoch(struct gaspdb_mpi_call *call, enum role role,
			MPI_Win win, MPI_Group group, int assertion)
{
	const uint64_t id = find_window(call, win);
	struct gaspdb_mpi_ranks members = { .start = -1 };
	uint64_t number;

	if (gaspdb_mpi_group_is_valid(group))
		gaspdb_mpi_ranks_of(&members, group);
	number = count_epoch(call->comm, role, &members);
	gaspdb_mpi_start(
		call, 7,
		(uint64_t[]){ id, (uint64_t)members.n, (uint64_t)assertion,
			      gaspdb_mpi_comm_id(call->comm),
			      (uint64_t)(members.list ? -1 : members.start),
			      (uint64_t)members.stride, number });
	for (int i = 0; members.list && members.n <= MEMBERS_MAX &&
			i < members.n && gaspdb_recording(call->c);
	     i++)
		gaspdb_record(call->c, GASPDB_RECORD_ARGUMENT, "si", "member",
			      (int64_t)members.list[i]);
	free(members.list);
}

#define ASSERTION (uint64_t)assertion

#define EPOCH(ident, name, role)                                               \
GASPDB_EXPORT int MPI_##name(MPI_Group group, int assertion, MPI_Win win)      \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(group, assertion, win);     \
	start_epoch(&call, role, win, group, assertion);                       \
	rc = PMPI_##name(group, assertion, win);                               \
	gaspdb_mpi_finish(&call, 0, NULL);                                     \
	return rc;                                                             \
}

ON_WINDOW(WIN_FENCE, Win_fence, 5, LIST(id, ASSERTION, 1, TEAM, SEQUENCE),
	  (int assertion, MPI_Win win), assertion, win)
EPOCH(WIN_START, Win_start, ACCESS_EPOCH)
EPOCH(WIN_POST, Win_post, EXPOSURE_EPOCH)
ON_WINDOW(WIN_COMPLETE, Win_complete, 3, LIST(id, 1, TEAM), (MPI_Win win),
	  win)
ON_WINDOW(WIN_WAIT, Win_wait, 2, LIST(id, TEAM), (MPI_Win win), win)
ON_WINDOW(WIN_LOCK, Win_lock, 5,
	  LIST(id, PEER(rank), type == MPI_LOCK_EXCLUSIVE, ASSERTION, TEAM),
	  (int type, int rank, int assertion, MPI_Win win),
	  type, rank, assertion, win)
ON_WINDOW(WIN_LOCK, Win_lock_all, 5, LIST(id, ALL, 0, ASSERTION, TEAM),
	  (int assertion, MPI_Win win), assertion, win)
ON_WINDOW(WIN_UNLOCK, Win_unlock, 4, LIST(id, PEER(rank), 1, TEAM),
	  (int rank, MPI_Win win), rank, win)
ON_WINDOW(WIN_UNLOCK, Win_unlock_all, 4, LIST(id, ALL, 1, TEAM),
	  (MPI_Win win), win)
ON_OWN_WINDOW(WIN_FLUSH, Win_flush, IS_OWN(rank), 3, LIST(id, PEER(rank), 1),
	  (int rank, MPI_Win win), rank, win)
ON_WINDOW(WIN_FLUSH, Win_flush_all, 3, LIST(id, ALL, 1),
	  (MPI_Win win), win)
ON_OWN_WINDOW(WIN_FLUSH, Win_flush_local, IS_OWN(rank), 3, LIST(id, PEER(rank), 0),
	  (int rank, MPI_Win win), rank, win)
ON_WINDOW(WIN_FLUSH, Win_flush_local_all, 3, LIST(id, ALL, 0),
	  (MPI_Win win), win)
ON_OWN_WINDOW(WIN_SYNC, Win_sync, true, 1, LIST(id), (MPI_Win win), win)

GASPDB_EXPORT int MPI_Win_test(MPI_Win win, int *flag)
{
	GASPDB_MPI_CALL(WIN_TEST, MPI_Win_test);
	uint64_t args[2];
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Win_test)(win, flag);
	args[0] = find_window(&call, win);
	args[1] = TEAM;
	gaspdb_mpi_start_poll(&call, 2, args);
	rc = PMPI_Win_test(win, flag);
	gaspdb_mpi_finish_poll(&call, rc == MPI_SUCCESS && *flag);
	return rc;
}

/* --- accesses ------------------------------------------------------------- */

static void access_args(struct gaspdb_mpi_call *call, int target,
			uint64_t bytes, MPI_Aint displacement, MPI_Win win,
			uint64_t *args)
{
	args[2] = find_window(call, win);
	args[0] = (uint64_t)gaspdb_mpi_comm_peer(call->comm, target);
	args[1] = target == MPI_PROC_NULL ? 0 : bytes;
	args[3] = (uint64_t)displacement;
}

static void start_access(struct gaspdb_mpi_call *call, int target,
			 uint64_t bytes, MPI_Aint displacement, MPI_Win win)
{
	uint64_t args[4];

	access_args(call, target, bytes, displacement, win, args);
	gaspdb_mpi_start(call, 4, args);
}

#define ACCESS(ident, name, bytes, PARAMETERS, ...)                            \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	start_access(&call, target, bytes, at, win);                           \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	gaspdb_mpi_finish(&call, 0, NULL);                                     \
	return rc;                                                             \
}

#define REQUEST_ACCESS(ident, name, bytes, PARAMETERS, ...)                    \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_ONE_SIDED };        \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	start_access(&call, target, bytes, at, win);                           \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

/* The target's count and type: they have a meaning in every operation. */
#define ACCESSES(large, C)                                                     \
ACCESS(PUT, Put##large, gaspdb_mpi_bytes(count, type),                         \
       (const void *origin, C origin_count, MPI_Datatype origin_type,          \
	int target, MPI_Aint at, C count, MPI_Datatype type, MPI_Win win),     \
       origin, origin_count, origin_type, target, at, count, type, win)        \
ACCESS(GET, Get##large, gaspdb_mpi_bytes(count, type),                         \
       (void *origin, C origin_count, MPI_Datatype origin_type,                \
	int target, MPI_Aint at, C count, MPI_Datatype type, MPI_Win win),     \
       origin, origin_count, origin_type, target, at, count, type, win)        \
ACCESS(ACCUMULATE, Accumulate##large, gaspdb_mpi_bytes(count, type),           \
       (const void *origin, C origin_count, MPI_Datatype origin_type,          \
	int target, MPI_Aint at, C count, MPI_Datatype type,                   \
	MPI_Op operation, MPI_Win win),                                        \
       origin, origin_count, origin_type, target, at, count, type, operation,  \
       win)                                                                    \
ACCESS(GET_ACCUMULATE, Get_accumulate##large, gaspdb_mpi_bytes(count, type),   \
       (const void *origin, C origin_count, MPI_Datatype origin_type,          \
	void *result, C result_count, MPI_Datatype result_type, int target,    \
	MPI_Aint at, C count, MPI_Datatype type, MPI_Op operation,             \
	MPI_Win win),                                                          \
       origin, origin_count, origin_type, result, result_count, result_type,   \
       target, at, count, type, operation, win)                                \
REQUEST_ACCESS(RPUT, Rput##large, gaspdb_mpi_bytes(count, type),               \
       (const void *origin, C origin_count, MPI_Datatype origin_type,          \
	int target, MPI_Aint at, C count, MPI_Datatype type, MPI_Win win,      \
	MPI_Request *request),                                                 \
       origin, origin_count, origin_type, target, at, count, type, win,        \
       request)                                                                \
REQUEST_ACCESS(RGET, Rget##large, gaspdb_mpi_bytes(count, type),               \
       (void *origin, C origin_count, MPI_Datatype origin_type,                \
	int target, MPI_Aint at, C count, MPI_Datatype type, MPI_Win win,      \
	MPI_Request *request),                                                 \
       origin, origin_count, origin_type, target, at, count, type, win,        \
       request)                                                                \
REQUEST_ACCESS(RACCUMULATE, Raccumulate##large, gaspdb_mpi_bytes(count, type), \
       (const void *origin, C origin_count, MPI_Datatype origin_type,          \
	int target, MPI_Aint at, C count, MPI_Datatype type,                   \
	MPI_Op operation, MPI_Win win, MPI_Request *request),                  \
       origin, origin_count, origin_type, target, at, count, type, operation,  \
       win, request)                                                           \
REQUEST_ACCESS(RGET_ACCUMULATE, Rget_accumulate##large,                        \
       gaspdb_mpi_bytes(count, type),                                          \
       (const void *origin, C origin_count, MPI_Datatype origin_type,          \
	void *result, C result_count, MPI_Datatype result_type, int target,    \
	MPI_Aint at, C count, MPI_Datatype type, MPI_Op operation,             \
	MPI_Win win, MPI_Request *request),                                    \
       origin, origin_count, origin_type, result, result_count, result_type,   \
       target, at, count, type, operation, win, request)

ACCESSES(, int)
GASPDB_MPI4(ACCESSES(_c, MPI_Count))
ACCESS(GET_ACCUMULATE, Compare_and_swap, gaspdb_mpi_bytes(1, type),
       (const void *origin, const void *compare, void *result,
	MPI_Datatype type, int target, MPI_Aint at, MPI_Win win),
       origin, compare, result, type, target, at, win)
/* clang-format on */

/* MPI_NO_OP on the caller's own memory may be a poll. */
GASPDB_EXPORT int MPI_Fetch_and_op(const void *origin, void *result,
				   MPI_Datatype type, int target, MPI_Aint at,
				   MPI_Op operation, MPI_Win win)
{
	GASPDB_MPI_CALL(GET_ACCUMULATE, MPI_Fetch_and_op);
	uint64_t args[4];
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Fetch_and_op)(
			origin, result, type, target, at, operation, win);
	access_args(&call, target, gaspdb_mpi_bytes(1, type), at, win, args);
	gaspdb_mpi_start_weak(&call, operation == MPI_NO_OP && IS_OWN(target),
			      4, args);
	rc = PMPI_Fetch_and_op(origin, result, type, target, at, operation,
			       win);
	gaspdb_mpi_finish_weak(&call);
	return rc;
}

/* --- memory --------------------------------------------------------------- */

GASPDB_EXPORT int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *address)
{
	GASPDB_MPI_CALL(ALLOC_MEM, MPI_Alloc_mem);
	uint64_t bytes = size > 0 ? (uint64_t)size : 0, result = 0;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Alloc_mem)(size, info, address);
	gaspdb_mpi_start(&call, 1, &bytes);
	rc = PMPI_Alloc_mem(size, info, address);
	if (rc == MPI_SUCCESS)
		result = ADDRESS(*(void **)address);
	gaspdb_mpi_finish(&call, 1, &result);
	return rc;
}

GASPDB_EXPORT int MPI_Free_mem(void *address)
{
	GASPDB_MPI_CALL(FREE_MEM, MPI_Free_mem);
	uint64_t freed = ADDRESS(address);
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Free_mem)(address);
	gaspdb_mpi_start(&call, 1, &freed);
	rc = PMPI_Free_mem(address);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}
