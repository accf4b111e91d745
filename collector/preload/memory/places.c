/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: an index for each caller, without a lock.  What a runtime, libc or the
 * loader allocates counts for its module; what a library allocates for the
 * program counts for the program's place.
 */
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "collector/base/loaded_module.h"
#include "collector/preload/memory/memory.h"

static inline uint64_t key_of(const void *address, enum gaspdb_heap_call call)
{
	return (uint64_t)(uintptr_t)address << GASPDB_HEAP_CALL_BITS |
	       (uint64_t)(call + 1);
}

/* --- the table ------------------------------------------------------------ */

/* Claims an index for a key; 0: no room.  Two threads may claim one each: the
   table has the first. */
static uint32_t claim(uint64_t key, uint32_t counts_for)
{
	struct gaspdb_heap *heap = gaspdb_heap;
	uint32_t i = atomic_load(&heap->n_places);

	do {
		if (i + 1 >= GASPDB_HEAP_PLACES)
			return 0;
	} while (!atomic_compare_exchange_weak(&heap->n_places, &i, i + 1));
	i++;
	heap->places[i].counts_for = counts_for;
	atomic_store_explicit(&heap->places[i].key, key, memory_order_release);
	return i;
}

static GASPDB_COLD uint32_t add(_Atomic uint32_t *slot, uint64_t key,
				uint32_t counts_for)
{
	uint32_t there = 0, own = claim(key, counts_for);

	if (!own)
		return 0;
	return atomic_compare_exchange_strong(slot, &there, own) ? own : there;
}

/* The index of a key, added if it is new. */
static inline uint32_t index_of(uint64_t key, uint32_t counts_for)
{
	struct gaspdb_heap *heap = gaspdb_heap;
	uint64_t at = key * 0x9e3779b97f4a7c15u >> 40;
	_Atomic uint32_t *slot;
	uint32_t i;

	for (unsigned n = 0; n < GASPDB_HEAP_SLOTS; at++) {
		slot = &heap->slots[at & (GASPDB_HEAP_SLOTS - 1)];
		i = atomic_load_explicit(slot, memory_order_acquire);
		if (GASPDB_UNLIKELY(!i))
			i = add(slot, key, counts_for);
		if (GASPDB_LIKELY(!i || heap->places[i].key == key))
			return i;
		n++;
	}
	return 0;
}

/* --- what a caller counts for --------------------------------------------- */

/* The index of a module, by its base. */
static uint32_t module_at(const void *base)
{
	return index_of(key_of(base, GASPDB_HEAP_RUNTIME), GASPDB_HEAP_SELF);
}

static struct gaspdb_range loader;

void gaspdb_places_begin(void)
{
	loader =
		gaspdb_loaded_module((const void *)getauxval(AT_BASE)).range;
}

/* Moves what a place has counted to the module that it counts for now. */
static void move_to(struct gaspdb_heap_place *from, uint32_t module)
{
	struct gaspdb_heap_place *to = &gaspdb_heap->places[module], moved;

	gaspdb_heap_lock(&from->lock);
	moved.blocks = from->blocks;
	moved.bytes = from->bytes;
	moved.frees = from->frees;
	moved.live_bytes = from->live_bytes;
	moved.peak_bytes = from->peak_bytes;
	moved.largest_bytes = from->largest_bytes;
	moved.failed = from->failed;
	from->blocks = from->bytes = from->frees = from->live_bytes =
		from->peak_bytes = from->failed = from->logged = 0;
	atomic_store(&from->counts_for, GASPDB_HEAP_MODULE + module);
	gaspdb_heap_unlock(&from->lock);
	gaspdb_heap_lock(&to->lock);
	to->blocks += moved.blocks;
	to->bytes += moved.bytes;
	to->frees += moved.frees;
	to->live_bytes += moved.live_bytes;
	to->failed += moved.failed;
	if (to->largest_bytes < moved.largest_bytes)
		to->largest_bytes = moved.largest_bytes;
	if (to->peak_bytes < moved.peak_bytes)
		to->peak_bytes = moved.peak_bytes;
	if (to->peak_bytes < to->live_bytes)
		to->peak_bytes = to->live_bytes;
	gaspdb_heap_unlock(&to->lock);
}

static GASPDB_COLD uint32_t classify(uint32_t i, const void *caller)
{
	struct gaspdb_heap_place *place = &gaspdb_heap->places[i];
	const struct gaspdb_heap_hooks *hooks = gaspdb_heap->hooks;
	const void *base = NULL;
	uint32_t what = GASPDB_HEAP_UNKNOWN, module;

	/* The loader may hold its lock, with its lists half changed: the
	   collector, which searches them, is not asked about it. */
	if (gaspdb_is_in(&loader, caller)) {
		base = (const void *)loader.base;
		what = GASPDB_HEAP_MODULE;
	} else if (hooks) {
		what = hooks->classify(caller, &base);
	}
	if (what < GASPDB_HEAP_ASK) {
		atomic_store(&place->counts_for, what);
		return what;
	}
	module = module_at(base);
	if (!module)
		return GASPDB_HEAP_SELF;
	if (what == GASPDB_HEAP_ASK) {
		place->module = module;
		atomic_store(&place->counts_for, GASPDB_HEAP_ASK);
		return GASPDB_HEAP_ASK;
	}
	move_to(place, module);
	return GASPDB_HEAP_MODULE + module;
}

static GASPDB_COLD uint32_t beyond(uint32_t i, const void *caller,
				   enum gaspdb_heap_call call)
{
	const struct gaspdb_heap_place *place = &gaspdb_heap->places[i];
	const struct gaspdb_heap_hooks *hooks = gaspdb_heap->hooks;
	uint32_t what = place->counts_for, other;
	const void *found;

	if (what == GASPDB_HEAP_UNKNOWN)
		what = classify(i, caller);
	if (what == GASPDB_HEAP_ASK) {
		found = hooks ? hooks->place(caller) : NULL;
		other = found ? index_of(key_of(found, call), GASPDB_HEAP_SELF)
			      : 0;
		return other ? other : place->module;
	}
	return what >= GASPDB_HEAP_MODULE ? what - GASPDB_HEAP_MODULE : i;
}

uint32_t gaspdb_place_of(const void *caller, enum gaspdb_heap_call call)
{
	const uint32_t i =
		index_of(key_of(caller, call), GASPDB_HEAP_UNKNOWN);

	return GASPDB_LIKELY(gaspdb_heap->places[i].counts_for ==
			     GASPDB_HEAP_SELF)
		       ? i
		       : (i ? beyond(i, caller, call) : 0);
}

bool gaspdb_place_may_log(const void *caller, enum gaspdb_heap_call call)
{
	const uint32_t i =
		index_of(key_of(caller, call), GASPDB_HEAP_UNKNOWN);

	return gaspdb_heap->places[i].counts_for == GASPDB_HEAP_SELF;
}

struct gaspdb_heap_place *gaspdb_place_lock(uint32_t i)
{
	struct gaspdb_heap_place *place;
	uint32_t other;

	for (;;) {
		place = &gaspdb_heap->places[i];
		gaspdb_heap_lock(&place->lock);
		other = place->counts_for;
		if (GASPDB_LIKELY(other < GASPDB_HEAP_MODULE))
			return place;
		gaspdb_heap_unlock(&place->lock);
		i = other - GASPDB_HEAP_MODULE;
	}
}
