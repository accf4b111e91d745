/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of the adapters: the functions of collector.h. */
#include "collector/base/clock.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"
#include "collector/core/heap/heap.h"
#include "collector/core/selection/mask.h"
#include "collector/core/python/places.h"
#include "collector/process/layers.h"
#include "collector/process/process.h"

/* Counts a call that the runtime makes to itself. */
static GASPDB_COLD void count_nested(struct gaspdb_context *c,
				     const struct gaspdb_operation *o)
{
	struct gaspdb_op_state *op;

	if (!gaspdb_begin(c))
		return;
	op = gaspdb_op_find(c, o);
	if (op)
		op->nested++;
	gaspdb_done(c);
}

/* The current call's bit in masked. Depths beyond 63 share bits. */
static inline uint64_t call_bit(const struct gaspdb_context *c)
{
	return UINT64_C(1) << (c->depth & 63);
}

/* Whether the call is not recorded: masked, or an inner call. */
static inline bool is_masked(const struct gaspdb_context *c)
{
	return GASPDB_UNLIKELY(c->masked | c->inner) &&
	       (c->inner || (c->masked & call_bit(c)));
}

static void note_mask(struct gaspdb_context *c,
		      const struct gaspdb_operation *o)
{
	const struct gaspdb_op_state *op;

	if (!gaspdb_begin(c))
		return;
	op = gaspdb_op_find(c, o);
	c->masked &= ~call_bit(c);
	if (op && op->masked)
		c->masked |= call_bit(c);
	gaspdb_done(c);
}

static void count_masked(struct gaspdb_context *c,
			 const struct gaspdb_operation *o)
{
	struct gaspdb_op_state *op;

	if (c->inner || !c->on || !gaspdb_begin(c))
		return;
	op = gaspdb_op_find(c, o);
	if (op)
		op->n_masked++;
	gaspdb_done(c);
}

GASPDB_COLD void gaspdb_calls_left(struct gaspdb_context *c)
{
	const uint64_t ticks = gaspdb_clock_ticks();

	c->depth = c->inner = 0;
	if (c->profile && gaspdb_begin(c)) {
		gaspdb_profile_left(c, ticks);
		gaspdb_done(c);
	}
	gaspdb_record(c, GASPDB_RECORD_LEFT, "u", ticks);
}

/*
 * Enters a call that the program makes within a call: in a callback of an
 * attribute or an error handler.  It is no event, as its time is the outer
 * call's; but its messages and collectives keep their places.
 */
static GASPDB_COLD struct gaspdb_context *
enter_inner(struct gaspdb_context *c, const struct gaspdb_operation *op)
{
	count_nested(c, op);
	c->depth++;
	c->inner++;
	return c;
}

static struct gaspdb_context *enter(const struct gaspdb_operation *op,
				    uintptr_t frame)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (GASPDB_UNLIKELY(!c))
		return NULL;
	if (GASPDB_UNLIKELY(c->depth > 0)) {
		if (frame >= c->frame) {
			gaspdb_calls_left(c);
		} else if (!gaspdb_process.nested) {
			return enter_inner(c, op);
		}
	}
	gaspdb_functions_check(c, frame);
	if (c->depth++ == 0)
		c->frame = frame;
	if (GASPDB_UNLIKELY(gaspdb_context_is_behind(c)))
		gaspdb_context_catch_up(c);
	gaspdb_heap_check();
	if (GASPDB_UNLIKELY(gaspdb_masks.any))
		note_mask(c, op);
	return c;
}

static GASPDB_COLD void count_runtime_call(const struct gaspdb_operation *op)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (c)
		count_nested(c, op);
}

/* Whether a call that is not made by the program's own code is the runtime's;
   one that a binding makes gets the place of the program's code. */
static GASPDB_COLD bool is_runtime_call(struct gaspdb_entry *e,
					enum gaspdb_caller caller)
{
	if (caller == GASPDB_BINDING)
		e->pc = gaspdb_python_place(e->pc);
	return gaspdb_is_runtime(e, caller) && !gaspdb_process.nested;
}

