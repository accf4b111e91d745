/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Categories over time: how much of each falls in each of the bins of equal
 * width into which the run is cut.  A bin is [k w, (k + 1) w), w a power of two
 * ns, counted from the run's start.  How long a run is shows when it has been
 * read: w begins at 1 and doubles whenever a thread goes beyond the last bin,
 * pairs of bins becoming one.  So memory is bounded, w depends on nothing but
 * the latest moment of the threads so far, and every ns is in its bin.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_TIME_BINS_H
#define GASPDB_IMPORTER_ROLLUPS_TIME_BINS_H

#include "importer/run/registry.h"
#include "importer/rollups/source_bins.h"
#include "importer/replay/stacks.h"
#include "sql/store/store.h"

/* What is counted: these, then the categories. */
enum {
	GASPDB_BIN_TOOL,
	GASPDB_BIN_NOT_RECORDED,
	GASPDB_BIN_UNSERVED,
	GASPDB_BIN_CATEGORY,
	GASPDB_BIN_STATES = GASPDB_BIN_CATEGORY + GASPDB_CATEGORIES_MAX
};

struct gaspdb_bins {
	struct gaspdb_store *store;
	const struct gaspdb_registry *registry;
	int64_t n;	  /* bins, a power of two */
	int64_t n_thread; /* that are stored of a thread, the same */
	int width_bits;	  /* how wide they are, as a power of two */
	int64_t current;  /* bin of the thread being read; those after it are
			     empty */
	int64_t before[GASPDB_BIN_STATES]; /* the stack's sums when it was begun
					    */
	/* ns by state and bin: of states that do not occur no memory is touched
	 */
	int64_t *bin;  /* of this thread */
	int64_t *run;  /* of all before */
	int64_t n_run; /* up to where that has any */
	struct gaspdb_source_bins sources;
};

/*
 * For a run of so many threads that lasts reached_ns at least: bins need not
 * grow to that from a nanosecond.
 */
void gaspdb_bins_init(struct gaspdb_bins *b, struct gaspdb_store *store,
		      const struct gaspdb_registry *registry,
		      struct gaspdb_rollups *rollups, size_t n_threads,
		      int64_t reached_ns);
void gaspdb_bins_free(struct gaspdb_bins *b);

/* A thread begins, with a new stack: it is watched. */
void gaspdb_bins_thread(struct gaspdb_bins *b, struct gaspdb_stack *stack);
/* It is about to be over: the profile is still there. */
void gaspdb_bins_end(struct gaspdb_bins *b, const struct gaspdb_stack *stack);
/* It is over: its rows. */
void gaspdb_bins_flush(struct gaspdb_bins *b, int64_t thread,
		       const struct gaspdb_stack *stack);
/* All are: tables bin and source_bin, and the widths in meta. */
void gaspdb_bins_finish(struct gaspdb_bins *b);

#endif
