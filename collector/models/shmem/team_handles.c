/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Teams that the program makes (OpenSHMEM 1.5), by handle; handles are reused.
 * All PEs derive a team's identity from the collective that made it.  The
 * members are queried once, without communication.
 */
#include <stdlib.h>

#include "collector/models/shmem/teams.h"

#ifdef GASPDB_SHMEM_TEAMS
#include "pupc.h"

/* Ordinals beyond those of active sets. */
#define MADE_ORDINAL   (UINT64_C(1) << 40)
#define SHARED_ORDINAL (MADE_ORDINAL - 1)

typedef struct gaspdb_shmem_team team;

/* A handle's node, made at its first use and never freed. */
struct node {
	shmem_team_t handle;
	_Atomic(team *) team; /* that has the handle now */
	struct node *next;
};

#define BUCKETS 64u /* a power of two */

static _Atomic(struct node *) buckets[BUCKETS];

static _Atomic(struct node *) *bucket_of(shmem_team_t handle)
{
	const uintptr_t bits = (uintptr_t)handle;

	return &buckets[(bits >> 4 ^ bits >> 12 ^ bits) & (BUCKETS - 1)];
}

static struct node *find(shmem_team_t handle)
{
	struct node *n =
		atomic_load_explicit(bucket_of(handle), memory_order_acquire);

	while (n && n->handle != handle)
		n = n->next;
	return n;
}

/* The lock is held. */
static void set(shmem_team_t handle, team *t)
{
	_Atomic(struct node *) *bucket = bucket_of(handle);
	struct node *n = find(handle);

	if (!n && (n = malloc(sizeof *n))) {
		n->handle = handle;
		atomic_init(&n->team, t);
		n->next = atomic_load_explicit(bucket, memory_order_relaxed);
		atomic_store_explicit(bucket, n, memory_order_release);
	} else if (n) {
		atomic_store_explicit(&n->team, t, memory_order_release);
	}
}

/* --- members -------------------------------------------------------------- */

static int world_pe(shmem_team_t handle, int rank)
{
	return pshmem_team_translate_pe(handle, rank, SHMEM_TEAM_WORLD);
}

/* Queries the members, which mostly have a common stride. false: no memory. */
static bool ask_members(team *t, shmem_team_t handle)
{
	bool even = true;

	t->size = pshmem_team_n_pes(handle);
	t->rank = pshmem_team_my_pe(handle);
	t->first = world_pe(handle, 0);
	t->stride = t->size > 1 ? world_pe(handle, 1) - t->first : 1;
	for (int i = 2; even && i < t->size; i++)
		even = world_pe(handle, i) == t->first + i * t->stride;
	if (even)
		return true;
	t->members = malloc((size_t)t->size * sizeof *t->members);
	for (int i = 0; t->members && i < t->size; i++)
		t->members[i] = world_pe(handle, i);
	return t->members != NULL;
}

static void discard(team *t)
{
	free(t->members);
	free(t);
}

/* Makes a team. parent NULL: the handle always stands for the same team. */
static team *make(shmem_team_t handle, const team *parent, uint64_t ordinal,
		  const char *kind)
{
	team *t = calloc(1, sizeof *t);
	const struct node *n;

	if (!t || !ask_members(t, handle)) {
		free(t);
		return NULL;
	}
	t->parent = parent;
	t->ordinal = ordinal;
	t->kind = kind;
	if (!gaspdb_shmem_teams_lock()) {
		discard(t);
		return NULL;
	}
	n = parent ? NULL : find(handle);
	if (!n) {
		gaspdb_shmem_team_add(t);
		set(handle, t);
	}
	gaspdb_shmem_teams_unlock();
	if (!n)
		return t;
	discard(t); /* another thread was faster */
	return n->team;
}

/* --- by handle ------------------------------------------------------------ */

/* The team of PEs with shared memory, which no call makes. */
static GASPDB_COLD team *make_shared(void)
{
	return make(SHMEM_TEAM_SHARED, NULL, SHARED_ORDINAL, "shared");
}

/* NULL: not known. */
static team *team_of(shmem_team_t handle)
{
	const struct node *n;

	if (handle == SHMEM_TEAM_WORLD)
		return gaspdb_shmem_world();
	if (handle == SHMEM_TEAM_INVALID)
		return NULL;
	n = find(handle);
	if (GASPDB_LIKELY(n))
		return atomic_load_explicit(&n->team, memory_order_acquire);
	return handle == SHMEM_TEAM_SHARED ? make_shared() : NULL;
}

struct gaspdb_shmem_collective gaspdb_shmem_on_team(struct gaspdb_context *c,
						    shmem_team_t handle)
{
	return gaspdb_shmem_next(c, team_of(handle));
}

uint64_t gaspdb_shmem_team_made(struct gaspdb_context *c,
				const struct gaspdb_shmem_collective *by,
				shmem_team_t handle, unsigned which)
{
	team *t;

	if (!by->team || handle == SHMEM_TEAM_INVALID)
		return 0;
	t = make(handle, by->team, MADE_ORDINAL + 2 * by->sequence + which,
		 "split");
	return t ? gaspdb_shmem_team_emit(c, t) : 0;
}

uint64_t gaspdb_shmem_team_context(shmem_ctx_t ctx, shmem_team_t handle)
{
	const team *t = team_of(handle);

	return t && t != gaspdb_shmem_world() ? gaspdb_shmem_context_of(ctx, t)
					      : gaspdb_shmem_context_new(ctx);
}

/* --- other calls of 1.5 --------------------------------------------------- */

GASPDB_EXPORT void shmem_pcontrol(int level, ...)
{
	extern __typeof__(shmem_pcontrol) *gaspdb_next_shmem_pcontrol
		GASPDB_HIDDEN;
	struct gaspdb_entry entry = GASPDB_ENTRY(gaspdb_next_shmem_pcontrol);

	gaspdb_entry_pass(&entry);
	if (level >= 0 && !entry.to_other)
		pupc_control(level != 0);
	(entry.to_other ? gaspdb_next_shmem_pcontrol : pshmem_pcontrol)(level);
}
#endif