GASPDB_EXPORT struct gaspdb_context *
gaspdb_enter(const struct gaspdb_operation *op, struct gaspdb_entry *e)
{
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	const enum gaspdb_caller caller = gaspdb_caller_at(e->pc);
	struct gaspdb_context *c;

	gaspdb_entry_pass_on(e);
	if (GASPDB_UNLIKELY(caller != GASPDB_PROGRAM) &&
	    is_runtime_call(e, caller)) {
		count_runtime_call(op);
		return NULL;
	}
	if (GASPDB_UNLIKELY(e->to_other)) {
		gaspdb_entry_note(e, frame);
		return NULL;
	}
	if (GASPDB_UNLIKELY(gaspdb_outermost.pc != NULL))
		gaspdb_entry_use_place(e, frame);
	c = enter(op, frame);
	e->unlogged = !c;
	if (GASPDB_UNLIKELY(c && c->call_stacks))
		e->pc = gaspdb_call_stack(c, e->pc, (uintptr_t)e);
	return c;
}

GASPDB_EXPORT bool gaspdb_libc_is_programs(const void *pc)
{
	return gaspdb_is_for_program(gaspdb_caller_at(pc));
}

/* The place of a call that a library makes for the program. */
static GASPDB_COLD const void *place_beyond(struct gaspdb_context *c,
					    const void *pc,
					    enum gaspdb_caller caller)
{
	if (caller == GASPDB_BINDING)
		return gaspdb_python_place(pc);
	return caller == GASPDB_LANGUAGE ? gaspdb_caller_of_language(c, pc)
					 : pc;
}

GASPDB_EXPORT struct gaspdb_context *
gaspdb_enter_libc(const struct gaspdb_operation *op, const void **pc)
{
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	const enum gaspdb_caller caller = gaspdb_caller_at(*pc);
	struct gaspdb_context *c;

	if (!gaspdb_is_for_program(caller))
		return NULL;
	c = gaspdb_context_get();
	if (GASPDB_UNLIKELY(!c || c->busy) ||
	    (c->depth > 0 && frame < c->frame))
		return NULL;
	if (GASPDB_UNLIKELY(caller != GASPDB_PROGRAM))
		*pc = place_beyond(c, *pc, caller);
	c = enter(op, frame);
	if (GASPDB_UNLIKELY(c && c->call_stacks))
		*pc = gaspdb_call_stack(c, *pc, (uintptr_t)pc);
	return c;
}

GASPDB_EXPORT struct gaspdb_context *
gaspdb_enter_last(const struct gaspdb_operation *op, struct gaspdb_entry *e)
{
	struct gaspdb_context *c = gaspdb_context_last();

	if (!c)
		return NULL;
	/* The caller is not looked for: it may be a signal handler. */
	if (e && gaspdb_python_is_found())
		e->pc = gaspdb_python_place(e->pc);
	c->depth++;
	c->inner = 0;
	c->frame = UINTPTR_MAX;
	if (gaspdb_masks.any)
		note_mask(c, op);
	return c;
}

GASPDB_EXPORT void gaspdb_leave(struct gaspdb_context *c)
{
	if (c->depth > 0)
		c->depth--;
	if (GASPDB_UNLIKELY(c->inner))
		c->inner--;
}

GASPDB_EXPORT bool gaspdb_recording(const struct gaspdb_context *c)
{
	return c->on && !is_masked(c);
}

GASPDB_EXPORT bool gaspdb_masked(const struct gaspdb_context *c)
{
	return c->on && is_masked(c);
}

GASPDB_EXPORT uint32_t gaspdb_profile_call(struct gaspdb_context *c)
{
	if (GASPDB_LIKELY(!c->profile))
		return GASPDB_CALL_TRACED;
	if (c->profile->over || is_masked(c) ||
	    !(c->on || gaspdb_profiles_all()))
		return 0;
	return c->profile->at->number;
}

GASPDB_EXPORT uint64_t gaspdb_ticks(void)
{
	return gaspdb_clock_ticks();
}

