/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks: conversion of ticks to ns, and alignment of hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collector/log/log_format.h"
#include "importer/run/clock.h"
#include "common/limits.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

static struct gaspdb_hosts hosts;

static struct gaspdb_host *new_host(uint64_t hz)
{
	struct gaspdb_host *h;

	gaspdb_hosts_free(&hosts);
	h = gaspdb_hosts_get(&hosts, 1);
	h->ticks_hz = hz;
	return h;
}

static void add_pair(struct gaspdb_host *h, uint64_t ticks, int64_t ns,
		     uint32_t uncertain)
{
	gaspdb_host_pair(h, (struct gaspdb_clock_pair){ ticks, ns, uncertain });
}

/* CLOCK_MONOTONIC at a value of the time stamp counter. */
static int64_t at(const struct gaspdb_host *h, uint64_t ticks)
{
	struct gaspdb_timeline t = gaspdb_host_timeline(h, GASPDB_CLOCK_TSC);

	return gaspdb_timeline_ns(&t, ticks, 0);
}

static void assert_near(int64_t a, int64_t b, int64_t tolerance)
{
	if (llabs(a - b) > tolerance)
		fail_msg("%lld is not within %lld of %lld", (long long)a,
			 (long long)tolerance, (long long)b);
}

#define SECOND INT64_C(1000000000)

static void one_reading(void **state)
{
	struct gaspdb_host *h = new_host(2000000000);

	(void)state;
	add_pair(h, 5000, 100, 40);
	gaspdb_hosts_fit(&hosts);
	assert_int_equal(at(h, 5000), 100);
	assert_int_equal(at(h, 5000 + 2000), 1100);
	assert_int_equal(at(h, 5000 + 2000000000), SECOND + 100);
	assert_int_equal(at(h, 4000), -400);
}

/* A day, with a nominal rate 50 ppm wrong. */
static void wrong_nominal_rate(void **state)
{
	struct gaspdb_host *h = new_host(2000100000);

	(void)state;
	for (int64_t s = 0; s <= 86400; s += 100)
		add_pair(h, (uint64_t)(2 * s * SECOND) + 7000, s * SECOND + 42,
			 60);
	gaspdb_hosts_fit(&hosts);
	assert_near(at(h, 7000), 42, 2);
	assert_near(at(h, 7000 + 2u * 86400u * (uint64_t)SECOND),
		    86400 * SECOND + 42, 2);
	assert_near(at(h, 7000 + 2u * 43211u * (uint64_t)SECOND),
		    43211 * SECOND + 42, 2);
}

/* Readings within a millisecond, which do not determine the rate. */
static void readings_close_together(void **state)
{
	struct gaspdb_host *h = new_host(1000000000);

	(void)state;
	for (uint64_t i = 0; i < 8; i++)
		add_pair(h, 1000 + 100000 * i,
			 (int64_t)(100000 * i) + (i % 2 ? 50 : -50), 100);
	gaspdb_hosts_fit(&hosts);
	/* A line through them would be off by 48 us a second. */
	assert_near(at(h, 1000 + (uint64_t)SECOND), SECOND, 15000);
}

/* Outliers, the first reading among them. */
static void outliers(void **state)
{
	struct gaspdb_host *h = new_host(2000000000);

	(void)state;
	add_pair(h, UINT64_MAX / 3, 77, 1);
	for (int64_t s = 0; s < 20; s++) {
		add_pair(h, (uint64_t)(2 * s * SECOND), s * SECOND, 50);
		if (s % 5 == 0)
			add_pair(h, (uint64_t)(2 * s * SECOND),
				 s * SECOND + (s % 2 ? 1 : -1) * (s + 1) *
						      SECOND / 4,
				 50);
	}
	add_pair(h, 3, INT64_MAX, 0);
	gaspdb_hosts_fit(&hosts);
	for (int64_t s = 0; s < 20; s++)
		assert_near(at(h, (uint64_t)(2 * s * SECOND)), s * SECOND, 1);
}

