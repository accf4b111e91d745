/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of programs compiled with -finstrument-functions, and statements
 * that the plugin of gaspcc times.  Their compilers call a hook at the entry
 * and at the exit of each function, or range of statements.  A function left by
 * a longjmp, or by an exception that the compiler does not watch, has no exit:
 * it is ended at the thread's next event whose stack is less deep.  So the log
 * has an END for each START, in the reverse order, but for functions that are
 * open at its end.  Throttled ones (throttle.h) are open without any.
 *
 * What is called inside of an MPI or OpenSHMEM call, such as a reduction's
 * operator, is that call's time.
 */
#include "collector/base/clock.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"
#include "collector/core/selection/mask.h"
#include "collector/core/selection/selection_file.h"
#include "collector/gasp/open_functions.h"
#include "collector/process/process.h"

static const struct gaspdb_operation function_op = { GASPDB_EVENT_C_FUNC,
						     NULL };

/* Places of functions are those of calls: the byte after the first.  Statements
   have a line. */
static inline struct gaspdb_site_key
key_of(const void *function, uint64_t line)
{
	return (struct gaspdb_site_key){
		.what = &function_op,
		.place = (const char *)function + 1,
		.line = line,
	};
}

/* --- records: c is busy --------------------------------------------------- */

/* The operation of a function or statement; NULL: none, and no room for one. */
static struct gaspdb_op_state *op_of(struct gaspdb_context *c,
				     const void *function, uint64_t line)
{
	const struct gaspdb_statement *s = function;
	const struct gaspdb_site_key key = key_of(function, line);
	const struct gaspdb_site *site;

	if (!line)
		return gaspdb_op_find(c, &function_op);
	site = gaspdb_site_find(c, &key);
	if (site)
		return site->op;
	return c->full ? NULL : gaspdb_op_named(c, s->name);
}

/* Defines the site of a function or statement; NULL: no memory. */
static GASPDB_COLD struct gaspdb_site *
define(struct gaspdb_context *c, const void *function, uint64_t line)
{
	const struct gaspdb_site_key key = key_of(function, line);
	const struct gaspdb_statement *s = function;
	struct gaspdb_op_state *op = op_of(c, function, line);
	struct gaspdb_site *site = NULL;

	if (op && line)
		site = gaspdb_site_text(c, &key, op, s->file, s->function);
	else if (op)
		site = gaspdb_site_pc(c, &function_op, op, key.place);
	if (!site && !c->full)
		gaspdb_context_lose(c);
	return site;
}

static inline struct gaspdb_site *
site_of(struct gaspdb_context *c, const void *function, uint64_t line)
{
	const struct gaspdb_site_key key = key_of(function, line);
	struct gaspdb_site *site = gaspdb_site_lookup(c, &key);

	return GASPDB_LIKELY(site) ? site : define(c, function, line);
}

static __attribute__((noinline)) void put_any(struct gaspdb_context *c,
					      enum gaspdb_phase phase,
					      struct gaspdb_site *site,
					      uint64_t ticks)
{
	if (!gaspdb_profile_takes(c, phase, site, ticks, 0, NULL))
		gaspdb_emit_event(c, phase, site, ticks, 0, NULL);
}

/* Counts a call that the log does not have in the profile, if there is one. */
static GASPDB_COLD void count(struct gaspdb_context *c, enum gaspdb_phase phase,
			      struct gaspdb_site *site, uint64_t ticks)
{
	if (!c->profile)
		return;
	c->profile->unwritten = true;
	gaspdb_profile_event(c, phase, site, ticks, 0, NULL);
	c->profile->unwritten = false;
}

static inline __attribute__((always_inline)) void put(struct gaspdb_context *c,
						      enum gaspdb_phase phase,
						      struct gaspdb_site *site,
						      uint64_t ticks)
{
	if (GASPDB_UNLIKELY(!gaspdb_event_is_usual(c, ticks, 0)))
		put_any(c, phase, site, ticks);
	else
		gaspdb_log_writer_commit(
			&c->log,
			site == c->last
				? gaspdb_put_same(c, phase, ticks)
				: gaspdb_put_other(c, phase, site, ticks));
}

/* Counts the END of a call whose START is counted alone. */
static __attribute__((noinline)) void end_counted(struct gaspdb_context *c,
						  struct gaspdb_site *site,
						  uint64_t ticks)
{
	if (gaspdb_is_profile_only(c) &&
	    gaspdb_profile_has_node(c->profile, site->op))
		gaspdb_profile_ended(c, site->op, ticks, 0, NULL);
	else
		count(c, GASPDB_PHASE_END, site, ticks);
}

