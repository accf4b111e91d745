/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clocks of several hosts, from constructed ones: their drift wanders, delays
 * are asymmetric, readings fail. The true offsets are known here alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "importer/hosts/pairs.h"
#include "importer/hosts/pieces.h"
#include "importer/hosts/readings.h"
#include "importer/hosts/system.h"
#include "tests/unit/util_random.h"

#define US	 INT64_C(1000)
#define MS	 INT64_C(1000000)
#define SECOND	 INT64_C(1000000000)
#define PARTS	 64
#define HOSTS	 64
#define RUN_NS	 (100 * SECOND)
#define PER_EDGE 10

/* A clock: its offset over common time is a line and a wander, in parts. */
struct clock {
	double at[PARTS + 1]; /* offset, ns */
};

struct world {
	unsigned n;
	struct clock clocks[HOSTS];
	struct gaspdb_readings readings;
	struct gaspdb_clock_system system;
};

static uint64_t state_of_random;

static void random_seed(uint64_t seed)
{
	state_of_random = (seed + 1) * 0x9e3779b97f4a7c15u;
}

static uint64_t next(void)
{
	return random_next(&state_of_random);
}

static double uniform(double from, double to)
{
	return from + (to - from) * ((double)next() / 0x1p53);
}

/* The offset of a clock at a common time. */
static double offset(const struct clock *c, double ns)
{
	const double part = ns / (double)RUN_NS * PARTS;
	int i = (int)part;

	i = i < 0 ? 0 : i >= PARTS ? PARTS - 1 : i;
	return c->at[i] + (c->at[i + 1] - c->at[i]) * (part - i);
}

/* A clock's own time at a common time. */
static int64_t own(const struct world *w, uint32_t host, double ns)
{
	return (int64_t)(ns - offset(&w->clocks[host], ns));
}

/* Clocks of n hosts, whose drift changes by less than `drift`. */
static void make_clocks(struct world *w, unsigned n, double drift)
{
	memset(w, 0, sizeof *w);
	w->n = n;
	for (unsigned h = 1; h < n; h++) {
		const double slope = uniform(-80e-6, 80e-6);
		double x = uniform(-3e9, 3e9);

		for (int i = 0; i <= PARTS; i++) {
			w->clocks[h].at[i] = x;
			x += (slope + uniform(-drift, drift)) *
			     ((double)RUN_NS / PARTS);
		}
	}
	gaspdb_clock_system_init(&w->system, n);
	for (unsigned h = 0; h < n; h++) {
		w->system.hosts[h].first_ns = own(w, h, 0);
		w->system.hosts[h].last_ns = own(w, h, (double)RUN_NS);
	}
}

/* A delay of the network: most are short, some are very long. */
static double delay(void)
{
	double ns = 20e3 * uniform(1, 2);

	while (uniform(0, 1) < .3)
		ns *= 2.5;
	return ns;
}

static void ping_pong(struct world *w, uint32_t asker, uint32_t peer, double ns)
{
	const double received = ns + delay(), replied = received + 500;
	const double returned = replied + delay();

	gaspdb_readings_add(&w->readings,
			    &(struct gaspdb_ping_pong){
				    .asker = asker,
				    .peer = peer,
				    .sent_ns = own(w, asker, ns),
				    .received_ns = own(w, peer, received),
				    .replied_ns = own(w, peer, replied),
				    .returned_ns = own(w, asker, returned) });
}

/* The readings of one time, along a binomial tree. */
static void sample(struct world *w, double ns)
{
	for (unsigned step = 1; step < w->n; step *= 2)
		for (unsigned h = 0; h < step && h + step < w->n; h++)
			for (int i = 0; i < PER_EDGE; i++) {
				const bool up = next() & 1;

				ping_pong(w, up ? h : h + step,
					  up ? h + step : h, ns);
				ns += 100 * US;
			}
}

static void sample_times(struct world *w, int n)
{
	for (int i = 0; i < n; i++)
		sample(w, n > 1 ? (double)(RUN_NS - SECOND) / (n - 1) * i : 0);
}

static void message(struct world *w, enum gaspdb_order_kind kind, uint32_t from,
		    uint32_t to, double ns, double took)
{
	gaspdb_clock_system_order(
		&w->system,
		&(struct gaspdb_order){ .kind = kind,
					.first = from,
					.second = to,
					.first_ns = own(w, from, ns),
					.second_ns = own(w, to, ns + took) });
}

static void messages(struct world *w, int n)
{
	for (int i = 0; i < n; i++) {
		const uint32_t from = (uint32_t)(next() % w->n);
		const uint32_t to =
			(from + 1 + (uint32_t)(next() % (w->n - 1))) % w->n;

		message(w, GASPDB_ORDER_MESSAGE, from, to,
			uniform(0, (double)(RUN_NS - SECOND)),
			delay() / 4 + 100);
	}
}

