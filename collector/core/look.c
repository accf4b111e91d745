/* SPDX-License-Identifier: BSD-2-Clause */
/* Folding of polling loops: see look.h. */
#include "collector/core/look.h"

#include <string.h>
#include <time.h>

#include "collector/core/clock.h"
#include "collector/core/event.h"
#include "collector/process/process.h"

extern __typeof__(gaspdb_start) gaspdb_own_start GASPDB_HIDDEN;
extern __typeof__(gaspdb_end) gaspdb_own_end GASPDB_HIDDEN;

/* --- time between two calls ---------------------------------------------- */

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

/* Does the log end with the END of a call in vain, and is that just now? */
static bool goes_on(struct gaspdb_context *c)
{
	const struct gaspdb_look *l = &c->look;
	uint64_t now, passed;

	if (!l->ended || l->ended != c->log.at || l->block != c->log.number)
		return false;
	now = gaspdb_clock_ticks();
	passed = now - c->log.last_ticks;
	return passed < gaspdb_process.ticks_hz / LOOKS_PER_SECOND ||
	       is_pause(c, now, passed) || was_idle(c, passed);
}

/* --- the calls of a loop -------------------------------------------------- */

static bool is_key(const struct gaspdb_site_key *a,
		   const struct gaspdb_site_key *b)
{
	return a->place == b->place && a->what == b->what && a->line == b->line;
}

static bool is_call(const struct gaspdb_look_call *call,
		    const struct gaspdb_look_call *other)
{
	if (!is_key(&call->key, &other->key) || call->n != other->n)
		return false;
	for (unsigned i = 0; i < call->n; i++)
		if (call->args[i] != other->args[i])
			return false;
	return true;
}

/*
 * Which of the loop's calls it is; n: none.  Most loops come round in the same
 * order.  A loop of more calls than are told apart looks at many things from
 * one line: which, does not matter then.
 */
static unsigned find_call(const struct gaspdb_look *l,
			  const struct gaspdb_look_call *call)
{
	const unsigned next = l->at + 1 < l->n ? l->at + 1 : 0;

	if (is_call(&l->call[next], call))
		return next;
	for (unsigned i = 0; i < l->n; i++)
		if (is_call(&l->call[i], call))
			return i;
	if (l->n < GASPDB_LOOKS_MAX || call->kind == GASPDB_LOOK_WEAK)
		return l->n;
	for (unsigned i = 0; i < l->n; i++)
		if (is_key(&l->call[i].key, &call->key))
			return i;
	return l->n;
}

/* A loop begins, of this call alone. */
static void begin_loop(struct gaspdb_look *l,
		       const struct gaspdb_look_call *call)
{
	if (!l->n || !is_key(&l->call[0].key, &call->key))
		l->worked = l->unasked = 0;
	l->call[0] = *call;
	l->n = 1;
	l->at = 0;
	l->ended_ticks = 0;
}

/* A call of the loop has found another value: a loop of its own begins. */
static void begin_anew(struct gaspdb_look *l, uint64_t ticks)
{
	const struct gaspdb_look_call call = l->call[l->at];

	begin_loop(l, &call);
	l->event = 0;
	l->attempts = 1;
	l->paused_ticks = ticks;
}

/* --- START ---------------------------------------------------------------- */

/* The END of the loop's event is taken back: the event goes on. */
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

/* Can the START of a call at that site be taken back? */
static bool remember_bases(struct gaspdb_context *c,
			   const struct gaspdb_site_key *key)
{
	const struct gaspdb_site *s = gaspdb_site_find(c, key);
	const struct gaspdb_plan *plan;

	if (!s)
		return false;
	plan = &s->op->plan[GASPDB_PHASE_START];
	for (unsigned i = 0; i < plan->n; i++)
		if (plan->step[i].how == GASPDB_HOW_ADDRESS &&
		    plan->step[i].base >= GASPDB_NEAR_BASES)
			return false;
	for (unsigned i = 0; i < GASPDB_NEAR_BASES; i++)
		c->look.base[i] = s->block == (uint32_t)c->log.number + 1
					  ? s->base[i]
					  : 0;
	return true;
}

static enum gaspdb_look_mode choose_mode(struct gaspdb_context *c,
					 const struct gaspdb_look_call *call)
{
	struct gaspdb_look *l = &c->look;
	const bool on = goes_on(c);
	const unsigned at = on ? find_call(l, call) : 0;

	if (!on || at == GASPDB_LOOKS_MAX) {
		begin_loop(l, call);
		return GASPDB_LOOK_NEW;
	}
	if (at == l->n)
		l->call[l->n++] = *call;
	else if (at == l->event && call->kind == GASPDB_LOOK_TEST &&
		 is_call(&l->call[at], call)) {
		l->at = at;
		take_back(c);
		return GASPDB_LOOK_GOES_ON;
	} else if ((call->kind == GASPDB_LOOK_WEAK ||
		    l->call[l->event].kind != GASPDB_LOOK_WEAK) &&
		   remember_bases(c, &call->key)) {
		l->at = at;
		return GASPDB_LOOK_JOINS;
	}
	l->at = at;
	return GASPDB_LOOK_NEW;
}