/* Writes the entry of a function and makes it the innermost. */
static inline __attribute__((always_inline)) void
start(struct gaspdb_context *c, const void *function, const void *caller,
      uintptr_t depth, uint64_t line)
{
	struct gaspdb_functions *f = &c->functions;
	struct gaspdb_site *site = site_of(c, function, line);
	struct gaspdb_function_frame *frame;
	const uint64_t ticks = gaspdb_clock_ticks();

	if (GASPDB_UNLIKELY(!site))
		return;
	if (GASPDB_UNLIKELY(f->n + 1 >= f->room) && !gaspdb_functions_grow(f)) {
		gaspdb_context_lose(c);
		return;
	}
	frame = &f->frames[f->n + 1];
	frame->function = function;
	frame->caller = caller;
	frame->depth = depth;
	frame->line = line;
	frame->site = site;
	frame->start = ticks;
	frame->throttled = site->throttled;
	if (GASPDB_UNLIKELY(frame->throttled)) {
		count(c, GASPDB_PHASE_START, site, ticks);
		frame->written = frame[-1].written;
		frame->at = c->log.at;
		frame->inner = 0;
		site->function.open++;
	} else {
		frame->written = site->id;
		put(c, GASPDB_PHASE_START, site, ticks);
	}
	frame->traced = gaspdb_is_traced(c); /* the trace may have ended */
	f->n++;
	f->depth = depth;
}

/* Ends the innermost function. */
static inline __attribute__((always_inline)) void end(struct gaspdb_context *c,
						      uint64_t ticks)
{
	struct gaspdb_functions *f = &c->functions;
	struct gaspdb_function_frame *frame = gaspdb_functions_innermost(f);
	struct gaspdb_site *site = frame->site;

	f->n--;
	f->depth = frame[-1].depth;
	if (GASPDB_UNLIKELY(!site) &&
	    !(site = site_of(c, frame->function, frame->line)))
		return;
	if (GASPDB_UNLIKELY(frame->throttled)) {
		count(c, GASPDB_PHASE_END, site, ticks);
		gaspdb_throttle_add(c, site, frame, ticks);
		return;
	}
	if (GASPDB_UNLIKELY(!frame->traced)) {
		end_counted(c, site, ticks);
		return;
	}
	site->function.ticks += ticks - frame->start;
	if (GASPDB_UNLIKELY(++site->function.calls >=
			    gaspdb_throttle_limit.calls))
		gaspdb_throttle_check(c, site);
	put(c, GASPDB_PHASE_END, site, ticks);
}

void gaspdb_functions_cut(struct gaspdb_context *c)
{
	struct gaspdb_functions *f = &c->functions;
	const uint64_t ticks = gaspdb_clock_ticks();

	if (!f->n || !gaspdb_begin(c))
		return;
	for (uint32_t i = f->n; i > 0; i--) {
		struct gaspdb_function_frame *frame = &f->frames[i];

		if (frame->traced && !frame->throttled && frame->site)
			gaspdb_emit(c, GASPDB_PHASE_END, frame->site, ticks, 0,
				    NULL);
		frame->traced = false;
	}
	gaspdb_done(c);
}

/* The site of an open function, looked up again if need be; NULL: no memory. */
static struct gaspdb_site *site_of_frame(struct gaspdb_context *c,
					 struct gaspdb_function_frame *frame)
{
	if (!frame->site)
		frame->site = site_of(c, frame->function, frame->line);
	return frame->site;
}

void gaspdb_functions_sum_open(struct gaspdb_context *c, uint64_t ticks)
{
	struct gaspdb_functions *f = &c->functions;

	for (uint32_t i = f->n; i > 0; i--) {
		struct gaspdb_function_frame *frame = &f->frames[i];

		if (frame->throttled && site_of_frame(c, frame))
			gaspdb_throttle_add(c, frame->site, frame, ticks);
	}
}

void gaspdb_functions_carry(struct gaspdb_context *c)
{
	struct gaspdb_functions *f = &c->functions;

	for (uint32_t i = 1; i <= f->n; i++) {
		struct gaspdb_function_frame *frame = &f->frames[i];

		frame->throttled = frame->traced = false;
		if (site_of_frame(c, frame))
			gaspdb_profile_carry(c, frame->site);
	}
}

static GASPDB_COLD void end_cold(struct gaspdb_context *c, uint64_t ticks)
{
	end(c, ticks);
}

void gaspdb_functions_count_open(struct gaspdb_context *c)
{
	struct gaspdb_functions *f = &c->functions;

	gaspdb_functions_sum_open(c, gaspdb_clock_ticks());
	f->n = 0;
	f->depth = 0;
}

/* --- functions left without an exit --------------------------------------- */

