/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lock by lock: the holds in the order in which the lock was taken, the time
 * that each acquisition spent while others held it, and for which of them.
 *
 * A lock is given back somewhere within the releasing call, and not after the
 * next acquisition returned: that is all there is to know of a hold's end.
 */
#include "analysis/locks.h"

#include <stdlib.h>

#include "analysis/groups.h"
#include "analysis/quality.h"
#include "analysis/scan.h"
#include "analysis/sorter.h"
#include "analysis/table.h"
#include "analysis/waits.h"
#include "sum.h"

struct call {
	int64_t event, source, thread, process;
	int64_t start_ns, end_ns;
	enum {
		ACQUIRE,
		ATTEMPT,
		RELEASE,
		PENDING
	} what; /* PENDING: still
		   waiting when its
		   log ended */
};

struct hold {
	struct call by;
	int64_t release_event; /* NONE: never */
	int64_t release_start_ns, release_end_ns;
	int64_t end_ns;	  /* when it was free again */
	int64_t attempts; /* that failed before it */
};

/* A call that is gathered; EFFECT: when it takes the lock, or gives it back. */
enum { OBJECT, EFFECT, EVENT, THREAD, START, END, WHAT, SOURCE, COLUMNS };

struct locks {
	struct gaspdb_run run;
	struct gaspdb_wait_writer waits;
	struct gaspdb_sorter gathered; /* all calls, by lock */
	struct gaspdb_cursor arguments;
	struct gaspdb_groups successes; /* arguments of that name */
	struct gaspdb_bulk *uses;
	int64_t last_use;
	int64_t object;
	struct call *calls; /* of one lock, by the time of their effect */
	size_t n_calls, calls_room;
	struct hold *holds; /* by the time at which it was taken */
	size_t n_holds, holds_room;
	struct gaspdb_groups owners; /* process: the hold that it has not given
					back + 1; thread: failed attempts */
	struct gaspdb_groups totals; /* columns of lock_total */
	struct gaspdb_groups matrix; /* columns of lock_wait_total */
	int64_t overlaps, overlap_ns, overlap_thread, overlap_event;
	int64_t strays, stray_thread, stray_event;
};

static void stray(struct locks *l, const struct call *c)
{
	if (l->strays++)
		return;
	l->stray_thread = c->thread;
	l->stray_event = c->event;
}

/* The values of an owner: [0] its hold + 1, [1] failed attempts. */
static int64_t *owner(struct locks *l, int64_t id)
{
	return gaspdb_group(&l->run, &l->owners, &id);
}

static void take(struct locks *l, const struct call *c)
{
	int64_t *attempts = owner(l, c->thread);
	int64_t failed, *hold;

	if (!attempts || !gaspdb_grow(&l->run, &l->holds, l->n_holds,
				      &l->holds_room, sizeof(*l->holds)))
		return;
	failed = attempts[1];
	attempts[1] = 0;
	l->holds[l->n_holds++] = (struct hold){ .by = *c,
						.release_event = GASPDB_NONE,
						.attempts = failed };
	hold = owner(l, c->process);
	if (hold)
		hold[0] = (int64_t)l->n_holds;
}

static void give_back(struct locks *l, const struct call *c)
{
	int64_t *hold = owner(l, c->process);
	struct hold *h;

	if (!hold)
		return;
	if (!hold[0]) {
		stray(l, c);
		return;
	}
	h = &l->holds[hold[0] - 1];
	h->release_event = c->event;
	h->release_start_ns = c->start_ns;
	h->release_end_ns = c->end_ns;
	hold[0] = 0;
}

/* A lock belongs to a process: any thread of it may give it back. */
static void pair_calls(struct locks *l)
{
	for (size_t i = 0; i < l->n_calls; i++) {
		const struct call *c = &l->calls[i];
		int64_t *attempts;

		switch (c->what) {
		case ACQUIRE:
			take(l, c);
			break;
		case RELEASE:
			give_back(l, c);
			break;
		case ATTEMPT:
			attempts = owner(l, c->thread);
			if (attempts)
				attempts[1]++;
			break;
		case PENDING:
			break;
		}
	}
}

