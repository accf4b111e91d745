/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clock errors of hosts, by thread. */
#include "analysis/engine/clock_errors.h"

#include <stdlib.h>

#include "common/sum.h"
#include "sql/passes/engine.h"

/* Threads without a log have no host, and no events. */
static bool several_hosts(struct gaspdb_run *run, bool *one)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_hosts);
	const bool row = gaspdb_row(run, stmt);
	const int64_t hosts = row ? sqlite3_column_int64(stmt, 0) : 0;

	*one = hosts == 1 && sqlite3_column_int64(stmt, 1) == 0;
	sqlite3_finalize(stmt);
	return hosts > 1;
}

static void load_backwards(struct gaspdb_clock_errors *errors,
			   struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_wrong_clocks);

	errors->backwards = gaspdb_zeroed(run, (size_t)errors->n,
					  sizeof *errors->backwards);
	while (errors->backwards && gaspdb_row(run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);

		if (id < errors->n)
			errors->backwards[id] = true;
	}
	sqlite3_finalize(stmt);
}

/* Fills first_step; hosts: of each step. */
static void index_steps(struct gaspdb_clock_errors *errors,
			struct gaspdb_run *run, const int64_t *hosts)
{
	int64_t host = 0;

	errors->n_hosts = errors->n_steps ? hosts[errors->n_steps - 1] : 0;
	errors->first_step = gaspdb_zeroed(run, (size_t)errors->n_hosts + 2,
					   sizeof *errors->first_step);
	if (!errors->first_step)
		return;
	for (size_t i = 0; i < errors->n_steps; i++)
		while (host <= hosts[i])
			errors->first_step[host++] = i;
	while (host <= errors->n_hosts + 1)
		errors->first_step[host++] = errors->n_steps;
}

static void load_steps(struct gaspdb_clock_errors *errors,
		       struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_host_clocks);
	int64_t *hosts = NULL;
	size_t room = 0;

	while (gaspdb_row(run, stmt) &&
	       gaspdb_grow(run, &errors->steps, errors->n_steps,
			   &errors->step_room, sizeof *errors->steps) &&
	       gaspdb_grow(run, &hosts, errors->n_steps, &room,
			   sizeof *hosts)) {
		hosts[errors->n_steps] = sqlite3_column_int64(stmt, 0);
		errors->steps[errors->n_steps++] = (struct gaspdb_clock_step){
			sqlite3_column_int64(stmt, 1), gaspdb_column(stmt, 2)
		};
	}
	sqlite3_finalize(stmt);
	index_steps(errors, run, hosts);
	free(hosts);
}

static void load_pairs(struct gaspdb_clock_errors *errors,
		       struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_host_pairs);

	while (gaspdb_row(run, stmt) &&
	       gaspdb_grow(run, &errors->pairs, errors->n_pairs,
			   &errors->pair_room, sizeof *errors->pairs))
		errors->pairs[errors->n_pairs++] = (struct gaspdb_pair_step){
			sqlite3_column_int64(stmt, 0),
			sqlite3_column_int64(stmt, 1),
			sqlite3_column_int64(stmt, 2),
			sqlite3_column_int64(stmt, 3)
		};
	sqlite3_finalize(stmt);
}

void gaspdb_clock_errors_load(struct gaspdb_clock_errors *errors,
			      struct gaspdb_run *run)
{
	sqlite3_stmt *stmt;

	*errors = (struct gaspdb_clock_errors){ .n = run->n_threads };
	load_backwards(errors, run);
	if (!several_hosts(run, &errors->one_host))
		return;
	errors->threads =
		gaspdb_zeroed(run, (size_t)errors->n, sizeof *errors->threads);
	stmt = gaspdb_prepare(run, gaspdb_sql_thread_clocks);
	while (errors->threads && gaspdb_row(run, stmt))
		errors->threads[sqlite3_column_int64(stmt, 0)] =
			(struct gaspdb_thread_clock){
				sqlite3_column_int64(stmt, 1),
				gaspdb_column(stmt, 2),
				sqlite3_column_int(stmt, 3)
			};
	sqlite3_finalize(stmt);
	load_steps(errors, run);
	load_pairs(errors, run);
}

/* The error of a host at a time; NONE: unknown. */
static int64_t step_at(const struct gaspdb_clock_errors *errors, int64_t host,
		       int64_t ns)
{
	size_t from, to;

	if (host > errors->n_hosts || !errors->first_step)
		return GASPDB_NONE;
	from = errors->first_step[host];
	to = errors->first_step[host + 1];
	if (from == to)
		return GASPDB_NONE;
	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if (errors->steps[middle].ns <= ns)
			from = middle;
		else
			to = middle;
	}
	return errors->steps[from].error_ns;
}

/* Is a step of a pair of hosts at or before that of another? */
static bool is_before(const struct gaspdb_pair_step *p,
		      const struct gaspdb_pair_step *q)
{
	if (p->host != q->host)
		return p->host < q->host;
	if (p->other != q->other)
		return p->other < q->other;
	return p->ns <= q->ns;
}

/* The error of two hosts against each other at a time; NONE: not known better
   than by their own errors. */
