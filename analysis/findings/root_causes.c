/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting is followed along the graph of who waited because of what to the
 * computation where it began, and that is compared with what other threads
 * compute there.
 */
#include "analysis/findings/root_causes.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/waits/wait_graph.h"
#include "common/sum.h"

/* The largest so many, of each of which it is known what waiting it leads to.
 */
enum { CAUSES_MAX = 64, WITH_WAITS_MAX = 16 };

/* Computation at a place that others waited for; ns. */
struct cause {
	size_t place;
	double all, direct;
	int64_t threads;
	int64_t thread; /* most of it is due to */
	double of_thread;
};

struct root_causes {
	struct gaspdb_run *run;
	struct gaspdb_wait_graph graph;
	double *flow;			/* by node */
	struct gaspdb_groups by_thread; /* place, thread: ns */
	struct gaspdb_groups work;	/* place, thread: ns of computation */
	struct cause *causes;
	size_t n, room;
};

/* --- who is to blame ------------------------------------------------------ */

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
	}
}

/* by_thread is in order of places, then threads. */
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

/* What the one waited directly that waited most for the cause's thread. */
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

/* --- what others compute there -------------------------------------------- */

static void read_work(struct root_causes *r)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		r->run, "SELECT thread_id, function_source_id, to_source_id, "
			"time_ns FROM thread_computation");

	while (gaspdb_row(r->run, stmt)) {
		const size_t place = gaspdb_wait_graph_place(
			&r->graph, gaspdb_column(stmt, 1),
			gaspdb_column(stmt, 2));
		int64_t *ns;

		if (place == SIZE_MAX)
			continue;
		ns = gaspdb_group(r->run, &r->work,
				  (int64_t[]){ (int64_t)place,
					       sqlite3_column_int64(stmt, 0) });
		if (ns)
			gaspdb_add_to(ns, sqlite3_column_int64(stmt, 3));
	}
	sqlite3_finalize(stmt);
}

/* Computation of a thread, and what it is above the mean of those that are
   compared with it: the same thread of each process. */
struct balance {
	int64_t work, excess;
};

/* Of these threads: those that compute at the place, ns there, and in all. */
struct compared {
	int64_t n, there;
	int64_t work, of_all;	    /* of all of them */
	int64_t own, all_of_thread; /* of the cause's thread */
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
			&r->work, (int64_t[]){ (int64_t)c->place, thread });
		const int64_t ns =
			wall_ns ? rounded((double)*wall_ns *
					  sqlite3_column_double(threads, 2))
				: 0;

		x.n++;
		x.there += wall_ns != NULL;
		gaspdb_add_to(&x.work, ns);
		gaspdb_add_to(&x.of_all, all_ns);
		if (thread == c->thread) {
			x.own = ns;
			x.all_of_thread = all_ns;
		}
	}
	return x;
}

/* Where several, and half of them, compute there, these share the work; else
   the thread may only do in another order what all do. */
static struct balance find_balance(struct root_causes *r, sqlite3_stmt *threads,
				   const struct cause *c)
{
	const struct compared x = compare(r, threads, c);
	struct balance b = { .work = x.own };

	if (!x.n)
		return b;
	if (x.there > 1 && 2 * x.there >= x.n)
		b.excess = x.own - x.work / x.there;
	else
		b.excess = gaspdb_min(x.own - x.work / x.n,
				      x.all_of_thread - x.of_all / x.n);
	b.excess = gaspdb_max(b.excess, 0);
	return b;
}

/* What was computed without a processor is nobody's work. */
static sqlite3_stmt *prepare_threads(struct gaspdb_run *run)
{
	return gaspdb_prepare(
		run,
		"SELECT t.id, max(0, p.computation_ns - coalesce(c.time_ns, 0)),"
		" max(0.0, 1 - coalesce(1.0 * c.time_ns / "
		"  nullif(p.computation_ns, 0), 0)) "
		"FROM pop_thread p JOIN thread t ON t.id = p.thread_id "
		"LEFT JOIN category_time c ON c.thread_id = t.id "
		"  AND c.category = 'no processor' "
		"WHERE p.whole = 1 AND t.number = "
		"  (SELECT number FROM thread WHERE id = ?)");
}

/* --- rows ----------------------------------------------------------------- */

static double *read_path(struct root_causes *r)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		r->run, "SELECT function_source_id, to_source_id, "
			"time_ns FROM path_line "
			"WHERE what IN ('computation', 'function')");
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

static void write_causes(struct root_causes *r)
{
	sqlite3_stmt *threads = prepare_threads(r->run);
	sqlite3_stmt *insert = gaspdb_prepare(
		r->run, "INSERT INTO root_cause VALUES"
			"(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	double *path = read_path(r);

	for (size_t i = 0; path && i < r->n; i++) {
		const struct cause *c = &r->causes[i];
		const int64_t *place =
			gaspdb_groups_row(&r->graph.places, c->place);
		const struct balance b = find_balance(r, threads, c);

		gaspdb_write(r->run, insert, 13,
			     (int64_t[]){ (int64_t)i + 1, place[0],
					  gaspdb_wait_graph_from(&r->graph,
								 c->place),
					  place[1], rounded(c->all),
					  rounded(c->direct), c->threads,
					  c->thread, rounded(c->of_thread),
					  find_longest(r, c), b.work, b.excess,
					  rounded(path[c->place]) },
			     NULL);
	}
	free(path);
	sqlite3_finalize(insert);
	sqlite3_finalize(threads);
}

/* What waiting comes from a cause, by kind and what is waited for. */
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
	sqlite3_stmt *insert = gaspdb_prepare(
		r->run, "INSERT INTO root_cause_wait(root_cause_id, source_id, "
			"time_ns, kind) VALUES(?, ?, ?, ?)");

	for (size_t i = 0; i < r->n && i < WITH_WAITS_MAX; i++)
		write_waits_of(r, insert, i);
	sqlite3_finalize(insert);
}

enum gaspdb_status gaspdb_pass_root_causes(struct gaspdb_run *run)
{
	struct root_causes r = { .run = run };

	gaspdb_wait_graph_open(&r.graph, run);
	gaspdb_groups_init(&r.by_thread, 2, 2);
	gaspdb_groups_init(&r.work, 2, 1);
	r.flow = gaspdb_wait_graph_flow(&r.graph);
	if (r.flow && r.graph.n_nodes) {
		add_up_threads(&r);
		add_up_places(&r);
		if (r.n)
			qsort(r.causes, r.n, sizeof *r.causes, by_size);
		r.n = r.n < CAUSES_MAX ? r.n : CAUSES_MAX;
		read_work(&r);
		write_causes(&r);
		write_waits(&r);
	}
	free(r.flow);
	free(r.causes);
	gaspdb_groups_fini(&r.by_thread);
	gaspdb_groups_fini(&r.work);
	gaspdb_wait_graph_close(&r.graph);
	return run->status;
}
