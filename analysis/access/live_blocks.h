/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of memory that are allocated at a moment, by address. */
#ifndef GASPDB_ANALYSIS_ACCESS_LIVE_BLOCKS_H
#define GASPDB_ANALYSIS_ACCESS_LIVE_BLOCKS_H

#include "analysis/engine/run.h"

struct gaspdb_block {
	int64_t domain; /* in which the key names it: a process; -1: all */
	int64_t key;	/* event.object */
	int64_t thread, source, event; /* that allocated it */
	int64_t bytes;
	/* Of shared memory that lies with all threads in turn, n_parts of
	   part_bytes; else 0. */
	int64_t n_parts, part_bytes;
	uint32_t next; /* of the unused: index + 1 */
	bool live;
};

struct gaspdb_live_blocks {
	struct gaspdb_block *blocks; /* in no order; some not live */
	size_t n, room;
	uint32_t unused; /* index + 1; 0: none */
	struct gaspdb_map index;
};

void gaspdb_blocks_fini(struct gaspdb_live_blocks *b);
/* NULL: there is none. */
struct gaspdb_block *gaspdb_blocks_find(const struct gaspdb_live_blocks *b,
					int64_t domain, int64_t key);
/* One that is not there is added, as block says. */
void gaspdb_blocks_add(struct gaspdb_run *run, struct gaspdb_live_blocks *b,
		       const struct gaspdb_block *block);
void gaspdb_blocks_remove(struct gaspdb_live_blocks *b,
			  struct gaspdb_block *block);

#endif
