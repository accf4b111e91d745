/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Own work of each thread, from its first event to its last: computation, and
 * time that an ideal network does not shorten, which is allocation, file i/o
 * and unrecorded time.
 */
#ifndef GASPDB_ANALYSIS_POP_WORK_H
#define GASPDB_ANALYSIS_POP_WORK_H

#include "analysis/waits/call_waits.h"
#include "analysis/engine/scan.h"
#include "analysis/engine/thread_gaps.h"

/* Work since the last callback, ns. */
struct gaspdb_work_sums {
	int64_t computation_ns, other_ns;
};

/* Callbacks of the pass. */
struct gaspdb_work_callbacks {
	void *user;
	/* Add work of a thread since the last call. */
	void (*add)(void *user, int64_t thread,
		    const struct gaspdb_work_sums *sums);
	/* The thread is at a time; returns the next time, later than this one,
	   at which its work must be added. */
	int64_t (*boundary)(void *user, int64_t thread, int64_t at_ns);
};

struct gaspdb_work {
	struct gaspdb_run *run;
	const struct gaspdb_work_callbacks *callbacks;
	struct gaspdb_thread_gaps gaps;
	struct gaspdb_call_waits waits;
	int64_t thread, at_ns;		 /* current thread and time */
	struct gaspdb_work_sums pending; /* not yet added by the callback */
	bool in_gap;
	int64_t until_ns; /* next boundary; INT64_MIN: unknown */
	int64_t plain_ns; /* until_ns; INT64_MIN in a gap */
};

/* callbacks: borrowed. Needs table wait. */
void gaspdb_work_open(struct gaspdb_work *work, struct gaspdb_run *run,
		      const struct gaspdb_work_callbacks *callbacks);
/*
 * Enter a plain call, like most: on the current thread, not nested, after
 * computation without a boundary, and not one that keeps its time. false: any
 * other event, not processed.
 */
static inline bool gaspdb_work_enter_plain(struct gaspdb_work *work,
					   const struct gaspdb_event *event)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(work->run, event->source);

	if (event->thread != work->thread || event->start_ns < work->at_ns ||
	    event->start_ns > work->plain_ns || !source || !source->call ||
	    source->keeps_time)
		return false;
	work->pending.computation_ns += event->start_ns - work->at_ns;
	work->at_ns = event->start_ns;
	return true;
}
/* Leave a plain call. */
static inline void gaspdb_work_leave_plain(struct gaspdb_work *work,
					   const struct gaspdb_event *event)
{
	work->at_ns = event->start_ns + event->duration_ns;
}
/*
 * Enter any event that is not nested, in the order of ids. Returns its source,
 * and the caller leaves it before the next event; NULL: no call into a runtime,
 * or one inside another.
 */
const struct gaspdb_run_source *
gaspdb_work_enter(struct gaspdb_work *work, const struct gaspdb_event *event);
void gaspdb_work_leave(struct gaspdb_work *work,
		       const struct gaspdb_event *event,
		       const struct gaspdb_run_source *source);
/* End the last thread, with all callbacks. */
void gaspdb_work_close(struct gaspdb_work *work);

#endif
