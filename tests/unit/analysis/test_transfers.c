/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remote accesses: distributions, sizes, fine-grained groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/rows/durations.h"
#include "tests/unit/util_db.h"

static int64_t access_event(sqlite3 *db, int thread, const char *type,
			    const char *where, int64_t start_ns,
			    int64_t duration_ns, int peer, int64_t object,
			    int64_t bytes)
{
	int64_t event = db_event(db, thread, type, where, start_ns,
				 start_ns + duration_ns);

	db_exec(db,
		"UPDATE event SET peer = %d, object = nullif(%lld, -1), "
		"bytes = %lld WHERE id = %lld",
		peer, (long long)object, (long long)bytes, (long long)event);
	return event;
}

/* Something between the accesses of thread 0. */
static void pause_event(sqlite3 *db, const char *type, const char *where,
			int64_t *t)
{
	*t += 200;
	db_event(db, 0, type, where, *t, *t + 50);
}

/* Thread 0 reads a[0..63], 8 B each, cyclic over 4 threads. */
static void test_worked_example(void **state)
{
	sqlite3 *db = db_new();
	int64_t t = 0;

	(void)state;
	db_threads(db, 4, 1000000);
	for (int i = 0; i < 64; i++) {
		int64_t duration = i % 4 ? 2000 : 100;

		access_event(db, 0, "get", "a.c:5", t, duration, i % 4,
			     i / 4 * 8, 8);
		t += duration + 10;
	}
	db_passes(db);
	assert_string_equal(
		db_rows(db,
			"SELECT thread_id, peers, accesses, bytes, time_ns, "
			"saving_ns, pattern FROM fine_grained"),
		"0|3|48|384|96000|90000|contiguous\n");
	assert_string_equal(
		db_rows(db,
			"SELECT thread_id, pattern, groups, peers, accesses, "
			"bytes, time_ns, saving_ns FROM fine_grained_total"),
		"0|contiguous|1|3|48|384|96000|90000\n");
	/* Those that could be private: 16, 1600 ns. */
	assert_string_equal(
		db_rows(db, "SELECT remote, calls, bytes, time_ns, min_ns, "
			    "median_ns, p95_ns, max_ns FROM access_line"),
		"0|16|128|1600|100|100|100|100\n"
		"1|48|384|96000|2000|2000|2000|2000\n");
	assert_string_equal(db_rows(db, "SELECT thread_id, peer, calls, "
					"median_ns FROM access_pair"),
			    "0|0|16|100\n"
			    "0|1|16|2000\n"
			    "0|2|16|2000\n"
			    "0|3|16|2000\n");
	assert_string_equal(db_rows(db, "SELECT * FROM size_total"),
			    "0|get|8|64|512\n");
	db_close(db);
}

/* 15 are no group; a synchronization ends one; large accesses are in none. */
static void test_groups(void **state)
{
	sqlite3 *db = db_new();
	int64_t t = 0;

	(void)state;
	db_threads(db, 2, 1000000);
	for (int i = 0; i < 15; i++)
		access_event(db, 0, "put", "a.c:1", t += 200, 100, 1, i * 8, 8);
	pause_event(db, "quiet", "a.c:2", &t);
	for (int i = 0; i < 15; i++)
		access_event(db, 0, "put", "a.c:1", t += 200, 100, 1, i * 8, 8);
	access_event(db, 0, "put", "a.c:1", t += 200, 100, 1, 0, 257);
	pause_event(db, "all_to_all", "a.c:3", &t);
	for (int i = 0; i < 16; i++)
		access_event(db, 0, "put", "a.c:1", t += 200, 100, 1, i * 24,
			     8);
	pause_event(db, "barrier", "a.c:4", &t);
	for (int i = 0; i < 16; i++) {
		access_event(db, 0, "put", "a.c:1", t += 200, 100, 1, i * i * 8,
			     256);
		access_event(db, 0, "get", "a.c:9", t += 200, 100, 1,
			     800 - i * 8, 8);
		access_event(db, 0, "get", "a.c:10", t += 200, 100, 1, 64, 8);
		access_event(db, 0, "get", "a.c:11", t += 200, 100, 1, -1, 8);
	}
	/* One access a peer is what it takes: nothing to save. */
	for (int i = 0; i < 20; i++)
		access_event(db, 1, "atomic", "b.c:1", t += 200, 100, 0, 0, 8);
	db_passes(db);
	assert_string_equal(
		db_rows(db, "SELECT s.line, f.accesses, f.pattern, f.saving_ns "
			    "FROM fine_grained f JOIN source s "
			    "ON s.id = f.source_id ORDER BY f.id"),
		"1|16|strided by 24|1500\n"
		"1|16|irregular|1500\n"
		"9|16|contiguous|1500\n"
		"10|16|same address|1500\n"
		"11|16|unknown|1500\n");
	db_close(db);
}

