/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Identity of a communicator.  All members derive the same name without a
 * message: from the parent's name, the number of the creation on the parent (in
 * which all its members take part), and the world rank of the first member (one
 * split makes several).  If not all of the parent's members take part, a hash
 * of the members replaces the number.  An intercommunicator is one team: the
 * group with the lower first world rank is its local group on both sides.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/log/log_writer.h"
#include "collector/models/mpi/teams.h"

/* A group whose members' ranks in the run are known.  The own world, and the
   groups at the other ends of MPI_Comm_spawn. */
struct world {
	MPI_Group group;
	int n, first; /* the own world: ranks first to first + n - 1 */
	int *ranks;   /* else */
	struct world *next;
};

static struct world own = { .first = -1 };
static struct world *_Atomic others;

#define WORLD_ID 1 /* parent of communicators without one */

void gaspdb_mpi_teams_init(MPI_Group world, int first)
{
	own = (struct world){ .group = world, .first = first };
	if (world == MPI_GROUP_NULL)
		own.first = -1;
	else
		PMPI_Group_size(world, &own.n);
}

void gaspdb_mpi_teams_add_world(MPI_Group group, const int *ranks, int n)
{
	struct world *w = malloc(sizeof *w);

	if (!w)
		return;
	*w = (struct world){ .group = group,
			     .n = n,
			     .ranks = malloc(sizeof *ranks * (size_t)n) };
	if (!w->ranks) {
		free(w);
		return;
	}
	memcpy(w->ranks, ranks, sizeof *ranks * (size_t)n);
	w->next = others;
	while (!atomic_compare_exchange_weak(&others, &w->next, w))
		;
}

void gaspdb_mpi_teams_fini(void)
{
	struct world *w = others, *next;

	others = NULL;
	own = (struct world){ .first = -1 };
	for (; w; w = next) {
		next = w->next;
		free(w->ranks);
		free(w);
	}
}

int gaspdb_mpi_teams_end(void)
{
	return own.first < 0 ? 0 : own.first + own.n;
}

/* --- members -------------------------------------------------------------- */

/* Length of the run of equal strides that begins at i. */
static int run_at(const struct gaspdb_mpi_ranks *r, int i, int *stride)
{
	int n = i + 1;

	*stride = n < r->n ? gaspdb_mpi_rank_at(r, n) - gaspdb_mpi_rank_at(r, i)
			   : 0;
	while (n < r->n &&
	       gaspdb_mpi_rank_at(r, n) - gaspdb_mpi_rank_at(r, n - 1) ==
		       *stride)
		n++;
	return n - i;
}

/* Fills in the ranks in the run of members that belong to w.  indices: 0 to
   n - 1, and room for n more.  Returns the number of unknown ones. */
static int translate(const struct world *w, MPI_Group group, int n,
		     int *indices, int *ranks)
{
	int *found = indices + n, unknown = 0;

	PMPI_Group_translate_ranks(group, n, indices, w->group, found);
	for (int i = 0; i < n; i++) {
		if (ranks[i] < 0 && found[i] >= 0 && found[i] < w->n)
			ranks[i] = w->ranks ? w->ranks[found[i]]
					    : w->first + found[i];
		unknown += ranks[i] < 0;
	}
	return unknown;
}

/* Ranks in the run of n members of a group, -1: unknown.  NULL: no memory. */
static int *find_ranks(MPI_Group group, int n)
{
	int *ranks = malloc(3 * sizeof *ranks * (size_t)n), unknown;

	if (!ranks)
		return NULL;
	for (int i = 0; i < n; i++) {
		ranks[i] = -1;
		ranks[n + i] = i;
	}
	unknown = translate(&own, group, n, ranks + n, ranks);
	for (const struct world *w = others; unknown && w; w = w->next)
		unknown = translate(w, group, n, ranks + n, ranks);
	return ranks;
}

