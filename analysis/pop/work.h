/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each thread's own work from its first moment to its last: what it computes,
 * and what also a network that costs nothing would take: to allocate, and what
 * was not recorded.
 */
#ifndef GASPDB_ANALYSIS_POP_WORK_H
#define GASPDB_ANALYSIS_POP_WORK_H

#include "analysis/engine/call_waits.h"
#include "analysis/engine/scan.h"
#include "analysis/engine/thread_gaps.h"

/* What a thread did meanwhile, ns. */
struct gaspdb_work_sums {
	int64_t computation_ns, other_ns;
};

/* Who listens to it. */
struct gaspdb_work_calls {
	void *user;
	/* The thread has done that since it was told last. */
	void (*did)(void *user, int64_t thread,
		    const struct gaspdb_work_sums *sums);
	/* It is that time on the thread; returns when to tell again what it
	   did, later than that. */
	int64_t (*at)(void *user, int64_t thread, int64_t at_ns);
};

struct gaspdb_work {
	struct gaspdb_run *run;
	const struct gaspdb_work_calls *calls;
	struct gaspdb_thread_gaps gaps;
	struct gaspdb_call_waits waits;
	int64_t thread, at_ns;		/* so far */
	struct gaspdb_work_sums untold; /* of it */
	bool in_gap;
	int64_t until_ns; /* nothing changes before; INT64_MIN: not known */
	int64_t plain_ns; /* the same, INT64_MIN also in a gap */
};

/* calls: borrowed.  Wants table wait. */
void gaspdb_work_open(struct gaspdb_work *work, struct gaspdb_run *run,
		      const struct gaspdb_work_calls *calls);
/*
 * The thread comes to a call as most are: of the thread of before, not in
 * another, after plain computation, and none that keeps its time.  false: it is
 * another event.
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
	work->untold.computation_ns += event->start_ns - work->at_ns;
	work->at_ns = event->start_ns;
	return true;
}
/* It leaves that. */
static inline void gaspdb_work_leave_plain(struct gaspdb_work *work,
					   const struct gaspdb_event *event)
{
	work->at_ns = event->start_ns + event->duration_ns;
}
/*
 * The same of any event but nested ones, in the order of their ids.  NULL: it
 * is no call into a runtime, or one in another; else its source: then the
 * thread leaves it, before the next comes.
 */
const struct gaspdb_run_source *
gaspdb_work_enter(struct gaspdb_work *work, const struct gaspdb_event *event);
void gaspdb_work_leave(struct gaspdb_work *work,
		       const struct gaspdb_event *event,
		       const struct gaspdb_run_source *source);
/* They are all told. */
void gaspdb_work_close(struct gaspdb_work *work);

#endif
