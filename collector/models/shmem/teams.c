/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Teams: all PEs, and the active sets that the program's collectives name.
 * Each has an identity that all PEs derive alike from (first, log_stride,
 * size), and a running number of its collectives.  A team is made at its
 * first collective and kept for good, so that looking one up takes no lock.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "adapter.h"
#include "log_format.h"

/*
 * Ids and the world's ordinal lie beyond those of MPI's communicators, which
 * a hybrid program has besides.
 */
#define FIRST_ID      (UINT64_C(1) << 20)
#define WORLD_ORDINAL (UINT64_C(1) << 20)

struct team {
	uint64_t id, ordinal;
	int first, log_stride, size;
	int rank; /* the own PE's */
	_Atomic uint64_t collectives;
	struct team *next;	      /* in the bucket */
	_Atomic(struct team *) newer; /* by id */
};

#define BUCKETS 64u /* a power of two */

static _Atomic(struct team *) buckets[BUCKETS];
static struct team world = { .id = FIRST_ID, .ordinal = WORLD_ORDINAL };
static struct team *newest = &world;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int own_pe;

/* The last team that the calling thread's log was told. */
static __thread struct team *told;

/* --- telling the log ------------------------------------------------------ */

static void tell_team(struct gaspdb_context *c, const struct team *t)
{
	const int stride = 1 << t->log_stride;
	char name[64];

	if (t == &world)
		snprintf(name, sizeof name, "all PEs");
	else
		snprintf(name, sizeof name, "%d PEs from %d by %d", t->size,
			 t->first, stride);
	gaspdb_record(c, GASPDB_RECORD_TEAM, "uuuiussi", t->id,
		      t == &world ? UINT64_C(0) : world.id, t->ordinal,
		      (int64_t)t->rank, (uint64_t)t->size,
		      t == &world ? "world" : "active set", name,
		      (int64_t)t->first);
	if (t->rank == 0)
		gaspdb_record(c, GASPDB_RECORD_TEAM_MEMBERS, "uuiiu", t->id,
			      UINT64_C(0), (int64_t)t->first, (int64_t)stride,
			      (uint64_t)t->size);
}

/* All teams up to t, so that one pointer says which the log knows. */
static GASPDB_COLD void tell_up_to(struct gaspdb_context *c, struct team *t)
{
	while (!told || told->id < t->id) {
		told = told ? atomic_load_explicit(&told->newer,
						   memory_order_acquire)
			    : &world;
		tell_team(c, told);
	}
}

static void tell_sequences(struct gaspdb_context *c)
{
	struct team *t = &world;

	for (; t; t = atomic_load_explicit(&t->newer, memory_order_acquire)) {
		tell_up_to(c, t);
		gaspdb_record(c, GASPDB_RECORD_TEAM_SEQUENCE, "uu", t->id,
			      (uint64_t)atomic_load(&t->collectives));
	}
}

/* --- finding one ---------------------------------------------------------- */

static _Atomic(struct team *) *bucket_of(int first, int log_stride, int size)
{
	const unsigned bits = (unsigned)first * 31 + (unsigned)size * 7 +
			      (unsigned)log_stride;

	return &buckets[bits & (BUCKETS - 1)];
}

static struct team *find(int first, int log_stride, int size)
{
	struct team *t = atomic_load_explicit(
		bucket_of(first, log_stride, size), memory_order_acquire);

	while (t && (t->first != first || t->log_stride != log_stride ||
		     t->size != size))
		t = t->next;
	return t;
}

static void insert(struct team *t)
{
	_Atomic(struct team *) *bucket =
		bucket_of(t->first, t->log_stride, t->size);

	t->next = atomic_load_explicit(bucket, memory_order_relaxed);
	atomic_store_explicit(bucket, t, memory_order_release);
}

static GASPDB_COLD struct team *add(int first, int log_stride, int size)
{
	struct team *t;

	pthread_mutex_lock(&lock);
	t = find(first, log_stride, size);
	if (!t && (t = calloc(1, sizeof *t))) {
		t->id = newest->id + 1;
		t->ordinal = (uint64_t)size << 8 | (unsigned)log_stride;
		t->first = first;
		t->log_stride = log_stride;
		t->size = size;
		t->rank = (own_pe - first) >> log_stride;
		/* First told of, then found: finders walk up to it. */
		atomic_store_explicit(&newest->newer, t, memory_order_release);
		newest = t;
		insert(t);
	}
	pthread_mutex_unlock(&lock);
	return t;
}

static struct gaspdb_shmem_collective next_of(struct gaspdb_context *c,
					      struct team *t)
{
	struct gaspdb_shmem_collective result = { 0 };

	if (GASPDB_UNLIKELY(!t))
		return result;
	if (GASPDB_UNLIKELY(!told || told->id < t->id))
		tell_up_to(c, t);
	result.id = t->id;
	result.sequence = atomic_fetch_add_explicit(&t->collectives, 1,
						    memory_order_relaxed);
	result.first = t->first;
	result.rank = t->rank;
	return result;
}

struct gaspdb_shmem_collective gaspdb_shmem_all(struct gaspdb_context *c)
{
	return next_of(c, &world);
}

/* The active set of all PEs is the world: it is in the table like the others.
 */
struct gaspdb_shmem_collective gaspdb_shmem_active_set(struct gaspdb_context *c,
						       int first,
						       int log_stride, int size)
{
	struct team *t;

	if (size == 1)
		log_stride = 0;
	t = find(first, log_stride, size);
	return next_of(c, GASPDB_LIKELY(t) ? t : add(first, log_stride, size));
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