/* An uncertain reading (the thread lost the processor), which has less
   weight. */
static void uncertainty(void **state)
{
	struct gaspdb_host *h = new_host(1000000000);

	(void)state;
	for (int64_t s = 0; s < 10; s++)
		add_pair(h, (uint64_t)(s * SECOND), s * SECOND, 20);
	add_pair(h, 5 * (uint64_t)SECOND, 5 * SECOND + 90000, 100000);
	gaspdb_hosts_fit(&hosts);
	assert_near(at(h, 5 * (uint64_t)SECOND), 5 * SECOND, 2);
}

/* A limited number of readings is kept, from the whole run. */
static void many_readings(void **state)
{
	struct gaspdb_host *h = new_host(999000000);

	(void)state;
	for (int64_t i = 0; i < 100000; i++)
		add_pair(h, (uint64_t)(i * 1000000), i * 1000000 + 5, 30);
	gaspdb_hosts_fit(&hosts);
	assert_true(h->n_pairs <= GASPDB_PAIRS_MAX);
	assert_near(at(h, UINT64_C(99999000000)), INT64_C(99999000005), 2);
}

/* Readings out of range. */
static void nonsense(void **state)
{
	static const uint64_t hz[] = { 0, 1, UINT64_MAX, 2000000000 };
	static const uint64_t ticks[] = { 0, 1, UINT64_MAX, UINT64_MAX / 2 };

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < 64; k++) {
			struct gaspdb_host *h = new_host(hz[i]);

			for (unsigned n = 0; n < 3; n++)
				add_pair(h, ticks[k >> 2 * n & 3],
					 (int64_t)ticks[(k + n) & 3],
					 n ? UINT32_MAX : 0);
			gaspdb_hosts_fit(&hosts);
			for (unsigned n = 0; n < 4; n++) {
				int64_t ns = at(h, ticks[n]);

				assert_true(ns <= GASPDB_TIME_MAX &&
					    ns >= -GASPDB_TIME_MAX);
			}
		}
}

/* Readings further apart than 64 bits, and no others. */
static void far_apart(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct gaspdb_host *h = new_host(0);

		add_pair(h, 1000, i ? INT64_MIN : INT64_MAX, 0);
		add_pair(h, 2000, i ? INT64_MAX : INT64_MIN, 0);
		gaspdb_hosts_fit(&hosts);
		assert_true(at(h, 3000) <= GASPDB_TIME_MAX);
	}
}

static void real_time(void **state)
{
	struct gaspdb_host *h = new_host(1000000000);
	struct gaspdb_timeline t;

	(void)state;
	gaspdb_host_real(h, 500, 7000, UINT32_MAX); /* rough */
	gaspdb_host_real(h, 600, 8000, 90);	    /* the best */
	gaspdb_host_real(h, 700, 9999, 100);
	gaspdb_host_real(h, INT64_MIN, INT64_MAX, 0); /* nonsense */
	t = gaspdb_host_timeline(h, GASPDB_CLOCK_MONOTONIC);
	assert_int_equal(gaspdb_timeline_ns(&t, 600, 0), 8000);
	assert_int_equal(gaspdb_timeline_ns(&t, 650, 8000), 50);
}

/* --- in logs ----------------------------------------------------------------
 */

/* Ticks of 0.4 ns, with a rate from the headers of blocks. */
static void counter_in_logs(void **state)
{
	struct log *l = log_new_ticks("node", 1, 0, 2.5);
	unsigned put = log_plain(l, "put", "put", "communication", 1);
	sqlite3 *db;

	(void)state;
	log_call(l, 100, 300, put);
	log_block_at(l, 5 * (uint64_t)SECOND, LOG_BASE + 5 * SECOND);
	log_call(l, 5 * (uint64_t)SECOND, 5 * (uint64_t)SECOND + 8, put);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT start_ns, duration_ns "
					"FROM event ORDER BY id"),
			    "0|200\n4999999900|8\n");
	db_close(db);
}

