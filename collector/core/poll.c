/* SPDX-License-Identifier: BSD-2-Clause */
/* Folding of polling loops: see poll.h. */
#include "collector/core/poll.h"

#include <string.h>
#include <time.h>

#include "collector/base/clock.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"
#include "collector/process/process.h"

extern __typeof__(gaspdb_start) gaspdb_own_start GASPDB_HIDDEN;
extern __typeof__(gaspdb_end) gaspdb_own_end GASPDB_HIDDEN;

/* --- time between two calls ---------------------------------------------- */

/* Least rate of a loop that only polls. */
#define CALLS_PER_SECOND 200000
/* Longest pause (an interrupt) that does not end a loop, and its largest part
   of the time since the last pause. */
#define PACPU_READS_PER_SECOND 10000
#define PAUSE_PART	       8
/* Least rate of readings of the processor time. */
#define CPU_READS_PER_SECOND 1000
/* Most readings skipped for a busy thread. */
#define SKIP_MAX 16

static int64_t thread_cpu_ns(void)
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

/* Whether the thread hardly ran in the ticks since the last poll; during polls
   it ran all the time.  A busy thread is asked less and less often. */
static GASPDB_COLD bool was_idle(struct gaspdb_context *c, uint64_t ticks)
{
	struct gaspdb_poll *l = &c->poll;
	const int64_t polled_ns = ns_of(c->log.last_ticks - l->cpu_ticks);

	if (!l->cpu_ticks)
		return false;
	if ((thread_cpu_ns() - l->cpu_ns - polled_ns) * 4 < ns_of(ticks)) {
		l->busy_calls = 0;
		return true;
	}
	if (l->busy_calls < SKIP_MAX)
		l->busy_calls++;
	l->skip = l->busy_calls;
	return false;
}

/* Whether a gap between two polls is an interrupt.  Work in a loop recurs too
   often for that. */
static bool is_pause(struct gaspdb_context *c, uint64_t now, uint64_t passed)
{
	struct gaspdb_poll *l = &c->poll;

	if (passed >= gaspdb_process.ticks_hz / PACPU_READS_PER_SECOND ||
	    passed * PAUSE_PART >= c->log.last_ticks - l->paused_ticks)
		return false;
	l->paused_ticks = now;
	return true;
}

/* Reads the processor time after a failed poll, if due.  A poll that took long
   may have slept. */
static inline void note_cpu_time(struct gaspdb_context *c)
{
	struct gaspdb_poll *l = &c->poll;
	const uint64_t hz = gaspdb_process.ticks_hz, now = c->log.last_ticks;

	if (l->skip) {
		l->skip--;
		l->cpu_ticks = 0;
	} else if (now - l->ended_ticks >= hz / CALLS_PER_SECOND ||
		   now - l->cpu_ticks >= hz / CPU_READS_PER_SECOND) {
		l->cpu_ns = thread_cpu_ns();
		l->cpu_ticks = gaspdb_clock_ticks();
	}
	l->ended_ticks = now;
}

/* Whether the log ends with the END of a failed poll that has just happened. */
static bool continues_loop(struct gaspdb_context *c)
{
	const struct gaspdb_poll *l = &c->poll;
	uint64_t now, passed;

	if (!l->ended || l->ended != c->log.at || l->block != c->log.number)
		return false;
	now = gaspdb_clock_ticks();
	passed = now - c->log.last_ticks;
	return passed < gaspdb_process.ticks_hz / CALLS_PER_SECOND ||
	       is_pause(c, now, passed) || was_idle(c, passed);
}

/* --- the calls of a loop -------------------------------------------------- */

static bool is_key(const struct gaspdb_site_key *a,
		   const struct gaspdb_site_key *b)
{
	return a->place == b->place && a->what == b->what && a->line == b->line;
}

static bool is_call(const struct gaspdb_poll_call *call,
		    const struct gaspdb_poll_call *other)
{
	if (!is_key(&call->key, &other->key) || call->n != other->n)
		return false;
	for (unsigned i = 0; i < call->n; i++)
		if (call->args[i] != other->args[i])
			return false;
	return true;
}

/*
 * Index of the call in the loop; n: none.  Mostly calls recur in the same
 * order.  In a loop with more calls than entries, any entry of the same line
 * will do.
 */
static unsigned find_call(const struct gaspdb_poll *l,
			  const struct gaspdb_poll_call *call)
{
	const unsigned next = l->at + 1 < l->n ? l->at + 1 : 0;

	if (is_call(&l->call[next], call))
		return next;
	for (unsigned i = 0; i < l->n; i++)
		if (is_call(&l->call[i], call))
			return i;
	if (l->n < GASPDB_POLL_CALLS_MAX || call->kind == GASPDB_POLL_WEAK)
		return l->n;
	for (unsigned i = 0; i < l->n; i++)
		if (is_key(&l->call[i].key, &call->key))
			return i;
	return l->n;
}

