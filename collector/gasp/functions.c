/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of programs compiled with -finstrument-functions.  Their compilers
 * call a hook at the entry and at the exit of each function.  A function left
 * by a longjmp, or by an exception that the compiler does not watch, has no
 * exit: it is ended at the thread's next event whose stack is less deep.  So
 * the log has an END for each START, in the reverse order, but for functions
 * that are open at its end.
 *
 * What is called inside of an MPI or OpenSHMEM call, such as a reduction's
 * operator, is that call's time.
 */
#include "collector/gasp/functions.h"

#include <errno.h>
#include <string.h>

#include "collector/base/clock.h"
#include "collector/base/pages.h"
#include "collector/core/event.h"
#include "collector/core/selection/mask.h"
#include "collector/core/selection/selection_file.h"
#include "collector/process/process.h"

#define FIRST_ROOM 4096
#define LAST_ROOM  (1u << 18) /* deeper functions are lost */
#define ENDED	   UINTPTR_MAX /* depth: left while recording was off */

static const struct gaspdb_operation function_op = { GASPDB_EVENT_C_FUNC,
						     NULL };

/* Places are those of calls: the byte after the function's first. */
static inline struct gaspdb_site_key key_of(const void *function)
{
	return (struct gaspdb_site_key){
		.what = &function_op,
		.place = (const char *)function + 1,
	};
}

/* --- open functions: c is busy -------------------------------------------- */

static inline struct gaspdb_function_frame *
innermost(const struct gaspdb_functions *f)
{
	return &f->frames[f->n];
}

static inline void set_depth(struct gaspdb_functions *f)
{
	f->depth = f->n ? innermost(f)->depth : 0;
}

static GASPDB_COLD bool make_room(struct gaspdb_functions *f)
{
	const uint32_t room = f->room ? 2 * f->room : FIRST_ROOM;
	struct gaspdb_function_frame *frames;

	if (room > LAST_ROOM)
		return false;
	frames = gaspdb_pages(room * sizeof *frames);
	if (!frames)
		return false;
	if (f->frames) {
		memcpy(frames, f->frames, f->room * sizeof *frames);
		munmap(f->frames, f->room * sizeof *frames);
	}
	f->frames = frames;
	f->room = room;
	return true;
}

void gaspdb_functions_free(struct gaspdb_context *c)
{
	struct gaspdb_functions *f = &c->functions;

	if (f->frames)
		munmap(f->frames, f->room * sizeof *f->frames);
	*f = (struct gaspdb_functions){ 0 };
}

/* --- records: c is busy --------------------------------------------------- */

/* Records any event; false: it is lost. */
static GASPDB_COLD bool put_any(struct gaspdb_context *c,
				enum gaspdb_phase phase, uint64_t ticks,
				const void *function)
{
	struct gaspdb_op_state *op = gaspdb_op_find(c, &function_op);
	struct gaspdb_site *site =
		op ? gaspdb_site_pc(c, &function_op, op, key_of(function).place)
		   : NULL;

	if (site)
		gaspdb_emit(c, phase, site, ticks, 0, NULL);
	else
		gaspdb_context_lose(c);
	return site != NULL;
}

static inline bool put(struct gaspdb_context *c, enum gaspdb_phase phase,
		       uint64_t ticks, const void *function)
{
	const struct gaspdb_site_key key = key_of(function);
	struct gaspdb_site *site = gaspdb_site_find(c, &key);

	if (GASPDB_UNLIKELY(!site || !gaspdb_event_is_usual(c, ticks, 0)))
		return put_any(c, phase, ticks, function);
	gaspdb_log_writer_commit(&c->log,
				 site == c->last
					 ? gaspdb_put_same(c, phase, ticks)
					 : gaspdb_put_other(c, phase, site,
							    ticks));
	return true;
}

