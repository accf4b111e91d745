/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call order: a scan of all events counts the calls of each thread, if any log
   is damaged. */
#include "analysis/collectives/calls/call_order.h"

#include <stdlib.h>

#include "analysis/engine/scan.h"
#include "common/sum.h"
#include "sql/passes/collectives.h"
#include "sql/store/table.h"

/* Position of a call relative to the damage; BETWEEN: also unknown. */
enum part { BEFORE, BETWEEN, AFTER };

struct gaspdb_thread_order {
	int64_t first_damage_ns, last_damage_ns; /* end of the first, of the
				     last damage; none: INT64_MAX, INT64_MIN */
	int64_t calls, lost; /* recorded, lost; lost NONE: unknown */
	bool complete;	     /* all calls are recorded except in the damage */
	bool compared;	     /* it makes the calls that all threads make */
	bool split;	     /* damage lies between the halves of a phase */
};

enum kind { NO_CALL, CALL, FIRST_HALF, SECOND_HALF };

struct count {
	struct gaspdb_call_order *order;
	unsigned char *kind;	 /* by source.id */
	int64_t thread, half_ns; /* a first half; NONE: none is open */
};

static enum part part_of(const struct gaspdb_thread_order *t, int64_t start_ns)
{
	if (start_ns < t->first_damage_ns)
		return BEFORE;
	return start_ns < t->last_damage_ns ? BETWEEN : AFTER;
}

/* --- counting ------------------------------------------------------------- */

static enum kind kind_of(enum gaspdb_type type)
{
	switch (type) {
	case GASPDB_TYPE_notify:
		return FIRST_HALF;
	case GASPDB_TYPE_barrier_wait:
		return SECOND_HALF;
	default:
		return CALL;
	}
}

static void load_sources(struct count *c)
{
	struct gaspdb_run *run = c->order->run;
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_unnumbered_sources);

	c->kind = gaspdb_zeroed(run, (size_t)run->n_sources, 1);
	while (c->kind && gaspdb_row(run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);
		const struct gaspdb_run_source *source =
			gaspdb_run_source(run, id);

		if (!source || !gaspdb_counts_by_order(source->type))
			continue;
		c->kind[id] = kind_of(source->type);
	}
	sqlite3_finalize(stmt);
}

static void count_call(struct count *c, const struct gaspdb_event *e,
		       enum kind kind)
{
	struct gaspdb_thread_order *t = &c->order->threads[e->thread];
	const int64_t half_ns =
		c->thread == e->thread ? c->half_ns : GASPDB_NONE;
	const bool second = kind == SECOND_HALF && half_ns != GASPDB_NONE;
	const enum part part = part_of(t, e->start_ns);

	c->thread = e->thread;
	c->half_ns = kind == FIRST_HALF ? e->start_ns : GASPDB_NONE;
	/* Other threads may have called more while it hung. */
	if (e->open && (part == AFTER || t->first_damage_ns == INT64_MAX))
		t->complete = false;
	if (second && part_of(t, half_ns) == part)
		return;
	t->split |= second && part_of(t, half_ns) == BEFORE && part == AFTER;
	t->calls++;
}

static bool count_event(void *user, const int64_t *values)
{
	struct count *c = user;
	const struct gaspdb_run *run = c->order->run;
	const struct gaspdb_event *e = gaspdb_event_of(values);

	if (!e->nested && gaspdb_run_source(run, e->source) &&
	    gaspdb_run_thread(run, e->thread) && c->kind[e->source])
		count_call(c, e, c->kind[e->source]);
	return run->status == GASPDB_OK;
}

static void count_calls(struct gaspdb_call_order *order)
{
	struct count c = { .order = order,
			   .thread = GASPDB_NONE,
			   .half_ns = GASPDB_NONE };
	struct gaspdb_table events;

	load_sources(&c);
	gaspdb_table_open(&events, &order->run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	if (c.kind)
		gaspdb_table_scan(&events, count_event, &c);
	gaspdb_table_close(&events);
	free(c.kind);
}

/* --- lost calls ----------------------------------------------------------- */

/* false: no block is damaged. */
static bool load_threads(struct gaspdb_call_order *order, int64_t thread)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(order->run, gaspdb_sql_call_order_threads);
	bool damaged = false;

	gaspdb_bind(order->run, stmt, 1, &thread);
	while (gaspdb_row(order->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);
		const bool known = gaspdb_column(stmt, 1) != GASPDB_NONE;
		const bool anywhere = !known && sqlite3_column_int(stmt, 3);
		struct gaspdb_thread_order *t = &order->threads[id];

		if (!gaspdb_run_thread(order->run, id))
			continue;
		t->first_damage_ns = known ? gaspdb_column(stmt, 1) : INT64_MAX;
		t->last_damage_ns = known ? gaspdb_column(stmt, 2) : INT64_MIN;
		if (anywhere) {
			t->first_damage_ns = INT64_MIN;
			t->last_damage_ns = INT64_MAX;
		}
		t->complete = sqlite3_column_int(stmt, 4);
		t->compared = sqlite3_column_int(stmt, 5);
		t->lost = GASPDB_NONE;
		damaged |= known || anywhere;
	}
	sqlite3_finalize(stmt);
	return damaged;
}

