/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of the hosts' clocks: offset and drift against the reference host, with
 * the error of the drift. Between two times a drift is bounded by the bounds of
 * the offset at both, and by the change of drift meanwhile.
 */
#include <stdlib.h>

#include "common/memory.h"
#include "common/value.h"
#include "importer/hosts/system.h"

/* Bounds of an offset at the times of either. */
struct sample {
	int64_t least, least_at, most, most_at, second_at;
};

/* Pairs of samples are compared: at most so many. */
#define SAMPLES_MAX 128

struct samples {
	size_t n;
	struct sample of[SAMPLES_MAX];
	const struct sample *narrowest;
};

struct drift {
	double slope, error;
};

/* Contradictory readings can make any line. */
#define LINE_MAX ((int64_t)1 << 54)

int64_t gaspdb_clock_line_at(const struct gaspdb_clock_host *h, int64_t ns)
{
	const double most = (double)LINE_MAX;
	double moved = h->slope * (double)(ns - h->line_at);
	int64_t offset = h->line_offset;

	offset = offset > LINE_MAX ? LINE_MAX : offset;
	offset = offset < -LINE_MAX ? -LINE_MAX : offset;
	moved = moved > most ? most : moved < -most ? -most : moved;
	return offset + (int64_t)(moved < 0 ? moved - 0.5 : moved + 0.5);
}

static int64_t width(const struct sample *s)
{
	return s->most - s->least;
}

/* Adds the i-th of n samples; of several for one place the narrowest stays. */
static void add_sample(struct samples *s, const struct sample *one, size_t i,
		       size_t n)
{
	const size_t place = n > SAMPLES_MAX ? i * SAMPLES_MAX / n : i;

	if (place < s->n && width(&s->of[place]) <= width(one))
		return;
	s->of[place] = *one;
	s->n = place + 1;
}

static void find_narrowest(struct samples *s)
{
	s->narrowest = s->of;
	for (size_t i = 1; i < s->n; i++)
		if (width(&s->of[i]) < width(s->narrowest))
			s->narrowest = &s->of[i];
}

/* Narrows [*low, *high], a drift, by two samples, a before b. */
static void narrow(const struct sample *a, const struct sample *b,
		   double change, double *low, double *high)
{
	const double up = (double)(b->most_at - a->least_at);
	const double down = (double)(b->least_at - a->most_at);

	if (up > 0) {
		const double most = (double)(b->most - a->least) / up + change;

		*high = most < *high ? most : *high;
	}
	if (down > 0) {
		const double least =
			(double)(b->least - a->most) / down - change;

		*low = least > *low ? least : *low;
	}
}

/*
 * The drift by samples in the order of time; change: of the drift, at most. A
 * contradiction leaves an error of 0: the solution then finds it.
 */
static struct drift drift_of(const struct samples *s, double change)
{
	double low = -GASPDB_DRIFT_MAX, high = GASPDB_DRIFT_MAX;

	for (size_t i = 0; i < s->n; i++)
		for (size_t k = i + 1; k < s->n; k++)
			narrow(&s->of[i], &s->of[k], change, &low, &high);
	if (low < GASPDB_DRIFT_UNKNOWN && high > -GASPDB_DRIFT_UNKNOWN) {
		if (low < -GASPDB_DRIFT_UNKNOWN)
			low = -GASPDB_DRIFT_UNKNOWN;
		if (high > GASPDB_DRIFT_UNKNOWN)
			high = GASPDB_DRIFT_UNKNOWN;
	}
	return (struct drift){ (low + high) / 2,
			       high > low ? (high - low) / 2 : 0 };
}

/* --- along the edges of readings ------------------------------------------ */

static int by_edge(const void *a, const void *b)
{
	const struct gaspdb_batch *p = a, *q = b;

	if (p->first != q->first)
		return p->first < q->first ? -1 : 1;
	if (p->second != q->second)
		return p->second < q->second ? -1 : 1;
	return (p->least_at > q->least_at) - (p->least_at < q->least_at);
}

/* The n batches of one edge. */
static void sample_batches(struct samples *s, const struct gaspdb_batch *of,
			   size_t n)
{
	s->n = 0;
	for (size_t i = 0; i < n; i++)
		add_sample(s,
			   &(struct sample){ of[i].least, of[i].least_at,
					     of[i].most, of[i].most_at,
					     of[i].second_at },
			   i, n);
	find_narrowest(s);
}