static inline void start(struct gaspdb_context *c,
			 const struct gaspdb_function_frame *frame,
			 uint64_t ticks)
{
	struct gaspdb_functions *f = &c->functions;

	if (GASPDB_UNLIKELY(f->n + 1 >= f->room) && !make_room(f)) {
		gaspdb_context_lose(c);
		return;
	}
	if (!put(c, GASPDB_PHASE_START, ticks, frame->function))
		return;
	f->n++;
	*innermost(f) = *frame;
	f->depth = frame->depth;
}

/* Ends the innermost function. */
static inline void end(struct gaspdb_context *c, uint64_t ticks)
{
	struct gaspdb_functions *f = &c->functions;
	const void *function = innermost(f)->function;

	f->n--;
	set_depth(f);
	put(c, GASPDB_PHASE_END, ticks, function);
}

/* --- functions left without an exit --------------------------------------- */

/* Whether the innermost function was left, now that the stack is at depth. */
static bool was_left(const struct gaspdb_functions *f, uintptr_t depth)
{
	const int saved = errno;
	bool left = f->depth > depth &&
		    (f->depth == ENDED ||
		     gaspdb_was_left(0 - f->depth, 0 - depth));

	errno = saved;
	return left;
}

/* Whether next is not entered from the innermost function: at the same depth an
   inlined function has the same caller. */
static inline bool replaces(const struct gaspdb_functions *f,
			    const struct gaspdb_function_frame *next)
{
	return f->depth == next->depth && innermost(f)->caller != next->caller;
}

/* Ends what is left when next is entered. */
static GASPDB_COLD void leave(struct gaspdb_context *c,
			      const struct gaspdb_function_frame *next)
{
	struct gaspdb_functions *f = &c->functions;
	const uint64_t ticks = gaspdb_clock_ticks();

	if (!c->on || c->full || c->busy || !gaspdb_begin_idle(c))
		return;
	while (c->live && f->n &&
	       (was_left(f, next->depth) || replaces(f, next)))
		end(c, ticks);
	gaspdb_done(c);
}

void gaspdb_functions_left(struct gaspdb_context *c, uintptr_t frame)
{
	struct gaspdb_function_frame here = { .depth = gaspdb_depth_of(frame) };

	leave(c, &here);
}

/*
 * The function that an exit with the stack at depth ends; 0: none is open.  An
 * exit that is a function's last jump comes from less deep than its entry did;
 * so a function whose frame is gone is the one that ends, if it is the
 * outermost of those, unless the same function is open at that very depth.
 */
static uint32_t find_exit(const struct gaspdb_functions *f,
			  const void *function, uintptr_t depth)
{
	const struct gaspdb_function_frame *frame = f->frames;
	uint32_t i = f->n, live;

	while (i > 0 && frame[i].depth > depth)
		i--;
	live = i;
	while (i > 0 && frame[i].depth == depth) { /* inlined ones share it */
		if (frame[i].function == function)
			return i;
		i--;
	}
	if (live < f->n && frame[live + 1].function == function)
		return live + 1;
	return frame[live].function == function ? live : 0;
}

/* Ends a function that is not plainly the innermost. c is busy. */
static GASPDB_COLD void end_found(struct gaspdb_context *c,
				  const void *function, uintptr_t depth,
				  uint64_t ticks)
{
	struct gaspdb_functions *f = &c->functions;
	const uint32_t i = f->n ? find_exit(f, function, depth) : 0;

	while (c->live && (i ? f->n >= i : was_left(f, depth)))
		end(c, ticks);
}

/* Notes an exit while recording is off: the function ends when it is on. */
static GASPDB_COLD void note_exit(struct gaspdb_context *c,
				  const void *function, uintptr_t depth)
{
	struct gaspdb_functions *f = &c->functions;
	const uint32_t i = f->n ? find_exit(f, function, depth) : 0;

	for (uint32_t k = i; i && k <= f->n; k++)
		f->frames[k].depth = ENDED;
	set_depth(f);
}

/* --- hooks ---------------------------------------------------------------- */

