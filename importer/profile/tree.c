/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes as a tree. A parent is made before its children, so that its number is
 * lower: a node with another one would close a circle, and is an outermost one,
 * as is a node whose parent is not there.
 */
#include <stdlib.h>

#include "importer/profile/cells.h"

static int by_number(const void *a, const void *b)
{
	const struct gaspdb_node *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* The parent's index; GASPDB_ABSENT: an outermost node. */
static uint32_t parent_of(struct gaspdb_cells *c, const struct gaspdb_node *n,
			  struct gaspdb_defects *q,
			  const struct gaspdb_log_file *log)
{
	uint32_t up = GASPDB_ABSENT;

	if (!n->parent)
		return GASPDB_ABSENT;
	if (n->parent < n->number)
		up = gaspdb_map_get(&c->index, n->parent);
	if (up == GASPDB_ABSENT) {
		gaspdb_cells_bad(c, q, log, n->offset,
				 n->parent < n->number
					 ? "a node of a profile whose parent "
					   "is not there"
					 : "a node of a profile that is made "
					   "before its parent");
	}
	return up;
}

/* Cuts the time of a path's calls, which come one after another, to that of the
   thread. Its last moment may be a little older in a killed log. */
static void limit_time(struct gaspdb_cells *c, struct gaspdb_node *n,
		       struct gaspdb_defects *q,
		       const struct gaspdb_log_file *log)
{
	const uint64_t all = c->last > c->first ? c->last - c->first : 0;
	const uint64_t most = all + all / 1000 + 100000;

	if (!c->has_first || n->total <= most)
		return;
	n->total = most;
	n->most = n->most < most ? n->most : most;
	n->least = n->least < most ? n->least : most;
	n->carried_ticks = n->carried_ticks < most ? n->carried_ticks : most;
	gaspdb_cells_bad(c, q, log, n->offset,
			 "a node of a profile with more time than its thread");
}

void gaspdb_cells_link(struct gaspdb_cells *c, struct gaspdb_defects *q,
		       const struct gaspdb_log_file *log)
{
	if (c->n_nodes > 1)
		qsort(c->node, c->n_nodes, sizeof *c->node, by_number);
	for (size_t i = 0; i < c->n_nodes; i++) {
		c->node[i].down = c->node[i].next = GASPDB_ABSENT;
		gaspdb_map_put(&c->index, c->node[i].number, (uint32_t)i);
	}
	c->top = GASPDB_ABSENT;
	/* From the last one: each becomes the first of its siblings. */
	for (size_t i = c->n_nodes; i-- > 0;) {
		struct gaspdb_node *n = &c->node[i];
		uint32_t *first = &c->top;

		n->up = parent_of(c, n, q, log);
		limit_time(c, n, q, log);
		if (n->up != GASPDB_ABSENT)
			first = &c->node[n->up].down;
		n->next = *first;
		*first = (uint32_t)i;
	}
}
