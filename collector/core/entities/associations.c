/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entities by key: an open-addressing table that changes under a lock and is
 * read without one.  A used slot keeps its key, so that a reader finds the key
 * and its entity together; a removed key has entity 0.  When removed keys fill
 * the table, the others are copied to a second one, which becomes the current
 * one; the old one is the next copy's place.  A reader that was stopped for so
 * long finds its table's version changed, and reads the current one: it never
 * waits for a writer.  A table that grew stays mapped for readers: all of them
 * together are as large as the last one.
 */
#define GASPDB_MAPPING_NOT_INLINE
#include "collector/include/gaspdb.h"

#include <stdatomic.h>

#include "collector/base/pages.h"
#include "collector/core/context.h"
#include "collector/core/lock.h"

#define FIRST_SIZE 4096

struct slot {
	_Atomic(const void *) space;
	_Atomic uint64_t key;
	_Atomic uint32_t entity;
	_Atomic uint32_t used;
};

struct table {
	uint64_t size;		  /* a power of two */
	_Atomic uint64_t version; /* odd: it is being filled */
	struct slot slots[];
};

static struct {
	struct gaspdb_lock lock;
	_Atomic(struct table *) table;
	struct table *spare; /* of the same size; NULL: none */
	uint64_t used, live; /* slots; those with an entity */
} all;

#define LOAD(place)    atomic_load_explicit(&(place), memory_order_relaxed)
#define ACQUIRE(place) atomic_load_explicit(&(place), memory_order_acquire)
#define STORE(place, value) \
	atomic_store_explicit(&(place), value, memory_order_relaxed)
#define RELEASE(place, value) \
	atomic_store_explicit(&(place), value, memory_order_release)

static inline uint64_t hash_of(const void *space, uint64_t key)
{
	return gaspdb_mix(key, (uintptr_t)space);
}

static inline bool is_key(const struct slot *s, const void *space, uint64_t key)
{
	return LOAD(s->key) == key && LOAD(s->space) == space;
}

/* --- reading -------------------------------------------------------------- */

/* A table that is filled meanwhile may seem to have no free slot. */
static inline gaspdb_entity_t find(const struct table *t, const void *space,
				   uint64_t key)
{
	const uint64_t first = hash_of(space, key);

	for (uint64_t i = 0; i < t->size; i++) {
		const struct slot *s = &t->slots[(first + i) & (t->size - 1)];

		if (!ACQUIRE(s->used))
			return 0;
		if (is_key(s, space, key))
			return LOAD(s->entity);
	}
	return 0;
}

GASPDB_EXPORT gaspdb_entity_t gaspdb_associated(const void *space, uint64_t key)
{
	for (;;) {
		const struct table *t = ACQUIRE(all.table);
		uint64_t version;
		gaspdb_entity_t entity;

		if (!t)
			return 0;
		version = ACQUIRE(t->version);
		entity = find(t, space, key);
		atomic_thread_fence(memory_order_acquire);
		if (GASPDB_LIKELY(!(version & 1) &&
				  version == LOAD(t->version)))
			return entity;
	}
}

/* --- writing: the lock is held -------------------------------------------- */

/* The slot of a key, or the free one where it belongs. */
static struct slot *slot_of(struct table *t, const void *space, uint64_t key)
{
	struct slot *s;

	for (uint64_t at = hash_of(space, key);; at++) {
		s = &t->slots[at & (t->size - 1)];
		if (!LOAD(s->used) || is_key(s, space, key))
			return s;
	}
}

static struct table *new_table(uint64_t size)
{
	struct table *t = gaspdb_pages(sizeof *t + size * sizeof *t->slots);

	if (t)
		t->size = size;
	return t;
}

static void put(struct table *t, const void *space, uint64_t key,
		gaspdb_entity_t entity)
{
	struct slot *s = slot_of(t, space, key);

	STORE(s->entity, entity);
	STORE(s->key, key);
	STORE(s->space, space);
	RELEASE(s->used, 1);
}

/* Copies the keys that have an entity to a table that no reader has found in
   the current place for long. */
static void fill(struct table *to, const struct table *from)
{
	const uint64_t version = LOAD(to->version) | 1;

	STORE(to->version, version);
	atomic_thread_fence(memory_order_release);
	for (uint64_t i = 0; i < to->size; i++)
		STORE(to->slots[i].used, 0);
	for (uint64_t i = 0; from && i < from->size; i++) {
		const struct slot *s = &from->slots[i];

		if (LOAD(s->entity))
			put(to, LOAD(s->space), LOAD(s->key), LOAD(s->entity));
	}
	RELEASE(to->version, version + 1);
}

/* Makes room for one more key; NULL: no memory. */
static struct table *make_room(void)
{
	struct table *t = LOAD(all.table), *next;
	const bool grows = !t || all.live >= t->size / 8 * 3;

	if (t && all.used < t->size / 4 * 3)
		return t;
	next = grows || !all.spare ? new_table(!t      ? FIRST_SIZE
					       : grows ? 2 * t->size
						       : t->size)
				   : all.spare;
	if (!next)
		return t && all.used < t->size - 1 ? t : NULL;
	fill(next, t);
	all.used = all.live;
	RELEASE(all.table, next);
	all.spare = grows ? NULL : t;
	return next;
}

static void set(const void *space, uint64_t key, gaspdb_entity_t entity)
{
	struct table *t = LOAD(all.table);
	struct slot *s = t ? slot_of(t, space, key) : NULL;

	if (s && LOAD(s->used)) {
		all.live += (entity != 0) - (uint64_t)(LOAD(s->entity) != 0);
		STORE(s->entity, entity);
		return;
	}
	if (!entity)
		return;
	t = make_room();
	if (!t)
		return;
	put(t, space, key, entity);
	all.used++;
	all.live++;
}

GASPDB_EXPORT void gaspdb_associate(const void *space, uint64_t key,
				    gaspdb_entity_t entity)
{
	if ((entity && !gaspdb_entity_get(entity)) ||
	    (!entity && !LOAD(all.table)))
		return;
	if (!gaspdb_lock_enter(&all.lock))
		return;
	set(space, key, entity);
	gaspdb_lock_leave(&all.lock);
}
