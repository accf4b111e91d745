/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of processes with one thread each all comes in order already. */
#include "analysis/access/presence.h"

#include <stdlib.h>

void gaspdb_presence_open(struct gaspdb_presence *p, struct gaspdb_run *run)
{
	const size_t n = (size_t)run->n_threads;

	*p = (struct gaspdb_presence){ .run = run, .in_order = true };
	/* Whoever asks of a process without stays points to where they were. */
	gaspdb_presence_make_room(p, 1);
	p->of = gaspdb_zeroed(run, n + 1, sizeof *p->of);
	for (size_t i = 0; p->of && i < n; i++)
		p->of[i].until_ns = INT64_MIN;
}

void gaspdb_presence_close(struct gaspdb_presence *p)
{
	free(p->stays);
	free(p->of);
}

static int compare(const void *a, const void *b)
{
	const struct gaspdb_stay *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* How many bits a number has. */
static int length_of(uint64_t v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

/* The time from the first to the last is divided into parts, no more than there
   are stays, but as many as that allows. */
static int shift_of(const struct gaspdb_stay *stays, size_t n)
{
	const uint64_t length =
		(uint64_t)stays[n - 1].start_ns - (uint64_t)stays[0].start_ns;
	int shift = length_of(length) - length_of(n);

	if (shift < 0)
		shift = 0;
	while (length >> shift >= n)
		shift++;
	return shift;
}

/* Its stays, of which there are some. */
static void settle_process(struct gaspdb_stays *of, struct gaspdb_stay *stays,
			   size_t n)
{
	const int64_t from_ns = stays[0].start_ns;
	const int shift = shift_of(stays, n);
	int64_t until_ns = of->until_ns;
	uint32_t begun = 0;

	for (size_t i = 0; i < n; i++) {
		until_ns = gaspdb_max(until_ns, stays[i].until_ns);
		stays[i].until_ns = until_ns;
		stays[((uint64_t)stays[i].start_ns - (uint64_t)from_ns) >>
		      shift]
			.begun = (uint32_t)i + 1;
	}
	/* Parts without any have those of the parts before. */
	for (size_t part = 0; part < n; part++) {
		if (stays[part].begun > begun)
			begun = stays[part].begun;
		stays[part].begun = begun;
	}
	of->from_ns = from_ns;
	of->shift = shift;
}

void gaspdb_presence_settle(struct gaspdb_presence *p)
{
	size_t at = 0;

	if (p->run->status != GASPDB_OK)
		return;
	if (!p->in_order)
		qsort(p->stays, p->n, sizeof *p->stays, compare);
	for (int64_t i = 0; i < p->run->n_threads; i++) {
		const size_t first = at;

		p->of[i].first = (uint32_t)first;
		while (at < p->n && p->stays[at].process == i)
			at++;
		if (at > first)
			settle_process(&p->of[i], p->stays + first, at - first);
	}
	p->of[p->run->n_threads].first = (uint32_t)at;
}

void gaspdb_presence_next(struct gaspdb_presence *p)
{
	for (int64_t i = 0; p->n && i < p->run->n_threads; i++) {
		const uint32_t end = p->of[i + 1].first;

		if (end > p->of[i].first)
			p->of[i].until_ns = p->stays[end - 1].until_ns;
	}
	p->n = 0;
	p->in_order = true;
}
