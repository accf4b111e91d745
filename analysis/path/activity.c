/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The activity of threads, from a merge of events, waits and gaps, each in the
 * order of threads and time. So memory is constant.
 *
 * The state of a thread (side of the path, gap, pieces to be reported) changes
 * at few times only. Up to the next change, and up to the next call with waits,
 * an event is two additions.
 */
#include "analysis/path/activity.h"

#include <stdlib.h>

#include "analysis/waits/call_waits.h"
#include "analysis/engine/open_events.h"
#include "analysis/engine/thread_gaps.h"

struct gaspdb_activity {
	struct gaspdb_run *run;
	struct gaspdb_path_lines *lines;
	struct gaspdb_recent_time *recent;
	const struct gaspdb_activity_callbacks *callbacks;
	struct gaspdb_call_waits waits;
	struct gaspdb_thread_gaps gaps;
	int64_t thread, at_ns,
		last_source; /* position, source before it */
	struct gaspdb_open_events functions; /* value: source */
	int64_t until_ns; /* the state holds until then; INT64_MIN: unknown */
	int64_t fast_until_ns; /* until_ns; INT64_MIN: in a gap, or pieces are
			     reported */
	int64_t next_special;  /* the next event that has waits or is
				  next_reported */
	int64_t next_reported; /* the next event whose pieces are reported */
	bool in_gap, pieces;
};

typedef struct gaspdb_activity activity;

/* --- state ---------------------------------------------------------------- */

/* Update the state at the current position. */
static void update_state(activity *a)
{
	a->pieces = false;
	a->until_ns = gaspdb_min(
		gaspdb_thread_gaps_at(&a->gaps, a->thread, a->at_ns,
				      &a->in_gap),
		a->callbacks->state_at(a->callbacks->user, a->thread, a->at_ns,
				       &a->recent->side, &a->pieces));
	a->fast_until_ns = a->pieces || a->in_gap ? INT64_MIN : a->until_ns;
	gaspdb_path_lines_set_side(a->lines, a->recent->side);
}

/* --- pieces --------------------------------------------------------------- */

/* Add time directly to the lines; for a run without the cache of recent time.
 */
static inline void add_to_lines(activity *a, enum gaspdb_activity_kind kind,
				int64_t from, int64_t to, int64_t ns)
{
	if (kind == GASPDB_CALLING)
		gaspdb_path_lines_call(a->lines, from, a->recent->side, ns);
	else if (kind == GASPDB_COMPUTING)
		gaspdb_path_lines_compute(a->lines, from, to, a->recent->side,
					  ns);
	else
		gaspdb_recent_time_add(a->recent, kind, from, to, ns);
}

/* Add the time from the position to end_ns. Inlined: the activity is a constant
   for most callers. */
static inline __attribute__((always_inline)) void
add_time(activity *a, enum gaspdb_activity_kind kind, int64_t end_ns,
	 int64_t from, int64_t to)
{
	const int64_t ns = end_ns - a->at_ns;

	if (a->recent->pays)
		gaspdb_recent_time_add(a->recent, kind, from, to, ns);
	else
		add_to_lines(a, kind, from, to, ns);
}

/* Add a piece, and report it if that is needed. */
static void add_piece(activity *a, enum gaspdb_activity_kind kind,
		      int64_t end_ns, int64_t event, int64_t from, int64_t to)
{
	if (a->pieces || (event != GASPDB_NONE && event >= a->next_reported))
		a->callbacks->piece(
			a->callbacks->user,
			&(struct gaspdb_activity_piece){ .thread = a->thread,
							 .kind = kind,
							 .start_ns = a->at_ns,
							 .end_ns = end_ns,
							 .event = event,
							 .from = from,
							 .to = to });
	add_time(a, kind, end_ns, from, to);
}

/* Add computation and its gaps, split where the state changes. */
static void compute_in_parts(activity *a, int64_t end_ns,
			     enum gaspdb_activity_kind kind, int64_t from,
			     int64_t to)
{
	while (a->at_ns < end_ns) {
		int64_t stop_ns;

		if (a->at_ns >= a->until_ns)
			update_state(a);
		stop_ns = gaspdb_min(end_ns, a->until_ns);
		add_piece(a, a->in_gap ? GASPDB_NOT_RECORDED : kind, stop_ns,
			  GASPDB_NONE, from, to);
		a->at_ns = stop_ns;
	}
}

static inline __attribute__((always_inline)) void
compute_as(activity *a, int64_t end_ns, enum gaspdb_activity_kind kind,
	   int64_t from, int64_t to)
{
	if (end_ns > a->fast_until_ns)
		compute_in_parts(a, end_ns, kind, from, to);
	else if (a->at_ns < end_ns) {
		add_time(a, kind, end_ns, from, to);
		a->at_ns = end_ns;
	}
}

/* The innermost open function; NULL: none. A function that ends at the position
   becomes the last source. */
