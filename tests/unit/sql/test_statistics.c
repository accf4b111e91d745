/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The SQL functions median() and stddev(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "sql/sql.h"

static sqlite3 *db;

static int open_db(void **state)
{
	(void)state;
	return sqlite3_open(":memory:", &db) || gaspdb_statistics_functions(db);
}

static int close_db(void **state)
{
	(void)state;
	return sqlite3_close(db);
}

/* The query's only value; -1 and the type for what is no REAL. */
static double value_of(const char *query, int *type)
{
	sqlite3_stmt *stmt;
	double value;

	assert_int_equal(sqlite3_prepare_v2(db, query, -1, &stmt, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	*type = sqlite3_column_type(stmt, 0);
	value = *type == SQLITE_FLOAT ? sqlite3_column_double(stmt, 0) : -1;
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	sqlite3_finalize(stmt);
	return value;
}

/* FUNCTION of the values is that REAL, to the last bit. */
static void gives(const char *function, const char *values, double expected)
{
	char query[256];
	int type;

	snprintf(query, sizeof query, "SELECT %s(column1) FROM (VALUES %s)",
		 function, values);
	const double value = value_of(query, &type);
	assert_int_equal(type, SQLITE_FLOAT);
	assert_true(value == expected);
}

static void gives_null(const char *query)
{
	int type;

	value_of(query, &type);
	assert_int_equal(type, SQLITE_NULL);
}

static void median_is_the_middle(void **state)
{
	(void)state;
	gives("median", "(3)", 3);
	gives("median", "(9), (1), (5)", 5);
	gives("median", "(1), (4)", 2.5);
	gives("median", "(10), (1), (4), (2)", 3);
	gives("median", "(2), (2), (2), (7)", 2);
	gives("median", "(-5), (-4)", -4.5);
	gives("median", "(0.25), (8), (0.5)", 0.5);
	gives("median", "(1), (2.5), (NULL), (3), (NULL)", 2.5);
	gives("median", "(0.1), (0.1)", 0.1);
	gives("median", "('3'), (4)", 3.5);
}

/* What a double cannot hold, or a sum not, is no less exact for it. */
static void median_has_no_overflow(void **state)
{
	(void)state;
	gives("median", "(9223372036854775807), (9223372036854775807)",
	      9223372036854775807.0);
	gives("median", "(9223372036854775807), (-9223372036854775808)", -0.5);
	gives("median", "(9007199254740993), (9007199254740993), (0), (1e300)",
	      9007199254740992);
	gives("median", "(9007199254740991), (9007199254740993)",
	      9007199254740992);
	gives("median", "(1.7e308), (1.7e308)", 1.7e308);
	gives("median", "(1.6e308), (1.7e308)", 1.6e308 / 2 + 1.7e308 / 2);
	gives("median", "(1), (2), (9e999)", 2);
}

static void median_of_many(void **state)
{
	int type;

	(void)state;
	/* 0 to 9999 in another order: 7919 is prime. */
	assert_true(value_of("WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL "
			     "SELECT x + 1 FROM c WHERE x < 9999) "
			     "SELECT median(x * 7919 % 10000) FROM c",
			     &type) == 4999.5);
}

static void stddev_is_of_a_sample(void **state)
{
	(void)state;
	gives("stddev", "(1), (3)", sqrt(2));
	/* Mean 5, squares 32, of 8 values. */
	gives("stddev", "(2), (4), (4), (4), (5), (5), (7), (9)",
	      sqrt(32.0 / 7));
	gives("stddev", "(1.5), (NULL), (2.5)", sqrt(0.5));
	/* Equal values have none, however large. */
	gives("stddev", "(0.1), (0.1), (0.1)", 0);
	gives("stddev", "(9223372036854775807), (9223372036854775807)", 0);
	/* Neither have large ones another than small ones. */
	gives("stddev", "(1000000000000000001), (1000000000000000003)",
	      sqrt(2));
}

static void nothing_has_neither(void **state)
{
	(void)state;
	gives_null("SELECT median(1) WHERE 0");
	gives_null("SELECT stddev(1) WHERE 0");
	gives_null("SELECT median(NULL)");
	gives_null("SELECT stddev(NULL)");
	gives_null("SELECT stddev(1)");
	gives_null("SELECT median(x) FROM (SELECT 1 AS g, NULL AS x) "
		   "GROUP BY g");
}

static void groups_are_apart(void **state)
{
	int type;

	(void)state;
	assert_true(value_of("SELECT sum(m) FROM (SELECT median(column2) AS m "
			     "FROM (VALUES (1, 1), (2, 10), (1, 2), (2, 30)) "
			     "GROUP BY column1)",
			     &type) == 21.5);
}

/* A stock sqlite3 could not read them. */
static void stored_views_cannot_use_them(void **state)
{
	sqlite3_stmt *stmt = NULL;

	(void)state;
	assert_int_equal(sqlite3_exec(db,
				      "CREATE VIEW v AS SELECT median(1) AS m",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db, "SELECT * FROM v", -1, &stmt, NULL),
		SQLITE_ERROR);
	assert_string_equal(sqlite3_errmsg(db), "unsafe use of median()");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(median_is_the_middle),
		cmocka_unit_test(median_has_no_overflow),
		cmocka_unit_test(median_of_many),
		cmocka_unit_test(stddev_is_of_a_sample),
		cmocka_unit_test(nothing_has_neither),
		cmocka_unit_test(groups_are_apart),
		cmocka_unit_test(stored_views_cannot_use_them),
	};

	return cmocka_run_group_tests(tests, open_db, close_db);
}
