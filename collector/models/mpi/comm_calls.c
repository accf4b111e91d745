/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Creation and freeing of communicators.  A creation in which all of the
 * parent's members take part is numbered on the parent, and counts as one of
 * its collectives, also for members that get MPI_COMM_NULL.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/models/mpi/clocks/clocks.h"
#include "collector/models/mpi/teams.h"
#include "collector/process/worlds.h"

/* START of a creation by all members of parent.  Returns its number. */
static uint64_t start_creation(struct gaspdb_mpi_call *call, MPI_Comm parent)
{
	struct gaspdb_mpi_comm *m = gaspdb_mpi_comm_get(call->c, parent);

	call->comm = m;
	gaspdb_mpi_start_plain(call, gaspdb_mpi_comm_count(m));
	return m ? atomic_fetch_add(&m->created, 1) : 0;
}

/* START with only the communicator. */
static void start_apart(struct gaspdb_mpi_call *call, MPI_Comm parent)
{
	uint64_t team;

	call->comm = gaspdb_mpi_comm_get(call->c, parent);
	team = gaspdb_mpi_comm_id(call->comm);
	gaspdb_mpi_start(call, 1, &team);
}

/* Ends a creation; parent, ordinal, key name it (gaspdb_mpi_comm_add). */
static int finish_creation(struct gaspdb_mpi_call *call, int rc,
			   const MPI_Comm *created,
			   const struct gaspdb_mpi_comm *parent,
			   uint64_t ordinal, uint64_t key, const char *kind)
{
	uint64_t id = 0;

	if (rc == MPI_SUCCESS)
		id = gaspdb_mpi_comm_add(call->c, *created, parent, ordinal,
					 key, kind);
	gaspdb_mpi_finish(call, 1, &id);
	return rc;
}

/* Key of a creation by tag or name, which distinguishes concurrent ones with
   the same members.  Tags and names share the keys; 0: neither. */
static uint64_t key_of_tag(int tag)
{
	return (uint64_t)(unsigned)tag + 1;
}

GASPDB_MPI4(
static uint64_t key_of_name(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

	for (; name && *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
	return hash;
}
)

/* clang-format off */

/*
 * CREATION(name, kind, parent, PARAMETERS, arguments...): calls that make the
 * communicator *created from parent.
 */
#define CREATION(name, kind, parent, PARAMETERS, ...)                          \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(COMM_CREATE, MPI_##name);                              \
	uint64_t ordinal;                                                      \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	ordinal = start_creation(&call, parent);                               \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	return finish_creation(&call, rc, created, call.comm, ordinal, 0,      \
			       kind);                                          \
}

CREATION(Comm_dup, "dup", comm, (MPI_Comm comm, MPI_Comm *created),
	 comm, created)
CREATION(Comm_dup_with_info, "dup", comm,
	 (MPI_Comm comm, MPI_Info info, MPI_Comm *created),
	 comm, info, created)
CREATION(Comm_split, "split", comm,
	 (MPI_Comm comm, int color, int key, MPI_Comm *created),
	 comm, color, key, created)
CREATION(Comm_split_type, "split", comm,
	 (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *created),
	 comm, type, key, info, created)
CREATION(Comm_create, "group", comm,
	 (MPI_Comm comm, MPI_Group group, MPI_Comm *created),
	 comm, group, created)
CREATION(Cart_create, "cartesian", comm,
	 (MPI_Comm comm, int n, const int sizes[], const int periods[],
	  int reorder, MPI_Comm *created),
	 comm, n, sizes, periods, reorder, created)
CREATION(Cart_sub, "cartesian", comm,
	 (MPI_Comm comm, const int remain[], MPI_Comm *created),
	 comm, remain, created)
CREATION(Graph_create, "graph", comm,
	 (MPI_Comm comm, int n, const int index[], const int edges[],
	  int reorder, MPI_Comm *created),
	 comm, n, index, edges, reorder, created)
CREATION(Dist_graph_create, "graph", comm,
	 (MPI_Comm comm, int n, const int sources[], const int degrees[],
	  const int destinations[], const int weights[], MPI_Info info,
	  int reorder, MPI_Comm *created),
	 comm, n, sources, degrees, destinations, weights, info, reorder,
	 created)
CREATION(Dist_graph_create_adjacent, "graph", comm,
	 (MPI_Comm comm, int n_in, const int sources[], const int in_weights[],
	  int n_out, const int destinations[], const int out_weights[],
	  MPI_Info info, int reorder, MPI_Comm *created),
	 comm, n_in, sources, in_weights, n_out, destinations, out_weights,
	 info, reorder, created)
CREATION(Intercomm_merge, "merge", inter,
	 (MPI_Comm inter, int high, MPI_Comm *created),
	 inter, high, created)

/* Two groups join without a common numbering: the communicator is named by its
   members. */
#define MEETING(name, local, key, PARAMETERS, ...)                             \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(COMM_CREATE, MPI_##name);                              \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	start_creation(&call, local);                                          \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	return finish_creation(&call, rc, created, NULL,                       \
			       GASPDB_MPI_UNNUMBERED, key, "inter");           \
}

MEETING(Intercomm_create, local, key_of_tag(tag),
	(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader,
	 int tag, MPI_Comm *created),
	local, local_leader, peer, remote_leader, tag, created)
MEETING(Comm_accept, comm, 0,
	(const char *port, MPI_Info info, int root, MPI_Comm comm,
	 MPI_Comm *created),
	port, info, root, comm, created)
