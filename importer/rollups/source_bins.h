/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile of all threads over time: each line's calls and times in at most
 * 256 bins of equal width, each as many of time_bins.h's.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_SOURCE_BINS_H
#define GASPDB_IMPORTER_ROLLUPS_SOURCE_BINS_H

#include "importer/rollups/rollups.h"
#include "importer/replay/stacks.h"

enum { GASPDB_SOURCE_BINS = 256, GASPDB_SOURCE_RUN = 8 };

struct gaspdb_source_bins {
	struct gaspdb_rollups *rollups; /* its profile is looked at */
	int64_t n_bins;			/* of time_bins.h */
	int64_t per;	 /* of those in one of these, a power of two */
	int64_t current; /* bin of the thread being read */
	int64_t end;	 /* from there on bins are empty */
	/* By run of sources, nested and bin: index + 1, 0: there is nothing.
	   What stands together is what is needed together: a bin's lines. */
	uint32_t *at;
	size_t at_capacity;
	struct gaspdb_source_run {
		struct gaspdb_source_bin {
			int64_t calls, total_ns, bytes;
			int64_t self_ns; /* GASPDB_NULL: not known */
		} source[GASPDB_SOURCE_RUN];
	} * runs;
	size_t n_runs, run_capacity;
	size_t n;	/* bins in which there is anything */
	uint32_t *open; /* profiles of calls that were open at a bin's end */
	size_t n_open, open_capacity;
};

/* For n bins of time_bins.h, a power of two. */
void gaspdb_source_bins_init(struct gaspdb_source_bins *b,
			     struct gaspdb_rollups *rollups, int64_t n);
void gaspdb_source_bins_free(struct gaspdb_source_bins *b);

/* Time is where that bin of time_bins.h ends, or the thread does: what the
   profile has grown by is of the bin in which that lies. */
void gaspdb_source_bins_settle(struct gaspdb_source_bins *b,
			       const struct gaspdb_stack *s, int64_t bin);
/* Of time_bins.h's bins two became one. */
void gaspdb_source_bins_fold(struct gaspdb_source_bins *b);
/* All threads are over: table source_bin and the width in meta. */
void gaspdb_source_bins_finish(struct gaspdb_source_bins *b,
			       struct gaspdb_store *store, int64_t width_ns);

#endif
