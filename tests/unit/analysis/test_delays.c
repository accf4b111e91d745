/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads did while others waited for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

static const char delays_sql[] =
	"SELECT d.kind, d.thread_id, l.line, d.what, f.line, t.line, d.time_ns "
	"FROM delay d JOIN source l ON l.id = d.source_id "
	"LEFT JOIN source f ON f.id = d.from_source_id "
	"LEFT JOIN source t ON t.id = d.to_source_id ORDER BY d.kind, "
	"d.thread_id, l.line, d.id";

static void barrier(sqlite3 *db, int thread, int sequence, int64_t start_ns,
		    int64_t end_ns)
{
	db_collective(
		db, db_event(db, thread, "barrier", "a.c:20", start_ns, end_ns),
		1, sequence);
}

/* All delays of what others waited for sum to their waiting. */
static void check_sums(sqlite3 *db)
{
	assert_string_equal(
		db_rows(db, "SELECT w.kind, w.cause_thread_id FROM (SELECT "
			    "kind, cause_thread_id, cause_source_id, "
			    "sum(time_ns) AS ns FROM wait_total "
			    "WHERE cause_source_id IS NOT NULL "
			    "GROUP BY 1, 2, 3) w "
			    "WHERE w.ns <> (SELECT coalesce(sum(d.time_ns), 0) "
			    "FROM delay d WHERE d.kind = w.kind AND "
			    "d.thread_id = w.cause_thread_id AND "
			    "d.source_id = w.cause_source_id)"),
		"");
}

/*
 * The late thread computes longer before its put, which is not the last thing
 * it does before the barrier.
 */
static void test_late_computation(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 3, 200);
	db_team(db, 3);
	for (int thread = 0; thread < 3; thread++) {
		int64_t late = thread == 2 ? 60 : 0;

		barrier(db, thread, 0, 0, 10);
		db_event(db, thread, "put", "a.c:15", 30 + late, 35 + late);
		barrier(db, thread, 1, 40 + late, 105);
	}
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", delays_sql),
			    "barrier|2|20|computation|20|15|120\n");
	check_sums(db);
	db_close(db);
}

/*
 * Two instances with different late threads; the second's own call took longer,
 * and it had waited for a lock itself.
 */
static void test_late_call_and_inherited(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 300);
	db_team(db, 2);
	barrier(db, 0, 0, 50, 60); /* last; computed */
	db_event(db, 0, "lock", "a.c:1", 70, 71);
	db_event(db, 0, "unlock", "a.c:2", 119, 120);
	barrier(db, 0, 1, 130, 202);
	barrier(db, 1, 0, 20, 60);
	db_event(db, 1, "lock", "a.c:1", 80, 120); /* waits 40 */
	db_event(db, 1, "unlock", "a.c:2", 121, 122);
	db_event(db, 1, "get", "a.c:5", 130, 195); /* 65 */
	barrier(db, 1, 1, 200, 202);
	db_exec(db, "UPDATE event SET object = 7 WHERE source_id IN "
		    "(SELECT id FROM source WHERE line < 3)");
	db_passes(db);
	assert_string_equal(db_rows(db,
				    "SELECT kind, thread_id, start_ns, end_ns "
				    "FROM wait"),
			    "barrier|0|130|200\n"
			    "barrier|1|20|50\n"
			    "lock|1|80|120\n");
	/*
	 * Instance 0: thread 0 computed 50, thread 1 20.  Instance 1: thread 1
	 * exceeds thread 0 by 10 before the lock, 8 after the unlock, 65 in the
	 * get, 5 after it, and waited 40 itself: 128, for a wait of 70.
	 */
	assert_string_equal(db_rows(db, "%s", delays_sql),
			    "barrier|0|20|computation|-|20|30\n"
			    "barrier|1|20|call|5|-|36\n"
			    "barrier|1|20|inherited|1|-|22\n"
			    "barrier|1|20|computation|20|1|5\n"
			    "barrier|1|20|computation|2|5|4\n"
			    "barrier|1|20|computation|5|20|3\n"
			    "lock|0|1|computation|1|2|39\n"
			    "lock|0|1|call|2|-|1\n");
	check_sums(db);
	db_close(db);
}

/* The holder of a lock computes and puts while others wait for it. */
static void test_lock(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 3, 200);
	db_event(db, 0, "lock", "a.c:1", 0, 1);
	db_event(db, 0, "put", "a.c:2", 40, 50);
	db_event(db, 0, "unlock", "a.c:3", 100, 102);
	db_event(db, 1, "lock", "a.c:4", 10, 101);
	db_event(db, 1, "unlock", "a.c:5", 110, 111);
	db_event(db, 2, "lock", "a.c:4", 45, 111);
	db_event(db, 2, "unlock", "a.c:5", 112, 113);
	db_exec(db, "UPDATE event SET object = 7 WHERE source_id IN "
		    "(SELECT id FROM source WHERE line <> 2)");
	db_passes(db);
	/* Thread 1 from 10, thread 2 from 45 to 101; then 2 for 1 to 111. */
	assert_string_equal(db_rows(db, "%s", delays_sql),
			    "lock|0|1|computation|2|3|100\n"
			    "lock|0|1|computation|1|2|30\n"
			    "lock|0|1|call|2|-|15\n"
			    "lock|0|1|call|3|-|2\n"
			    "lock|1|4|computation|4|5|9\n"
			    "lock|1|4|call|5|-|1\n");
	check_sums(db);
	db_close(db);
}

/* Recording was off for a while: that part is not explained. */
static void test_late_sender_with_gap(void **state)
{
	sqlite3 *db = db_new();
	int64_t s, r;

	(void)state;
	db_threads(db, 2, 200);
	db_team(db, 2);
	db_event(db, 0, "put", "a.c:1", 0, 5);
	s = db_event(db, 0, "send", "a.c:2", 100, 101);
	r = db_event(db, 1, "receive", "a.c:9", 20, 102);
	db_exec(db, "INSERT INTO gap(thread_id, kind, start_ns, end_ns) "
		    "VALUES(0, 'tool', 50, 60), (0, 'off', 3, 4)");
	db_exec(db,
		"INSERT INTO p2p(thread_id, direction, post_event_id, "
		"complete_event_id, team_id, peer, tag, bytes, posted_ns, "
		"state, error) "
		"VALUES(0, 'send', %lld, %lld, 1, 1, 0, 8, 100, "
		"'complete', 0), "
		"(1, 'receive', %lld, %lld, 1, 0, 0, 8, 20, 'complete', 0)",
		(long long)s, (long long)s, (long long)r, (long long)r);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", delays_sql),
			    "late sender|0|2|computation|1|2|70\n"
			    "late sender|0|2|unexplained|-|-|10\n");
	check_sums(db);
	db_close(db);
}

/* Each waiter gets at most the whole excess: the rest is not explained. */
static void test_unexplained(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 200);
	db_team(db, 2);
	/* Thread 1 began late: it has no time of its own to show for it. */
	db_exec(db, "UPDATE thread SET first_ns = 90 WHERE id = 1");
	barrier(db, 0, 0, 10, 102);
	barrier(db, 1, 0, 100, 102);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", delays_sql),
			    "barrier|1|20|unexplained|-|-|90\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late_computation),
		cmocka_unit_test(test_late_call_and_inherited),
		cmocka_unit_test(test_lock),
		cmocka_unit_test(test_late_sender_with_gap),
		cmocka_unit_test(test_unexplained),
	};

	return cmocka_run_group_tests_name("delays", tests, NULL, NULL);
}
