/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entities by key: an open-addressing table that changes under a lock and is
 * read without one.  A used slot keeps its key, so that a reader finds the key
 * and its entity together; a removed key has entity 0.  When removed keys fill
 * the table it is made anew in place, and readers that find its version changed
 * read again.  A table that grew stays mapped for readers: all of them together
 * are as large as the last one.
 */
#define GASPDB_MAPPING_NOT_INLINE
#include "collector/include/gaspdb.h"

#include <stdatomic.h>

#include "collector/base/pages.h"
#include "collector/core/context.h"
#include "collector/core/lock.h"

#define FIRST_SIZE 4096
#define TRIES	   10000 /* of a reader: it may interrupt the writer */

struct slot {
	_Atomic(const void *) space;
	_Atomic uint64_t key;
	_Atomic uint32_t entity;
	_Atomic uint32_t used;
};

struct table {
	uint64_t size; /* a power of two */
	struct slot slots[];
};

static struct {
	struct gaspdb_lock lock;
	_Atomic(struct table *) table;
	_Atomic uint64_t version; /* odd: it is being made anew */
	uint64_t used, live;	  /* slots; those with an entity */
} all;

#define LOAD(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define STORE(place, value) \
	atomic_store_explicit(&(place), value, memory_order_relaxed)

static inline uint64_t hash_of(const void *space, uint64_t key)
{
	return gaspdb_mix(key, (uintptr_t)space);
}

/* The slot of a key, or the free one where it belongs. */
static inline struct slot *slot_of(struct table *t, const void *space,
				   uint64_t key)
{
	struct slot *s;

	for (uint64_t at = hash_of(space, key);; at++) {
		s = &t->slots[at & (t->size - 1)];
		if (!atomic_load_explicit(&s->used, memory_order_acquire) ||
		    (LOAD(s->key) == key && LOAD(s->space) == space))
			return s;
	}
}

/* --- reading -------------------------------------------------------------- */

GASPDB_EXPORT gaspdb_entity_t gaspdb_associated(const void *space, uint64_t key)
{
	for (unsigned i = 0; i < TRIES; i++) {
		const uint64_t version = atomic_load_explicit(
			&all.version, memory_order_acquire);
		struct table *t;
		gaspdb_entity_t entity;

		if (GASPDB_UNLIKELY(version & 1))
			continue;
		t = atomic_load_explicit(&all.table, memory_order_acquire);
		if (!t)
			return 0;
		entity = LOAD(slot_of(t, space, key)->entity);
		atomic_thread_fence(memory_order_acquire);
		if (GASPDB_LIKELY(version == LOAD(all.version)))
			return entity;
	}
	return 0;
}

/* --- writing: the lock is held -------------------------------------------- */

static size_t bytes_of(uint64_t size)
{
	return sizeof(struct table) + size * sizeof(struct slot);
}

static struct table *new_table(uint64_t size)
{
	struct table *t = gaspdb_pages(bytes_of(size));

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
	atomic_store_explicit(&s->used, 1, memory_order_release);
}

/* Copies the keys that have an entity. */
static void copy(struct table *to, const struct table *from)
{
	for (uint64_t i = 0; i < from->size; i++) {
		const struct slot *s = &from->slots[i];

		if (LOAD(s->entity))
			put(to, LOAD(s->space), LOAD(s->key), LOAD(s->entity));
	}
	all.used = all.live;
}

/* Makes the table anew in place, by way of a copy. */
static void clean(struct table *t, struct table *spare)
{
	copy(spare, t);
	STORE(all.version, LOAD(all.version) | 1);
	atomic_thread_fence(memory_order_release);
	for (uint64_t i = 0; i < t->size; i++) {
		STORE(t->slots[i].entity, 0);
		STORE(t->slots[i].used, 0);
	}
	copy(t, spare);
	atomic_store_explicit(&all.version, LOAD(all.version) + 1,
			      memory_order_release);
	munmap(spare, bytes_of(spare->size));
}

/* Makes room for one more key; NULL: no memory. */
static struct table *make_room(void)
{
	struct table *t = LOAD(all.table), *more;
	const bool grows = !t || all.live >= t->size / 8 * 3;

	if (t && all.used < t->size / 4 * 3)
		return t;
	more = new_table(!t ? FIRST_SIZE : grows ? 2 * t->size : t->size);
	if (!more)
		return t && all.used < t->size - 1 ? t : NULL;
	if (!grows) {
		clean(t, more);
		return t;
	}
	if (t)
		copy(more, t);
	atomic_store_explicit(&all.table, more, memory_order_release);
	return more;
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
	if (LOAD(all.version) & 1) /* a fork has cut a writer short */
		atomic_fetch_add(&all.version, 1);
	set(space, key, entity);
	gaspdb_lock_leave(&all.lock);
}
