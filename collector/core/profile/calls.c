/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events become sums.  Open calls are the open nodes from the innermost one up:
 * each was begun while the one above it was the innermost.  Pairs may cross;
 * then an end closes a node that others are below, and time goes to the open
 * ones alone.  User events take no time from what they are in.
 */
#include "collector/core/context.h"

/* --- time of the callers -------------------------------------------------- */

/*
 * Adds a call's time since start to its callers: to the first open one that is
 * no user event, and to the user events below that.  The part before a closed
 * caller's end is in that one's time.
 */
static inline void add_to_callers(const struct gaspdb_node *node,
				  uint64_t start, uint64_t ticks)
{
	for (node = node->parent; node; node = node->parent) {
		if (GASPDB_LIKELY(node->cell->open != 0)) {
			node->cell->child += ticks - start;
			if (!node->overlay)
				return;
		} else if (!node->overlay && node->ended > start) {
			start = node->ended;
		}
	}
}

void gaspdb_profile_away(struct gaspdb_profile *p, uint64_t ticks)
{
	const struct gaspdb_node within = { .parent = p->at };

	if (ticks < UINT64_MAX / 2)
		add_to_callers(&within, 0, ticks);
}

/* Of a node that ends with others open below it: adds the time of the outermost
   of these that is no user event. */
static GASPDB_COLD void add_crossing(const struct gaspdb_profile *p,
				     struct gaspdb_node *node, uint64_t ticks)
{
	const struct gaspdb_node *first = NULL;

	for (const struct gaspdb_node *n = p->at; n != node; n = n->parent)
		if (n->cell->open && !n->overlay)
			first = n;
	if (first && ticks > first->cell->open)
		node->cell->child += ticks - first->cell->open;
}

/* --- bytes and traffic ---------------------------------------------------- */

static inline void note_moves(struct gaspdb_node *node,
			      const struct gaspdb_op_state *op, unsigned phase,
			      unsigned n, const uint64_t *values)
{
	const struct gaspdb_plan *plan = &op->plan[phase];
	const uint8_t *at = op->moves.at[phase == GASPDB_PHASE_END];

	for (unsigned i = 0; i < GASPDB_N_MOVES; i++)
		if (at[i] && at[i] <= n) {
			node->move[i] = values[plan->step[at[i] - 1].from];
			node->have |= (uint8_t)(1u << i);
		}
}

static bool has(const struct gaspdb_node *node, enum gaspdb_move move)
{
	return node->have >> move & 1;
}

static uint64_t bytes_of(const struct gaspdb_node *node)
{
	uint64_t bytes;

	if (has(node, GASPDB_MOVE_BYTES))
		return node->move[GASPDB_MOVE_BYTES];
	if (!has(node, GASPDB_MOVE_BLOCKS) ||
	    !has(node, GASPDB_MOVE_BLOCK_BYTES) ||
	    __builtin_mul_overflow(node->move[GASPDB_MOVE_BLOCKS],
				   node->move[GASPDB_MOVE_BLOCK_BYTES], &bytes))
		return 0;
	return bytes;
}

static int64_t peer_of(const struct gaspdb_node *node, enum gaspdb_move move)
{
	return has(node, move) ? (int64_t)node->move[move] : -1;
}

/* Whether a call is within one of the runtime; user functions are not. */
static bool is_nested(const struct gaspdb_node *node)
{
	while ((node = node->parent))
		if (node->cell->open && !node->overlay)
			return node->op->runtime;
	return false;
}

/* Of a copy each peer has half of the time. */
static void count_traffic(struct gaspdb_context *c, struct gaspdb_node *node,
			  uint64_t ticks)
{
	const struct gaspdb_moves *m = &node->op->moves;
	const uint64_t bytes = bytes_of(node);

	if (is_nested(node))
		return;
	if (m->copies) {
		gaspdb_traffic_count(
			c, node->number, &node->entry[GASPDB_WAY_FROM],
			GASPDB_WAY_FROM, peer_of(node, GASPDB_MOVE_SOURCE),
			bytes, ticks - ticks / 2);
		ticks /= 2;
	}
	gaspdb_traffic_count(c, node->number, &node->entry[m->way],
			     (enum gaspdb_way)m->way,
			     peer_of(node, GASPDB_MOVE_PEER), bytes, ticks);
}

/* Adds what the call moved, as its arguments say. */
static void add_moves(struct gaspdb_context *c, struct gaspdb_node *node,
		      uint64_t ticks)
{
	node->cell->bytes += bytes_of(node);
	if (node->op->moves.traffic)
		count_traffic(c, node, ticks);
	node->have = 0;
}

/* --- a call's end --------------------------------------------------------- */

static inline void add_call(struct gaspdb_node_cell *cell, uint64_t passed)
{
	const double d = (double)(int64_t)passed;

	cell->count++;
	cell->total += passed;
	if (passed < cell->least)
		cell->least = passed;
	if (passed > cell->most)
		cell->most = passed;
	cell->squares += d * d;
}

/* The innermost open node from node up. */
static inline struct gaspdb_node *open_from(struct gaspdb_node *node)
{
	while (GASPDB_UNLIKELY(!node->cell->open))
		node = node->parent;
	return node;
}

