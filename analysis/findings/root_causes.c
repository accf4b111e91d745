/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Root causes: waiting is attributed, along the graph of waits, to the
 * computation where it began.  That is compared with the computation of other
 * threads at the same place.
 */
#include "analysis/findings/root_causes.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "analysis/findings/wait_graph.h"
#include "common/sum.h"
#include "sql/columns.h"
#include "sql/passes/findings.h"

/* Causes that are written, the largest first; those with rows in
   root_cause_wait. */
enum { CAUSES_MAX = 64, WITH_WAITS_MAX = 16 };

/* Computation at a place that others waited for.  Times in ns. */
struct cause {
	size_t place;
	double all, direct;
	double error, unknown; /* of all; parts of unknown errors */
	int64_t threads;
	int64_t thread;	  /* with the largest part */
	double of_thread; /* that part */
};

struct root_causes {
	struct gaspdb_run *run;
	struct gaspdb_wait_graph graph;
	double *flow;			/* by node */
	double *errors, *unknown;	/* likewise */
	struct gaspdb_groups by_thread; /* place, thread: ns */
	struct gaspdb_groups computed;	/* place, thread: ns of computation */
	struct cause *causes;
	size_t n, room;
};

/* --- waiting by place and thread ------------------------------------------ */

static int64_t rounded(double ns)
{
	return ns < 0x1p62 ? llround(ns) : INT64_MAX;
}

static void add_up_threads(struct root_causes *r)
{
	const struct gaspdb_wait_graph *g = &r->graph;

	for (size_t i = 0; i < g->n_shares; i++) {
		const struct gaspdb_wait_share *s = &g->shares[i];
		const struct gaspdb_wait_node *node = &g->nodes[s->node];
		int64_t *sums;

		if (s->place == SIZE_MAX || node->ns <= 0)
			continue;
		sums = gaspdb_group(
			r->run, &r->by_thread,
			(int64_t[]){ (int64_t)s->place, node->thread });
		if (!sums)
			return;
		gaspdb_add_to(&sums[0],
			      rounded(r->flow[s->node] * s->ns / node->ns));
		gaspdb_add_to(&sums[1], rounded(s->ns));
		gaspdb_add_to(&sums[2],
			      rounded(r->errors[s->node] * s->ns / node->ns));
		sums[3] |= r->unknown[s->node] > 0;
	}
}

/* Sums by_thread, in order of places and threads, to causes. */
static void add_up_places(struct root_causes *r)
{
	gaspdb_groups_sort(&r->by_thread);
	for (size_t i = 0; i < r->by_thread.n; i++) {
		const int64_t *row = gaspdb_groups_row(&r->by_thread, i);
		const bool same =
			r->n && r->causes[r->n - 1].place == (size_t)row[0];
		struct cause *c;

		if (!same && !gaspdb_grow(r->run, &r->causes, r->n, &r->room,
					  sizeof *r->causes))
			return;
		if (!same)
			r->causes[r->n++] =
				(struct cause){ .place = (size_t)row[0] };
		c = &r->causes[r->n - 1];
		c->all += (double)row[2];
		c->direct += (double)row[3];
		c->error += (double)row[4];
		c->unknown += (double)row[5];
		c->threads++;
		if (c->threads == 1 || (double)row[2] > c->of_thread) {
			c->thread = row[1];
			c->of_thread = (double)row[2];
		}
	}
}

static int by_size(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->all != y->all)
		return x->all > y->all ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* The largest direct waiting of one thread for the cause's thread, in ns. */
static int64_t find_longest(struct root_causes *r, const struct cause *c)
{
	const struct gaspdb_wait_graph *g = &r->graph;
	double *parts = gaspdb_zeroed(r->run, g->n_nodes, sizeof *parts);
	double longest = 0, ns = 0;

	for (size_t i = 0; parts && i < g->n_shares; i++) {
		const struct gaspdb_wait_share *s = &g->shares[i];
		const struct gaspdb_wait_node *node = &g->nodes[s->node];

		if (s->place == c->place && node->thread == c->thread)
			parts[s->node] += s->ns / node->ns;
	}
	for (size_t i = 0; parts && i < g->n_edges; i++) {
		const struct gaspdb_wait_edge *e = &g->edges[i];

		if (i == 0 || e->thread != e[-1].thread)
			ns = 0;
		if (e->node != SIZE_MAX)
			ns += e->ns * parts[e->node];
		longest = ns > longest ? ns : longest;
	}
	free(parts);
	return rounded(longest);
}

