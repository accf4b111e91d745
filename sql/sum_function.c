/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sum() that saturates, as the sums in C do (sum.h). SQLite's fails on
 * integer overflow, which the absurd times of a damaged log cause. The
 * accumulator has 128 bits, so window functions can subtract exactly.
 */
#include <stdint.h>

#include "sql/sql.h"
#include "common/wide.h"

struct total {
	uint64_t low;
	int64_t high; /* 128-bit sum of the integers in halves: SQLite's memory
			 may not be aligned for it */
	double reals;
	int64_t n, n_reals;
};

static gaspdb_signed_wide integers(const struct total *t)
{
	return (gaspdb_signed_wide)((gaspdb_wide)(uint64_t)t->high << 64 | t->low);
}

static void add(struct total *t, sqlite3_value *value, int sign)
{
	const int type = sqlite3_value_numeric_type(value);
	gaspdb_signed_wide sum;

	if (type == SQLITE_NULL)
		return;
	t->n += sign;
	if (type != SQLITE_INTEGER) {
		t->n_reals += sign;
		t->reals += sign * sqlite3_value_double(value);
		return;
	}
	sum = integers(t) + (gaspdb_signed_wide)sqlite3_value_int64(value) * sign;
	t->low = (uint64_t)sum;
	t->high = (int64_t)(sum >> 64);
}

static void change(sqlite3_context *context, sqlite3_value *value, int sign)
{
	struct total *t = sqlite3_aggregate_context(context, sizeof *t);

	if (t)
		add(t, value, sign);
}

static void step(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	change(context, values[0], 1);
}

static void inverse(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	change(context, values[0], -1);
}

static void value(sqlite3_context *context)
{
	const struct total *t = sqlite3_aggregate_context(context, 0);

	if (!t || !t->n)
		return;
	if (t->n_reals)
		sqlite3_result_double(context, t->reals + (double)integers(t));
	else if (integers(t) > INT64_MAX)
		sqlite3_result_int64(context, INT64_MAX);
	else if (integers(t) < -INT64_MAX)
		sqlite3_result_int64(context, -INT64_MAX);
	else
		sqlite3_result_int64(context, (int64_t)integers(t));
}

int gaspdb_sum_function(sqlite3 *db)
{
	return sqlite3_create_window_function(
		db, "sum", 1,
		SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
		step, value, value, inverse, NULL);
}