MEETING(Comm_connect, comm, 0,
	(const char *port, MPI_Info info, int root, MPI_Comm comm,
	 MPI_Comm *created),
	port, info, root, comm, created)

/* Only the new communicator's members call it. */
#define APART(name, parent, key, kind, PARAMETERS, ...)                        \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(COMM_CREATE_GROUP, MPI_##name);                        \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	start_apart(&call, parent);                                            \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	return finish_creation(&call, rc, created, call.comm,                  \
			       GASPDB_MPI_UNNUMBERED, key, kind);              \
}

APART(Comm_create_group, comm, key_of_tag(tag), "group",
      (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *created),
      comm, group, tag, created)
APART(Comm_join, MPI_COMM_NULL, 0, "inter", (int fd, MPI_Comm *created),
      fd, created)
GASPDB_MPI4(
APART(Intercomm_create_from_groups, MPI_COMM_NULL, key_of_name(name), "inter",
      (MPI_Group local, int local_leader, MPI_Group remote, int remote_leader,
       const char *name, MPI_Info info, MPI_Errhandler handler,
       MPI_Comm *created),
      local, local_leader, remote, remote_leader, name, info, handler, created)
)

/* clang-format on */

#if MPI_VERSION >= 4
/* Whether m has all processes of a program of sessions, in their order. */
static bool is_world(const struct gaspdb_mpi_comm *m)
{
	const int n = gaspdb_mpi_teams_end();
	int i = 0, initialized = 0;

	PMPI_Initialized(&initialized);
	if (!m || m->inter || initialized || m->local.n != n)
		return false;
	while (i < n && gaspdb_mpi_rank_at(&m->local, i) == i)
		i++;
	return i == n;
}

/* A program of sessions has no MPI_COMM_WORLD: the hosts' clocks are sampled on
   its communicators of all processes, one at a time.  All threads of a process
   create them in one order only if it is one thread that does. */
static void sample_world(struct gaspdb_mpi_call *call, MPI_Comm created)
{
	if (syscall(SYS_gettid) == getpid() && !gaspdb_world_is_spawned() &&
	    is_world(gaspdb_mpi_comm_get(call->c, created)))
		gaspdb_mpi_clocks_begin(
			call->c,
			(struct gaspdb_mpi_clock_world){ created, 0, 0 });
}

GASPDB_EXPORT int MPI_Comm_create_from_group(MPI_Group group, const char *name,
					     MPI_Info info,
					     MPI_Errhandler handler,
					     MPI_Comm *created)
{
	GASPDB_MPI_CALL(COMM_CREATE_GROUP, MPI_Comm_create_from_group);
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Comm_create_from_group)(
			group, name, info, handler, created);
	start_apart(&call, MPI_COMM_NULL);
	rc = PMPI_Comm_create_from_group(group, name, info, handler, created);
	finish_creation(&call, rc, created, call.comm, GASPDB_MPI_UNNUMBERED,
			key_of_name(name), "group");
	if (rc == MPI_SUCCESS)
		sample_world(&call, *created);
	return rc;
}
#endif

/* clang-format off */

/* The communicator exists when its request is complete. */
#define IDUP(name, PARAMETERS, ...)                                            \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(COMM_IDUP, MPI_##name);                                \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_COLLECTIVE,         \
					.duplicate = created };                \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	r.ordinal = start_creation(&call, comm);                               \
	r.comm = call.comm;                                                    \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

IDUP(Comm_idup, (MPI_Comm comm, MPI_Comm *created, MPI_Request *request),
     comm, created, request)
GASPDB_MPI4(
IDUP(Comm_idup_with_info,
     (MPI_Comm comm, MPI_Info info, MPI_Comm *created, MPI_Request *request),
     comm, info, created, request)
)

/* clang-format on */

GASPDB_EXPORT int MPI_Comm_set_name(MPI_Comm comm, const char *name)
{
	GASPDB_MPI_CALL(COMM_SET_NAME, MPI_Comm_set_name);
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Comm_set_name)(comm, name);
	start_apart(&call, comm);
	rc = PMPI_Comm_set_name(comm, name);
	if (rc == MPI_SUCCESS)
		gaspdb_mpi_comm_name(call.c, call.comm, name);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

/* clang-format off */

/* --- freeing -------------------------------------------------------------- */

/* Removed from the table before MPI can reuse the handle. */
#define FREE(name)                                                             \
GASPDB_EXPORT int MPI_##name(MPI_Comm *comm)                                   \
{                                                                              \
	GASPDB_MPI_CALL(COMM_FREE, MPI_##name);                                \
	struct gaspdb_mpi_comm *m = NULL;                                      \
	int rc;                                                                \
                                                                               \
	if (call.entry.to_other)                                               \
		return gaspdb_next_MPI_##name(comm);                           \
	if (call.c)                                                            \
		start_apart(&call, comm ? *comm : MPI_COMM_NULL);              \
	if (gaspdb_mpi_active && comm)                                         \
		gaspdb_mpi_clocks_free(call.c, *comm);                         \
	if (gaspdb_mpi_active && comm)                                         \
		m = gaspdb_mpi_comm_remove(*comm);                             \
	rc = PMPI_##name(comm);                                                \
	if (m && rc == MPI_SUCCESS)                                            \
		gaspdb_mpi_comm_freed(call.c, m);                              \
	else if (m)                                                            \
		gaspdb_mpi_comm_restore(m);                                    \
	if (call.c)                                                            \
		gaspdb_mpi_finish(&call, 0, NULL);                             \
	return rc;                                                             \
}

FREE(Comm_free)
FREE(Comm_disconnect)
/* clang-format on */
