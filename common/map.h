/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hash table with open addressing and linear probing; at most half of the slots
 * are used.  A gaspdb_map holds a number under a number.  With a comparison,
 * numbers are those of items of an array, the key is a hash of an item's key,
 * and items with the same hash are told apart.  A gaspdb_names gives equal byte
 * strings one number, from 0 in order of first sight.
 */
#ifndef GASPDB_COMMON_MAP_H
#define GASPDB_COMMON_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GASPDB_ABSENT UINT32_MAX /* no such index */

struct gaspdb_map {
	struct gaspdb_map_slot {
		uint64_t key;
		uint32_t value; /* GASPDB_ABSENT: free */
	} * slots;
	uint32_t n_slots, n;
};

void gaspdb_map_free(struct gaspdb_map *m);
void gaspdb_map_clear(struct gaspdb_map *m);
/* Room for one more; false: no memory. */
bool gaspdb_map_widen(struct gaspdb_map *m);
/* The slot becomes free: a borrowed one is another then. */
void gaspdb_map_empty(struct gaspdb_map *m, struct gaspdb_map_slot *slot);

static inline uint64_t gaspdb_map_mix(uint64_t h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

static inline bool gaspdb_map_reserve(struct gaspdb_map *m)
{
	return m->n < m->n_slots / 2 || gaspdb_map_widen(m);
}

/* Is that item of an array the one with the key? */
typedef bool (*gaspdb_map_is)(const void *array, uint32_t item,
			      const void *key);

/* The slot of an item, or the free one where it would be; there are slots. */
static inline __attribute__((always_inline)) struct gaspdb_map_slot *
gaspdb_map_item(const struct gaspdb_map *m, uint64_t hash, gaspdb_map_is is,
		const void *array, const void *key)
{
	uint32_t i = (uint32_t)gaspdb_map_mix(hash) & (m->n_slots - 1);

	while (m->slots[i].value != GASPDB_ABSENT &&
	       (m->slots[i].key != hash ||
		(is && !is(array, m->slots[i].value, key))))
		i = (i + 1) & (m->n_slots - 1);
	return &m->slots[i];
}

/* The number of an item; GASPDB_ABSENT: it is not there. */
static inline __attribute__((always_inline)) uint32_t
gaspdb_map_find(const struct gaspdb_map *m, uint64_t hash, gaspdb_map_is is,
		const void *array, const void *key)
{
	return m->n ? gaspdb_map_item(m, hash, is, array, key)->value
		    : GASPDB_ABSENT;
}

/* A free slot, of which there is one, is filled. */
static inline void gaspdb_map_fill(struct gaspdb_map *m,
				   struct gaspdb_map_slot *slot, uint64_t hash,
				   uint32_t item)
{
	*slot = (struct gaspdb_map_slot){ hash, item };
	m->n++;
}

/* --- numbers; without memory the import ends (common/memory.h) ------------ */

/* GASPDB_ABSENT: not there. */
uint32_t gaspdb_map_get(const struct gaspdb_map *m, uint64_t key);
/* The key will be asked for: where it would be is fetched. */
void gaspdb_map_expect(const struct gaspdb_map *m, uint64_t key);

/* gaspdb_map_reserve(), out of the way of maps that have room. */
void gaspdb_map_need(struct gaspdb_map *m);
/* Where a key's value is, until the map changes.  GASPDB_ABSENT: the key is
   new, and its value is to be put there. */
static inline uint32_t *gaspdb_map_place(struct gaspdb_map *m, uint64_t key)
{
	struct gaspdb_map_slot *slot;

	if (m->n >= m->n_slots / 2)
		gaspdb_map_need(m);
	slot = gaspdb_map_item(m, key, NULL, NULL, NULL);
	m->n += slot->value == GASPDB_ABSENT;
	slot->key = key;
	return &slot->value;
}
void gaspdb_map_put(struct gaspdb_map *m, uint64_t key, uint32_t value);
void gaspdb_map_remove(struct gaspdb_map *m, uint64_t key);

/* --- names ---------------------------------------------------------------- */

struct gaspdb_names {
	struct gaspdb_map index;
	uint32_t n;
	struct gaspdb_name {
		size_t length;
		char *bytes; /* and a NUL */
	} * names;
	size_t capacity;
};

void gaspdb_names_free(struct gaspdb_names *m);
/* The number of bytes; added if new, which *added (NULL allowed) says. */
uint32_t gaspdb_names_add(struct gaspdb_names *m, const void *bytes, size_t n,
			  bool *added);
/* GASPDB_ABSENT: not there. */
uint32_t gaspdb_names_find(const struct gaspdb_names *m, const void *bytes,
			   size_t n);

#endif
