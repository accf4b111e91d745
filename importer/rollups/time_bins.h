/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time by category in bins of equal width: tables bin, thread_bin and
 * source_bin. A bin is [k w, (k + 1) w) ns from the run's start, w a power of
 * two. The run's length is not known in advance: when a thread passes the last
 * bin, pairs of bins are merged and w doubles. So memory is bounded, w depends
 * only on the latest time so far, and the bins' sums are exact.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_TIME_BINS_H
#define GASPDB_IMPORTER_ROLLUPS_TIME_BINS_H

#include "importer/replay/stacks.h"
#include "importer/rollups/source_bins.h"
#include "importer/run/registry.h"
#include "sql/store/store.h"

/* States of a thread: these, then the categories. */
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
	int64_t n;	  /* bins of the run, a power of two */
	int64_t n_thread; /* bins of a thread in thread_bin, a power of two */
	int width_bits;	  /* logarithm of their width */
	int64_t current;  /* bin of the thread's time; later ones are empty */
	int64_t before[GASPDB_BIN_STATES]; /* the stack's sums at its start */
	/* ns by state, then bin */
	int64_t *bin;  /* of the thread being read */
	int64_t *run;  /* of all threads before */
	int64_t n_run; /* bins of run in use */
	struct gaspdb_source_bins sources;
};

/* reached_ns: a lower bound of the run's length, from which the width starts.
 */
void gaspdb_bins_init(struct gaspdb_bins *b, struct gaspdb_store *store,
		      const struct gaspdb_registry *registry,
		      struct gaspdb_rollups *rollups, size_t n_threads,
		      int64_t reached_ns);
void gaspdb_bins_free(struct gaspdb_bins *b);

/* Begins a thread with its new stack, which then calls at each bin's end. */
void gaspdb_bins_thread(struct gaspdb_bins *b, struct gaspdb_stack *stack);
/* Adds the last bin to the sources' bins, while the profile is there. */
void gaspdb_bins_end(struct gaspdb_bins *b, const struct gaspdb_stack *stack);
/* Writes the thread's rows, and adds its bins to those of the run. */
void gaspdb_bins_flush(struct gaspdb_bins *b, int64_t thread,
		       const struct gaspdb_stack *stack);
/* Empties the bins of a thread that has no events: nothing is known of its time
   but sums. */
void gaspdb_bins_discard(struct gaspdb_bins *b,
			 const struct gaspdb_stack *stack);
/* Writes tables bin and source_bin, and the widths to meta. */
void gaspdb_bins_finish(struct gaspdb_bins *b);

#endif
