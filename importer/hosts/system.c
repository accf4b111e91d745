/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system of constraints: its memory, and what is added to it. */
#include "importer/hosts/system.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/hosts/graph.h"

void gaspdb_clock_system_init(struct gaspdb_clock_system *s, size_t n)
{
	memset(s, 0, sizeof *s);
	s->hosts = gaspdb_mem_alloc((n + 1) * sizeof *s->hosts);
	s->n_hosts = n;
	for (size_t i = 0; i < n; i++) {
		s->hosts[i].drift = GASPDB_DRIFT;
		s->hosts[i].last_ns = INT64_MIN;
		s->hosts[i].first_ns = INT64_MAX;
	}
}

void gaspdb_clock_system_free(struct gaspdb_clock_system *s)
{
	for (size_t i = 0; s->hosts && i < s->n_hosts; i++)
		free(s->hosts[i].knots);
	gaspdb_clock_graph_free(s->graph);
	free(s->hosts);
	free(s->batches);
	free(s->orders);
	memset(s, 0, sizeof *s);
}

void gaspdb_clock_system_order(struct gaspdb_clock_system *s,
			       const struct gaspdb_order *o)
{
	s->orders = gaspdb_mem_grow(s->orders, &s->order_capacity,
				    s->n_orders + 1, sizeof *s->orders);
	s->orders[s->n_orders++] = *o;
}

void gaspdb_clock_system_batch(struct gaspdb_clock_system *s,
			       const struct gaspdb_batch *b)
{
	s->batches = gaspdb_mem_grow(s->batches, &s->batch_capacity,
				     s->n_batches + 1, sizeof *s->batches);
	s->batches[s->n_batches++] = *b;
	/* second_ns - first_ns is at least the least difference, negated. */
	gaspdb_clock_system_order(
		s,
		&(struct gaspdb_order){ .kind = GASPDB_ORDER_READING,
					.first = b->first,
					.second = b->second,
					.first_ns = b->least_at,
					.second_ns = b->least_at - b->least });
	gaspdb_clock_system_order(
		s, &(struct gaspdb_order){ .kind = GASPDB_ORDER_READING,
					   .first = b->second,
					   .second = b->first,
					   .first_ns = b->most_at - b->most,
					   .second_ns = b->most_at });
}
