/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of calls of collectives that their runtime does not number (GASP).
 * Of a thread whose log has damaged blocks it is known up to these; and after
 * them, if all that others did is known: all threads do the same, so what one
 * has less of than the others is what was lost.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_CALL_ORDER_H
#define GASPDB_ANALYSIS_COLLECTIVES_CALL_ORDER_H

#include "analysis/collectives/members.h"
#include "analysis/engine/quality.h"
#include "analysis/waits/unknown_waits.h"

struct gaspdb_order_of_thread;

struct gaspdb_call_order {
	struct gaspdb_run *run;
	struct gaspdb_order_of_thread *threads; /* NULL: no damage */
	struct gaspdb_unknown_waits untold;
	struct gaspdb_quality_row left_out; /* of one thread */
};

/* thread: one of those that have such calls. */
void gaspdb_call_order_open(struct gaspdb_call_order *order,
			    struct gaspdb_run *run, int64_t thread);
/* How many calls of the thread before one that begins then were lost; NONE:
   nobody knows.  The halves of a split phase are one call, but on both sides of
   damage. */
int64_t gaspdb_call_order_lost(const struct gaspdb_call_order *order,
			       int64_t thread, int64_t start_ns);
/* May damage lie between two of its calls? */
bool gaspdb_call_order_apart(const struct gaspdb_call_order *order,
			     int64_t thread, int64_t a_ns, int64_t b_ns);
/* Nobody knows which instance it is part of: it is told in quality. */
void gaspdb_call_order_leave_out(struct gaspdb_call_order *order,
				 const struct gaspdb_member *member);
void gaspdb_call_order_close(struct gaspdb_call_order *order);

#endif