static int64_t pair_at(const struct gaspdb_clock_errors *errors, int64_t a,
		       int64_t b, int64_t ns)
{
	const struct gaspdb_pair_step wanted = { gaspdb_min(a, b),
						 gaspdb_max(a, b), ns, 0 };
	size_t from = 0, to = errors->n_pairs; /* the first one behind */

	while (from < to) {
		const size_t middle = from + (to - from) / 2;

		if (is_before(&errors->pairs[middle], &wanted))
			from = middle + 1;
		else
			to = middle;
	}
	if (!from || errors->pairs[from - 1].host != wanted.host ||
	    errors->pairs[from - 1].other != wanted.other)
		return GASPDB_NONE;
	return errors->pairs[from - 1].error_ns;
}

/* Sets *x and *y to the clocks of two threads; false: unknown. */
static bool find_clocks(const struct gaspdb_clock_errors *errors, int64_t a,
			int64_t b, const struct gaspdb_thread_clock **x,
			const struct gaspdb_thread_clock **y)
{
	if (!errors->threads || a < 0 || b < 0 || a >= errors->n ||
	    b >= errors->n)
		return false;
	*x = &errors->threads[a];
	*y = &errors->threads[b];
	return (*x)->host && (*y)->host;
}

static int64_t both(int64_t a, int64_t b)
{
	return a == GASPDB_NONE || b == GASPDB_NONE ? GASPDB_NONE
						    : gaspdb_plus(a, b);
}

/* The lesser one that is known. */
static int64_t least(int64_t a, int64_t b)
{
	if (a == GASPDB_NONE || b == GASPDB_NONE)
		return a == GASPDB_NONE ? b : a;
	return gaspdb_min(a, b);
}

/* The largest error between two hosts; NONE: unknown. */
static int64_t bound_of(const struct gaspdb_clock_errors *errors, int64_t a,
			int64_t b, int64_t ns)
{
	const int64_t own =
		both(step_at(errors, a, ns), step_at(errors, b, ns));
	const int64_t pair = pair_at(errors, a, b, ns);

	return least(own, pair);
}

int64_t gaspdb_clock_errors_bound(const struct gaspdb_clock_errors *errors,
				  int64_t a, int64_t b, int64_t ns)
{
	const struct gaspdb_thread_clock *x, *y;

	if (gaspdb_clock_errors_one_host(errors, a, b))
		return 0;
	if (!find_clocks(errors, a, b, &x, &y))
		return GASPDB_NONE;
	if (x->host == y->host)
		return 0;
	return bound_of(errors, x->host, y->host, ns);
}

/* The likely error of a host: that of its readings, or of its wall clock, or
   both, if the other host has no readings. NONE: unknown. */
static int64_t likely_error(const struct gaspdb_clock_errors *errors,
			    const struct gaspdb_thread_clock *x, int64_t ns,
			    bool both_read)
{
	const int64_t step = x->read ? step_at(errors, x->host, ns) : 0;

	return both_read ? step : both(step, x->error_ns);
}

/* The sum of what is known. */
static int64_t known(int64_t a, int64_t b)
{
	if (a == GASPDB_NONE || b == GASPDB_NONE)
		return a == GASPDB_NONE ? b : a;
	return gaspdb_plus(a, b);
}

/* The likely error between two hosts; NONE: one host, or unknown. */
static int64_t error_between(const struct gaspdb_clock_errors *errors,
			     int64_t a, int64_t b, int64_t ns)
{
	const struct gaspdb_thread_clock *x, *y;
	int64_t likely;
	bool read;

	if (!find_clocks(errors, a, b, &x, &y) || x->host == y->host)
		return GASPDB_NONE;
	read = x->read && y->read;
	likely = known(likely_error(errors, x, ns, read),
		       likely_error(errors, y, ns, read));
	return likely == GASPDB_NONE
		       ? GASPDB_NONE
		       : least(likely, bound_of(errors, x->host, y->host, ns));
}

bool gaspdb_clock_errors_hide(const struct gaspdb_clock_errors *errors,
			      int64_t a, int64_t b, int64_t ns, int64_t length)
{
	const int64_t error_ns = error_between(errors, a, b, ns);

	return error_ns != GASPDB_NONE && length <= error_ns;
}

int64_t gaspdb_clock_errors_between(const struct gaspdb_clock_errors *errors,
				    int64_t a, int64_t b, int64_t ns)
{
	const int64_t error_ns = error_between(errors, a, b, ns);

	return error_ns != GASPDB_NONE ? error_ns : 0;
}

int64_t gaspdb_clock_errors_of(const struct gaspdb_clock_errors *errors,
			       int64_t thread, int64_t ns)
{
	const struct gaspdb_thread_clock *x, *y;

	if (!find_clocks(errors, thread, thread, &x, &y))
		return GASPDB_NONE;
	return likely_error(errors, x, ns, x->read);
}

bool gaspdb_clock_errors_one_host(const struct gaspdb_clock_errors *errors,
				  int64_t a, int64_t b)
{
	if (a < 0 || b < 0 || a >= errors->n || b >= errors->n ||
	    !errors->backwards || errors->backwards[a] || errors->backwards[b])
		return false;
	if (!errors->threads)
		return errors->one_host;
	return errors->threads[a].host &&
	       errors->threads[a].host == errors->threads[b].host;
}

void gaspdb_clock_errors_free(struct gaspdb_clock_errors *errors)
{
	free(errors->threads);
	free(errors->steps);
	free(errors->first_step);
	free(errors->pairs);
	free(errors->backwards);
}