/* Ends what is left when a function or statement is entered. */
static GASPDB_COLD void leave(struct gaspdb_context *c, const void *caller,
			      uintptr_t depth, const void *statement)
{
	struct gaspdb_functions *f = &c->functions;
	const uint64_t ticks = gaspdb_clock_ticks();

	if (!(c->on || gaspdb_profiles_all()) || gaspdb_is_stopped(c) ||
	    c->busy || !gaspdb_begin_idle(c))
		return;
	while (c->live && f->n &&
	       (gaspdb_functions_has_left(f, depth) ||
		gaspdb_functions_replaces(f, caller, depth, statement)))
		end_cold(c, ticks);
	gaspdb_done(c);
}

void gaspdb_functions_left(struct gaspdb_context *c, uintptr_t frame)
{
	leave(c, NULL, gaspdb_depth_of(frame), NULL);
}

/* Ends a function that is not plainly the innermost. c is busy. */
static GASPDB_COLD void end_found(struct gaspdb_context *c,
				  const void *function, uintptr_t depth,
				  uint64_t ticks)
{
	struct gaspdb_functions *f = &c->functions;
	const uint32_t i =
		f->n ? gaspdb_functions_find_exit(f, function, depth) : 0;

	while (c->live && (i ? f->n >= i : gaspdb_functions_has_left(f, depth)))
		end_cold(c, ticks);
}

/* Notes an exit while recording is off: the function ends when it is on. */
static GASPDB_COLD void note_exit(struct gaspdb_context *c,
				  const void *function, uintptr_t depth)
{
	struct gaspdb_functions *f = &c->functions;
	const uint32_t i =
		f->n ? gaspdb_functions_find_exit(f, function, depth) : 0;

	for (uint32_t k = i; i && k <= f->n; k++)
		f->frames[k].depth = GASPDB_FUNCTION_ENDED;
	gaspdb_functions_set_depth(f);
}

/* --- hooks ---------------------------------------------------------------- */

/* The operation of a function or statement; NULL: no memory, or it is not in
   the log. */
static GASPDB_COLD struct gaspdb_op_state *
find_op(struct gaspdb_context *c, const void *function, uint64_t line)
{
	struct gaspdb_op_state *op;

	if (!gaspdb_begin_idle(c))
		return NULL;
	op = op_of(c, function, line);
	if (!line)
		c->functions.op = op;
	gaspdb_done(c);
	return op;
}

/* Whether a function or statement is masked; then the event is counted. */
static bool is_masked(struct gaspdb_context *c, const void *function,
		      uint64_t line)
{
	struct gaspdb_op_state *op = line ? NULL : c->functions.op;

	if (!gaspdb_is_stopped(c) && !gaspdb_masks.any)
		return false;
	if (!op && c->busy)
		return false;
	if (!op && !(op = find_op(c, function, line)))
		return true;
	if (!gaspdb_is_stopped(c) &&
	    op->masked == (!line && gaspdb_selection_has(function)))
		return false;
	op->n_masked++;
	return true;
}

/* Prepares for an event at depth that is not usual; false: it is not to be
   recorded. */
static __attribute__((noinline)) bool prepare(struct gaspdb_context *c,
					      const void *function,
					      uintptr_t depth, uint64_t line)
{
	if (c->depth > 0 && !gaspdb_process.nested) {
		if (0 - depth < c->frame)
			return false;
		gaspdb_calls_left(c);
	}
	if (is_masked(c, function, line))
		return false;
	if (c->busy)
		return true;
	if (!(c->paths & 1u << GASPDB_PATH_ADAPTER))
		gaspdb_context_emit_cost(c, GASPDB_PATH_ADAPTER);
	if (gaspdb_modules_are_behind(c))
		gaspdb_modules_catch_up(c);
	c->functions.prepared =
		!gaspdb_masks.any && c->paths & 1u << GASPDB_PATH_ADAPTER;
	return true;
}

/* Whether an event can be recorded without further ado. */
static inline bool is_usual(const struct gaspdb_context *c)
{
	return c->functions.prepared & c->on & !(c->depth | c->full) &&
	       !c->busy && !gaspdb_modules_are_behind(c);
}

/* Whether an entry is the innermost function's callee's. */
static inline bool is_deeper(const struct gaspdb_functions *f,
			     const void *caller, uintptr_t depth,
			     const void *statement)
{
	return GASPDB_LIKELY(f->depth < depth) ||
	       (f->depth == depth &&
		!gaspdb_functions_replaces(f, caller, depth, statement));
}

static GASPDB_COLD void enter_any(const void *function, const void *caller,
				  uintptr_t depth, uint64_t line)
{
	struct gaspdb_context *c = gaspdb_context_get();
	const void *statement = line ? function : NULL;

	if (!c)
		return;
	c->n_off += !c->on;
	if (!c->on && !gaspdb_profiles_all())
		return;
	if (!is_usual(c) && !prepare(c, function, depth, line))
		return;
	if (!is_deeper(&c->functions, caller, depth, statement))
		leave(c, caller, depth, statement);
	if (!gaspdb_begin(c))
		return;
	start(c, function, caller, depth, line);
	gaspdb_done(c);
}

