/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the progress of an import: it never decreases, ends at 100 %, and is
 * close to the share of time. GASPDB_TEST_PROGRESS=RUN imports that run and
 * prints the largest error of the shares.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/passes.h"
#include "cli/import/forecast.h"
#include "tests/unit/util_log.h"

enum { POINTS_MAX = 100000 };

/* All progress calls. */
static struct {
	size_t n, n_passes; /* passes: phases "analyzing: ..." */
	struct {
		double share, ns;
		char phase[40];
	} points[POINTS_MAX];
} told;

static uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void note(void *user, const char *phase, uint64_t done, uint64_t total)
{
	(void)user;
	assert_true(done <= total);
	assert_in_range(told.n, 0, POINTS_MAX - 1);
	told.points[told.n].share = (double)done / (double)total;
	told.points[told.n].ns = (double)clock_ns();
	snprintf(told.points[told.n].phase, sizeof told.points[0].phase, "%s",
		 phase);
	told.n++;
}

/* --- the forecast, by a clock of its own ---------------------------------- */

static uint64_t fake_ns;

static uint64_t fake_clock(void)
{
	return fake_ns;
}

static void begin(struct gaspdb_forecast *f)
{
	told.n = 0;
	fake_ns = 1000;
	*f = (struct gaspdb_forecast){ .report = note };
	gaspdb_forecast_init(f, fake_clock);
}

/* Report a number of bytes read, with these rows. */
static void read_logs(struct gaspdb_forecast *f, uint64_t bytes, uint64_t all,
		      struct gaspdb_row_counts rows)
{
	gaspdb_forecast_import(f, &(struct gaspdb_import_progress){
					  .stage = GASPDB_IMPORT_READING,
					  .phase = "reading logs",
					  .done = bytes,
					  .total = all,
					  .rows = rows });
}

/* The model of a run without messages: a read takes 380 ns an event, beside the
   costs of the passes. Here everything takes ten times that. */
static void test_forecast(void **state)
{
	const int64_t events = 1000000, step = 10000;
	const struct gaspdb_row_counts all = { .events = events };
	const double cost = gaspdb_passes_cost(&all);
	const double reading = 380.0 * (double)events;
	struct gaspdb_forecast f;

	(void)state;
	begin(&f);
	read_logs(&f, 0, (uint64_t)events, (struct gaspdb_row_counts){ 0 });
	assert_int_equal(told.n, 0);
	for (int64_t n = step; n <= events; n += step) {
		fake_ns += (uint64_t)(3800 * step);
		read_logs(&f, (uint64_t)n, (uint64_t)events,
			  (struct gaspdb_row_counts){ .events = n });
		assert_true(fabs(told.points[told.n - 1].share -
				 (double)n / (double)events * reading /
					 (reading + cost)) < 1e-6);
	}
	for (int i = 1; i <= 50; i++) {
		fake_ns += (uint64_t)(cost * 10 / 50);
		gaspdb_forecast_left(&f, "analyzing", cost * (50 - i) / 50);
		assert_true(fabs(told.points[told.n - 1].share -
				 (reading + cost * i / 50) / (reading + cost)) <
			    1e-6);
	}
	assert_true(told.points[told.n - 1].share == 1);
}

/* A phase longer than expected slows the progress down and never back. */
static void test_never_back(void **state)
{
	const struct gaspdb_row_counts few = { .events = 1000 };
	const struct gaspdb_row_counts many = { .events = 2000, .p2p = 90000 };
	struct gaspdb_forecast f;

	(void)state;
	begin(&f);
	read_logs(&f, 0, 100, (struct gaspdb_row_counts){ 0 });
	fake_ns += 1000000;
	read_logs(&f, 90, 100, few);
	fake_ns += 1000;
	read_logs(&f, 91, 100, many);
	fake_ns += 1000;
	gaspdb_forecast_left(&f, "analyzing", 1e9);
	fake_ns += 100000000;
	gaspdb_forecast_left(&f, "analyzing", 5e8);
	for (size_t i = 1; i < told.n; i++)
		assert_true(told.points[i].share >
			    told.points[i - 1].share - 1e-6);
	fake_ns += 100;
	gaspdb_forecast_left(&f, "finishing", 0);
	assert_true(told.points[told.n - 1].share == 1);
}