/* Two hosts, each with its own CLOCK_MONOTONIC: the wall clock aligns them. */
static void two_hosts(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct log *l = log_new(i ? "far" : "near", 10, 0);
		unsigned put = log_plain(l, "put", "put", "communication", 1);

		log_meta(l, "host", i ? "far" : "near");
		log_meta(l, "rank", i ? "1" : "0");
		/* The other host's wall clock is 1000 ahead at the same
		   reading. */
		log_clock(l, 5, LOG_BASE + 5, LOG_REAL + 5 + 1000 * i, 30);
		log_call(l, 10, 20, put);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, host, first_ns, last_ns "
					"FROM thread"),
			    "0|near|0|15\n1|far|1000|1015\n");
	assert_string_equal(db_rows(db, "SELECT kind, severity, detail "
					"FROM quality"),
			    "several hosts|note|2 hosts\n");
	assert_string_equal(db_rows(db, "SELECT value FROM meta "
					"WHERE key = 'start_real_ns'"),
			    "1700000000000000005\n");
	db_close(db);
	run_remove(run);
}

/* A host that has run for 57 years, beside one that has just started. */
static void long_uptime(void **state)
{
	const uint64_t up = UINT64_C(1800000000000000000);
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		const uint64_t t = rank ? up : 0;
		struct log *l = log_new(rank ? "old" : "new", 10, 0);
		unsigned put = log_plain(l, "put", "put", "communication", 1);

		log_meta(l, "host", rank ? "old" : "new");
		log_meta(l, "rank", rank ? "1" : "0");
		log_block(l, t);
		log_clock(l, t + 5, (int64_t)(LOG_BASE + t + 5), LOG_REAL + 5,
			  30);
		log_call(l, t + 10, t + 20, put);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, host, first_ns, last_ns "
					"FROM thread"),
			    "0|new|0|15\n1|old|0|15\n");
	assert_string_equal(db_rows(db, "SELECT kind FROM quality"),
			    "several hosts\n");
	db_close(db);
	run_remove(run);
}

/* A start of MPI_Init from before the log's first reading of the clocks. */
static void event_before_the_clock(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned init = log_plain(l, "MPI_Init", "init", "runtime", 1);
	sqlite3 *db;

	(void)state;
	log_clock(l, 50, LOG_BASE + 50, LOG_REAL + 50, 30);
	log_start(l, 20, init, NONE);
	log_end(l, 80, init, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT start_ns, duration_ns "
					"FROM event"),
			    "0|60\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM quality"), 0);
	db_close(db);
}

/* A log that begins a hundred years before: no time precedes the run. */
static void long_before(void **state)
{
	const uint64_t before = 0 - UINT64_C(3000000000000000000);
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = log_rank(rank, 2);
		unsigned put = log_plain(l, "put", "put", "communication", 1);
		const uint64_t t = rank ? before : 0;

		log_block(l, t);
		log_call(l, t + 10, t + 20, put);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, first_ns FROM thread "
					"WHERE rank = 1"),
			    "1|0\n");
	assert_string_equal(db_rows(db,
				    "SELECT start_ns, duration_ns FROM event "
				    "JOIN thread t ON t.id = thread_id "
				    "WHERE rank = 1"),
			    "0|0\n");
	db_close(db);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_reading),
		cmocka_unit_test(wrong_nominal_rate),
		cmocka_unit_test(readings_close_together),
		cmocka_unit_test(outliers),
		cmocka_unit_test(uncertainty),
		cmocka_unit_test(many_readings),
		cmocka_unit_test(nonsense),
		cmocka_unit_test(far_apart),
		cmocka_unit_test(real_time),
		cmocka_unit_test(counter_in_logs),
		cmocka_unit_test(two_hosts),
		cmocka_unit_test(long_uptime),
		cmocka_unit_test(event_before_the_clock),
		cmocka_unit_test(long_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) |
	       (gaspdb_hosts_free(&hosts), 0);
}
