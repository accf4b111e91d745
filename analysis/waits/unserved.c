/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unserved time. A thread may be late because it had no processor, because it
 * compared the clocks of hosts for the collector, or because it waited for
 * another thread that did. The starts and ends of all waits
 * are read in the order of time. Each thread has a sum of the time that it has
 * lost, by itself and by the threads it waited for. A wait is explained by the
 * amount by which the late thread's sum has grown more than the waiting
 * thread's since the two were last synchronized.
 */
#include "analysis/waits/unserved.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/engine/run.h"
#include "analysis/rows/sorter.h"
#include "common/lower_bound.h"
#include "common/sum.h"
#include "sql/passes/waits.h"
#include "sql/sql.h"

enum { CHAIN_MAX = 64 }; /* limit of a chain of threads that wait */

/* A row of a start or end of a wait. */
enum { AT, IS_START, WAIT, THREAD, CAUSE, LENGTH, FOR_LOCK, COLUMNS };

/* A row of table unserved: a thread lacked a processor for time_ns of it. */
struct interval {
	int64_t id, thread, event; /* event NONE: outside of calls */
	int64_t start_ns, end_ns, time_ns;
	int64_t waited_ns, waited_until_ns;
	int64_t before_ns; /* time_ns of all earlier ones of the thread */
};

struct thread_state {
	size_t first, n;      /* its intervals */
	int64_t inherited_ns; /* lost by waiting for other threads */
	int64_t last_end_ns;  /* end of its last wait; NONE: none */
	int64_t wait, cause;  /* wait NONE: it does not wait */
	int64_t start_ns;     /* of the wait */
	int64_t base_ns;      /* part of the cause's sum that does not count */
};

struct unserved {
	struct gaspdb_run *run;
	struct interval *intervals;
	size_t n, room;
	struct thread_state *threads;
	sqlite3_stmt *insert;
};

/* --- intervals ------------------------------------------------------------ */

static void load(struct unserved *u)
{
	sqlite3_stmt *stmt = gaspdb_prepare(u->run, gaspdb_sql_unserved_times);

	while (gaspdb_row(u->run, stmt) &&
	       gaspdb_grow(u->run, &u->intervals, u->n, &u->room,
			   sizeof *u->intervals))
		u->intervals[u->n++] =
			(struct interval){ .id = gaspdb_column(stmt, 0),
					   .thread = gaspdb_column(stmt, 1),
					   .event = gaspdb_column(stmt, 2),
					   .start_ns = gaspdb_column(stmt, 3),
					   .end_ns = gaspdb_column(stmt, 4),
					   .time_ns = gaspdb_column(stmt, 5),
					   .waited_until_ns = GASPDB_NONE };
	sqlite3_finalize(stmt);
}

/* The first interval of an event; those without an event are the first of all.
 */
static size_t first_of(const struct unserved *u, int64_t event)
{
	size_t first;

	GASPDB_LOWER_BOUND(first, u->n, i, u->intervals[i].event < event);
	return first;
}

/* Add a wait to the intervals of its event. */
static void add_wait(struct unserved *u, int64_t event, int64_t start_ns,
		     int64_t end_ns)
{
	for (size_t i = first_of(u, event);
	     i < u->n && u->intervals[i].event == event; i++) {
		struct interval *v = &u->intervals[i];
		const int64_t from = gaspdb_max(start_ns, v->start_ns),
			      to = gaspdb_min(end_ns, v->end_ns);

		if (to <= from)
			continue;
		gaspdb_add_to(&v->waited_ns, to - from);
		v->waited_until_ns = gaspdb_max(v->waited_until_ns, to);
	}
}

/*
 * Subtract waits from the intervals: a thread that waits would have waited with
 * a processor, too. The time left is assumed to follow the last wait, because a
 * call ends soon after the event that it waits for.
 */
static void subtract_waits(struct unserved *u)
{
	sqlite3_stmt *stmt = gaspdb_prepare(u->run, gaspdb_sql_wait_times);

	while (gaspdb_row(u->run, stmt))
		add_wait(u, gaspdb_column(stmt, 0), gaspdb_column(stmt, 1),
			 gaspdb_column(stmt, 2));
	sqlite3_finalize(stmt);
	for (size_t i = 0; i < u->n; i++) {
		struct interval *v = &u->intervals[i];
		const int64_t rest = v->end_ns - v->start_ns - v->waited_ns;

		v->time_ns = gaspdb_max(0, gaspdb_min(v->time_ns, rest));
		if (v->waited_until_ns != GASPDB_NONE &&
		    v->end_ns - v->waited_until_ns >= v->time_ns)
			v->start_ns = v->waited_until_ns;
	}
}

