/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From trace to profile: see rest.h. */
#include "importer/replay/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "common/sum.h"

void gaspdb_replay_rest_free(struct gaspdb_rest *r)
{
	free(r->call);
	gaspdb_map_free(&r->functions);
	gaspdb_map_free(&r->ended);
	*r = (struct gaspdb_rest){ 0 };
}

/* --- calls that are open -------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct gaspdb_rest_call *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void keep_call(struct gaspdb_importer *im, const struct gaspdb_frame *f)
{
	struct gaspdb_rest *r = &im->rest;
	const struct gaspdb_path_sums *path =
		f->path ? &im->paths.sums[f->path] : NULL;

	r->call = gaspdb_mem_grow(r->call, &r->capacity, r->n + 1,
				  sizeof *r->call);
	r->call[r->n++] = (struct gaspdb_rest_call){
		.id = f->id,
		.site = { .operation = f->operation, .source = f->source },
		.path = f->path,
		.profile = f->profile,
		.nested = f->nested,
		.start_ns = f->start_ns,
		.cut_ns = im->stack.now_ns - f->start_ns,
		.least_ns = im->rollups.profile[f->profile].min_ns,
		.path_least_ns = path ? path->min_ns : 0,
		.node = GASPDB_ABSENT,
	};
}

static void keep_calls(struct gaspdb_importer *im)
{
	const struct gaspdb_frame *f;

	im->rest.n = 0;
	for (f = gaspdb_stack_top(&im->stack); f; f = f->below)
		keep_call(im, f);
	for (f = gaspdb_stack_overlay(&im->stack); f; f = f->below)
		keep_call(im, f);
	if (im->rest.n > 1)
		qsort(im->rest.call, im->rest.n, sizeof *im->rest.call,
		      by_start);
}

/* --- their nodes ---------------------------------------------------------- */

static uint64_t key_of(uint32_t up, uint32_t source)
{
	return (uint64_t)(up + 1) << 32 | source; /* GASPDB_ABSENT + 1 is 0 */
}

/* Lists nodes that calls of the trace may have: of functions by their place in
   the tree, of all by operation, the first one first. */
static void index_nodes(struct gaspdb_importer *im)
{
	struct gaspdb_cells *c = &im->cells;

	gaspdb_map_clear(&im->rest.functions);
	gaspdb_map_clear(&im->rest.ended);
	for (size_t i = c->n_nodes; i-- > 0;) {
		struct gaspdb_node *n = &c->node[i];
		struct gaspdb_log_site *site = gaspdb_replay_site(im, n->site);

		n->left = site ? n->carried : 0;
		if (!site || (!n->left && n->open != c->from))
			continue;
		n->source = gaspdb_replay_source(im, site);
		if (site->operation->function)
			gaspdb_map_put(&im->rest.functions,
				       key_of(n->up, n->source), (uint32_t)i);
		n->next_ended =
			gaspdb_map_get(&im->rest.ended, site->operation->id);
		gaspdb_map_put(&im->rest.ended, site->operation->id,
			       (uint32_t)i);
	}
}

/* A call that ended at a node. */
static void end_at(struct gaspdb_importer *im, struct gaspdb_rest_call *call,
		   uint32_t node)
{
	im->cells.node[node].left--;
	call->node = node;
	call->ended = true;
}

/* A call that is open at a node. */
static void go_on_at(struct gaspdb_importer *im, struct gaspdb_rest_call *call,
		     uint32_t node)
{
	im->cells.node[node].goes_on = true;
	im->cells.node[node].since_ns = call->start_ns;
	call->node = node;
}

/* Functions are nodes from the start, below each other as they were called. */
static void match_functions(struct gaspdb_importer *im)
{
	const struct gaspdb_cells *c = &im->cells;
	uint32_t up = GASPDB_ABSENT;

	for (size_t i = 0; i < im->rest.n; i++) {
		struct gaspdb_rest_call *call = &im->rest.call[i];
		uint32_t node;

		if (!call->site.operation->function)
			continue;
		node = gaspdb_map_get(&im->rest.functions,
				      key_of(up, call->site.source));
		if (node == GASPDB_ABSENT)
			continue;
		if (c->node[node].open == c->from)
			go_on_at(im, call, node);
		else
			end_at(im, call, node);
		up = node;
	}
}

