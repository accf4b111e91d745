/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wait graph: how waiting propagates. A node is all waiting of one kind for
 * one thread to reach one line. Tables wait_total and delay divide it into
 * shares: due to computation at a place, or due to waits of that thread itself,
 * which lead to other nodes. If the thread waited at a line for several nodes,
 * each gets its proportion of the thread's waiting there.
 *
 * A place is all computation of a function that ends at a call. Computation
 * with a lock held is no place: waits for a lock end at its release.
 */
#ifndef GASPDB_ANALYSIS_FINDINGS_WAIT_GRAPH_H
#define GASPDB_ANALYSIS_FINDINGS_WAIT_GRAPH_H

#include "analysis/findings/spots.h"
#include "analysis/rows/groups.h"

struct gaspdb_wait_node {
	int64_t kind;	/* index of kinds */
	int64_t thread; /* the late thread */
	int64_t source; /* the line that it had to reach */
	double ns;	/* sum of the waiting */
	double error_ns;
	double unknown; /* edges of unknown error */
};

/* The part of a node's waiting that one thread waited at one line. */
struct gaspdb_wait_edge {
	int64_t thread, source;
	size_t node; /* SIZE_MAX: unknown cause */
	double ns;
};

/* The part of a node's waiting that is due to computation at a place, or to the
   late thread's own waits, the edges [first, end). */
struct gaspdb_wait_share {
	size_t node;
	size_t place; /* SIZE_MAX: due to edges */
	size_t first, end;
	double ns;
	double edges_ns; /* sum of these edges */
};

struct gaspdb_wait_graph {
	struct gaspdb_run *run;
	struct gaspdb_spot *spots; /* by source */
	char **kinds;		   /* names */
	size_t n_kinds, kinds_room;
	struct gaspdb_groups nodes_by_key; /* row index: the node's */
	struct gaspdb_wait_node *nodes;
	size_t n_nodes, nodes_room;
	struct gaspdb_wait_edge *edges; /* in order of thread, source */
	size_t n_edges, edges_room;
	struct gaspdb_wait_share *shares;
	size_t n_shares, shares_room;
	struct gaspdb_groups places; /* function, call at the end; row index:
					the place */
	struct gaspdb_groups froms;  /* place, call before it: ns */
};

/* Read the graph. Close it in any case. */
void gaspdb_wait_graph_open(struct gaspdb_wait_graph *graph,
			    struct gaspdb_run *run);
void gaspdb_wait_graph_close(struct gaspdb_wait_graph *graph);
/* The index of a place by function and call at its end; SIZE_MAX: none. */
size_t gaspdb_wait_graph_place(const struct gaspdb_wait_graph *graph,
			       int64_t function, int64_t to);
/* The call before a place that accounts for more than half of the waiting due
   to it; NONE: no such call. In a loop, the first iteration follows another
   call than the others. */
int64_t gaspdb_wait_graph_from(const struct gaspdb_wait_graph *graph,
			       size_t place);
/* What each node causes of a value of nodes: its own, and the parts of other
   nodes that are due to it, in proportion of the waiting. member: of
   struct gaspdb_wait_node, its offset. For free(); NULL: a failure. */
double *gaspdb_wait_graph_flow(const struct gaspdb_wait_graph *graph,
			       size_t member);
/* The fraction of each node's waiting that is due to a place, directly or
   through other nodes. For free(); NULL: a failure. */
double *gaspdb_wait_graph_parts(const struct gaspdb_wait_graph *graph,
				size_t place);

#endif