static void write_host(FILE *f, unsigned i, const struct gaspdb_clock_host *h)
{
	fprintf(f, "host %u %lld %lld %a %a %a\n", i, (long long)h->line_at,
		(long long)h->line_offset, h->slope, h->drift, h->slope_error);
	for (size_t k = 0; k < h->n_knots; k++)
		fprintf(f, "knot %u %lld %lld %lld %lld\n", i,
			(long long)h->knots[k].ns,
			(long long)h->knots[k].least_ns,
			(long long)h->knots[k].most_ns,
			(long long)h->knots[k].offset_ns);
}

/* Appends a system and its solution to the file of tests/reference/clocks.py.
 */
static void write_system(const struct world *w)
{
	const char *path = getenv("GASPDB_CLOCK_SYSTEMS");
	FILE *f = path && w->system.n_orders < 1200 ? fopen(path, "a") : NULL;

	if (!f)
		return;
	fprintf(f, "system %u\n", w->n);
	for (size_t i = 0; i < w->system.n_orders; i++) {
		const struct gaspdb_order *o = &w->system.orders[i];

		fprintf(f, "order %d %u %u %lld %lld %d\n", o->kind, o->first,
			o->second, (long long)o->first_ns,
			(long long)o->second_ns, o->dropped);
	}
	for (unsigned h = 0; h < w->n; h++)
		write_host(f, h, &w->system.hosts[h]);
	fclose(f);
}

static void solve(struct world *w)
{
	gaspdb_readings_batch(&w->readings, &w->system);
	gaspdb_clock_lines(&w->system);
	assert_true(gaspdb_clock_solve(&w->system));
	write_system(w);
}

static void forget(struct world *w)
{
	gaspdb_readings_free(&w->readings);
	gaspdb_clock_system_free(&w->system);
}

/* The error that is said of a host's clock at its own time. */
static int64_t said(const struct gaspdb_clock_host *h, int64_t ns)
{
	size_t i = 0;

	while (i + 1 < h->n_knots && h->knots[i + 1].ns <= ns)
		i++;
	return h->knots[i].error_ns;
}

/* Asserts that errors are within what is said; returns the largest said. */
static int64_t assert_within(const struct world *w)
{
	int64_t most = 0;

	for (uint32_t h = 0; h < w->n; h++)
		for (int i = 0; i < 400; i++) {
			const struct gaspdb_clock_host *c = &w->system.hosts[h];
			const double ns = uniform(0, (double)RUN_NS);
			const int64_t here = own(w, h, ns);
			const double error =
				(double)(here + gaspdb_clock_offset(c, here)) -
				ns;
			const int64_t limit = said(c, here);

			assert_true(c->linked);
			if (error > (double)limit + 2 ||
			    error < -(double)limit - 2)
				fail_msg("host %u at %.0f: off by %.0f, said "
					 "%lld",
					 h, ns, error, (long long)limit);
			most = limit > most ? limit : most;
		}
	return most;
}

/* How far a host's clock is off at a common time, as it was solved. */
static double off(const struct world *w, uint32_t host, double ns)
{
	const int64_t here = own(w, host, ns);

	return (double)(here +
			gaspdb_clock_offset(&w->system.hosts[host], here)) -
	       ns;
}

/* Asserts that two hosts differ by no more than a row says until `to`; returns
   how often that is less than what their own errors say. */
static int assert_pair(const struct world *w, const struct gaspdb_pair_error *p,
		       double to)
{
	int less = 0;

	assert_true(p->first < p->second);
	for (int i = 0; i < 20; i++) {
		const double ns = uniform((double)p->ns, to);
		const double error = off(w, p->second, ns) -
				     off(w, p->first, ns);
		const int64_t both = said(&w->system.hosts[p->first],
					  own(w, p->first, ns)) +
				     said(&w->system.hosts[p->second],
					  own(w, p->second, ns));

		if (error > (double)p->error_ns || error < -(double)p->error_ns)
			fail_msg("hosts %u and %u at %.0f: off by %.0f, said "
				 "%lld",
				 p->first, p->second, ns, error,
				 (long long)p->error_ns);
		less += p->error_ns < both;
	}
	return less;
}

/* The same of all rows. */
static int assert_pairs(const struct world *w)
{
	struct gaspdb_pair_errors p = { .n = 0 };
	int less = 0;

	gaspdb_pair_errors_find(&p, &w->system);
	for (size_t i = 0; i < p.n; i++) {
		const struct gaspdb_pair_error *q = &p.rows[i];
		const bool last = i + 1 == p.n || q[1].first != q->first ||
				  q[1].second != q->second;

		assert_true(last || q[1].ns > q->ns);
		less += assert_pair(w, q,
				    last ? (double)RUN_NS : (double)q[1].ns);
	}
	gaspdb_pair_errors_free(&p);
	return less;
}

