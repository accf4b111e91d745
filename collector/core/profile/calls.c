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

/* Whether a call is within one of the runtime; user functions are not. */
static inline bool is_nested(const struct gaspdb_node *node)
{
	while ((node = node->parent))
		if (node->cell->open && !node->overlay)
			return node->op->runtime;
	return false;
}

/* An argument of an event; -1: it is not there. */
static inline uint64_t value_of(const struct gaspdb_op_state *op,
				const struct gaspdb_plan *plan,
				enum gaspdb_move move, unsigned n,
				const uint64_t *values)
{
	const unsigned at = op->moves.at[move];

	return at && at <= n ? values[plan->step[at - 1].from] : UINT64_MAX;
}

static inline uint64_t bytes_of(const struct gaspdb_op_state *op,
				const struct gaspdb_plan *plan, unsigned n,
				const uint64_t *values)
{
	uint64_t bytes = value_of(op, plan, GASPDB_MOVE_BYTES, n, values);

	if (bytes != UINT64_MAX)
		return bytes;
	if (__builtin_mul_overflow(
		    value_of(op, plan, GASPDB_MOVE_BLOCKS, n, values),
		    value_of(op, plan, GASPDB_MOVE_BLOCK_BYTES, n, values),
		    &bytes))
		return 0;
	return bytes;
}

/* Adds what the call moves, as its arguments say. */
static inline void add_moves(struct gaspdb_context *c, struct gaspdb_node *node,
			     unsigned phase, unsigned n, const uint64_t *values)
{
	const struct gaspdb_op_state *op = node->op;
	const struct gaspdb_plan *plan = &op->plan[phase];
	const struct gaspdb_moves *m = &op->moves;
	const uint64_t bytes = bytes_of(op, plan, n, values);

	node->cell->bytes += bytes;
	node->counted = false;
	if (!m->traffic || is_nested(node))
		return;
	if (m->copies)
		gaspdb_traffic_count(
			c, node->number, &node->entry[GASPDB_WAY_FROM],
			GASPDB_WAY_FROM,
			(int64_t)value_of(op, plan, GASPDB_MOVE_SOURCE, n,
					  values),
			bytes);
	node->counted = gaspdb_traffic_count(
		c, node->number, &node->entry[m->way], (enum gaspdb_way)m->way,
		(int64_t)value_of(op, plan, GASPDB_MOVE_PEER, n, values),
		bytes);
}

/* Adds a call's time to its traffic; of a copy each peer has half of it. */
static inline void add_traffic_time(struct gaspdb_node *node, uint64_t ticks)
{
	struct gaspdb_traffic_entry *const *entry = node->entry;

	if (node->op->moves.copies && entry[GASPDB_WAY_FROM]) {
		entry[GASPDB_WAY_FROM]->ticks += ticks - ticks / 2;
		ticks /= 2;
	}
	entry[node->op->moves.way]->ticks += ticks;
	node->counted = false;
}

/* --- a call's end --------------------------------------------------------- */

/* Of a call that the trace began: it counted it. */
static GASPDB_COLD void add_carried(struct gaspdb_node_cell *cell,
				    uint64_t passed)
{
	cell->carried++;
	cell->carried_ticks += passed;
	cell->total += passed;
}

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
	if (GASPDB_UNLIKELY(start == p->from))
		add_carried(cell, end - start);
	else
		add_call(cell, end - start);
	if (GASPDB_UNLIKELY(c->failed_poll))
		cell->failed++;
	if (gaspdb_profiles_all())
		cell->written += gaspdb_is_traced(c) && !p->unwritten;
	if (GASPDB_UNLIKELY(node != p->at))
		add_crossing(p, node, end);
	if (!node->overlay)
		add_to_callers(node, start, end);
	if (node->counted)
		add_traffic_time(node, end - start);
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
	const uint64_t passed = ticks > cell->open ? ticks - cell->open : 0;
	const uint32_t odd = gaspdb_cell_begin(&cell->sequence);
	const bool carried = p->over == p->over_carried;

	p->over--;
	if (carried) {
		p->over_carried--;
		add_carried(cell, p->over ? 0 : passed);
	} else if (p->over) {
		cell->count++;
	} else {
		add_call(cell, passed);
	}
	if (!p->over)
		cell->open = 0;
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
	node = gaspdb_is_profile_only(c) ? site->node : NULL;
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
	node->cell->open = ticks;
	p->at = node;
	if (node->op->moves.any && !node->op->moves.at_end)
		add_moves(c, node, GASPDB_PHASE_START, n, values);
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

bool gaspdb_profile_is_of_trace(const struct gaspdb_profile *p,
				const struct gaspdb_op_state *op)
{
	return p->from && !p->over && !find(p, op);
}

/* --- calls that the trace began ------------------------------------------- */

