/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Split of a thread's time into computation, between its calls, and other work.
 * Most calls are plain: no boundary of the callbacks lies before them, so only
 * a sum is updated.
 */
#include "analysis/pop/work.h"

#include "common/sum.h"

typedef struct gaspdb_work work;

static void flush_sums(work *w)
{
	if (!w->pending.computation_ns && !w->pending.other_ns)
		return;
	w->callbacks->add(w->callbacks->user, w->thread, &w->pending);
	w->pending = (struct gaspdb_work_sums){ 0, 0 };
}

/* Update the state at a boundary. */
static void update_state(work *w)
{
	flush_sums(w);
	w->until_ns = gaspdb_min(gaspdb_thread_gaps_at(&w->gaps, w->thread,
						       w->at_ns, &w->in_gap),
				 w->callbacks->boundary(w->callbacks->user,
							w->thread, w->at_ns));
	w->plain_ns = w->in_gap ? INT64_MIN : w->until_ns;
}

static void add_to(work *w, int64_t *sum, int64_t end_ns)
{
	*sum += end_ns - w->at_ns;
	w->at_ns = end_ns;
}

/* Add computation and gaps, split at boundaries. */
static void compute_in_parts(work *w, int64_t end_ns)
{
	while (w->at_ns < end_ns) {
		if (w->at_ns >= w->until_ns)
			update_state(w);
		add_to(w,
		       w->in_gap ? &w->pending.other_ns
				 : &w->pending.computation_ns,
		       gaspdb_min(end_ns, w->until_ns));
	}
}

static void compute(work *w, int64_t end_ns)
{
	if (end_ns > w->plain_ns)
		compute_in_parts(w, end_ns);
	else if (w->at_ns < end_ns)
		add_to(w, &w->pending.computation_ns, end_ns);
}

/* Add the work of a call that keeps its time; its waits are no work. */
static void allocate(work *w, int64_t event, int64_t end_ns)
{
	while (w->at_ns < end_ns) {
		int64_t stop_ns;

		if (w->at_ns >= w->until_ns)
			update_state(w);
		stop_ns = gaspdb_min(end_ns, w->until_ns);
		if (gaspdb_call_waits_at(&w->waits, event, w->at_ns, &stop_ns))
			w->at_ns = stop_ns;
		else
			add_to(w, &w->pending.other_ns, stop_ns);
	}
}

static void start_thread(work *w, int64_t thread, int64_t first_ns)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(w->run, thread);

	w->thread = thread;
	w->at_ns = t && t->first_ns != GASPDB_NONE ? t->first_ns : first_ns;
	w->until_ns = w->plain_ns = INT64_MIN;
}

/* Add the computation after a thread's last call. */
static void finish_thread(work *w)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(w->run, w->thread);

	if (t && t->last_ns != GASPDB_NONE)
		compute(w, t->last_ns);
	if (t)
		flush_sums(w);
}

/* End the current thread, and process threads without calls before the next. */
static void advance_to_thread(work *w, int64_t thread)
{
	int64_t next = w->thread == GASPDB_NONE ? 0 : w->thread + 1;

	finish_thread(w);
	for (; next < thread; next++) {
		const struct gaspdb_run_thread *t =
			gaspdb_run_thread(w->run, next);

		if (!t || t->last_ns == GASPDB_NONE)
			continue;
		start_thread(w, next, t->last_ns);
		finish_thread(w);
	}
}

const struct gaspdb_run_source *gaspdb_work_enter(work *w,
						  const struct gaspdb_event *e)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(w->run, e->source);

	if (!source || !source->call)
		return NULL;
	if (e->thread != w->thread) {
		advance_to_thread(w, e->thread);
		start_thread(w, e->thread, e->start_ns);
	} else if (e->start_ns < w->at_ns) {
		return NULL;
	}
	compute(w, e->start_ns);
	return source;
}

void gaspdb_work_leave(work *w, const struct gaspdb_event *e,
		       const struct gaspdb_run_source *source)
{
	const int64_t end_ns = e->start_ns + e->duration_ns;

	if (source->keeps_time)
		allocate(w, e->id, end_ns);
	else
		w->at_ns = end_ns;
}

void gaspdb_work_open(work *w, struct gaspdb_run *run,
		      const struct gaspdb_work_callbacks *callbacks)
{
	*w = (work){ .run = run,
		     .callbacks = callbacks,
		     .thread = GASPDB_NONE,
		     .until_ns = INT64_MIN,
		     .plain_ns = INT64_MIN };
	gaspdb_thread_gaps_open(&w->gaps, run);
	gaspdb_call_waits_open(&w->waits, run);
}

void gaspdb_work_close(work *w)
{
	advance_to_thread(w, w->run->n_threads);
	gaspdb_thread_gaps_close(&w->gaps);
	gaspdb_call_waits_close(&w->waits);
}
