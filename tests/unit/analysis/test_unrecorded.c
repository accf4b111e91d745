/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When threads were not recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/engine/unrecorded.h"
#include "tests/unit/util_db.h"

#define ALL GASPDB_NONE

static void gap(sqlite3 *db, int thread, const char *kind, int from, int until)
{
	db_exec(db,
		"INSERT INTO gap(thread_id, kind, start_ns, end_ns) "
		"VALUES(%d, '%s', %d, %d)",
		thread, kind, from, until);
}

/* Threads 0 and 1 are of one process, and so is each of 2, 3 and 4.  The log of
   2 is missing, that of 3 is cut. */
static sqlite3 *some_threads(void)
{
	sqlite3 *db = db_new();

	db_exec(db, "INSERT INTO thread(id, rank, number, first_ns, last_ns, "
		    "complete) VALUES(0, 0, 0, 0, 1000, 1), "
		    "(1, 0, 1, 5, 1000, 1), (2, 1, 0, NULL, NULL, 0), "
		    "(3, 2, 0, 0, 700, 0), (4, 3, 0, 0, 1000, 1)");
	gap(db, 1, "damage", 300, 310);
	gap(db, 0, "off", 100, 120);
	gap(db, 1, "off", 120, 150);
	gap(db, 0, "tool", 400, 450);
	gap(db, 3, "off", 140, 160);
	return db;
}

static void check_at(const struct gaspdb_unrecorded *a, int64_t process,
		     int64_t at_ns, bool absent, int64_t until_ns)
{
	int64_t until;

	assert_int_equal(gaspdb_unrecorded_at(a, process, at_ns, &until),
			 absent);
	assert_int_equal(until, until_ns);
}

static void test_each(void **state)
{
	sqlite3 *db = some_threads();
	struct gaspdb_error err;
	struct gaspdb_run run;
	struct gaspdb_unrecorded a;

	(void)state;
	gaspdb_run_open(&run, db, &err);
	gaspdb_unrecorded_open(&a, &run, 0, NULL);
	/* Both threads' gaps, which meet at 120; the tool's are none. */
	check_at(&a, 0, 0, false, 100);
	check_at(&a, 0, 99, false, 100);
	check_at(&a, 0, 100, true, 150);
	check_at(&a, 0, 149, true, 150);
	check_at(&a, 0, 150, false, 300);
	check_at(&a, 0, 310, false, INT64_MAX);
	check_at(&a, 2, 0, true, INT64_MAX);
	check_at(&a, 3, 699, false, 700);
	check_at(&a, 3, 700, true, INT64_MAX);
	check_at(&a, 4, 0, false, INT64_MAX);
	check_at(&a, ALL, 0, true, INT64_MAX);
	assert_int_equal(gaspdb_unrecorded_between(&a, 0, 0, 1000), 60);
	assert_int_equal(gaspdb_unrecorded_between(&a, 0, 110, 305), 45);
	assert_int_equal(gaspdb_unrecorded_between(&a, 0, 200, 100), 0);
	assert_int_equal(gaspdb_unrecorded_between(&a, 3, 150, 1000), 310);
	assert_int_equal(gaspdb_unrecorded_between(&a, 4, 0, 1000), 0);
	assert_int_equal(gaspdb_unrecorded_between(&a, ALL, 10, 1000), 990);
	assert_int_equal(gaspdb_unrecorded_next(&a, 0, 0), 100);
	assert_int_equal(gaspdb_unrecorded_next(&a, 0, 110), 110);
	assert_int_equal(gaspdb_unrecorded_next(&a, 0, 150), 300);
	assert_int_equal(gaspdb_unrecorded_next(&a, 0, 310), INT64_MAX);
	assert_int_equal(gaspdb_unrecorded_last(&a, 0, 100), INT64_MIN);
	assert_int_equal(gaspdb_unrecorded_last(&a, 0, 101), 101);
	assert_int_equal(gaspdb_unrecorded_last(&a, 0, 150), 150);
	assert_int_equal(gaspdb_unrecorded_last(&a, 0, 300), 150);
	assert_int_equal(gaspdb_unrecorded_last(&a, 3, 5000), 5000);
	assert_int_equal(gaspdb_unrecorded_last(&a, 4, 5000), INT64_MIN);
	gaspdb_unrecorded_close(&a);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	db_close(db);
}

/* Those of different processes together are all of them: 2 is left out. */
static void test_all(void **state)
{
	sqlite3 *db = some_threads();
	struct gaspdb_error err;
	struct gaspdb_run run;
	struct gaspdb_unrecorded a;

	(void)state;
	db_exec(db, "UPDATE thread SET first_ns = 0, last_ns = 1000, "
		    "complete = 1 WHERE id = 2");
	gaspdb_run_open(&run, db, &err);
	gaspdb_unrecorded_open(&a, &run, 0, NULL);
	check_at(&a, ALL, 0, false, 100);
	check_at(&a, ALL, 100, true, 160);
	check_at(&a, ALL, 160, false, 300);
	check_at(&a, ALL, 310, false, 700);
	assert_int_equal(gaspdb_unrecorded_between(&a, ALL, 0, 1000), 370);
	gaspdb_unrecorded_close(&a);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	db_close(db);
}

/* Few intervals say of no time that all were recorded that is not so, and are
   as few as asked for. */
static void test_bounded(void **state)
{
	enum { GAPS = 300, LIMIT = 16 };
	sqlite3 *db = db_new();
	struct gaspdb_error err;
	struct gaspdb_run run;
	struct gaspdb_unrecorded a, b;

	(void)state;
	db_threads(db, 2, 100 * GAPS);
	for (int i = 0; i < GAPS; i++)
		gap(db, i % 2, "off", 100 * i + 10, 100 * i + 20 + i % 50);
	gaspdb_run_open(&run, db, &err);
	gaspdb_unrecorded_open(&a, &run, 0, NULL);
	gaspdb_unrecorded_open(&b, &run, LIMIT, NULL);
	assert_int_equal(a.n, 2 * GAPS);
	assert_in_range(b.n, 3, LIMIT);
	for (int t = 0; t < 100 * GAPS; t++) {
		int64_t until;

		for (int process = -1; process < 2; process++) {
			const int64_t of = process < 0 ? ALL : process;

			if (gaspdb_unrecorded_at(&a, of, t, &until))
				assert_true(gaspdb_unrecorded_at(&b, of, t,
								 &until));
		}
	}
	/* Before the first and after the last all is as it was. */
	assert_int_equal(gaspdb_unrecorded_next(&b, ALL, 0), 10);
	assert_int_equal(gaspdb_unrecorded_last(&b, ALL, INT64_MAX),
			 gaspdb_unrecorded_last(&a, ALL, INT64_MAX));
	gaspdb_unrecorded_close(&a);
	gaspdb_unrecorded_close(&b);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
