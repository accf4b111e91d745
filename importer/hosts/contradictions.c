/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contradictions: cycles of constraints whose weights sum to less than 0. What
 * lacks is given to the drifts along the cycle, because a clock may have been
 * steered or set. A cycle that needs more than any clock drifts has a wrong
 * order: a message that was paired wrongly, before a reading.
 */
#include "importer/hosts/graph.h"

struct cycle {
	int64_t lacks; /* sum of the weights, negated */
	double time;   /* of its drifts, without the reference host's */
	enum gaspdb_order_kind weakest;
	bool orders[GASPDB_N_ORDER_KINDS];
};

/* Calls each arc of the cycle that node is in. */
static void each_arc(struct gaspdb_clock_system *s, uint32_t node,
		     void (*call)(struct gaspdb_clock_system *,
				  const struct gaspdb_clock_arc *,
				  struct cycle *),
		     struct cycle *c)
{
	const struct gaspdb_clock_graph *g = s->graph;
	uint32_t at = node;

	do {
		const struct gaspdb_clock_arc *a = &g->arcs[g->parent[at]];

		call(s, a, c);
		at = a->to == at ? a->from : a->to;
	} while (at != node);
}

static double distance(const struct gaspdb_clock_graph *g,
		       const struct gaspdb_clock_arc *a)
{
	const int64_t ns = g->nodes[a->to].ns - g->nodes[a->from].ns;

	return (double)(ns < 0 ? -ns : ns);
}

static void measure(struct gaspdb_clock_system *s,
		    const struct gaspdb_clock_arc *a, struct cycle *c)
{
	c->lacks -= a->weight;
	if (a->order != GASPDB_NO_ORDER)
		c->orders[s->orders[a->order].kind] = true;
	else if (s->graph->nodes[a->to].host)
		c->time += distance(s->graph, a);
}

/* Gives an arc's host a drift that makes up for what the cycle lacks. */
static void widen(struct gaspdb_clock_system *s,
		  const struct gaspdb_clock_arc *a, struct cycle *c)
{
	struct gaspdb_clock_host *h = &s->hosts[s->graph->nodes[a->to].host];
	const double needed = (double)(c->lacks + 1) / c->time;

	if (a->order != GASPDB_NO_ORDER || h == s->hosts || h->widened)
		return;
	h->widened = true;
	h->drift += needed > h->drift ? needed : h->drift;
	if (h->drift > GASPDB_DRIFT_MAX)
		h->drift = GASPDB_DRIFT_MAX;
	s->contradicted = true;
}

static void drop(struct gaspdb_clock_system *s,
		 const struct gaspdb_clock_arc *a, struct cycle *c)
{
	struct gaspdb_order *o;

	if (a->order == GASPDB_NO_ORDER)
		return;
	o = &s->orders[a->order];
	if (o->dropped || o->kind != c->weakest)
		return;
	o->dropped = true;
	s->n_dropped[o->kind]++;
}

/* Largest drift of a host on the cycle, after it is widened. */
static double drift_needed(const struct gaspdb_clock_system *s, uint32_t node,
			   const struct cycle *c)
{
	const struct gaspdb_clock_graph *g = s->graph;
	double most = 0;
	uint32_t at = node;

	if (c->time <= 0)
		return 2 * GASPDB_DRIFT_MAX;
	do {
		const struct gaspdb_clock_arc *a = &g->arcs[g->parent[at]];
		const struct gaspdb_clock_host *h =
			&s->hosts[g->nodes[a->to].host];

		if (a->order == GASPDB_NO_ORDER && h->drift > most)
			most = h->drift;
		at = a->to == at ? a->from : a->to;
	} while (at != node);
	return most + (double)(c->lacks + 1) / c->time;
}

static void settle(struct gaspdb_clock_system *s, uint32_t node)
{
	struct cycle c = { .weakest = GASPDB_ORDER_READING };
	double limit = GASPDB_DRIFT_MAX;

	each_arc(s, node, measure, &c);
	for (int kind = 0; kind < GASPDB_N_ORDER_KINDS; kind++)
		if (c.orders[kind])
			c.weakest = (enum gaspdb_order_kind)kind;
	if (c.weakest != GASPDB_ORDER_READING)
		limit = GASPDB_DRIFT_BY_MESSAGES;
	if (drift_needed(s, node, &c) <= limit)
		each_arc(s, node, widen, &c);
	else
		each_arc(s, node, drop, &c);
}

bool gaspdb_clock_settle(struct gaspdb_clock_system *s)
{
	const struct gaspdb_clock_graph *g = s->graph;
	bool any = false;

	for (size_t i = 0; i < s->n_hosts; i++)
		s->hosts[i].widened = false;
	for (uint32_t i = 0; i < g->n_nodes; i++)
		g->mark[i] = GASPDB_NO_ARC;
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		uint32_t at = i;

		while (g->mark[at] == GASPDB_NO_ARC) {
			const struct gaspdb_clock_arc *a;

			g->mark[at] = i;
			if (g->parent[at] == GASPDB_NO_ARC)
				break;
			a = &g->arcs[g->parent[at]];
			at = a->to == at ? a->from : a->to;
		}
		if (g->mark[at] == i && g->parent[at] != GASPDB_NO_ARC) {
			settle(s, at);
			any = true;
		}
	}
	return any;
}
