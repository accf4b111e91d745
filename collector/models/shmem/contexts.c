/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Communication contexts by serial number, since handles are reused.  A
 * handle's node is made at its first use and never freed, so that a lookup
 * takes no lock.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "collector/models/shmem/adapter.h"

struct node {
	shmem_ctx_t handle;
	_Atomic uint64_t serial; /* of the context that has the handle now */
	struct node *next;
};

#define BUCKETS 64u /* a power of two */

static _Atomic(struct node *) buckets[BUCKETS];
static _Atomic uint64_t last_serial = GASPDB_SHMEM_DEFAULT_CONTEXT;
static struct gaspdb_lock lock;

static _Atomic(struct node *) *bucket_of(shmem_ctx_t handle)
{
	const uintptr_t bits = (uintptr_t)handle;

	/* Handles are mostly addresses of structures. */
	return &buckets[(bits >> 4 ^ bits >> 12) & (BUCKETS - 1)];
}

static struct node *find(shmem_ctx_t handle)
{
	struct node *n =
		atomic_load_explicit(bucket_of(handle), memory_order_acquire);

	while (n && n->handle != handle)
		n = n->next;
	return n;
}

static struct node *add(shmem_ctx_t handle)
{
	_Atomic(struct node *) *bucket = bucket_of(handle);
	struct node *n;

	if (!gaspdb_lock_enter(&lock))
		return NULL;
	n = find(handle);
	if (!n && (n = malloc(sizeof *n))) {
		n->handle = handle;
		atomic_init(&n->serial, 0);
		n->next = atomic_load_explicit(bucket, memory_order_relaxed);
		atomic_store_explicit(bucket, n, memory_order_release);
	}
	gaspdb_lock_leave(&lock);
	return n;
}

uint64_t gaspdb_shmem_context_new(shmem_ctx_t ctx)
{
	struct node *n;
	uint64_t serial;

	if (ctx == SHMEM_CTX_DEFAULT)
		return GASPDB_SHMEM_DEFAULT_CONTEXT;
	serial = atomic_fetch_add(&last_serial, 1) + 1;
	n = add(ctx);
	if (n)
		atomic_store_explicit(&n->serial, serial, memory_order_relaxed);
	return serial;
}

/* An unknown one (an extension's) gets its number now. */
uint64_t gaspdb_shmem_context_find(shmem_ctx_t ctx)
{
	const struct node *n = find(ctx);

	if (GASPDB_UNLIKELY(!n))
		return gaspdb_shmem_context_new(ctx);
	return atomic_load_explicit(&n->serial, memory_order_relaxed);
}

/* --- of teams ------------------------------------------------------------- */

/* Contexts of teams by serial number; none is removed. */
struct team_context {
	uint64_t serial;
	const struct gaspdb_shmem_team *team;
	struct team_context *next;
};

_Atomic bool gaspdb_shmem_team_contexts;
static _Atomic(struct team_context *) of_teams[BUCKETS];

uint64_t gaspdb_shmem_context_of(shmem_ctx_t ctx,
				 const struct gaspdb_shmem_team *of)
{
	const uint64_t serial = gaspdb_shmem_context_new(ctx);
	_Atomic(struct team_context *) *bucket =
		&of_teams[serial & (BUCKETS - 1)];
	struct team_context *t = malloc(sizeof *t);

	if (!t)
		return serial;
	t->serial = serial;
	t->team = of;
	if (!gaspdb_lock_enter(&lock)) {
		free(t);
		return serial;
	}
	t->next = atomic_load_explicit(bucket, memory_order_relaxed);
	atomic_store_explicit(bucket, t, memory_order_release);
	atomic_store(&gaspdb_shmem_team_contexts, true);
	gaspdb_lock_leave(&lock);
	return serial;
}

int64_t gaspdb_shmem_context_peer(uint64_t context, int pe)
{
	const struct team_context *t = atomic_load_explicit(
		&of_teams[context & (BUCKETS - 1)], memory_order_acquire);

	while (t && t->serial != context)
		t = t->next;
	return t ? gaspdb_shmem_member(t->team, pe) : pe;
}
