/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profile of all threads over time: calls, times and bytes of each source in at
 * most 256 bins. A bin is a power of two of those of time_bins.h (base bins).
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_SOURCE_BINS_H
#define GASPDB_IMPORTER_ROLLUPS_SOURCE_BINS_H

#include "importer/replay/stacks.h"
#include "importer/rollups/rollups.h"

enum { GASPDB_SOURCE_BINS = 256, GASPDB_SOURCES_IN_BLOCK = 8 };

struct gaspdb_source_bins {
	struct gaspdb_rollups *rollups; /* for the profile */
	int64_t n_base;			/* base bins of the run */
	int64_t width;			/* base bins in a bin, a power of two */
	int64_t current;		/* bin of the thread being read */
	int64_t end;			/* number of bins in use */
	/* Blocks of consecutive sources in one bin, for the cache. By block of
	   sources, nested, and bin: index + 1; 0: none. */
	uint32_t *at;
	size_t at_capacity;
	struct gaspdb_source_block {
		struct gaspdb_source_bin {
			int64_t calls, total_ns, bytes;
			int64_t self_ns; /* GASPDB_NULL: unknown */
		} source[GASPDB_SOURCES_IN_BLOCK];
	} * blocks;
	size_t n_blocks, block_capacity;
	size_t n;	/* rows: bins of sources with anything */
	uint32_t *open; /* profiles of calls open at a bin's end */
	size_t n_open, open_capacity;
};

/* n: base bins, a power of two. */
void gaspdb_source_bins_init(struct gaspdb_source_bins *b,
			     struct gaspdb_rollups *rollups, int64_t n);
void gaspdb_source_bins_free(struct gaspdb_source_bins *b);

/* Adds the growth of the profile to the bin of a base bin; the thread's time is
   at the end of this, or of the thread. */
void gaspdb_source_bins_settle(struct gaspdb_source_bins *b,
			       const struct gaspdb_stack *s, int64_t bin);
/* Merges pairs of bins, after pairs of base bins. */
void gaspdb_source_bins_fold(struct gaspdb_source_bins *b);
/* Writes table source_bin, and the width to meta; width_ns: of a base bin. */
void gaspdb_source_bins_finish(struct gaspdb_source_bins *b,
			       struct gaspdb_store *store, int64_t width_ns);

#endif
