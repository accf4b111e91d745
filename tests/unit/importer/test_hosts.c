/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks of several hosts, from constructed ones: readings, which may fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "importer/hosts/pairs.h"
#include "tests/unit/util_clocks.h"

static void wandering_clocks(void **state)
{
	static const unsigned hosts[] = { 2, 2, 3, 4, 7, 16, 64 };
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 21; seed++) {
		clocks_seed(seed);
		clocks_make(&w, hosts[seed % 7], .95e-6);
		clocks_sample(&w, 2 + (int)(seed % 3) * 10);
		if (seed % 2)
			clocks_messages(&w, 2000);
		clocks_solve_well(&w);
		/* Of three hosts the tree has no pair without the first. */
		assert_int_equal(assert_clock_pairs(&w) > 0, w.n > 3);
		clocks_forget(&w);
	}
}

/* Some readings of each batch are nonsense. */
static void outliers(void **state)
{
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 10; seed++) {
		clocks_seed(seed);
		clocks_make(&w, 5, .95e-6);
		clocks_sample(&w, 12);
		for (size_t i = 0; i < w.readings.n; i += 4) {
			const int64_t off =
				(int64_t)clocks_uniform(-30e6, 30e6) | 1 << 22;

			w.readings.of[i].least += off;
			w.readings.of[i].most += off;
		}
		clocks_solve(&w);
		assert_no_clock_contradiction(&w);
		assert_true(w.readings.n_unusable > w.readings.n / 8);
		assert_clocks_within(&w);
		assert_true(assert_clock_pairs(&w) > 0);
		clocks_forget(&w);
	}
}

/* Messages that were paired wrongly arrive long before they are sent. */
static void wrong_pairs(void **state)
{
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 10; seed++) {
		clocks_seed(seed);
		clocks_make(&w, 4, .95e-6);
		clocks_sample(&w, 12);
		clocks_messages(&w, 1000);
		for (int i = 0; i < 40; i++)
			clocks_message(
				&w, GASPDB_ORDER_MESSAGE, (uint32_t)i % 4,
				(uint32_t)(i + 1) % 4,
				clocks_uniform(1e9,
					       (double)(RUN_NS - 2 * SECOND)),
				-clocks_uniform(1e8, 1e9));
		clocks_solve(&w);
		assert_false(w.system.contradicted);
		assert_int_equal(w.system.n_dropped[GASPDB_ORDER_READING], 0);
		assert_true(w.system.n_dropped[GASPDB_ORDER_MESSAGE] >= 40);
		assert_clocks_within(&w);
		assert_clocks_in_order(&w);
		clocks_forget(&w);
	}
}

/* A host's clock is set in the middle of the run, within 1.6 s. */
static void set_clock(struct world *w, unsigned host, double ns)
{
	for (int i = PARTS / 2; i <= PARTS; i++)
		w->clocks[host].at[i] += ns;
}

/* The other hosts are as good as before; that one is right when it is read. */
static void stepped_clock(void **state)
{
	static const double steps[] = { 800e3, 2e6, 1e9, -30e6 };
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 4; seed++) {
		const struct gaspdb_clock_host *c;

		clocks_seed(seed);
		clocks_make(&w, 4, .95e-6);
		set_clock(&w, 3, steps[seed]);
		clocks_sample(&w, 6); /* none while it is set */
		clocks_solve(&w);
		c = &w.system.hosts[3];
		assert_true(w.system.contradicted);
		assert_int_equal(w.system.n_dropped[GASPDB_ORDER_READING], 0);
		assert_true(c->linked && c->drift > 1e-6);
		for (int i = 0; i < 6; i++) {
			const double ns =
				(double)(RUN_NS - SECOND) / 5 * i + 1e6;
			const int64_t here = clock_own(&w, 3, ns);
			const double error =
				(double)(here + gaspdb_clock_offset(c, here)) -
				ns;

			assert_true(error <= (double)clock_said(c, here) + 2 &&
				    -error <= (double)clock_said(c, here) + 2);
		}
		clocks_forget(&w);
	}
}

/* Systems of nothing but nonsense are solved, too, and soon. */
static void nonsense(void **state)
{
	struct gaspdb_pair_errors pairs = { .n = 0 };
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 3; seed++) {
		clocks_seed(seed);
		clocks_make(&w, 8, .95e-6);
		for (int i = 0; i < 1000; i++) {
			const int64_t at = (int64_t)clocks_uniform(0, 1e11);
			const int64_t least =
				(int64_t)clocks_uniform(-4e15, 4e15);
			const uint32_t first = (uint32_t)(clocks_next() % 7);

			gaspdb_clock_system_batch(
				&w.system,
				&(struct gaspdb_batch){
					.first = first,
					.second = first + 1,
					.least = least,
					.most = least +
						(int64_t)clocks_uniform(0, 1e9),
					.least_at = at,
					.most_at = at,
					.second_at = at - least });
		}
		clocks_messages(&w, 1000);
		clocks_solve(&w);
		for (unsigned h = 0; h < w.n; h++)
			assert_true(!w.system.hosts[h].linked ||
				    w.system.hosts[h].n_knots > 0);
		gaspdb_pair_errors_find(&pairs, &w.system);
		gaspdb_pair_errors_free(&pairs);
		clocks_forget(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wandering_clocks),
		cmocka_unit_test(outliers),
		cmocka_unit_test(wrong_pairs),
		cmocka_unit_test(stepped_clock),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
