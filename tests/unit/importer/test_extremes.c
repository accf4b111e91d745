/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Imports of well-formed logs with extreme values (util_extremes.h).  Each must
 * succeed, its database be valid (types, NOT NULL, foreign keys), and the
 * invariants of every run must hold.  Under SANITIZE=1 no arithmetic on the
 * values may overflow.
 *
 * GASPDB_TEST_EXTREMES=FROM-TO: other runs than those of a short test;
 * GASPDB_TEST_QUICK=1: without tests/invariants.sql.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sql/sql.h"
#include "tests/unit/util_extremes.h"
#include "tests/unit/util_log.h"

enum { RUNS = 14 };

/* --- the database --------------------------------------------------------- */

static unsigned n_found;

/* Is it a rule that compares two sums of messages?  Records of a request in an
   order impossible for a runtime (made, started, cancelled, completed) count in
   one of the sums alone. */
static bool is_of_requests(const char *rule)
{
	return !strcmp(rule, "sizes are those of the traffic") ||
	       !strncmp(rule, "matched, ", 9);
}

static int print_row(void *what, int n, char **values, char **names)
{
	(void)names;
	if (values[0] && is_of_requests(values[0]))
		return 0;
	print_error("%s:", (const char *)what);
	for (int i = 0; i < n; i++)
		print_error(" %s", values[i] ? values[i] : "NULL");
	print_error("\n");
	n_found++;
	return 0;
}

static int print_unless_ok(void *what, int n, char **values, char **names)
{
	return strcmp(values[0], "ok") ? print_row(what, n, values, names) : 0;
}

/* Asserts that no statement has a row. */
static void finds_nothing(sqlite3 *db, char *what, const char *sql)
{
	char *message = NULL;

	if (sqlite3_exec(db, sql, print_row, what, &message))
		fail_msg("%s: %s", what, message);
}

/* total() with a sum of integers, because SQLite's is a double, which loses
   digits of extreme times. */
struct exact {
	sqlite3_int64 whole;
	double real;
};

static void add_exactly(sqlite3_context *c, int n, sqlite3_value **v)
{
	struct exact *sum = sqlite3_aggregate_context(c, sizeof *sum);

	(void)n;
	if (sqlite3_value_type(*v) == SQLITE_INTEGER)
		sum->whole += sqlite3_value_int64(*v);
	else if (sqlite3_value_type(*v) != SQLITE_NULL)
		sum->real += sqlite3_value_double(*v);
}

static void end_exactly(sqlite3_context *c)
{
	const struct exact *sum = sqlite3_aggregate_context(c, sizeof *sum);

	if (sum->real != 0)
		sqlite3_result_double(c, (double)sum->whole + sum->real);
	else
		sqlite3_result_int64(c, sum->whole);
}

/* A file of the source tree: $TOP, or the current directory. */
static char *read_file(const char *name)
{
	const char *top = getenv("TOP");
	char *text = calloc(1, 1 << 20), path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", top ? top : ".", name);
	f = fopen(path, "r");

	assert_non_null(f);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}

static void look_at(sqlite3 *db, char *what)
{
	char *totals = read_file("tests/totals.sql");
	char *invariants = read_file("tests/invariants.sql");

	assert_int_equal(sqlite3_create_function(db, "total", 1, SQLITE_UTF8,
						 NULL, NULL, add_exactly,
						 end_exactly),
			 SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "PRAGMA integrity_check",
				      print_unless_ok, what, NULL),
			 SQLITE_OK);
	finds_nothing(db, what, "PRAGMA foreign_key_check");
	if (!getenv("GASPDB_TEST_QUICK")) {
		assert_int_equal(gaspdb_views_make_temporary(db, false),
				 SQLITE_OK);
		assert_int_equal(gaspdb_analyses_make_views(db), SQLITE_OK);
		finds_nothing(db, what, totals);
		finds_nothing(db, what, invariants);
	}
	free(totals);
	free(invariants);
	assert_int_equal(n_found, 0);
}

/* --- runs ----------------------------------------------------------------- */

static void import_one(unsigned number)
{
	static const char *const models[] = { "MPI", "OpenSHMEM", "UPC" };
	const char *model = models[number % 3];
	const char *word = extremes_choose(number);
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	char *run = run_new(), what[100];
	sqlite3 *db;

	snprintf(what, sizeof what, "run %u, %s, %s", number, model,
		 word ? word : "any number");
	for (int rank = 0; rank < EXTREMES_RANKS; rank++)
		extremes_add_log(run, rank, model);
	db = run_import(run, &result, &err);
	if (!db)
		fail_msg("%s: %s", what, err.msg);
	look_at(db, what);
	sqlite3_close(db);
	run_remove(run);
}

static void numbers_at_their_ends(void **unused)
{
	const char *range = getenv("GASPDB_TEST_EXTREMES");
	unsigned from = 0, to = RUNS - 1;

	(void)unused;
	if (range)
		assert_int_equal(sscanf(range, "%u-%u", &from, &to), 2);
	for (unsigned i = from; i <= to; i++) {
		if (range)
			print_message("%u\n", i);
		import_one(i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_at_their_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
