/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in source text: an array that never moves, and a hash table of the
   numbers in it. */
#include "collector/core/python/source_places.h"

#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/lock.h"

#define TEXT_CHUNK (64u << 10)
#define INDEX_SIZE (2 * GASPDB_SOURCE_PLACES_MAX)

_Atomic(struct gaspdb_source_place *) gaspdb_source_places;

static struct {
	struct gaspdb_lock lock;
	struct gaspdb_source_place *place;
	uint32_t *index; /* numbers from 1; 0: free */
	uint32_t n;
	char *text; /* free bytes of the last chunk */
	size_t text_left;
} all;

static bool has_memory(void)
{
	const size_t bytes = GASPDB_SOURCE_PLACES_MAX * sizeof *all.place;

	if (all.place)
		return true;
	all.index = gaspdb_pages(bytes + INDEX_SIZE * sizeof *all.index);
	if (!all.index)
		return false;
	all.place = (struct gaspdb_source_place *)(all.index + INDEX_SIZE);
	atomic_store_explicit(&gaspdb_source_places, all.place,
			      memory_order_release);
	return true;
}

static uint64_t hash_of(const char *file, const char *function, uint64_t line)
{
	uint64_t h = line;

	for (; *file; file++)
		h = gaspdb_mix(h + (unsigned char)*file, 1);
	for (; *function; function++)
		h = gaspdb_mix(h + (unsigned char)*function, 2);
	return h;
}

/* The index's entry of a place; 0 in it: there is none yet. */
static uint32_t *find(const char *file, const char *function, uint64_t line)
{
	uint64_t at = hash_of(file, function, line);

	for (;; at++) {
		uint32_t *i = &all.index[at & (INDEX_SIZE - 1)];
		const struct gaspdb_source_place *p = &all.place[*i - 1];

		if (!*i || (p->line == line && !strcmp(p->file, file) &&
			    !strcmp(p->function, function)))
			return i;
	}
}

/* A copy of a text, shorter than a chunk; NULL: no memory. */
static const char *copy(const char *text)
{
	const size_t n = strlen(text) + 1;
	char *to;

	if (all.text_left < n) {
		all.text = gaspdb_pages(TEXT_CHUNK);
		all.text_left = all.text ? TEXT_CHUNK : 0;
		if (!all.text)
			return NULL;
	}
	to = memcpy(all.text, text, n);
	all.text += n;
	all.text_left -= n;
	return to;
}

static const struct gaspdb_source_place *
add(const char *file, const char *function, uint64_t line)
{
	struct gaspdb_source_place *p;
	uint32_t *i;

	if (!has_memory())
		return NULL;
	i = find(file, function, line);
	if (*i)
		return &all.place[*i - 1];
	if (all.n == GASPDB_SOURCE_PLACES_MAX)
		return NULL;
	p = &all.place[all.n];
	*p = (struct gaspdb_source_place){ copy(file), copy(function), line };
	if (!p->file || !p->function)
		return NULL;
	*i = ++all.n;
	return p;
}

const struct gaspdb_source_place *
gaspdb_source_place_add(const char *file, const char *function, uint64_t line)
{
	const struct gaspdb_source_place *p;

	if (!gaspdb_lock_enter(&all.lock))
		return NULL;
	p = add(file, function, line);
	gaspdb_lock_leave(&all.lock);
	return p;
}
