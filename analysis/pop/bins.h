/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of computation over time, for the efficiencies of parts of a run. */
#ifndef GASPDB_ANALYSIS_POP_BINS_H
#define GASPDB_ANALYSIS_POP_BINS_H

#include "analysis/engine/run.h"

enum { GASPDB_POP_BINS = 64 }; /* a power of two */

/*
 * The bins of a region: 64 of nearly equal length, joined in pairs to 32, and
 * so on. part[] is a binary tree like a heap: 1 is the region, 2 and 3 its
 * halves. A thread's computation is added to it at the thread's end.
 */
struct gaspdb_pop_bins {
	int64_t start_ns, end_ns;
	int64_t thread_ns[GASPDB_POP_BINS]; /* of the current thread */
	int64_t bin, edge_ns;		    /* current bin, and its end */
	struct gaspdb_pop_part {
		int64_t computation_ns;
		int64_t most_ns, most_thread; /* maximum of a thread; ties: the
						 lowest */
	} part[2 * GASPDB_POP_BINS];
};

void gaspdb_pop_bins_init(struct gaspdb_pop_bins *b, int64_t start_ns,
			  int64_t end_ns);

/* Move the thread to a time in the region, not before its last one. Returns the
   end of its bin. */
int64_t gaspdb_pop_bins_at(struct gaspdb_pop_bins *b, int64_t at_ns);
/* Add computation in the current bin. */
static inline void gaspdb_pop_bins_add(struct gaspdb_pop_bins *b, int64_t ns)
{
	b->thread_ns[b->bin] += ns;
}

/* End a thread with a log; in the order of threads. */
void gaspdb_pop_bins_thread(struct gaspdb_pop_bins *b, int64_t thread);

/* Write pop_bin. */
void gaspdb_pop_bins_write(const struct gaspdb_pop_bins *b,
			   struct gaspdb_run *run, bool whole);

#endif