static const struct gaspdb_open_event *innermost(activity *a)
{
	const struct gaspdb_open_event *top;

	while ((top = gaspdb_open_events_top(&a->functions)) &&
	       top->end_ns <= a->at_ns) {
		if (top->end_ns == a->at_ns)
			a->last_source = top->value;
		a->functions.n--;
	}
	return top;
}

/* Add computation in the innermost function up to end_ns, before source `to`;
   NONE: the function ends. */
static void compute_in_function(activity *a, int64_t function, int64_t end_ns,
				int64_t to)
{
	const int64_t after =
		a->last_source == function ? GASPDB_NONE : a->last_source;
	int64_t from = function;

	if (after != GASPDB_NONE || to != GASPDB_NONE)
		from = gaspdb_path_lines_after(a->lines, function, after);
	if (from == function)
		to = GASPDB_NONE;
	compute_as(a, end_ns, GASPDB_IN_FUNCTION, from, to);
}

/* Add computation up to end_ns while functions are open. */
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

/* Add computation up to end_ns, before the call or function of source `to`. */
static inline __attribute__((always_inline)) void
compute(activity *a, int64_t end_ns, int64_t to)
{
	if (a->functions.n)
		compute_in_functions(a, end_ns, to);
	compute_as(a, end_ns, GASPDB_COMPUTING, a->last_source, to);
}

static void find_special(activity *a)
{
	a->next_reported = a->callbacks->next_reported(a->callbacks->user);
	a->next_special = gaspdb_min(a->waits.event, a->next_reported);
}

/* Add a call, also of no length, split where the state changes. Not inlined:
   most calls are not split. */
static __attribute__((noinline)) void
split_call(activity *a, const struct gaspdb_event *e, int64_t end_ns)
{
	do {
		int64_t stop_ns;
		bool waiting;

		if (a->at_ns >= a->until_ns)
			update_state(a);
		stop_ns = gaspdb_min(end_ns, a->until_ns);
		waiting = gaspdb_call_waits_at(&a->waits, e->id, a->at_ns,
					       &stop_ns);
		add_piece(a, waiting ? GASPDB_WAITING : GASPDB_CALLING, stop_ns,
			  e->id, e->source, GASPDB_NONE);
		a->at_ns = stop_ns;
	} while (a->at_ns < end_ns);
	find_special(a);
}

static inline void call(activity *a, const struct gaspdb_event *e)
{
	const int64_t end_ns = e->start_ns + e->duration_ns;

	if (end_ns > a->fast_until_ns || e->id >= a->next_special) {
		split_call(a, e, end_ns);
	} else {
		add_time(a, GASPDB_CALLING, end_ns, e->source, GASPDB_NONE);
		a->at_ns = end_ns;
	}
}

/* --- threads -------------------------------------------------------------- */

/* Add the computation after a thread's last call. */
static void finish_thread(activity *a)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(a->run, a->thread);

	if (t && t->last_ns != GASPDB_NONE)
		compute(a, t->last_ns, GASPDB_NONE);
	if (t) {
		gaspdb_recent_time_emit(a->recent);
		gaspdb_path_lines_end_thread(a->lines, a->thread);
	}
}

static void start_thread(activity *a, int64_t thread, int64_t first_ns)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(a->run, thread);

	a->thread = thread;
	a->at_ns = t && t->first_ns != GASPDB_NONE ? t->first_ns : first_ns;
	a->last_source = GASPDB_NONE;
	a->functions.n = 0;
	a->until_ns = a->fast_until_ns = INT64_MIN;
}

/* Finish the current thread and the threads without calls before the given one.
 */
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

/* Open a function. One that a call calls back counts only from the end of the
   call. */
static void open_function(activity *a, const struct gaspdb_event *e)
{
	const int64_t end_ns = e->start_ns + e->duration_ns;

	if (e->thread != a->thread) {
		go_to_thread(a, e->thread);
		start_thread(a, e->thread, e->start_ns);
	}
	if (e->start_ns >= a->at_ns) {
		compute(a, e->start_ns, e->source);
		a->last_source = e->source;
	}
	if (end_ns > a->at_ns)
		gaspdb_open_events_add(
			a->run, &a->functions, a->at_ns,
			(struct gaspdb_open_event){ end_ns, e->source });
}

/* Calls within calls are ignored. */
void gaspdb_activity_consume(activity *a, const struct gaspdb_event *e)
{
	const struct gaspdb_line *line = gaspdb_path_line(a->lines, e->source);

	if (!line || !line->call) {
		if (line && line->function)
			open_function(a, e);
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
	a->last_source = e->source;
}

struct gaspdb_activity *
gaspdb_activity_open(struct gaspdb_run *run, struct gaspdb_path_lines *lines,
		     struct gaspdb_recent_time *recent,
		     const struct gaspdb_activity_callbacks *callbacks)
{
	activity *a = gaspdb_zeroed(run, 1, sizeof *a);

	if (!a)
		return NULL;
	*a = (activity){ .run = run,
			 .lines = lines,
			 .recent = recent,
			 .callbacks = callbacks,
			 .thread = GASPDB_NONE,
			 .until_ns = INT64_MIN,
			 .fast_until_ns = INT64_MIN };
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
