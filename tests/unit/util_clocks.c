/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constructed clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/value.h"
#include "importer/hosts/pairs.h"
#include "tests/unit/util_clocks.h"
#include "tests/unit/util_random.h"

static uint64_t state_of_random;

void clocks_seed(uint64_t seed)
{
	state_of_random = (seed + 1) * 0x9e3779b97f4a7c15u;
}

uint64_t clocks_next(void)
{
	return random_next(&state_of_random);
}

double clocks_uniform(double from, double to)
{
	return from + (to - from) * ((double)clocks_next() / 0x1p53);
}

/* The offset of a clock at a common time. */
double clock_offset(const struct clock *c, double ns)
{
	const double part = ns / (double)RUN_NS * PARTS;
	int i = (int)part;

	i = i < 0 ? 0 : i >= PARTS ? PARTS - 1 : i;
	return c->at[i] + (c->at[i + 1] - c->at[i]) * (part - i);
}

/* A clock's own time at a common time. */
int64_t clock_own(const struct world *w, uint32_t host, double ns)
{
	return (int64_t)(ns - clock_offset(&w->clocks[host], ns));
}

/* Clocks of n hosts, whose drift changes by less than `drift`. */
void clocks_make(struct world *w, unsigned n, double drift)
{
	memset(w, 0, sizeof *w);
	w->n = n;
	for (unsigned h = 1; h < n; h++) {
		const double slope = clocks_uniform(-80e-6, 80e-6);
		double x = clocks_uniform(-3e9, 3e9);

		for (int i = 0; i <= PARTS; i++) {
			w->clocks[h].at[i] = x;
			x += (slope + clocks_uniform(-drift, drift)) *
			     ((double)RUN_NS / PARTS);
		}
	}
	gaspdb_clock_system_init(&w->system, n);
	for (unsigned h = 0; h < n; h++) {
		w->system.hosts[h].first_ns = clock_own(w, h, 0);
		w->system.hosts[h].last_ns = clock_own(w, h, (double)RUN_NS);
	}
}

/* A delay of the network: most are short, some are very long. */
double clocks_delay(void)
{
	double ns = 20e3 * clocks_uniform(1, 2);

	while (clocks_uniform(0, 1) < .3)
		ns *= 2.5;
	return ns;
}

static void ping_pong(struct world *w, uint32_t asker, uint32_t peer, double ns)
{
	const double received = ns + clocks_delay(), replied = received + 500;
	const double returned = replied + clocks_delay();

	gaspdb_readings_add(
		&w->readings,
		&(struct gaspdb_ping_pong){
			.asker = asker,
			.peer = peer,
			.sent_ns = clock_own(w, asker, ns),
			.received_ns = clock_own(w, peer, received),
			.replied_ns = clock_own(w, peer, replied),
			.returned_ns = clock_own(w, asker, returned) });
}

/* The readings of one time, along a binomial tree. */
static void sample(struct world *w, double ns)
{
	for (unsigned step = 1; step < w->n; step *= 2)
		for (unsigned h = 0; h < step && h + step < w->n; h++)
			for (int i = 0; i < PER_EDGE; i++) {
				const bool up = clocks_next() & 1;

				ping_pong(w, up ? h : h + step,
					  up ? h + step : h, ns);
				ns += 100 * US;
			}
}

void clocks_sample(struct world *w, int n)
{
	for (int i = 0; i < n; i++)
		sample(w, n > 1 ? (double)(RUN_NS - SECOND) / (n - 1) * i : 0);
}

void clocks_message(struct world *w, enum gaspdb_order_kind kind, uint32_t from,
		    uint32_t to, double ns, double took)
{
	gaspdb_clock_system_order(
		&w->system, &(struct gaspdb_order){
				    .kind = kind,
				    .first = from,
				    .second = to,
				    .first_ns = clock_own(w, from, ns),
				    .second_ns = clock_own(w, to, ns + took) });
}

void clocks_messages(struct world *w, int n)
{
	for (int i = 0; i < n; i++) {
		const uint32_t from = (uint32_t)(clocks_next() % w->n);
		const uint32_t to =
			(from + 1 + (uint32_t)(clocks_next() % (w->n - 1))) %
			w->n;

		clocks_message(w, GASPDB_ORDER_MESSAGE, from, to,
			       clocks_uniform(0, (double)(RUN_NS - SECOND)),
			       clocks_delay() / 4 + 100);
	}
}

static void write_host(FILE *f, unsigned i, const struct gaspdb_clock_host *h)
{
	fprintf(f, "host %u %lld %lld %a %a %a %d\n", i, (long long)h->line_at,
		(long long)h->line_offset, h->slope, h->drift, h->slope_error,
		h->read);
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
	fprintf(f, "system %u %d\n", w->n, w->system.bent);
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

void clocks_solve(struct world *w)
{
	gaspdb_readings_batch(&w->readings, &w->system);
	gaspdb_clock_lines(&w->system);
	assert_true(gaspdb_clock_solve(&w->system));
	write_system(w);
}

void clocks_forget(struct world *w)
{
	gaspdb_readings_free(&w->readings);
	gaspdb_clock_system_free(&w->system);
}

/* The error that is said of a host's clock at its own time. */
int64_t clock_said(const struct gaspdb_clock_host *h, int64_t ns)
{
	size_t i = 0;

	while (i + 1 < h->n_knots && h->knots[i + 1].ns <= ns)
		i++;
	return h->knots[i].error_ns;
}

/* Asserts that errors are within what is said; returns the largest said. */
int64_t assert_clocks_within(const struct world *w)
{
	int64_t most = 0;

	for (uint32_t h = 0; h < w->n; h++)
		for (int i = 0; i < 400; i++) {
			const struct gaspdb_clock_host *c = &w->system.hosts[h];
			const double ns = clocks_uniform(0, (double)RUN_NS);
			const int64_t here = clock_own(w, h, ns);
			const double error =
				(double)(here + gaspdb_clock_offset(c, here)) -
				ns;
			const int64_t limit = clock_said(c, here);

			assert_true(c->linked);
			if (limit == GASPDB_NULL)
				continue;
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
double clock_off(const struct world *w, uint32_t host, double ns)
{
	const int64_t here = clock_own(w, host, ns);

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
		const double ns = clocks_uniform((double)p->ns, to);
		const double error = clock_off(w, p->second, ns) -
				     clock_off(w, p->first, ns);
		const int64_t a = clock_said(&w->system.hosts[p->first],
					     clock_own(w, p->first, ns));
		const int64_t b = clock_said(&w->system.hosts[p->second],
					     clock_own(w, p->second, ns));

		if (error > (double)p->error_ns || error < -(double)p->error_ns)
			fail_msg("hosts %u and %u at %.0f: off by %.0f, said "
				 "%lld",
				 p->first, p->second, ns, error,
				 (long long)p->error_ns);
		less += a == GASPDB_NULL || b == GASPDB_NULL ||
			p->error_ns < a + b;
	}
	return less;
}

/* The same of all rows. */
int assert_clock_pairs(const struct world *w)
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
void assert_clocks_in_order(const struct world *w)
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

void assert_no_clock_contradiction(const struct world *w)
{
	assert_false(w->system.contradicted);
	for (int i = 0; i < GASPDB_N_ORDER_KINDS; i++)
		assert_int_equal(w->system.n_dropped[i], 0);
}

int64_t clocks_solve_well(struct world *w)
{
	clocks_solve(w);
	assert_no_clock_contradiction(w);
	assert_clocks_in_order(w);
	return assert_clocks_within(w);
}
