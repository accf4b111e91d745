/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Spawned processes and their parents.  Both sides name the communicator
 * between them by the spawn's key, and the processes of the other side by their
 * ranks in the run (collector/process/worlds.h).  Without these the other
 * side's ranks stay unknown.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/models/mpi/clocks/clocks.h"
#include "collector/models/mpi/teams.h"
#include "collector/process/worlds.h"

/* --- parents -------------------------------------------------------------- */

/* Ordinal of the communicator between both sides, which has no parent: bit 61
   and the key, below the readers' limit. */
static uint64_t ordinal_of(uint64_t key)
{
	return UINT64_C(1) << 61 | (key & ((UINT64_C(1) << 61) - 1));
}

/* A spawn by all members of call.comm. */
struct spawning {
	uint64_t ordinal, key;
	bool root; /* this process is the root, which has the arguments */
};

/* START of a spawn of n processes (in the root). */
static struct spawning start_spawn(struct gaspdb_mpi_call *call, MPI_Comm comm,
				   int root, int n)
{
	struct gaspdb_mpi_comm *m = gaspdb_mpi_comm_get(call->c, comm);
	struct spawning s = { 0 };
	int *ranks;

	call->comm = m;
	gaspdb_mpi_start_plain(call, gaspdb_mpi_comm_count(m));
	if (!m)
		return s;
	s.ordinal = atomic_fetch_add(&m->created, 1);
	s.key = gaspdb_mpi_team_spawn_key(m, s.ordinal);
	s.root = !m->inter && m->rank == root && gaspdb_mpi_teams_end() > 0;
	if (!s.root)
		return s;
	ranks = malloc(sizeof *ranks * (size_t)m->local.n);
	for (int i = 0; ranks && i < m->local.n; i++)
		ranks[i] = gaspdb_mpi_rank_at(&m->local, i);
	s.root = ranks && n > 0;
	if (s.root)
		gaspdb_world_announce(s.key, gaspdb_mpi_teams_end(), n, ranks,
				      m->local.n,
				      gaspdb_mpi_clocks_are_linked() ? root
								     : -1);
	free(ranks);
	return s;
}

/* Compares the root's clock with that of the first child, if that is on another
   host, and recorded. */
static void link_child(struct gaspdb_context *c, MPI_Comm inter,
		       const struct gaspdb_world *w)
{
	char own[GASPDB_HOST_BYTES], host[GASPDB_HOST_BYTES];

	gaspdb_clock_mark_host(own);
	if (gaspdb_mpi_clocks_are_linked() && *w->root_host &&
	    gaspdb_clock_mark_read(w->number, host) && *host &&
	    strcmp(host, own))
		gaspdb_mpi_clocks_link_child(c, inter, w->first);
}

/* Adds the group at the other end of inter, with its ranks in the run. */
static void add_remote(MPI_Comm inter, const int *ranks, int n)
{
	MPI_Group group;
	int size = 0;

	if (PMPI_Comm_remote_group(inter, &group) != MPI_SUCCESS)
		return;
	PMPI_Group_size(group, &size);
	if (size == n)
		gaspdb_mpi_teams_add_world(group, ranks, n);
}

/* Learns the ranks of spawned processes; false: they are not known. */
static bool learn_children(struct gaspdb_context *c, const struct spawning *s,
			   MPI_Comm inter)
{
	struct gaspdb_world w = { 0 };
	int n = 0, *ranks = NULL;
	bool known =
		gaspdb_mpi_teams_end() > 0 && gaspdb_world_of_spawn(s->key, &w);

	PMPI_Comm_remote_size(inter, &n);
	if (known && n > 0)
		ranks = malloc(sizeof *ranks * (size_t)n);
	for (int i = 0; ranks && i < n; i++)
		ranks[i] = w.first + i;
	if (ranks)
		add_remote(inter, ranks, n);
	if (ranks && s->root)
		link_child(c, inter, &w);
	free(ranks);
	free(w.parents);
	return ranks != NULL;
}

static uint64_t add_children(struct gaspdb_mpi_call *call,
			     const struct spawning *s, MPI_Comm inter)
{
	const int error = errno;
	int n = 0;
	bool known;

	if (s->root) {
		PMPI_Comm_remote_size(inter, &n);
		gaspdb_world_started(s->key, n);
	}
	known = learn_children(call->c, s, inter);
	errno = error;
	return gaspdb_mpi_comm_add(call->c, inter, known ? NULL : call->comm,
				   known ? ordinal_of(s->key) : s->ordinal, 0,
				   "spawn");
}

