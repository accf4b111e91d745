/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tree over the pieces, whose nodes know the latest and the earliest of the
 * last writes below.  What covers all that is below a node stands there, and
 * goes down only where something else covers a part of it.  Writes come nearly
 * in their order (clocks are not exact): one that is not the latest of all
 * below goes down, too, unless it is earlier than all.
 */
#include "analysis/signals/last_writes.h"

#include <stdlib.h>

/* In the order in which they are visited: the left child follows, the right one
   comes after all that is below that. */
struct gaspdb_last_writes_node {
	struct gaspdb_last_write last;
	struct gaspdb_write earliest;
	bool written;	     /* the children have not been told: of last, */
	int64_t returned_ns; /* and, after it, of a return */
};

typedef struct gaspdb_last_writes tree;
typedef struct gaspdb_last_writes_node node;

/* Of one moment, the later event is. */
static bool is_later(const struct gaspdb_write *a, const struct gaspdb_write *b)
{
	return a->event && (!b->event || a->at_ns > b->at_ns ||
			    (a->at_ns == b->at_ns && a->event > b->event));
}

struct gaspdb_last_write gaspdb_last_write_of(const struct gaspdb_last_write *a,
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

/* A node and the pieces below it. */
struct place {
	node *at;
	size_t low, high;
};

static struct place left_of(const struct place *p)
{
	return (struct place){ p->at + 1, p->low,
			       p->low + (p->high - p->low) / 2 };
}

static struct place right_of(const struct place *p)
{
	const size_t middle = p->low + (p->high - p->low) / 2;

	return (struct place){ p->at + 2 * (middle - p->low), middle, p->high };
}

static bool is_leaf(const struct place *p)
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

/* Only the first return counts, and no later one comes before. */
static void return_all(node *n, int64_t at_ns)
{
	if (n->last.returned_ns == GASPDB_NOT_RETURNED)
		n->last.returned_ns = at_ns;
	if (n->returned_ns == GASPDB_NOT_RETURNED)
		n->returned_ns = at_ns;
}

static void tell_children(const struct place *p)
{
	node *n = p->at, *left = left_of(p).at, *right = right_of(p).at;

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

static void ask_children(const struct place *p)
{
	const node *left = left_of(p).at, *right = right_of(p).at;

	p->at->last = gaspdb_last_write_of(&left->last, &right->last);
	p->at->earliest = is_later(&left->earliest, &right->earliest)
				  ? right->earliest
				  : left->earliest;
}

/* --- ranges --------------------------------------------------------------- */

static bool covers(size_t from, size_t until, const struct place *p)
{
	return from <= p->low && p->high <= until;
}

/* Some of [from, until) is below p, here and in what follows. */
static void add(const struct place p, size_t from, size_t until,
		const struct gaspdb_write *write)
{
	const struct place left = left_of(&p), right = right_of(&p);

	if (!is_later(write, &p.at->earliest))
		return;
	if (covers(from, until, &p) && is_later(write, &p.at->last.write)) {
		write_all(p.at, write);
		return;
	}
	if (is_leaf(&p))
		return;
	tell_children(&p);
	if (from < left.high)
		add(left, from, until, write);
	if (until > left.high)
		add(right, from, until, write);
	ask_children(&p);
}

static void look(const struct place p, size_t from, size_t until,
		 int64_t return_ns, struct gaspdb_last_write *last)
{
	const struct place left = left_of(&p), right = right_of(&p);
	const bool returns = return_ns != GASPDB_NOT_RETURNED;

	if (covers(from, until, &p)) {
		*last = gaspdb_last_write_of(last, &p.at->last);
		if (returns)
			return_all(p.at, return_ns);
		return;
	}
	tell_children(&p);
	if (from < left.high)
		look(left, from, until, return_ns, last);
	if (until > left.high)
		look(right, from, until, return_ns, last);
	if (returns)
		ask_children(&p);
}

static struct place all_of(const tree *t)
{
	return (struct place){ t->nodes, 0, t->n };
}

void gaspdb_last_writes_add(tree *t, size_t from, size_t until,
			    const struct gaspdb_write *write)
{
	if (from < until)
		add(all_of(t), from, until, write);
}

struct gaspdb_last_write gaspdb_last_writes_to(tree *t, size_t from,
					       size_t until, int64_t return_ns)
{
	struct gaspdb_last_write last = { .write.event = 0 };

	if (from < until)
		look(all_of(t), from, until, return_ns, &last);
	return last;
}

void gaspdb_last_writes_free(tree *t)
{
	free(t->nodes);
}
