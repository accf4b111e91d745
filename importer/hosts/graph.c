/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes and arcs of a system of clocks. */
#include "importer/hosts/graph.h"

#include <stdlib.h>

#include "common/memory.h"

/* Nodes of a host besides those of constraints. */
#define EVEN_NODES 64
/* A reading may be off by so much for rounding. */
#define ROUNDING_NS 2
#define WEIGHT_MAX  ((int64_t)1 << 57) /* more than GASPDB_TIME_MAX */

void gaspdb_clock_graph_free(struct gaspdb_clock_graph *g)
{
	if (!g)
		return;
	free(g->nodes);
	free(g->first);
	free(g->arcs);
	free(g->most);
	free(g->least);
	free(g->x);
	free(g->parent);
	free(g->mark);
	free(g);
}

static bool is_used(const struct gaspdb_clock_system *s,
		    const struct gaspdb_order *o)
{
	return !o->dropped && s->hosts[o->first].linked &&
	       s->hosts[o->second].linked;
}

/* --- nodes ---------------------------------------------------------------- */

static void add_node(struct gaspdb_clock_graph *g, uint32_t host, int64_t ns)
{
	g->nodes = gaspdb_mem_grow(g->nodes, &g->node_capacity, g->n_nodes + 1,
				   sizeof *g->nodes);
	g->nodes[g->n_nodes++] =
		(struct gaspdb_clock_node){ .host = host, .ns = ns };
}

static int by_moment(const void *a, const void *b)
{
	const struct gaspdb_clock_node *p = a, *q = b;

	if (p->host != q->host)
		return p->host < q->host ? -1 : 1;
	return (p->ns > q->ns) - (p->ns < q->ns);
}

static void add_even_nodes(struct gaspdb_clock_graph *g, uint32_t host,
			   const struct gaspdb_clock_host *h)
{
	const int64_t length = h->last_ns - h->first_ns;

	if (!h->linked || length < 0)
		return;
	for (int i = 0; i <= EVEN_NODES; i++)
		add_node(g, host, h->first_ns + length / EVEN_NODES * i);
	add_node(g, host, h->last_ns);
}

static void add_nodes(struct gaspdb_clock_system *s)
{
	struct gaspdb_clock_graph *g = s->graph;

	for (size_t i = 0; i < s->n_orders; i++) {
		const struct gaspdb_order *o = &s->orders[i];

		if (!is_used(s, o))
			continue;
		add_node(g, o->first, o->first_ns);
		add_node(g, o->second, o->second_ns);
	}
	for (size_t i = 0; i < s->n_hosts; i++)
		add_even_nodes(g, (uint32_t)i, &s->hosts[i]);
}

/* Sorts the nodes, and keeps one of each moment. */
static void sort_nodes(struct gaspdb_clock_system *s)
{
	struct gaspdb_clock_graph *g = s->graph;
	size_t kept = 0, host = 0;

	if (g->n_nodes)
		qsort(g->nodes, g->n_nodes, sizeof *g->nodes, by_moment);
	for (size_t i = 0; i < g->n_nodes; i++)
		if (!kept || by_moment(&g->nodes[kept - 1], &g->nodes[i]))
			g->nodes[kept++] = g->nodes[i];
	g->n_nodes = kept;
	g->first = gaspdb_mem_alloc((s->n_hosts + 1) * sizeof *g->first);
	for (size_t i = 0; i < kept; i++)
		while (host <= g->nodes[i].host)
			g->first[host++] = i;
	while (host <= s->n_hosts)
		g->first[host++] = kept;
}

static uint32_t find_node(const struct gaspdb_clock_graph *g, uint32_t host,
			  int64_t ns)
{
	size_t from = g->first[host], to = g->first[host + 1];

	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if (g->nodes[middle].ns <= ns)
			from = middle;
		else
			to = middle;
	}
	return (uint32_t)from;
}

/* --- arcs ----------------------------------------------------------------- */

static void add_arc(struct gaspdb_clock_graph *g, uint32_t to, uint32_t from,
		    uint32_t order)
{
	g->arcs = gaspdb_mem_grow(g->arcs, &g->arc_capacity, g->n_arcs + 1,
				  sizeof *g->arcs);
	g->arcs[g->n_arcs++] = (struct gaspdb_clock_arc){ .to = to,
							  .from = from,
							  .order = order };
}

static void add_arcs(struct gaspdb_clock_system *s)
{
	struct gaspdb_clock_graph *g = s->graph;

	for (size_t i = 0; i < s->n_orders; i++) {
		const struct gaspdb_order *o = &s->orders[i];

		if (is_used(s, o))
			add_arc(g, find_node(g, o->first, o->first_ns),
				find_node(g, o->second, o->second_ns),
				(uint32_t)i);
	}
	for (uint32_t i = 1; i < g->n_nodes; i++)
		if (g->nodes[i].host == g->nodes[i - 1].host) {
			add_arc(g, i, i - 1, GASPDB_NO_ORDER);
			add_arc(g, i - 1, i, GASPDB_NO_ORDER);
		}
}

