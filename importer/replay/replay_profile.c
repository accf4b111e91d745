/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile's nodes become the sums that events would: profile, call paths,
 * regions, traffic, time by category. The tree is walked as the calls were
 * made, so that recursion, nesting and regions count as in a replay of events.
 * Where the log has a trace as well, the profile's sums take the place of the
 * trace's: nothing counts twice.
 */
#include <string.h>

#include "common/sum.h"
#include "importer/replay/call_stacks.h"
#include "importer/replay/replay.h"

/* --- time ----------------------------------------------------------------- */

/* The length of ticks in ns, bounded as all times. */
static int64_t length_ns(const struct gaspdb_importer *im, uint64_t ticks)
{
	const double ns = gaspdb_timeline_length(&im->reading.thread->log->time,
						 (double)ticks);

	return ns < (double)GASPDB_TIME_MAX ? (int64_t)(ns + 0.5)
					    : GASPDB_TIME_MAX;
}

static int64_t thread_ns(const struct gaspdb_importer *im)
{
	return im->stack.now_ns - im->stack.first_ns;
}

void gaspdb_replay_profile_end(struct gaspdb_importer *im)
{
	struct gaspdb_cells *c = &im->cells;

	if (!c->any)
		return;
	gaspdb_cells_link(c, &im->quality, im->reading.thread->log);
	if (c->has_first && c->last)
		gaspdb_stack_advance(&im->stack, gaspdb_replay_ns(im, c->last),
				     GASPDB_STEP_NORMAL);
	for (size_t i = 0; i < c->n_nodes; i++) {
		const struct gaspdb_node *n = &c->node[i];
		const struct gaspdb_log_site *site =
			n->open && n->site
				? gaspdb_definitions_site(&im->definitions,
							  n->site)
				: NULL;

		im->reading.open_runtime |= site && site->operation->runtime;
	}
}

/* --- entering a node ------------------------------------------------------ */

static struct gaspdb_node *above(struct gaspdb_importer *im,
				 const struct gaspdb_node *n)
{
	return n->up == GASPDB_ABSENT ? NULL : &im->cells.node[n->up];
}

/* Category of time directly in a call of o, below one of category `context`. */
static uint8_t context_of(const struct gaspdb_log_operation *o, uint8_t context)
{
	if (o->overlay)
		return context;
	if (o->function)
		return GASPDB_CATEGORY_computation;
	return o->runtime && context == GASPDB_CATEGORY_computation
		       ? o->category
		       : context;
}

/* The system call above, which time and events of a node are inside. Not found
   by a walk: a hostile log can have a million user events within each other. */
static uint32_t system_above(const struct gaspdb_node *n,
			     const struct gaspdb_node *up)
{
	if (!up)
		return GASPDB_ABSENT;
	return up->operation && up->operation->overlay ? up->system : n->up;
}

/* Takes what a node has of the one above. */
static void inherit(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	const struct gaspdb_node *up = above(im, n);

	n->operation = NULL;
	n->system = system_above(n, up);
	n->source = n->path = n->region = 0;
	n->context = up ? up->context : GASPDB_CATEGORY_computation;
	n->in_system = up && up->in_system;
	n->nested = n->in_path = false;
	n->path = up ? up->path : 0;
	n->total_ns = n->open_ns = n->runtime_ns = 0;
	n->child_open_ns = 0;
	n->halves = 0;
}

static void enter_path(struct gaspdb_importer *im, struct gaspdb_node *n,
		       struct gaspdb_log_site *site, uint32_t parent)
{
	if (!n->operation->in_tree)
		return;
	n->path = gaspdb_path_start(&im->paths, parent, site, n->profile);
	n->in_path = true;
}

/* Has the node calls with a start and an end? */
static bool is_timed(const struct gaspdb_node *n)
{
	return n->total || n->most || n->open;
}

