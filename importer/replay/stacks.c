/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open events as linked frames, because pairs may cross and then a frame is
 * removed from the middle. Open events of one operation form a chain of their
 * own, so that an end finds its start in constant time.
 */
#include "importer/replay/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

struct gaspdb_frames {
	struct gaspdb_frames *next;
	size_t n;
	struct gaspdb_frame frame[];
};

void gaspdb_stack_init(struct gaspdb_stack *s, int64_t first_ns)
{
	*s = (struct gaspdb_stack){
		.frames = s->frames,
		.free = s->free,
		.first_ns = first_ns,
		.now_ns = first_ns,
		.edge_ns = INT64_MAX,
		.context = GASPDB_CATEGORY_computation,
	};
}

void gaspdb_stack_free(struct gaspdb_stack *s)
{
	struct gaspdb_frames *piece, *next;

	for (piece = s->frames; piece; piece = next) {
		next = piece->next;
		free(piece);
	}
	memset(s, 0, sizeof *s);
}

/* --- time ----------------------------------------------------------------- */

static inline void go_on(struct gaspdb_stack *s, int64_t t_ns,
			 enum gaspdb_step step)
{
	struct gaspdb_frame *top = gaspdb_stack_top(s);
	int64_t passed = t_ns - s->now_ns;

	if (passed <= 0)
		return;
	s->now_ns = t_ns;
	if (s->off || step == GASPDB_STEP_DAMAGE) {
		s->not_recorded_ns += passed;
		return;
	}
	if (step == GASPDB_STEP_TOOL &&
	    s->context == GASPDB_CATEGORY_computation)
		s->tool_ns += passed;
	else if (step == GASPDB_STEP_UNSERVED &&
		 s->context == GASPDB_CATEGORY_computation)
		s->unserved_ns += passed;
	else
		s->category_ns[s->context] += passed;
	if (top && step != GASPDB_STEP_TOOL)
		top->self_ns += passed;
}

void gaspdb_stack_advance(struct gaspdb_stack *s, int64_t t_ns,
			  enum gaspdb_step step)
{
	while (t_ns > s->edge_ns) {
		go_on(s, s->edge_ns, step);
		s->at_edge(s->user, s, t_ns);
	}
	go_on(s, t_ns, step);
}

/* --- frames --------------------------------------------------------------- */

/* Allocates frames; each piece is twice as large as the previous one. */
void gaspdb_stack_more_frames(struct gaspdb_stack *s)
{
	const size_t n = s->frames ? 2 * s->frames->n : 16;
	struct gaspdb_frames *piece =
		gaspdb_mem_alloc(sizeof *piece + n * sizeof *piece->frame);

	piece->next = s->frames;
	piece->n = n;
	s->frames = piece;
	for (size_t i = n; i-- > 0;)
		gaspdb_stack_release(s, &piece->frame[i]);
}

/* --- categories of time --------------------------------------------------- */

/*
 * A frame may be removed below any number of others, which changes what
 * encloses them. So frames do not store their context. It is known only for the
 * top, by two chains: of frames that determine the category, and of user
 * functions.
 */

/* Does an event of this operation determine the category? A user function does:
   it is user code even inside the runtime. */
static bool decides(const struct gaspdb_log_operation *o)
{
	return !o->overlay && (o->function || o->runtime);
}

static void find_context(struct gaspdb_stack *s)
{
	const struct gaspdb_frame *f =
		s->function ? s->function->deciding.above : s->deciding.above;

	s->context = f ? f->operation->category : GASPDB_CATEGORY_computation;
}

static void decide(struct gaspdb_stack *s, struct gaspdb_frame *f)
{
	struct gaspdb_frame *below = s->deciding.below;

	f->deciding = (struct gaspdb_chain){ below, NULL };
	*(below ? &below->deciding.above : &s->deciding.above) = f;
	s->deciding.below = f;
	if (f->operation->function) {
		f->functions = (struct gaspdb_chain){ s->function, NULL };
		if (s->function)
			s->function->functions.above = f;
		s->function = f;
	}
	find_context(s);
}

static void decide_no_more(struct gaspdb_stack *s, struct gaspdb_frame *f)
{
	const struct gaspdb_chain d = f->deciding, u = f->functions;

	*(d.below ? &d.below->deciding.above : &s->deciding.above) = d.above;
	*(d.above ? &d.above->deciding.below : &s->deciding.below) = d.below;
	if (f->operation->function) {
		if (u.below)
			u.below->functions.above = u.above;
		*(u.above ? &u.above->functions.below : &s->function) = u.below;
	}
	find_context(s);
}

/* --- starts and ends ------------------------------------------------------ */

struct gaspdb_frame *gaspdb_stack_push(struct gaspdb_stack *s,
				       struct gaspdb_log_operation *o)
{
	struct gaspdb_frame **top = o->overlay ? &s->overlay_top : &s->top;
	struct gaspdb_frame *f, *below = *top;

	if (s->n_open == GASPDB_OPEN_MAX)
		return NULL;
	s->n_open++;
	f = gaspdb_stack_consume(s);
	f->operation = o;
	f->start_ns = s->now_ns;
	f->nested = gaspdb_stack_nested(s, o);
	f->below = below;
	if (below)
		below->above = f;
	*top = f;
	f->outer = o->innermost;
	o->innermost = f;
	o->n_open[f->nested]++;
	s->n_runtime += o->runtime;
	if (decides(o))
		decide(s, f);
	return f;
}

static void unlink_frame(struct gaspdb_stack *s, struct gaspdb_frame *f)
{
	struct gaspdb_frame **chain = &f->operation->innermost;

	while (*chain != f)
		chain = &(*chain)->outer;
	*chain = f->outer;
	if (f->below)
		f->below->above = f->above;
	if (f->above)
		f->above->below = f->below;
	else if (f->operation->overlay)
		s->overlay_top = f->below;
	else
		s->top = f->below;
}

void gaspdb_stack_remove(struct gaspdb_stack *s, struct gaspdb_frame *f,
			 int64_t *parent, bool *crossed)
{
	struct gaspdb_frame *below = f->below, *above = f->above;
	const bool overlay = f->operation->overlay;

	*parent = overlay || !below ? GASPDB_NULL : below->id;
	*crossed = false;
	if (f->ended_id && f->ended_ns == s->now_ns)
		*parent = f->ended_id;
	else if (f->ended_id)
		*crossed = true;
	unlink_frame(s, f);
	if (above && !overlay &&
	    (!above->ended_id || above->ended_ns < s->now_ns)) {
		above->ended_id = f->id;
		above->ended_ns = s->now_ns;
	}
	if (decides(f->operation))
		decide_no_more(s, f);
	f->operation->n_open[f->nested]--;
	s->n_runtime -= f->operation->runtime;
	s->n_open--;
}