/* Links `to` by its edge with a linked host; forward: `to` is its second. */
static void link_host(struct gaspdb_clock_host *from,
		      struct gaspdb_clock_host *to, const struct samples *s,
		      bool forward)
{
	const struct sample *at = s->narrowest;
	const int64_t middle = at->least + width(at) / 2;
	const struct drift d = drift_of(s, from->drift + to->drift);
	const double all = (from->slope < 0 ? -from->slope : from->slope) +
			   (d.slope < 0 ? -d.slope : d.slope) + d.error +
			   from->slope_error;

	to->read = true;
	to->slope = from->slope + (forward ? d.slope : -d.slope);
	/* The two clocks count the time differently, too. */
	to->slope_error = from->slope_error + d.error + 2 * all * all;
	if (to->slope_error > GASPDB_DRIFT_MAX)
		to->slope_error = GASPDB_DRIFT_MAX;
	if (to->slope > GASPDB_DRIFT_MAX || to->slope < -GASPDB_DRIFT_MAX)
		to->slope = 0;
	to->line_at = forward ? at->second_at : at->least_at;
	to->line_offset = gaspdb_clock_line_at(from, forward ? at->least_at
							     : at->second_at) +
			  (forward ? middle : -middle);
}

/* Links hosts by the edge of n batches; false: it links none. */
static bool follow(struct gaspdb_clock_system *sys,
		   const struct gaspdb_batch *of, size_t n)
{
	struct gaspdb_clock_host *a = &sys->hosts[of->first],
				 *b = &sys->hosts[of->second];
	struct samples s;

	if (a->read == b->read)
		return false;
	sample_batches(&s, of, n);
	if (a->read)
		link_host(a, b, &s, true);
	else
		link_host(b, a, &s, false);
	return true;
}

/* Hosts without readings have their wall clocks, which kernels may steer. */
static void take_wall_clocks(struct gaspdb_clock_system *s)
{
	for (size_t i = 0; i < s->n_hosts; i++) {
		struct gaspdb_clock_host *h = &s->hosts[i];

		if (!i || h->read)
			continue;
		h->slope = 0;
		h->slope_error = GASPDB_DRIFT_UNKNOWN;
		h->line_at = h->first_ns;
		h->line_offset = 0;
	}
}

void gaspdb_clock_lines(struct gaspdb_clock_system *s)
{
	bool any = true;

	if (s->n_batches)
		qsort(s->batches, s->n_batches, sizeof *s->batches, by_edge);
	s->hosts[0].read = s->n_batches > 0;
	s->hosts[0].drift = 0;
	while (any) {
		size_t end;

		any = false;
		for (size_t i = 0; i < s->n_batches; i = end) {
			const struct gaspdb_batch *b = &s->batches[i];

			for (end = i + 1; end < s->n_batches &&
					  s->batches[end].first == b->first &&
					  s->batches[end].second == b->second;)
				end++;
			any |= follow(s, b, end - i);
		}
	}
	take_wall_clocks(s);
}

/* --- by a solution -------------------------------------------------------- */

static void refine(struct gaspdb_clock_host *h)
{
	struct samples s = { 0 };
	struct drift d;

	for (size_t i = 0; i < h->n_knots; i++) {
		const struct gaspdb_knot *k = &h->knots[i];

		if (k->least_ns == GASPDB_NULL || k->most_ns == GASPDB_NULL)
			return;
		add_sample(&s,
			   &(struct sample){ k->least_ns, k->ns, k->most_ns,
					     k->ns, k->ns },
			   i, h->n_knots);
	}
	if (!s.n)
		return;
	find_narrowest(&s);
	d = drift_of(&s, h->drift);
	if (d.error < h->slope_error) {
		h->slope = d.slope;
		h->slope_error = d.error;
	}
	h->line_at = s.narrowest->least_at;
	h->line_offset = s.narrowest->least + width(s.narrowest) / 2;
}

void gaspdb_clock_lines_refine(struct gaspdb_clock_system *s)
{
	for (size_t i = 1; i < s->n_hosts; i++)
		if (s->hosts[i].linked)
			refine(&s->hosts[i]);
}
