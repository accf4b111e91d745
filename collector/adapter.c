/* SPDX-License-Identifier: BSD-2-Clause */
/* The adapters' side of the collector: see collector.h. */
#include <string.h>
#include <time.h>

#include "clock.h"
#include "event.h"
#include "layers.h"
#include "mask.h"
#include "process.h"

/* A call that the runtime makes to itself is only counted. */
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

/* The call that is going on: its bit in masked.  Deeper ones share bits. */
static inline uint64_t call_bit(const struct gaspdb_context *c)
{
	return UINT64_C(1) << (c->depth & 63);
}

/* Is the call not to be written: by its operation, or as an inner one? */
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

/* The calls that seemed open were left by a jump, an error handler's for one.
 */
static GASPDB_COLD void note_left(struct gaspdb_context *c)
{
	c->depth = c->inner = 0;
	gaspdb_record(c, GASPDB_RECORD_LEFT, "u", gaspdb_clock_ticks());
}

/*
 * A call that the runtime makes to itself lies deeper in the stack than the one
 * it is made from.  (The stack grows downwards on all we know.)
 */
/*
 * A call of the program's within a call: in a callback of an attribute, of an
 * error handler.  It is no event, for the runtime's time is the outer call's;
 * but its messages and collectives take their places among the others.
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
			note_left(c);
		} else if (!gaspdb_process.nested) {
			return enter_inner(c, op);
		}
	}
	if (c->depth++ == 0)
		c->frame = frame;
	if (GASPDB_UNLIKELY(gaspdb_context_is_behind(c)))
		gaspdb_context_catch_up(c);
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

GASPDB_EXPORT struct gaspdb_context *
gaspdb_enter(const struct gaspdb_operation *op, struct gaspdb_entry *e)
{
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

	gaspdb_entry_pass_on(e);
	if (GASPDB_UNLIKELY(gaspdb_is_runtime(e)) && !gaspdb_process.nested) {
		count_runtime_call(op);
		return NULL;
	}
	if (GASPDB_UNLIKELY(e->to_other)) {
		gaspdb_entry_note(e, frame);
		return NULL;
	}
	if (GASPDB_UNLIKELY(gaspdb_outermost.pc != NULL))
		gaspdb_entry_take_place(e, frame);
	return enter(op, frame);
}

GASPDB_EXPORT struct gaspdb_context *
gaspdb_enter_last(const struct gaspdb_operation *op)
{
	struct gaspdb_context *c = gaspdb_context_last();

	if (!c)
		return NULL;
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

GASPDB_EXPORT uint64_t gaspdb_ticks(void)
{
	return gaspdb_clock_ticks();
}

/* Any event. */
static GASPDB_COLD void any_event(struct gaspdb_context *c,
				  enum gaspdb_phase phase, uint64_t ticks,
				  const struct gaspdb_operation *o,
				  const void *pc, unsigned n,
				  const uint64_t *args)
{
	struct gaspdb_op_state *op;
	struct gaspdb_site *site;

	if (!(c->paths & 1u << GASPDB_PATH_ADAPTER))
		gaspdb_context_takes(c, GASPDB_PATH_ADAPTER);
	if (!gaspdb_begin(c))
		return;
	op = gaspdb_op_find(c, o);
	site = op ? gaspdb_site_pc(c, o, op, pc) : NULL;
	if (site)
		gaspdb_emit(c, phase, site, ticks, n, args);
	else
		gaspdb_context_lose(c);
	gaspdb_done(c);
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
	if (!c->on)
		return;
	if (GASPDB_UNLIKELY(c->busy)) {
		any_event(c, phase, ticks, o, pc, n, args);
		return;
	}
	if (!gaspdb_begin_idle(c))
		return;
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

/*
 * The END's clock is read before anything of ours; the START's too, which
 * counts our recording of it to the call: some 20 ns.
 */
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

/* --- calls that look ------------------------------------------------------ */

/* Of a program's loop that does nothing else, at least. */
#define LOOKS_PER_SECOND 200000
/* What interrupts it now and then, as the system's clock does, takes no longer
   than this, and no more than this part of the time since it did so last. */
#define PAUSES_PER_SECOND 10000
#define PAUSE_PART	  8
/* So often a second the processor time is looked at nevertheless. */
#define USES_PER_SECOND 1000
/* So many times in a row one that works is not asked. */
#define UNASKED_MAX 16

static int64_t used_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		return 0;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t ns_of(uint64_t ticks)
{
	return (int64_t)((double)(int64_t)ticks * 1e9 /
			 (double)gaspdb_process.ticks_hz);
}

/* Since the last look, so long ago, has the thread hardly run?  While it looked
   it ran all the time.  The longer one works the less it is asked. */
static GASPDB_COLD bool was_idle(struct gaspdb_context *c, uint64_t ticks)
{
	struct gaspdb_look *l = &c->look;
	const int64_t looked_ns = ns_of(c->log.last_ticks - l->used_ticks);

	if (!l->used_ticks)
		return false;
	if ((used_ns() - l->used_ns - looked_ns) * 4 < ns_of(ticks)) {
		l->worked = 0;
		return true;
	}
	if (l->worked < UNASKED_MAX)
		l->worked++;
	l->unasked = l->worked;
	return false;
}

/* Has the thread been interrupted since the last look?  What its loop does
   comes too often for that. */
static bool is_pause(struct gaspdb_context *c, uint64_t now, uint64_t passed)
{
	struct gaspdb_look *l = &c->look;

	if (passed >= gaspdb_process.ticks_hz / PAUSES_PER_SECOND ||
	    passed * PAUSE_PART >= c->log.last_ticks - l->paused_ticks)
		return false;
	l->paused_ticks = now;
	return true;
}

/* A look in vain has ended.  A call of its own that took long may have slept.
 */
static inline void note_use(struct gaspdb_context *c)
{
	struct gaspdb_look *l = &c->look;
	const uint64_t hz = gaspdb_process.ticks_hz, now = c->log.last_ticks;

	if (l->unasked) {
		l->unasked--;
		l->used_ticks = 0;
	} else if (now - l->ended_ticks >= hz / LOOKS_PER_SECOND ||
		   now - l->used_ticks >= hz / USES_PER_SECOND) {
		l->used_ns = used_ns();
		l->used_ticks = gaspdb_clock_ticks();
	}
	l->ended_ticks = now;
}

/* Is it the END of such a call that the log ends with, just now? */
static bool goes_on(struct gaspdb_context *c, const struct gaspdb_operation *op,
		    const void *pc, unsigned n, const uint64_t *args)
{
	const struct gaspdb_look *l = &c->look;
	uint64_t now, passed;

	if (!l->ended || l->ended != c->log.at || l->block != c->log.number ||
	    l->op != op || l->pc != pc || l->n != n || !c->on || is_masked(c))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (l->args[i] != args[i])
			return false;
	now = gaspdb_clock_ticks();
	passed = now - c->log.last_ticks;
	return passed < gaspdb_process.ticks_hz / LOOKS_PER_SECOND ||
	       is_pause(c, now, passed) || was_idle(c, passed);
}

/* That END is taken back: what has begun goes on. */
static void take_back(struct gaspdb_context *c)
{
	struct gaspdb_look *l = &c->look;

	gaspdb_log_writer_commit(&c->log, l->begun);
	atomic_signal_fence(memory_order_seq_cst);
	c->log.last_ticks = l->last_ticks;
	c->last = l->last;
	l->ended = NULL;
	l->attempts++;
}

static bool go_on(struct gaspdb_context *c, const struct gaspdb_operation *op,
		  const void *pc, unsigned n, const uint64_t *args)
{
	bool on;

	if (c->busy || !gaspdb_begin_idle(c))
		return false;
	on = goes_on(c, op, pc, n, args);
	if (on)
		take_back(c);
	gaspdb_done(c);
	return on;
}

GASPDB_EXPORT void gaspdb_start_look(struct gaspdb_context *c,
				     const struct gaspdb_operation *op,
				     const void *pc, unsigned n,
				     const uint64_t *args)
{
	struct gaspdb_look *l = &c->look;

	if (go_on(c, op, pc, n, args))
		return;
	event(c, GASPDB_PHASE_START, op, pc, n, args);
	if (l->pc != pc)
		l->worked = l->unasked = 0;
	l->op = op;
	l->pc = pc;
	l->n = n;
	memcpy(l->args, args, n * sizeof *args);
	l->attempts = 1;
	l->paused_ticks = c->log.last_ticks;
	l->begun = c->log.at;
	l->block = c->log.number;
	l->ended = NULL;
	l->ended_ticks = 0;
}

/* The end of the event at p, whatever a signal's handler writes behind it. */
static unsigned char *end_of_event(unsigned char *p)
{
	const unsigned head = *p++;
	unsigned numbers =
		1 + (head >> GASPDB_ARGS_SHIFT) + !(head & GASPDB_SAME_SITE);

	for (; numbers; numbers--)
		while (*p++ & 0x80)
			;
	return p;
}

GASPDB_EXPORT void gaspdb_end_look(struct gaspdb_context *c,
				   const struct gaspdb_operation *op,
				   const void *pc, bool success)
{
	struct gaspdb_look *l = &c->look;
	unsigned char *const at = c->log.at;

	l->last_ticks = c->log.last_ticks;
	l->last = c->last;
	c->in_vain = !success;
	event(c, GASPDB_PHASE_END, op, pc, l->attempts > 1 ? 2 : 1,
	      (uint64_t[]){ success, l->attempts });
	c->in_vain = false;
	if (success || at != l->begun || l->block != c->log.number ||
	    at == c->log.at)
		return;
	l->ended = end_of_event(at);
	note_use(c);
}

extern __typeof__(gaspdb_start) gaspdb_own_start GASPDB_OWN(gaspdb_start);
extern __typeof__(gaspdb_end) gaspdb_own_end GASPDB_OWN(gaspdb_end);
