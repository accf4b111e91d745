/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entities and mixes of the process: an array in pieces that never move, and a
 * hash table of their handles.  Both change under a lock.  The number of
 * entities is stored last, with release order, for readers without the lock.
 */
#define GASPDB_MAPPING_NOT_INLINE
#include "collector/include/gaspdb.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/context.h"
#include "collector/core/lock.h"

#define PIECE	   4096 /* entities */
#define TEXT_BYTES ((size_t)64 << 10)
#define FIRST_SIZE 1024 /* slots */

_Static_assert(GASPDB_MIX_MAX == GASPDB_MIX_PARTS_MAX,
	       "the log has room for a mix");
_Static_assert(GASPDB_ENTITY_MAX < 1u << GASPDB_ENTITY_BITS,
	       "a token has room for an entity");

static struct {
	struct gaspdb_lock lock;
	_Atomic uint32_t n; /* handles 1 .. n exist */
	struct gaspdb_entity *_Atomic pieces[GASPDB_ENTITY_MAX / PIECE + 1];
	gaspdb_entity_t *slots; /* hash table; 0: free */
	uint32_t size;
	struct {
		char *at;
		size_t left;
	} bytes; /* of texts and parts */
} all;

const struct gaspdb_entity *gaspdb_entity_get(gaspdb_entity_t entity)
{
	if (!entity ||
	    entity > atomic_load_explicit(&all.n, memory_order_acquire))
		return NULL;
	return atomic_load_explicit(&all.pieces[entity / PIECE],
				    memory_order_relaxed) +
	       entity % PIECE;
}

/* --- memory --------------------------------------------------------------- */

/* Memory for good; NULL: none.  The lock is held. */
static void *keep(size_t bytes)
{
	void *p;

	bytes = (bytes + 7) & ~(size_t)7;
	if (all.bytes.left < bytes) {
		p = gaspdb_pages(TEXT_BYTES);
		if (!p)
			return NULL;
		all.bytes.at = p;
		all.bytes.left = TEXT_BYTES;
	}
	p = all.bytes.at;
	all.bytes.at += bytes;
	all.bytes.left -= bytes;
	return p;
}

static const char *keep_text(const char *s, size_t n)
{
	char *copy = keep(n + 1);

	if (!copy)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = 0;
	return copy;
}

/* Doubles the hash table at three quarters; false: no memory. */
static bool make_room(void)
{
	const uint32_t n = all.n, size = all.size ? 2 * all.size : FIRST_SIZE;
	gaspdb_entity_t *slots, *const old = all.slots;

	if (n < all.size / 4 * 3)
		return true;
	slots = gaspdb_pages(size * sizeof *slots);
	if (!slots)
		return false;
	for (gaspdb_entity_t e = 1; e <= n; e++) {
		uint64_t at = gaspdb_entity_get(e)->hash;

		while (slots[at & (size - 1)])
			at++;
		slots[at & (size - 1)] = e;
	}
	all.slots = slots;
	if (old)
		munmap(old, all.size * sizeof *old);
	all.size = size;
	return true;
}

/* The place of the next entity; NULL: none. */
static struct gaspdb_entity *next_place(void)
{
	const gaspdb_entity_t e = all.n + 1;
	struct gaspdb_entity *piece;

	if (e > GASPDB_ENTITY_MAX)
		return NULL;
	piece = all.pieces[e / PIECE];
	if (!piece) {
		piece = gaspdb_pages(PIECE * sizeof *piece);
		if (!piece)
			return NULL;
		all.pieces[e / PIECE] = piece;
	}
	return piece + e % PIECE;
}

/* --- looking up, and adding ----------------------------------------------- */

/* An entity that is looked for. */
struct wanted {
	const char *kind, *name; /* cut by length; NULL: a mix */
	size_t kind_bytes, name_bytes;
	gaspdb_entity_t parent;
	uint32_t n;
	const struct gaspdb_entity_part *parts;
	uint64_t hash;
};

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		h = gaspdb_mix(h + p[i], n);
	return h;
}

static bool is_text(const char *have, const char *want, size_t n)
{
	return !strncmp(have, want, n) && !have[n];
}

static bool is_wanted(const struct gaspdb_entity *e, const struct wanted *w)
{
	if (e->hash != w->hash || e->n != w->n || e->parent != w->parent ||
	    !e->name != !w->name)
		return false;
	if (w->name)
		return is_text(e->kind, w->kind, w->kind_bytes) &&
		       is_text(e->name, w->name, w->name_bytes);
	for (uint32_t i = 0; i < w->n; i++)
		if (e->parts[i].entity != w->parts[i].entity ||
		    e->parts[i].weight != w->parts[i].weight)
			return false;
	return true;
}