static inline void leave(struct gaspdb_context *c, struct gaspdb_node *node,
			 uint64_t ticks)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_node_cell *cell = node->cell;
	const uint64_t start = cell->open;
	const uint64_t end = ticks > start ? ticks : start;
	uint32_t odd;

	odd = gaspdb_cell_begin(&cell->sequence);
	add_call(cell, end - start);
	if (GASPDB_UNLIKELY(c->failed_poll))
		cell->failed++;
	if (gaspdb_profiles_all())
		cell->written += gaspdb_is_traced(c) && !p->unwritten;
	if (GASPDB_UNLIKELY(node != p->at))
		add_crossing(p, node, end);
	add_to_callers(node, start, end);
	if (node->moves)
		add_moves(c, node, end - start);
	node->ended = end;
	cell->open = 0;
	gaspdb_cell_done(&cell->sequence, odd);
	if (GASPDB_LIKELY(node == p->at))
		p->at = open_from(node->parent);
}

/* --- calls without a node ------------------------------------------------- */

static GASPDB_COLD void enter_overflow(struct gaspdb_profile *p, uint64_t ticks)
{
	struct gaspdb_node_cell *cell = gaspdb_cell_of(p, GASPDB_CELL_KEPT);

	if (!cell->kind) {
		cell->least = UINT64_MAX;
		cell->kind = GASPDB_CELL_NODE;
		gaspdb_cell_publish(p, GASPDB_CELL_KEPT);
	}
	if (!p->over++)
		cell->open = ticks;
}

/* The outermost one has the time. */
static GASPDB_COLD void leave_overflow(struct gaspdb_profile *p, uint64_t ticks)
{
	struct gaspdb_node_cell *cell = gaspdb_cell_of(p, GASPDB_CELL_KEPT);
	const uint32_t odd = gaspdb_cell_begin(&cell->sequence);

	if (--p->over) {
		cell->count++;
	} else {
		add_call(cell, ticks > cell->open ? ticks - cell->open : 0);
		cell->open = 0;
	}
	gaspdb_cell_done(&cell->sequence, odd);
}

/* --- events --------------------------------------------------------------- */

/*
 * The child of the innermost open node at a site: mostly the site's last node,
 * or in a recursion its parent's last child; else it is looked up.
 */
static inline struct gaspdb_node *
child_at(struct gaspdb_context *c, struct gaspdb_site *site, uint64_t ticks)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_node *node = p->at->last;

	if (GASPDB_LIKELY(node->site == site->id))
		return node;
	node = gaspdb_is_profile_only() ? site->node : NULL;
	if (node && node->parent == p->at)
		return p->at->last = node;
	return gaspdb_node_child(c, site, ticks);
}

static inline void enter(struct gaspdb_context *c, struct gaspdb_site *site,
			 uint64_t ticks, unsigned n, const uint64_t *values)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_node *node = p->over ? NULL : child_at(c, site, ticks);

	if (GASPDB_UNLIKELY(!node)) {
		enter_overflow(p, ticks);
		return;
	}
	if (node->moves)
		note_moves(node, node->op, GASPDB_PHASE_START, n, values);
	node->cell->open = ticks;
	p->at = node;
}

/* The innermost open node of an operation; NULL: none. */
static GASPDB_COLD struct gaspdb_node *find(const struct gaspdb_profile *p,
					    const struct gaspdb_op_state *op)
{
	for (struct gaspdb_node *node = p->at; node; node = node->parent)
		if (node->cell->open && node->op == op)
			return node;
	return NULL;
}

static inline void end(struct gaspdb_context *c,
		       const struct gaspdb_op_state *op, uint64_t ticks,
		       unsigned n, const uint64_t *values)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_node *node = p->at;

	if (GASPDB_UNLIKELY(p->over)) {
		leave_overflow(p, ticks);
		return;
	}
	if (GASPDB_UNLIKELY(node->op != op) && !(node = find(p, op))) {
		p->head->lost++;
		return;
	}
	if (op->moves.any)
		note_moves(node, op, GASPDB_PHASE_END, n, values);
	leave(c, node, ticks);
}

static void atomic_event(struct gaspdb_context *c, struct gaspdb_site *site,
			 uint64_t ticks, unsigned n, const uint64_t *values)
{
	enter(c, site, ticks, n, values);
	end(c, site->op, ticks, 0, NULL);
}

/* The thread's last known moment. */
static inline void note_event(struct gaspdb_profile_head *head, uint64_t ticks)
{
	head->last = ticks;
	head->events++;
}

void gaspdb_profile_event(struct gaspdb_context *c, unsigned phase,
			  struct gaspdb_site *site, uint64_t ticks, unsigned n,
			  const uint64_t *values)
{
	note_event(c->profile->head, ticks);
	if (phase == GASPDB_PHASE_START)
		enter(c, site, ticks, n, values);
	else if (phase == GASPDB_PHASE_END)
		end(c, site->op, ticks, n, values);
	else
		atomic_event(c, site, ticks, n, values);
}

void gaspdb_profile_ended(struct gaspdb_context *c,
			  const struct gaspdb_op_state *op, uint64_t ticks,
			  unsigned n, const uint64_t *values)
{
	note_event(c->profile->head, ticks);
	end(c, op, ticks, n, values);
}

void gaspdb_profile_left(struct gaspdb_context *c, uint64_t ticks)
{
	struct gaspdb_profile *p = c->profile;

	while (p->over)
		leave_overflow(p, ticks);
	for (struct gaspdb_node *node = p->at, *next; node != &p->root;
	     node = next) {
		next = node->parent;
		if (node->cell->open && node->op->runtime)
			leave(c, node, ticks);
	}
}
