/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Communication phases: calls of one function that communicate one after the
 * other, in a loop that returns to them, with almost no computation between:
 * less than one part in PHASE_SHARE of the computation of all threads.  The
 * order of calls comes from the computation in path_line.
 */
#include "analysis/findings/communication_phases.h"

#include <stdlib.h>

#include "sql/columns.h"
#include "sql/passes/findings.h"

enum { PHASE_SHARE = 100 }; /* one part in that number */

/* Two calls in sequence, and the computation between. */
struct follows {
	int64_t from, to, ns;
};

/* A call, by source. */
struct node {
	int64_t function; /* number of its file and function; NONE: in no
			     phase */
	int64_t phase;	  /* a source of it, in the end the first */
	int64_t calls;	  /* of the phase that begins with this call */
	size_t first;	  /* in follows: the first pair from here */
	/* Tarjan's: */
	int64_t order, low; /* 0: not visited */
	size_t next;	    /* the next pair to visit */
	int64_t loop;	    /* number of its strongly connected component;
			       0: not known yet */
};

struct phases {
	struct gaspdb_run *run;
	struct node *nodes;	 /* by source; one more at the end */
	struct follows *follows; /* by from */
	size_t n_follows, room;
	int64_t all_ns; /* computation of all threads */
};

static bool communicates(enum gaspdb_type type)
{
	return type >= GASPDB_TYPE_get && type <= GASPDB_TYPE_request &&
	       type != GASPDB_TYPE_nb_data;
}

static void read_functions(struct phases *p)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(p->run, gaspdb_sql_numbered_functions);

	while (gaspdb_row(p->run, stmt)) {
		const int64_t source = sqlite3_column_int64(stmt, 0);
		const struct gaspdb_run_source *s =
			gaspdb_run_source(p->run, source);

		if (s && communicates(s->type))
			p->nodes[source].function =
				sqlite3_column_int64(stmt, 1);
	}
	sqlite3_finalize(stmt);
}

static void read_follows(struct phases *p)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(p->run, gaspdb_sql_calls_in_sequence);

	while (gaspdb_row(p->run, stmt) &&
	       gaspdb_grow(p->run, &p->follows, p->n_follows, &p->room,
			   sizeof *p->follows)) {
		p->follows[p->n_follows++] =
			(struct follows){ sqlite3_column_int64(stmt, 0),
					  sqlite3_column_int64(stmt, 1),
					  sqlite3_column_int64(stmt, 2) };
		p->all_ns = sqlite3_column_int64(stmt, 3);
	}
	sqlite3_finalize(stmt);
}

static bool open_nodes(struct phases *p)
{
	const int64_t n = p->run->n_sources;
	size_t next = 0;

	p->nodes = gaspdb_zeroed(p->run, (size_t)n + 1, sizeof *p->nodes);
	if (!p->nodes)
		return false;
	read_follows(p);
	for (int64_t i = 0; i <= n; i++) {
		p->nodes[i].function = GASPDB_NONE;
		p->nodes[i].phase = i;
		p->nodes[i].first = p->nodes[i].next = next;
		while (next < p->n_follows && p->follows[next].from == i)
			next++;
	}
	read_functions(p);
	return p->run->status == GASPDB_OK;
}

/* --- loops: Tarjan's strongly connected components, without recursion ----- */

struct visit {
	struct phases *p;
	int64_t *calls, *open; /* stacks of sources */
	size_t n_calls, n_open;
	int64_t order, loops;
};

static void enter(struct visit *v, int64_t source)
{
	struct node *node = &v->p->nodes[source];

	node->order = node->low = ++v->order;
	v->calls[v->n_calls++] = source;
	v->open[v->n_open++] = source;
}

/* The members of its component are on top of the stack. */
static void leave(struct visit *v)
{
	const int64_t source = v->calls[--v->n_calls];
	struct node *node = &v->p->nodes[source];
	int64_t top;

	if (v->n_calls) {
		struct node *before = &v->p->nodes[v->calls[v->n_calls - 1]];

		if (node->low < before->low)
			before->low = node->low;
	}
	if (node->low != node->order)
		return;
	v->loops++;
	do {
		top = v->open[--v->n_open];
		v->p->nodes[top].loop = v->loops;
	} while (top != source);
}

static void visit_from(struct visit *v, int64_t source)
{
	enter(v, source);
	while (v->n_calls) {
		struct node *node = &v->p->nodes[v->calls[v->n_calls - 1]];
		const struct node *end =
			&v->p->nodes[v->calls[v->n_calls - 1] + 1];
		struct node *to;

		if (node->next == end->first) {
			leave(v);
			continue;
		}
		to = &v->p->nodes[v->p->follows[node->next++].to];
		if (!to->order)
			enter(v, to - v->p->nodes);
		else if (!to->loop && to->order < node->low)
			node->low = to->order;
	}
}

static void find_loops(struct phases *p)
{
	const size_t n = (size_t)p->run->n_sources;
	struct visit v = { .p = p };

	v.calls = gaspdb_resized(p->run, NULL, n + 1, sizeof *v.calls);
	v.open = gaspdb_resized(p->run, NULL, n + 1, sizeof *v.open);
	for (size_t i = 0; v.calls && v.open && i < n; i++)
		if (!p->nodes[i].order)
			visit_from(&v, (int64_t)i);
	free(v.calls);
	free(v.open);
}

/* --- phases --------------------------------------------------------------- */

static int64_t find_phase(struct phases *p, int64_t source)
{
	while (p->nodes[source].phase != source)
		source = p->nodes[source].phase =
			p->nodes[p->nodes[source].phase].phase;
	return source;
}

/* Joins two phases; the one with the lower source remains. */
static void join(struct phases *p, const struct follows *f)
{
	const struct node *a = &p->nodes[f->from], *b = &p->nodes[f->to];
	int64_t x, y;

	if (a->function == GASPDB_NONE || a->function != b->function ||
	    a->loop != b->loop || f->ns > p->all_ns / PHASE_SHARE)
		return;
	x = find_phase(p, f->from);
	y = find_phase(p, f->to);
	p->nodes[x > y ? x : y].phase = x > y ? y : x;
}

/* Writes the phases of several calls. */
static void write_phases(struct phases *p)
{
	sqlite3_stmt *insert =
		gaspdb_prepare(p->run, GASPDB_INSERT_INTO_communication_phase);
	const int64_t n = p->run->n_sources;

	for (int64_t i = 0; i < n; i++)
		p->nodes[find_phase(p, i)].calls++;
	for (int64_t i = 0; i < n; i++) {
		const int64_t phase = find_phase(p, i);

		if (p->nodes[phase].calls > 1)
			gaspdb_write(p->run, insert, 2, (int64_t[]){ i, phase },
				     NULL);
	}
	sqlite3_finalize(insert);
}

enum gaspdb_status gaspdb_pass_communication_phases(struct gaspdb_run *run)
{
	struct phases p = { .run = run };

	if (open_nodes(&p)) {
		find_loops(&p);
		for (size_t i = 0; i < p.n_follows; i++)
			join(&p, &p.follows[i]);
		write_phases(&p);
	}
	free(p.nodes);
	free(p.follows);
	return run->status;
}
