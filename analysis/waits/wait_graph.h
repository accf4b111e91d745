/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who waited because of what: all waiting of a kind for a thread to come to a
 * line is a node; tables wait_total and delay say which part of it is due to
 * computation at a place, and which to other nodes, for which that thread
 * itself waited meanwhile.  Of a thread's waiting at a line the nodes get the
 * parts that they have of all its waiting there.
 *
 * A place is all computation that ends at a call: in a loop it comes after
 * another call the first time.  What is computed with a lock held is none: who
 * waits for the lock waits for it to be given back.
 */
#ifndef GASPDB_ANALYSIS_WAITS_WAIT_GRAPH_H
#define GASPDB_ANALYSIS_WAITS_WAIT_GRAPH_H

#include "analysis/rows/groups.h"
#include "analysis/findings/spots.h"

struct gaspdb_wait_node {
	int64_t kind;	/* a number, from 0 */
	int64_t thread; /* that was waited for */
	int64_t source; /* where it had to come */
	double ns;	/* all of that waiting */
};

/* Of a node's waiting, what one thread waited at one line. */
struct gaspdb_wait_edge {
	int64_t thread, source;
	size_t node; /* SIZE_MAX: who was waited for is not known */
	double ns;
};

/* Of a node's waiting, what is due to computation at a place, or to the edges
   [first, end). */
struct gaspdb_wait_share {
	size_t node;
	size_t place; /* SIZE_MAX: due to edges */
	size_t first, end;
	double ns;
	double edges_ns; /* of these edges */
};

struct gaspdb_wait_graph {
	struct gaspdb_run *run;
	struct gaspdb_spot *spots; /* by source */
	char **kinds;		   /* names */
	size_t n_kinds, kinds_room;
	struct gaspdb_groups nodes_by_key; /* rows: numbers of nodes */
	struct gaspdb_wait_node *nodes;
	size_t n_nodes, nodes_room;
	struct gaspdb_wait_edge *edges; /* by thread, source */
	size_t n_edges, edges_room;
	struct gaspdb_wait_share *shares;
	size_t n_shares, shares_room;
	struct gaspdb_groups places; /* function, to: rows are their numbers */
	struct gaspdb_groups froms;  /* place, from: ns */
};

/* Read it all.  gaspdb_wait_graph_close() whatever became of it. */
void gaspdb_wait_graph_open(struct gaspdb_wait_graph *graph,
			    struct gaspdb_run *run);
void gaspdb_wait_graph_close(struct gaspdb_wait_graph *graph);
/* The number of a place, SIZE_MAX: it is none of graph->places. */
size_t gaspdb_wait_graph_place(const struct gaspdb_wait_graph *graph,
			       int64_t function, int64_t to);
/* What computation at a place comes after, if most of what is due to it comes
   after that; NONE: it does not. */
int64_t gaspdb_wait_graph_from(const struct gaspdb_wait_graph *graph,
			       size_t place);
/*
 * How much waiting comes to each node in the end: its own, and what others pass
 * on to it.  arrived: by node, for free(); NULL: a failure.
 */
double *gaspdb_wait_graph_flow(const struct gaspdb_wait_graph *graph);
/* Which part of each node's waiting is due to a place in the end; the same. */
double *gaspdb_wait_graph_parts(const struct gaspdb_wait_graph *graph,
				size_t place);

#endif
