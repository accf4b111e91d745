/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Live blocks: memory blocks that are allocated at a time, by address. */
#ifndef GASPDB_ANALYSIS_ACCESS_LIVE_BLOCKS_H
#define GASPDB_ANALYSIS_ACCESS_LIVE_BLOCKS_H

#include "analysis/engine/run.h"

struct gaspdb_block {
	int64_t domain; /* scope of the key: a process; -1: all */
	int64_t key;	/* event.object */
	int64_t thread, source, event; /* of its allocation */
	int64_t bytes;
	/* UPC blocks, distributed cyclically over the threads: n_parts of
	   part_bytes; otherwise 0. */
	int64_t n_parts, part_bytes;
	uint32_t next; /* in the free list: index + 1 */
	bool live;
};

struct gaspdb_live_blocks {
	struct gaspdb_block *blocks; /* in no order; some not live */
	size_t n, room;
	uint32_t unused; /* free list: index + 1; 0: empty */
	struct gaspdb_map index;
};

void gaspdb_blocks_fini(struct gaspdb_live_blocks *b);
/* The live block of a key; NULL: none. */
struct gaspdb_block *gaspdb_blocks_find(const struct gaspdb_live_blocks *b,
					int64_t domain, int64_t key);
/* Add a copy of a block that is not live. */
void gaspdb_blocks_add(struct gaspdb_run *run, struct gaspdb_live_blocks *b,
		       const struct gaspdb_block *block);
void gaspdb_blocks_remove(struct gaspdb_live_blocks *b,
			  struct gaspdb_block *block);

#endif
