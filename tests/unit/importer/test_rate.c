/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions of gaspdb info: logs with a known growth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "importer/inspect/inspect.h"
#include "tests/unit/util_log.h"

#define SECOND UINT64_C(1000000000)

static void meta_ticks(struct log *l, const char *key, uint64_t t)
{
	char text[32];

	snprintf(text, sizeof text, "%llu", (unsigned long long)(LOG_BASE + t));
	log_meta(l, key, text);
}

static enum gaspdb_status look_at(struct gaspdb_inspection *inspection,
				  const char *run, struct gaspdb_error *err)
{
	struct gaspdb_input_options options = { .path = run };

	return gaspdb_inspect(inspection, &options, err);
}

/* Rates of a run with one log, closed before. */
static struct gaspdb_rates rates_of(struct log *l)
{
	struct gaspdb_rates rates = { 0 };
	struct gaspdb_inspection inspection;
	struct gaspdb_error err;
	char *run = run_new();

	run_add(run, l);
	assert_int_equal(look_at(&inspection, run, &err), GASPDB_OK);
	assert_int_equal(inspection.n_threads, 1);
	gaspdb_rates_add(&rates, &inspection.threads[0].rate,
			 inspection.threads[0].ticks_hz);
	gaspdb_inspection_free(&inspection);
	run_remove(run);
	return rates;
}

/* Asserts that a run of one log has no events to predict from. */
static void assert_empty(struct log *l)
{
	struct gaspdb_inspection inspection;
	struct gaspdb_error err;
	char *run = run_new();

	run_add(run, l);
	assert_int_equal(look_at(&inspection, run, &err), GASPDB_FAILED);
	assert_non_null(strstr(err.msg, "holds no events"));
	gaspdb_inspection_free(&inspection);
	run_remove(run);
}

static void assert_near(double got, double expected)
{
	if (got < expected * (1 - 1e-9) || got > expected * (1 + 1e-9))
		fail_msg("%.9g, not %.9g", got, expected);
}

static unsigned define_put(struct log *l)
{
	return log_site(l,
			log_op(l, "put", "put", "communication",
			       "peer:i bytes:z context:i", "state:i"),
			"a.c", 1);
}

/*
 * Growth from the runtime's start at 1 s to its end at 3 s, half a second of it
 * off: 100 puts in 1.5 s, each with two arguments that are no columns.
 */
static void growth(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned init = log_plain(l, "init", "init", "runtime", 1);
	unsigned put = define_put(l), late;
	struct gaspdb_rates r;
	size_t before, once, grown;

	(void)state;
	log_call(l, 0, SECOND - 10, init);
	meta_ticks(l, "init_ticks", SECOND);
	before = l->n;
	for (uint64_t i = 0; i < 50; i++) {
		log_start(l, SECOND + i * 1000, put, ARGS(0, 8, 1));
		log_end(l, SECOND + i * 1000 + 500, put, ARGS(7));
	}
	log_recording(l, false, SECOND + SECOND / 2);
	log_recording(l, true, 2 * SECOND);
	once = l->n;
	late = define_put(l); /* written once */
	once = l->n - once;
	for (uint64_t i = 0; i < 50; i++) {
		log_start(l, 2 * SECOND + i * 1000, late, ARGS(0, 8, 1));
		log_end(l, 2 * SECOND + i * 1000 + 500, late, ARGS(7));
	}
	grown = l->n - before - once;
	meta_ticks(l, "finalize_ticks", 3 * SECOND);
	log_call(l, 3 * SECOND, 9 * SECOND, init);
	log_close(l);
	r = rates_of(l);
	assert_near(r.seconds, 1.5);
	assert_near(r.raw_events, 200 / 1.5);
	assert_near(r.bytes, (double)grown / 1.5);
	assert_near(r.database, (100 * 29 + 200 * 12) / 1.5);
}

/* Growth without a runtime: from the first record to the last. Headers of
   blocks count, atomic events are rows, and receives have further rows. */
