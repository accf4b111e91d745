/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The offsets within their bounds. With readings: the mean of the least and the
 * greatest. Without: a host's wall clock, moved as a whole by no more than
 * needed, for its own error is mostly less than what messages leave open. If
 * it has to be moved by d, and has bounds on both sides, it goes on to their
 * middle, by d at most: so it is never further from the truth than it was.
 * Hosts without readings are fixed one by one; each leaves the others room.
 */
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/memory.h"
#include "importer/hosts/graph.h"

/* The bounds that remain, as hosts are fixed. */
struct choice {
	struct gaspdb_clock_system *s;
	struct gaspdb_clock_graph *g;
	int64_t *most, *least;	       /* of each node: as in the graph */
	int64_t *most_was, *least_was; /* before the last host */
	int64_t *wall;		       /* x by the wall clock */
};

static int64_t between(int64_t x, int64_t least, int64_t most)
{
	return x < least ? least : x > most ? most : x;
}

static int64_t middle_of(const struct choice *c, size_t i)
{
	return (c->most[i] - c->least[i]) >> 1;
}

/* --- fixing --------------------------------------------------------------- */

static void fix(struct choice *c, uint32_t host)
{
	for (size_t i = c->g->first[host]; i < c->g->first[host + 1]; i++) {
		c->most[i] = c->g->x[i];
		c->least[i] = -c->g->x[i];
	}
	c->s->hosts[host].fixed = true;
}

/* Do the fixed hosts keep their offsets? */
static bool is_kept(const struct choice *c)
{
	for (size_t i = 0; i < c->g->n_nodes; i++)
		if (c->s->hosts[c->g->nodes[i].host].fixed &&
		    (c->most[i] < c->g->x[i] || c->least[i] < -c->g->x[i]))
			return false;
	return true;
}

/* Narrows the bounds of the others; false: they have no room, or interrupted.
 */
static bool spread(struct choice *c)
{
	bool any = true;

	for (unsigned n = 0; any && !gaspdb_interrupted; n++) {
		any = gaspdb_clock_sweep(c->g, c->most, false, n & 1);
		any |= gaspdb_clock_sweep(c->g, c->least, true, n & 1);
		if (any && !is_kept(c))
			return false;
	}
	return !any;
}

/* --- a wall clock --------------------------------------------------------- */

/* x by the wall clock; its slope is the nearest one that is allowed. */
static void find_wall(struct choice *c, uint32_t host)
{
	struct gaspdb_clock_host *h = &c->s->hosts[host];
	const size_t from = c->g->first[host], to = c->g->first[host + 1];
	const int64_t middle = h->first_ns + (h->last_ns - h->first_ns) / 2;

	h->tail = 0;
	if (h->slope - h->slope_error > h->drift)
		h->tail = h->slope - h->slope_error;
	if (h->slope + h->slope_error < -h->drift)
		h->tail = h->slope + h->slope_error;
	for (size_t i = from; i < to; i++) {
		const struct gaspdb_clock_node *n = &c->g->nodes[i];

		c->wall[i] = (int64_t)(h->tail * (double)(n->ns - middle)) +
			     n->ns - n->line_ns;
		if (i > from) {
			const int64_t change = n->drift_ns - n[-1].drift_ns;

			c->wall[i] =
				between(c->wall[i], c->wall[i - 1] - change,
					c->wall[i - 1] + change);
		}
	}
}

/* How far a host's wall clock may be moved as a whole. */
struct room {
	int64_t least, most;
};

static struct room room_of(const struct choice *c, uint32_t host)
{
	struct room r = { -GASPDB_CLOCK_FAR, GASPDB_CLOCK_FAR };

	for (size_t i = c->g->first[host]; i < c->g->first[host + 1]; i++) {
		const int64_t least = -c->least[i] - c->wall[i];
		const int64_t most = c->most[i] - c->wall[i];

		r.least = least > r.least ? least : r.least;
		r.most = most < r.most ? most : r.most;
	}
	return r;
}

/* By how much it is moved. */
static int64_t shift_in(const struct room *r)
{
	const int64_t needed = between(0, r->least, r->most);
	const int64_t middle = r->least + (r->most - r->least) / 2;
	const int64_t more = needed < 0 ? -needed : needed;

	if (r->least > r->most)
		return middle;
	if (!gaspdb_clock_bounded(r->most) || !gaspdb_clock_bounded(-r->least))
		return needed;
	return between(middle, needed - more, needed + more);
}

