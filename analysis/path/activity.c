/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks three tables side by side, each in the order of threads and time, so
 * that a run of any length passes by in constant memory.
 *
 * What a thread's time counts for changes at few moments only: where the path
 * comes to it, at the edge of a gap, where others begin to wait for it.  Up to
 * the next of them, and to the next call that has waits, there is nothing to
 * ask: an event is two additions.
 */
#include "analysis/path/activity.h"

#include <stdlib.h>

#include "analysis/engine/call_waits.h"
#include "analysis/engine/open_events.h"
#include "analysis/engine/thread_gaps.h"

struct gaspdb_activity {
	struct gaspdb_run *run;
	struct gaspdb_path_lines *lines;
	struct gaspdb_recent_time *spent;
	const struct gaspdb_activity_calls *calls;
	struct gaspdb_call_waits waits;
	struct gaspdb_thread_gaps gaps;
	int64_t thread, at_ns, before;	     /* so far: until when, after which
						source */
	struct gaspdb_open_events functions; /* value: its source */
	int64_t until_ns; /* nothing changes before; INT64_MIN: not known */
	int64_t plain_ns; /* the same, INT64_MIN also in a gap, and where pieces
			     are wanted */
	int64_t special;  /* the first event that has waits or is wanted in
			     pieces */
	int64_t whole;	  /* ... that is wanted in pieces */
	bool in_gap, pieces;
};

typedef struct gaspdb_activity activity;

/* --- changes -------------------------------------------------------------- */

/* Something is different from now on. */
static void change(activity *a)
{
	a->pieces = false;
	a->until_ns =
		gaspdb_min(gaspdb_thread_gaps_at(&a->gaps, a->thread, a->at_ns,
						 &a->in_gap),
			   a->calls->at(a->calls->user, a->thread, a->at_ns,
					&a->spent->side, &a->pieces));
	a->plain_ns = a->pieces || a->in_gap ? INT64_MIN : a->until_ns;
	gaspdb_path_lines_reach(a->lines, a->spent->side);
}

/* --- pieces --------------------------------------------------------------- */

/* Where nobody but the path wants it there is nothing to add up before. */
static inline void spend_on_path(activity *a, enum gaspdb_doing doing,
				 int64_t from, int64_t to, int64_t ns)
{
	if (doing == GASPDB_CALLING)
		gaspdb_path_lines_call(a->lines, from, a->spent->side, ns);
	else if (doing == GASPDB_COMPUTING)
		gaspdb_path_lines_compute(a->lines, from, to, a->spent->side,
					  ns);
	else
		gaspdb_recent_time_add(a->spent, doing, from, to, ns);
}

/* What is done is the same wherever this is called in the common way: so there
   nothing is left to be decided. */
static inline __attribute__((always_inline)) void
spend(activity *a, enum gaspdb_doing doing, int64_t end_ns, int64_t from,
      int64_t to)
{
	const int64_t ns = end_ns - a->at_ns;

	if (a->spent->pays)
		gaspdb_recent_time_add(a->spent, doing, from, to, ns);
	else
		spend_on_path(a, doing, from, to, ns);
}

static void spend_piece(activity *a, enum gaspdb_doing doing, int64_t end_ns,
			int64_t event, int64_t from, int64_t to)
{
	if (a->pieces || (event != GASPDB_NONE && event >= a->whole))
		a->calls->piece(a->calls->user,
				&(struct gaspdb_piece){ .thread = a->thread,
							.doing = doing,
							.start_ns = a->at_ns,
							.end_ns = end_ns,
							.event = event,
							.from = from,
							.to = to });
	spend(a, doing, end_ns, from, to);
}

/* Computation, and gaps in it, cut where something changes. */
static void compute_in_parts(activity *a, int64_t end_ns,
			     enum gaspdb_doing doing, int64_t from, int64_t to)
{
	while (a->at_ns < end_ns) {
		int64_t stop_ns;

		if (a->at_ns >= a->until_ns)
			change(a);
		stop_ns = gaspdb_min(end_ns, a->until_ns);
		spend_piece(a, a->in_gap ? GASPDB_NOT_RECORDED : doing, stop_ns,
			    GASPDB_NONE, from, to);
		a->at_ns = stop_ns;
	}
}

static inline __attribute__((always_inline)) void
compute_as(activity *a, int64_t end_ns, enum gaspdb_doing doing, int64_t from,
	   int64_t to)
{
	if (end_ns > a->plain_ns)
		compute_in_parts(a, end_ns, doing, from, to);
	else if (a->at_ns < end_ns) {
		spend(a, doing, end_ns, from, to);
		a->at_ns = end_ns;
	}
}

/* The function that the thread is in.  The last one that it leaves is what is
   before what follows, unless a call ended later. */
static const struct gaspdb_open_event *innermost(activity *a)
{
	const struct gaspdb_open_event *top;

	while ((top = gaspdb_open_events_top(&a->functions)) &&
	       top->end_ns <= a->at_ns) {
		if (top->end_ns == a->at_ns)
			a->before = top->value;
		a->functions.n--;
	}
	return top;
}

/* In the innermost function up to end_ns, before `to`, NONE: it ends then. */
static void compute_in_function(activity *a, int64_t function, int64_t end_ns,
				int64_t to)
{
	const int64_t after = a->before == function ? GASPDB_NONE : a->before;
	int64_t from = function;

	if (after != GASPDB_NONE || to != GASPDB_NONE)
		from = gaspdb_path_lines_after(a->lines, function, after);
	if (from == function)
		to = GASPDB_NONE;
	compute_as(a, end_ns, GASPDB_IN_FUNCTION, from, to);
}