enum gaspdb_look_mode gaspdb_look_begin(struct gaspdb_context *c,
					enum gaspdb_look_kind kind,
					const struct gaspdb_site_key *key,
					unsigned n, const uint64_t *args)
{
	struct gaspdb_look_call call = { *key, kind, n, { 0 }, 0 };
	enum gaspdb_look_mode mode;

	if (!gaspdb_recording(c) || c->busy || !gaspdb_begin_idle(c))
		return GASPDB_LOOK_PLAIN;
	memcpy(call.args, args, n * sizeof *args);
	mode = choose_mode(c, &call);
	gaspdb_done(c);
	return mode;
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

void gaspdb_look_begun(struct gaspdb_context *c, enum gaspdb_look_mode mode)
{
	struct gaspdb_look *l = &c->look;
	unsigned char *const ended = l->ended;

	l->ended = NULL;
	if (mode == GASPDB_LOOK_JOINS) {
		l->joined = l->block == c->log.number && ended &&
					    c->log.at > ended &&
					    end_of_event(ended) == c->log.at
				    ? c->log.at
				    : NULL;
		return;
	}
	l->event = l->at;
	l->attempts = 1;
	l->begun = c->log.at;
	l->block = c->log.number;
	if (l->n == 1)
		l->paused_ticks = c->log.last_ticks;
}

GASPDB_EXPORT void gaspdb_look_told(struct gaspdb_context *c,
				    enum gaspdb_look_mode mode)
{
	if (mode == GASPDB_LOOK_NEW && c->look.block == c->log.number)
		c->look.begun = c->log.at;
}

/* --- END ------------------------------------------------------------------ */

/* Its START goes, and the loop's event ends now. */
static void fold(struct gaspdb_context *c, uint64_t ticks)
{
	struct gaspdb_look *l = &c->look;

	for (unsigned i = 0; i < GASPDB_NEAR_BASES; i++)
		c->last->base[i] = l->base[i];
	take_back(c);
	l->end[l->n_end] = l->attempts;
	c->in_vain = true;
	gaspdb_emit(c, GASPDB_PHASE_END, c->last, ticks, l->n_end + 1, l->end);
	c->in_vain = false;
	l->joined = NULL;
	if (c->live && l->block == c->log.number)
		l->ended = end_of_event(l->begun);
}

bool gaspdb_look_fold(struct gaspdb_context *c, enum gaspdb_look_mode mode,
		      uint64_t value)
{
	struct gaspdb_look *l = &c->look;
	uint64_t ticks;

	if (mode != GASPDB_LOOK_JOINS)
		return false;
	ticks = gaspdb_clock_ticks();
	if (!l->joined || l->joined != c->log.at || l->block != c->log.number ||
	    l->call[l->at].value != value || !gaspdb_recording(c) || c->busy ||
	    !gaspdb_begin_idle(c))
		return false;
	fold(c, ticks);
	gaspdb_done(c);
	if (l->ended)
		note_use(c);
	return true;
}

struct gaspdb_look_end gaspdb_look_ending(const struct gaspdb_context *c)
{
	return (struct gaspdb_look_end){ c->log.at, c->log.last_ticks,
					 c->last };
}

void gaspdb_look_ended(struct gaspdb_context *c, enum gaspdb_look_mode mode,
		       const struct gaspdb_look_end *before, uint64_t value,
		       unsigned n, const uint64_t *args)
{
	struct gaspdb_look *l = &c->look;
	const bool joins = mode == GASPDB_LOOK_JOINS;

	if (before->at != (joins ? l->joined : l->begun) ||
	    l->block != c->log.number || before->at == c->log.at)
		return;
	if (joins)
		begin_anew(l, before->last_ticks);
	l->call[l->at].value = value;
	l->last_ticks = before->last_ticks;
	l->last = before->last;
	l->begun = before->at;
	l->n_end = n;
	for (unsigned i = 0; i < n; i++)
		l->end[i] = args[i];
	l->ended = end_of_event(before->at);
	note_use(c);
}

/* --- the adapters' side --------------------------------------------------- */

GASPDB_EXPORT enum gaspdb_look_mode
gaspdb_start_look(struct gaspdb_context *c, enum gaspdb_look_kind kind,
		  const struct gaspdb_operation *op, const void *pc, unsigned n,
		  const uint64_t *args)
{
	const struct gaspdb_site_key key = { op, pc, 0 };
	const enum gaspdb_look_mode mode =
		gaspdb_look_begin(c, kind, &key, n, args);

	if (mode == GASPDB_LOOK_GOES_ON)
		return mode;
	gaspdb_own_start(c, op, pc, n, args);
	if (mode != GASPDB_LOOK_PLAIN)
		gaspdb_look_begun(c, mode);
	return mode;
}

GASPDB_EXPORT void gaspdb_end_look(struct gaspdb_context *c,
				   enum gaspdb_look_mode mode,
				   const struct gaspdb_operation *op,
				   const void *pc, bool success, uint64_t value,
				   unsigned n, const uint64_t *args)
{
	uint64_t end[GASPDB_LOOK_ENDS_MAX];
	struct gaspdb_look_end before;
	unsigned n_end = n;

	if (!success && gaspdb_look_fold(c, mode, value))
		return;
	for (unsigned i = 0; i < n; i++)
		end[i] = args[i];
	if (mode == GASPDB_LOOK_GOES_ON && c->look.attempts > 1)
		end[n_end++] = c->look.attempts;
	before = gaspdb_look_ending(c);
	c->in_vain = !success;
	gaspdb_own_end(c, op, pc, n_end, end);
	c->in_vain = false;
	if (!success && mode != GASPDB_LOOK_PLAIN)
		gaspdb_look_ended(c, mode, &before, value, n, end);
}
