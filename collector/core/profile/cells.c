/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of a profile, in blocks of the log. */
#include "collector/core/context.h"
#include "collector/core/emit.h"

static struct gaspdb_profile_head *head_of(const struct gaspdb_profile *p,
					   uint32_t block)
{
	return (void *)(p->block[block].map.at + GASPDB_BH_BYTES);
}

/* Whether the last block is used up; the first block's last cell is kept. */
static bool is_full(const struct gaspdb_profile *p)
{
	const uint32_t last = p->n_blocks - 1;

	return head_of(p, last)->used >=
	       GASPDB_CELLS_PER_BLOCK - (last == 0 ? 1u : 0u);
}

void *gaspdb_cell_of(const struct gaspdb_profile *p, uint32_t number)
{
	const uint32_t block = (number - 1) / GASPDB_CELLS_PER_BLOCK,
		       index = (number - 1) % GASPDB_CELLS_PER_BLOCK;

	return p->block[block].map.at + GASPDB_BH_BYTES + GASPDB_PB_BYTES +
	       (size_t)index * GASPDB_CELL_BYTES;
}

struct gaspdb_node_cell *gaspdb_node_of(const struct gaspdb_profile *p,
					uint32_t number)
{
	struct gaspdb_node_cell *cell;

	if (number > p->n_blocks * GASPDB_CELLS_PER_BLOCK)
		return NULL;
	cell = gaspdb_cell_of(p, number);
	return cell->kind == GASPDB_CELL_NODE ? cell : NULL;
}

void *gaspdb_cell_new(struct gaspdb_context *c, uint32_t *number)
{
	struct gaspdb_profile *p = c->profile;

	if (p->exhausted)
		return NULL;
	if (is_full(p) && (p->n_blocks == GASPDB_PROFILE_BLOCKS_MAX ||
			   !gaspdb_emit_profile_block(c))) {
		p->exhausted = true;
		return NULL;
	}
	*number = (p->n_blocks - 1) * GASPDB_CELLS_PER_BLOCK +
		  head_of(p, p->n_blocks - 1)->used + 1;
	return gaspdb_cell_of(p, *number);
}

void gaspdb_cell_publish(struct gaspdb_profile *p, uint32_t number)
{
	const uint32_t block = (number - 1) / GASPDB_CELLS_PER_BLOCK,
		       index = (number - 1) % GASPDB_CELLS_PER_BLOCK;
	struct gaspdb_profile_head *head = head_of(p, block);

	if (index >= head->used)
		__atomic_store_n(&head->used, index + 1, __ATOMIC_RELEASE);
}