static inline __attribute__((always_inline)) void
enter(const void *function, const void *caller, uintptr_t depth, uint64_t line)
{
	struct gaspdb_context *c = gaspdb_current;

	if (GASPDB_UNLIKELY(!c || !is_usual(c) ||
			    !is_deeper(&c->functions, caller, depth,
				       line ? function : NULL) ||
			    !gaspdb_begin_idle(c))) {
		enter_any(function, caller, depth, line);
		return;
	}
	start(c, function, caller, depth, line);
	gaspdb_done(c);
}

/* Whether the innermost function is the one that ends. */
static inline bool is_innermost(const struct gaspdb_functions *f,
				const void *function, uintptr_t depth)
{
	const struct gaspdb_function_frame *frame =
		gaspdb_functions_innermost(f);

	return f->n && frame->function == function &&
	       (frame->depth == depth || frame[-1].depth < depth);
}

static GASPDB_COLD void exit_any(const void *function, uint64_t line,
				 uintptr_t depth)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (!c)
		return;
	c->n_off += !c->on;
	if (!c->on && !gaspdb_profiles_all()) {
		note_exit(c, function, depth);
		return;
	}
	if (!is_usual(c) && !prepare(c, function, depth, line))
		return;
	if (!gaspdb_begin(c))
		return;
	if (is_innermost(&c->functions, function, depth))
		end_cold(c, gaspdb_clock_ticks());
	else
		end_found(c, function, depth, gaspdb_clock_ticks());
	gaspdb_done(c);
}

static inline __attribute__((always_inline)) void
exit_of(const void *function, uint64_t line, uintptr_t depth)
{
	struct gaspdb_context *c = gaspdb_current;

	if (GASPDB_UNLIKELY(!c || !is_usual(c) ||
			    !is_innermost(&c->functions, function, depth) ||
			    !gaspdb_begin_idle(c))) {
		exit_any(function, line, depth);
		return;
	}
	end(c, gaspdb_clock_ticks());
	gaspdb_done(c);
}

#define DEPTH_HERE gaspdb_depth_of((uintptr_t)__builtin_frame_address(0))

/* The hooks' own names, by which the preload library finds them. */
GASPDB_EXPORT void gaspdb_function_enter(void *function, void *caller);
GASPDB_EXPORT void gaspdb_function_exit(void *function, void *caller);
#ifndef GASPDB_UPC_OBJECT
/* The same under the names that compilers call, for programs that are linked
   with this library. UPC's runtimes record functions themselves. */
GASPDB_EXPORT void __cyg_profile_func_enter(void *function, void *caller)
	__attribute__((alias("gaspdb_function_enter")));
GASPDB_EXPORT void __cyg_profile_func_exit(void *function, void *caller)
	__attribute__((alias("gaspdb_function_exit")));
#endif

void gaspdb_function_enter(void *function, void *caller)
{
	enter(function, caller, DEPTH_HERE, 0);
}

void gaspdb_function_exit(void *function, void *caller)
{
	(void)caller;
	exit_of(function, 0, DEPTH_HERE);
}

/* --- hooks of statements, which the plugin of gaspcc calls ---------------- */

GASPDB_EXPORT void gaspdb_timer_start(const struct gaspdb_statement *s,
				      const void *caller);
GASPDB_EXPORT void gaspdb_timer_end(const struct gaspdb_statement *s);
GASPDB_EXPORT void gaspdb_timer_left(const struct gaspdb_statement *s);
GASPDB_EXPORT void gaspdb_statement_start(const struct gaspdb_statement *s,
					  const void *caller)
	__attribute__((alias("gaspdb_timer_start")));
GASPDB_EXPORT void gaspdb_statement_end(const struct gaspdb_statement *s)
	__attribute__((alias("gaspdb_timer_end")));
GASPDB_EXPORT void gaspdb_statement_left(const struct gaspdb_statement *s)
	__attribute__((alias("gaspdb_timer_left")));

void gaspdb_timer_start(const struct gaspdb_statement *s, const void *caller)
{
	enter(s, caller, DEPTH_HERE, s->line);
}

void gaspdb_timer_end(const struct gaspdb_statement *s)
{
	exit_of(s, s->line, DEPTH_HERE);
}

void gaspdb_timer_left(const struct gaspdb_statement *s)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (!c)
		return;
	/* Those deeper; not the calling function. */
	gaspdb_functions_check(c, (uintptr_t)__builtin_frame_address(0) - 1);
	if (gaspdb_functions_find_open(&c->functions, s, DEPTH_HERE))
		exit_of(s, s->line, DEPTH_HERE);
}