static void write_intervals(struct unserved *u)
{
	sqlite3_stmt *stmt = gaspdb_prepare(u->run, gaspdb_sql_unserved_set);

	for (size_t i = 0; stmt && i < u->n; i++) {
		const struct interval *v = &u->intervals[i];

		if (v->waited_ns)
			gaspdb_write(
				u->run, stmt, 3,
				(int64_t[]){ v->id, v->start_ns, v->time_ns },
				NULL);
	}
	sqlite3_finalize(stmt);
	gaspdb_exec(u->run, gaspdb_sql_unserved_drop_empty);
}

/* Adds the time in which threads compared the clocks of their hosts. */
static void load_samples(struct unserved *u)
{
	sqlite3_stmt *stmt = gaspdb_prepare(u->run, gaspdb_sql_sample_times);

	while (gaspdb_row(u->run, stmt) &&
	       gaspdb_grow(u->run, &u->intervals, u->n, &u->room,
			   sizeof *u->intervals)) {
		struct interval v = { .thread = gaspdb_column(stmt, 0),
				      .event = GASPDB_NONE,
				      .start_ns = gaspdb_column(stmt, 1),
				      .end_ns = gaspdb_column(stmt, 2) };

		v.time_ns = v.end_ns - v.start_ns;
		if (v.time_ns > 0)
			u->intervals[u->n++] = v;
	}
	sqlite3_finalize(stmt);
}

/* Joins intervals that overlap; they are sorted. */
static void join_overlaps(struct unserved *u)
{
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++) {
		const struct interval *v = &u->intervals[i];
		struct interval *last = n ? &u->intervals[n - 1] : NULL;

		if (!last || last->thread != v->thread ||
		    v->start_ns >= last->end_ns) {
			u->intervals[n++] = *v;
			continue;
		}
		last->end_ns = gaspdb_max(last->end_ns, v->end_ns);
		last->time_ns = gaspdb_min(
			gaspdb_plus(last->time_ns, v->time_ns),
			last->end_ns - last->start_ns);
	}
	u->n = n;
}

