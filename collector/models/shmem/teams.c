/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Teams: all PEs, the active sets that the program's collectives name, and
 * those that it makes (team_handles.c).  Each has an identity that all PEs
 * derive alike, of active sets from (first, log_stride, size), and a running
 * number of its collectives.
 */
#include <stdio.h>
#include <stdlib.h>

#include "collector/log/log_format.h"
#include "collector/models/shmem/teams.h"

/*
 * Ids and the world's ordinal lie beyond those of MPI's communicators, which
 * a hybrid program has besides.
 */
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

/* The last team that the calling thread's log was told. */
static __thread team *told;

/* --- telling the log ------------------------------------------------------ */

static void tell_members(struct gaspdb_context *c, const team *t)
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

static void tell_team(struct gaspdb_context *c, const team *t)
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
		tell_members(c, t);
}

/* All teams up to t, so that one pointer says which the log knows. */
static GASPDB_COLD void tell_up_to(struct gaspdb_context *c, team *t)
{
	team *next;

	while (!told || told->id < t->id) {
		next = told ? atomic_load_explicit(&told->newer,
						   memory_order_acquire)
			    : &world;
		told = next; /* a handler may tell more of them now */
		tell_team(c, next);
	}
}

static void tell_sequences(struct gaspdb_context *c)
{
	team *t = &world;

	for (; t; t = atomic_load_explicit(&t->newer, memory_order_acquire)) {
		tell_up_to(c, t);
		gaspdb_record(c, GASPDB_RECORD_TEAM_SEQUENCE, "uu", t->id,
			      (uint64_t)atomic_load(&t->collectives));
	}
}

/* --- finding one ---------------------------------------------------------- */

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

void gaspdb_shmem_team_enter(team *t)
{
	t->id = newest->id + 1;
	/* First told of, then found: finders walk up to it. */
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
		gaspdb_shmem_team_enter(t);
		insert(t);
	}
	gaspdb_shmem_teams_unlock();
	return t;
}

/* --- using one ------------------------------------------------------------ */

uint64_t gaspdb_shmem_team_told(struct gaspdb_context *c, team *t)
{
	if (GASPDB_UNLIKELY(!told || told->id < t->id))
		tell_up_to(c, t);
	return t->id;
}

struct gaspdb_shmem_collective gaspdb_shmem_next(struct gaspdb_context *c,
						 team *t)
{
	struct gaspdb_shmem_collective result = { 0 };

	if (GASPDB_UNLIKELY(!t))
		return result;
	result.team = t;
	result.id = gaspdb_shmem_team_told(c, t);
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

/* The active set of all PEs is the world: it is in the table like the others.
 */
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
	tell_up_to(c, &world);
	gaspdb_on_resume(tell_sequences);
}