/* The operation of functions; NULL: no memory, or it is not in the log. */
static GASPDB_COLD struct gaspdb_op_state *find_op(struct gaspdb_context *c)
{
	if (!gaspdb_begin_idle(c))
		return NULL;
	c->functions.op = gaspdb_op_find(c, &function_op);
	gaspdb_done(c);
	return c->functions.op;
}

/* Whether a function is masked; then the event is counted. */
static bool is_masked(struct gaspdb_context *c, const void *function)
{
	struct gaspdb_op_state *op = c->functions.op;

	if (!c->full && !gaspdb_masks.any)
		return false;
	if (!op && c->busy)
		return false;
	if (!op && !(op = find_op(c)))
		return true;
	if (!c->full && op->masked == gaspdb_selection_has(function))
		return false;
	op->n_masked++;
	return true;
}

/* Prepares for an event at depth that is not usual; false: it is not to be
   recorded. */
static __attribute__((noinline)) bool
prepare(struct gaspdb_context *c, const void *function, uintptr_t depth)
{
	if (c->depth > 0 && !gaspdb_process.nested) {
		if (0 - depth < c->frame)
			return false;
		gaspdb_calls_left(c);
	}
	if (is_masked(c, function))
		return false;
	if (c->busy)
		return true;
	if (!(c->paths & 1u << GASPDB_PATH_ADAPTER))
		gaspdb_context_emit_cost(c, GASPDB_PATH_ADAPTER);
	if (gaspdb_modules_are_behind(c))
		gaspdb_modules_catch_up(c);
	return true;
}

static inline bool is_usual(const struct gaspdb_context *c)
{
	return !(c->depth | c->full | gaspdb_masks.any) &&
	       c->paths & 1u << GASPDB_PATH_ADAPTER &&
	       !gaspdb_modules_are_behind(c);
}

#define DEPTH_HERE gaspdb_depth_of((uintptr_t)__builtin_frame_address(0))

static inline __attribute__((always_inline)) void
enter(const struct gaspdb_function_frame *frame)
{
	struct gaspdb_context *c = gaspdb_context_get();
	const struct gaspdb_functions *f;

	if (!c)
		return;
	if (GASPDB_UNLIKELY(!c->on)) {
		c->n_off++;
		return;
	}
	if (GASPDB_UNLIKELY(!is_usual(c)) &&
	    !prepare(c, frame->function, frame->depth))
		return;
	f = &c->functions;
	if (GASPDB_UNLIKELY(f->depth >= frame->depth &&
			    (f->depth > frame->depth || replaces(f, frame))))
		leave(c, frame);
	if (!gaspdb_begin(c))
		return;
	start(c, frame, gaspdb_clock_ticks());
	gaspdb_done(c);
}

/* Whether the innermost function is the one that ends. */
static inline bool is_innermost(const struct gaspdb_functions *f,
				const void *function, uintptr_t depth)
{
	const struct gaspdb_function_frame *frame = innermost(f);

	return f->n && frame->function == function &&
	       (frame[-1].depth < depth || frame->depth == depth);
}

static inline __attribute__((always_inline)) void exit_of(const void *function,
							  uintptr_t depth)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (!c)
		return;
	if (GASPDB_UNLIKELY(!c->on)) {
		c->n_off++;
		note_exit(c, function, depth);
		return;
	}
	if (GASPDB_UNLIKELY(!is_usual(c)) && !prepare(c, function, depth))
		return;
	if (!gaspdb_begin(c))
		return;
	if (GASPDB_LIKELY(is_innermost(&c->functions, function, depth)))
		end(c, gaspdb_clock_ticks());
	else
		end_found(c, function, depth, gaspdb_clock_ticks());
	gaspdb_done(c);
}

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
	const struct gaspdb_function_frame frame = { function, caller,
						     DEPTH_HERE };

	enter(&frame);
}

void gaspdb_function_exit(void *function, void *caller)
{
	(void)caller;
	exit_of(function, DEPTH_HERE);
}
