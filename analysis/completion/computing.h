/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long a thread has computed, up to each moment: a running sum in one walk
 * over its events.  A thread computes while its most recently started open
 * event is a function of the program's own, or none is open; not where it was
 * not recorded, nor while the collector was at work.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_COMPUTING_H
#define GASPDB_ANALYSIS_COMPLETION_COMPUTING_H

#include "analysis/engine/open_events.h"

struct gaspdb_interval {
	int64_t start_ns, end_ns;
};

struct gaspdb_computing {
	int64_t at_ns, sum_ns;		    /* so far */
	struct gaspdb_open_events open;	    /* value: is it a function of the
					       program's own? */
	const struct gaspdb_interval *gaps; /* those to come */
	size_t n_gaps;
};

/* gaps: without computation, by start; borrowed.  The thread begins then. */
void gaspdb_computing_begin(struct gaspdb_computing *c, int64_t ns,
			    const struct gaspdb_interval *gaps, size_t n_gaps);
void gaspdb_computing_fini(struct gaspdb_computing *c);

/* Part of gaspdb_computing_to(): that moment is to come. */
void gaspdb_computing_move(struct gaspdb_computing *c, int64_t ns);
/* Move to that moment, or stay where it is past; returns the sum. */
static inline int64_t gaspdb_computing_to(struct gaspdb_computing *c,
					  int64_t ns)
{
	if (c->at_ns < ns)
		gaspdb_computing_move(c, ns);
	return c->sum_ns;
}
/* An event begins at the present moment. */
void gaspdb_computing_enter(struct gaspdb_run *run, struct gaspdb_computing *c,
			    int64_t end_ns, bool function);
/* The same of one that is no function, when none begins before it ends: till
   then the sum stays, so that it need not be remembered. */
static inline void gaspdb_computing_skip(struct gaspdb_computing *c,
					 int64_t end_ns)
{
	if (c->at_ns < end_ns)
		c->at_ns = end_ns;
}

#endif