void gaspdb_mpi_ranks_of(struct gaspdb_mpi_ranks *r, MPI_Group group)
{
	int *ranks;

	*r = (struct gaspdb_mpi_ranks){ .start = -1 };
	if (PMPI_Group_size(group, &r->n) != MPI_SUCCESS || r->n <= 0 ||
	    own.first < 0)
		return;
	ranks = find_ranks(group, r->n);
	if (!ranks)
		return;
	r->list = ranks;
	r->start = ranks[0];
	if (run_at(r, 0, &r->stride) < r->n)
		return;
	r->list = NULL;
	free(ranks);
}

static void find_members(struct gaspdb_mpi_comm *m, MPI_Comm handle)
{
	MPI_Group group;
	int inter = 0;

	PMPI_Comm_test_inter(handle, &inter);
	m->inter = inter;
	PMPI_Comm_rank(handle, &m->rank);
	if (PMPI_Comm_group(handle, &group) == MPI_SUCCESS) {
		gaspdb_mpi_ranks_of(&m->local, group);
		PMPI_Group_free(&group);
	}
	if (inter && PMPI_Comm_remote_group(handle, &group) == MPI_SUCCESS) {
		gaspdb_mpi_ranks_of(&m->remote, group);
		PMPI_Group_free(&group);
	}
}

static void count_neighbors(struct gaspdb_mpi_comm *m, MPI_Comm handle,
			    int topology)
{
	int n = 0, weighted;

	if (topology == MPI_DIST_GRAPH) {
		PMPI_Dist_graph_neighbors_count(handle, &m->sources,
						&m->destinations, &weighted);
		return;
	}
	if (topology == MPI_CART) {
		PMPI_Cartdim_get(handle, &n);
		n *= 2;
	} else if (topology == MPI_GRAPH) {
		PMPI_Graph_neighbors_count(handle, m->rank, &n);
	}
	m->sources = m->destinations = n;
}

/* The weights are not needed, but not all MPIs let them be left out. */
static bool ask_dist_graph(const struct gaspdb_mpi_comm *m, MPI_Comm handle,
			   int *sources)
{
	const size_t n_in = (size_t)m->sources, n_out = (size_t)m->destinations;
	int *rest = malloc((n_in + 2 * n_out + 1) * sizeof *rest);
	bool ok;

	if (!rest)
		return false;
	ok = PMPI_Dist_graph_neighbors(handle, m->sources, sources, rest,
				       m->destinations, rest + n_in,
				       rest + n_in + n_out) == MPI_SUCCESS;
	free(rest);
	return ok;
}

/* Neighbours in a grid; MPI_PROC_NULL beyond the edge. */
static bool ask_grid(const struct gaspdb_mpi_comm *m, MPI_Comm handle,
		     int *sources)
{
	for (int i = 0; i < m->sources; i += 2)
		if (PMPI_Cart_shift(handle, i / 2, 1, &sources[i],
				    &sources[i + 1]) != MPI_SUCCESS)
			return false;
	return true;
}

static bool ask_sources(const struct gaspdb_mpi_comm *m, MPI_Comm handle,
			int topology, int *sources)
{
	if (topology == MPI_DIST_GRAPH)
		return ask_dist_graph(m, handle, sources);
	if (topology == MPI_CART)
		return ask_grid(m, handle, sources);
	return PMPI_Graph_neighbors(handle, m->rank, m->sources, sources) ==
	       MPI_SUCCESS;
}