static void enter_node(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	struct gaspdb_log_site *site =
		n->site ? gaspdb_definitions_site(&im->definitions, n->site)
			: NULL;
	struct gaspdb_log_operation *o;
	uint32_t parent;

	inherit(im, n);
	if (!site) {
		n->in_system = true;
		return;
	}
	n->operation = o = site->operation;
	parent = !n->in_system && site->frame
			 ? gaspdb_call_stack_path(im, site)
			 : n->path;
	n->source = gaspdb_replay_source(im, site);
	n->nested = n->context != GASPDB_CATEGORY_computation && !o->overlay &&
		    !o->function;
	n->profile = gaspdb_profile_number(&im->rollups, n->source, n->nested);
	gaspdb_profile_start(&im->rollups, n->profile);
	enter_path(im, n, site, parent);
	if (gaspdb_is_region(o) && is_timed(n))
		n->region = gaspdb_region_start(&im->regions, o, n->source);
	n->context = context_of(o, n->context);
	n->in_system |= !o->overlay;
	o->n_open[n->nested]++;
}

/* --- leaving a node ------------------------------------------------------- */

/* Does the event's column bytes have a value? */
static bool moves_bytes(const struct gaspdb_node *n)
{
	const struct gaspdb_log_operation *o = n->operation;

	if (n->bytes || o->prepares)
		return n->bytes;
	if (o->type == GASPDB_OPTYPE_wait || o->type == GASPDB_OPTYPE_test)
		return true;
	for (int end = 0; end < 2; end++)
		for (unsigned i = 0; i < o->plan[end].n; i++)
			if (o->plan[end].arg[i].role == GASPDB_ROLE_bytes ||
			    o->plan[end].arg[i].role == GASPDB_ROLE_block_bytes)
				return true;
	return false;
}

/* Sum of squares of n durations in ns^2. Doubles may lose what long, nearly
   equal calls differ by: it is at least that of equal calls. */
static gaspdb_wide squares_of(const struct gaspdb_importer *im,
			      const struct gaspdb_node *n, int64_t calls)
{
	const double scale =
		gaspdb_timeline_length(&im->reading.thread->log->time, 1e9) /
		1e9;
	const double open = (double)n->open_ns,
		     most = (double)GASPDB_TIME_MAX * (double)GASPDB_TIME_MAX;
	const double ns2 = n->squares * scale * scale + open * open;
	const gaspdb_wide sum = (gaspdb_wide)(uint64_t)n->total_ns;
	const gaspdb_wide count = (gaspdb_wide)(uint64_t)calls;
	const gaspdb_wide least = (sum * sum + count - 1) / count;
	const gaspdb_wide squares =
		ns2 < most ? (gaspdb_wide)ns2 : (gaspdb_wide)most;

	return squares > least && calls > 1 ? squares : least;
}

static struct gaspdb_summed_calls calls_of(const struct gaspdb_importer *im,
					   const struct gaspdb_node *n)
{
	struct gaspdb_summed_calls s = {
		.calls = (int64_t)n->count + (n->open != 0),
		.total_ns = n->total_ns,
		.self_ns = n->operation->overlay ? GASPDB_NULL : n->self_ns,
		.bytes = moves_bytes(n) ? gaspdb_number(n->bytes) : GASPDB_NULL,
		.min_ns = n->count ? length_ns(im, n->least) : n->open_ns,
		.max_ns = gaspdb_max(length_ns(im, n->most), n->open_ns),
		.open = n->open != 0,
		.halves = n->halves,
		.computation_ns = GASPDB_NULL,
	};

	if (n->open)
		s.min_ns = gaspdb_min(s.min_ns, n->open_ns);
	s.pairs = is_timed(n) ? s.calls : 0;
	s.squares = squares_of(im, n, s.calls);
	if (n->region)
		s.computation_ns = gaspdb_max(0, n->total_ns - n->runtime_ns);
	return s;
}

/* Time of the node; that of a call that is open lasts to the thread's end. */
static void measure(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	const int64_t limit = thread_ns(im);
	int64_t child_ns = gaspdb_plus(length_ns(im, n->child),
				       n->child_open_ns);

	if (n->open)
		n->open_ns = gaspdb_min(
			limit, gaspdb_max(0, im->stack.now_ns -
						     gaspdb_replay_ns(
							     im, n->open)));
	n->total_ns = gaspdb_plus(length_ns(im, n->total), n->open_ns);
	n->self_ns = gaspdb_max(0, n->total_ns - child_ns);
}

