/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: an index for each caller, without a lock.  What a runtime, libc or
 * the loader allocates counts for its module; what a library allocates for the
 * program counts for the program's place.
 */
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

#include "collector/base/loaded_module.h"
#include "collector/base/pages.h"
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

#define NAMES	   1024
#define NAME_BYTES (256u << 10)

/* Paths of modules, which outlast them: plugins come and go. */
static struct {
	atomic_uint lock;
	unsigned n;
	const char *names[NAMES];
	char *text;
	size_t used;
} paths;

/* The lock is held. */
static const char *keep(const char *path)
{
	const size_t n = strlen(path) + 1;
	char *copy;

	if (!paths.text)
		paths.text = gaspdb_pages(NAME_BYTES);
	if (!paths.text || paths.n == NAMES || paths.used + n > NAME_BYTES)
		return NULL;
	copy = memcpy(paths.text + paths.used, path, n);
	paths.used += n;
	return paths.names[paths.n++] = copy;
}

/* A copy of the path, the same one each time; NULL: no room. */
static const char *intern(const char *path)
{
	const char *found = NULL;

	gaspdb_heap_lock(&paths.lock);
	for (unsigned i = 0; i < paths.n && !found; i++)
		if (!strcmp(paths.names[i], path))
			found = paths.names[i];
	if (!found)
		found = keep(path);
	gaspdb_heap_unlock(&paths.lock);
	return found;
}

/* The index of the module of an address; 0: none. */
static uint32_t module_at(const void *address)
{
	const char *path = gaspdb_loaded_module(address).path;

	if (path)
		path = intern(*path ? path : program_invocation_name);
	return path ? index_of(key_of(path, GASPDB_HEAP_RUNTIME),
			       GASPDB_HEAP_SELF)
		    : 0;
}

static struct gaspdb_range loader;

void gaspdb_places_begin(void)
{
	loader = gaspdb_loaded_module((const void *)getauxval(AT_BASE)).range;
}

/* The index for a caller of which the collector, which is not there yet, cannot
   be asked: a library's is its module, until then. */
static uint32_t early_index(uint32_t i, const void *caller)
{
	struct gaspdb_heap_place *place = &gaspdb_heap->places[i];
	const char *path;

	if (!place->module) {
		path = gaspdb_loaded_module(caller).path;
		place->module = path && *path ? module_at(caller) : i;
	}
	return place->module ? place->module : i;
}

/* Finds out what a caller counts for. */
static GASPDB_COLD uint32_t classify(uint32_t i, const void *caller)
{
	struct gaspdb_heap_place *place = &gaspdb_heap->places[i];
	const struct gaspdb_heap_hooks *hooks = gaspdb_heap->hooks;
	uint32_t what = GASPDB_HEAP_MODULE;

	/* The loader may hold its lock, with its lists half changed: the
	   collector, which searches them, is not asked about it. */
	if (!gaspdb_is_in(&loader, caller)) {
		if (!hooks)
			return GASPDB_HEAP_UNKNOWN;
		what = hooks->classify(caller);
	}
	if (what != GASPDB_HEAP_SELF)
		place->module = module_at(caller);
	if (what == GASPDB_HEAP_MODULE)
		what += place->module;
	atomic_store(&place->counts_for, what);
	return what;
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
	if (what == GASPDB_HEAP_UNKNOWN)
		return early_index(i, caller);
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
	const uint32_t i = index_of(key_of(caller, call), GASPDB_HEAP_UNKNOWN);

	return GASPDB_LIKELY(gaspdb_heap->places[i].counts_for ==
			     GASPDB_HEAP_SELF)
		       ? i
		       : (i ? beyond(i, caller, call) : 0);
}

bool gaspdb_place_may_log(const void *caller, enum gaspdb_heap_call call)
{
	const uint32_t i = index_of(key_of(caller, call), GASPDB_HEAP_UNKNOWN);

	return gaspdb_heap->places[i].counts_for == GASPDB_HEAP_SELF;
}