/* --- computation of other threads there ----------------------------------- */

static void read_computation(struct root_causes *r)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(r->run, gaspdb_sql_computation_of_threads);

	while (gaspdb_row(r->run, stmt)) {
		const size_t place = gaspdb_wait_graph_place(
			&r->graph, gaspdb_column(stmt, 1),
			gaspdb_column(stmt, 2));
		int64_t *ns;

		if (place == SIZE_MAX)
			continue;
		ns = gaspdb_group(r->run, &r->computed,
				  (int64_t[]){ (int64_t)place,
					       sqlite3_column_int64(stmt, 0) });
		if (ns)
			gaspdb_add_to(ns, sqlite3_column_int64(stmt, 3));
	}
	sqlite3_finalize(stmt);
}

/* Computation of a thread in ns, and its excess above the mean of the threads
   with the same number in their processes. */
struct balance {
	int64_t computed, excess;
};

/* These threads; there: those that compute at the place.  Times in ns. */
struct compared {
	int64_t n, there;
	int64_t computed, of_all;   /* of all: at the place, everywhere */
	int64_t own, all_of_thread; /* likewise, of the cause's thread */
};

static struct compared compare(struct root_causes *r, sqlite3_stmt *threads,
			       const struct cause *c)
{
	struct compared x = { 0 };

	gaspdb_bind(r->run, threads, 1, (int64_t[]){ c->thread });
	while (gaspdb_row(r->run, threads)) {
		const int64_t thread = sqlite3_column_int64(threads, 0);
		const int64_t all_ns = sqlite3_column_int64(threads, 1);
		const int64_t *wall_ns = gaspdb_groups_find(
			&r->computed, (int64_t[]){ (int64_t)c->place, thread });
		const int64_t ns =
			wall_ns ? rounded((double)*wall_ns *
					  sqlite3_column_double(threads, 2))
				: 0;

		x.n++;
		x.there += wall_ns != NULL;
		gaspdb_add_to(&x.computed, ns);
		gaspdb_add_to(&x.of_all, all_ns);
		if (thread == c->thread) {
			x.own = ns;
			x.all_of_thread = all_ns;
		}
	}
	return x;
}

/* If several threads, and at least half, compute at the place, the mean is
   theirs.  Else the thread may only do in another order what all do. */
static struct balance find_balance(struct root_causes *r, sqlite3_stmt *threads,
				   const struct cause *c)
{
	const struct compared x = compare(r, threads, c);
	struct balance b = { .computed = x.own };

	if (!x.n)
		return b;
	if (x.there > 1 && 2 * x.there >= x.n)
		b.excess = x.own - x.computed / x.there;
	else
		b.excess = gaspdb_min(x.own - x.computed / x.n,
				      x.all_of_thread - x.of_all / x.n);
	b.excess = gaspdb_max(b.excess, 0);
	return b;
}

/* --- rows ----------------------------------------------------------------- */

static double *read_path(struct root_causes *r)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(r->run, gaspdb_sql_computation_on_path);
	double *path =
		gaspdb_zeroed(r->run, r->graph.places.n + 1, sizeof *path);

	while (path && gaspdb_row(r->run, stmt)) {
		const size_t place = gaspdb_wait_graph_place(
			&r->graph, gaspdb_column(stmt, 0),
			gaspdb_column(stmt, 1));

		if (place != SIZE_MAX)
			path[place] += sqlite3_column_double(stmt, 2);
	}
	sqlite3_finalize(stmt);
	return path;
}

