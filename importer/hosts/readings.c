/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readings and their batches. */
#include "importer/hosts/readings.h"

#include <stdlib.h>
#include <string.h>

#include "common/limits.h"
#include "common/memory.h"

/* Readings within this time are a batch; longer, if there are too many. */
#define BATCH_NS   INT64_C(1000000000)
#define BATCHES	   ((size_t)1 << 16)
#define OFFSET_MAX ((int64_t)1 << 52)
/* Drift within a batch when its readings vote. */
#define VOTE_DRIFT 1e-3

void gaspdb_readings_free(struct gaspdb_readings *r)
{
	free(r->of);
	memset(r, 0, sizeof *r);
}

/* --- a reading ------------------------------------------------------------ */

static bool is_time(int64_t ns)
{
	return ns > -GASPDB_TIME_MAX / 2 && ns < GASPDB_TIME_MAX / 2;
}

static bool is_possible(const struct gaspdb_ping_pong *p)
{
	return p->asker != p->peer && is_time(p->sent_ns) &&
	       is_time(p->received_ns) && is_time(p->replied_ns) &&
	       is_time(p->returned_ns) && p->sent_ns <= p->returned_ns &&
	       p->received_ns <= p->replied_ns &&
	       p->replied_ns - p->received_ns <= p->returned_ns - p->sent_ns;
}

static bool is_near(const struct gaspdb_batch *b)
{
	return b->least > -OFFSET_MAX && b->most < OFFSET_MAX;
}

/* The difference of offsets that a ping-pong allows. */
static struct gaspdb_batch bounds_of(const struct gaspdb_ping_pong *p)
{
	if (p->asker < p->peer)
		return (struct gaspdb_batch){
			.first = p->asker,
			.second = p->peer,
			.least = p->sent_ns - p->received_ns,
			.least_at = p->sent_ns,
			.most = p->returned_ns - p->replied_ns,
			.most_at = p->returned_ns,
			.second_at = p->received_ns,
		};
	return (struct gaspdb_batch){
		.first = p->peer,
		.second = p->asker,
		.least = p->replied_ns - p->returned_ns,
		.least_at = p->replied_ns,
		.most = p->received_ns - p->sent_ns,
		.most_at = p->received_ns,
		.second_at = p->returned_ns,
	};
}

void gaspdb_readings_add(struct gaspdb_readings *r,
			 const struct gaspdb_ping_pong *p)
{
	struct gaspdb_batch b;

	if (!is_possible(p)) {
		r->n_unusable++;
		return;
	}
	b = bounds_of(p);
	if (!is_near(&b)) {
		r->n_unusable++;
		return;
	}
	if (r->n == GASPDB_READINGS_MAX) {
		r->n_left_out++;
		return;
	}
	r->of = gaspdb_mem_grow(r->of, &r->capacity, r->n + 1, sizeof *r->of);
	r->of[r->n++] = b;
}

/* --- batches -------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct gaspdb_batch *p = a, *q = b;

	if (p->first != q->first)
		return p->first < q->first ? -1 : 1;
	if (p->second != q->second)
		return p->second < q->second ? -1 : 1;
	if (p->least_at != q->least_at)
		return p->least_at < q->least_at ? -1 : 1;
	return (p->least > q->least) - (p->least < q->least);
}

/* Number of readings of the batch that begins at `of`, of n. */
static size_t batch_of(const struct gaspdb_batch *of, size_t n, int64_t ns)
{
	size_t end = 1;

	while (end < n && of[end].first == of->first &&
	       of[end].second == of->second &&
	       of[end].least_at - of->least_at <= ns)
		end++;
	return end;
}

static size_t count_batches(const struct gaspdb_readings *r, int64_t ns)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i += batch_of(r->of + i, r->n - i, ns))
		n++;
	return n;
}

/* An end of a reading's interval. */
struct end {
	int64_t ns;
	int by; /* 1: it begins; -1: it ends */
};

static int by_ns(const void *a, const void *b)
{
	const struct end *p = a, *q = b;

	return p->ns != q->ns ? (p->ns < q->ns ? -1 : 1) : q->by - p->by;
}

static int64_t slack(const struct gaspdb_batch *of, size_t i)
{
	return (int64_t)(VOTE_DRIFT * (double)(of[i].least_at - of->least_at));
}

/* A difference that most readings of a batch allow (Marzullo). */
static int64_t vote(const struct gaspdb_batch *of, size_t n)
{
	struct end *ends = gaspdb_mem_alloc(2 * n * sizeof *ends);
	int64_t best = of->least;
	long open = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		ends[2 * i] = (struct end){ of[i].least - slack(of, i), 1 };
		ends[2 * i + 1] = (struct end){ of[i].most + slack(of, i), -1 };
	}
	qsort(ends, 2 * n, sizeof *ends, by_ns);
	for (size_t i = 0; i < 2 * n; i++) {
		open += ends[i].by;
		if (open > most) {
			most = open;
			best = ends[i].ns;
		}
	}
	free(ends);
	return best;
}

/* Adds the batch of n readings. */
static void add_batch(struct gaspdb_readings *r, struct gaspdb_clock_system *s,
		      const struct gaspdb_batch *of, size_t n)
{
	const int64_t agreed = vote(of, n);
	struct gaspdb_batch b = *of;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (of[i].least - slack(of, i) > agreed ||
		    of[i].most + slack(of, i) < agreed) {
			r->n_unusable++;
			continue;
		}
		if (!any || of[i].least > b.least) {
			b.least = of[i].least;
			b.least_at = of[i].least_at;
			b.second_at = of[i].second_at;
		}
		if (!any || of[i].most < b.most) {
			b.most = of[i].most;
			b.most_at = of[i].most_at;
		}
		any = true;
	}
	gaspdb_clock_system_batch(s, &b);
}

void gaspdb_readings_batch(struct gaspdb_readings *r,
			   struct gaspdb_clock_system *s)
{
	int64_t ns = BATCH_NS;
	size_t n;

	if (!r->n)
		return;
	qsort(r->of, r->n, sizeof *r->of, by_time);
	while (count_batches(r, ns) > BATCHES && ns < GASPDB_TIME_MAX / 2)
		ns *= 2;
	for (size_t i = 0; i < r->n; i += n) {
		n = batch_of(r->of + i, r->n - i, ns);
		add_batch(r, s, r->of + i, n);
	}
}