/* Of other calls of an operation the innermost ended first. */
static void match_others(struct gaspdb_importer *im)
{
	for (size_t i = im->rest.n; i-- > 0;) {
		struct gaspdb_rest_call *call = &im->rest.call[i];
		uint32_t *first, id = call->site.operation->id;

		if (call->node != GASPDB_ABSENT ||
		    gaspdb_map_get(&im->rest.ended, id) == GASPDB_ABSENT)
			continue;
		first = gaspdb_map_place(&im->rest.ended, id);
		while (*first != GASPDB_ABSENT && !im->cells.node[*first].left)
			*first = im->cells.node[*first].next_ended;
		if (*first != GASPDB_ABSENT)
			end_at(im, call, *first);
	}
}

/* A node that has calls of the trace alone has their place and path. */
static void name_nodes(struct gaspdb_importer *im)
{
	struct gaspdb_cells *c = &im->cells;

	for (size_t i = 0; i < im->rest.n; i++) {
		const struct gaspdb_rest_call *call = &im->rest.call[i];
		struct gaspdb_node *n = call->node == GASPDB_ABSENT
						? NULL
						: &c->node[call->node];

		if (n && !n->count && (!n->open || n->goes_on))
			n->begun = call;
	}
}

/* Ends without a start in the trace are no calls. */
static void forget_unmatched(struct gaspdb_importer *im)
{
	struct gaspdb_cells *c = &im->cells;

	for (size_t i = 0; i < c->n_nodes; i++) {
		struct gaspdb_node *n = &c->node[i];

		if (!n->left)
			continue;
		c->lost += n->left;
		if (n->left < n->carried)
			continue;
		n->total -= n->carried_ticks;
		n->carried_ticks = 0;
	}
}

/* --- calls that never end ------------------------------------------------- */

/* Time of the outermost system calls of the profile. */
static uint64_t outermost_ticks(struct gaspdb_importer *im)
{
	struct gaspdb_cells *c = &im->cells;
	uint64_t sum = 0;

	for (size_t i = 0; i < c->n_nodes; i++) {
		struct gaspdb_node *n = &c->node[i];
		const struct gaspdb_log_site *site =
			gaspdb_replay_site(im, n->site);
		const bool overlay = site && site->operation->overlay;

		/* A user event passes on what is above it. */
		n->is_outermost =
			n->up == GASPDB_ABSENT ||
			(c->node[n->up].is_outermost && c->node[n->up].overlay);
		n->overlay = overlay;
		if (n->is_outermost && !overlay && n->total < UINT64_MAX - sum)
			sum += n->total;
	}
	return sum;
}

/* Makes a node of a call that was open from T on, below the node `up`; last:
   the one that was made there before, GASPDB_ABSENT: none. Returns its index.
 */
static uint32_t add_open(struct gaspdb_importer *im, uint32_t up, uint32_t last,
			 const struct gaspdb_rest_call *call)
{
	struct gaspdb_cells *c = &im->cells;
	const uint32_t i = (uint32_t)c->n_nodes,
		       above = last == GASPDB_ABSENT ? up : last;
	uint32_t *down;

	c->node = gaspdb_mem_grow(c->node, &c->node_capacity, c->n_nodes + 1,
				  sizeof *c->node);
	down = above == GASPDB_ABSENT ? &c->top : &c->node[above].down;
	c->node[c->n_nodes++] = (struct gaspdb_node){
		.open = c->from,
		.goes_on = true,
		.since_ns = call->start_ns,
		.begun = call,
		.up = above,
		.down = *down,
		.next = GASPDB_ABSENT,
		.overlay = call->site.operation->overlay,
	};
	*down = i;
	return i;
}

/* The children of the last node of a chain are below it; the time of these is
   in the innermost system call of the chain, no longer in the one above. */
static void end_chain(struct gaspdb_importer *im, uint32_t up, uint32_t last)
{
	struct gaspdb_cells *c = &im->cells;
	uint32_t system = last, child;

	if (last == GASPDB_ABSENT)
		return;
	for (child = c->node[last].down; child != GASPDB_ABSENT;
	     child = c->node[child].next)
		c->node[child].up = last;
	while (system != up && c->node[system].overlay)
		system = c->node[system].up;
	if (system == up)
		return;
	c->node[system].child =
		up == GASPDB_ABSENT ? im->rest.outermost : c->node[up].child;
	if (up != GASPDB_ABSENT)
		c->node[up].child = 0;
}

/* Makes the nodes of calls without an end that have none: all that came later
   on their level is inside. */
static void add_never_ended(struct gaspdb_importer *im)
{
	uint32_t up = GASPDB_ABSENT, last = GASPDB_ABSENT;

	for (size_t i = 0; i < im->rest.n; i++) {
		struct gaspdb_rest_call *call = &im->rest.call[i];

		if (call->ended)
			continue;
		if (call->node == GASPDB_ABSENT) {
			last = call->node = add_open(im, up, last, call);
			continue;
		}
		end_chain(im, up, last);
		up = call->node;
		last = GASPDB_ABSENT;
	}
	end_chain(im, up, last);
}

