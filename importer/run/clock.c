/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fit of a host's clock, and conversion of ticks. */
#include "importer/run/clock.h"

#include <stdlib.h>
#include <string.h>

#include "collector/log/log_format.h"
#include "common/limits.h"
#include "common/memory.h"

#define SHIFT	 GASPDB_RATE_SHIFT
#define RATE_MAX 16384.0 /* ns per tick */
/* Relative error of a nominal frequency, which collectors measure briefly. */
#define NOMINAL_ERROR 1e-4
/* Readings further from the line than this plus five times their uncertainty
   are outliers. */
#define OUTLIER_NS 1e5

struct gaspdb_host *gaspdb_hosts_get(struct gaspdb_hosts *h, uint32_t name)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->host[i].name == name)
			return &h->host[i];
	h->host = gaspdb_mem_grow(h->host, &h->capacity, h->n + 1,
				  sizeof *h->host);
	h->host[h->n].name = name;
	h->host[h->n].stride = 1;
	return &h->host[h->n++];
}

void gaspdb_hosts_free(struct gaspdb_hosts *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->host[i].pairs);
	free(h->host);
	memset(h, 0, sizeof *h);
}

/* Adds a reading. At the limit every other one is dropped. */
void gaspdb_host_pair(struct gaspdb_host *h, struct gaspdb_clock_pair pair)
{
	if (h->seen++ % h->stride)
		return;
	if (h->n_pairs == GASPDB_PAIRS_MAX) {
		for (size_t i = 0; i < GASPDB_PAIRS_MAX / 2; i++)
			h->pairs[i] = h->pairs[2 * i];
		h->n_pairs = GASPDB_PAIRS_MAX / 2;
		h->stride *= 2;
	}
	h->pairs = gaspdb_mem_grow(h->pairs, &h->pair_capacity, h->n_pairs + 1,
				   sizeof *h->pairs);
	h->pairs[h->n_pairs++] = pair;
}

void gaspdb_host_real(struct gaspdb_host *h, int64_t monotonic_ns,
		      int64_t real_ns, uint64_t uncertain_ns)
{
	int64_t difference;

	if (__builtin_sub_overflow(real_ns, monotonic_ns, &difference))
		return;
	if (!h->has_real || (uint64_t)monotonic_ns < h->first_monotonic)
		h->first_monotonic = (uint64_t)monotonic_ns;
	if (h->has_real && uncertain_ns >= h->real_uncertain_ns)
		return;
	h->has_real = true;
	h->real_uncertain_ns = uncertain_ns;
	h->real_ns = difference;
}

/* --- the line ------------------------------------------------------------- */

/* A reading for the fit. x: ns since the origin by the nominal rate; y:
   deviation of CLOCK_MONOTONIC from that. */
struct point {
	double x, y, uncertain;
	const struct gaspdb_clock_pair *pair;
};

static double size_of(double d)
{
	return d < 0 ? -d : d;
}

static int64_t rounded(double d)
{
	if (size_of(d) > 9e18)
		return 0;
	return (int64_t)(d < 0 ? d - 0.5 : d + 0.5);
}

static int by_y(const void *a, const void *b)
{
	double p = ((const struct point *)a)->y,
	       q = ((const struct point *)b)->y;

	return (p > q) - (p < q);
}

/*
 * Removes outliers from the line y = y0 + slope * x; returns the number left.
 */
static size_t keep(struct point *p, size_t n, double y0, double slope,
		   double tolerance)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (size_of(p[i].y - y0 - slope * p[i].x) <=
		    OUTLIER_NS + 5 * p[i].uncertain +
			    tolerance * size_of(p[i].x))
			p[kept++] = p[i];
	return kept;
}

/*
 * Weighted least squares, with the nominal rate (slope 0) as one more
 * observation, because readings within a millisecond do not determine the rate.
 */
