/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is open stands on a stack.  An event that ends below its top changes
 * nothing while the top is open, so it may stay until it comes up.
 */
#include "analysis/computing.h"

#include <stdlib.h>

void gaspdb_computing_begin(struct gaspdb_computing *c, int64_t ns,
			    const struct gaspdb_interval *gaps, size_t n_gaps)
{
	c->at_ns = ns;
	c->sum_ns = 0;
	c->n_open = 0;
	c->gaps = gaps;
	c->n_gaps = n_gaps;
}

void gaspdb_computing_fini(struct gaspdb_computing *c)
{
	free(c->open);
	*c = (struct gaspdb_computing){ .open = NULL };
}

/* Computation up to end_ns, without the gaps in it; gaps may overlap. */
static void compute(struct gaspdb_computing *c, int64_t end_ns)
{
	int64_t at_ns = c->at_ns;

	while (at_ns < end_ns) {
		if (!c->n_gaps || c->gaps->start_ns >= end_ns) {
			c->sum_ns += end_ns - at_ns;
			return;
		}
		if (c->gaps->start_ns > at_ns)
			c->sum_ns += c->gaps->start_ns - at_ns;
		if (c->gaps->end_ns > end_ns)
			return;
		if (c->gaps->end_ns > at_ns)
			at_ns = c->gaps->end_ns;
		c->gaps++;
		c->n_gaps--;
	}
}

int64_t gaspdb_computing_to(struct gaspdb_computing *c, int64_t ns)
{
	while (c->at_ns < ns) {
		const struct gaspdb_open_call *top;
		int64_t end_ns = ns;

		while (c->n_open && c->open[c->n_open - 1].end_ns <= c->at_ns)
			c->n_open--;
		top = c->n_open ? &c->open[c->n_open - 1] : NULL;
		if (top && top->end_ns < end_ns)
			end_ns = top->end_ns;
		if (!top || top->function)
			compute(c, end_ns);
		c->at_ns = end_ns;
	}
	return c->sum_ns;
}

void gaspdb_computing_enter(struct gaspdb_run *run, struct gaspdb_computing *c,
			    int64_t end_ns, bool function)
{
	while (c->n_open && c->open[c->n_open - 1].end_ns <= c->at_ns)
		c->n_open--;
	if (end_ns > c->at_ns &&
	    gaspdb_grow(run, &c->open, c->n_open, &c->room, sizeof(*c->open)))
		c->open[c->n_open++] =
			(struct gaspdb_open_call){ end_ns, function };
}
