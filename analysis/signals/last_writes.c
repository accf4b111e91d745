/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Segment tree with lazy propagation over the pieces. A node has the latest and
 * the earliest of the last writes below it. A write that covers a whole subtree
 * is stored in its root, and pushed down when a part of the subtree changes.
 * Writes are nearly in order, because clocks are not exact: a write older than
 * the latest of a subtree descends, unless it is older than all of them.
 */
#include "analysis/signals/last_writes.h"

#include <stdlib.h>

/* A node. Nodes are in preorder: the left child is next, the right one after
   the left subtree. */
struct gaspdb_last_writes_node {
	struct gaspdb_last_write last;
	struct gaspdb_write earliest;
	/* To be pushed down: `last`, and after it a return. */
	bool written;
	int64_t returned_ns;
};

typedef struct gaspdb_last_writes tree;
typedef struct gaspdb_last_writes_node node;

/* Is write a later than b? At equal times the higher event id is later. */
static bool is_later(const struct gaspdb_write *a, const struct gaspdb_write *b)
{
	return a->event && (!b->event || a->at_ns > b->at_ns ||
			    (a->at_ns == b->at_ns && a->event > b->event));
}

struct gaspdb_last_write
gaspdb_last_write_later(const struct gaspdb_last_write *a,
			const struct gaspdb_last_write *b)
{
	struct gaspdb_last_write last = *a;

	if (is_later(&b->write, &a->write))
		return *b;
	if (!is_later(&a->write, &b->write) &&
	    b->returned_ns > last.returned_ns)
		last.returned_ns = b->returned_ns;
	return last;
}

bool gaspdb_last_writes_begin(tree *t, size_t n)
{
	static const node nothing = {
		.last.returned_ns = GASPDB_NOT_RETURNED,
		.returned_ns = GASPDB_NOT_RETURNED,
	};

	if (n > t->room) {
		node *nodes = gaspdb_resized(t->run, t->nodes, 2 * n,
					     sizeof *t->nodes);

		if (!nodes)
			return false;
		t->nodes = nodes;
		t->room = n;
	}
	t->n = n;
	for (size_t i = 0; i + 1 < 2 * n; i++)
		t->nodes[i] = nothing;
	return true;
}

/* --- nodes ---------------------------------------------------------------- */

/* A node and its pieces [low, high). */
struct subtree {
	node *node;
	size_t low, high;
};

static struct subtree left_of(const struct subtree *p)
{
	return (struct subtree){ p->node + 1, p->low,
				 p->low + (p->high - p->low) / 2 };
}

static struct subtree right_of(const struct subtree *p)
{
	const size_t middle = p->low + (p->high - p->low) / 2;

	return (struct subtree){ p->node + 2 * (middle - p->low), middle,
				 p->high };
}

static bool is_leaf(const struct subtree *p)
{
	return p->high - p->low == 1;
}

static void write_all(node *n, const struct gaspdb_write *write)
{
	n->last = (struct gaspdb_last_write){ *write, GASPDB_NOT_RETURNED };
	n->earliest = *write;
	n->written = true;
	n->returned_ns = GASPDB_NOT_RETURNED;
}

/* Note a return in all pieces. Only the first one counts; returns are in order.
 */
static void return_all(node *n, int64_t at_ns)
{
	if (n->last.returned_ns == GASPDB_NOT_RETURNED)
		n->last.returned_ns = at_ns;
	if (n->returned_ns == GASPDB_NOT_RETURNED)
		n->returned_ns = at_ns;
}

static void push_down(const struct subtree *p)
{
	node *n = p->node, *left = left_of(p).node, *right = right_of(p).node;

	if (n->written) {
		write_all(left, &n->last.write);
		write_all(right, &n->last.write);
		n->written = false;
	}
	if (n->returned_ns != GASPDB_NOT_RETURNED) {
		return_all(left, n->returned_ns);
		return_all(right, n->returned_ns);
		n->returned_ns = GASPDB_NOT_RETURNED;
	}
}

static void pull_up(const struct subtree *p)
{
	const node *left = left_of(p).node, *right = right_of(p).node;

	p->node->last = gaspdb_last_write_later(&left->last, &right->last);
	p->node->earliest = is_later(&left->earliest, &right->earliest)
				    ? right->earliest
				    : left->earliest;
}

/* --- ranges --------------------------------------------------------------- */

static bool covers(size_t from, size_t until, const struct subtree *p)
{
	return from <= p->low && p->high <= until;
}

/* Add a write to the pieces of [from, until) in p, of which there are some. */
static void update(const struct subtree p, size_t from, size_t until,
		   const struct gaspdb_write *write)
{
	const struct subtree left = left_of(&p), right = right_of(&p);

	if (!is_later(write, &p.node->earliest))
		return;
	if (covers(from, until, &p) && is_later(write, &p.node->last.write)) {
		write_all(p.node, write);
		return;
	}
	if (is_leaf(&p))
		return;
	push_down(&p);
	if (from < left.high)
		update(left, from, until, write);
	if (until > left.high)
		update(right, from, until, write);
	pull_up(&p);
}

/* The latest write in the same pieces. */
static void query(const struct subtree p, size_t from, size_t until,
		  int64_t return_ns, struct gaspdb_last_write *last)
{
	const struct subtree left = left_of(&p), right = right_of(&p);
	const bool returns = return_ns != GASPDB_NOT_RETURNED;

	if (covers(from, until, &p)) {
		*last = gaspdb_last_write_later(last, &p.node->last);
		if (returns)
			return_all(p.node, return_ns);
		return;
	}
	push_down(&p);
	if (from < left.high)
		query(left, from, until, return_ns, last);
	if (until > left.high)
		query(right, from, until, return_ns, last);
	if (returns)
		pull_up(&p);
}

static struct subtree whole_tree(const tree *t)
{
	return (struct subtree){ t->nodes, 0, t->n };
}

void gaspdb_last_writes_add(tree *t, size_t from, size_t until,
			    const struct gaspdb_write *write)
{
	if (from < until)
		update(whole_tree(t), from, until, write);
}

struct gaspdb_last_write
gaspdb_last_writes_query(tree *t, size_t from, size_t until, int64_t return_ns)
{
	struct gaspdb_last_write last = { .write.event = 0 };

	if (from < until)
		query(whole_tree(t), from, until, return_ns, &last);
	return last;
}

void gaspdb_last_writes_free(tree *t)
{
	free(t->nodes);
}
