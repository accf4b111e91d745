/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The SQL functions median() and stddev(), for queries of users and for
 * analyses that are not views. Every SQLite must be able to read a database, so
 * stored views must not use them.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sql/sql.h"
#include "common/wide.h"

union number {
	int64_t integer;
	double real;
};

/* All values of a group: integers until the first real. */
struct values {
	union number *all;
	size_t n, room;
	bool are_real;
};

static bool has_room(struct values *v)
{
	if (v->n < v->room)
		return true;
	const size_t room = v->room ? 2 * v->room : 64;
	union number *all = sqlite3_realloc64(v->all, room * sizeof *all);

	if (!all)
		return false;
	v->all = all;
	v->room = room;
	return true;
}

static void make_real(struct values *v)
{
	for (size_t i = 0; i < v->n && !v->are_real; i++)
		v->all[i].real = (double)v->all[i].integer;
	v->are_real = true;
}

static void median_step(sqlite3_context *context, int n, sqlite3_value **values)
{
	const int type = sqlite3_value_numeric_type(values[0]);
	struct values *v;

	(void)n;
	if (type == SQLITE_NULL)
		return;
	v = sqlite3_aggregate_context(context, sizeof *v);
	if (!v || !has_room(v)) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (type != SQLITE_INTEGER)
		make_real(v);
	if (v->are_real)
		v->all[v->n++].real = sqlite3_value_double(values[0]);
	else
		v->all[v->n++].integer = sqlite3_value_int64(values[0]);
}

static int compare_integers(const void *a, const void *b)
{
	const union number *x = a, *y = b;

	return (x->integer > y->integer) - (x->integer < y->integer);
}

static int compare_reals(const void *a, const void *b)
{
	const union number *x = a, *y = b;

	return (x->real > y->real) - (x->real < y->real);
}

/* The mean of two values. It does not overflow, and two equal values yield that
   value. */
static double middle(const struct values *v, const union number *low,
		     const union number *high)
{
	if (!v->are_real)
		return (double)((gaspdb_signed_wide)low->integer + high->integer) / 2;
	return low->real == high->real ? low->real
				       : low->real / 2 + high->real / 2;
}

static void median_end(sqlite3_context *context)
{
	struct values *v = sqlite3_aggregate_context(context, 0);

	if (!v || !v->n)
		return;
	qsort(v->all, v->n, sizeof *v->all,
	      v->are_real ? compare_reals : compare_integers);
	sqlite3_result_double(
		context, middle(v, &v->all[(v->n - 1) / 2], &v->all[v->n / 2]));
	sqlite3_free(v->all);
	v->all = NULL;
}

/*
 * Welford's recurrence, which avoids the difference of large squares. A long
 * double holds every 64-bit integer exactly. SQLite aligns its memory for less,
 * so it stores a copy.
 */
struct spread {
	int64_t n;
	long double mean, squares; /* of the distances from the mean */
};

static void stddev_step(sqlite3_context *context, int n, sqlite3_value **values)
{
	const int type = sqlite3_value_numeric_type(values[0]);
	struct spread s;
	void *kept;

	(void)n;
	if (type == SQLITE_NULL)
		return;
	kept = sqlite3_aggregate_context(context, sizeof s);
	if (!kept) {
		sqlite3_result_error_nomem(context);
		return;
	}
	memcpy(&s, kept, sizeof s);
	const long double value =
		type == SQLITE_INTEGER
			? (long double)sqlite3_value_int64(values[0])
			: (long double)sqlite3_value_double(values[0]);
	const long double distance = value - s.mean;
	s.mean += distance / (long double)++s.n;
	s.squares += distance * (value - s.mean);
	memcpy(kept, &s, sizeof s);
}

static void stddev_end(sqlite3_context *context)
{
	const void *kept = sqlite3_aggregate_context(context, 0);
	struct spread s = { 0 };

	if (kept)
		memcpy(&s, kept, sizeof s);
	if (s.n > 1)
		sqlite3_result_double(
			context,
			(double)sqrtl(s.squares / (long double)(s.n - 1)));
}

const struct gaspdb_sql_function gaspdb_sql_functions[] = {
	{ "median",
	  "the middle value, or the mean of the middle two, as REAL; "
	  "NULLs are skipped; of nothing NULL",
	  median_step, median_end },
	{ "stddev",
	  "the sample standard deviation (n - 1); NULLs are skipped; "
	  "of less than two values NULL",
	  stddev_step, stddev_end },
	{ NULL, NULL, NULL, NULL },
};

int gaspdb_statistics_functions(sqlite3 *db)
{
	const struct gaspdb_sql_function *f = gaspdb_sql_functions;
	int rc = SQLITE_OK;

	for (; rc == SQLITE_OK && f->name; f++)
		rc = sqlite3_create_function_v2(
			db, f->name, 1,
			SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
			NULL, NULL, f->step, f->end, NULL);
	return rc;
}
