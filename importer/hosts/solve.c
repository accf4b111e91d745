/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solution of a system of clocks: the greatest and the least offsets are
 * shortest paths from and to the reference host (Bellman-Ford), swept along the
 * time forth and back (Yen), because paths follow the time for long. Both
 * satisfy all constraints, and so does their mean.
 */
#include "common/interrupt.h"
#include "common/memory.h"
#include "common/value.h"
#include "importer/hosts/graph.h"

#define FAR GASPDB_CLOCK_FAR
/* Cycles are looked for after this many sweeps, and so on. */
#define SWEEPS 4

/* --- shortest paths ------------------------------------------------------- */

static void begin(const struct gaspdb_clock_graph *g, int64_t *x)
{
	for (size_t i = 0; i < g->n_nodes; i++) {
		x[i] = g->nodes[i].host ? FAR : 0;
		g->parent[i] = GASPDB_NO_ARC;
	}
}

/* x[to] <= x[from] + weight, by arc i. */
static inline bool relax(int64_t *x, uint32_t to, uint32_t from, int64_t weight,
			 uint32_t *parent, size_t i)
{
	int64_t by = x[from] + weight;

	if (by < -FAR)
		by = -FAR;
	if (by >= x[to])
		return false;
	x[to] = by;
	parent[to] = (uint32_t)i;
	return true;
}

bool gaspdb_clock_sweep(const struct gaspdb_clock_graph *g, int64_t *x,
			bool least, bool back)
{
	bool any = false;

	for (size_t k = 0; k < g->n_arcs; k++) {
		const size_t i = back ? g->n_arcs - 1 - k : k;
		const struct gaspdb_clock_arc *a = &g->arcs[i];

		any |= relax(x, least ? a->from : a->to,
			     least ? a->to : a->from, a->weight, g->parent, i);
	}
	return any;
}

enum paths { FOUND, CONTRADICTED, INTERRUPTED };

/* Fills the greatest x of each node; least: the least, negated. */
static enum paths find_paths(struct gaspdb_clock_system *s, bool least)
{
	struct gaspdb_clock_graph *g = s->graph;
	int64_t *x = least ? g->least : g->most;

	begin(g, x);
	for (unsigned n = 0;; n++) {
		if (gaspdb_interrupted)
			return INTERRUPTED;
		if (!gaspdb_clock_sweep(g, x, least, n & 1))
			return FOUND;
		if (n % SWEEPS == SWEEPS - 1 && gaspdb_clock_settle(s))
			return CONTRADICTED;
	}
}

static void leave_out(struct gaspdb_clock_system *s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->graph->n_arcs; i++) {
		const struct gaspdb_clock_arc *a = &s->graph->arcs[i];

		if (a->order == GASPDB_NO_ORDER || !s->orders[a->order].dropped)
			s->graph->arcs[kept++] = *a;
	}
	s->graph->n_arcs = kept;
}

/* Rounds after which messages and barriers are given up, and twice as many for
   readings: only made-up logs contradict themselves so often. */
#define ROUNDS_MAX 200

static void give_up(struct gaspdb_clock_system *s, bool readings)
{
	for (size_t i = 0; i < s->n_orders; i++) {
		struct gaspdb_order *o = &s->orders[i];

		if (o->dropped ||
		    (o->kind == GASPDB_ORDER_READING && !readings))
			continue;
		o->dropped = true;
		s->n_dropped[o->kind]++;
	}
}

/* Solves without contradictions; false: interrupted. */
static bool satisfy(struct gaspdb_clock_system *s)
{
	unsigned rounds = 0;
	enum paths paths;

	while ((paths = find_paths(s, false)) == CONTRADICTED ||
	       (!paths && (paths = find_paths(s, true)) == CONTRADICTED)) {
		if (++rounds % ROUNDS_MAX == 0)
			give_up(s, rounds > ROUNDS_MAX);
		leave_out(s);
		gaspdb_clock_graph_weigh(s);
	}
	return paths == FOUND;
}

/* --- knots ---------------------------------------------------------------- */

static int64_t largest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Largest error at a node. */
static int64_t error_at(const struct gaspdb_clock_graph *g, size_t i)
{
	return largest(g->most[i] - g->x[i], g->x[i] + g->least[i]);
}

double gaspdb_clock_peak(double high0, double high1, double x0, double x1,
			 double drift)
{
	double at = drift > 0 ? (high1 - high0 + drift) / (2 * drift) : 0;

	if (at < 0)
		at = 0;
	if (at > 1)
		at = 1;
	return high0 + drift * at - (x0 + (x1 - x0) * at);
}

/* Largest error from node i to the next one of its host. */
static int64_t error_from(const struct gaspdb_clock_graph *g, size_t i)
{
	const double drift =
		(double)(g->nodes[i + 1].drift_ns - g->nodes[i].drift_ns);
	const double x0 = (double)g->x[i], x1 = (double)g->x[i + 1];
	const double up = gaspdb_clock_peak(
		(double)g->most[i], (double)g->most[i + 1], x0, x1, drift);
	const double down = gaspdb_clock_peak(
		(double)g->least[i], (double)g->least[i + 1], -x0, -x1, drift);

	return largest(largest(error_at(g, i), error_at(g, i + 1)),
		       (int64_t)(up > down ? up : down));
}

