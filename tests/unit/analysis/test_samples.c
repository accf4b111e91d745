/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for threads that compared the clocks of hosts for the collector. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

static const char explained_sql[] =
	"SELECT w.thread_id, w.start_ns, w.end_ns, u.time_ns FROM wait w "
	"LEFT JOIN wait_unserved u ON u.wait_id = w.id ORDER BY 2, 1";

static void barrier(sqlite3 *db, int thread, int sequence, int64_t start_ns,
		    int64_t end_ns)
{
	db_collective(
		db, db_event(db, thread, "barrier", "a.c:20", start_ns, end_ns),
		1, sequence);
}

/*
 * Thread 0 comes late to the second barrier: by 70, of which it compared clocks
 * for 40.  To the third it comes late by what it computes: 50.
 */
static sqlite3 *run_with_sample(void)
{
	sqlite3 *db = db_new();

	db_threads(db, 2, 400);
	db_team(db, 2);
	barrier(db, 0, 0, 10, 20);
	barrier(db, 0, 1, 100, 110);
	barrier(db, 0, 2, 200, 210);
	barrier(db, 1, 0, 10, 20);
	barrier(db, 1, 1, 30, 110);
	barrier(db, 1, 2, 150, 210);
	db_exec(db, "INSERT INTO gap(thread_id, kind, start_ns, end_ns) "
		    "VALUES (0, 'tool', 25, 65)");
	return db;
}

static void test_sample(void **state)
{
	sqlite3 *db = run_with_sample();

	(void)state;
	db_exec(db, "INSERT INTO host(name, clock_error_ns, readings) "
		    "VALUES ('host', 0, 10)");
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", explained_sql),
			    "1|30|100|40\n1|150|200|-\n");
	assert_string_equal(db_rows(db, "SELECT kind, thread_id, lost_ns "
					"FROM loss "
					"WHERE kind = 'barrier'"),
			    "barrier|0|80\n");
	db_close(db);
}

/* Without readings the collector's work is what recording takes. */
static void test_no_readings(void **state)
{
	sqlite3 *db = run_with_sample();

	(void)state;
	db_exec(db, "INSERT INTO host(name, clock_error_ns, readings) "
		    "VALUES ('host', 0, 0)");
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", explained_sql),
			    "1|30|100|-\n1|150|200|-\n");
	db_close(db);
}

/* Samples that overlap time without a processor: no time counts twice. */
static void test_overlap(void **state)
{
	sqlite3 *db = run_with_sample();

	(void)state;
	db_exec(db, "INSERT INTO host(name, clock_error_ns, readings) "
		    "VALUES ('host', 0, 10)");
	db_exec(db, "INSERT INTO unserved(thread_id, event_id, start_ns, "
		    "end_ns, time_ns) VALUES (0, NULL, 20, 80, 30)");
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", explained_sql),
			    "1|30|100|60\n1|150|200|-\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_no_readings),
		cmocka_unit_test(test_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