/* The number of calls of each thread with a complete log; NONE: no such thread,
   or they differ. */
static int64_t calls_of_all(const struct gaspdb_call_order *order)
{
	int64_t calls = GASPDB_NONE;

	for (int64_t i = 0; i < order->run->n_threads; i++) {
		const struct gaspdb_thread_order *t = &order->threads[i];

		if (!t->complete || !t->compared ||
		    t->first_damage_ns != INT64_MAX)
			continue;
		if (calls != GASPDB_NONE && calls != t->calls)
			return GASPDB_NONE;
		calls = t->calls;
	}
	return calls;
}

static void find_lost(struct gaspdb_call_order *order)
{
	const int64_t calls = calls_of_all(order);

	for (int64_t i = 0; i < order->run->n_threads; i++) {
		struct gaspdb_thread_order *t = &order->threads[i];

		/* -1: no call was lost between the halves of a phase. */
		if (calls != GASPDB_NONE && t->complete &&
		    calls - t->calls >= (t->split ? -1 : 0))
			t->lost = calls - t->calls;
	}
}

void gaspdb_call_order_open(struct gaspdb_call_order *order,
			    struct gaspdb_run *run, int64_t thread)
{
	*order = (struct gaspdb_call_order){ .run = run };
	gaspdb_unknown_waits_open(&order->unknown_waits, run);
	order->threads = gaspdb_zeroed(run, (size_t)run->n_threads,
				       sizeof *order->threads);
	if (!order->threads)
		return;
	if (load_threads(order, thread)) {
		count_calls(order);
		find_lost(order);
		return;
	}
	free(order->threads);
	order->threads = NULL;
}

/* --- queries -------------------------------------------------------------- */

int64_t gaspdb_call_order_lost(const struct gaspdb_call_order *order,
			       int64_t thread, int64_t start_ns)
{
	const struct gaspdb_thread_order *t =
		order->threads ? &order->threads[thread] : NULL;

	switch (t ? part_of(t, start_ns) : BEFORE) {
	case BEFORE:
		return 0;
	case AFTER:
		return t->lost;
	default:
		return GASPDB_NONE;
	}
}

bool gaspdb_call_order_separated(const struct gaspdb_call_order *order,
				 int64_t thread, int64_t a_ns, int64_t b_ns)
{
	const struct gaspdb_thread_order *t =
		order->threads ? &order->threads[thread] : NULL;

	return t && part_of(t, a_ns) != part_of(t, b_ns);
}

/* --- excluded members ----------------------------------------------------- */

static void report(struct gaspdb_call_order *order)
{
	if (order->excluded.count)
		gaspdb_quality_add(order->run, &order->excluded,
				   "after a damaged block");
	order->excluded.count = 0;
}

/* A member's time in the runtime, without the time between the halves of a
   phase. */
static int64_t time_of(const struct gaspdb_member *m)
{
	int64_t ns = 0;

	if (m->leave_ns != GASPDB_NONE)
		ns = m->leave_ns - m->wait_enter_ns;
	if (m->notify_leave_ns != GASPDB_NONE && m->enter_ns != GASPDB_NONE)
		gaspdb_add_to(&ns, m->notify_leave_ns - m->enter_ns);
	return ns;
}

void gaspdb_call_order_exclude(struct gaspdb_call_order *order,
			       const struct gaspdb_member *m)
{
	struct gaspdb_quality_row *row = &order->excluded;

	if (row->count && row->thread != m->thread)
		report(order);
	if (!row->count)
		*row = (struct gaspdb_quality_row){
			.kind = GASPDB_QUALITY_COLLECTIVE_UNPLACED,
			.thread = m->thread,
			.event = m->event,
			.bytes = GASPDB_NONE
		};
	row->count++;
	gaspdb_add_to(&row->time_ns, time_of(m));
	gaspdb_unknown_waits_add(&order->unknown_waits, m->wait_event);
}

void gaspdb_call_order_close(struct gaspdb_call_order *order)
{
	if (order->run)
		report(order);
	free(order->threads);
	order->threads = NULL;
}
