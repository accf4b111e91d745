/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wait graph: it is read from tables wait_total and delay, and waiting is
   propagated along it in steps until little is left. */
#include "analysis/findings/wait_graph.h"

#include <stdlib.h>
#include <string.h>

#include "common/lower_bound.h"
#include "common/sum.h"
#include "sql/passes/waits.h"

typedef struct gaspdb_wait_graph graph;
typedef struct gaspdb_wait_node node;
typedef struct gaspdb_wait_edge edge;
typedef struct gaspdb_wait_share share;

/* Waiting circulates forever between threads that wait for each other:
   propagation stops when less than this fraction is left, or after STEPS_MAX
   steps. */
#define RESIDUAL 1e-3
enum { STEPS_MAX = 200 };

/* --- reading -------------------------------------------------------------- */

/* The index of a kind's name, added if new. */
static int64_t kind_number(graph *g, sqlite3_stmt *stmt, int column)
{
	const char *name = (const char *)sqlite3_column_text(stmt, column);

	for (size_t i = 0; name && i < g->n_kinds; i++)
		if (!strcmp(g->kinds[i], name))
			return (int64_t)i;
	if (!name || !gaspdb_grow(g->run, &g->kinds, g->n_kinds, &g->kinds_room,
				  sizeof *g->kinds))
		return 0;
	g->kinds[g->n_kinds] =
		gaspdb_resized(g->run, NULL, strlen(name) + 1, 1);
	if (!g->kinds[g->n_kinds])
		return 0;
	strcpy(g->kinds[g->n_kinds], name);
	return (int64_t)g->n_kinds++;
}

/* The index of a node, added if new; SIZE_MAX: thread or source is NONE, or a
   failure. */
static size_t get_node(graph *g, int64_t kind, int64_t thread, int64_t source)
{
	int64_t *row;
	size_t number;

	if (thread == GASPDB_NONE || source == GASPDB_NONE)
		return SIZE_MAX;
	row = gaspdb_group(g->run, &g->nodes_by_key,
			   (int64_t[]){ kind, thread, source });
	if (!row || !gaspdb_grow(g->run, &g->nodes, g->n_nodes, &g->nodes_room,
				 sizeof *g->nodes))
		return SIZE_MAX;
	number = gaspdb_groups_number(&g->nodes_by_key, row);
	if (number == g->n_nodes)
		g->nodes[g->n_nodes++] =
			(node){ kind, thread, source, 0, 0, 0 };
	return number;
}

static void add_edge(node *n, const edge *e, sqlite3_stmt *stmt)
{
	n->ns += e->ns;
	n->error_ns += sqlite3_column_double(stmt, 6);
	n->unknown += sqlite3_column_double(stmt, 7);
}

static void read_edges(graph *g)
{
	sqlite3_stmt *stmt = gaspdb_prepare(g->run, gaspdb_sql_wait_edges);

	while (gaspdb_row(g->run, stmt) &&
	       gaspdb_grow(g->run, &g->edges, g->n_edges, &g->edges_room,
			   sizeof *g->edges)) {
		edge *e = &g->edges[g->n_edges++];

		*e = (edge){ .thread = sqlite3_column_int64(stmt, 0),
			     .source = sqlite3_column_int64(stmt, 1),
			     .ns = sqlite3_column_double(stmt, 5) };
		e->node = get_node(g, kind_number(g, stmt, 2),
				   gaspdb_column(stmt, 3),
				   gaspdb_column(stmt, 4));
		if (e->node != SIZE_MAX)
			add_edge(&g->nodes[e->node], e, stmt);
	}
	sqlite3_finalize(stmt);
}

/* The source that represents a source's place; NONE: none. */
static int64_t place_source(const graph *g, int64_t source)
{
	return source < 0 || source >= g->run->n_sources
		       ? GASPDB_NONE
		       : g->spots[source].place;
}

static size_t add_place(graph *g, int64_t function, int64_t from, int64_t to,
			int64_t ns)
{
	const int64_t *row = gaspdb_group(
		g->run, &g->places,
		(int64_t[]){ place_source(g, function), place_source(g, to) });
	size_t place;
	int64_t *sum;

	if (!row)
		return SIZE_MAX;
	place = gaspdb_groups_number(&g->places, row);
	sum = gaspdb_group(
		g->run, &g->froms,
		(int64_t[]){ (int64_t)place, place_source(g, from) });
	if (sum)
		gaspdb_add_to(sum, ns);
	return place;
}

size_t gaspdb_wait_graph_place(const graph *g, int64_t function, int64_t to)
{
	const int64_t *row = gaspdb_groups_find(
		&g->places,
		(int64_t[]){ place_source(g, function), place_source(g, to) });

	return row ? gaspdb_groups_number(&g->places, row) : SIZE_MAX;
}

int64_t gaspdb_wait_graph_from(const graph *g, size_t place)
{
	int64_t from = GASPDB_NONE;
	double most = 0, all = 0;

	for (size_t i = 0; i < g->froms.n; i++) {
		const int64_t *row = gaspdb_groups_row(&g->froms, i);

		if (row[0] != (int64_t)place)
			continue;
		all += (double)row[2];
		if ((double)row[2] > most) {
			most = (double)row[2];
			from = row[1];
		}
	}
	return 2 * most > all ? from : GASPDB_NONE;
}

/* Is the edge before those of a thread at a line, in their order? */
static bool before(const edge *e, int64_t thread, int64_t source)
{
	return e->thread != thread ? e->thread < thread : e->source < source;
}