static int by_rank(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

#define SOURCE_RUNS_MAX 3000 /* bytes; longer lists are not logged */

/* Sorted ranks as in TEAM_SOURCES, without MPI_PROC_NULL; no byte is 0.  NULL:
   too long, or no memory. */
static char *runs_of(const int *ranks, int n)
{
	unsigned char runs[SOURCE_RUNS_MAX + 2 * GASPDB_VARINT_MAX + 1];
	unsigned char *end = runs;
	int last = -1, i = 0, next;

	while (i < n && ranks[i] < 0)
		i++;
	for (; i < n; i = next) {
		int high = ranks[i];

		for (next = i + 1; next < n && ranks[next] <= high + 1; next++)
			high = ranks[next];
		end = gaspdb_put_varint(end, (uint64_t)(ranks[i] - last));
		end = gaspdb_put_varint(end, (uint64_t)(high - ranks[i] + 1));
		last = high;
		if (end - runs > SOURCE_RUNS_MAX)
			return NULL;
	}
	*end = 0;
	return strdup((const char *)runs);
}

void gaspdb_mpi_team_find_neighbors(struct gaspdb_mpi_comm *m)
{
	int topology = MPI_UNDEFINED, *ranks;

	if (!m->inter)
		PMPI_Topo_test(m->handle, &topology);
	if (topology == MPI_UNDEFINED)
		return;
	count_neighbors(m, m->handle, topology);
	if (m->sources < 0 || m->destinations < 0)
		return;
	ranks = malloc(((size_t)m->sources + 1) * sizeof *ranks);
	if (ranks && ask_sources(m, m->handle, topology, ranks)) {
		qsort(ranks, (size_t)m->sources, sizeof *ranks, by_rank);
		m->source_runs = runs_of(ranks, m->sources);
	}
	free(ranks);
}

struct gaspdb_mpi_comm *gaspdb_mpi_team_new(MPI_Comm handle)
{
	struct gaspdb_mpi_comm *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->handle = handle;
	find_members(m, handle);
	return m;
}

struct gaspdb_mpi_comm *gaspdb_mpi_team_new_group(MPI_Group group)
{
	struct gaspdb_mpi_comm *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->handle = MPI_COMM_NULL;
	PMPI_Group_rank(group, &m->rank);
	gaspdb_mpi_ranks_of(&m->local, group);
	return m;
}

void gaspdb_mpi_team_delete(struct gaspdb_mpi_comm *m)
{
	free(m->local.list);
	free(m->remote.list);
	free(m->epochs[0]);
	free(m->epochs[1]);
	free(m->source_runs);
	free(m->name);
	free(m);
}

/* --- identity ------------------------------------------------------------- */

/* Whether the remote group is the team's local one. */
static bool is_turned(const struct gaspdb_mpi_comm *m)
{
	return m->inter && m->remote.start >= 0 &&
	       m->remote.start < m->local.start;
}

static const struct gaspdb_mpi_ranks *
first_group(const struct gaspdb_mpi_comm *m)
{
	return is_turned(m) ? &m->remote : &m->local;
}

static const struct gaspdb_mpi_ranks *
second_group(const struct gaspdb_mpi_comm *m)
{
	return is_turned(m) ? &m->local : &m->remote;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static uint64_t mix_ranks(uint64_t hash, const struct gaspdb_mpi_ranks *r)
{
	hash = mix(hash, (uint64_t)r->n);
	for (int i = 0; i < r->n; i++)
		hash = mix(hash, (uint64_t)gaspdb_mpi_rank_at(r, i));
	return hash;
}

/*
 * Number of earlier teams with the same hash, which distinguishes their names.
 */
static uint64_t count_of(uint64_t hash)
{
	static struct gaspdb_lock lock;
	static struct entry {
		uint64_t hash, count;
	} * entries, *grown;
	static size_t n, room;
	uint64_t count = 0;
	size_t i = 0;

	if (!gaspdb_lock_enter(&lock))
		return 0;
	while (i < n && entries[i].hash != hash)
		i++;
	if (i == room) {
		grown = realloc(entries, (room + 64) * sizeof *entries);
		if (grown) {
			entries = grown;
			room += 64;
		}
	}
	if (i < room) {
		if (i == n)
			entries[n++] = (struct entry){ hash, 0 };
		count = entries[i].count++;
	}
	gaspdb_lock_leave(&lock);
	return count;
}

/*
 * Ordinal of an unnumbered creation: bit 61, 41 bits of the members' hash, 20
 * of the count.  Below 2^63, the readers' limit, and above any number of
 * creations.
 */
static uint64_t unnumbered(const struct gaspdb_mpi_comm *m, uint64_t parent,
			   uint64_t key)
{
	uint64_t hash = mix(mix(parent + 1, m->inter), key);

	hash = mix_ranks(hash, first_group(m));
	hash = mix_ranks(hash, second_group(m)) >> 23;
	return UINT64_C(1) << 61 | hash << 20 | (count_of(hash) & 0xfffff);
}

static bool has_stranger(const struct gaspdb_mpi_ranks *r)
{
	for (int i = 0; i < r->n; i++)
		if (gaspdb_mpi_rank_at(r, i) >= 0 &&
		    (gaspdb_mpi_rank_at(r, i) < own.first ||
		     gaspdb_mpi_rank_at(r, i) >= own.first + own.n))
			return true;
	return false;
}

/* The parent where none is given: the world; of members of several worlds
   none, because it must be alike for all. */
static uint64_t default_parent(const struct gaspdb_mpi_comm *m)
{
	return has_stranger(&m->local) || has_stranger(&m->remote) ? 0
								   : WORLD_ID;
}

void gaspdb_mpi_team_identify(struct gaspdb_mpi_comm *m,
			      const struct gaspdb_mpi_comm *parent,
			      uint64_t ordinal, uint64_t key)
{
	m->parent = gaspdb_mpi_comm_id(parent);
	m->ordinal = ordinal;
	if (ordinal == GASPDB_MPI_UNNUMBERED) {
		if (!parent)
			m->parent = default_parent(m);
		m->ordinal = unnumbered(m, parent ? parent->ordinal : 0, key);
	}
	m->identity =
		mix(mix(~(parent ? parent->identity : m->parent), m->ordinal),
		    (uint64_t)first_group(m)->start);
}

uint64_t gaspdb_mpi_team_spawn_key(const struct gaspdb_mpi_comm *m,
				   uint64_t ordinal)
{
	return mix(m->identity, ordinal);
}

/* --- records -------------------------------------------------------------- */

void gaspdb_mpi_team_emit(struct gaspdb_context *c,
			  const struct gaspdb_mpi_comm *m)
{
	const struct gaspdb_mpi_ranks *first = first_group(m);
	int rank = is_turned(m) ? first->n + m->rank : m->rank;

	gaspdb_record(c, GASPDB_RECORD_TEAM, "uuuiussi", m->id, m->parent,
		      m->ordinal, (int64_t)rank, (uint64_t)first->n, m->kind,
		      m->name ? m->name : "", (int64_t)first->start);
}

void gaspdb_mpi_team_emit_sources(struct gaspdb_context *c,
				  const struct gaspdb_mpi_comm *m)
{
	if (m->source_runs)
		gaspdb_record(c, GASPDB_RECORD_TEAM_SOURCES, "us", m->id,
			      m->source_runs);
}

static void emit_ranks(struct gaspdb_context *c, uint64_t team, int index,
		       const struct gaspdb_mpi_ranks *r)
{
	int n, stride;

	for (int i = 0; i < r->n; i += n) {
		n = run_at(r, i, &stride);
		if (gaspdb_mpi_rank_at(r, i) < 0)
			continue;
		gaspdb_record(c, GASPDB_RECORD_TEAM_MEMBERS, "uuiiu", team,
			      (uint64_t)(index + i),
			      (int64_t)gaspdb_mpi_rank_at(r, i),
			      (int64_t)stride, (uint64_t)n);
	}
}

void gaspdb_mpi_team_emit_members(struct gaspdb_context *c,
				  const struct gaspdb_mpi_comm *m)
{
	const struct gaspdb_mpi_ranks *first = first_group(m);

	if (m->rank != 0 || is_turned(m))
		return;
	emit_ranks(c, m->id, 0, first);
	emit_ranks(c, m->id, first->n, second_group(m));
}