/* Unpacking an archive takes a third of the time. */
static void test_unpacking(void **state)
{
	struct gaspdb_forecast f;

	(void)state;
	begin(&f);
	for (uint64_t i = 1; i <= 10; i++) {
		fake_ns += 70;
		gaspdb_forecast_import(&f,
				       &(struct gaspdb_import_progress){
					       .stage = GASPDB_IMPORT_UNPACKING,
					       .phase = "unpacking",
					       .done = i,
					       .total = 10 });
	}
	assert_true(fabs(told.points[told.n - 1].share - 1.0 / 3) < 0.01);
}

/* --- an import ------------------------------------------------------------ */

static double import(const char *run)
{
	char output[400];
	struct gaspdb_made made;
	struct gaspdb_error err;
	const struct gaspdb_make_options options = {
		.import = { .run = run, .jobs = 1 },
		.output = output,
		.force = true,
		.progress = note
	};
	const double start = (double)clock_ns();

	told.n = 0;
	snprintf(output, sizeof output, "%s.progress.db", run);
	if (gaspdb_make(&options, &made, &err) != GASPDB_OK)
		fail_msg("%s", err.msg);
	unlink(output);
	return start;
}

/* Count the changes of the share and the phases during the passes. */
static size_t count_steps(size_t *phases)
{
	size_t steps = 0;

	*phases = 0;
	for (size_t i = 1; i < told.n; i++) {
		assert_true(told.points[i].share >
			    told.points[i - 1].share - 1e-6);
		if (strncmp(told.points[i].phase, "analyzing: ", 11) != 0)
			continue;
		steps += told.points[i].share > told.points[i - 1].share;
		*phases += strcmp(told.points[i].phase,
				  told.points[i - 1].phase) != 0;
	}
	return steps;
}

/* Four threads of 100,000 calls; one in ten is a send or a receive. */
static void test_import(void **state)
{
	char *run = run_new();
	size_t phases;

	(void)state;
	for (int rank = 0; rank < 4; rank++) {
		struct log *l = log_rank(rank, 4);
		unsigned put = log_plain(l, "put", "put", "communication", 1);

		for (uint64_t i = 0; i < 100000; i++) {
			if (i % 2000 == 1999)
				log_block(l, 10 * i);
			log_call(l, 10 * i, 10 * i + 5, put);
		}
		log_close(l);
		run_add(run, l);
	}
	import(run);
	run_remove(run);
	assert_in_range(count_steps(&phases), 30, POINTS_MAX);
	/* Each pass is a phase; the event passes are one. */
	assert_in_range(phases, 15, 30);
	assert_string_equal(told.points[told.n - 1].phase, "finishing");
	assert_true(told.points[told.n - 1].share == 1);
}

static void measure(void **state)
{
	const char *run = getenv("GASPDB_TEST_PROGRESS");
	double start, end, most = 0, longest = 0, least = 1;
	size_t phases, steps, at = 0;

	(void)state;
	if (!run)
		return;
	start = import(run);
	end = (double)clock_ns();
	steps = count_steps(&phases);
	for (size_t i = 0; i < told.n; i++) {
		const double share =
			(told.points[i].ns - start) / (end - start);
		const double off = fabs(told.points[i].share - share);

		if (i && told.points[i].ns - told.points[i - 1].ns > longest)
			longest = told.points[i].ns - told.points[i - 1].ns;
		if (i % (told.n / 20 + 1) == 0)
			print_message("# %5.1f %% of the time: %5.1f %%, %s\n",
				      100 * share, 100 * told.points[i].share,
				      told.points[i].phase);
		if (off > most) {
			most = off;
			at = i;
		}
		least = share < least ? share : least;
	}
	print_message("# %.1f s, %d times told, %d steps in %d passes; at most "
		      "%.1f points off, in %s; nothing new for %.2f s at most, "
		      "nothing before %.1f %%\n",
		      (end - start) / 1e9, (int)told.n, (int)steps, (int)phases,
		      100 * most, told.points[at].phase, longest / 1e9,
		      100 * least);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forecast),
		cmocka_unit_test(test_never_back),
		cmocka_unit_test(test_unpacking),
		cmocka_unit_test(test_import),
		cmocka_unit_test(measure),
	};

	return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