static int by_taken(const void *a, const void *b)
{
	const struct call *x = &((const struct hold *)a)->by;
	const struct call *y = &((const struct hold *)b)->by;

	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

/* When the lock was free again, for all that calls can tell. */
static int64_t end_of_hold(const struct locks *l, size_t i)
{
	const struct hold *h = &l->holds[i];
	const struct gaspdb_run_thread *t;
	int64_t next_ns;

	if (i + 1 == l->n_holds) {
		t = gaspdb_run_thread(&l->run, h->by.thread);
		return h->release_event != GASPDB_NONE	? h->release_end_ns
		       : t && t->last_ns != GASPDB_NONE ? t->last_ns
							: h->by.end_ns;
	}
	next_ns = l->holds[i + 1].by.end_ns;
	if (h->release_event == GASPDB_NONE)
		return next_ns;
	return gaspdb_min(h->release_end_ns,
			  gaspdb_max(h->release_start_ns, next_ns));
}

/* Where the next one had it already, the clocks or the recording are wrong. */
static void end_holds(struct locks *l)
{
	for (size_t i = 0; i < l->n_holds; i++) {
		struct hold *h = &l->holds[i];
		int64_t excess_ns;

		h->end_ns = end_of_hold(l, i);
		if (i + 1 == l->n_holds)
			return;
		excess_ns = h->end_ns - l->holds[i + 1].by.end_ns;
		if (excess_ns <= 0)
			continue;
		if (!l->overlaps++) {
			l->overlap_thread = h->by.thread;
			l->overlap_event = h->release_event;
		}
		gaspdb_add_to(&l->overlap_ns, excess_ns);
	}
}

/* How many holds had begun at t_ns. */
static size_t holds_begun(const struct locks *l, int64_t t_ns)
{
	size_t low = 0, high = l->n_holds;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->holds[middle].by.end_ns <= t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Who waited for this lock while who held it. */
static void add_to_matrix(struct locks *l, const struct gaspdb_wait *w,
			  const struct hold *holder)
{
	const int64_t ns = w->end_ns - w->start_ns;
	int64_t *sums;

	if (ns <= 0)
		return;
	sums = gaspdb_group(&l->run, &l->matrix,
			    (int64_t[]){ l->object, w->thread, w->cause_thread,
					 holder->by.source });
	if (!sums)
		return;
	sums[0]++;
	gaspdb_add_to(&sums[1], ns);
	sums[2] = gaspdb_max(sums[2], ns);
	if (w->kind == GASPDB_WAIT_LOCK_ATTEMPT)
		gaspdb_add_to(&sums[3], ns);
}

static void propose(struct locks *l, const struct call *c,
		    enum gaspdb_wait_kind kind, int64_t start_ns,
		    int64_t end_ns, const struct hold *holder)
{
	struct gaspdb_wait w = { .kind = kind,
				 .thread = c->thread,
				 .event = c->event,
				 .start_ns = start_ns,
				 .end_ns = end_ns,
				 .cause_thread = GASPDB_NONE,
				 .cause_event = GASPDB_NONE,
				 .cause_ns = GASPDB_NONE };

	if (holder) {
		w.cause_thread = holder->by.thread;
		w.cause_event = holder->by.event;
		w.cause_ns = holder->end_ns;
		add_to_matrix(l, &w, holder);
	}
	gaspdb_wait_propose(&l->waits, &w);
}

/*
 * Cut the time from a call's enter to limit_ns, while others held the lock, at
 * the holds before number n: each piece to its holder, what lies between them
 * to the lock.  Returns its length.
 */
static int64_t contend(struct locks *l, const struct call *c, size_t n)
{
	int64_t limit_ns, at_ns;

	if (!n)
		return 0;
	limit_ns = gaspdb_min(l->holds[n - 1].end_ns, c->end_ns);
	if (limit_ns <= c->start_ns)
		return 0;
	for (at_ns = limit_ns; n > 0 && at_ns > c->start_ns; n--) {
		const struct hold *h = &l->holds[n - 1];
		int64_t from_ns = gaspdb_max(h->by.end_ns, c->start_ns);
		int64_t to_ns = gaspdb_min(h->end_ns, at_ns);

		if (to_ns <= c->start_ns) {
			propose(l, c, GASPDB_WAIT_LOCK_HAND_OVER, c->start_ns,
				at_ns, NULL);
			at_ns = c->start_ns;
			break;
		}
		if (to_ns <= from_ns)
			continue;
		propose(l, c, GASPDB_WAIT_LOCK_HAND_OVER, to_ns, at_ns, NULL);
		propose(l, c, GASPDB_WAIT_LOCK, from_ns, to_ns, h);
		at_ns = from_ns;
	}
	propose(l, c, GASPDB_WAIT_LOCK_HAND_OVER, c->start_ns, at_ns, NULL);
	return limit_ns - c->start_ns;
}

static void add_total(struct locks *l, const struct hold *h,
		      int64_t contended_ns)
{
	int64_t hold_ns = h->end_ns - h->by.end_ns;
	int64_t *sums = gaspdb_group(
		&l->run, &l->totals,
		(int64_t[]){ l->object, h->by.source, h->by.thread });

	if (!sums)
		return;
	sums[0]++;
	sums[1] += contended_ns > 0;
	gaspdb_add_to(&sums[2], contended_ns);
	sums[3] = gaspdb_max(sums[3], contended_ns);
	gaspdb_add_to(&sums[4], h->by.end_ns - h->by.start_ns - contended_ns);
	gaspdb_add_to(&sums[5], hold_ns);
	sums[6] = gaspdb_max(sums[6], hold_ns);
	gaspdb_add_to(&sums[7], h->attempts);
}

static void write_uses(struct locks *l)
{
	for (size_t i = 0; i < l->n_holds; i++) {
		const struct hold *h = &l->holds[i];
		int64_t contended_ns = contend(l, &h->by, i);
		const int64_t values[] = {
			++l->last_use,
			l->object,
			h->by.thread,
			h->by.event,
			h->release_event,
			h->by.start_ns,
			h->by.end_ns,
			h->end_ns,
			contended_ns,
			h->by.end_ns - h->by.start_ns - contended_ns,
			h->attempts
		};

		gaspdb_bulk_add(l->uses, values);
		add_total(l, h, contended_ns);
	}
}

/* Attempts that failed, and acquisitions that had not ended. */
static void failed_calls(struct locks *l)
{
	for (size_t i = 0; i < l->n_calls; i++) {
		const struct call *c = &l->calls[i];
		size_t n;

		if (c->what == PENDING) {
			contend(l, c, holds_begun(l, c->end_ns));
		} else if (c->what == ATTEMPT) {
			n = holds_begun(l, c->start_ns);
			propose(l, c, GASPDB_WAIT_LOCK_ATTEMPT, c->start_ns,
				c->end_ns,
				n && l->holds[n - 1].end_ns > c->start_ns
					? &l->holds[n - 1]
					: NULL);
		}
	}
}

static void tell_order(struct locks *l)
{
	if (l->overlaps)
		gaspdb_quality_add(&l->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_DEFECT_LOCK_ORDER,
					   .thread = l->overlap_thread,
					   .event = l->overlap_event,
					   .count = l->overlaps,
					   .bytes = GASPDB_NONE,
					   .time_ns = l->overlap_ns },
				   "taken by another thread before it was "
				   "given back");
	if (l->strays)
		gaspdb_quality_add(&l->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_DEFECT_LOCK_ORDER,
					   .thread = l->stray_thread,
					   .event = l->stray_event,
					   .count = l->strays,
					   .bytes = GASPDB_NONE,
					   .time_ns = GASPDB_NONE },
				   "given back by a process that had not "
				   "taken it");
}

