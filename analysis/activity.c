/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks three tables side by side, each in the order of threads and time, so
 * that a run of any length passes by in constant memory.
 */
#include "analysis/activity.h"

#include "analysis/scan.h"
#include "analysis/table.h"
#include "analysis/waits.h"

enum { PIECES = 128 };

struct activity {
	struct gaspdb_run *run;
	gaspdb_pieces_fn fn;
	void *user;
	struct gaspdb_piece pieces[PIECES]; /* not handed on yet */
	size_t n;
	struct gaspdb_cursor waits;
	int64_t next_wait; /* id */
	sqlite3_stmt *gaps;
	int64_t thread, at_ns, before; /* so far: until when, after which
					  source */
	struct {
		int64_t event, start_ns, end_ns;
	} wait; /* the next */
	struct {
		int64_t thread, start_ns, end_ns;
	} gap; /* the next */
	bool has_wait, has_gap;
};

static void hand_on(struct activity *a)
{
	a->fn(a->user, a->pieces, a->n);
	a->n = 0;
}

static struct gaspdb_piece *new_piece(struct activity *a)
{
	if (a->n == PIECES)
		hand_on(a);
	return &a->pieces[a->n++];
}

static void read_wait(struct activity *a)
{
	const int64_t *row = gaspdb_cursor_seek(&a->waits, a->next_wait);

	a->has_wait = row != NULL;
	if (!row)
		return;
	a->next_wait = row[GASPDB_WAIT_ID] + 1;
	a->wait.event = row[GASPDB_WAIT_EVENT];
	a->wait.start_ns = row[GASPDB_WAIT_START];
	a->wait.end_ns = row[GASPDB_WAIT_END];
}

static void read_gap(struct activity *a)
{
	a->has_gap = gaspdb_row(a->run, a->gaps);
	if (!a->has_gap)
		return;
	a->gap.thread = sqlite3_column_int64(a->gaps, 0);
	a->gap.start_ns = sqlite3_column_int64(a->gaps, 1);
	a->gap.end_ns = sqlite3_column_int64(a->gaps, 2);
}

/*
 * Cut a piece of computation at the next gap: what is before the gap, or the
 * gap's part if it begins there.
 */
static void cut_at_gap(struct activity *a, struct gaspdb_piece *p)
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

/* Computation up to end_ns, before the call of source `to`. */
static void compute(struct activity *a, int64_t end_ns, int64_t to)
{
	while (a->at_ns < end_ns) {
		struct gaspdb_piece *p = new_piece(a);

		*p = (struct gaspdb_piece){ .thread = a->thread,
					    .doing = GASPDB_COMPUTING,
					    .start_ns = a->at_ns,
					    .end_ns = end_ns,
					    .event = GASPDB_NONE,
					    .from = a->before,
					    .to = to };
		cut_at_gap(a, p);
		a->at_ns = p->end_ns;
	}
}

/* The next part of a call: until its next wait, or that wait. */
static void cut_at_wait(struct activity *a, struct gaspdb_piece *p)
{
	while (a->has_wait &&
	       (a->wait.event < p->event ||
		(a->wait.event == p->event && a->wait.end_ns <= p->start_ns)))
		read_wait(a);
	if (!a->has_wait || a->wait.event != p->event)
		return;
	if (a->wait.start_ns > p->start_ns) {
		p->end_ns = a->wait.start_ns;
		return;
	}
	p->doing = GASPDB_WAITING;
	p->end_ns = a->wait.end_ns;
}

static void call(struct activity *a, const struct gaspdb_event *e,
		 int64_t end_ns)
{
	do {
		struct gaspdb_piece *p = new_piece(a);

		*p = (struct gaspdb_piece){ .thread = a->thread,
					    .doing = GASPDB_CALLING,
					    .start_ns = a->at_ns,
					    .end_ns = end_ns,
					    .event = e->id,
					    .from = e->source,
					    .to = GASPDB_NONE };
		cut_at_wait(a, p);
		a->at_ns = p->end_ns;
	} while (a->at_ns < end_ns);
	a->before = e->source;
}

/* What is left after a thread's last call, up to its last moment. */
static void finish_thread(struct activity *a)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(a->run, a->thread);

	if (t && t->last_ns != GASPDB_NONE)
		compute(a, t->last_ns, GASPDB_NONE);
}

static void start_thread(struct activity *a, int64_t thread, int64_t first_ns)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(a->run, thread);

	a->thread = thread;
	a->at_ns = t && t->first_ns != GASPDB_NONE ? t->first_ns : first_ns;
	a->before = GASPDB_NONE;
}

/* End the current thread, and pass those without a call before that one. */
static void go_to_thread(struct activity *a, int64_t thread)
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

/* Only outermost calls into a runtime count. */
static void add_event(void *user, const struct gaspdb_event *e)
{
	struct activity *a = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(a->run, e->source);

	if (!source || !source->call)
		return;
	if (e->thread != a->thread) {
		go_to_thread(a, e->thread);
		start_thread(a, e->thread, e->start_ns);
	} else if (e->start_ns < a->at_ns) {
		return;
	}
	compute(a, e->start_ns, e->source);
	call(a, e, e->start_ns + e->duration_ns);
}

void gaspdb_activity(struct gaspdb_run *run, gaspdb_pieces_fn fn, void *user)
{
	struct activity a = {
		.run = run, .fn = fn, .user = user, .thread = GASPDB_NONE
	};

	gaspdb_cursor_open(&a.waits, run, "wait", GASPDB_WAIT_COLUMNS);
	a.gaps = gaspdb_prepare(run, "SELECT thread_id, start_ns, end_ns "
				     "FROM gap ORDER BY 1, 2, 3");
	read_wait(&a);
	read_gap(&a);
	gaspdb_scan_events(run, add_event, &a);
	go_to_thread(&a, run->n_threads);
	hand_on(&a);
	gaspdb_cursor_close(&a.waits);
	sqlite3_finalize(a.gaps);
}
