/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two hash tables.  A gaspdb_names gives equal byte strings one number, from 0
 * in order of first sight; a gaspdb_map holds a number under a number.
 */
#ifndef GASPDB_IMPORTER_RUN_MAP_H
#define GASPDB_IMPORTER_RUN_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GASPDB_ABSENT UINT32_MAX /* no such index */

struct gaspdb_names {
	uint32_t *slots; /* index + 1; 0: free */
	uint32_t n_slots, n;
	struct gaspdb_name {
		uint64_t hash;
		size_t length;
		char *bytes; /* and a NUL */
	} * names;
	size_t capacity;
};

void gaspdb_names_free(struct gaspdb_names *m);
/* The number of bytes; added if new, which *added (NULL allowed) tells. */
uint32_t gaspdb_names_add(struct gaspdb_names *m, const void *bytes, size_t n,
			  bool *added);
/* GASPDB_ABSENT: not there. */
uint32_t gaspdb_names_find(const struct gaspdb_names *m, const void *bytes,
			   size_t n);

struct gaspdb_map {
	struct gaspdb_map_slot {
		uint64_t key;
		uint32_t value; /* GASPDB_ABSENT: free */
	} * slots;
	uint32_t n_slots, n;
};

void gaspdb_map_free(struct gaspdb_map *m);
void gaspdb_map_clear(struct gaspdb_map *m);
/* GASPDB_ABSENT: not there. */
uint32_t gaspdb_map_get(const struct gaspdb_map *m, uint64_t key);
/* The key will be asked for: where it would be is fetched. */
void gaspdb_map_expect(const struct gaspdb_map *m, uint64_t key);

static inline uint64_t gaspdb_map_mix(uint64_t h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

/* The slot of key, or the free one where it would be; there are slots. */
static inline uint32_t gaspdb_map_slot(const struct gaspdb_map *m, uint64_t key)
{
	uint32_t i = (uint32_t)gaspdb_map_mix(key) & (m->n_slots - 1);

	while (m->slots[i].value != GASPDB_ABSENT && m->slots[i].key != key)
		i = (i + 1) & (m->n_slots - 1);
	return i;
}

/* Part of gaspdb_map_place(): more slots. */
void gaspdb_map_widen(struct gaspdb_map *m);
/* Where a key's value is, until the map changes.  GASPDB_ABSENT: the key is
   new, and its value is to be put there. */
static inline uint32_t *gaspdb_map_place(struct gaspdb_map *m, uint64_t key)
{
	struct gaspdb_map_slot *slot;

	if (m->n >= m->n_slots / 2)
		gaspdb_map_widen(m);
	slot = &m->slots[gaspdb_map_slot(m, key)];
	m->n += slot->value == GASPDB_ABSENT;
	slot->key = key;
	return &slot->value;
}
void gaspdb_map_put(struct gaspdb_map *m, uint64_t key, uint32_t value);
void gaspdb_map_remove(struct gaspdb_map *m, uint64_t key);

#endif
