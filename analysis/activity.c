/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks three tables side by side, each in the order of threads and time, so
 * that a run of any length passes by in constant memory.
 */
#include "analysis/activity.h"

static void read_wait(struct gaspdb_activity *a)
{
	a->has_wait = gaspdb_row(a->run, a->waits);
	if (!a->has_wait)
		return;
	a->wait.event = sqlite3_column_int64(a->waits, 0);
	a->wait.start_ns = sqlite3_column_int64(a->waits, 1);
	a->wait.end_ns = sqlite3_column_int64(a->waits, 2);
}

static void read_gap(struct gaspdb_activity *a)
{
	a->has_gap = gaspdb_row(a->run, a->gaps);
	if (!a->has_gap)
		return;
	a->gap.thread = sqlite3_column_int64(a->gaps, 0);
	a->gap.start_ns = sqlite3_column_int64(a->gaps, 1);
	a->gap.end_ns = sqlite3_column_int64(a->gaps, 2);
}

/* The next outermost call into a runtime. */
static void read_call(struct gaspdb_activity *a)
{
	int64_t thread = a->call.thread, end_ns = a->call.end_ns;
	const struct gaspdb_run_source *source;

	while ((a->has_call = gaspdb_row(a->run, a->events))) {
		a->call.event = sqlite3_column_int64(a->events, 0);
		a->call.thread = sqlite3_column_int64(a->events, 1);
		a->call.source = sqlite3_column_int64(a->events, 2);
		a->call.start_ns = sqlite3_column_int64(a->events, 3);
		a->call.end_ns = sqlite3_column_int64(a->events, 4);
		source = gaspdb_run_source(a->run, a->call.source);
		if (!source || !source->call)
			continue;
		if (a->call.thread != thread || a->call.start_ns >= end_ns)
			return;
	}
}

void gaspdb_activity_open(struct gaspdb_activity *a, struct gaspdb_run *run)
{
	*a = (struct gaspdb_activity){ .run = run,
				       .thread = GASPDB_NONE,
				       .before = GASPDB_NONE };
	a->call.thread = GASPDB_NONE;
	a->events = gaspdb_prepare(run,
				   "SELECT id, thread_id, source_id, start_ns, "
				   "start_ns + duration_ns FROM event "
				   "WHERE nested = 0 ORDER BY id");
	a->waits = gaspdb_prepare(run, "SELECT event_id, start_ns, end_ns "
				       "FROM wait ORDER BY id");
	a->gaps = gaspdb_prepare(run, "SELECT thread_id, start_ns, end_ns "
				      "FROM gap ORDER BY 1, 2, 3");
	read_call(a);
	read_wait(a);
	read_gap(a);
}

/* What is left after a thread's last call, up to its last moment. */
static bool finish_thread(struct gaspdb_activity *a, struct gaspdb_piece *p)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(a->run, a->thread);

	if (!t || t->last_ns == GASPDB_NONE || t->last_ns <= a->at_ns)
		return false;
	*p = (struct gaspdb_piece){ .thread = a->thread,
				    .doing = GASPDB_COMPUTING,
				    .start_ns = a->at_ns,
				    .end_ns = t->last_ns,
				    .event = GASPDB_NONE,
				    .from = a->before,
				    .to = GASPDB_NONE };
	return true;
}

static void start_thread(struct gaspdb_activity *a)
{
	const struct gaspdb_run_thread *t;

	a->thread = a->call.thread;
	t = gaspdb_run_thread(a->run, a->thread);
	a->at_ns = t && t->first_ns != GASPDB_NONE ? t->first_ns :
						     a->call.start_ns;
	a->before = GASPDB_NONE;
}

/*
 * Cut a piece of computation at the next gap: what is before the gap, or the
 * gap's part if it begins there.
 */
static void cut_at_gap(struct gaspdb_activity *a, struct gaspdb_piece *p)
{
	while (a->has_gap &&
	       (a->gap.thread < p->thread ||
		(a->gap.thread == p->thread && a->gap.end_ns <= p->start_ns)))
		read_gap(a);
	if (!a->has_gap || a->gap.thread != p->thread ||
	    a->gap.start_ns >= p->end_ns)
		return;
	if (a->gap.start_ns > p->start_ns) {
		p->end_ns = a->gap.start_ns;
		return;
	}
	p->doing = GASPDB_NOT_RECORDED;
	if (a->gap.end_ns < p->end_ns)
		p->end_ns = a->gap.end_ns;
}

/* The next part of the current call: until its next wait, or that wait. */
static void cut_at_wait(struct gaspdb_activity *a, struct gaspdb_piece *p)
{
	while (a->has_wait && (a->wait.event < a->call.event ||
			       (a->wait.event == a->call.event &&
				a->wait.end_ns <= p->start_ns)))
		read_wait(a);
	if (!a->has_wait || a->wait.event != a->call.event)
		return;
	if (a->wait.start_ns > p->start_ns) {
		p->end_ns = a->wait.start_ns;
		return;
	}
	p->doing = GASPDB_WAITING;
	p->end_ns = a->wait.end_ns;
}

static void next_of_call(struct gaspdb_activity *a, struct gaspdb_piece *p)
{
	*p = (struct gaspdb_piece){ .thread = a->thread,
				    .doing = GASPDB_CALLING,
				    .start_ns = a->at_ns,
				    .end_ns = a->call.end_ns,
				    .event = a->call.event,
				    .from = a->call.source,
				    .to = GASPDB_NONE };
	cut_at_wait(a, p);
	a->at_ns = p->end_ns;
	if (a->at_ns < a->call.end_ns)
		return;
	a->in_call = false;
	a->before = a->call.source;
	read_call(a);
}

bool gaspdb_activity_next(struct gaspdb_activity *a, struct gaspdb_piece *p)
{
	if (a->in_call) {
		next_of_call(a, p);
		return true;
	}
	if (a->thread != GASPDB_NONE &&
	    (!a->has_call || a->call.thread != a->thread)) {
		if (finish_thread(a, p)) {
			cut_at_gap(a, p);
			a->at_ns = p->end_ns;
			return true;
		}
		a->thread = GASPDB_NONE;
	}
	if (!a->has_call)
		return false;
	if (a->thread == GASPDB_NONE)
		start_thread(a);
	if (a->at_ns >= a->call.start_ns) {
		a->in_call = true;
		next_of_call(a, p);
		return true;
	}
	*p = (struct gaspdb_piece){ .thread = a->thread,
				    .doing = GASPDB_COMPUTING,
				    .start_ns = a->at_ns,
				    .end_ns = a->call.start_ns,
				    .event = GASPDB_NONE,
				    .from = a->before,
				    .to = a->call.source };
	cut_at_gap(a, p);
	a->at_ns = p->end_ns;
	return true;
}

void gaspdb_activity_close(struct gaspdb_activity *a)
{
	sqlite3_finalize(a->events);
	sqlite3_finalize(a->waits);
	sqlite3_finalize(a->gaps);
}
