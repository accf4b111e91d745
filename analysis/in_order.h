/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All threads' calls into runtimes in the order of time: each thread's are read
 * a few at a time, and the threads go side by side.
 */
#ifndef GASPDB_ANALYSIS_IN_ORDER_H
#define GASPDB_ANALYSIS_IN_ORDER_H

#include "analysis/scan.h"
#include "analysis/table.h"

/* A call that is not nested; small, for there are many at hand. */
struct gaspdb_timed_call {
	int64_t start_ns, end_ns;
	int32_t thread, source;
	int32_t peer; /* -1: none */
	bool open;
};

struct gaspdb_in_order {
	struct gaspdb_run *run;
	struct gaspdb_table events;
	struct gaspdb_thread_calls {
		int64_t next_id, last_id; /* to be read */
		size_t n, at;
		struct gaspdb_timed_call *calls; /* read, `ahead` of them */
	} * threads;				 /* by id */
	struct gaspdb_thread_calls *reading;
	size_t ahead;
	struct gaspdb_timed_call *buffer;
	struct gaspdb_next_call {
		int64_t start_ns;
		const struct gaspdb_timed_call *call;
	} * heap; /* a thread each, by its next call */
	size_t n_heap;
	bool given; /* the first of them */
};

void gaspdb_in_order_open(struct gaspdb_in_order *order,
			  struct gaspdb_run *run);
/*
 * The next call, borrowed until the one after it is asked for; of one moment
 * the lowest thread's first.  NULL: no more.
 */
const struct gaspdb_timed_call *
gaspdb_in_order_next(struct gaspdb_in_order *order);
void gaspdb_in_order_close(struct gaspdb_in_order *order);

#endif