/* Computation up to end_ns, as long as the thread is in functions. */
static void compute_in_functions(activity *a, int64_t end_ns, int64_t to)
{
	const struct gaspdb_open_event *f;

	while ((f = innermost(a)) && a->at_ns < end_ns)
		if (f->end_ns <= end_ns)
			compute_in_function(a, f->value, f->end_ns,
					    GASPDB_NONE);
		else
			compute_in_function(a, f->value, end_ns, to);
}

/* Computation up to end_ns, before the call or function of source `to`. */
static inline __attribute__((always_inline)) void
compute(activity *a, int64_t end_ns, int64_t to)
{
	if (a->functions.n)
		compute_in_functions(a, end_ns, to);
	compute_as(a, end_ns, GASPDB_COMPUTING, a->before, to);
}

static void find_special(activity *a)
{
	a->whole = a->calls->next_whole(a->calls->user);
	a->special = gaspdb_min(a->waits.event, a->whole);
}

/* A call, cut where something changes, also one of no length.  It is out of the
   way of those in which nothing does: most. */
static __attribute__((noinline)) void
cut_call(activity *a, const struct gaspdb_event *e, int64_t end_ns)
{
	do {
		int64_t stop_ns;
		bool waiting;

		if (a->at_ns >= a->until_ns)
			change(a);
		stop_ns = gaspdb_min(end_ns, a->until_ns);
		waiting = gaspdb_call_waits_at(&a->waits, e->id, a->at_ns,
					       &stop_ns);
		spend_piece(a, waiting ? GASPDB_WAITING : GASPDB_CALLING,
			    stop_ns, e->id, e->source, GASPDB_NONE);
		a->at_ns = stop_ns;
	} while (a->at_ns < end_ns);
	find_special(a);
}

static inline void call(activity *a, const struct gaspdb_event *e)
{
	const int64_t end_ns = e->start_ns + e->duration_ns;

	if (end_ns > a->plain_ns || e->id >= a->special) {
		cut_call(a, e, end_ns);
	} else {
		spend(a, GASPDB_CALLING, end_ns, e->source, GASPDB_NONE);
		a->at_ns = end_ns;
	}
}

/* --- threads -------------------------------------------------------------- */

/* What is left after a thread's last call, up to its last moment. */
static void finish_thread(activity *a)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(a->run, a->thread);

	if (t && t->last_ns != GASPDB_NONE)
		compute(a, t->last_ns, GASPDB_NONE);
	if (t) {
		gaspdb_recent_time_emit(a->spent);
		gaspdb_path_lines_end_thread(a->lines, a->thread);
	}
}

static void start_thread(activity *a, int64_t thread, int64_t first_ns)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(a->run, thread);

	a->thread = thread;
	a->at_ns = t && t->first_ns != GASPDB_NONE ? t->first_ns : first_ns;
	a->before = GASPDB_NONE;
	a->functions.n = 0;
	a->until_ns = a->plain_ns = INT64_MIN;
}

/* End the current thread, and pass those without a call before that one. */
static void go_to_thread(activity *a, int64_t thread)
{
	int64_t next = a->thread == GASPDB_NONE ? 0 : a->thread + 1;

	finish_thread(a);
	for (; next < thread; next++) {
		const struct gaspdb_run_thread *t =
			gaspdb_run_thread(a->run, next);

		if (!t || t->last_ns == GASPDB_NONE)
			continue;
		start_thread(a, next, t->last_ns);
		finish_thread(a);
	}
}

/* What calls call back is part of them: of such a function only what follows
   the call counts. */
static void take_function(activity *a, const struct gaspdb_event *e)
{
	const int64_t end_ns = e->start_ns + e->duration_ns;

	if (e->thread != a->thread) {
		go_to_thread(a, e->thread);
		start_thread(a, e->thread, e->start_ns);
	}
	if (e->start_ns >= a->at_ns) {
		compute(a, e->start_ns, e->source);
		a->before = e->source;
	}
	if (end_ns > a->at_ns)
		gaspdb_open_events_add(
			a->run, &a->functions, a->at_ns,
			(struct gaspdb_open_event){ end_ns, e->source });
}

/* Only outermost calls into a runtime count. */
void gaspdb_activity_consume(activity *a, const struct gaspdb_event *e)
{
	const struct gaspdb_line *line = gaspdb_path_line(a->lines, e->source);

	if (!line || !line->call) {
		if (line && line->function)
			take_function(a, e);
		return;
	}
	if (e->thread != a->thread) {
		go_to_thread(a, e->thread);
		start_thread(a, e->thread, e->start_ns);
	} else if (e->start_ns < a->at_ns) {
		return;
	}
	compute(a, e->start_ns, e->source);
	call(a, e);
	a->before = e->source;
}

struct gaspdb_activity *
gaspdb_activity_open(struct gaspdb_run *run, struct gaspdb_path_lines *lines,
		     struct gaspdb_recent_time *spent,
		     const struct gaspdb_activity_calls *calls)
{
	activity *a = gaspdb_zeroed(run, 1, sizeof *a);

	if (!a)
		return NULL;
	*a = (activity){ .run = run,
			 .lines = lines,
			 .spent = spent,
			 .calls = calls,
			 .thread = GASPDB_NONE,
			 .until_ns = INT64_MIN,
			 .plain_ns = INT64_MIN };
	gaspdb_call_waits_open(&a->waits, run);
	gaspdb_thread_gaps_open(&a->gaps, run);
	find_special(a);
	return a;
}

void gaspdb_activity_close(activity *a)
{
	if (!a)
		return;
	go_to_thread(a, a->run->n_threads);
	gaspdb_call_waits_close(&a->waits);
	gaspdb_thread_gaps_close(&a->gaps);
	gaspdb_open_events_fini(&a->functions);
	free(a);
}
