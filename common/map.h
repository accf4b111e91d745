/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hash table with open addressing and linear probing; at most half of the slots
 * are used. A gaspdb_map maps numbers to numbers. With a comparison, values are
 * indices of items in an array, keys are hashes, and items with equal hashes
 * are distinguished by the comparison. A gaspdb_names interns byte strings to
 * numbers, from 0 in the order of insertion.
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
/* Makes room for one more item; false: no memory. */
bool gaspdb_map_widen(struct gaspdb_map *m);
/* Frees a slot; pointers to other slots become invalid. */
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

/* Does the item of an array have the key? */
typedef bool (*gaspdb_map_is)(const void *array, uint32_t item,
			      const void *key);

/* Slot of an item, or the free slot for it; the table must have slots. */
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

/* Index of an item; GASPDB_ABSENT: none. */
static inline __attribute__((always_inline)) uint32_t
gaspdb_map_find(const struct gaspdb_map *m, uint64_t hash, gaspdb_map_is is,
		const void *array, const void *key)
{
	return m->n ? gaspdb_map_item(m, hash, is, array, key)->value
		    : GASPDB_ABSENT;
}

/* Fills a free slot. */
static inline void gaspdb_map_fill(struct gaspdb_map *m,
				   struct gaspdb_map_slot *slot, uint64_t hash,
				   uint32_t item)
{
	*slot = (struct gaspdb_map_slot){ hash, item };
	m->n++;
}

/* --- numbers; without memory the import ends (common/memory.h) ------------ */

/* Look-up; GASPDB_ABSENT: not there. */
uint32_t gaspdb_map_get(const struct gaspdb_map *m, uint64_t key);
/* Prefetches the slot of a key. */
void gaspdb_map_expect(const struct gaspdb_map *m, uint64_t key);

/* gaspdb_map_reserve(), out of line. */
void gaspdb_map_need(struct gaspdb_map *m);
/* Place of a key's value, valid until the map changes. GASPDB_ABSENT: a new
   key, whose value the caller must set. */
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
		char *bytes; /* NUL-terminated */
	} * names;
	size_t capacity;
};

void gaspdb_names_free(struct gaspdb_names *m);
/*
 * Number of a byte string, added if new; *added (may be NULL): whether it was.
 */
uint32_t gaspdb_names_add(struct gaspdb_names *m, const void *bytes, size_t n,
			  bool *added);
/* Look-up; GASPDB_ABSENT: not there. */
uint32_t gaspdb_names_find(const struct gaspdb_names *m, const void *bytes,
			   size_t n);

#endif