static void move(struct choice *c, uint32_t host)
{
	const struct room r = room_of(c, host);
	const int64_t by = shift_in(&r);
	int64_t *off = &c->s->hosts[host].wall_error_ns;

	*off = r.least > 0 ? r.least : 0;
	*off = -r.most > *off ? -r.most : *off;

	for (size_t i = c->g->first[host]; i < c->g->first[host + 1]; i++)
		c->g->x[i] = between(c->wall[i] + by, -c->least[i], c->most[i]);
}

/* Offsets that leave the others room, whatever they are. */
static void take_any(struct choice *c, uint32_t host)
{
	const size_t first = c->g->first[host];

	for (size_t i = first; i < c->g->first[host + 1]; i++) {
		const bool above = gaspdb_clock_bounded(c->most[i]);

		if (!gaspdb_clock_bounded(c->least[i]))
			c->g->x[i] = above ? c->most[i]
					   : c->wall[first] + c->most[i] -
						     c->most[first];
		else if (!above)
			c->g->x[i] = -c->least[i];
		else
			c->g->x[i] = middle_of(c, i);
	}
}

static void save(const struct choice *c, int64_t *most, int64_t *least)
{
	const size_t bytes = c->g->n_nodes * sizeof *most;

	memcpy(most, c->most, bytes);
	memcpy(least, c->least, bytes);
}

static void restore(struct choice *c)
{
	const size_t bytes = c->g->n_nodes * sizeof *c->most;

	memcpy(c->most, c->most_was, bytes);
	memcpy(c->least, c->least_was, bytes);
}

/* Fixes a host without readings; false: interrupted. */
static bool take_wall_clock(struct choice *c, uint32_t host)
{
	save(c, c->most_was, c->least_was);
	move(c, host);
	fix(c, host);
	if (spread(c))
		return true;
	if (gaspdb_interrupted)
		return false;
	restore(c);
	take_any(c, host);
	fix(c, host);
	return spread(c) || !gaspdb_interrupted;
}

/* --- all hosts ------------------------------------------------------------ */

static void take_means(struct choice *c)
{
	for (uint32_t h = 0; h < c->s->n_hosts; h++) {
		if (h && !c->s->hosts[h].read)
			continue;
		c->s->hosts[h].tail = c->s->hosts[h].slope;
		for (size_t i = c->g->first[h]; i < c->g->first[h + 1]; i++)
			c->g->x[i] = middle_of(c, i);
		fix(c, h);
	}
}

/* Takes all wall clocks as they are; false: they violate a constraint. */
static bool take_unmoved(struct choice *c)
{
	const struct gaspdb_clock_graph *g = c->g;

	for (size_t i = 0; i < g->n_nodes; i++)
		if (!c->s->hosts[g->nodes[i].host].fixed)
			g->x[i] = c->wall[i];
	for (size_t i = 0; i < g->n_arcs; i++) {
		const struct gaspdb_clock_arc *a = &g->arcs[i];

		if (g->x[a->to] > g->x[a->from] + a->weight)
			return false;
	}
	return true;
}

static bool take_wall_clocks(struct choice *c)
{
	if (take_unmoved(c))
		return true;
	if (!spread(c) && gaspdb_interrupted)
		return false;
	for (uint32_t h = 1; h < c->s->n_hosts; h++)
		if (!c->s->hosts[h].fixed && !take_wall_clock(c, h))
			return false;
	return true;
}

bool gaspdb_clock_choose(struct gaspdb_clock_system *s)
{
	const size_t n = s->graph->n_nodes + 1;
	int64_t *all = gaspdb_mem_alloc(5 * n * sizeof *all);
	struct choice c = { .s = s,
			    .g = s->graph,
			    .most = all,
			    .least = all + n,
			    .most_was = all + 2 * n,
			    .least_was = all + 3 * n,
			    .wall = all + 4 * n };
	bool done;

	memcpy(c.most, s->graph->most, (n - 1) * sizeof *all);
	memcpy(c.least, s->graph->least, (n - 1) * sizeof *all);
	for (uint32_t h = 0; h < s->n_hosts; h++) {
		s->hosts[h].fixed = false;
		s->hosts[h].wall_error_ns = 0;
	}
	take_means(&c);
	for (uint32_t h = 1; h < s->n_hosts; h++)
		if (!s->hosts[h].fixed)
			find_wall(&c, h);
	done = take_wall_clocks(&c);
	free(all);
	return done;
}
