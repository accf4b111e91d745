/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call order: the sequence numbers of collective calls that the runtime does
 * not number (GASP). In a log with damaged blocks the order is known up to the
 * first one. After the last one it is known if other threads' logs are
 * complete: all threads make the same calls, so the difference in their number
 * is the number of lost calls.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_CALLS_CALL_ORDER_H
#define GASPDB_ANALYSIS_COLLECTIVES_CALLS_CALL_ORDER_H

#include "analysis/collectives/calls/members.h"
#include "analysis/engine/quality.h"
#include "analysis/waits/unknown_waits.h"

struct gaspdb_thread_order;

struct gaspdb_call_order {
	struct gaspdb_run *run;
	struct gaspdb_thread_order *threads; /* NULL: no damage */
	struct gaspdb_unknown_waits unknown_waits;
	struct gaspdb_quality_row excluded; /* of one thread */
};

/* thread: any thread with unnumbered calls. */
void gaspdb_call_order_open(struct gaspdb_call_order *order,
			    struct gaspdb_run *run, int64_t thread);
/* The number of lost calls of a thread before a call that starts at start_ns;
   NONE: unknown. The halves of a split phase are one call, unless damage lies
   between them. */
int64_t gaspdb_call_order_lost(const struct gaspdb_call_order *order,
			       int64_t thread, int64_t start_ns);
/* May damage lie between two of its calls? */
bool gaspdb_call_order_separated(const struct gaspdb_call_order *order,
				 int64_t thread, int64_t a_ns, int64_t b_ns);
/* Exclude a member whose instance is unknown, and report it to quality. */
void gaspdb_call_order_exclude(struct gaspdb_call_order *order,
			       const struct gaspdb_member *member);
void gaspdb_call_order_close(struct gaspdb_call_order *order);

#endif