/* Asserts that no order is the other way round in common time. */
static void assert_in_order(const struct world *w)
{
	for (size_t i = 0; i < w->system.n_orders; i++) {
		const struct gaspdb_order *o = &w->system.orders[i];
		const struct gaspdb_clock_host *a = &w->system.hosts[o->first],
					       *b = &w->system.hosts[o->second];

		if (o->kind != GASPDB_ORDER_READING && !o->dropped)
			assert_true(o->first_ns + gaspdb_clock_offset(
							  a, o->first_ns) <=
				    o->second_ns + gaspdb_clock_offset(
							   b, o->second_ns));
	}
}

static void assert_no_contradiction(const struct world *w)
{
	assert_false(w->system.contradicted);
	for (int i = 0; i < GASPDB_N_ORDER_KINDS; i++)
		assert_int_equal(w->system.n_dropped[i], 0);
}

/* --- tests ---------------------------------------------------------------- */

static void wandering_clocks(void **state)
{
	static const unsigned hosts[] = { 2, 2, 3, 4, 7, 16, 64 };
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 21; seed++) {
		random_seed(seed);
		make_clocks(&w, hosts[seed % 7], .95e-6);
		sample_times(&w, 2 + (int)(seed % 3) * 10);
		if (seed % 2)
			messages(&w, 2000);
		solve(&w);
		assert_no_contradiction(&w);
		assert_within(&w);
		assert_in_order(&w);
		/* Of three hosts the tree has no pair without the first. */
		assert_int_equal(assert_pairs(&w) > 0, w.n > 3);
		forget(&w);
	}
}

/* Some readings of each batch are nonsense. */
static void outliers(void **state)
{
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 10; seed++) {
		random_seed(seed);
		make_clocks(&w, 5, .95e-6);
		sample_times(&w, 12);
		for (size_t i = 0; i < w.readings.n; i += 4) {
			const int64_t off =
				(int64_t)uniform(-30e6, 30e6) | 1 << 22;

			w.readings.of[i].least += off;
			w.readings.of[i].most += off;
		}
		solve(&w);
		assert_no_contradiction(&w);
		assert_true(w.readings.n_unusable > w.readings.n / 8);
		assert_within(&w);
		assert_true(assert_pairs(&w) > 0);
		forget(&w);
	}
}

/* Messages that were paired wrongly arrive long before they are sent. */
static void wrong_pairs(void **state)
{
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 10; seed++) {
		random_seed(seed);
		make_clocks(&w, 4, .95e-6);
		sample_times(&w, 12);
		messages(&w, 1000);
		for (int i = 0; i < 40; i++)
			message(&w, GASPDB_ORDER_MESSAGE, (uint32_t)i % 4,
				(uint32_t)(i + 1) % 4,
				uniform(1e9, (double)(RUN_NS - 2 * SECOND)),
				-uniform(1e8, 1e9));
		solve(&w);
		assert_false(w.system.contradicted);
		assert_int_equal(w.system.n_dropped[GASPDB_ORDER_READING], 0);
		assert_true(w.system.n_dropped[GASPDB_ORDER_MESSAGE] >= 40);
		assert_within(&w);
		assert_in_order(&w);
		forget(&w);
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

		random_seed(seed);
		make_clocks(&w, 4, .95e-6);
		set_clock(&w, 3, steps[seed]);
		sample_times(&w, 6); /* none while it is set */
		solve(&w);
		c = &w.system.hosts[3];
		assert_true(w.system.contradicted);
		assert_int_equal(w.system.n_dropped[GASPDB_ORDER_READING], 0);
		assert_true(c->linked && c->drift > 1e-6);
		for (int i = 0; i < 6; i++) {
			const double ns =
				(double)(RUN_NS - SECOND) / 5 * i + 1e6;
			const int64_t here = own(&w, 3, ns);
			const double error =
				(double)(here + gaspdb_clock_offset(c, here)) -
				ns;

			assert_true(error <= (double)said(c, here) + 2 &&
				    -error <= (double)said(c, here) + 2);
		}
		forget(&w);
	}
}

/* Systems of nothing but nonsense are solved, too, and soon. */
static void nonsense(void **state)
{
	struct gaspdb_pair_errors pairs = { .n = 0 };
	struct world w;

	(void)state;
	for (unsigned seed = 0; seed < 3; seed++) {
		random_seed(seed);
		make_clocks(&w, 8, .95e-6);
		for (int i = 0; i < 1000; i++) {
			const int64_t at = (int64_t)uniform(0, 1e11);
			const int64_t least = (int64_t)uniform(-4e15, 4e15);
			const uint32_t first = (uint32_t)(next() % 7);

			gaspdb_clock_system_batch(
				&w.system,
				&(struct gaspdb_batch){
					.first = first,
					.second = first + 1,
					.least = least,
					.most = least +
						(int64_t)uniform(0, 1e9),
					.least_at = at,
					.most_at = at,
					.second_at = at - least });
		}
		messages(&w, 1000);
		solve(&w);
		for (unsigned h = 0; h < w.n; h++)
			assert_true(!w.system.hosts[h].linked ||
				    w.system.hosts[h].n_knots > 0);
		gaspdb_pair_errors_find(&pairs, &w.system);
		gaspdb_pair_errors_free(&pairs);
		forget(&w);
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