static int by_thread(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread > y->thread ? 1 : -1;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* Sort the intervals by thread, and create the threads' states. */
static void create_threads(struct unserved *u)
{
	u->threads = gaspdb_zeroed(u->run, (size_t)u->run->n_threads,
				   sizeof *u->threads);
	if (!u->threads)
		return;
	qsort(u->intervals, u->n, sizeof *u->intervals, by_thread);
	join_overlaps(u);
	for (int64_t i = 0; i < u->run->n_threads; i++)
		u->threads[i].wait = u->threads[i].last_end_ns = GASPDB_NONE;
	for (size_t i = 0; i < u->n; i++) {
		struct interval *v = &u->intervals[i];
		struct thread_state *t = &u->threads[v->thread];

		if (!t->n++)
			t->first = i;
		else
			v->before_ns =
				gaspdb_plus(v[-1].before_ns, v[-1].time_ns);
	}
}

/* --- waits ---------------------------------------------------------------- */

/* Time that a thread lost by itself up to a time. */
static int64_t own_ns(const struct unserved *u, const struct thread_state *t,
		      int64_t at_ns)
{
	const struct interval *v = &u->intervals[t->first];
	size_t n; /* intervals that start before at_ns */

	GASPDB_LOWER_BOUND(n, t->n, i, v[i].start_ns < at_ns);
	if (!n)
		return 0;
	v += n - 1;
	if (v->end_ns <= at_ns)
		return gaspdb_plus(v->before_ns, v->time_ns);
	return gaspdb_plus(
		v->before_ns,
		(int64_t)((double)v->time_ns * (double)(at_ns - v->start_ns) /
			  (double)(v->end_ns - v->start_ns)));
}

static struct thread_state *state_of(struct unserved *u, int64_t thread)
{
	return thread >= 0 && thread < u->run->n_threads ? &u->threads[thread]
							 : NULL;
}

/* Time that a thread lost by itself and by threads it waited for or waits for.
   depth: length of the chain of waiting threads so far. */
static int64_t lost_ns(struct unserved *u, int64_t thread, int64_t at_ns,
		       int depth)
{
	const struct thread_state *t = state_of(u, thread);
	int64_t ns;

	if (!t)
		return 0;
	ns = gaspdb_plus(own_ns(u, t, at_ns), t->inherited_ns);
	if (t->wait != GASPDB_NONE && depth < CHAIN_MAX)
		ns = gaspdb_plus(ns, gaspdb_max(0, lost_ns(u, t->cause, at_ns,
							   depth + 1) -
							   t->base_ns));
	return ns;
}

/*
 * The part of the cause's sum that does not explain the wait: all up to the
 * point at which the two threads were last synchronized, and the amount that
 * the waiting thread has lost since. That point is the end of the last wait of
 * either, because one of two threads that synchronize waits. The holder of a
 * lock delays others only by what it loses during their wait.
 */
static int64_t base_ns(struct unserved *u, const struct thread_state *t,
		       const int64_t *row, int64_t start_ns)
{
	const struct thread_state *cause = state_of(u, row[CAUSE]);
	const int64_t sync_ns =
		cause ? gaspdb_max(t->last_end_ns, cause->last_end_ns)
		      : start_ns;

	if (row[FOR_LOCK] || !cause || sync_ns >= start_ns ||
	    (cause->wait != GASPDB_NONE && cause->start_ns < sync_ns))
		return lost_ns(u, row[CAUSE], start_ns, 0);
	return gaspdb_plus(
		gaspdb_plus(own_ns(u, cause, sync_ns), cause->inherited_ns),
		own_ns(u, t, start_ns) - own_ns(u, t, sync_ns));
}

static void start_wait(struct unserved *u, struct thread_state *t,
		       const int64_t *row)
{
	t->wait = GASPDB_NONE;
	t->base_ns = base_ns(u, t, row, row[AT]);
	t->cause = row[CAUSE];
	t->start_ns = row[AT];
	t->wait = row[WAIT];
}

static void end_wait(struct unserved *u, struct thread_state *t,
		     const int64_t *row)
{
	int64_t ns;

	t->wait = GASPDB_NONE;
	t->last_end_ns = row[AT];
	ns = gaspdb_min(lost_ns(u, t->cause, row[AT], 0) - t->base_ns,
			row[LENGTH]);
	if (ns <= 0)
		return;
	t->inherited_ns = gaspdb_plus(t->inherited_ns, ns);
	gaspdb_write(u->run, u->insert, 2, (int64_t[]){ row[WAIT], ns }, NULL);
}

static void sort_waits(struct unserved *u, struct gaspdb_sorter *sorter)
{
	sqlite3_stmt *stmt = gaspdb_prepare(u->run, gaspdb_sql_caused_waits);

	while (gaspdb_row(u->run, stmt)) {
		const int64_t start = gaspdb_column(stmt, 3);
		int64_t row[COLUMNS] = { [WAIT] = gaspdb_column(stmt, 0),
					 [THREAD] = gaspdb_column(stmt, 1),
					 [CAUSE] = gaspdb_column(stmt, 2),
					 [FOR_LOCK] = gaspdb_column(stmt, 5) };

		row[AT] = gaspdb_column(stmt, 4);
		row[LENGTH] = row[AT] - start;
		gaspdb_sorter_add(sorter, row);
		row[AT] = start;
		row[IS_START] = 1;
		gaspdb_sorter_add(sorter, row);
	}
	sqlite3_finalize(stmt);
}

static void explain_waits(struct unserved *u)
{
	struct gaspdb_sorter sorter;
	const int64_t *row;

	gaspdb_sorter_init(&sorter, u->run, COLUMNS, 2);
	sort_waits(u, &sorter);
	u->insert = gaspdb_prepare(u->run, GASPDB_INSERT_INTO_wait_unserved);
	while (u->insert && (row = gaspdb_sorter_next(&sorter))) {
		struct thread_state *t = &u->threads[row[THREAD]];

		if (row[IS_START])
			start_wait(u, t, row);
		else if (t->wait == row[WAIT])
			end_wait(u, t, row);
	}
	sqlite3_finalize(u->insert);
	gaspdb_sorter_fini(&sorter);
}

/* --- the pass ------------------------------------------------------------- */

static void write_shares(struct gaspdb_run *run)
{
	char *sql = gaspdb_views_hold("unserved_call", false);

	gaspdb_exec(run, sql ? sql : "");
	gaspdb_exec(run, gaspdb_sql_unserved_share_fill);
	sqlite3_free(sql);
}

/* Is the unserved time below a thousandth of all threads' time? Such losses are
   normal and explain nothing, so all waits need not be read. */
static bool is_negligible(struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_unserved_is_little);
	const bool negligible =
		gaspdb_row(run, stmt) && sqlite3_column_int64(stmt, 0);

	sqlite3_finalize(stmt);
	return negligible;
}

enum gaspdb_status gaspdb_pass_unserved(struct gaspdb_run *run)
{
	struct unserved u = { .run = run };
	bool has_shares;

	if (is_negligible(run))
		gaspdb_exec(run, gaspdb_sql_unserved_drop_calls);
	else
		load(&u);
	has_shares = u.n > 0;
	if (has_shares) {
		subtract_waits(&u);
		write_intervals(&u);
	}
	load_samples(&u);
	if (u.n) {
		create_threads(&u);
		if (u.threads)
			explain_waits(&u);
		gaspdb_exec(run, gaspdb_sql_wait_total_unserved);
	}
	if (has_shares)
		write_shares(run);
	free(u.intervals);
	free(u.threads);
	return run->status;
}

void gaspdb_unserved_path(struct gaspdb_run *run)
{
	gaspdb_exec(run, gaspdb_sql_path_wait_unserved);
}