/* Starts a loop of this call alone. */
static void begin_loop(struct gaspdb_poll *l,
		       const struct gaspdb_poll_call *call)
{
	if (!l->n || !is_key(&l->call[0].key, &call->key))
		l->busy_calls = l->skip = 0;
	l->call[0] = *call;
	l->n = 1;
	l->at = 0;
	l->ended_ticks = 0;
}

/* Starts a new loop after a call of the old one had another result. */
static void restart_loop(struct gaspdb_poll *l, uint64_t ticks)
{
	const struct gaspdb_poll_call call = l->call[l->at];

	begin_loop(l, &call);
	l->event = 0;
	l->attempts = 1;
	l->paused_ticks = ticks;
}

/* --- in the profile --------------------------------------------------------
 */

/* Counts the START or END of a call that the log does not have.  c is busy. */
static void count(struct gaspdb_context *c, enum gaspdb_phase phase,
		  const struct gaspdb_site_key *key, uint64_t ticks)
{
	struct gaspdb_site *site = c->profile ? gaspdb_site_find(c, key) : NULL;

	if (!site)
		return;
	c->failed_poll = phase == GASPDB_PHASE_END;
	gaspdb_profile_event(c, phase, site, ticks, 0, NULL);
	c->failed_poll = false;
}

/* --- START ---------------------------------------------------------------- */

/* Takes back the END of the loop's event. */
static void reopen_event(struct gaspdb_context *c)
{
	struct gaspdb_poll *l = &c->poll;

	gaspdb_log_writer_commit(&c->log, l->begun);
	atomic_signal_fence(memory_order_seq_cst);
	c->log.last_ticks = l->last_ticks;
	c->last = l->last;
	l->ended = NULL;
	l->attempts++;
}

/*
 * Saves the site's bases, so that a START can be taken back; false: it cannot.
 */
static bool save_bases(struct gaspdb_context *c,
		       const struct gaspdb_site_key *key)
{
	const struct gaspdb_site *s = gaspdb_site_find(c, key);
	const struct gaspdb_plan *plan;

	if (!s)
		return false;
	plan = &s->op->plan[GASPDB_PHASE_START];
	for (unsigned i = 0; i < plan->n; i++)
		if (plan->step[i].how == GASPDB_HOW_ADDRESS &&
		    plan->step[i].base >= GASPDB_SITE_BASES)
			return false;
	for (unsigned i = 0; i < GASPDB_SITE_BASES; i++)
		c->poll.base[i] = s->block == (uint32_t)c->log.number + 1
					  ? s->base[i]
					  : 0;
	return true;
}

static enum gaspdb_poll_mode choose_mode(struct gaspdb_context *c,
					 const struct gaspdb_poll_call *call)
{
	struct gaspdb_poll *l = &c->poll;
	const bool on = continues_loop(c);
	const unsigned at = on ? find_call(l, call) : 0;

	if (!on || at == GASPDB_POLL_CALLS_MAX) {
		begin_loop(l, call);
		return GASPDB_POLL_NEW;
	}
	if (at == l->n)
		l->call[l->n++] = *call;
	else if (at == l->event && call->kind == GASPDB_POLL_TEST &&
		 is_call(&l->call[at], call)) {
		l->at = at;
		reopen_event(c);
		return GASPDB_POLL_GOES_ON;
	} else if ((call->kind == GASPDB_POLL_WEAK ||
		    l->call[l->event].kind != GASPDB_POLL_WEAK) &&
		   save_bases(c, &call->key)) {
		l->at = at;
		return GASPDB_POLL_JOINS;
	}
	l->at = at;
	return GASPDB_POLL_NEW;
}

enum gaspdb_poll_mode gaspdb_poll_begin(struct gaspdb_context *c,
					enum gaspdb_poll_kind kind,
					const struct gaspdb_site_key *key,
					unsigned n, const uint64_t *args)
{
	struct gaspdb_poll_call call = { *key, kind, n, { 0 }, 0 };
	enum gaspdb_poll_mode mode;

	if (!gaspdb_recording(c) || !gaspdb_is_traced(c) || c->busy ||
	    !gaspdb_begin_idle(c))
		return GASPDB_POLL_PLAIN;
	memcpy(call.args, args, n * sizeof *args);
	mode = choose_mode(c, &call);
	if (mode == GASPDB_POLL_GOES_ON)
		count(c, GASPDB_PHASE_START, key, gaspdb_clock_ticks());
	gaspdb_done(c);
	return mode;
}

/* End of the event at p, regardless of records that a signal handler wrote
   after it. */
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