static void write_cause(struct root_causes *r, sqlite3_stmt *insert,
			sqlite3_stmt *threads, size_t number, int64_t path_ns)
{
	const struct cause *c = &r->causes[number];
	const int64_t *place = gaspdb_groups_row(&r->graph.places, c->place);
	const struct balance b = find_balance(r, threads, c);

	gaspdb_write(
		r->run, insert, GASPDB_N_COLUMNS_root_cause,
		(int64_t[]){ (int64_t)number + 1, place[0],
			     gaspdb_wait_graph_from(&r->graph, c->place),
			     place[1], rounded(c->all), rounded(c->direct),
			     c->threads, c->thread, rounded(c->of_thread),
			     find_longest(r, c), b.computed, b.excess, path_ns,
			     c->unknown > 0 ? GASPDB_NONE : rounded(c->error) },
		NULL);
}

static void write_causes(struct root_causes *r)
{
	sqlite3_stmt *threads =
		gaspdb_prepare(r->run, gaspdb_sql_comparable_threads);
	sqlite3_stmt *insert =
		gaspdb_prepare(r->run, GASPDB_INSERT_INTO_root_cause);
	double *path = read_path(r);

	for (size_t i = 0; path && i < r->n; i++)
		write_cause(r, insert, threads, i,
			    rounded(path[r->causes[i].place]));
	free(path);
	sqlite3_finalize(insert);
	sqlite3_finalize(threads);
}

/* The waiting that a cause leads to, by kind and line waited for. */
static void write_waits_of(struct root_causes *r, sqlite3_stmt *insert,
			   size_t number)
{
	const struct gaspdb_wait_graph *g = &r->graph;
	double *parts = gaspdb_wait_graph_parts(g, r->causes[number].place);
	struct gaspdb_groups sums;

	gaspdb_groups_init(&sums, 2, 1);
	for (size_t i = 0; parts && i < g->n_nodes; i++) {
		const struct gaspdb_wait_node *node = &g->nodes[i];
		int64_t *ns = gaspdb_group(
			r->run, &sums,
			(int64_t[]){ node->kind, g->spots[node->source].spot });

		if (ns)
			gaspdb_add_to(ns, rounded(parts[i] * node->ns));
	}
	gaspdb_groups_sort(&sums);
	for (size_t i = 0; i < sums.n; i++) {
		const int64_t *row = gaspdb_groups_row(&sums, i);

		if (row[2] > 0)
			gaspdb_write(r->run, insert, 3,
				     (int64_t[]){ (int64_t)number + 1, row[1],
						  row[2] },
				     g->kinds[row[0]]);
	}
	gaspdb_groups_fini(&sums);
	free(parts);
}

static void write_waits(struct root_causes *r)
{
	sqlite3_stmt *insert =
		gaspdb_prepare(r->run, gaspdb_sql_root_cause_wait_add);

	for (size_t i = 0; i < r->n && i < WITH_WAITS_MAX; i++)
		write_waits_of(r, insert, i);
	sqlite3_finalize(insert);
}

static void find_flows(struct root_causes *r)
{
	const size_t ns = offsetof(struct gaspdb_wait_node, ns);

	r->flow = gaspdb_wait_graph_flow(&r->graph, ns);
	r->errors =
		r->flow ? gaspdb_wait_graph_flow(
				  &r->graph,
				  offsetof(struct gaspdb_wait_node, error_ns))
			: NULL;
	r->unknown =
		r->errors ? gaspdb_wait_graph_flow(
				    &r->graph,
				    offsetof(struct gaspdb_wait_node, unknown))
			  : NULL;
}

enum gaspdb_status gaspdb_pass_root_causes(struct gaspdb_run *run)
{
	struct root_causes r = { .run = run };

	gaspdb_wait_graph_open(&r.graph, run);
	gaspdb_groups_init(&r.by_thread, 2, 4);
	gaspdb_groups_init(&r.computed, 2, 1);
	find_flows(&r);
	if (r.unknown && r.graph.n_nodes) {
		add_up_threads(&r);
		add_up_places(&r);
		if (r.n)
			qsort(r.causes, r.n, sizeof *r.causes, by_size);
		r.n = r.n < CAUSES_MAX ? r.n : CAUSES_MAX;
		read_computation(&r);
		write_causes(&r);
		write_waits(&r);
	}
	free(r.flow);
	free(r.errors);
	free(r.unknown);
	free(r.causes);
	gaspdb_groups_fini(&r.by_thread);
	gaspdb_groups_fini(&r.computed);
	gaspdb_wait_graph_close(&r.graph);
	return run->status;
}