static void fit_line(const struct point *p, size_t n, double *y0, double *slope)
{
	double w = 0, wx = 0, wy = 0, xx = 0, xy = 0;

	for (size_t i = 0; i < n; i++) {
		double u = p[i].uncertain + 10, wi = 1 / (u * u);

		w += wi;
		wx += wi * p[i].x;
		wy += wi * p[i].y;
	}
	wx /= w;
	wy /= w;
	for (size_t i = 0; i < n; i++) {
		double u = p[i].uncertain + 10, wi = 1 / (u * u);

		xx += wi * (p[i].x - wx) * (p[i].x - wx);
		xy += wi * (p[i].x - wx) * (p[i].y - wy);
	}
	*slope = xy / (xx + 1 / (NOMINAL_ERROR * NOMINAL_ERROR));
	*y0 = wy - *slope * wx;
}

/* Difference of two times, modulo 2^64: damaged ones may be any number. */
static double between(uint64_t from, uint64_t to)
{
	return (double)(int64_t)(to - from);
}

/* Nominal ns per tick; from the readings if the frequency is unusable. */
static double nominal_rate(const struct gaspdb_host *h)
{
	const struct gaspdb_clock_pair *a = h->pairs, *b = a + h->n_pairs - 1;
	double rate = h->ticks_hz ? 1e9 / (double)h->ticks_hz : 0;

	if (rate <= 0 || rate > RATE_MAX)
		rate = between((uint64_t)a->ns, (uint64_t)b->ns) /
		       between(a->ticks, b->ticks);
	return rate > 0 && rate <= RATE_MAX ? rate : 1;
}

static void make_points(const struct gaspdb_host *h, double rate,
			const struct gaspdb_clock_pair *origin, struct point *p)
{
	for (size_t i = 0; i < h->n_pairs; i++) {
		const struct gaspdb_clock_pair *pair = &h->pairs[i];

		p[i].pair = pair;
		p[i].x = between(origin->ticks, pair->ticks) * rate;
		p[i].y = between((uint64_t)origin->ns, (uint64_t)pair->ns) -
			 p[i].x;
		p[i].uncertain = pair->uncertain_ns;
	}
}

/* Fits the line of a host. The origin is the median reading, because a damaged
   one would spoil the fit. */
static void fit(struct gaspdb_host *h)
{
	struct point *p = gaspdb_mem_alloc(h->n_pairs * sizeof *p);
	const struct gaspdb_clock_pair *origin;
	double rate = nominal_rate(h), y0, slope;
	size_t n = h->n_pairs;

	make_points(h, rate, h->pairs, p);
	qsort(p, n, sizeof *p, by_y);
	origin = p[n / 2].pair;
	make_points(h, rate, origin, p);
	n = keep(p, n, 0, 0, 10 * NOMINAL_ERROR);
	fit_line(p, n, &y0, &slope);
	n = keep(p, n, y0, slope, 0);
	if (n > 0)
		fit_line(p, n, &y0, &slope);
	free(p);
	h->tsc.ticks0 = origin->ticks;
	h->tsc.ns0 = (int64_t)((uint64_t)origin->ns + (uint64_t)rounded(y0));
	h->tsc.rate = rounded(rate * (1 + slope) * (double)(1ll << SHIFT));
}

void gaspdb_hosts_fit(struct gaspdb_hosts *h)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->host[i].n_pairs > 0)
			fit(&h->host[i]);
}

/* --- converting ----------------------------------------------------------- */

struct gaspdb_timeline gaspdb_host_timeline(const struct gaspdb_host *h,
					    uint8_t clock)
{
	struct gaspdb_timeline t = { .rate = 1ll << SHIFT };

	if (clock == GASPDB_CLOCK_MONOTONIC) {
		t.ticks0 = h->first_monotonic;
		t.ns0 = (int64_t)h->first_monotonic;
	} else if (h->n_pairs > 0) {
		t = h->tsc;
	}
	t.ns0 = (int64_t)((uint64_t)t.ns0 + (uint64_t)h->real_ns);
	return t;
}

double gaspdb_timeline_length(const struct gaspdb_timeline *t, double ticks)
{
	return ticks * (double)t->rate / (double)(1ll << SHIFT);
}