static void no_runtime(void **state)
{
	struct log *l = log_new("node", 1, 0);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);
	unsigned recv = log_plain(l, "recv", "receive", "communication", 2);
	unsigned both =
		log_plain(l, "sendrecv", "send_receive", "communication", 3);
	struct gaspdb_rates r;
	size_t before = l->n, block, padding, grown;

	(void)state;
	log_atomic(l, SECOND, mark, NONE);
	log_call(l, 2 * SECOND, 2 * SECOND + 5, recv);
	block = l->n;
	log_block(l, 3 * SECOND);
	padding = l->n - block - 48;
	log_call(l, 4 * SECOND, 5 * SECOND, both);
	log_close(l);
	grown = l->n - before + 48 -
		padding; /* the first block's header, too */
	r = rates_of(l);
	assert_near(r.seconds, 4);
	assert_near(r.raw_events, 5.0 / 4);
	assert_near(r.bytes, (double)grown / 4);
	assert_near(r.database, (3 * 29 + 3 * 90) / 4.0);
}

/* Recording that stops, as at a size limit: the growth is measured up to
   there. */
static void stopped(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned put = define_put(l);
	struct gaspdb_rates r;

	(void)state;
	log_call(l, 0, 10, put);
	log_recording(l, false, 2 * SECOND);
	log_clock(l, 60 * SECOND, LOG_BASE, LOG_REAL, 1);
	log_close(l);
	r = rates_of(l);
	assert_near(r.seconds, 2);
	assert_near(r.raw_events, 1);
}

/* Short runs, and logs that consist mostly of definitions: predictions with
   caveats. */
static void caveats(void **state)
{
	static const struct {
		uint64_t step, n;
		bool definitions;
		const char *beginning;
	} runs[] = {
		{ SECOND / 100, 99, false, "so short a run" },
		{ SECOND / 100, 101, false, "" },
		{ SECOND / 100, 101, true, "most of these logs" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct log *l = log_new("node", 1, 0);
		unsigned put = define_put(l);
		struct gaspdb_rates r;
		const char *caveat;

		for (int k = 0; k < 200 && runs[i].definitions; k++)
			log_string(l, "a rather long name");
		for (uint64_t k = 0; k <= runs[i].n; k++)
			log_atomic(l, k * runs[i].step, put, ARGS(0, 8, 1));
		log_close(l);
		r = rates_of(l);
		caveat = gaspdb_rates_caveat(&r);
		assert_int_equal(!*caveat, !*runs[i].beginning);
		assert_int_equal(strncmp(caveat, runs[i].beginning,
					 strlen(runs[i].beginning)),
				 0);
	}
}

/* Logs of two clocks: their rates add up. */
static void several(void **state)
{
	struct gaspdb_rates rates = { 0 };
	struct gaspdb_inspection inspection;
	struct gaspdb_error err;
	char *run = run_new();

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct log *l = log_new_ticks("node", 1 + i, 0, 2 + i);
		unsigned put = define_put(l);

		for (uint64_t k = 0; k <= 10 * (1 + i); k++)
			log_atomic(l, k * SECOND / 10, put, NONE);
		log_close(l);
		run_add(run, l);
	}
	assert_int_equal(look_at(&inspection, run, &err), GASPDB_OK);
	for (size_t i = 0; i < 2; i++)
		gaspdb_rates_add(&rates, &inspection.threads[i].rate,
				 inspection.threads[i].ticks_hz);
	assert_near(rates.seconds, 2);
	assert_near(rates.raw_events, 11 + 21 / 2.0);
	gaspdb_inspection_free(&inspection);
	run_remove(run);
}

/* Runs without a basis for a prediction, or with invalid records. */
static void nothing(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++) {
		struct log *l = log_rank(0, 1);
		unsigned put = define_put(l);

		if (i == 1)
			log_atomic(l, 5, put, NONE); /* a single time */
		if (i == 2)
			log_call(l, 5, 10, LOG_SITES - 1); /* undefined */
		if (i == 3) { /* the runtime's start lies after all events */
			meta_ticks(l, "init_ticks", 9 * SECOND);
			log_call(l, 5, 10, put);
		}
		if (i == 4) { /* ids out of range */
			log_numbers(l, 3, 5,
				    (uint64_t[]){ UINT64_MAX, 1, 0, 0, 0 });
			log_numbers(l, 3, 5,
				    (uint64_t[]){ 9, UINT64_MAX, 0, 0, 0 });
		}
		log_close(l);
		if (i == 0 || i == 2 || i == 4) {
			assert_empty(l);
			continue;
		}
		struct gaspdb_rates r = rates_of(l);

		assert_true(r.seconds == 0);
		assert_true(r.bytes == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growth),  cmocka_unit_test(no_runtime),
		cmocka_unit_test(stopped), cmocka_unit_test(caveats),
		cmocka_unit_test(several), cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