/* Records any event: the slow path. */
static GASPDB_COLD void any_event(struct gaspdb_context *c,
				  enum gaspdb_phase phase, uint64_t ticks,
				  const struct gaspdb_operation *o,
				  const void *pc, unsigned n,
				  const uint64_t *args)
{
	struct gaspdb_op_state *op;
	struct gaspdb_site *site;

	if (!(c->paths & 1u << GASPDB_PATH_ADAPTER))
		gaspdb_context_emit_cost(c, GASPDB_PATH_ADAPTER);
	if (!gaspdb_begin(c))
		return;
	op = gaspdb_op_find(c, o);
	site = op ? gaspdb_site_pc(c, o, op, pc) : NULL;
	if (site)
		gaspdb_emit_event(c, phase, site, ticks, n, args);
	else
		gaspdb_event_lose(c, phase, ticks);
	gaspdb_done(c);
}

/* An event while recording is off. */
static GASPDB_COLD void off_event(struct gaspdb_context *c,
				  enum gaspdb_phase phase, uint64_t ticks,
				  const struct gaspdb_operation *o,
				  const void *pc, unsigned n,
				  const uint64_t *args)
{
	c->n_off++;
	if (gaspdb_profiles_all())
		any_event(c, phase, ticks, o, pc, n, args);
}

/* Counts an event in a profile that stands for the trace.  c is busy. */
static __attribute__((noinline)) void
counted_event(struct gaspdb_context *c, enum gaspdb_phase phase, uint64_t ticks,
	      const struct gaspdb_site_key *key, unsigned n,
	      const uint64_t *args)
{
	const struct gaspdb_op_state *op = c->profile->at->op;
	struct gaspdb_site *site;

	if (phase == GASPDB_PHASE_END && GASPDB_LIKELY(op->key == key->what)) {
		gaspdb_profile_ended(c, op, ticks, n, args);
		gaspdb_done(c);
		return;
	}
	site = gaspdb_site_find(c, key);
	if (GASPDB_LIKELY(site != NULL)) {
		c->last = site;
		gaspdb_profile_event(c, phase, site, ticks, n, args);
		gaspdb_done(c);
		return;
	}
	gaspdb_done(c);
	any_event(c, phase, ticks, key->what, key->place, n, args);
}

static inline void event(struct gaspdb_context *c, enum gaspdb_phase phase,
			 const struct gaspdb_operation *o, const void *pc,
			 unsigned n, const uint64_t *args)
{
	const uint64_t ticks = gaspdb_clock_ticks();
	const struct gaspdb_site_key key = { o, pc, 0 };
	const struct gaspdb_plan *plan;
	struct gaspdb_site *site;

	if (is_masked(c)) {
		count_masked(c, o);
		return;
	}
	if (GASPDB_UNLIKELY(!c->on)) {
		off_event(c, phase, ticks, o, pc, n, args);
		return;
	}
	if (GASPDB_UNLIKELY(c->busy)) {
		any_event(c, phase, ticks, o, pc, n, args);
		return;
	}
	if (!gaspdb_begin_idle(c))
		return;
	if (gaspdb_is_profile_only(c)) {
		counted_event(c, phase, ticks, &key, n, args);
		return;
	}
	site = gaspdb_site_find(c, &key);
	if (GASPDB_UNLIKELY(!site || !gaspdb_event_is_usual(c, ticks, n))) {
		gaspdb_done(c);
		any_event(c, phase, ticks, o, pc, n, args);
		return;
	}
	plan = &site->op->plan[phase];
	gaspdb_put_event(c, phase, site, plan, ticks, n < plan->n ? n : plan->n,
			 args);
	gaspdb_done(c);
}

/* The clock is read first, for START and END.  Recording START (some 20 ns)
   counts as the call's time. */
GASPDB_EXPORT void gaspdb_start(struct gaspdb_context *c,
				const struct gaspdb_operation *op,
				const void *pc, unsigned n,
				const uint64_t *args)
{
	event(c, GASPDB_PHASE_START, op, pc, n, args);
}

GASPDB_EXPORT void gaspdb_end(struct gaspdb_context *c,
			      const struct gaspdb_operation *op, const void *pc,
			      unsigned n, const uint64_t *args)
{
	event(c, GASPDB_PHASE_END, op, pc, n, args);
}

extern __typeof__(gaspdb_start) gaspdb_own_start GASPDB_OWN(gaspdb_start);
extern __typeof__(gaspdb_end) gaspdb_own_end GASPDB_OWN(gaspdb_end);
