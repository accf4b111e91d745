/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table with chains: most blocks go soon after they came. */
#include "analysis/access/live_blocks.h"

#include <stdlib.h>
#include <string.h>

void gaspdb_blocks_fini(struct gaspdb_live_blocks *b)
{
	free(b->blocks);
	free(b->slots);
	memset(b, 0, sizeof *b);
}

static uint32_t *slot_of(const struct gaspdb_live_blocks *b, int64_t domain,
			 int64_t key)
{
	uint64_t hash = ((uint64_t)key >> 3) * 0x9e3779b97f4a7c15u;

	hash = (hash ^ hash >> 32 ^ (uint64_t)domain) * 0xd6e8feb86659fd93u;
	return &b->slots[(hash ^ hash >> 32) & (b->n_slots - 1)];
}

struct gaspdb_block *gaspdb_blocks_find(const struct gaspdb_live_blocks *b,
					int64_t domain, int64_t key)
{
	uint32_t i = b->n_slots ? *slot_of(b, domain, key) : 0;

	while (i && (b->blocks[i - 1].domain != domain ||
		     b->blocks[i - 1].key != key))
		i = b->blocks[i - 1].next;
	return i ? &b->blocks[i - 1] : NULL;
}

static bool more_slots(struct gaspdb_run *run, struct gaspdb_live_blocks *b)
{
	const size_t n = b->n_slots ? 2 * b->n_slots : 256;
	uint32_t *slots = gaspdb_zeroed(run, n, sizeof *slots);

	if (!slots)
		return false;
	free(b->slots);
	b->slots = slots;
	b->n_slots = n;
	for (size_t i = 0; i < b->n; i++) {
		struct gaspdb_block *x = &b->blocks[i];

		if (x->live) {
			uint32_t *slot = slot_of(b, x->domain, x->key);

			x->next = *slot;
			*slot = (uint32_t)i + 1;
		}
	}
	return true;
}

void gaspdb_blocks_add(struct gaspdb_run *run, struct gaspdb_live_blocks *b,
		       const struct gaspdb_block *block)
{
	uint32_t i = b->unused, *slot;

	if (b->n_live >= b->n_slots && !more_slots(run, b))
		return;
	if (i) {
		b->unused = b->blocks[i - 1].next;
	} else {
		if (b->n == UINT32_MAX - 1 ||
		    !gaspdb_grow(run, &b->blocks, b->n, &b->room,
				 sizeof *b->blocks))
			return;
		i = (uint32_t)++b->n;
	}
	slot = slot_of(b, block->domain, block->key);
	b->blocks[i - 1] = *block;
	b->blocks[i - 1].live = true;
	b->blocks[i - 1].next = *slot;
	*slot = i;
	b->n_live++;
}

void gaspdb_blocks_remove(struct gaspdb_live_blocks *b,
			  struct gaspdb_block *block)
{
	const uint32_t i = (uint32_t)(block - b->blocks) + 1;
	uint32_t *at = slot_of(b, block->domain, block->key);

	while (*at != i)
		at = &b->blocks[*at - 1].next;
	*at = block->next;
	block->live = false;
	block->next = b->unused;
	b->unused = i;
	b->n_live--;
}