/* --- the whole ------------------------------------------------------------ */

static void match(struct gaspdb_importer *im)
{
	index_nodes(im);
	match_functions(im);
	match_others(im);
	name_nodes(im);
	forget_unmatched(im);
	im->rest.outermost = outermost_ticks(im);
	add_never_ended(im);
	for (size_t i = 0; i < im->rest.n; i++)
		im->reading.open_runtime |=
			!im->rest.call[i].ended &&
			im->rest.call[i].site.operation->runtime;
}

void gaspdb_replay_rest_begin(struct gaspdb_importer *im)
{
	struct gaspdb_stack *s = &im->stack;
	struct gaspdb_frame *f;

	gaspdb_stack_advance(s, gaspdb_replay_ns(im, im->cells.from),
			     GASPDB_STEP_NORMAL);
	gaspdb_replay_on(im);
	gaspdb_replay_ending(im, false);
	im->reading.rest_ns = s->now_ns;
	keep_calls(im);
	while ((f = gaspdb_stack_top(s)) || (f = gaspdb_stack_overlay(s)))
		gaspdb_replay_close(im, f, true);
	match(im);
	if (im->cells.last)
		gaspdb_replay_rest_advance(
			im, gaspdb_replay_ns(im, im->cells.last));
	gaspdb_replay_rest_advance(im, im->reading.last_record_ns);
}

int64_t gaspdb_replay_rest_ns(const struct gaspdb_importer *im)
{
	return im->stack.now_ns - im->reading.rest_ns;
}

void gaspdb_replay_rest_advance(struct gaspdb_importer *im, int64_t t_ns)
{
	gaspdb_stack_advance(&im->stack, t_ns, GASPDB_STEP_DAMAGE);
}

/* Time of a call since T. Calls that ended at one node have equal shares. */
static int64_t since_ns(struct gaspdb_importer *im,
			const struct gaspdb_rest_call *call)
{
	struct gaspdb_node *n;
	int64_t share;

	if (!call->ended)
		return gaspdb_replay_rest_ns(im);
	n = &im->cells.node[call->node];
	if (!n->begun && call->site.source != n->source)
		return 0; /* its time counts at another line */
	share = n->carried_ns / (int64_t)n->sharing--;
	n->carried_ns -= share;
	return share;
}

static void begin_shares(struct gaspdb_importer *im)
{
	struct gaspdb_node *node = im->cells.node;

	for (size_t i = 0; i < im->rest.n; i++) {
		const struct gaspdb_rest_call *call = &im->rest.call[i];

		if (!call->ended)
			continue;
		node[call->node].sharing++;
		node[call->node].carried_ns =
			gaspdb_replay_length(im, node[call->node].carried_ticks);
	}
}

/* From where on the thread has sums only. */
static void note_beginning(struct gaspdb_importer *im)
{
	char value[24];

	snprintf(value, sizeof value, "%" PRId64, im->reading.rest_ns);
	gaspdb_insert(im->store, GASPDB_INSERT_thread_meta,
		      GASPDB_VALUES(thread_meta){
			      [GASPDB_THREAD_META_THREAD] =
				      gaspdb_int(im->reading.id),
			      [GASPDB_THREAD_META_KEY] =
				      gaspdb_str("profile_from_ns"),
			      [GASPDB_THREAD_META_VALUE] = gaspdb_str(value) });
	gaspdb_replay_gap(im, "size limit", im->reading.rest_ns,
			  im->stack.now_ns);
}

void gaspdb_replay_rest_resume(struct gaspdb_importer *im)
{
	const struct gaspdb_rest *r = &im->rest;

	note_beginning(im);
	begin_shares(im);
	for (size_t i = 0; i < r->n; i++) {
		const struct gaspdb_rest_call *call = &r->call[i];

		gaspdb_profile_uncut(&im->rollups, call->profile,
				     call->least_ns);
		gaspdb_path_uncut(&im->paths, call->path, call->path_least_ns);
	}
	for (size_t i = 0; i < r->n; i++) {
		const struct gaspdb_rest_call *call = &r->call[i];
		const int64_t whole_ns =
			gaspdb_plus(call->cut_ns, since_ns(im, call));

		gaspdb_profile_resumed(&im->rollups, call->profile,
				       call->cut_ns, whole_ns, call->ended);
		gaspdb_path_resumed(&im->paths, call->path, call->cut_ns,
				    whole_ns);
	}
}