static void finish_lock(struct locks *l)
{
	pair_calls(l);
	if (l->n_holds)
		qsort(l->holds, l->n_holds, sizeof(*l->holds), by_taken);
	end_holds(l);
	write_uses(l);
	failed_calls(l);
	tell_order(l);
	l->n_calls = l->n_holds = 0;
	gaspdb_groups_clear(&l->owners);
	l->overlaps = l->overlap_ns = l->strays = 0;
}

/* --- reading -------------------------------------------------------------- */

static void load_successes(struct locks *l)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&l->run, "SELECT id FROM argument WHERE name = 'success'");

	while (gaspdb_row(&l->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);

		gaspdb_group(&l->run, &l->successes, &id);
	}
	sqlite3_finalize(stmt);
}

/* Did an attempt get the lock, as far as is known? */
static bool succeeded(struct locks *l, int64_t event)
{
	const int64_t first = event * GASPDB_ARGS_OF_EVENT;
	const int64_t *row = gaspdb_cursor_seek(&l->arguments, first);

	while (row && row[GASPDB_EVENT_ARG_ID] < first + GASPDB_ARGS_OF_EVENT) {
		if (gaspdb_groups_find(&l->successes,
				       &row[GASPDB_EVENT_ARG_ARGUMENT]))
			return row[GASPDB_EVENT_ARG_VALUE] != 0 &&
			       row[GASPDB_EVENT_ARG_VALUE] != GASPDB_NONE;
		row = gaspdb_cursor_seek(&l->arguments,
					 row[GASPDB_EVENT_ARG_ID] + 1);
	}
	return false;
}

