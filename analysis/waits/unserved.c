/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread that others wait for may be late because it had no processor, or
 * because it waited itself for one that had none.  All starts and ends of waits
 * pass by in the order of time; each thread has a sum of what it lost so far,
 * by itself and by those it waited for.  By how much that of the late thread
 * has grown more than that of the waiting one, since they last met, is
 * explained: so long the wait would not have lasted.
 */
#include "analysis/waits/unserved.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/engine/run.h"
#include "analysis/rows/sorter.h"
#include "common/sum.h"
#include "sql/passes/waits.h"
#include "sql/sql.h"

enum { CHAIN_MAX = 64 }; /* threads that wait for each other, looked at */

/* A wait begins or ends. */
enum { AT, BEGINS, WAIT, THREAD, CAUSE, LENGTH, MEANWHILE, COLUMNS };

struct interval {
	int64_t id, thread, event; /* event NONE: computation */
	int64_t start_ns, end_ns, time_ns;
	int64_t waited_ns, waited_until_ns;
	int64_t before_ns; /* of its thread, in all intervals before it */
};

struct thread_state {
	size_t first, n; /* its intervals */
	int64_t inherited_ns;
	int64_t last_ns;     /* it ended a wait */
	int64_t wait, cause; /* NONE: it does not wait */
	int64_t began_ns;
	int64_t since_ns; /* of the cause's sum, what does not count */
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

/* The first interval of an event; those of none come first. */
static size_t first_of(const struct unserved *u, int64_t event)
{
	size_t low = 0, high = u->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (u->intervals[middle].event < event)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

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
 * Who waits would have waited with a processor, too: only what lies behind, or
 * between, waits can have been lost.  A call ends soon after what it waits for
 * has come, so that is taken to be behind the last.
 */
static void leave_out_waits(struct unserved *u)
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

static int by_thread(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread > y->thread ? 1 : -1;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static void begin_threads(struct unserved *u)
{
	u->threads = gaspdb_zeroed(u->run, (size_t)u->run->n_threads,
				   sizeof *u->threads);
	if (!u->threads)
		return;
	qsort(u->intervals, u->n, sizeof *u->intervals, by_thread);
	for (int64_t i = 0; i < u->run->n_threads; i++)
		u->threads[i].wait = u->threads[i].last_ns = GASPDB_NONE;
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

/* What a thread has lost by itself up to then. */
static int64_t own_ns(const struct unserved *u, const struct thread_state *t,
		      int64_t at_ns)
{
	size_t low = 0, high = t->n;
	const struct interval *v;

	while (low < high) { /* the first that begins then, or later */
		const size_t middle = low + (high - low) / 2;

		if (u->intervals[t->first + middle].start_ns < at_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return 0;
	v = &u->intervals[t->first + low - 1];
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

/* By itself, and by those it waited for. */
static int64_t sum_ns(struct unserved *u, int64_t thread, int64_t at_ns,
		      int depth)
{
	const struct thread_state *t = state_of(u, thread);
	int64_t ns;

	if (!t)
		return 0;
	ns = gaspdb_plus(own_ns(u, t, at_ns), t->inherited_ns);
	if (t->wait != GASPDB_NONE && depth < CHAIN_MAX)
		ns = gaspdb_plus(ns, gaspdb_max(0, sum_ns(u, t->cause, at_ns,
							  depth + 1) -
							   t->since_ns));
	return ns;
}

/*
 * Since when counts what the cause lost: it is late by what it lost since both
 * were last at one point, less what the waiting thread has lost since then.
 * That is where either last ended a wait, for one of two that meet waits.  A
 * lock's holder keeps others waiting by what it does meanwhile only.
 */
static int64_t base_ns(struct unserved *u, const struct thread_state *t,
		       const int64_t *row, int64_t start_ns)
{
	const struct thread_state *cause = state_of(u, row[CAUSE]);
	const int64_t met_ns =
		cause ? gaspdb_max(t->last_ns, cause->last_ns) : start_ns;

	if (row[MEANWHILE] || !cause || met_ns >= start_ns ||
	    (cause->wait != GASPDB_NONE && cause->began_ns < met_ns))
		return sum_ns(u, row[CAUSE], start_ns, 0);
	return gaspdb_plus(
		gaspdb_plus(own_ns(u, cause, met_ns), cause->inherited_ns),
		own_ns(u, t, start_ns) - own_ns(u, t, met_ns));
}

static void begin_wait(struct unserved *u, struct thread_state *t,
		       const int64_t *row)
{
	t->wait = GASPDB_NONE;
	t->since_ns = base_ns(u, t, row, row[AT]);
	t->cause = row[CAUSE];
	t->began_ns = row[AT];
	t->wait = row[WAIT];
}

static void end_wait(struct unserved *u, struct thread_state *t,
		     const int64_t *row)
{
	int64_t ns;

	t->wait = GASPDB_NONE;
	t->last_ns = row[AT];
	ns = gaspdb_min(sum_ns(u, t->cause, row[AT], 0) - t->since_ns,
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
					 [MEANWHILE] = gaspdb_column(stmt, 5) };

		row[AT] = gaspdb_column(stmt, 4);
		row[LENGTH] = row[AT] - start;
		gaspdb_sorter_add(sorter, row);
		row[AT] = start;
		row[BEGINS] = 1;
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

		if (row[BEGINS])
			begin_wait(u, t, row);
		else if (t->wait == row[WAIT])
			end_wait(u, t, row);
	}
	sqlite3_finalize(u->insert);
	gaspdb_sorter_fini(&sorter);
}

static void write_totals(struct gaspdb_run *run)
{
	gaspdb_exec(run, gaspdb_sql_wait_total_unserved);
}

/* --- calls ---------------------------------------------------------------- */

static void write_shares(struct gaspdb_run *run)
{
	char *sql = gaspdb_views_hold("unserved_call", false);

	gaspdb_exec(run, sql ? sql : "");
	gaspdb_exec(run, gaspdb_sql_unserved_share_fill);
	sqlite3_free(sql);
}

/* Any system takes a processor away now and then: less than a thousandth of all
   threads' time explains nothing, and is not worth to look at all waits. */
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

	if (is_negligible(run)) {
		gaspdb_exec(run, gaspdb_sql_unserved_drop_calls);
		return run->status;
	}
	load(&u);
	if (u.n) {
		leave_out_waits(&u);
		write_intervals(&u);
		begin_threads(&u);
		if (u.threads)
			explain_waits(&u);
		write_totals(run);
		write_shares(run);
	}
	free(u.intervals);
	free(u.threads);
	return run->status;
}

void gaspdb_unserved_path(struct gaspdb_run *run)
{
	gaspdb_exec(
		run,
		"UPDATE path_wait AS p SET time_ns = "
		"  CAST(round(p.time_ns * s.part) AS INTEGER) FROM ("
		"  SELECT w.kind, w.cause_thread_id AS thread_id, "
		"    x.spot, 1.0 - 1.0 * sum(w.unserved_ns) / sum(w.time_ns) "
		"    AS part FROM wait_total w JOIN spot x ON "
		"    x.source_id = coalesce(w.cause_source_id, w.source_id) "
		"  WHERE NOT w.below_error GROUP BY 1, 2, 3 "
		"  HAVING sum(w.unserved_ns) > 0) s "
		"WHERE p.kind = s.kind AND p.thread_id IS s.thread_id "
		"AND p.source_id = s.spot");
	gaspdb_exec(run, "DELETE FROM path_wait WHERE time_ns <= 0");
}
