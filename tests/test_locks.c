/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks: holds, contention, hand-over, attempts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util_db.h"

#define LOCK 4711

static int64_t lock_event(sqlite3 *db, int thread, const char *type,
			  int64_t start_ns, int64_t end_ns)
{
	int64_t event =
		db_event(db, thread, type, "lock.c:1", start_ns, end_ns);

	db_exec(db, "UPDATE event SET object = %d WHERE id = %lld", LOCK,
		(long long)event);
	return event;
}

/* The worked example of the definition: threads A to E are 0 to 4. */
static sqlite3 *worked_example(void)
{
	sqlite3 *db = db_new();
	int64_t attempt;

	db_threads(db, 5, 400);
	lock_event(db, 0, "lock", 0, 1);
	lock_event(db, 0, "unlock", 100, 150);
	lock_event(db, 1, "lock", 10, 148);
	lock_event(db, 1, "unlock", 200, 205);
	lock_event(db, 2, "lock", 20, 210);
	lock_event(db, 2, "unlock", 220, 222);
	lock_event(db, 3, "lock", 30, 250);
	lock_event(db, 3, "unlock", 260, 261);
	attempt = lock_event(db, 4, "lock_attempt", 40, 41);
	db_arg(db, attempt, "success", 0);
	attempt = lock_event(db, 4, "lock_attempt", 300, 301);
	db_arg(db, attempt, "success", 1);
	lock_event(db, 4, "unlock", 310, 311);
	db_passes(db);
	return db;
}

static void test_holds(void **state)
{
	sqlite3 *db = worked_example();

	(void)state;
	assert_string_equal(
		db_rows(db, "SELECT thread_id, released_ns - acquired_ns, "
			    "contended_ns, latency_ns, attempts "
			    "FROM lock_use ORDER BY thread_id"),
		"0|147|0|1|0\n"
		"1|57|138|0|0\n"
		"2|12|185|5|0\n"
		"3|11|192|28|0\n"
		"4|10|0|1|1\n");
	assert_string_equal(db_rows(db, "SELECT * FROM quality"), "");
	assert_string_equal(
		db_rows(db, "SELECT sum(acquisitions), sum(contended), "
			    "sum(contended_ns), max(longest_contended_ns), "
			    "sum(latency_ns), sum(hold_ns), "
			    "max(longest_hold_ns), sum(attempts) "
			    "FROM lock_total"),
		"5|3|515|192|35|237|147|1\n");
	db_close(db);
}

static void test_blame(void **state)
{
	sqlite3 *db = worked_example();

	(void)state;
	assert_string_equal(
		db_rows(db, "SELECT kind, cause_thread_id, "
			    "sum(end_ns - start_ns) FROM wait "
			    "GROUP BY kind, cause_thread_id ORDER BY 1, 2"),
		"lock|0|384\n"
		"lock|1|114\n"
		"lock|2|12\n"
		"lock attempt|0|1\n"
		"lock hand-over|-|5\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, start_ns, end_ns, cause_thread_id, "
			    "cause_ns FROM wait WHERE thread_id = 3 "
			    "ORDER BY start_ns"),
		"lock|30|148|0|148\n"
		"lock|148|205|1|205\n"
		"lock hand-over|205|210|-|-\n"
		"lock|210|222|2|222\n");
	assert_int_equal(db_int(db, "SELECT sum(time_ns) FROM wait_total"),
			 516);
	db_close(db);
}

/* The last holder keeps it to its last moment, others to the next one's. */
static void test_never_released(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 1000);
	lock_event(db, 0, "lock", 0, 10);
	lock_event(db, 1, "lock", 20, 50);
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT thread_id, released_ns, "
					"release_event_id, contended_ns "
					"FROM lock_use ORDER BY thread_id"),
			    "0|50|-|0\n"
			    "1|1000|-|30\n");
	db_close(db);
}

/* A lock that another thread of the process gives back. */
static void test_released_by_sibling(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 1, 1000);
	db_exec(db, "INSERT INTO thread(id, rank, number, first_ns, last_ns, "
		    "complete) VALUES(1, 0, 1, 0, 1000, 1)");
	lock_event(db, 0, "lock", 0, 10);
	lock_event(db, 1, "unlock", 30, 40);
	lock_event(db, 1, "lock", 50, 60);
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT thread_id, released_ns, "
					"release_event_id FROM lock_use "
					"ORDER BY id"),
			    "0|40|2\n"
			    "1|1000|-\n");
	assert_string_equal(db_rows(db, "SELECT * FROM quality"), "");
	db_close(db);
}

/* One thread waits while its sibling, that holds the lock, gives it back. */
static void test_sibling_waits(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 1, 1000);
	db_exec(db, "INSERT INTO thread(id, rank, number, first_ns, last_ns, "
		    "complete) VALUES(1, 0, 1, 0, 1000, 1)");
	lock_event(db, 0, "lock", 0, 1);
	lock_event(db, 0, "unlock", 60, 64);
	lock_event(db, 1, "lock", 10, 65);
	lock_event(db, 1, "unlock", 80, 81);
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT thread_id, acquired_ns, "
					"released_ns, contended_ns "
					"FROM lock_use ORDER BY id"),
			    "0|1|64|0\n"
			    "1|65|81|54\n");
	assert_string_equal(db_rows(db, "SELECT * FROM quality"), "");
	db_close(db);
}

/* Still waiting when its log ended: no hold, but waiting. */
static void test_pending(void **state)
{
	sqlite3 *db = db_new();
	int64_t event;

	(void)state;
	db_threads(db, 2, 1000);
	lock_event(db, 0, "lock", 0, 10);
	event = lock_event(db, 1, "lock", 20, 1000);
	db_exec(db, "UPDATE event SET open = 1 WHERE id = %lld",
		(long long)event);
	db_passes(db);
	assert_int_equal(db_int(db, "SELECT count(*) FROM lock_use"), 1);
	assert_string_equal(db_rows(db, "SELECT kind, thread_id, start_ns, "
					"end_ns, cause_thread_id FROM wait"),
			    "lock|1|20|1000|0\n");
	db_close(db);
}

static void test_defects(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 3, 1000);
	lock_event(db, 0, "lock", 0, 10);
	lock_event(db, 0, "unlock", 90, 100); /* after thread 1 took it */
	lock_event(db, 1, "lock", 20, 50);
	lock_event(db, 1, "unlock", 120, 130);
	lock_event(db, 2, "unlock", 200, 210);	       /* which it has not */
	db_event(db, 2, "lock", "lock.c:2", 300, 310); /* of no known lock */
	db_passes(db);
	assert_string_equal(db_rows(db,
				    "SELECT kind, thread_id, count, time_ns "
				    "FROM quality ORDER BY id"),
			    "lock order|0|1|40\n"
			    "lock order|2|1|-\n"
			    "unknown object|2|1|10\n");
	/* No waiting outside of the acquiring call. */
	assert_string_equal(db_rows(db, "SELECT start_ns, end_ns FROM wait"),
			    "20|50\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_blame),
		cmocka_unit_test(test_never_released),
		cmocka_unit_test(test_released_by_sibling),
		cmocka_unit_test(test_sibling_waits),
		cmocka_unit_test(test_pending),
		cmocka_unit_test(test_defects),
	};

	return cmocka_run_group_tests_name("locks", tests, NULL, NULL);
}