static int finish_spawn(struct gaspdb_mpi_call *call, int rc,
			const MPI_Comm *created, const struct spawning *s)
{
	uint64_t id = 0;

	if (rc == MPI_SUCCESS)
		id = add_children(call, s, *created);
	else if (s->root)
		gaspdb_world_started(s->key, 0);
	gaspdb_mpi_finish(call, 1, &id);
	return rc;
}

static int sum(const int *counts, int n)
{
	int total = 0;

	for (int i = 0; counts && i < n; i++)
		total += counts[i];
	return total;
}

/* clang-format off */

/* The arguments before root count in the root alone. */
#define SPAWN(name, total, PARAMETERS, ...)                                    \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(COMM_CREATE, MPI_##name);                              \
	struct spawning s;                                                     \
	int rank = -1, rc;                                                     \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	if (gaspdb_mpi_comm_is_valid(comm))                                    \
		PMPI_Comm_rank(comm, &rank);                                   \
	s = start_spawn(&call, comm, root, rank == root ? (total) : 0);        \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	return finish_spawn(&call, rc, created, &s);                           \
}

SPAWN(Comm_spawn, n,
      (const char *command, char *argv[], int n, MPI_Info info, int root,
       MPI_Comm comm, MPI_Comm *created, int errors[]),
      command, argv, n, info, root, comm, created, errors)
SPAWN(Comm_spawn_multiple, sum(counts, n),
      (int n, char *commands[], char **argvs[], const int counts[],
       const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *created,
       int errors[]),
      n, commands, argvs, counts, infos, root, comm, created, errors)

/* clang-format on */

/* --- children ------------------------------------------------------------- */

static struct gaspdb_world joined; /* number 0: not spawned, or not known */

void gaspdb_mpi_spawn_starting(void)
{
	if (gaspdb_world_is_spawned() && !gaspdb_world_of_child(&joined))
		joined.number = 0;
}

int gaspdb_mpi_spawn_number(void)
{
	return joined.number || !gaspdb_world_is_spawned() ? joined.number : -1;
}

static MPI_Comm parents(void)
{
	MPI_Comm comm = MPI_COMM_NULL;

	PMPI_Comm_get_parent(&comm);
	return comm;
}

/* Whether the announced world is this one, by both sides' sizes. */
static bool is_joined(MPI_Comm parent, int ranks)
{
	int n = 0;

	PMPI_Comm_remote_size(parent, &n);
	return joined.number && ranks <= joined.n && n == joined.n_parents;
}

int gaspdb_mpi_spawn_first(void)
{
	const MPI_Comm parent = parents();
	int rank, ranks;

	if (parent == MPI_COMM_NULL)
		return 0;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (is_joined(parent, ranks))
		return joined.first;
	joined.number = 0;
	return -1;
}

void gaspdb_mpi_spawn_emit(int rank, int ranks)
{
	if (!joined.number) {
		gaspdb_metaf("not_seen",
			     "this process was started by MPI_Comm_spawn, as "
			     "rank %d of %d of another MPI_COMM_WORLD, whose "
			     "place in the run is not known: its calls are "
			     "recorded, but its messages have no peers",
			     rank, ranks);
		return;
	}
	gaspdb_metaf("world", "%d", joined.number);
	gaspdb_metaf("world_rank", "%d", rank);
}

void gaspdb_mpi_spawn_add_parents(struct gaspdb_context *c)
{
	MPI_Comm parent = parents();

	if (joined.number) {
		add_remote(parent, joined.parents, joined.n_parents);
		gaspdb_mpi_comm_add(c, parent, NULL, ordinal_of(joined.key), 0,
				    "spawn");
	} else {
		gaspdb_mpi_comm_add(c, parent, NULL, GASPDB_MPI_UNNUMBERED, 0,
				    "spawn");
	}
}

bool gaspdb_mpi_spawn_is_apart(void)
{
	char own[GASPDB_HOST_BYTES];

	gaspdb_clock_mark_host(own);
	return joined.number && *joined.root_host && joined.root >= 0 &&
	       joined.root < joined.n_parents && strcmp(joined.root_host, own);
}

/* The root comes if it finds the mark of this world's first process. */
void gaspdb_mpi_spawn_link(struct gaspdb_context *c)
{
	char host[GASPDB_HOST_BYTES];
	int rank;

	if (!gaspdb_mpi_spawn_is_apart())
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0 && gaspdb_clock_mark_read(joined.number, host))
		gaspdb_mpi_clocks_link_root(c, parents(), joined.root,
					    joined.parents[joined.root]);
}
