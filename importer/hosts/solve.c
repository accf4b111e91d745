/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solution of a system of clocks: the greatest and the least offsets are
 * shortest paths from and to the reference host (Bellman-Ford), swept along the
 * time forth and back (Yen), because paths follow the time for long. Both
 * satisfy all constraints, and so does their mean.
 */
#include "common/interrupt.h"
#include "common/memory.h"
#include "importer/hosts/graph.h"

#define FAR ((int64_t)1 << 61) /* not reached */
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
	int64_t by;

	if (x[from] == FAR)
		return false;
	by = x[from] + weight;
	if (by < -FAR)
		by = -FAR;
	if (by >= x[to])
		return false;
	x[to] = by;
	parent[to] = (uint32_t)i;
	return true;
}

static bool sweep(const struct gaspdb_clock_graph *g, int64_t *x, bool least,
		  bool back)
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
		if (!sweep(g, x, least, n & 1))
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

static int64_t x_of(const struct gaspdb_clock_graph *g, size_t i)
{
	return (g->most[i] - g->least[i]) >> 1;
}

/* Largest error at a node. */
static int64_t error_at(const struct gaspdb_clock_graph *g, size_t i)
{
	return largest(g->most[i] - x_of(g, i), x_of(g, i) + g->least[i]);
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
	const double x0 = (double)x_of(g, i), x1 = (double)x_of(g, i + 1);
	const double up = gaspdb_clock_peak(
		(double)g->most[i], (double)g->most[i + 1], x0, x1, drift);
	const double down = gaspdb_clock_peak(
		(double)g->least[i], (double)g->least[i + 1], -x0, -x1, drift);

	return largest(largest(error_at(g, i), error_at(g, i + 1)),
		       (int64_t)(up > down ? up : down));
}

static bool is_bounded(const struct gaspdb_clock_graph *g, size_t from,
		       size_t to)
{
	for (size_t i = from; i < to; i++)
		if (g->most[i] == FAR || g->least[i] == FAR)
			return false;
	return true;
}

/* Rounding of lines and times is an error, too. */
#define ROUNDING_NS 2

static void make_knots(struct gaspdb_clock_system *s, uint32_t host)
{
	const struct gaspdb_clock_graph *g = s->graph;
	struct gaspdb_clock_host *h = &s->hosts[host];
	const size_t from = g->first[host], to = g->first[host + 1];

	h->linked = h->linked && is_bounded(g, from, to);
	h->n_knots = 0;
	if (!h->linked)
		return;
	h->knots = gaspdb_mem_grow(h->knots, &h->knot_capacity, to - from,
				   sizeof *h->knots);
	for (size_t i = from; i < to; i++) {
		const struct gaspdb_clock_node *n = &g->nodes[i];
		const int64_t line = n->line_ns - n->ns;
		const int64_t error =
			i + 1 < to ? error_from(g, i) : error_at(g, i);

		h->knots[h->n_knots++] = (struct gaspdb_knot){
			.ns = n->ns,
			.offset_ns = line + x_of(g, i),
			.least_ns = line - g->least[i],
			.most_ns = line + g->most[i],
			.error_ns = host ? error + ROUNDING_NS : 0,
		};
	}
}

/* Knots improve the lines, whose errors are a part of the drift. */
#define REFINED 3

bool gaspdb_clock_solve(struct gaspdb_clock_system *s)
{
	gaspdb_clock_graph_build(s);
	for (int round = 0;; round++) {
		if (!satisfy(s))
			return false;
		for (size_t i = 0; i < s->n_hosts; i++)
			make_knots(s, (uint32_t)i);
		if (round == REFINED)
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
		return a->offset_ns + gaspdb_clock_line_at(h, ns) -
		       gaspdb_clock_line_at(h, a->ns);
	b = a + 1;
	return a->offset_ns +
	       (int64_t)((double)(b->offset_ns - a->offset_ns) *
			 ((double)(ns - a->ns) / (double)(b->ns - a->ns)));
}
