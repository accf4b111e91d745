/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running sum of a thread's computation, in one scan of its events. A thread
 * computes while its innermost open event is a program function, or no event is
 * open, except in gaps and during the collector's own work.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_COMPUTATION_H
#define GASPDB_ANALYSIS_COMPLETION_COMPUTATION_H

#include "analysis/engine/open_events.h"

struct gaspdb_interval {
	int64_t start_ns, end_ns;
};

struct gaspdb_computation {
	int64_t at_ns, sum_ns;		/* current time, sum until then */
	struct gaspdb_open_events open; /* value: is it a program function */
	const struct gaspdb_interval *gaps; /* those to come */
	size_t n_gaps;
};

/* Begin a thread at ns. gaps: intervals without computation, by start;
   borrowed. */
void gaspdb_computation_begin(struct gaspdb_computation *c, int64_t ns,
			      const struct gaspdb_interval *gaps,
			      size_t n_gaps);
void gaspdb_computation_fini(struct gaspdb_computation *c);

/* The slow path of gaspdb_computation_to(): ns is later than the current time.
 */
void gaspdb_computation_move(struct gaspdb_computation *c, int64_t ns);
/* Move to a time, unless it is past; returns the sum. */
static inline int64_t gaspdb_computation_to(struct gaspdb_computation *c,
					    int64_t ns)
{
	if (c->at_ns < ns)
		gaspdb_computation_move(c, ns);
	return c->sum_ns;
}
/* Push an event that begins at the current time. */
void gaspdb_computation_enter(struct gaspdb_run *run,
			      struct gaspdb_computation *c, int64_t end_ns,
			      bool function);
/* Skip an event that is no function and has no events inside, instead of
   pushing it. */
static inline void gaspdb_computation_skip(struct gaspdb_computation *c,
					   int64_t end_ns)
{
	if (c->at_ns < end_ns)
		c->at_ns = end_ns;
}

#endif