void gaspdb_poll_started(struct gaspdb_context *c, enum gaspdb_poll_mode mode)
{
	struct gaspdb_poll *l = &c->poll;
	unsigned char *const ended = l->ended;

	l->ended = NULL;
	if (mode == GASPDB_POLL_JOINS) {
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

GASPDB_EXPORT void gaspdb_poll_extend(struct gaspdb_context *c,
				      enum gaspdb_poll_mode mode)
{
	if (mode == GASPDB_POLL_NEW && c->poll.block == c->log.number)
		c->poll.begun = c->log.at;
}

/* --- END ------------------------------------------------------------------ */

/* Takes back a poll's START, and ends the loop's event now. */
static void fold(struct gaspdb_context *c, uint64_t ticks)
{
	struct gaspdb_poll *l = &c->poll;

	for (unsigned i = 0; i < GASPDB_SITE_BASES; i++)
		c->last->base[i] = l->base[i];
	reopen_event(c);
	l->end[l->n_end] = l->attempts;
	c->failed_poll = true;
	gaspdb_emit(c, GASPDB_PHASE_END, c->last, ticks, l->n_end + 1, l->end);
	c->failed_poll = false;
	l->joined = NULL;
	if (c->live && l->block == c->log.number)
		l->ended = end_of_event(l->begun);
}

bool gaspdb_poll_fold(struct gaspdb_context *c, enum gaspdb_poll_mode mode,
		      uint64_t value)
{
	struct gaspdb_poll *l = &c->poll;
	uint64_t ticks;

	if (mode != GASPDB_POLL_JOINS)
		return false;
	ticks = gaspdb_clock_ticks();
	if (!l->joined || l->joined != c->log.at || l->block != c->log.number ||
	    l->call[l->at].value != value || !gaspdb_recording(c) || c->busy ||
	    !gaspdb_begin_idle(c))
		return false;
	count(c, GASPDB_PHASE_END, &l->call[l->at].key, ticks);
	fold(c, ticks);
	gaspdb_done(c);
	if (l->ended)
		note_cpu_time(c);
	return true;
}

struct gaspdb_poll_end gaspdb_poll_before_end(const struct gaspdb_context *c)
{
	return (struct gaspdb_poll_end){ c->log.at, c->log.last_ticks,
					 c->last };
}

void gaspdb_poll_after_end(struct gaspdb_context *c, enum gaspdb_poll_mode mode,
			   const struct gaspdb_poll_end *before, uint64_t value,
			   unsigned n, const uint64_t *args)
{
	struct gaspdb_poll *l = &c->poll;
	const bool joins = mode == GASPDB_POLL_JOINS;

	if (before->at != (joins ? l->joined : l->begun) ||
	    l->block != c->log.number || before->at == c->log.at)
		return;
	if (joins)
		restart_loop(l, before->last_ticks);
	l->call[l->at].value = value;
	l->last_ticks = before->last_ticks;
	l->last = before->last;
	l->begun = before->at;
	l->n_end = n;
	for (unsigned i = 0; i < n; i++)
		l->end[i] = args[i];
	l->ended = end_of_event(before->at);
	note_cpu_time(c);
}

/* --- the adapters' side --------------------------------------------------- */

GASPDB_EXPORT enum gaspdb_poll_mode
gaspdb_start_poll(struct gaspdb_context *c, enum gaspdb_poll_kind kind,
		  const struct gaspdb_operation *op, const void *pc, unsigned n,
		  const uint64_t *args)
{
	const struct gaspdb_site_key key = { op, pc, 0 };
	const enum gaspdb_poll_mode mode =
		gaspdb_poll_begin(c, kind, &key, n, args);

	if (mode == GASPDB_POLL_GOES_ON)
		return mode;
	c->failed_poll = mode == GASPDB_POLL_JOINS;
	gaspdb_own_start(c, op, pc, n, args);
	c->failed_poll = false;
	if (mode != GASPDB_POLL_PLAIN)
		gaspdb_poll_started(c, mode);
	return mode;
}

GASPDB_EXPORT void gaspdb_end_poll(struct gaspdb_context *c,
				   enum gaspdb_poll_mode mode,
				   const struct gaspdb_operation *op,
				   const void *pc, bool success, uint64_t value,
				   unsigned n, const uint64_t *args)
{
	uint64_t end[GASPDB_POLL_ENDS_MAX];
	struct gaspdb_poll_end before;
	unsigned n_end = n;

	if (!success && gaspdb_poll_fold(c, mode, value))
		return;
	for (unsigned i = 0; i < n; i++)
		end[i] = args[i];
	if (mode == GASPDB_POLL_GOES_ON && c->poll.attempts > 1)
		end[n_end++] = c->poll.attempts;
	before = gaspdb_poll_before_end(c);
	c->failed_poll = !success;
	gaspdb_own_end(c, op, pc, n_end, end);
	c->failed_poll = false;
	if (!success && mode != GASPDB_POLL_PLAIN)
		gaspdb_poll_after_end(c, mode, &before, value, n, end);
}