/* Sweeps along the time need few rounds: gaspdb_clock_solve(). */
struct timed {
	int64_t ns;
	struct gaspdb_clock_arc arc;
};

static int by_time(const void *a, const void *b)
{
	const struct timed *p = a, *q = b;

	if (p->ns != q->ns)
		return p->ns < q->ns ? -1 : 1;
	if (p->arc.to != q->arc.to)
		return p->arc.to < q->arc.to ? -1 : 1;
	return (p->arc.from > q->arc.from) - (p->arc.from < q->arc.from);
}

static void sort_arcs(struct gaspdb_clock_graph *g)
{
	struct timed *all = gaspdb_mem_alloc((g->n_arcs + 1) * sizeof *all);

	for (size_t i = 0; i < g->n_arcs; i++)
		all[i] = (struct timed){ g->nodes[g->arcs[i].to].line_ns,
					 g->arcs[i] };
	qsort(all, g->n_arcs, sizeof *all, by_time);
	for (size_t i = 0; i < g->n_arcs; i++)
		g->arcs[i] = all[i].arc;
	free(all);
}

void gaspdb_clock_graph_build(struct gaspdb_clock_system *s)
{
	struct gaspdb_clock_graph *g;

	gaspdb_clock_graph_free(s->graph);
	s->graph = NULL;
	s->graph = g = gaspdb_mem_alloc(sizeof *g);
	add_nodes(s);
	sort_nodes(s);
	add_arcs(s);
	g->most = gaspdb_mem_alloc((g->n_nodes + 1) * sizeof *g->most);
	g->least = gaspdb_mem_alloc((g->n_nodes + 1) * sizeof *g->least);
	g->x = gaspdb_mem_alloc((g->n_nodes + 1) * sizeof *g->x);
	g->parent = gaspdb_mem_alloc((g->n_nodes + 1) * sizeof *g->parent);
	g->mark = gaspdb_mem_alloc((g->n_nodes + 1) * sizeof *g->mark);
	gaspdb_clock_graph_weigh(s);
	sort_arcs(g);
}

/* --- weights -------------------------------------------------------------- */

static void place_node(const struct gaspdb_clock_system *s,
		       struct gaspdb_clock_node *n)
{
	const struct gaspdb_clock_host *h = &s->hosts[n->host];
	const struct gaspdb_clock_node *first =
		&s->graph->nodes[s->graph->first[n->host]];

	n->line_ns = n->ns + gaspdb_clock_line_at(h, n->ns);
	n->drift_ns = (int64_t)((h->drift + h->slope_error) *
				(double)(n->ns - first->ns)) +
		      (n > first && h->drift > 0);
}

static int64_t bounded(int64_t ns)
{
	return ns > WEIGHT_MAX	  ? WEIGHT_MAX
	       : ns < -WEIGHT_MAX ? -WEIGHT_MAX
				  : ns;
}

/* Are a host's times moved by the same number of ns? */
static bool is_exact(const struct gaspdb_clock_system *s, uint32_t host)
{
	return !host || (!s->hosts[host].read && !s->bent);
}

/* Readings bound the true offsets, messages the times that are shown. */
static int64_t rounding(const struct gaspdb_clock_system *s,
			const struct gaspdb_order *o)
{
	if (o->kind == GASPDB_ORDER_READING)
		return ROUNDING_NS;
	return is_exact(s, o->first) && is_exact(s, o->second) ? 0
							       : -ROUNDING_NS;
}

static int64_t weight(const struct gaspdb_clock_system *s,
		      const struct gaspdb_clock_arc *a)
{
	const struct gaspdb_clock_node *to = &s->graph->nodes[a->to],
				       *from = &s->graph->nodes[a->from];

	if (a->order == GASPDB_NO_ORDER)
		return a->to > a->from ? to->drift_ns - from->drift_ns
				       : from->drift_ns - to->drift_ns;
	return bounded(from->line_ns - to->line_ns +
		       rounding(s, &s->orders[a->order]));
}

void gaspdb_clock_graph_weigh(struct gaspdb_clock_system *s)
{
	struct gaspdb_clock_graph *g = s->graph;

	for (size_t i = 0; i < g->n_nodes; i++)
		place_node(s, &g->nodes[i]);
	for (size_t i = 0; i < g->n_arcs; i++)
		g->arcs[i].weight = weight(s, &g->arcs[i]);
}