/* The innermost open node of a function that the trace began, or the root. */
static struct gaspdb_node *innermost_carried(const struct gaspdb_profile *p)
{
	struct gaspdb_node *node = p->at;

	while (node->parent && node->cell->open != p->from)
		node = node->parent;
	return node;
}

/* Ticks since the start of the outermost open call below node that is no user
   event. */
static uint64_t open_below(const struct gaspdb_profile *p,
			   const struct gaspdb_node *node, uint64_t ticks)
{
	uint64_t start = ticks;

	for (const struct gaspdb_node *n = p->at; n != node; n = n->parent)
		if (n->cell->open && !n->overlay)
			start = n->cell->open;
	return ticks > start ? ticks - start : 0;
}

/* Adds a call's time in the profile, of which the calls since are a part: those
   of the level that it was begun on. */
static void add_since(const struct gaspdb_profile *p,
		      struct gaspdb_node_cell *above,
		      struct gaspdb_node *node, uint64_t ticks)
{
	const uint64_t passed = ticks > p->from ? ticks - p->from : 0;
	const uint64_t below = open_below(p, node->parent, ticks);
	uint32_t odd = gaspdb_cell_begin(&node->cell->sequence);

	add_carried(node->cell, passed);
	node->cell->child += above->child + below;
	if (node->counted)
		add_traffic_time(node, passed);
	gaspdb_cell_done(&node->cell->sequence, odd);
	if (node->overlay)
		return;
	odd = gaspdb_cell_begin(&above->sequence);
	above->child = passed > below ? passed - below : 0;
	gaspdb_cell_done(&above->sequence, odd);
}

/* Ends a call that the trace began, and that has no open node; false: there is
   no cell. */
static GASPDB_COLD bool end_carried(struct gaspdb_context *c,
				    struct gaspdb_site *site, uint64_t ticks,
				    unsigned n, const uint64_t *values)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_node *const at = p->at, *above = innermost_carried(p);
	struct gaspdb_node *node;

	p->at = above;
	node = gaspdb_node_child(c, site, ticks);
	p->at = at;
	if (!node)
		return false;
	if (site->op->moves.any && site->op->moves.at_end)
		add_moves(c, node, GASPDB_PHASE_END, n, values);
	add_since(p, above->cell, node, ticks);
	return true;
}

void gaspdb_profile_carry(struct gaspdb_context *c, struct gaspdb_site *site)
{
	struct gaspdb_profile *p = c->profile;

	enter(c, site, p->from, 0, NULL);
	p->over_carried = p->over;
}

/* --- ends ----------------------------------------------------------------- */

/* The open node of a call that is not the innermost; NULL: it has none, and its
   end is counted. */
static GASPDB_COLD struct gaspdb_node *
end_elsewhere(struct gaspdb_context *c, const struct gaspdb_op_state *op,
	      struct gaspdb_site *site, uint64_t ticks, unsigned n,
	      const uint64_t *values)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_node *node = find(p, op);

	if (!node && (!p->from || !site ||
		      !end_carried(c, site, ticks, n, values)))
		p->head->lost++;
	return node;
}

/* site: NULL if the call has an open node. */
static inline void end(struct gaspdb_context *c,
		       const struct gaspdb_op_state *op,
		       struct gaspdb_site *site, uint64_t ticks, unsigned n,
		       const uint64_t *values)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_node *node = p->at;

	if (GASPDB_UNLIKELY(p->over)) {
		leave_overflow(p, ticks);
		return;
	}
	if (GASPDB_UNLIKELY(node->op != op) &&
	    !(node = end_elsewhere(c, op, site, ticks, n, values)))
		return;
	if (op->moves.any && op->moves.at_end)
		add_moves(c, node, GASPDB_PHASE_END, n, values);
	leave(c, node, ticks);
}

static void atomic_event(struct gaspdb_context *c, struct gaspdb_site *site,
			 uint64_t ticks, unsigned n, const uint64_t *values)
{
	enter(c, site, ticks, n, values);
	end(c, site->op, NULL, ticks, 0, NULL);
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
		end(c, site->op, site, ticks, n, values);
	else
		atomic_event(c, site, ticks, n, values);
}

void gaspdb_profile_ended(struct gaspdb_context *c,
			  const struct gaspdb_op_state *op, uint64_t ticks,
			  unsigned n, const uint64_t *values)
{
	note_event(c->profile->head, ticks);
	end(c, op, NULL, ticks, n, values);
}

void gaspdb_profile_beyond(struct gaspdb_context *c, unsigned phase,
			   uint64_t ticks)
{
	struct gaspdb_profile *p = c->profile;

	note_event(p->head, ticks);
	if (phase != GASPDB_PHASE_END)
		enter_overflow(p, ticks);
	if (phase != GASPDB_PHASE_START && p->over)
		leave_overflow(p, ticks);
	else if (phase == GASPDB_PHASE_END)
		p->head->lost++;
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