/* Adds the node's own time to its category. */
static void add_time(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	if (!n->site) /* in the time of what the calls were in */
		return;
	if (!n->operation)
		gaspdb_add_to(&im->reading.profile.unknown_ns, n->self_ns);
	else if (n->operation->overlay ||
		 n->context == GASPDB_CATEGORY_computation)
		return;
	else
		gaspdb_add_to(&im->reading.profile.category_ns[n->context],
			      n->self_ns);
	gaspdb_add_to(&n->runtime_ns, n->self_ns);
}

/* Each start or end is half in the call before it, half in the one after. */
static void share_cost(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	const bool overlay = n->operation && n->operation->overlay;
	const uint64_t starts = n->count + (n->open != 0);
	const uint64_t pair = is_timed(n) ? starts + n->count : 0;
	struct gaspdb_node *up;

	if (!overlay)
		n->halves += pair;
	if (n->system == GASPDB_ABSENT)
		return;
	up = &im->cells.node[n->system];
	up->halves += overlay ? 2 * pair : pair;
	up->halves += is_timed(n) ? 0 : 2 * starts;
	if (!overlay)
		gaspdb_add_to(&up->child_open_ns, n->open_ns);
}

static void add_calls(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	struct gaspdb_log_operation *o = n->operation;
	const struct gaspdb_summed_calls calls = calls_of(im, n);
	const bool within = o->n_open[n->nested] > 1;

	gaspdb_profile_summed(&im->rollups, n->profile, &calls, within);
	if (n->in_path)
		gaspdb_path_summed(&im->paths, n->path, n->nested, &calls);
	if (n->region)
		gaspdb_region_summed(&im->regions, n->region, calls.calls,
				     calls.total_ns, calls.computation_ns);
	o->n_open[n->nested]--;
	gaspdb_add_to(&im->profile_calls,
		      o->type == GASPDB_OPTYPE_init ||
				      o->type == GASPDB_OPTYPE_finalize
			      ? 0
			      : calls.calls);
}

/* A node that was made and has no calls: its process was killed meanwhile. */
static void add_nothing(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	const struct gaspdb_summed_calls none = { .self_ns = GASPDB_NULL,
						  .bytes = GASPDB_NULL,
						  .min_ns = INT64_MAX,
						  .computation_ns =
							  GASPDB_NULL };

	gaspdb_profile_summed(&im->rollups, n->profile, &none, false);
	if (n->in_path)
		gaspdb_path_summed(&im->paths, n->path, n->nested, &none);
	if (n->region)
		gaspdb_region_summed(&im->regions, n->region, 0, 0, 0);
	n->operation->n_open[n->nested]--;
}

static void note_unknown(struct gaspdb_importer *im,
			 const struct gaspdb_node *n)
{
	struct gaspdb_tally *t = n->site ? &im->reading.unknown_site
					 : &im->reading.profile.full;

	if (!t->count)
		t->offset = n->offset;
	t->count += n->count;
	gaspdb_add_to(&t->time_ns, n->total_ns);
}

static void leave_node(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	struct gaspdb_node *up = above(im, n);

	measure(im, n);
	add_time(im, n);
	share_cost(im, n);
	if (!n->operation)
		note_unknown(im, n);
	else if (n->count || n->open)
		add_calls(im, n);
	else
		add_nothing(im, n);
	if (up)
		gaspdb_add_to(&up->runtime_ns, n->runtime_ns);
}

/* The tree depth first: a node is entered before its children, and left after
   them. */
static void walk(struct gaspdb_importer *im)
{
	struct gaspdb_node *node = im->cells.node;
	uint32_t i = im->cells.top;

	while (i != GASPDB_ABSENT) {
		enter_node(im, &node[i]);
		if (node[i].down != GASPDB_ABSENT) {
			i = node[i].down;
			continue;
		}
		leave_node(im, &node[i]);
		while (node[i].next == GASPDB_ABSENT &&
		       node[i].up != GASPDB_ABSENT) {
			i = node[i].up;
			leave_node(im, &node[i]);
		}
		i = node[i].next;
	}
}

/* --- traffic -------------------------------------------------------------- */

enum { COLLECTIVE = GASPDB_SEND + 1 }; /* in table size_total */

static bool is_collective(enum gaspdb_optype type)
{
	return type >= GASPDB_OPTYPE_broadcast &&
	       type <= GASPDB_OPTYPE_neighbor;
}