static void gather_event(void *user, const struct gaspdb_event *e)
{
	struct locks *l = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(&l->run, e->source);
	const enum gaspdb_type type = source ? source->type : GASPDB_N_TYPES;
	const int64_t end_ns = e->start_ns + e->duration_ns;
	int64_t what;

	if (type == GASPDB_TYPE_unlock)
		what = RELEASE;
	else if (type != GASPDB_TYPE_lock && type != GASPDB_TYPE_lock_attempt)
		return;
	else if (e->open)
		what = PENDING;
	else if (type == GASPDB_TYPE_lock_attempt && !succeeded(l, e->id))
		what = ATTEMPT;
	else
		what = ACQUIRE;
	gaspdb_sorter_add(
		&l->gathered,
		(int64_t[]){ [OBJECT] = e->object,
			     [EFFECT] = what == RELEASE ? e->start_ns : end_ns,
			     [EVENT] = e->id,
			     [THREAD] = e->thread,
			     [START] = e->start_ns,
			     [END] = end_ns,
			     [WHAT] = what,
			     [SOURCE] = e->source });
}

static void gather_calls(struct locks *l)
{
	gaspdb_sorter_init(&l->gathered, &l->run, COLUMNS, EVENT + 1);
	gaspdb_groups_init(&l->successes, 1, 0);
	gaspdb_cursor_open(&l->arguments, &l->run, "event_arg",
			   GASPDB_EVENT_ARG_COLUMNS);
	load_successes(l);
	gaspdb_scan_events(&l->run, gather_event, l);
	gaspdb_cursor_close(&l->arguments);
	gaspdb_groups_fini(&l->successes);
}

static void read_call(struct locks *l, const int64_t *row)
{
	if (!gaspdb_grow(&l->run, &l->calls, l->n_calls, &l->calls_room,
			 sizeof(*l->calls)))
		return;
	l->calls[l->n_calls++] = (struct call){ .event = row[EVENT],
						.source = row[SOURCE],
						.thread = row[THREAD],
						.process = gaspdb_run_process(
							&l->run, row[THREAD]),
						.start_ns = row[START],
						.end_ns = row[END],
						.what = row[WHAT] };
}

static void read_calls(struct locks *l)
{
	struct gaspdb_quality_row unknown = {
		.kind = GASPDB_DEFECT_OBJECT_UNKNOWN,
		.bytes = GASPDB_NONE,
		.time_ns = 0
	};
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&l->gathered))) {
		if (row[OBJECT] == GASPDB_NONE) {
			if (!unknown.count++) {
				unknown.event = row[EVENT];
				unknown.thread = row[THREAD];
			}
			gaspdb_add_to(&unknown.time_ns, row[END] - row[START]);
			continue;
		}
		if (l->n_calls && row[OBJECT] != l->object)
			finish_lock(l);
		l->object = row[OBJECT];
		read_call(l, row);
	}
	finish_lock(l);
	if (unknown.count)
		gaspdb_quality_add(&l->run, &unknown,
				   "calls of locks: their waits are not known");
}

enum gaspdb_status gaspdb_pass_locks(sqlite3 *db, struct gaspdb_error *err)
{
	static const enum gaspdb_type types[] = { GASPDB_TYPE_lock,
						  GASPDB_TYPE_lock_attempt,
						  GASPDB_TYPE_unlock };
	struct locks l = { .object = GASPDB_NONE };

	gaspdb_run_open(&l.run, db, err);
	if (!gaspdb_run_has(&l.run, types, 3))
		return gaspdb_run_close(&l.run);
	gaspdb_wait_writer_open(&l.waits, &l.run);
	gaspdb_groups_init(&l.owners, 1, 2);
	gaspdb_groups_init(&l.totals, 3, 8);
	gaspdb_groups_init(&l.matrix, 4, 4);
	l.uses = gaspdb_bulk_open(&l.run, "lock_use", 11, 0, NULL);
	gather_calls(&l);
	read_calls(&l);
	gaspdb_groups_write(&l.run, &l.totals,
			    "INSERT INTO lock_total(object, source_id, "
			    "thread_id, acquisitions, contended, contended_ns, "
			    "longest_contended_ns, latency_ns, hold_ns, "
			    "longest_hold_ns, attempts) "
			    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	gaspdb_groups_write(&l.run, &l.matrix,
			    "INSERT INTO lock_wait_total(object, thread_id, "
			    "holder_thread_id, holder_source_id, waits, "
			    "time_ns, longest_ns, attempts_ns) "
			    "VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
	gaspdb_sorter_fini(&l.gathered);
	gaspdb_wait_writer_close(&l.waits);
	free(l.calls);
	free(l.holds);
	gaspdb_groups_fini(&l.owners);
	gaspdb_groups_fini(&l.totals);
	gaspdb_groups_fini(&l.matrix);
	return gaspdb_run_close(&l.run);
}
