/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames are linked, not stacked: pairs may cross, and then one is taken from
 * the middle.  Events of one operation have a chain of their own, so that an
 * end finds its start at once however deep the stack is.
 */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static struct gaspdb_frame *frame(const struct gaspdb_stack *s, uint32_t i)
{
	return i == GASPDB_ABSENT ? NULL : &s->frames[i];
}

static uint32_t index_of(const struct gaspdb_stack *s,
			 const struct gaspdb_frame *f)
{
	return (uint32_t)(f - s->frames);
}

void gaspdb_stack_init(struct gaspdb_stack *s, int64_t first_ns)
{
	memset(s, 0, sizeof *s);
	s->free = s->top = s->overlay_top = GASPDB_ABSENT;
	s->first_ns = s->now_ns = first_ns;
	s->edge_ns = INT64_MAX;
}

void gaspdb_stack_free(struct gaspdb_stack *s)
{
	free(s->frames);
	memset(s, 0, sizeof *s);
}

struct gaspdb_frame *gaspdb_stack_below(const struct gaspdb_stack *s,
					const struct gaspdb_frame *f)
{
	return frame(s, f->below);
}

struct gaspdb_frame *gaspdb_stack_overlay(const struct gaspdb_stack *s)
{
	return frame(s, s->overlay_top);
}

/* --- time ----------------------------------------------------------------- */

static inline void go_on(struct gaspdb_stack *s, int64_t t_ns,
			 enum gaspdb_step step)
{
	struct gaspdb_frame *top = gaspdb_stack_top(s);
	const uint8_t context =
		top ? top->context : GASPDB_CATEGORY_computation;
	int64_t passed = t_ns - s->now_ns;

	if (passed <= 0)
		return;
	s->now_ns = t_ns;
	if (s->off || step == GASPDB_STEP_DAMAGE) {
		s->not_recorded_ns += passed;
		return;
	}
	if (step == GASPDB_STEP_TOOL && context == GASPDB_CATEGORY_computation)
		s->tool_ns += passed;
	else
		s->category_ns[context] += passed;
	if (top && step == GASPDB_STEP_NORMAL)
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

static const struct gaspdb_frame fresh = {
	.below = GASPDB_ABSENT,
	.above = GASPDB_ABSENT,
	.outer = GASPDB_ABSENT,
	.completions = GASPDB_ABSENT,
};

static struct gaspdb_frame *take_frame(struct gaspdb_stack *s)
{
	struct gaspdb_frame *f = frame(s, s->free);

	if (f) {
		s->free = f->below;
	} else {
		s->frames = gaspdb_mem_grow(s->frames, &s->capacity, s->n + 1,
					    sizeof *s->frames);
		f = &s->frames[s->n++];
	}
	/* But for the values of the roles, which are valid by their bits. */
	memcpy(f, &fresh,
	       offsetof(struct gaspdb_frame, roles) +
		       offsetof(struct gaspdb_roles, value));
	return f;
}

static uint8_t context_in(const struct gaspdb_frame *below,
			  const struct gaspdb_log_operation *o)
{
	if (o->function)
		return GASPDB_CATEGORY_computation;
	if (below && below->context != GASPDB_CATEGORY_computation)
		return below->context;
	return o->runtime ? o->category : GASPDB_CATEGORY_computation;
}

bool gaspdb_stack_nested(const struct gaspdb_stack *s,
			 const struct gaspdb_log_operation *o)
{
	const struct gaspdb_frame *top = gaspdb_stack_top(s);

	return !o->overlay && !o->function && top &&
	       top->context != GASPDB_CATEGORY_computation;
}

struct gaspdb_frame *gaspdb_stack_push(struct gaspdb_stack *s,
				       struct gaspdb_log_operation *o)
{
	uint32_t *top = o->overlay ? &s->overlay_top : &s->top;
	struct gaspdb_frame *f, *below;
	uint32_t i;

	if (s->n_open == GASPDB_OPEN_MAX)
		return NULL;
	s->n_open++;
	f = take_frame(s);
	i = index_of(s, f);
	below = frame(s, *top);
	f->operation = o;
	f->start_ns = s->now_ns;
	f->nested = gaspdb_stack_nested(s, o);
	f->context = context_in(below, o);
	f->below = *top;
	if (below)
		below->above = i;
	*top = i;
	f->outer = o->innermost;
	o->innermost = i;
	return f;
}

struct gaspdb_frame *gaspdb_stack_find(struct gaspdb_stack *s,
				       const struct gaspdb_log_operation *o)
{
	return frame(s, o->innermost);
}

/* f was taken from below these: what they lie in may have changed. */
static void renew_contexts(struct gaspdb_stack *s, struct gaspdb_frame *f)
{
	for (; f; f = frame(s, f->above)) {
		uint8_t context =
			context_in(gaspdb_stack_below(s, f), f->operation);

		if (context == f->context)
			return;
		f->context = context;
	}
}

static void unlink_frame(struct gaspdb_stack *s, struct gaspdb_frame *f)
{
	struct gaspdb_frame *below = frame(s, f->below);
	struct gaspdb_frame *above = frame(s, f->above);
	uint32_t *top = f->operation->overlay ? &s->overlay_top : &s->top;
	uint32_t *chain = &f->operation->innermost;

	while (*chain != index_of(s, f))
		chain = &s->frames[*chain].outer;
	*chain = f->outer;
	if (below)
		below->above = f->above;
	if (above)
		above->below = f->below;
	else
		*top = f->below;
}

void gaspdb_stack_remove(struct gaspdb_stack *s, struct gaspdb_frame *f,
			 int64_t *parent, bool *crossed)
{
	struct gaspdb_frame *below = gaspdb_stack_below(s, f);
	struct gaspdb_frame *above = frame(s, f->above);
	const bool overlay = f->operation->overlay;

	*parent = overlay || !below ? GASPDB_NULL : below->id;
	*crossed = false;
	if (f->ended_id && f->ended_ns == s->now_ns)
		*parent = f->ended_id;
	else if (f->ended_id)
		*crossed = true;
	unlink_frame(s, f);
	if (above && !overlay) {
		if (!above->ended_id || above->ended_ns < s->now_ns) {
			above->ended_id = f->id;
			above->ended_ns = s->now_ns;
		}
		renew_contexts(s, above);
	}
	s->n_open--;
}

void gaspdb_stack_release(struct gaspdb_stack *s, struct gaspdb_frame *f)
{
	f->below = s->free;
	s->free = index_of(s, f);
}
