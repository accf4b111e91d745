/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index of presence intervals. They are added in order if each process has one
   thread, and sorted otherwise. */
#include "analysis/access/presence.h"

#include <stdlib.h>

void gaspdb_presence_open(struct gaspdb_presence *p, struct gaspdb_run *run)
{
	const size_t n = (size_t)run->n_threads;

	*p = (struct gaspdb_presence){ .run = run, .in_order = true };
	gaspdb_presence_make_room(p, 1); /* queries need an array */
	p->processes = gaspdb_zeroed(run, n + 1, sizeof *p->processes);
	for (size_t i = 0; p->processes && i < n; i++)
		p->processes[i].until_ns = INT64_MIN;
}

void gaspdb_presence_close(struct gaspdb_presence *p)
{
	free(p->intervals);
	free(p->processes);
}

static int compare(const void *a, const void *b)
{
	const struct gaspdb_presence_interval *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* Number of significant bits. */
static int length_of(uint64_t v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

/* The smallest shift for which the time from the first to the last start has at
   most n buckets. */
static int shift_of(const struct gaspdb_presence_interval *intervals, size_t n)
{
	const uint64_t length = (uint64_t)intervals[n - 1].start_ns -
				(uint64_t)intervals[0].start_ns;
	int shift = length_of(length) - length_of(n);

	if (shift < 0)
		shift = 0;
	while (length >> shift >= n)
		shift++;
	return shift;
}

/* Index the intervals of a process; n > 0. */
static void index_process(struct gaspdb_presence_process *of,
			  struct gaspdb_presence_interval *intervals, size_t n)
{
	const int64_t from_ns = intervals[0].start_ns;
	const int shift = shift_of(intervals, n);
	int64_t until_ns = of->until_ns;
	uint32_t begun = 0;

	for (size_t i = 0; i < n; i++) {
		until_ns = gaspdb_max(until_ns, intervals[i].until_ns);
		intervals[i].until_ns = until_ns;
		intervals[((uint64_t)intervals[i].start_ns -
			   (uint64_t)from_ns) >>
			  shift]
			.begun = (uint32_t)i + 1;
	}
	/* Empty buckets get the count of the bucket before. */
	for (size_t part = 0; part < n; part++) {
		if (intervals[part].begun > begun)
			begun = intervals[part].begun;
		intervals[part].begun = begun;
	}
	of->from_ns = from_ns;
	of->shift = shift;
}

void gaspdb_presence_index(struct gaspdb_presence *p)
{
	size_t at = 0;

	if (p->run->status != GASPDB_OK)
		return;
	if (!p->in_order)
		qsort(p->intervals, p->n, sizeof *p->intervals, compare);
	for (int64_t i = 0; i < p->run->n_threads; i++) {
		const size_t first = at;

		p->processes[i].first = (uint32_t)first;
		while (at < p->n && p->intervals[at].process == i)
			at++;
		if (at > first)
			index_process(&p->processes[i], p->intervals + first,
				      at - first);
	}
	p->processes[p->run->n_threads].first = (uint32_t)at;
}

void gaspdb_presence_next_slice(struct gaspdb_presence *p)
{
	for (int64_t i = 0; p->n && i < p->run->n_threads; i++) {
		const uint32_t end = p->processes[i + 1].first;

		if (end > p->processes[i].first)
			p->processes[i].until_ns =
				p->intervals[end - 1].until_ns;
	}
	p->n = 0;
	p->in_order = true;
}
