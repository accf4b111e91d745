/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computation over time: what efficiencies of parts of a run are made of. */
#ifndef GASPDB_ANALYSIS_POP_BINS_H
#define GASPDB_ANALYSIS_POP_BINS_H

#include "analysis/engine/run.h"

enum { GASPDB_POP_BINS = 64 }; /* a power of two */

/*
 * A stretch of the run is cut into 64 bins as equal as can be, these in pairs
 * into 32, and so on.  What threads computed in each is known when they are
 * over: parts, like a heap, 1 is the stretch, 2 and 3 its halves ...
 */
struct gaspdb_pop_bins {
	int64_t start_ns, end_ns;
	int64_t thread_ns[GASPDB_POP_BINS]; /* of the thread that is read */
	int64_t bin, edge_ns;		    /* where it is; where that ends */
	struct gaspdb_pop_part {
		int64_t computation_ns;
		int64_t most_ns, most_thread; /* of one; ties: the lowest */
	} part[2 * GASPDB_POP_BINS];
};

void gaspdb_pop_bins_init(struct gaspdb_pop_bins *b, int64_t start_ns,
			  int64_t end_ns);

/* The thread is at that time of the stretch, never an earlier one than before.
   Returns when its bin ends. */
int64_t gaspdb_pop_bins_at(struct gaspdb_pop_bins *b, int64_t at_ns);
/* It computed so long in that bin. */
static inline void gaspdb_pop_bins_add(struct gaspdb_pop_bins *b, int64_t ns)
{
	b->thread_ns[b->bin] += ns;
}

/* A thread with a log is over; in order of threads. */
void gaspdb_pop_bins_thread(struct gaspdb_pop_bins *b, int64_t thread);

/* Write pop_bin. */
void gaspdb_pop_bins_write(const struct gaspdb_pop_bins *b,
			   struct gaspdb_run *run, bool whole);

#endif
