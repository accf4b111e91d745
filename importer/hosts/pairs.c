/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors of pairs of clocks. A residual is a host's offset less its line; the
 * unknown of a pair is the second host's residual less the first one's. The
 * orders between the two bound it at their times, and it departs from that by
 * both hosts' drift.
 */
#include "importer/hosts/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/value.h"
#include "importer/hosts/graph.h"

#define PAIRS_MAX   4096 /* that are looked at: readings follow a tree */
#define ROUNDING_NS 4

/* A moment of a pair, by the lines of the hosts. */
struct point {
	uint32_t first, second;
	int64_t ns;
	double least, most; /* bounds */
	double is;	    /* as solved */
	double own;	    /* both hosts' errors together */
	bool reading;
};

struct points {
	struct point *of;
	size_t n, capacity;
};

static void add_point(struct points *p, const struct point *one)
{
	p->of = gaspdb_mem_grow(p->of, &p->capacity, p->n + 1, sizeof *p->of);
	p->of[p->n++] = *one;
}

static int64_t line_ns(const struct gaspdb_clock_host *h, int64_t ns)
{
	return ns + gaspdb_clock_line_at(h, ns);
}

static double drift_of(const struct gaspdb_clock_host *h)
{
	return h->drift + h->slope_error;
}

/* --- bounds --------------------------------------------------------------- */

/* The order's first moment was before its second one. */
static void add_bound(struct points *p, const struct gaspdb_clock_system *s,
			const struct gaspdb_order *o)
{
	const struct gaspdb_clock_host *f = &s->hosts[o->first],
				       *g = &s->hosts[o->second];
	const int64_t from = line_ns(f, o->first_ns);
	const int64_t to = line_ns(g, o->second_ns);
	const double apart = (double)(to - from);
	const double room = ROUNDING_NS + drift_of(g) * fabs(apart);
	struct point one = { .first = o->first,
			     .second = o->second,
			     .ns = from,
			     .least = -apart - room,
			     .most = INFINITY,
			     .reading = o->kind == GASPDB_ORDER_READING };

	if (o->first > o->second) {
		one.first = o->second;
		one.second = o->first;
		one.least = -INFINITY;
		one.most = apart + room;
	}
	add_point(p, &one);
}

static int by_pair_and_time(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	if (p->first != q->first)
		return p->first < q->first ? -1 : 1;
	if (p->second != q->second)
		return p->second < q->second ? -1 : 1;
	return (p->ns > q->ns) - (p->ns < q->ns);
}

static void sort(struct points *p)
{
	if (p->n)
		qsort(p->of, p->n, sizeof *p->of, by_pair_and_time);
}

/* Those of hosts that both have knots; the reference host's error is 0, so that
   with it the other one's is the pair's. */
static void find_bounds(struct points *p, const struct gaspdb_clock_system *s)
{
	for (size_t i = 0; i < s->n_orders; i++) {
		const struct gaspdb_order *o = &s->orders[i];

		if (!o->dropped && o->first && o->second &&
		    s->hosts[o->first].n_knots && s->hosts[o->second].n_knots)
			add_bound(p, s, o);
	}
	sort(p);
}

/* --- the solution --------------------------------------------------------- */

/* A walk along a host's knots. */
struct walk {
	const struct gaspdb_clock_host *h;
	size_t at;
};

static int64_t knot_ns(const struct walk *w, size_t i)
{
	return line_ns(w->h, w->h->knots[i].ns);
}

static double knot_residual(const struct walk *w, size_t i)
{
	const struct gaspdb_knot *k = &w->h->knots[i];

	return (double)(k->offset_ns - gaspdb_clock_line_at(w->h, k->ns));
}

/* The residual at a time, which is not before the last one asked for. */
static double residual(struct walk *w, int64_t ns)
{
	const size_t n = w->h->n_knots;
	int64_t from;

	while (w->at + 1 < n && knot_ns(w, w->at + 1) <= ns)
		w->at++;
	from = knot_ns(w, w->at);
	if (ns <= from || w->at + 1 == n)
		return knot_residual(w, w->at);
	return knot_residual(w, w->at) +
	       (knot_residual(w, w->at + 1) - knot_residual(w, w->at)) *
		       ((double)(ns - from) /
			(double)(knot_ns(w, w->at + 1) - from));
}

static void add_knots(struct points *p, const struct gaspdb_clock_host *h,
		      const struct point *like)
{
	for (size_t i = 0; i < h->n_knots; i++)
		add_point(p, &(struct point){
				     .first = like->first,
				     .second = like->second,
				     .ns = line_ns(h, h->knots[i].ns),
				     .least = -INFINITY,
				     .most = INFINITY,
			     });
}

static double error_of(const struct gaspdb_knot *k)
{
	return k->error_ns == GASPDB_NULL ? INFINITY : (double)k->error_ns;
}

