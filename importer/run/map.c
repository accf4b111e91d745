/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing; at most half of the slots are used. */
#include "importer/run/map.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

#define FIRST_SLOTS 64

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
	return gaspdb_map_mix(h ^ word);
}

static uint32_t *name_slot(const struct gaspdb_names *m, uint64_t hash,
			   const void *bytes, size_t n)
{
	for (uint64_t i = hash;; i++) {
		uint32_t *slot = &m->slots[i & (m->n_slots - 1)];
		const struct gaspdb_name *name;

		if (!*slot)
			return slot;
		name = &m->names[*slot - 1];
		if (name->hash == hash && name->length == n &&
		    !memcmp(name->bytes, bytes, n))
			return slot;
	}
}

static void more_name_slots(struct gaspdb_names *m)
{
	uint32_t n = m->n_slots ? m->n_slots * 2 : FIRST_SLOTS;
	uint32_t *slots = gaspdb_mem_alloc(n * sizeof *slots);

	free(m->slots);
	m->slots = slots;
	m->n_slots = n;
	for (uint32_t i = 0; i < m->n; i++) {
		uint64_t at = m->names[i].hash;

		while (m->slots[at & (m->n_slots - 1)])
			at++;
		m->slots[at & (m->n_slots - 1)] = i + 1;
	}
}

uint32_t gaspdb_names_find(const struct gaspdb_names *m, const void *bytes,
			   size_t n)
{
	if (!m->n_slots)
		return GASPDB_ABSENT;
	return *name_slot(m, hash_bytes(bytes, n), bytes, n) - 1;
}

uint32_t gaspdb_names_add(struct gaspdb_names *m, const void *bytes, size_t n,
			  bool *added)
{
	uint64_t hash = hash_bytes(bytes, n);
	struct gaspdb_name *name;
	uint32_t *slot;

	if (m->n >= m->n_slots / 2)
		more_name_slots(m);
	slot = name_slot(m, hash, bytes, n);
	if (added)
		*added = !*slot;
	if (*slot)
		return *slot - 1;
	m->names = gaspdb_mem_grow(m->names, &m->capacity, m->n + 1,
				   sizeof *m->names);
	name = &m->names[m->n];
	name->hash = hash;
	name->length = n;
	name->bytes = gaspdb_mem_alloc(n + 1);
	if (n > 0)
		memcpy(name->bytes, bytes, n);
	*slot = ++m->n;
	return m->n - 1;
}

void gaspdb_names_free(struct gaspdb_names *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		free(m->names[i].bytes);
	free(m->names);
	free(m->slots);
	memset(m, 0, sizeof *m);
}

/* --- numbers -------------------------------------------------------------- */

void gaspdb_map_widen(struct gaspdb_map *m)
{
	struct gaspdb_map old = *m;
	uint32_t n = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;

	m->slots = gaspdb_mem_alloc(n * sizeof *m->slots);
	m->n_slots = n;
	for (uint32_t i = 0; i < m->n_slots; i++)
		m->slots[i].value = GASPDB_ABSENT;
	for (uint32_t i = 0; i < old.n_slots; i++)
		if (old.slots[i].value != GASPDB_ABSENT)
			m->slots[gaspdb_map_slot(m, old.slots[i].key)] =
				old.slots[i];
	free(old.slots);
}

uint32_t gaspdb_map_get(const struct gaspdb_map *m, uint64_t key)
{
	return m->n ? m->slots[gaspdb_map_slot(m, key)].value : GASPDB_ABSENT;
}

void gaspdb_map_expect(const struct gaspdb_map *m, uint64_t key)
{
	if (m->n)
		__builtin_prefetch(&m->slots[(uint32_t)gaspdb_map_mix(key) &
					     (m->n_slots - 1)]);
}

void gaspdb_map_put(struct gaspdb_map *m, uint64_t key, uint32_t value)
{
	*gaspdb_map_place(m, key) = value;
}

/* Those behind the hole that belong before it move into it. */
void gaspdb_map_remove(struct gaspdb_map *m, uint64_t key)
{
	uint32_t mask = m->n_slots - 1, hole, i;

	if (!m->n)
		return;
	hole = gaspdb_map_slot(m, key);
	if (m->slots[hole].value == GASPDB_ABSENT)
		return;
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

/* In time of what was in it: one that was large once does not stay so. */
void gaspdb_map_clear(struct gaspdb_map *m)
{
	if (m->n_slots > FIRST_SLOTS && m->n < m->n_slots / 16) {
		gaspdb_map_free(m);
		return;
	}
	for (uint32_t i = 0; i < m->n_slots; i++)
		m->slots[i].value = GASPDB_ABSENT;
	m->n = 0;
}

void gaspdb_map_free(struct gaspdb_map *m)
{
	free(m->slots);
	memset(m, 0, sizeof *m);
}
