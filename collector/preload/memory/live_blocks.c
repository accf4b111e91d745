/* SPDX-License-Identifier: BSD-2-Clause */
/* Live blocks: hash tables by address, sharded, with linear probing. */
#include <string.h>

#include "collector/base/pages.h"
#include "collector/preload/memory/memory.h"

#define SHARDS	    64
#define FIRST_SLOTS 256 /* a power of two */

/* 16 bits of place in the address's unused ones would be less portable. */
#define PLACE_BITS 17
#define BYTES_MAX  (UINT64_MAX >> PLACE_BITS)

_Static_assert(GASPDB_HEAP_PLACES < 1u << PLACE_BITS, "an index fits");

struct slot {
	uint64_t address; /* 0: free */
	uint64_t what;	  /* bytes, place */
};

struct shard {
	_Alignas(64) atomic_uint lock;
	uint32_t used, n; /* n: slots, a power of two */
	struct slot *slots;
};

static struct shard *shards;

bool gaspdb_live_make(void)
{
	shards = gaspdb_pages(SHARDS * sizeof *shards);
	return shards != NULL;
}

/* Blocks are aligned to 16 bytes. */
static inline uint64_t hash_of(uint64_t address)
{
	return (address >> 4) * 0x9e3779b97f4a7c15u;
}

static inline struct shard *shard_of(uint64_t hash)
{
	return &shards[hash >> 58];
}

static inline uint32_t first_slot(const struct shard *s, uint64_t hash)
{
	return (uint32_t)(hash >> 26) & (s->n - 1);
}

/* The slot of an address, or the free one where it belongs. */
static inline struct slot *find(const struct shard *s, uint64_t hash,
				uint64_t address)
{
	uint32_t i = first_slot(s, hash);

	while (s->slots[i].address && s->slots[i].address != address)
		i = (i + 1) & (s->n - 1);
	return &s->slots[i];
}

/* Doubles the table; false: no memory. */
static GASPDB_COLD bool grow(struct shard *s)
{
	const struct shard old = { .n = s->n, .slots = s->slots };
	struct slot *slots;

	s->n = old.n ? 2 * old.n : FIRST_SLOTS;
	slots = gaspdb_pages(s->n * sizeof *slots);
	if (!slots) {
		s->n = old.n;
		return false;
	}
	s->slots = slots;
	for (uint32_t i = 0; i < old.n; i++)
		if (old.slots[i].address)
			*find(s, hash_of(old.slots[i].address),
			      old.slots[i].address) = old.slots[i];
	if (old.slots)
		munmap(old.slots, old.n * sizeof *old.slots);
	return true;
}

static inline struct gaspdb_live_block block_of(const struct slot *slot)
{
	return (struct gaspdb_live_block){
		slot->what >> PLACE_BITS,
		(uint32_t)(slot->what & ((1u << PLACE_BITS) - 1))
	};
}

struct gaspdb_live_block gaspdb_live_add(const void *address, uint64_t bytes,
					 uint32_t place)
{
	const uint64_t key = (uintptr_t)address, hash = hash_of(key);
	struct shard *s = shard_of(hash);
	struct gaspdb_live_block before = { 0, 0 };
	struct slot *slot;

	if (bytes > BYTES_MAX)
		bytes = BYTES_MAX;
	gaspdb_heap_lock(&s->lock);
	if (GASPDB_LIKELY(4 * (s->used + 1) <= 3 * s->n) || grow(s) ||
	    s->used + 1 < s->n) {
		slot = find(s, hash, key);
		if (slot->address)
			before = block_of(slot);
		else
			s->used++;
		*slot = (struct slot){ key, bytes << PLACE_BITS | place };
	} else {
		atomic_fetch_add_explicit(&gaspdb_heap->uncounted, 1,
					  memory_order_relaxed);
	}
	gaspdb_heap_unlock(&s->lock);
	return before;
}

/* Frees a slot, and moves those behind it that were displaced by it. */
static inline void vacate(struct shard *s, struct slot *slot)
{
	uint32_t hole = (uint32_t)(slot - s->slots), i = hole, home;

	for (;;) {
		i = (i + 1) & (s->n - 1);
		if (!s->slots[i].address)
			break;
		home = first_slot(s, hash_of(s->slots[i].address));
		if (((i - home) & (s->n - 1)) >= ((i - hole) & (s->n - 1))) {
			s->slots[hole] = s->slots[i];
			hole = i;
		}
	}
	s->slots[hole].address = 0;
	s->used--;
}

struct gaspdb_live_block gaspdb_live_remove(const void *address)
{
	const uint64_t key = (uintptr_t)address, hash = hash_of(key);
	struct shard *s = shard_of(hash);
	struct gaspdb_live_block block = { 0, 0 };
	struct slot *slot;

	gaspdb_heap_lock(&s->lock);
	if (s->n) {
		slot = find(s, hash, key);
		if (slot->address) {
			block = block_of(slot);
			vacate(s, slot);
		}
	}
	gaspdb_heap_unlock(&s->lock);
	return block;
}
