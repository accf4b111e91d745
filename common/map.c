/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/map.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

#define FIRST_SLOTS 64

bool gaspdb_map_widen(struct gaspdb_map *m)
{
	const struct gaspdb_map old = *m;
	const uint32_t n = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;
	struct gaspdb_map_slot *slots = reallocarray(NULL, n, sizeof *slots);

	if (!slots || n < old.n_slots) {
		free(slots);
		return false;
	}
	m->slots = slots;
	m->n_slots = n;
	for (uint32_t i = 0; i < n; i++)
		slots[i].value = GASPDB_ABSENT;
	for (uint32_t i = 0; i < old.n_slots; i++) {
		uint32_t at = (uint32_t)gaspdb_map_mix(old.slots[i].key);

		if (old.slots[i].value == GASPDB_ABSENT)
			continue;
		while (slots[at & (n - 1)].value != GASPDB_ABSENT)
			at++;
		slots[at & (n - 1)] = old.slots[i];
	}
	free(old.slots);
	return true;
}

/*
 * Removes an item: later items of the same probe sequence move into the hole.
 */
void gaspdb_map_empty(struct gaspdb_map *m, struct gaspdb_map_slot *slot)
{
	const uint32_t mask = m->n_slots - 1;
	uint32_t hole = (uint32_t)(slot - m->slots), i;

	m->n--;
	for (i = (hole + 1) & mask; m->slots[i].value != GASPDB_ABSENT;
	     i = (i + 1) & mask) {
		uint32_t home =
			(uint32_t)gaspdb_map_mix(m->slots[i].key) & mask;

		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		m->slots[hole] = m->slots[i];
		hole = i;
	}
	m->slots[hole].value = GASPDB_ABSENT;
}

/* Clears in time proportional to the contents: a large, nearly empty table is
   freed. */
void gaspdb_map_clear(struct gaspdb_map *m)
{
	if (m->n_slots > FIRST_SLOTS && m->n < m->n_slots / 16) {
		gaspdb_map_free(m);
		return;
	}
	for (uint32_t i = 0; m->n && i < m->n_slots; i++)
		m->slots[i].value = GASPDB_ABSENT;
	m->n = 0;
}

void gaspdb_map_free(struct gaspdb_map *m)
{
	free(m->slots);
	memset(m, 0, sizeof *m);
}

/* --- numbers -------------------------------------------------------------- */

uint32_t gaspdb_map_get(const struct gaspdb_map *m, uint64_t key)
{
	return gaspdb_map_find(m, key, NULL, NULL, NULL);
}

void gaspdb_map_expect(const struct gaspdb_map *m, uint64_t key)
{
	if (m->n)
		__builtin_prefetch(&m->slots[(uint32_t)gaspdb_map_mix(key) &
					     (m->n_slots - 1)]);
}

void gaspdb_map_need(struct gaspdb_map *m)
{
	if (!gaspdb_map_reserve(m))
		gaspdb_mem_none();
}

void gaspdb_map_put(struct gaspdb_map *m, uint64_t key, uint32_t value)
{
	*gaspdb_map_place(m, key) = value;
}

void gaspdb_map_remove(struct gaspdb_map *m, uint64_t key)
{
	struct gaspdb_map_slot *slot;

	if (!m->n)
		return;
	slot = gaspdb_map_item(m, key, NULL, NULL, NULL);
	if (slot->value != GASPDB_ABSENT)
		gaspdb_map_empty(m, slot);
}

/* --- names ---------------------------------------------------------------- */

static uint64_t hash_bytes(const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t h = n, word;

	for (; n >= 8; p += 8, n -= 8) {
		memcpy(&word, p, 8);
		h = (h ^ word) * 0xd6e8feb86659fd93u;
		h ^= h >> 32;
	}
	word = 0;
	if (n > 0)
		memcpy(&word, p, n);
	return h ^ word;
}

static bool is_name(const void *array, uint32_t item, const void *key)
{
	const struct gaspdb_name *a = (const struct gaspdb_name *)array + item;
	const struct gaspdb_name *b = key;

	return a->length == b->length && !memcmp(a->bytes, b->bytes, b->length);
}

uint32_t gaspdb_names_find(const struct gaspdb_names *m, const void *bytes,
			   size_t n)
{
	const struct gaspdb_name key = { n, (char *)(uintptr_t)bytes };

	return gaspdb_map_find(&m->index, hash_bytes(bytes, n), is_name,
			       m->names, &key);
}

uint32_t gaspdb_names_add(struct gaspdb_names *m, const void *bytes, size_t n,
			  bool *added)
{
	const struct gaspdb_name key = { n, (char *)(uintptr_t)bytes };
	const uint64_t hash = hash_bytes(bytes, n);
	struct gaspdb_map_slot *slot;
	struct gaspdb_name *name;

	gaspdb_map_need(&m->index);
	slot = gaspdb_map_item(&m->index, hash, is_name, m->names, &key);
	if (added)
		*added = slot->value == GASPDB_ABSENT;
	if (slot->value != GASPDB_ABSENT)
		return slot->value;
	m->names = gaspdb_mem_grow(m->names, &m->capacity, m->n + 1,
				   sizeof *m->names);
	name = &m->names[m->n];
	name->length = n;
	name->bytes = gaspdb_mem_alloc(n + 1);
	if (n > 0)
		memcpy(name->bytes, bytes, n);
	gaspdb_map_fill(&m->index, slot, hash, m->n);
	return m->n++;
}

void gaspdb_names_free(struct gaspdb_names *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		free(m->names[i].bytes);
	free(m->names);
	gaspdb_map_free(&m->index);
	memset(m, 0, sizeof *m);
}
