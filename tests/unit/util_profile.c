/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model of a profile: see util_profile.h. */
#include "tests/unit/util_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/util_log_parts.h"

enum { HEAD = 80, CELL = 128, CELLS = 511, PER_CELL = 3 };

struct profile *profile_new(struct log *trace)
{
	struct profile *p = calloc(1, sizeof *p);

	assert_non_null(p);
	p->trace = trace;
	return p;
}

void profile_free(struct profile *p)
{
	free(p);
}

/* --- events --------------------------------------------------------------- */

static void note_event(struct profile *p, uint64_t t)
{
	if (!p->has_first)
		p->first = t;
	p->has_first = true;
	p->last = t;
	p->events++;
}

/* The node of a site below the event that began last. */
static unsigned node_of(struct profile *p, unsigned site)
{
	const uint32_t parent =
		p->n_open ? p->node[p->open[p->n_open - 1].node].number : 0;

	for (unsigned i = 0; i < p->n; i++)
		if (p->node[i].parent == parent && p->node[i].site == site)
			return i;
	assert_true(p->n < PROFILE_NODES);
	p->node[p->n] = (struct profile_node){ .number = p->n + 1,
					       .parent = parent,
					       .site = site,
					       .kind = 1 };
	return p->n++;
}

static void open_call(struct profile *p, uint64_t t, unsigned site,
		      bool carried)
{
	const unsigned node = node_of(p, site);

	assert_true(p->n_open < PROFILE_OPEN);
	p->open[p->n_open++] =
		(struct profile_open){ .node = node,
				       .site = site,
				       .start = t,
				       .overlay = p->is_overlay[site],
				       .carried = carried };
	p->node[node].open = t + 1; /* profile_payload() takes the 1 away */
}

void profile_begin_at(struct profile *p, uint64_t t)
{
	memset(p->node, 0, sizeof p->node);
	p->n = p->n_open = p->n_entries = 0;
	p->has_first = false;
	p->events = p->outermost = 0;
	p->is_cut = true;
	p->from = p->last = t;
}

void profile_carry(struct profile *p, unsigned site)
{
	open_call(p, p->from, site, true);
}

/* Of the open calls of the trace functions are known. */
static void cut(struct profile *p, uint64_t t)
{
	struct profile_open all[PROFILE_OPEN];
	const unsigned n = p->n_open;

	memcpy(all, p->open, n * sizeof *all);
	profile_begin_at(p, t);
	for (unsigned i = 0; i < n; i++)
		if (p->is_function[all[i].site])
			profile_carry(p, all[i].site);
		else if (all[i].overlay)
			p->in_overlay = true;
		else
			p->in_call = true;
}

/* Is the next event at t in the trace? */
static bool is_traced(struct profile *p, uint64_t t, bool end)
{
	const bool last =
		p->cut_after && !p->is_cut && p->events >= p->cut_after;
	const bool traced = p->trace && !p->is_cut && (!last || end);

	if (last && !end)
		cut(p, t);
	return traced;
}

void profile_start(struct profile *p, uint64_t t, unsigned site,
		   const int64_t *values, size_t n)
{
	if (is_traced(p, t, false))
		log_start(p->trace, t, site, values, n);
	note_event(p, t);
	open_call(p, t, site, false);
}

static void add_call(struct profile_node *n, uint64_t ticks)
{
	n->least = !n->count || ticks < n->least ? ticks : n->least;
	n->most = ticks > n->most ? ticks : n->most;
	n->count++;
	n->total += ticks;
	n->squares += (double)ticks * (double)ticks;
	n->open = 0;
}

static void add_carried(struct profile_node *n, uint64_t ticks)
{
	n->carried++;
	n->total += ticks;
	n->carried_ticks += ticks;
	n->open = 0;
}

/* The time that calls at that place of the stack have added to what they are
   in: a node's, or of all outermost ones. */
static uint64_t *child_of(struct profile *p, unsigned at)
{
	while (at > 0 && p->open[at - 1].overlay)
		at--;
	return at > 0 ? &p->node[p->open[at - 1].node].child : &p->outermost;
}

/* A call that the trace began, and that is no function: its node is made where
   it ends, and has the time that its level had. */
static void end_unknown(struct profile *p, uint64_t t, unsigned site)
{
	struct profile_node *n = &p->node[node_of(p, site)];
	uint64_t *level = child_of(p, p->n_open);

	add_carried(n, t - p->from);
	n->child += *level;
	if (!p->is_overlay[site])
		*level = t - p->from;
}

static void end_known(struct profile *p, uint64_t t, unsigned i)
{
	const struct profile_open call = p->open[i];

	(call.carried ? add_carried : add_call)(&p->node[call.node],
						t - call.start);
	if (!call.overlay)
		*child_of(p, i) += t - call.start;
	p->n_open--;
	memmove(&p->open[i], &p->open[i + 1],
		(p->n_open - i) * sizeof *p->open);
}

void profile_end(struct profile *p, uint64_t t, unsigned site,
		 const int64_t *values, size_t n)
{
	const bool traced = is_traced(p, t, true);
	unsigned i = p->n_open;

	note_event(p, t);
	while (i > 0 && p->open[i - 1].site != site)
		i--;
	assert_true(i > 0 || p->is_cut);
	if (i > 0)
		end_known(p, t, i - 1);
	else
		end_unknown(p, t, site);
	if (!traced)
		return;
	log_end(p->trace, t, site, values, n);
	if (p->cut_after && p->events > p->cut_after)
		cut(p, t);
}

void profile_atomic(struct profile *p, uint64_t t, unsigned site)
{
	if (is_traced(p, t, false))
		log_atomic(p->trace, t, site, NONE);
	note_event(p, t);
	p->node[node_of(p, site)].count++;
}