/* The direction as table traffic has it, or COLLECTIVE; false: none. */
static bool direction_of(enum gaspdb_optype type, bool from_peer, int *to)
{
	switch (type) {
	case GASPDB_OPTYPE_get:
	case GASPDB_OPTYPE_get_nb:
		*to = GASPDB_GET;
		return true;
	case GASPDB_OPTYPE_put:
	case GASPDB_OPTYPE_put_nb:
		*to = GASPDB_PUT;
		return true;
	case GASPDB_OPTYPE_atomic:
	case GASPDB_OPTYPE_atomic_fetch:
		*to = GASPDB_ATOMIC;
		return true;
	case GASPDB_OPTYPE_copy:
	case GASPDB_OPTYPE_copy_nb:
		*to = from_peer ? GASPDB_GET : GASPDB_PUT;
		return true;
	case GASPDB_OPTYPE_send:
	case GASPDB_OPTYPE_send_nb:
	case GASPDB_OPTYPE_send_receive:
		*to = GASPDB_SEND;
		return !from_peer;
	default:
		*to = COLLECTIVE;
		return is_collective(type) && !from_peer;
	}
}

static void add_size(struct gaspdb_importer *im,
		     const struct gaspdb_node_traffic *t, int direction)
{
	struct gaspdb_sizes *s =
		&im->reading.profile.sizes[direction][t->size_class];

	gaspdb_add_to(&s->operations, (int64_t)t->count);
	gaspdb_add_to(&s->bytes, gaspdb_number(t->bytes));
}

/* Writes the thread's rows of table size_total. */
static void write_sizes(struct gaspdb_importer *im)
{
	for (int d = 0; d <= COLLECTIVE; d++)
		for (int c = 0; c < GASPDB_SIZE_CLASSES; c++) {
			const struct gaspdb_sizes *s =
				&im->reading.profile.sizes[d][c];

			if (s->operations)
				gaspdb_insert_text(
					im->store, GASPDB_INSERT_size_total,
					(int64_t[]){ im->reading.id, 0,
						     gaspdb_class_from(c),
						     s->operations, s->bytes },
					1,
					d == COLLECTIVE ? "collective"
							: gaspdb_directions[d]);
		}
}

static void add_traffic(struct gaspdb_importer *im,
			const struct gaspdb_node_traffic *t)
{
	const uint32_t i = gaspdb_map_get(&im->cells.index, t->node);
	const struct gaspdb_node *n =
		i == GASPDB_ABSENT ? NULL : &im->cells.node[i];
	int direction;

	if (!n || !n->operation || n->nested ||
	    !direction_of(n->operation->type, t->from_peer, &direction))
		return;
	/* A send without a peer is one to MPI_PROC_NULL. */
	if (!im->reading.traced &&
	    (direction != GASPDB_SEND || t->peer != GASPDB_NO_PEER))
		add_size(im, t, direction);
	if (t->peer == GASPDB_NO_PEER || direction == COLLECTIVE)
		return;
	gaspdb_traffic_summed(
		&im->rollups,
		&(struct gaspdb_traffic){
			.peer = gaspdb_thread_of_rank(&im->source, t->peer),
			.source = n->source,
			.direction = (enum gaspdb_direction)direction,
			.size_class = t->size_class,
			.operations = (int64_t)t->count,
			.bytes = gaspdb_number(t->bytes),
			.time_ns = length_ns(im, t->ticks) });
}

/* --- the thread's time ---------------------------------------------------- */

/* Takes a part of what is left of the thread's time. */
static int64_t part_of(int64_t *left, int64_t ns)
{
	const int64_t part = gaspdb_min(*left, gaspdb_max(0, ns));

	*left -= part;
	return part;
}

/* Time in which recording was off, which a profile has as a sum. */
static int64_t off_ns(struct gaspdb_importer *im)
{
	const struct gaspdb_cells *c = &im->cells;
	const int64_t ns = length_ns(im, c->off);

	if (!c->off_since)
		return ns;
	return gaspdb_plus(ns, gaspdb_max(0, im->stack.now_ns -
						     gaspdb_replay_ns(
							     im, c->off_since)));
}

