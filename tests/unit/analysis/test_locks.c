/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks: holds, contention, hand-over, attempts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

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

/* Five attempts in vain that are one event: while 0 had the lock, then 1. */
static void test_attempts_together(void **state)
{
	sqlite3 *db = db_new();
	int64_t attempt;

	(void)state;
	db_threads(db, 3, 1000);
	lock_event(db, 0, "lock", 0, 10);
	lock_event(db, 0, "unlock", 100, 110);
	lock_event(db, 1, "lock", 20, 120);
	lock_event(db, 1, "unlock", 300, 310);
	attempt = lock_event(db, 2, "lock_attempt", 50, 290);
	db_arg(db, attempt, "success", 0);
	db_arg(db, attempt, "attempts", 5);
	attempt = lock_event(db, 2, "lock_attempt", 320, 330);
	db_arg(db, attempt, "success", 1);
	lock_event(db, 2, "unlock", 340, 350);
	db_passes(db);
	assert_string_equal(
		db_rows(db, "SELECT kind, start_ns, end_ns, cause_thread_id "
			    "FROM wait WHERE thread_id = 2 ORDER BY start_ns"),
		"lock attempt|50|110|0\n"
		"lock attempt|110|290|1\n");
	assert_string_equal(db_rows(db, "SELECT attempts FROM lock_use "
					"WHERE thread_id = 2"),
			    "5\n");
	assert_string_equal(db_rows(db, "SELECT attempts, between_ns "
					"FROM lock_total WHERE attempts"),
			    "5|30\n");
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

/* A process with a damaged log gave back and took again what it had in between;
   what is wrong of a thread that was recorded all the time is told. */
static void test_damage(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 3, 1000);
	db_exec(db, "UPDATE thread SET complete = 0 WHERE id = 0");
	db_exec(db, "INSERT INTO gap(thread_id, kind, start_ns, end_ns) "
		    "VALUES(0, 'damage', 100, 200), (1, 'tool', 0, 1000)");
	lock_event(db, 0, "lock", 0, 10);
	lock_event(db, 0, "unlock", 290, 300); /* what it took unseen */
	lock_event(db, 1, "lock", 50, 150);
	lock_event(db, 1, "unlock", 160, 170);
	lock_event(db, 1, "lock", 180, 320);
	lock_event(db, 1, "unlock", 350, 360);
	lock_event(db, 2, "lock", 370, 400);
	lock_event(db, 2, "unlock", 410, 420);
	lock_event(db, 2, "unlock", 500, 510); /* once more */
	db_passes(db);
	assert_string_equal(
		db_rows(db, "SELECT thread_id, acquired_ns, released_ns, "
			    "contended_ns, latency_ns, untold_ns "
			    "FROM lock_use ORDER BY id"),
		"0|10|100|0|10|0\n"
		"1|150|170|50|0|50\n"
		"1|320|360|120|20|0\n"
		"2|400|420|0|30|0\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, start_ns, end_ns, cause_thread_id, "
			    "cause_event_id, cause_ns, bound FROM wait "
			    "ORDER BY start_ns"),
		"lock|50|100|0|1|100|1\n"
		"lock|180|200|-|-|-|1\n"
		"lock|200|300|0|-|300|0\n");
	assert_string_equal(db_rows(db, "SELECT thread_id, holder_thread_id, "
					"waits, time_ns FROM lock_wait_total"),
			    "1|0|1|50\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, thread_id, event_id, count, time_ns "
			    "FROM quality ORDER BY id"),
		"lock order|2|9|1|-\n"
		"holder not recorded|1|3|2|70\n");
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

/* Who waits while the lock goes round and round waits for each hold, and for
   what lies between: also for those that a file holds. */
static void test_many_holds(void **state)
{
	enum { HOLDS = 20000 };
	sqlite3 *db = db_new();
	int64_t lock, unlock;

	(void)state;
	db_threads(db, 2, 10 * HOLDS + 20);
	lock_event(db, 0, "lock", 0, 10 * HOLDS + 10);
	lock_event(db, 1, "lock", 1, 2);
	lock_event(db, 1, "unlock", 5, 6);
	lock = db_int(db, "SELECT source_id FROM event WHERE id = 2");
	unlock = db_int(db, "SELECT source_id FROM event WHERE id = 3");
	db_exec(db,
		"WITH n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n "
		"WHERE i < %d) INSERT INTO " DB_EVENT
		"SELECT 2 + 2 * i + ends, 1, "
		"iif(ends, %d, %d), NULL, 10 * i + 1 + 4 * ends, 1, 1, NULL, "
		"NULL, %d, 0, 0 FROM n, (SELECT 0 AS ends UNION ALL SELECT 1)",
		HOLDS - 1, (int)unlock, (int)lock, LOCK);
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT kind, cause_thread_id, "
					"count(*), sum(end_ns - start_ns) "
					"FROM wait GROUP BY 1, 2"),
			    "lock|1|20000|80000\n"
			    "lock hand-over|-|20000|119996\n");
	assert_string_equal(db_rows(db, "SELECT count(*), "
					"min(released_ns - acquired_ns), "
					"sum(contended_ns) FROM lock_use"),
			    "20001|4|199996\n");
	db_close(db);
}

