/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Teams: all PEs, the program's active sets, and the teams that it makes
 * (team_handles.c).  All PEs derive a team's identity alike, of an active set
 * from (first, log_stride, size).  Collectives are numbered per team.
 */
#include <stdio.h>
#include <stdlib.h>

#include "collector/log/log_format.h"
#include "collector/models/shmem/teams.h"

/* Beyond the ids and ordinals of MPI's communicators, in a hybrid program. */
#define FIRST_ID      (UINT64_C(1) << 20)
#define WORLD_ORDINAL (UINT64_C(1) << 20)

typedef struct gaspdb_shmem_team team;

#define BUCKETS 64u /* a power of two */

static _Atomic(team *) buckets[BUCKETS];
static team world = {
	.id = FIRST_ID, .ordinal = WORLD_ORDINAL, .kind = "world", .stride = 1
};
static team *newest = &world;
static struct gaspdb_lock lock;
static int own_pe;

/* The last team in the calling thread's log. */
static __thread team *last_emitted;

/* --- records -------------------------------------------------------------- */

static void emit_members(struct gaspdb_context *c, const team *t)
{
	if (!t->members) {
		gaspdb_record(c, GASPDB_RECORD_TEAM_MEMBERS, "uuiiu", t->id,
			      UINT64_C(0), (int64_t)t->first,
			      (int64_t)t->stride, (uint64_t)t->size);
		return;
	}
	for (int i = 0; i < t->size; i++)
		gaspdb_record(c, GASPDB_RECORD_TEAM_MEMBERS, "uuiiu", t->id,
			      (uint64_t)i, (int64_t)t->members[i], INT64_C(1),
			      UINT64_C(1));
}

static void emit_team(struct gaspdb_context *c, const team *t)
{
	const team *parent = t->parent ? t->parent : &world;
	char name[64];

	if (t == &world)
		snprintf(name, sizeof name, "all PEs");
	else if (t->members)
		snprintf(name, sizeof name, "%d PEs from %d", t->size,
			 t->first);
	else
		snprintf(name, sizeof name, "%d PEs from %d by %d", t->size,
			 t->first, t->stride);
	gaspdb_record(c, GASPDB_RECORD_TEAM, "uuuiussi", t->id,
		      t == &world ? UINT64_C(0) : parent->id, t->ordinal,
		      (int64_t)t->rank, (uint64_t)t->size, t->kind, name,
		      (int64_t)t->first);
	if (t->rank == 0)
		emit_members(c, t);
}

/* Logs all teams up to t, so that one pointer marks the logged ones. */
static GASPDB_COLD void emit_up_to(struct gaspdb_context *c, team *t)
{
	team *next;

	while (!last_emitted || last_emitted->id < t->id) {
		next = last_emitted ? atomic_load_explicit(&last_emitted->newer,
							   memory_order_acquire)
				    : &world;
		last_emitted =
			next; /* a signal handler may log more of them now */
		emit_team(c, next);
	}
}

static void emit_sequences(struct gaspdb_context *c)
{
	team *t = &world;

	for (; t; t = atomic_load_explicit(&t->newer, memory_order_acquire)) {
		emit_up_to(c, t);
		gaspdb_record(c, GASPDB_RECORD_TEAM_SEQUENCE, "uu", t->id,
			      (uint64_t)atomic_load(&t->collectives));
	}
}

/* --- lookup --------------------------------------------------------------- */

static _Atomic(team *) *bucket_of(int first, int stride, int size)
{
	const unsigned bits =
		(unsigned)first * 31 + (unsigned)size * 7 + (unsigned)stride;

	return &buckets[(bits ^ bits >> 6) & (BUCKETS - 1)];
}

static team *find(int first, int stride, int size)
{
	team *t = atomic_load_explicit(bucket_of(first, stride, size),
				       memory_order_acquire);

	while (t &&
	       (t->first != first || t->stride != stride || t->size != size))
		t = t->next;
	return t;
}

static void insert(team *t)
{
	_Atomic(team *) *bucket = bucket_of(t->first, t->stride, t->size);

	t->next = atomic_load_explicit(bucket, memory_order_relaxed);
	atomic_store_explicit(bucket, t, memory_order_release);
}

bool gaspdb_shmem_teams_lock(void)
{
	return gaspdb_lock_enter(&lock);
}

void gaspdb_shmem_teams_unlock(void)
{
	gaspdb_lock_leave(&lock);
}

void gaspdb_shmem_team_add(team *t)
{
	t->id = newest->id + 1;
	/* Linked before it can be found: logging walks up to it. */
	atomic_store_explicit(&newest->newer, t, memory_order_release);
	newest = t;
}

static GASPDB_COLD team *add(int first, int log_stride, int size)
{
	team *t;

	if (!gaspdb_shmem_teams_lock())
		return NULL;
	t = find(first, 1 << log_stride, size);
	if (!t && (t = calloc(1, sizeof *t))) {
		t->ordinal = (uint64_t)size << 8 | (unsigned)log_stride;
		t->kind = "active set";
		t->first = first;
		t->stride = 1 << log_stride;
		t->size = size;
		t->rank = (own_pe - first) >> log_stride;
		gaspdb_shmem_team_add(t);
		insert(t);
	}
	gaspdb_shmem_teams_unlock();
	return t;
}

/* --- collectives ---------------------------------------------------------- */

uint64_t gaspdb_shmem_team_emit(struct gaspdb_context *c, team *t)
{
	if (GASPDB_UNLIKELY(!last_emitted || last_emitted->id < t->id))
		emit_up_to(c, t);
	return t->id;
}

struct gaspdb_shmem_collective gaspdb_shmem_next(struct gaspdb_context *c,
						 team *t)
{
	struct gaspdb_shmem_collective result = { 0 };

	if (GASPDB_UNLIKELY(!t))
		return result;
	result.team = t;
	result.id = gaspdb_shmem_team_emit(c, t);
	result.sequence = atomic_fetch_add_explicit(&t->collectives, 1,
						    memory_order_relaxed);
	result.first = t->first;
	result.rank = t->rank;
	result.size = (size_t)t->size;
	return result;
}

team *gaspdb_shmem_world(void)
{
	return &world;
}

int gaspdb_shmem_own_pe(void)
{
	return own_pe;
}

int64_t gaspdb_shmem_member(const team *t, int rank)
{
	if (!t || rank < 0 || rank >= t->size)
		return -1;
	return t->members ? t->members[rank]
			  : t->first + (int64_t)rank * t->stride;
}

struct gaspdb_shmem_collective gaspdb_shmem_all(struct gaspdb_context *c)
{
	return gaspdb_shmem_next(c, &world);
}

/* The active set of all PEs is the world, which is in the table too. */
struct gaspdb_shmem_collective gaspdb_shmem_active_set(struct gaspdb_context *c,
						       int first,
						       int log_stride, int size)
{
	team *t;

	if (size == 1)
		log_stride = 0;
	t = find(first, 1 << log_stride, size);
	return gaspdb_shmem_next(
		c, GASPDB_LIKELY(t) ? t : add(first, log_stride, size));
}

void gaspdb_shmem_teams_init(struct gaspdb_context *c, int pe, int n_pes)
{
	own_pe = pe;
	world.size = n_pes;
	world.rank = pe;
	insert(&world);
	emit_up_to(c, &world);
	gaspdb_on_resume(emit_sequences);
}
