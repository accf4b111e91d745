/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The graph of a system of clocks: a node for each moment of a host that a
 * constraint names, and some more at equal distances. An arc is a constraint of
 * two nodes, x[to] <= x[from] + weight. x is a node's offset less its host's
 * line. Private to solve.c and its parts.
 */
#ifndef GASPDB_IMPORTER_HOSTS_GRAPH_H
#define GASPDB_IMPORTER_HOSTS_GRAPH_H

#include "importer/hosts/system.h"

#define GASPDB_NO_ORDER UINT32_MAX
#define GASPDB_NO_ARC	UINT32_MAX

struct gaspdb_clock_node {
	int64_t ns;	  /* by its host's clock */
	int64_t line_ns;  /* the same by its host's line: common time */
	int64_t drift_ns; /* largest departure from the line since the host's
			     first node */
	uint32_t host;
};

struct gaspdb_clock_arc {
	uint32_t to, from;
	uint32_t order; /* index; GASPDB_NO_ORDER: of the drift */
	int64_t weight;
};

struct gaspdb_clock_graph {
	struct gaspdb_clock_node *nodes; /* by host, then by time */
	size_t n_nodes, node_capacity;
	size_t *first;		       /* of each host, and the end */
	struct gaspdb_clock_arc *arcs; /* in the order of time */
	size_t n_arcs, arc_capacity;
	int64_t *most, *least; /* of each node: x, and -x; or no bound */
	int64_t *x;	       /* of each node, as chosen */
	uint32_t *parent;      /* of each node: the arc that set it */
	uint32_t *mark;
};

/* Makes the graph of the linked hosts and the orders that are not dropped. */
void gaspdb_clock_graph_build(struct gaspdb_clock_system *s);
/* Computes the weights, from the lines and drifts of the hosts. */
void gaspdb_clock_graph_weigh(struct gaspdb_clock_system *s);
void gaspdb_clock_graph_free(struct gaspdb_clock_graph *g);

/* --- solve.c -------------------------------------------------------------- */

/* The shortest paths begin with this everywhere but at the reference host. A
   node that stays near it has no bound. */
#define GASPDB_CLOCK_FAR ((int64_t)1 << 61)

static inline bool gaspdb_clock_bounded(int64_t x)
{
	return x < GASPDB_CLOCK_FAR / 2;
}

/* Relaxes each arc once, along the time or back. least: x is negated. false:
   nothing changed. */
bool gaspdb_clock_sweep(const struct gaspdb_clock_graph *g, int64_t *x,
			bool least, bool back);

/*
 * Largest distance of a bound from the line between x0 and x1. The bound is
 * high0 at one end, high1 at the other, and rises by drift from either.
 */
double gaspdb_clock_peak(double high0, double high1, double x0, double x1,
			 double drift);

/* --- choice.c ------------------------------------------------------------- */

/* Sets x of all nodes, after their bounds. false: interrupted. */
bool gaspdb_clock_choose(struct gaspdb_clock_system *s);

/* --- contradictions.c ----------------------------------------------------- */

/* Finds the cycles of parents, which contradict, and widens drifts or drops
   orders so that they do not. false: there is none. */
bool gaspdb_clock_settle(struct gaspdb_clock_system *s);

#endif