/* The group's own times bound the saving, if its line is slower elsewhere. */
static void test_saving_is_bounded(void **state)
{
	sqlite3 *db = db_new();
	int64_t t = 0;

	(void)state;
	db_threads(db, 2, 1000000);
	for (int i = 0; i < 16; i++)
		access_event(db, 0, "put", "a.c:1", t += 200, i ? 10 : 50, 1,
			     i * 8, 8);
	for (int i = 0; i < 40; i++)
		access_event(db, 1, "put", "a.c:1", t += 2000, 1000, 0, 0, 512);
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT time_ns, saving_ns "
					"FROM fine_grained"),
			    "200|150\n");
	db_close(db);
}

static int compare(const void *a, const void *b)
{
	return (*(const int64_t *)a > *(const int64_t *)b) -
	       (*(const int64_t *)a < *(const int64_t *)b);
}

/* Against sorting; the seed is fixed, the values are skewed. */
static void test_percentiles(void **state)
{
	enum { N = 9973, GROUPS = 3 };
	static int64_t values[GROUPS * N];
	struct gaspdb_run run = { 0 };
	struct gaspdb_durations d, all;
	struct gaspdb_distribution x;

	(void)state;
	srandom(20061);
	gaspdb_durations_init(&d);
	for (int i = 0; i < N; i++)
		for (int g = 0; g < GROUPS; g++) {
			values[g * N + i] = random() >> random() % 31;
			gaspdb_durations_add(&run, &d, g, values[g * N + i], 1);
		}
	gaspdb_durations_sort(&run, &d);
	for (int g = 0; g < GROUPS; g++) {
		const int64_t *of = values + g * N;

		qsort(values + g * N, N, sizeof(int64_t), compare);
		x = gaspdb_durations_of(&d, g);
		assert_int_equal(x.min_ns, of[0]);
		assert_int_equal(x.median_ns, of[4986]); /* 4987th */
		assert_int_equal(x.p95_ns, of[9474]);	 /* 9475th */
		assert_int_equal(x.max_ns, of[N - 1]);
	}
	gaspdb_durations_init(&all);
	for (int g = 0; g < GROUPS; g++)
		gaspdb_durations_copy(&run, &all, 1, &d, g);
	gaspdb_durations_sort(&run, &all);
	qsort(values, GROUPS * N, sizeof(int64_t), compare);
	x = gaspdb_durations_of(&all, 1);
	assert_int_equal(x.min_ns, values[0]);
	assert_int_equal(x.median_ns, values[14959]); /* 14960th */
	assert_int_equal(x.p95_ns, values[28423]);    /* 28424th */
	assert_int_equal(x.max_ns, values[GROUPS * N - 1]);
	gaspdb_durations_fini(&all);
	gaspdb_durations_fini(&d);
}

/* So many, most of them short, that they are counted: groups come one after the
   other, and the long ones late. */
