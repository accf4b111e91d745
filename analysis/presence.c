/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of processes with one thread each all comes in order already. */
#include "analysis/presence.h"

#include <stdlib.h>

#include "sum.h"

void gaspdb_presence_open(struct gaspdb_presence *p, struct gaspdb_run *run)
{
	const size_t n = (size_t)run->n_threads;

	*p = (struct gaspdb_presence){ .run = run, .in_order = true };
	p->first = gaspdb_zeroed(run, n + 1, sizeof *p->first);
	p->until_ns = gaspdb_zeroed(run, n, sizeof *p->until_ns);
	for (size_t i = 0; p->until_ns && i < n; i++)
		p->until_ns[i] = INT64_MIN;
}

void gaspdb_presence_close(struct gaspdb_presence *p)
{
	free(p->stays);
	free(p->first);
	free(p->until_ns);
}

static int compare(const void *a, const void *b)
{
	const struct gaspdb_stay *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

void gaspdb_presence_settle(struct gaspdb_presence *p)
{
	size_t at = 0;

	if (p->run->status != GASPDB_OK)
		return;
	if (!p->in_order)
		qsort(p->stays, p->n, sizeof *p->stays, compare);
	for (int64_t i = 0; i < p->run->n_threads; i++) {
		int64_t until_ns = p->until_ns[i];

		p->first[i] = (uint32_t)at;
		for (; at < p->n && p->stays[at].process == i; at++) {
			until_ns = gaspdb_max(until_ns, p->stays[at].until_ns);
			p->stays[at].until_ns = until_ns;
		}
	}
	p->first[p->run->n_threads] = (uint32_t)at;
}

void gaspdb_presence_next(struct gaspdb_presence *p)
{
	for (size_t i = 0; i < p->n; i++)
		p->until_ns[p->stays[i].process] = p->stays[i].until_ns;
	p->n = 0;
	p->in_order = true;
}