static void take_solution(struct points *p, const struct gaspdb_clock_host *f,
			  const struct gaspdb_clock_host *g)
{
	struct walk a = { .h = f }, b = { .h = g };

	for (size_t i = 0; i < p->n; i++) {
		struct point *q = &p->of[i];

		q->is = residual(&b, q->ns) - residual(&a, q->ns);
		q->own = error_of(&f->knots[a.at]) + error_of(&g->knots[b.at]);
	}
}

/* --- errors --------------------------------------------------------------- */

static void tighten(struct point *q, const struct point *by, double drift)
{
	const double away = drift * fabs((double)(q->ns - by->ns));

	q->least = fmax(q->least, by->least - away);
	q->most = fmin(q->most, by->most + away);
}

static void spread(struct points *p, double drift)
{
	for (size_t i = 1; i < p->n; i++)
		tighten(&p->of[i], &p->of[i - 1], drift);
	for (size_t i = p->n; i-- > 1;)
		tighten(&p->of[i - 1], &p->of[i], drift);
}

/* Largest error from a point until the next one. */
static double error_from(const struct point *q, const struct point *next,
			 double drift)
{
	const double away = drift * (double)(next->ns - q->ns);

	return fmax(gaspdb_clock_peak(q->most, next->most, q->is, next->is,
				      away),
		    gaspdb_clock_peak(-q->least, -next->least, -q->is,
				      -next->is, away));
}

static double error_at(const struct point *q)
{
	return fmax(q->most - q->is, q->is - q->least);
}

static void add_row(struct gaspdb_pair_errors *pairs, const struct point *from,
		    int64_t ns, double error)
{
	pairs->rows = gaspdb_mem_grow(pairs->rows, &pairs->capacity,
				      pairs->n + 1, sizeof *pairs->rows);
	pairs->rows[pairs->n++] = (struct gaspdb_pair_error){
		from->first, from->second, ns,
		(int64_t)fmin(error + ROUNDING_NS, 0x1p60)
	};
}

/* Readings of one sample are some ms apart. */
#define SAMPLE_NS 100000000
/* Errors grow with the time from a sample: rows of a pair besides those of
   samples; without readings pairs can be many. */
#define EVEN_ROWS 64
#define FEW_ROWS  8
#define FEW_PAIRS 64

/* Does a row end at a point, which began at another? */
static bool ends_row(const struct points *p, const struct point *from,
		     const struct point *at, int n_rows)
{
	const int64_t length = p->of[p->n - 1].ns - p->of[0].ns;
	const int64_t ns = at->ns - from->ns;

	return ns > SAMPLE_NS && (at->reading || ns > length / n_rows);
}

static void add_rows(struct gaspdb_pair_errors *pairs, const struct points *p,
		     double drift, int n_rows)
{
	const size_t before = pairs->n;
	bool less = false;
	size_t from = 0;

	while (from < p->n) {
		size_t i = from;
		double error = 0;

		do {
			const struct point *q = &p->of[i];

			error = fmax(error, error_at(q));
			if (i + 1 < p->n)
				error = fmax(error, error_from(q, q + 1, drift));
			less |= error < q->own;
			i++;
		} while (i < p->n &&
			 !ends_row(p, &p->of[from], &p->of[i], n_rows));
		if (error < INFINITY)
			add_row(pairs, &p->of[from], p->of[from].ns, error);
		from = i;
	}
	if (!less)
		pairs->n = before;
}

static void find_pair(struct gaspdb_pair_errors *pairs,
		      const struct gaspdb_clock_system *s,
		      const struct point *bounds, size_t n, int n_rows)
{
	const struct gaspdb_clock_host *f = &s->hosts[bounds->first],
				       *g = &s->hosts[bounds->second];
	const double drift = drift_of(f) + drift_of(g);
	struct points p = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		add_point(&p, &bounds[i]);
	add_knots(&p, f, bounds);
	add_knots(&p, g, bounds);
	sort(&p);
	take_solution(&p, f, g);
	spread(&p, drift);
	add_rows(pairs, &p, drift, n_rows);
	free(p.of);
}

void gaspdb_pair_errors_find(struct gaspdb_pair_errors *pairs,
			     const struct gaspdb_clock_system *s)
{
	struct points p = { .n = 0 };
	size_t end, n_pairs = 0;

	find_bounds(&p, s);
	for (size_t i = 0; i < p.n && n_pairs < PAIRS_MAX; i = end) {
		bool known = !s->hosts[p.of[i].first].read ||
			     !s->hosts[p.of[i].second].read;

		for (end = i; end < p.n && p.of[end].first == p.of[i].first &&
			      p.of[end].second == p.of[i].second;)
			known |= p.of[end++].reading;
		if (known) {
			find_pair(pairs, s, &p.of[i], end - i,
				  n_pairs < FEW_PAIRS ? EVEN_ROWS : FEW_ROWS);
			n_pairs++;
		}
	}
	free(p.of);
}

void gaspdb_pair_errors_free(struct gaspdb_pair_errors *p)
{
	free(p->rows);
	memset(p, 0, sizeof *p);
}