static void test_percentiles_counted(void **state)
{
	enum { N = 40000, GROUPS = 7 };
	static int64_t values[N];
	struct gaspdb_run run = { 0 };
	struct gaspdb_durations d;

	(void)state;
	gaspdb_durations_init(&d);
	for (int again = 0; again < 2; again++) {
		for (uint32_t g = 0; g < GROUPS; g++)
			for (int64_t i = 0; i < N; i++)
				gaspdb_durations_add(
					&run, &d, g,
					i * 7919 % N % (g < 4 ? 300 : 30000),
					1);
		gaspdb_durations_add(&run, &d, 1, 7, UINT32_MAX);
		gaspdb_durations_sort(&run, &d);
		for (uint32_t g = 0; g < GROUPS; g++) {
			const struct gaspdb_distribution x =
				gaspdb_durations_of(&d, g);

			for (int64_t i = 0; i < N; i++)
				values[i] = i % (g < 4 ? 300 : 30000);
			qsort(values, N, sizeof(int64_t), compare);
			assert_int_equal(x.min_ns, 0);
			assert_int_equal(x.median_ns,
					 g == 1 ? 7 : values[N / 2 - 1]);
			assert_int_equal(x.p95_ns,
					 g == 1 ? 7 : values[N / 20 * 19 - 1]);
			assert_int_equal(x.max_ns, values[N - 1]);
		}
		gaspdb_durations_clear(&d);
	}
	gaspdb_durations_fini(&d);
}

/* More different values than are kept: rounded, but not by much. */
static void test_percentiles_bounded(void **state)
{
	enum { N = 3000000 };
	struct gaspdb_run run = { 0 };
	struct gaspdb_durations d;
	struct gaspdb_distribution x;

	(void)state;
	gaspdb_durations_init(&d);
	for (int64_t i = 0; i < N; i++)
		gaspdb_durations_add(&run, &d, 0, i * 7919 % N * 1000, 1);
	assert_true(d.room <= 1 << 21);
	gaspdb_durations_sort(&run, &d);
	x = gaspdb_durations_of(&d, 0);
	assert_true(x.median_ns <= 1500000000 && x.median_ns > 1498500000);
	assert_true(x.p95_ns <= 2850000000 && x.p95_ns > 2847150000);
	gaspdb_durations_fini(&d);
}

/* Short ones that are counted, and more others than are kept: groups in turns,
   three of five durations of each below 250 ns, the others all different. */
static void test_percentiles_counted_and_bounded(void **state)
{
	enum { N = 6000000, GROUPS = 2 };
	struct gaspdb_run run = { 0 };
	struct gaspdb_durations d;
	int64_t n = 0;

	(void)state;
	gaspdb_durations_init(&d);
	for (int64_t i = 0; i < N; i++)
		for (uint32_t g = 0; g < GROUPS; g++)
			gaspdb_durations_add(
				&run, &d, g,
				i % 5 < 3 ? i % 250 : i * 7919 % N * 1000, 1);
	assert_true(d.room <= 1 << 21);
	gaspdb_durations_sort(&run, &d);
	for (size_t i = 0; i < d.n; i++) {
		const size_t before = i ? i - 1 : 0;

		n += d.rows[i].more;
		assert_true(!i || d.rows[before].row < d.rows[i].row ||
			    (d.rows[before].row == d.rows[i].row &&
			     d.rows[before].key < d.rows[i].key));
	}
	assert_int_equal(n, (int64_t)N * GROUPS);
	for (uint32_t g = 0; g < GROUPS; g++) {
		const struct gaspdb_distribution x = gaspdb_durations_of(&d, g);

		/* The 125th of 150 short ones: three of five below 250. */
		assert_int_equal(x.median_ns, 206);
		/* One of eight of the others is above. */
		assert_true(x.p95_ns <= 5250000000 && x.p95_ns > 5240000000);
	}
	gaspdb_durations_fini(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_example),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_saving_is_bounded),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_percentiles_counted),
		cmocka_unit_test(test_percentiles_bounded),
		cmocka_unit_test(test_percentiles_counted_and_bounded),
	};

	return cmocka_run_group_tests_name("transfers", tests, NULL, NULL);
}
