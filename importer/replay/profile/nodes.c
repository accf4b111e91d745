/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of a profile's nodes, depth first: each is entered before its
 * children, and its calls are added when it is left, after them.
 */
#include "importer/replay/profile/parts.h"

#include "common/sum.h"
#include "importer/replay/call_stacks.h"

/* --- calls without an end ------------------------------------------------- */

/* Time in which the call that is open was, since the profile began. */
static int64_t open_ns(struct gaspdb_importer *im, const struct gaspdb_node *n)
{
	const int64_t start_ns = gaspdb_replay_ns(im, n->open);

	return gaspdb_min(gaspdb_profiled_ns(im),
			  gaspdb_max(0, im->stack.now_ns - start_ns));
}

/* The open nodes are a chain, and are entered from the outermost one in. */
static void note_open(struct gaspdb_importer *im, const struct gaspdb_node *n)
{
	const int64_t start_ns =
		n->goes_on ? n->since_ns : im->stack.now_ns - open_ns(im, n);

	if (im->reading.traced && !im->reading.is_rest)
		return;
	gaspdb_insert(
		im->store, GASPDB_INSERT_open_call,
		GASPDB_VALUES(open_call){
			[GASPDB_OPEN_CALL_THREAD] = gaspdb_int(im->reading.id),
			[GASPDB_OPEN_CALL_DEPTH] =
				gaspdb_int(++im->reading.n_open_calls),
			[GASPDB_OPEN_CALL_SOURCE] = gaspdb_int(n->source),
			[GASPDB_OPEN_CALL_CALLPATH] =
				gaspdb_int(n->in_path ? n->path : GASPDB_NULL),
			[GASPDB_OPEN_CALL_START] = gaspdb_int(start_ns),
			[GASPDB_OPEN_CALL_TORN] = gaspdb_int(n->torn) });
	gaspdb_defect_add(
		&im->quality, GASPDB_QUALITY_OPEN_EVENT,
		&(struct gaspdb_defect){
			.event = GASPDB_NULL,
			.time_ns = (uint64_t)(im->stack.now_ns - start_ns),
			.file = im->reading.thread->log->name,
			.offset = n->offset });
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

/* Does it count nothing, as a node whose process was killed when it was made?
 */
static bool is_empty(const struct gaspdb_node *n)
{
	return !n->count && !n->open && !n->total;
}

/* Has the node an open call that began in the profile? */
static bool has_new(const struct gaspdb_node *n)
{
	return n->open && !n->goes_on;
}

static void enter_path(struct gaspdb_importer *im, struct gaspdb_node *n,
		       struct gaspdb_log_site *site, uint32_t parent)
{
	if (!n->operation->in_tree || (is_empty(n) && n->down == GASPDB_ABSENT))
		return;
	n->path = gaspdb_path_start(&im->paths, parent, site, n->profile);
	n->in_path = true;
}

/* Has the node calls with a start and an end? */
static bool is_timed(const struct gaspdb_node *n)
{
	return n->total || n->most || n->open;
}

static struct gaspdb_log_site *site_of(struct gaspdb_importer *im,
				       struct gaspdb_node *n)
{
	if (n->begun) {
		im->rest.site = n->begun->site;
		return &im->rest.site;
	}
	return gaspdb_replay_site(im, n->site);
}

/* Path of the caller; of a call that began in the trace as it was there. */
static uint32_t parent_path(struct gaspdb_importer *im,
			    const struct gaspdb_node *n,
			    const struct gaspdb_log_site *site)
{
	if (n->begun && n->begun->path)
		return im->paths.path[n->begun->path].parent;
	return !n->in_system && site->frame ? gaspdb_call_stack_path(im, site)
					    : n->path;
}

static bool is_nested(const struct gaspdb_node *n)
{
	const struct gaspdb_log_operation *o = n->operation;

	if (n->begun)
		return n->begun->nested;
	return n->context != GASPDB_CATEGORY_computation && !o->overlay &&
	       !o->function;
}

static void enter_node(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	struct gaspdb_log_site *site = site_of(im, n);
	struct gaspdb_log_operation *o;
	uint32_t parent;

	inherit(im, n);
	if (!site) {
		n->in_system = true;
		return;
	}
	n->operation = o = site->operation;
	parent = parent_path(im, n, site);
	n->source = gaspdb_replay_source(im, site);
	n->nested = is_nested(n);
	n->profile = gaspdb_profile_number(&im->rollups, n->source, n->nested);
	gaspdb_profile_start(&im->rollups, n->profile);
	enter_path(im, n, site, parent);
	if (gaspdb_is_region(o) && is_timed(n))
		n->region = gaspdb_region_start(&im->regions, o, n->source);
	n->context = context_of(o, n->context);
	n->in_system |= !o->overlay;
	o->n_open[n->nested]++;
	if (n->open)
		note_open(im, n);
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
	const double open = has_new(n) ? (double)n->open_ns : 0,
		     most = (double)GASPDB_TIME_MAX * (double)GASPDB_TIME_MAX;
	const double ns2 = n->squares * scale * scale + open * open;
	const gaspdb_wide sum =
		(gaspdb_wide)(uint64_t)(n->total_ns - n->carried_ns);
	const gaspdb_wide count = (gaspdb_wide)(uint64_t)calls;
	const gaspdb_wide least = (sum * sum + count - 1) / count;
	const gaspdb_wide squares =
		ns2 < most ? (gaspdb_wide)ns2 : (gaspdb_wide)most;

	return squares > least && calls > 1 ? squares : least;
}

/* Calls that began in the trace are counted there. */
static struct gaspdb_summed_calls calls_of(const struct gaspdb_importer *im,
					   const struct gaspdb_node *n)
{
	const bool open = has_new(n);
	struct gaspdb_summed_calls s = {
		.calls = (int64_t)n->count + open,
		.total_ns = n->total_ns,
		.self_ns = n->operation->overlay ? GASPDB_NULL : n->self_ns,
		.bytes = moves_bytes(n) ? gaspdb_number(n->bytes) : GASPDB_NULL,
		.min_ns = n->count ? gaspdb_replay_length(im, n->least)
				   : INT64_MAX,
		.max_ns = gaspdb_replay_length(im, n->most),
		.open = open,
		.halves = n->halves,
		.computation_ns = GASPDB_NULL,
	};

	if (open) {
		s.min_ns = gaspdb_min(s.min_ns, n->open_ns);
		s.max_ns = gaspdb_max(s.max_ns, n->open_ns);
	}
	s.pairs = is_timed(n) ? s.calls : 0;
	s.squares = s.calls ? squares_of(im, n, s.calls) : 0;
	if (n->region)
		s.computation_ns = gaspdb_max(0, n->total_ns - n->runtime_ns);
	/* The calls of a user event that the trace began are not below it. */
	if (n->begun && n->begun->ended && n->operation->overlay)
		s.computation_ns = gaspdb_max(
			0, n->total_ns - gaspdb_replay_length(im, n->child));
	return s;
}

/* Time of the node; that of a call that is open lasts to the thread's end. */
static void measure(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	int64_t child_ns = gaspdb_plus(gaspdb_replay_length(im, n->child),
				       n->child_open_ns);

	if (n->open)
		n->open_ns = open_ns(im, n);
	n->total_ns =
		gaspdb_plus(gaspdb_replay_length(im, n->total), n->open_ns);
	n->carried_ns = gaspdb_replay_length(im, n->carried_ticks);
	if (n->open && !has_new(n))
		gaspdb_add_to(&n->carried_ns, n->open_ns);
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
	const uint64_t starts = n->count + has_new(n);
	const uint64_t ends = n->count + n->carried;
	const uint64_t pair = is_timed(n) ? starts + ends : 0;
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

/* A node that was made and has no calls: its process was killed meanwhile. What
   it would have summed stays unknown. */
static const struct gaspdb_summed_calls no_calls = { .self_ns = GASPDB_NULL,
						     .bytes = GASPDB_NULL,
						     .min_ns = INT64_MAX,
						     .computation_ns =
							     GASPDB_NULL };

static void add_calls(struct gaspdb_importer *im, struct gaspdb_node *n)
{
	struct gaspdb_log_operation *o = n->operation;
	const struct gaspdb_summed_calls calls = is_empty(n) ? no_calls
							     : calls_of(im, n);
	const bool within = o->n_open[n->nested] > 1;

	gaspdb_profile_summed(&im->rollups, n->profile, &calls, within);
	if (n->in_path)
		gaspdb_path_summed(&im->paths, n->path, n->nested, &calls);
	if (n->region)
		gaspdb_region_summed(&im->regions, n->region, calls.calls,
				     calls.total_ns,
				     gaspdb_max(0, calls.computation_ns));
	o->n_open[n->nested]--;
	gaspdb_add_to(&im->profile_calls,
		      o->type == GASPDB_OPTYPE_init ||
				      o->type == GASPDB_OPTYPE_finalize
			      ? 0
			      : calls.calls);
}

static void note_unknown(struct gaspdb_importer *im,
			 const struct gaspdb_node *n)
{
	struct gaspdb_tally *t =
		n->site ? &im->reading.unknown_site : &im->reading.profile.full;

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
	else
		add_calls(im, n);
	if (up)
		gaspdb_add_to(&up->runtime_ns, n->runtime_ns);
}

void gaspdb_profile_walk(struct gaspdb_importer *im)
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