/* Drift links the nodes of a host: all have a bound, or none. */
static bool is_bounded(const struct gaspdb_clock_graph *g, size_t i)
{
	return gaspdb_clock_bounded(g->most[i]) &&
	       gaspdb_clock_bounded(g->least[i]);
}

/* Rounding of lines and times is an error, too. */
#define ROUNDING_NS 2

static struct gaspdb_knot knot_of(const struct gaspdb_clock_graph *g, size_t i,
				  bool last)
{
	const struct gaspdb_clock_node *n = &g->nodes[i];
	const int64_t line = n->line_ns - n->ns;
	struct gaspdb_knot k = { .ns = n->ns,
				 .offset_ns = line + g->x[i],
				 .least_ns = GASPDB_NULL,
				 .most_ns = GASPDB_NULL,
				 .error_ns = GASPDB_NULL };

	if (gaspdb_clock_bounded(g->least[i]))
		k.least_ns = line - g->least[i];
	if (gaspdb_clock_bounded(g->most[i]))
		k.most_ns = line + g->most[i];
	if (!n->host)
		k.error_ns = 0;
	else if (is_bounded(g, i))
		k.error_ns = ROUNDING_NS +
			     (last ? error_at(g, i) : error_from(g, i));
	return k;
}

static void make_knots(struct gaspdb_clock_system *s, uint32_t host)
{
	const struct gaspdb_clock_graph *g = s->graph;
	struct gaspdb_clock_host *h = &s->hosts[host];
	const size_t from = g->first[host], to = g->first[host + 1];

	h->n_knots = 0;
	if (!h->linked)
		return;
	h->knots = gaspdb_mem_grow(h->knots, &h->knot_capacity, to - from,
				   sizeof *h->knots);
	for (size_t i = from; i < to; i++)
		h->knots[h->n_knots++] = knot_of(g, i, i + 1 == to);
}

/* Hosts that readings link, but that have no bound: the readings were left
   out. */
static void check_links(struct gaspdb_clock_system *s)
{
	for (uint32_t h = 0; h < s->n_hosts; h++) {
		const size_t i = s->graph->first[h];

		if (i < s->graph->first[h + 1] && !is_bounded(s->graph, i))
			s->hosts[h].read = false;
	}
}

/* Has a wall clock been bent for the first time? Then times are rounded. */
static bool newly_bent(struct gaspdb_clock_system *s)
{
	if (s->bent)
		return false;
	for (size_t i = 1; i < s->n_hosts; i++)
		for (size_t k = 1; k < s->hosts[i].n_knots; k++)
			s->bent |= !s->hosts[i].read &&
				   s->hosts[i].knots[k].offset_ns !=
					   s->hosts[i].knots[0].offset_ns;
	return s->bent;
}

/* Hosts without any constraint are in no system. */
static void find_linked(struct gaspdb_clock_system *s)
{
	for (size_t i = 1; i < s->n_hosts; i++)
		s->hosts[i].linked = false;
	for (size_t i = 0; i < s->n_orders; i++) {
		const struct gaspdb_order *o = &s->orders[i];

		if (!o->dropped)
			s->hosts[o->first].linked = s->hosts[o->second].linked =
				true;
	}
}

/* Knots improve the lines, whose errors are a part of the drift. */
#define REFINED 3

bool gaspdb_clock_solve(struct gaspdb_clock_system *s)
{
	find_linked(s);
	gaspdb_clock_graph_build(s);
	for (int round = 0;; round++) {
		if (!satisfy(s))
			return false;
		check_links(s);
		if (round >= REFINED && !gaspdb_clock_choose(s))
			return false;
		for (size_t i = 0; i < s->n_hosts; i++)
			make_knots(s, (uint32_t)i);
		if (round >= REFINED && !newly_bent(s))
			return true;
		gaspdb_clock_lines_refine(s);
		gaspdb_clock_graph_weigh(s);
	}
}

int64_t gaspdb_clock_offset(const struct gaspdb_clock_host *h, int64_t ns)
{
	size_t from = 0, to = h->n_knots;
	const struct gaspdb_knot *a, *b;

	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if (h->knots[middle].ns <= ns)
			from = middle;
		else
			to = middle;
	}
	if (!h->n_knots)
		return 0;
	a = &h->knots[from];
	if (ns <= a->ns || from + 1 == h->n_knots)
		return a->offset_ns + (int64_t)(h->tail * (double)(ns - a->ns));
	b = a + 1;
	return a->offset_ns +
	       (int64_t)((double)(b->offset_ns - a->offset_ns) *
			 ((double)(ns - a->ns) / (double)(b->ns - a->ns)));
}
