/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of more keys than memory is to hold, and messages of more pairs of
   processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/rows/sums.h"
#include "sql/store/table.h"
#include "analysis/waits/waits.h"
#include "analysis/messages/wrong_order.h"
#include "tests/unit/util_db.h"

static uint64_t seed = 7;

static int64_t below(int64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (int64_t)((seed * 0x2545f4914f6cdd1du >> 11) % (uint64_t)n);
}

/* --- sums ----------------------------------------------------------------- */

struct sum {
	int64_t times, sum, least, greatest, first; /* with the greatest */
};

static void add(struct gaspdb_sums *sums, struct sum *expected, int64_t key,
		int64_t number)
{
	const int64_t v = below(1000);
	int64_t *values =
		gaspdb_sums_of(sums, (int64_t[]){ key % 100, key / 100 });
	struct sum *of[] = { (struct sum *)values, expected };

	for (int i = 0; i < 2; i++) {
		struct sum *s = of[i];

		if (!s->times || v < s->least)
			s->least = v;
		if (!s->times || v > s->greatest) {
			s->greatest = v;
			s->first = number;
		}
		s->times++;
		s->sum += v;
	}
}

/* n additions to as many keys at most; true: the rows took little memory. */
static bool sum_up(struct gaspdb_run *run, int64_t n)
{
	struct sum *expected = calloc((size_t)n, sizeof *expected);
	struct gaspdb_sums sums;
	const int64_t *row;
	size_t room;

	assert_non_null(expected);
	gaspdb_sums_init(&sums, run, 2, "++<>^");
	for (int64_t i = 0; i < n; i++) {
		const int64_t key = below(n);

		add(&sums, &expected[key], key, i);
	}
	room = sums.groups.room;
	for (int64_t i = 0; i < n; i++) {
		const int64_t key = i % (n / 100) * 100 + i / (n / 100);
		const struct sum *s = &expected[key];

		if (!s->times)
			continue;
		row = gaspdb_sums_next(&sums);
		assert_non_null(row);
		assert_true(row[0] == key % 100 && row[1] == key / 100);
		assert_memory_equal(row + 2, s, sizeof *s);
	}
	assert_null(gaspdb_sums_next(&sums));
	gaspdb_sums_fini(&sums);
	free(expected);
	return room * 7 * sizeof(int64_t) <= 8 << 20;
}

static void test_sums(void **state)
{
	sqlite3 *db = db_new();
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;

	(void)state;
	gaspdb_run_open(&run, db, &err);
	assert_true(sum_up(&run, 100));
	assert_true(sum_up(&run, 10000));
	assert_true(sum_up(&run, 1000000));
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	db_close(db);
}

/* --- wrong order ---------------------------------------------------------- */

enum { PROCESSES = 1000, MESSAGES = 1000000, WAITS = 200 };

/* KiB that the process has had at most. */
static long peak(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[200];
	long kib = -1;

	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "VmHWM: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

static enum gaspdb_wrong expected(const struct gaspdb_received *all,
				  const struct gaspdb_received *m)
{
	enum gaspdb_wrong wrong = GASPDB_WRONG_NOT;

	for (int i = 0; i < MESSAGES; i++)
		if (all[i].receiver == m->receiver &&
		    all[i].received_ns > m->received_ns &&
		    all[i].sent_ns < m->sent_ns) {
			if (all[i].sender == m->sender)
				return GASPDB_WRONG_SAME_SOURCE;
			wrong = GASPDB_WRONG_DIFFERENT_SOURCE;
		}
	return wrong;
}

/* What was proposed for the waits, by their events, which are numbers. */
static void check(struct gaspdb_run *run, const struct gaspdb_received *all,
		  const struct gaspdb_received *waited)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		run, "SELECT event_id, wrong_order FROM wait ORDER BY 1");
	int64_t of[3] = { 0 };

	for (int i = 0; i < WAITS; i++) {
		assert_true(gaspdb_row(run, stmt));
		assert_int_equal(sqlite3_column_int64(stmt, 0), i + 1);
		assert_int_equal(sqlite3_column_int64(stmt, 1),
				 expected(all, &waited[i]));
		of[sqlite3_column_int64(stmt, 1)]++;
	}
	assert_true(of[0] && of[1] && of[2]);
	sqlite3_finalize(stmt);
}

/* Each message is of another two processes, or nearly so. */
static void exchange(struct gaspdb_run *run, struct gaspdb_received *all,
		     struct gaspdb_received *waited)
{
	struct gaspdb_wait w = { .kind = GASPDB_WAIT_LATE_SENDER,
				 .cause_event = 1,
				 .cause_source = 1,
				 .start_ns = 1,
				 .end_ns = 2 };
	struct gaspdb_wrong_order order;
	struct gaspdb_wait_writer writer;
	long before;

	gaspdb_wait_writer_open(&writer, run);
	gaspdb_wrong_order_open(&order, run);
	for (int i = 0; i < MESSAGES; i++) {
		all[i] = (struct gaspdb_received){
			.receiver = i % PROCESSES,
			.sender = i / PROCESSES - i % 3 % 2,
			.sent_ns = i + below(1000000),
			.received_ns = i + 1000000 + below(1000)
		};
		if (all[i].sender < 0)
			all[i].sender = 0;
		gaspdb_wrong_order_message(&order, &all[i]);
	}
	for (int i = 0; i < WAITS; i++) {
		waited[i] = all[MESSAGES - 1 - below(i % 2 ? MESSAGES : 5000)];
		w.event = i + 1;
		gaspdb_wrong_order_wait(&order, &waited[i], &w);
	}
	before = peak();
	gaspdb_wrong_order_close(&order, &writer);
	gaspdb_wait_writer_close(&writer);
#ifdef __SANITIZE_ADDRESS__
	(void)before; /* it has memory of its own */
#else
	assert_in_range(peak() - before, 0, 24 << 10);
#endif
}

static void test_wrong_order(void **state)
{
	struct gaspdb_received *all = calloc(MESSAGES, sizeof *all);
	struct gaspdb_received waited[WAITS];
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;
	sqlite3 *db = db_new();

	(void)state;
	assert_non_null(all);
	db_threads(db, PROCESSES, 1000);
	for (int i = 0; i < WAITS; i++)
		db_event(db, 0, "receive", "r.c:1", 0, 10);
	gaspdb_run_open(&run, db, &err);
	exchange(&run, all, waited);
	gaspdb_pass_waits(&run);
	gaspdb_table_writer_finish(&run.tables);
	check(&run, all, waited);
	if (gaspdb_run_close(&run))
		fail_msg("%s", err.msg);
	db_close(db);
	free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_wrong_order),
	};

	return cmocka_run_group_tests_name("many keys", tests, NULL, NULL);
}