/* Find the edges of a thread at a line. */
static void find_edges(const graph *g, share *s, int64_t thread, int64_t source)
{
	GASPDB_LOWER_BOUND(s->first, g->n_edges, i,
			   before(&g->edges[i], thread, source));
	for (s->end = s->first; s->end < g->n_edges; s->end++) {
		const edge *e = &g->edges[s->end];

		if (e->thread != thread || e->source != source)
			break;
		s->edges_ns += e->ns;
	}
}

static void read_shares(graph *g)
{
	sqlite3_stmt *stmt = gaspdb_prepare(g->run, gaspdb_sql_wait_shares);

	while (gaspdb_row(g->run, stmt) &&
	       gaspdb_grow(g->run, &g->shares, g->n_shares, &g->shares_room,
			   sizeof *g->shares)) {
		const int64_t thread = sqlite3_column_int64(stmt, 1);
		const int64_t from = gaspdb_column(stmt, 4);
		share *s = &g->shares[g->n_shares];

		*s = (share){ .place = SIZE_MAX,
			      .ns = sqlite3_column_double(stmt, 6) };
		s->node = get_node(g, kind_number(g, stmt, 0), thread,
				   sqlite3_column_int64(stmt, 2));
		if (sqlite3_column_int(stmt, 7))
			find_edges(g, s, thread, from);
		else
			s->place = add_place(g, gaspdb_column(stmt, 3), from,
					     gaspdb_column(stmt, 5),
					     sqlite3_column_int64(stmt, 6));
		g->n_shares += s->node != SIZE_MAX;
	}
	sqlite3_finalize(stmt);
}

void gaspdb_wait_graph_open(graph *g, struct gaspdb_run *run)
{
	*g = (graph){ .run = run };
	gaspdb_groups_init(&g->nodes_by_key, 3, 1);
	gaspdb_groups_init(&g->places, 2, 1);
	gaspdb_groups_init(&g->froms, 2, 1);
	g->spots = gaspdb_spots_read(run);
	if (!g->spots)
		return;
	read_edges(g);
	read_shares(g);
}

void gaspdb_wait_graph_close(graph *g)
{
	for (size_t i = 0; i < g->n_kinds; i++)
		free(g->kinds[i]);
	free(g->kinds);
	free(g->spots);
	free(g->nodes);
	free(g->edges);
	free(g->shares);
	gaspdb_groups_fini(&g->nodes_by_key);
	gaspdb_groups_fini(&g->places);
	gaspdb_groups_fini(&g->froms);
}

/* --- propagation ---------------------------------------------------------- */

/* The fraction that a share is of its node's waiting. */
static double fraction(const graph *g, const share *s)
{
	const double ns = g->nodes[s->node].ns;

	return ns > 0 ? s->ns / ns : 0;
}

static double sum(const double *values, size_t n)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += values[i];
	return all;
}

/* One step to the causes: each node's value moves to the nodes that its late
   thread waited for. */
static void step_to_causes(const graph *g, const double *at, double *next)
{
	memset(next, 0, g->n_nodes * sizeof *next);
	for (size_t i = 0; i < g->n_shares; i++) {
		const share *s = &g->shares[i];
		const double ns = at[s->node] * fraction(g, s);

		if (s->place != SIZE_MAX || s->edges_ns <= 0)
			continue;
		for (size_t j = s->first; j < s->end; j++)
			if (g->edges[j].node != SIZE_MAX)
				next[g->edges[j].node] +=
					ns * g->edges[j].ns / s->edges_ns;
	}
}

/* One step to the effects: each node gets the values of the nodes that its late
   thread waited for. */
static void step_to_effects(const graph *g, const double *at, double *next)
{
	memset(next, 0, g->n_nodes * sizeof *next);
	for (size_t i = 0; i < g->n_shares; i++) {
		const share *s = &g->shares[i];
		double of = 0;

		if (s->place != SIZE_MAX || s->edges_ns <= 0)
			continue;
		for (size_t j = s->first; j < s->end; j++)
			if (g->edges[j].node != SIZE_MAX)
				of += at[g->edges[j].node] * g->edges[j].ns;
		next[s->node] += fraction(g, s) * of / s->edges_ns;
	}
}

typedef void (*step_fn)(const graph *g, const double *at, double *next);

/* Propagate the first n_nodes values, and add the values of all steps to them.
   The array has room for three times as many values. */
static void propagate(const graph *g, double *all, step_fn step)
{
	double *at = all + g->n_nodes, *next = at + g->n_nodes;
	const double residual = RESIDUAL * sum(all, g->n_nodes);
	double left = residual;

	memcpy(at, all, g->n_nodes * sizeof *at);
	for (int i = 0; i < STEPS_MAX && left >= residual && left > 0; i++) {
		double *swap = at;

		step(g, at, next);
		for (size_t n = 0; n < g->n_nodes; n++)
			all[n] += next[n];
		left = sum(next, g->n_nodes);
		at = next;
		next = swap;
	}
}

double *gaspdb_wait_graph_flow(const graph *g, size_t member)
{
	double *all = gaspdb_zeroed(g->run, 3 * g->n_nodes + 1, sizeof *all);

	for (size_t i = 0; all && i < g->n_nodes; i++)
		memcpy(&all[i], (const char *)&g->nodes[i] + member,
		       sizeof all[i]);
	if (all)
		propagate(g, all, step_to_causes);
	return all;
}

double *gaspdb_wait_graph_parts(const graph *g, size_t place)
{
	double *all = gaspdb_zeroed(g->run, 3 * g->n_nodes + 1, sizeof *all);

	for (size_t i = 0; all && i < g->n_shares; i++)
		if (g->shares[i].place == place)
			all[g->shares[i].node] += fraction(g, &g->shares[i]);
	if (all)
		propagate(g, all, step_to_effects);
	return all;
}
