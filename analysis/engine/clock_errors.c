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
			(struct gaspdb_thread_clock){ sqlite3_column_int64(stmt,
									   1),
						      gaspdb_column(stmt, 2) };
	sqlite3_finalize(stmt);
}

/* The sum of both hosts' errors; NONE: one host, or unknown. */
static int64_t error_between(const struct gaspdb_clock_errors *errors,
			     int64_t a, int64_t b)
{
	const struct gaspdb_thread_clock *x, *y;

	if (!errors->threads || a < 0 || b < 0 || a >= errors->n ||
	    b >= errors->n)
		return GASPDB_NONE;
	x = &errors->threads[a];
	y = &errors->threads[b];
	if (!x->host || !y->host || x->host == y->host ||
	    x->error_ns == GASPDB_NONE || y->error_ns == GASPDB_NONE)
		return GASPDB_NONE;
	return gaspdb_plus(x->error_ns, y->error_ns);
}

bool gaspdb_clock_errors_hide(const struct gaspdb_clock_errors *errors,
			      int64_t a, int64_t b, int64_t ns)
{
	const int64_t error_ns = error_between(errors, a, b);

	return error_ns != GASPDB_NONE && ns <= error_ns;
}

int64_t gaspdb_clock_errors_between(const struct gaspdb_clock_errors *errors,
				    int64_t a, int64_t b)
{
	const int64_t error_ns = error_between(errors, a, b);

	return error_ns != GASPDB_NONE ? error_ns : 0;
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
	free(errors->backwards);
}
