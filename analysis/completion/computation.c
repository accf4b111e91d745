/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a thread's time at the ends of events; each piece belongs to the
   innermost open event. */
#include "analysis/completion/computation.h"

void gaspdb_computation_begin(struct gaspdb_computation *c, int64_t ns,
			      const struct gaspdb_interval *gaps, size_t n_gaps)
{
	c->at_ns = ns;
	c->sum_ns = 0;
	c->open.n = 0;
	c->gaps = gaps;
	c->n_gaps = n_gaps;
}

void gaspdb_computation_fini(struct gaspdb_computation *c)
{
	gaspdb_open_events_fini(&c->open);
	*c = (struct gaspdb_computation){ .n_gaps = 0 };
}

/* Add computation up to end_ns, without gaps, which may overlap. */
static void compute(struct gaspdb_computation *c, int64_t end_ns)
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

/* The innermost open event; NULL: none. */
static const struct gaspdb_open_event *innermost(struct gaspdb_computation *c)
{
	const struct gaspdb_open_event *top;

	while ((top = gaspdb_open_events_top(&c->open)) &&
	       top->end_ns <= c->at_ns)
		c->open.n--;
	return top;
}

void gaspdb_computation_move(struct gaspdb_computation *c, int64_t ns)
{
	while (c->at_ns < ns) {
		const struct gaspdb_open_event *top = innermost(c);
		int64_t end_ns = ns;

		if (top && top->end_ns < end_ns)
			end_ns = top->end_ns;
		if (!top || top->value)
			compute(c, end_ns);
		c->at_ns = end_ns;
	}
}

void gaspdb_computation_enter(struct gaspdb_run *run,
			      struct gaspdb_computation *c, int64_t end_ns,
			      bool function)
{
	innermost(c);
	if (end_ns > c->at_ns)
		gaspdb_open_events_add(
			run, &c->open, c->at_ns,
			(struct gaspdb_open_event){ end_ns, function });
}
