/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Array of blocks with a hash index and a free list: most blocks are freed soon
   after their allocation. */
#include "analysis/access/live_blocks.h"

#include <stdlib.h>
#include <string.h>

void gaspdb_blocks_fini(struct gaspdb_live_blocks *b)
{
	free(b->blocks);
	gaspdb_map_free(&b->index);
	memset(b, 0, sizeof *b);
}

static uint64_t hash(int64_t domain, int64_t key)
{
	return ((uint64_t)key >> 3) * 0x9e3779b97f4a7c15u ^ (uint64_t)domain;
}

static bool is_block(const void *blocks, uint32_t item, const void *key)
{
	const struct gaspdb_block *a =
		(const struct gaspdb_block *)blocks + item;
	const int64_t *b = key;

	return a->domain == b[0] && a->key == b[1];
}

struct gaspdb_block *gaspdb_blocks_find(const struct gaspdb_live_blocks *b,
					int64_t domain, int64_t key)
{
	const uint32_t i =
		gaspdb_map_find(&b->index, hash(domain, key), is_block,
				b->blocks, (int64_t[]){ domain, key });

	return i == GASPDB_ABSENT ? NULL : &b->blocks[i];
}

static struct gaspdb_map_slot *slot_of(const struct gaspdb_live_blocks *b,
				       const struct gaspdb_block *block)
{
	return gaspdb_map_item(&b->index, hash(block->domain, block->key),
			       is_block, b->blocks,
			       (int64_t[]){ block->domain, block->key });
}

void gaspdb_blocks_add(struct gaspdb_run *run, struct gaspdb_live_blocks *b,
		       const struct gaspdb_block *block)
{
	uint32_t i = b->unused;

	if (!gaspdb_map_grow(run, &b->index))
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
	b->blocks[i - 1] = *block;
	b->blocks[i - 1].live = true;
	gaspdb_map_fill(&b->index, slot_of(b, block),
			hash(block->domain, block->key), i - 1);
}

void gaspdb_blocks_remove(struct gaspdb_live_blocks *b,
			  struct gaspdb_block *block)
{
	gaspdb_map_empty(&b->index, slot_of(b, block));
	block->live = false;
	block->next = b->unused;
	b->unused = (uint32_t)(block - b->blocks) + 1;
}