void profile_call(struct profile *p, uint64_t start, uint64_t end,
		  unsigned site)
{
	profile_start(p, start, site, NONE);
	profile_end(p, end, site, NONE);
}

static void add_traffic(struct profile *p, uint32_t node, unsigned way,
			uint32_t peer, uint64_t bytes, uint64_t ticks)
{
	const uint32_t size =
		bytes ? 64 - (uint32_t)__builtin_clzll(bytes) : 0;
	unsigned i = 0;

	while (i < p->n_entries &&
	       (p->entry[i].node != node || p->entry[i].peer != peer ||
		p->entry[i].size != size || p->entry[i].way != way))
		i++;
	assert_true(i < PROFILE_ENTRIES);
	if (i == p->n_entries)
		p->entry[p->n_entries++] = (struct profile_entry){
			.node = node, .peer = peer, .size = size, .way = way
		};
	p->entry[i].count++;
	p->entry[i].bytes += bytes;
	p->entry[i].ticks += ticks;
}

void profile_moved(struct profile *p, uint64_t now, unsigned way, uint32_t peer,
		   uint64_t bytes)
{
	const struct profile_open *call = &p->open[p->n_open - 1];
	struct profile_node *n = &p->node[call->node];

	assert_true(p->n_open > 0);
	n->bytes += bytes;
	add_traffic(p, n->number, way, peer, bytes, now - call->start);
}

void profile_moves(struct profile *p, uint64_t start, uint64_t end,
		   unsigned site, unsigned way, uint32_t peer, uint64_t bytes)
{
	profile_start(p, start, site, ARGS((int64_t)peer, (int64_t)bytes));
	profile_moved(p, end, way, peer, bytes);
	profile_end(p, end, site, NONE);
}

/* --- cells ---------------------------------------------------------------- */

static void put(unsigned char *to, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = (unsigned char)(v >> 8 * i);
}

static double rate(const struct log *l)
{
	return l->ticks_per_ns > 0 ? l->ticks_per_ns : 1;
}

/* The ticks of a length in ns. */
static uint64_t length(const struct log *l, uint64_t ns)
{
	return (uint64_t)((double)ns * rate(l));
}

/* Nodes come first. */
static void put_node(unsigned char *to, const struct log *l,
		     const struct profile_node *n)
{
	const double sum = n->squares * rate(l) * rate(l);
	uint64_t squares;

	memcpy(&squares, &sum, sizeof squares);
	put(to, n->sequence, 4);
	put(to + 4, n->kind, 4);
	put(to + 8, n->parent, 4);
	put(to + 12, n->site, 4);
	put(to + 16, n->count, 8);
	put(to + 24, length(l, n->total), 8);
	put(to + 32, length(l, n->child), 8);
	put(to + 40, length(l, n->least), 8);
	put(to + 48, length(l, n->most), 8);
	put(to + 56, squares, 8);
	put(to + 64, n->bytes, 8);
	put(to + 72, n->open ? log_ticks(l, n->open - 1) : 0, 8);
	put(to + 96, n->carried, 8);
	put(to + 104, length(l, n->carried_ticks), 8);
}

static void put_entry(unsigned char *cell, const struct log *l, unsigned i,
		      const struct profile_entry *e)
{
	unsigned char *to = cell + 8 + 40 * i;

	put(cell + 4, 2, 4);
	put(to, e->node, 4);
	put(to + 4, e->peer, 4);
	put(to + 8, e->size, 4);
	put(to + 12, e->way, 4);
	put(to + 16, e->count, 8);
	put(to + 24, e->bytes, 8);
	put(to + 32, length(l, e->ticks), 8);
}

static void put_cell(const struct profile *p, const struct log *l, unsigned i,
		     unsigned char *cell)
{
	if (i < p->n) {
		put_node(cell, l, &p->node[i]);
		return;
	}
	for (unsigned k = 0; k < PER_CELL; k++)
		if ((i - p->n) * PER_CELL + k < p->n_entries)
			put_entry(cell, l, k,
				  &p->entry[(i - p->n) * PER_CELL + k]);
}

static unsigned n_cells(const struct profile *p)
{
	return p->n + (p->n_entries + PER_CELL - 1) / PER_CELL;
}

static void put_head(const struct profile *p, const struct log *l,
		     unsigned index, unsigned used, unsigned char *to)
{
	put(to, index, 4);
	put(to + 4, used, 4);
	if (index)
		return;
	put(to + 8, log_ticks(l, p->last), 8);
	put(to + 16, log_ticks(l, p->first), 8);
	put(to + 24, p->events, 8);
	put(to + 32, p->lost, 8);
	put(to + 72, p->is_cut ? log_ticks(l, p->from) : 0, 8);
}

static unsigned char *payload_of(const struct profile *p, const struct log *l,
				 unsigned index, size_t *n)
{
	const unsigned first = index * CELLS, all = n_cells(p);
	const unsigned used = all - first < CELLS ? all - first : CELLS;
	unsigned char *to = calloc(1, HEAD + CELLS * CELL);

	assert_non_null(to);
	put_head(p, l, index, used, to);
	for (unsigned i = 0; i < used; i++)
		put_cell(p, l, first + i, to + HEAD + i * CELL);
	*n = HEAD + CELLS * CELL;
	return to;
}

unsigned char *profile_payload(const struct profile *p, const struct log *l,
			       size_t *n)
{
	return payload_of(p, l, 0, n);
}

void profile_write(const struct profile *p, struct log *l, bool sealed)
{
	for (unsigned index = 0; index * CELLS < n_cells(p) || !index;
	     index++) {
		size_t n;
		unsigned char *payload = payload_of(p, l, index, &n);

		log_cells(l, p->last, payload, n, sealed);
		free(payload);
	}
}