/* --- against the definition, ns by ns ------------------------------------- */

enum { THREADS = 4, MAX_HOLDS = 12, MAX_NS = 2000 };

struct hold {
	int thread, asked, got, unlocking, unlocked, freed;
	int64_t event;
};

static int below(int n)
{
	return (int)(random() % n);
}

/*
 * A lock that passes from thread to thread: free at some moment within each
 * release, and the next one has it some time after that.
 */
static int pass_around(struct hold *holds)
{
	int n = 1 + below(MAX_HOLDS), busy_until[THREADS] = { 0 }, free_at = 0;

	for (int i = 0; i < n; i++) {
		struct hold *h = &holds[i];

		h->thread = below(THREADS);
		h->got = (free_at > busy_until[h->thread]
				  ? free_at
				  : busy_until[h->thread]) +
			 1 + below(9);
		h->asked = busy_until[h->thread] +
			   below(h->got - busy_until[h->thread]);
		h->unlocking = h->got + below(40);
		free_at = h->unlocking + below(10);
		h->unlocked = free_at + 1 + below(10);
		busy_until[h->thread] = h->unlocked + 1;
	}
	return n;
}

static void record_holds(sqlite3 *db, struct hold *holds, int n)
{
	for (int thread = 0; thread < THREADS; thread++)
		for (int i = 0; i < n; i++) {
			struct hold *h = &holds[i];

			if (h->thread != thread)
				continue;
			h->event = lock_event(db, thread, "lock", h->asked,
					      h->got);
			lock_event(db, thread, "unlock", h->unlocking,
				   h->unlocked);
		}
}

/* Who held it at t, of the holds before number n; -1: nobody. */
static int holder_at(const struct hold *holds, int n, int t)
{
	for (int i = 0; i < n; i++)
		if (holds[i].got <= t && t < holds[i].freed)
			return i;
	return -1;
}

/* Each ns of each acquisition in which another held the lock, or nobody did. */
static void check_holds(sqlite3 *db, struct hold *holds, int n)
{
	for (int i = 0; i < n; i++) {
		int next = i + 1 < n ? holds[i + 1].got : MAX_NS;
		int latest =
			holds[i].unlocking > next ? holds[i].unlocking : next;

		holds[i].freed =
			holds[i].unlocked < latest ? holds[i].unlocked : latest;
	}
	for (int i = 0; i < n; i++) {
		const struct hold *h = &holds[i];
		int64_t by[THREADS + 1] = { 0 }, sum = 0;

		for (int t = h->asked;
		     i > 0 && t < h->got && t < holds[i - 1].freed; t++) {
			int other = holder_at(holds, i, t);

			by[other < 0 ? THREADS : holds[other].thread]++;
			sum++;
		}
		for (int thread = 0; thread < THREADS; thread++)
			assert_int_equal(
				db_int(db,
				       "SELECT coalesce(sum(end_ns - start_ns), "
				       "0) FROM wait WHERE event_id = %lld AND "
				       "kind = 'lock' AND cause_thread_id = %d",
				       (long long)h->event, thread),
				by[thread]);
		assert_int_equal(
			db_int(db,
			       "SELECT coalesce(sum(end_ns - start_ns), 0) "
			       "FROM wait WHERE event_id = %lld AND "
			       "kind = 'lock hand-over'",
			       (long long)h->event),
			by[THREADS]);
		assert_int_equal(db_int(db,
					"SELECT contended_ns FROM lock_use "
					"WHERE acquire_event_id = %lld",
					(long long)h->event),
				 sum);
	}
}

static void test_random(void **state)
{
	const char *given = getenv("GASPDB_TEST_SEED");
	unsigned int seed = given ? (unsigned int)strtoul(given, NULL, 10)
				  : (unsigned int)time(NULL);

	(void)state;
	printf("# seed %u\n", seed);
	srandom(seed);
	for (int i = 0; i < 100; i++) {
		struct hold holds[MAX_HOLDS];
		sqlite3 *db = db_new();
		int n = pass_around(holds);

		db_threads(db, THREADS, MAX_NS);
		record_holds(db, holds, n);
		db_passes(db);
		check_holds(db, holds, n);
		assert_string_equal(db_rows(db, "SELECT * FROM quality"), "");
		db_close(db);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_blame),
		cmocka_unit_test(test_attempts_together),
		cmocka_unit_test(test_never_released),
		cmocka_unit_test(test_released_by_sibling),
		cmocka_unit_test(test_sibling_waits),
		cmocka_unit_test(test_pending),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_defects),
		cmocka_unit_test(test_many_holds),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("locks", tests, NULL, NULL);
}
