/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks of hosts without readings: wall clocks that messages bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/value.h"
#include "tests/unit/util_clocks.h"

/* Wall clocks that do not drift, off by up to `most`. */
static void make_wall_clocks(struct world *w, unsigned n, double most)
{
	clocks_make(w, n, 0);
	for (unsigned h = 1; h < n; h++) {
		const double x = clocks_uniform(-most, most);

		for (int i = 0; i <= PARTS; i++)
			w->clocks[h].at[i] = x;
		w->system.hosts[h].first_ns = clock_own(w, h, 0);
		w->system.hosts[h].last_ns = clock_own(w, h, (double)RUN_NS);
	}
}

/* A wall clock's largest error at any time; solved: after that. */
static double largest_off(const struct world *w, uint32_t host, bool solved)
{
	double most = 0;

	for (int i = 0; i <= 2 * PARTS; i++) {
		const double ns = (double)RUN_NS / PARTS / 2 * i;
		double error = solved ? clock_off(w, host, ns)
				      : -clock_offset(&w->clocks[host], ns);

		error = error < 0 ? -error : error;
		most = error > most ? error : most;
	}
	return most;
}

/* Messages alone, both ways: all errors are known. */
static void messages_alone(void **state)
{
	static const unsigned hosts[] = { 2, 3, 4, 7, 16 };
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 15; seed++) {
		clocks_seed(seed);
		clocks_make(&w, hosts[seed % 5], .95e-6);
		clocks_messages(&w, 300 * (int)w.n);
		assert_true(clocks_solve_well(&w) < 10 * MS);
		for (uint32_t h = 1; h < w.n; h++) {
			assert_false(w.system.hosts[h].read);
			assert_true(w.system.hosts[h].knots->error_ns !=
				    GASPDB_NULL);
			assert_true(largest_off(&w, h, true) <=
				    largest_off(&w, h, false));
		}
		assert_clock_pairs(&w);
		clocks_forget(&w);
	}
}

/* Readings link some of the hosts, messages the others to them. */
static void readings_of_some(void **state)
{
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 10; seed++) {
		clocks_seed(seed);
		clocks_make(&w, 4, .95e-6);
		clocks_sample(&w, 12);
		w.n = 7;
		for (unsigned h = 4; h < w.n; h++)
			w.clocks[h] = w.clocks[h - 3];
		w.system.hosts =
			realloc(w.system.hosts, 8 * sizeof *w.system.hosts);
		w.system.n_hosts = w.n;
		for (unsigned h = 4; h < w.n; h++)
			w.system.hosts[h] = (struct gaspdb_clock_host){
				.drift = GASPDB_DRIFT,
				.first_ns = clock_own(&w, h, 0),
				.last_ns = clock_own(&w, h, (double)RUN_NS),
			};
		clocks_messages(&w, 2000);
		clocks_solve_well(&w);
		for (uint32_t h = 0; h < w.n; h++)
			assert_int_equal(w.system.hosts[h].read, h < 4);
		assert_true(assert_clock_pairs(&w) > 0);
		clocks_forget(&w);
	}
}

/* Good wall clocks, messages that take up to 10 s: they are not made worse. */
static void slow_messages(void **state)
{
	struct world w;
	unsigned moved = 0;

	(void)state;
	for (unsigned seed = 0; seed < 40; seed++) {
		clocks_seed(seed);
		make_wall_clocks(&w, 2, 1e6);
		for (int i = 0; i < 200; i++)
			clocks_message(
				&w, GASPDB_ORDER_MESSAGE, (uint32_t)i & 1,
				~(uint32_t)i & 1,
				clocks_uniform(0,
					       (double)(RUN_NS - 11 * SECOND)),
				i % 2 && seed % 2 ? clocks_uniform(1e5, 1e6)
						  : clocks_uniform(1e9, 1e10));
		clocks_solve_well(&w);
		assert_true(largest_off(&w, 1, true) <=
			    largest_off(&w, 1, false) + 1);
		moved += w.system.hosts[1].wall_error_ns > 0;
		if (!w.system.hosts[1].wall_error_ns)
			assert_int_equal(w.system.hosts[1].knots->offset_ns, 0);
		clocks_forget(&w);
	}
	assert_in_range(moved, 3, 17);
}

/* Messages one way: moved to the bound and no further, and no error known. */
static void one_way(void **state)
{
	static const double wrong[] = { 5e6, -5e6, 100 * 86400e9 };
	struct world w;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const int64_t by = wrong[i] < 0 ? 0
						: (int64_t)wrong[i] - 70 * US;
		const struct gaspdb_clock_host *h;

		clocks_seed(i);
		make_wall_clocks(&w, 2, 0);
		for (int k = 0; k <= PARTS; k++)
			w.clocks[1].at[k] = wrong[i];
		clocks_message(&w, GASPDB_ORDER_MESSAGE, 0, 1, 1e9, 100e3);
		clocks_message(&w, GASPDB_ORDER_MESSAGE, 0, 1, 2e9, 70e3);
		clocks_solve(&w);
		h = &w.system.hosts[1];
		assert_int_equal(h->knots->error_ns, GASPDB_NULL);
		/* Received 5 ms less 70 us too early, 5 ms late, or 100 days
		   too early. */
		assert_int_equal(h->wall_error_ns, by);
		assert_int_equal(h->knots->offset_ns, by);
		assert_clocks_in_order(&w);
		clocks_forget(&w);
	}
}

/* Hosts that nothing links to the first: their order holds, too. */
static void apart(void **state)
{
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 10; seed++) {
		clocks_seed(seed);
		clocks_make(&w, 5, .95e-6);
		for (int i = 0; i < 400; i++) {
			const uint32_t from = 2 + (uint32_t)(clocks_next() & 1);

			clocks_message(
				&w, GASPDB_ORDER_MESSAGE, from, 5 - from,
				clocks_uniform(0, (double)(RUN_NS - SECOND)),
				clocks_delay());
		}
		clocks_solve(&w);
		assert_no_clock_contradiction(&w);
		assert_clocks_in_order(&w);
		assert_int_equal(w.system.hosts[1].n_knots, 0);
		assert_int_equal(w.system.hosts[2].knots->offset_ns, 0);
		assert_int_equal(w.system.hosts[3].knots->error_ns,
				 GASPDB_NULL);
		assert_true(assert_clock_pairs(&w) > 0);
		clocks_forget(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_alone),
		cmocka_unit_test(readings_of_some),
		cmocka_unit_test(slow_messages),
		cmocka_unit_test(one_way),
		cmocka_unit_test(apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