/* The slot of an entity, or the free one where it belongs. */
static gaspdb_entity_t *slot_of(const struct wanted *w)
{
	gaspdb_entity_t *slot;
	uint64_t at = w->hash;

	for (;; at++) {
		slot = &all.slots[at & (all.size - 1)];
		if (!*slot || is_wanted(gaspdb_entity_get(*slot), w))
			return slot;
	}
}

static bool fill(struct gaspdb_entity *e, const struct wanted *w)
{
	struct gaspdb_entity_part *parts;

	*e = (struct gaspdb_entity){ .parent = w->parent,
				     .n = w->n,
				     .hash = w->hash };
	if (w->name) {
		e->kind = keep_text(w->kind, w->kind_bytes);
		e->name = keep_text(w->name, w->name_bytes);
		return e->kind && e->name;
	}
	parts = keep(w->n * sizeof *parts);
	if (!parts)
		return false;
	memcpy(parts, w->parts, w->n * sizeof *parts);
	e->parts = parts;
	return true;
}

/* The handle of an entity, which is added if it is new.  The lock is held. */
static gaspdb_entity_t find_or_add(const struct wanted *w)
{
	struct gaspdb_entity *e;
	gaspdb_entity_t *slot;

	if (!make_room())
		return 0;
	slot = slot_of(w);
	if (*slot)
		return *slot;
	e = next_place();
	if (!e || !fill(e, w))
		return 0;
	*slot = all.n + 1;
	atomic_store_explicit(&all.n, *slot, memory_order_release);
	return *slot;
}

/* The same for a caller; defined in its log at once. */
static gaspdb_entity_t get(const struct wanted *w)
{
	struct gaspdb_context *c = gaspdb_entity_context();
	const int saved = errno;
	gaspdb_entity_t e = 0;

	if (!c)
		return 0;
	if (gaspdb_lock_enter(&all.lock)) {
		e = find_or_add(w);
		gaspdb_lock_leave(&all.lock);
	}
	if (e && !gaspdb_entity_is_defined(&c->entities, e) &&
	    gaspdb_begin(c)) {
		gaspdb_entity_define(c, e);
		gaspdb_done(c);
	}
	errno = saved;
	return e;
}

GASPDB_EXPORT gaspdb_entity_t gaspdb_entity_create(const char *kind,
						   const char *name,
						   gaspdb_entity_t parent)
{
	const struct gaspdb_entity *above = gaspdb_entity_get(parent);
	struct wanted w = { .kind = kind ? kind : "",
			    .name = name ? name : "",
			    .parent = parent,
			    .n = above ? above->n + 1 : 1 };

	if (parent && (!above || !above->name || w.n > GASPDB_ENTITY_DEPTH_MAX))
		return 0;
	w.kind_bytes = strnlen(w.kind, GASPDB_ENTITY_KIND_MAX);
	w.name_bytes = strnlen(w.name, GASPDB_ENTITY_NAME_MAX);
	w.hash = hash_bytes(parent, w.kind, w.kind_bytes);
	w.hash = hash_bytes(w.hash + 1, w.name, w.name_bytes);
	return get(&w);
}

/* --- mixes ---------------------------------------------------------------- */

static double weight_of(const double *weights, size_t i)
{
	return weights ? weights[i] : 1;
}

/* The sum of the weights; 0: wrong ones. */
static double sum_of(size_t n, const double *weights)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double w = weight_of(weights, i);

		if (!(w >= 0 && w <= 1e300))
			return 0;
		sum += w;
	}
	return sum;
}

/* Makes the parts of a mix: their weights as whole numbers, whose sum is
   exact. */
static bool make_parts(size_t n, const gaspdb_entity_t *entities,
		       const double *weights, struct gaspdb_entity_part *parts)
{
	const double sum = sum_of(n, weights);
	uint64_t before = 0, until;
	double passed = 0;

	if (!(sum > 0))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct gaspdb_entity *e = gaspdb_entity_get(entities[i]);

		if (!e || !e->name)
			return false;
		passed += weight_of(weights, i);
		until = i + 1 == n ? GASPDB_MIX_WEIGHTS
				   : (uint64_t)(passed / sum *
						(double)GASPDB_MIX_WEIGHTS);
		if (until > GASPDB_MIX_WEIGHTS)
			until = GASPDB_MIX_WEIGHTS;
		parts[i] = (struct gaspdb_entity_part){ entities[i],
							until - before };
		before = until;
	}
	return true;
}

GASPDB_EXPORT gaspdb_entity_t gaspdb_entity_mix(
	size_t n, const gaspdb_entity_t entities[], const double weights[])
{
	struct gaspdb_entity_part parts[GASPDB_MIX_MAX] = { { 0 } };
	struct wanted w = { .n = (uint32_t)n, .parts = parts };

	if (n < 1 || n > GASPDB_MIX_MAX || !entities ||
	    !make_parts(n, entities, weights, parts))
		return 0;
	for (size_t i = 0; i < n; i++)
		w.hash = gaspdb_mix(w.hash + parts[i].entity, parts[i].weight);
	return get(&w);
}
