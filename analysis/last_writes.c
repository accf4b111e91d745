/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree over the words: a write stands where it covers all that is below, and
   a word's is the latest of those above it. */
#include "analysis/last_writes.h"

#include <stdlib.h>
#include <string.h>

bool gaspdb_last_writes_begin(struct gaspdb_last_writes *w, size_t n)
{
	if (n > w->room) {
		struct gaspdb_write *nodes = gaspdb_resized(
			w->run, w->nodes, 2 * n, sizeof *w->nodes);

		if (!nodes)
			return false;
		w->nodes = nodes;
		w->room = n;
	}
	w->n = n;
	if (n)
		memset(w->nodes, 0, 2 * n * sizeof *w->nodes);
	return true;
}

/* Of one moment, the later event is. */
static bool is_later(const struct gaspdb_write *a, const struct gaspdb_write *b)
{
	return a->event && (!b->event || a->at_ns > b->at_ns ||
			    (a->at_ns == b->at_ns && a->event > b->event));
}

static void note(struct gaspdb_write *node, const struct gaspdb_write *write)
{
	if (is_later(write, node))
		*node = *write;
}

void gaspdb_last_writes_add(struct gaspdb_last_writes *w, size_t from,
			    size_t until, const struct gaspdb_write *write)
{
	for (from += w->n, until += w->n; from < until; from /= 2, until /= 2) {
		if (from % 2)
			note(&w->nodes[from++], write);
		if (until % 2)
			note(&w->nodes[--until], write);
	}
}

struct gaspdb_write gaspdb_last_writes_to(const struct gaspdb_last_writes *w,
					  size_t word)
{
	struct gaspdb_write last = { .event = 0 };

	for (size_t i = w->n + word; i; i /= 2)
		if (is_later(&w->nodes[i], &last))
			last = w->nodes[i];
	return last;
}

void gaspdb_last_writes_free(struct gaspdb_last_writes *w)
{
	free(w->nodes);
}