/* Categories sum up to the thread's time; computation is the rest. */
static void share_time(struct gaspdb_importer *im)
{
	struct gaspdb_stack *s = &im->stack;
	const struct gaspdb_profile_reading *p = &im->reading.profile;
	int64_t left = thread_ns(im);

	for (uint32_t i = 0; i < im->registry.categories.n; i++)
		s->category_ns[i] = part_of(&left, p->category_ns[i]);
	/* What a trace left out while it was off, the profile has. */
	s->not_recorded_ns = part_of(
		&left,
		gaspdb_plus(gaspdb_plus(p->unknown_ns, off_ns(im)),
			    gaspdb_max(0, s->not_recorded_ns -
						  im->reading.off_total_ns)));
	s->tool_ns = part_of(&left, gaspdb_max(s->tool_ns,
					       length_ns(im, im->cells.tool)));
	s->unserved_ns = part_of(&left, s->unserved_ns);
	s->category_ns[GASPDB_CATEGORY_computation] = left;
}

/* --- calls without an end ------------------------------------------------- */

static void note_open(struct gaspdb_importer *im, const struct gaspdb_node *n,
		      int64_t depth)
{
	const int64_t start_ns = im->stack.now_ns - n->open_ns;

	gaspdb_insert(
		im->store, GASPDB_INSERT_open_call,
		GASPDB_VALUES(open_call){
			[GASPDB_OPEN_CALL_THREAD] = gaspdb_int(im->reading.id),
			[GASPDB_OPEN_CALL_DEPTH] = gaspdb_int(depth),
			[GASPDB_OPEN_CALL_SOURCE] = gaspdb_int(n->source),
			[GASPDB_OPEN_CALL_CALLPATH] = gaspdb_int(
				n->in_path ? n->path : GASPDB_NULL),
			[GASPDB_OPEN_CALL_START] = gaspdb_int(start_ns),
			[GASPDB_OPEN_CALL_TORN] = gaspdb_int(n->torn) });
	gaspdb_defect_add(&im->quality, GASPDB_QUALITY_OPEN_EVENT,
			  &(struct gaspdb_defect){
				  .event = GASPDB_NULL,
				  .time_ns = (uint64_t)n->open_ns,
				  .file = im->reading.thread->log->name,
				  .offset = n->offset });
}

/* The open nodes are a chain: parents come first. */
static void note_open_calls(struct gaspdb_importer *im)
{
	int64_t depth = 0;

	for (size_t i = 0; i < im->cells.n_nodes; i++) {
		const struct gaspdb_node *n = &im->cells.node[i];

		if (n->open && n->operation)
			note_open(im, n, ++depth);
	}
}

/* --- the whole ------------------------------------------------------------ */

static void note_quality(struct gaspdb_importer *im)
{
	const struct gaspdb_cells *c = &im->cells;
	const char *name = im->reading.thread->log->name;

	im->reading.losses += c->losses;
	if (!im->reading.traced)
		gaspdb_defect_add(
			&im->quality, GASPDB_QUALITY_PROFILE,
			&(struct gaspdb_defect){ .event = GASPDB_NULL,
						 .count = c->events });
	if (c->n_torn)
		gaspdb_defect_add(&im->quality, GASPDB_QUALITY_PROFILE_TORN,
				  &(struct gaspdb_defect){
					  .event = GASPDB_NULL,
					  .file = name,
					  .offset = c->torn_offset,
					  .count = c->n_torn });
	if (c->lost)
		gaspdb_defect_add(&im->quality, GASPDB_QUALITY_PROFILE_LOST,
				  &(struct gaspdb_defect){ .event = GASPDB_NULL,
							   .file = name,
							   .count = c->lost });
	if (c->unkept)
		gaspdb_defect_add(
			&im->quality, GASPDB_QUALITY_PROFILE_TRAFFIC,
			&(struct gaspdb_defect){ .event = GASPDB_NULL,
						 .file = name,
						 .count = c->unkept });
}

void gaspdb_replay_profile(struct gaspdb_importer *im)
{
	const struct gaspdb_cells *c = &im->cells;

	gaspdb_rollups_replace(&im->rollups);
	gaspdb_paths_replace(&im->paths);
	gaspdb_regions_replace(&im->regions);
	walk(im);
	for (size_t i = 0; i < c->n_traffic; i++)
		add_traffic(im, &c->traffic[i]);
	write_sizes(im);
	share_time(im);
	if (!im->reading.traced)
		note_open_calls(im);
	note_quality(im);
	if (c->events > im->reading.raw_events)
		im->reading.raw_events = c->events;
}
