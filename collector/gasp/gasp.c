/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The GASP interface, called by a UPC compiler's runtime.  The tags of the
 * gasp_upc.h compiled against are mapped to events of the tables, which also
 * define the arguments.
 */
#include <string.h>

#include "collector/base/clock.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"
#include "collector/gasp/clocks.h"
#include "collector/gasp/dialect.h"
#include "collector/gasp/gasp_operations.h"
#include "collector/gasp/slots.h"
#include "collector/gasp/upcalls.h"

/* Event + 1 by tag; 0: none. */
static const uint16_t event_of_tag[GASPDB_TAGS_MAX] = {
#define TAG(tag, event) [(tag)] = (event) + 1, /* a larger one is an error */
#include "gasp_tags.h"
};

/* --- operations ----------------------------------------------------------- */

static bool is_system(unsigned tag)
{
	return tag < GASPDB_TAGS_MAX && event_of_tag[tag];
}

/* The operation of a system tag; NULL: the event is lost. */
static GASPDB_COLD struct gaspdb_op_state *find_op(struct gaspdb_context *c,
						   unsigned tag)
{
	if (!c->op_of_tag[tag] && gaspdb_begin(c)) {
		const struct gaspdb_event_info *e =
			&gaspdb_events[event_of_tag[tag] - 1];

		c->op_of_tag[tag] = gaspdb_gasp_operation(c, e, e->name, e);
		if (!c->op_of_tag[tag])
			gaspdb_context_lose(c);
		gaspdb_done(c);
	}
	return c->op_of_tag[tag];
}

static const char *model_name(gasp_model_t model)
{
	static const char *const names[] = { "UPC", "Titanium", "CAF", "MPI",
					     "OpenSHMEM" };

	return (unsigned)model < sizeof names / sizeof *names ? names[model]
							      : "unknown";
}

GASPDB_EXPORT gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc,
				       char ***argv)
{
	struct gaspdb_context *c = gaspdb_context_for(model_name(srcmodel));

	(void)argc;
	(void)argv;
	if (srcmodel == 0) /* UPC, whatever the header calls it */
		gaspdb_upcalls_thread(c);
	return (gasp_context_t)(void *)c;
}

/* --- events --------------------------------------------------------------- */

static inline enum gaspdb_phase phase_of(gasp_evttype_t type)
{
	if ((int)GASP_START == GASPDB_PHASE_START &&
	    (int)GASP_END == GASPDB_PHASE_END)
		return (unsigned)type < GASPDB_PHASE_ATOMIC
			       ? (enum gaspdb_phase)type
			       : GASPDB_PHASE_ATOMIC;
	return type == GASP_START ? GASPDB_PHASE_START
	       : type == GASP_END ? GASPDB_PHASE_END
				  : GASPDB_PHASE_ATOMIC;
}

/* function: of the site, where a profile does not have the event's argument. */
static void emit_of(struct gaspdb_context *c, struct gaspdb_op_state *op,
		    enum gaspdb_phase phase, uint64_t ticks, const char *file,
		    uint64_t line, const char *function,
		    const uint64_t *values, unsigned n)
{
	const struct gaspdb_site_key key = { op, file, line };
	struct gaspdb_site *site =
		gaspdb_site_text(c, &key, op, file, function);

	if (site)
		gaspdb_emit_event(c, phase, site, ticks, n, values);
	else
		gaspdb_event_lose(c, phase, ticks);
	gaspdb_upcalls_emit_time(c);
}

static void emit_at(struct gaspdb_context *c, struct gaspdb_op_state *op,
		    enum gaspdb_phase phase, uint64_t ticks, const char *file,
		    uint64_t line, const uint64_t *values, unsigned n)
{
	emit_of(c, op, phase, ticks, file, line, NULL, values, n);
}

/* Records a user function's event in a log that has a profile alone. */
static void emit_function(struct gaspdb_context *c, struct gaspdb_op_state *op,
			  enum gaspdb_phase phase, uint64_t ticks,
			  const char *file, uint64_t line,
			  const uint64_t *slots)
{
	const char *name = (const char *)(uintptr_t)slots[0];

	emit_of(c, op, phase, ticks, file, line, name, NULL, 0);
}

/* Records any event: the slow path. slots: the passed arguments, 8 bytes each,
   of an int the low half. ticks 0: read the clock here. */
static GASPDB_COLD void any_event(struct gaspdb_context *c,
				  struct gaspdb_op_state *op,
				  enum gaspdb_phase phase, uint64_t ticks,
				  const char *file, uint64_t line,
				  const uint64_t *slots)
{
	const struct gaspdb_plan *plan = &op->plan[phase];
	uint64_t values[GASPDB_GASP_VALUES_MAX];

	if (!ticks)
		ticks = gaspdb_clock_ticks();
	if (!c->busy && gaspdb_modules_are_behind(c))
		gaspdb_modules_catch_up(c);
	if (!gaspdb_begin(c))
		return;
	if (gaspdb_is_profile_only(c) && plan->passed[0] == 's') {
		emit_function(c, op, phase, ticks, file, line, slots);
		gaspdb_done(c);
		return;
	}
	gaspdb_gasp_values(c, plan, slots, values);
	if (c->live) /* still, after upcalls */
		emit_at(c, op, phase, ticks, file, line, values, plan->n);
	gaspdb_done(c);
}

/* --- lock attempts: polls ------------------------------------------------- */

static void start_poll(struct gaspdb_context *c, struct gaspdb_op_state *op,
		       const char *file, uint64_t line, const uint64_t *slots)
{
	const struct gaspdb_plan *plan = &op->plan[GASPDB_PHASE_START];
	const struct gaspdb_site_key key = { op, file, line };
	const uint64_t ticks = gaspdb_clock_ticks();
	uint64_t values[GASPDB_GASP_VALUES_MAX], args[GASPDB_POLL_ARGS_MAX];
	unsigned n = 0;

	if (!gaspdb_begin(c))
		return;
	gaspdb_gasp_values(c, plan, slots, values);
	gaspdb_done(c);
	for (; n < plan->n && n < GASPDB_POLL_ARGS_MAX; n++)
		args[n] = values[plan->step[n].from];
	c->poll.mode = gaspdb_poll_begin(c, GASPDB_POLL_APART, &key, n, args);
	if (!gaspdb_begin(c))
		return;
	c->failed_poll = c->poll.mode == GASPDB_POLL_JOINS;
	if (c->live)
		emit_at(c, op, GASPDB_PHASE_START, ticks, file, line, values,
			plan->n);
	c->failed_poll = false;
	gaspdb_done(c);
	if (c->poll.mode != GASPDB_POLL_PLAIN)
		gaspdb_poll_started(c, c->poll.mode);
}

static void end_poll(struct gaspdb_context *c, struct gaspdb_op_state *op,
		     const char *file, uint64_t line, const uint64_t *slots)
{
	const struct gaspdb_plan *plan = &op->plan[GASPDB_PHASE_END];
	const enum gaspdb_poll_mode mode = c->poll.mode;
	const unsigned from = plan->step[0].from;
	const uint64_t ticks = gaspdb_clock_ticks();
	uint64_t values[GASPDB_GASP_VALUES_MAX] = { 0 };
	struct gaspdb_poll_end before;
	bool success;

	values[from] = slots[from];
	success = gaspdb_low_half(&slots[from]) != 0;
	c->poll.mode = GASPDB_POLL_PLAIN;
	if (!success && gaspdb_poll_fold(c, mode, 0))
		return;
	before = gaspdb_poll_before_end(c);
	if (!gaspdb_begin(c))
		return;
	if (c->live)
		emit_at(c, op, GASPDB_PHASE_END, ticks, file, line, values, 1);
	gaspdb_done(c);
	/* In the order of passing; the attempts are last. */
	if (!success && mode != GASPDB_POLL_PLAIN)
		gaspdb_poll_after_end(c, mode, &before, 0, from + 1, values);
}

/* The end of an attempt that is counted in the profile alone. */
static void end_counted_poll(struct gaspdb_context *c,
			     struct gaspdb_op_state *op, const char *file,
			     uint64_t line, const uint64_t *slots)
{
	const unsigned from = op->plan[GASPDB_PHASE_END].step[0].from;
	const uint64_t ticks = gaspdb_clock_ticks();

	if (!gaspdb_begin(c))
		return;
	c->failed_poll = !gaspdb_low_half(&slots[from]);
	emit_at(c, op, GASPDB_PHASE_END, ticks, file, line, NULL, 0);
	c->failed_poll = false;
	gaspdb_done(c);
}

/* Records an event of an operation that is masked, polls, or is only special for
   what follows it. */
static void masked_or_poll(struct gaspdb_context *c, struct gaspdb_op_state *op,
			   enum gaspdb_phase phase, const char *file,
			   uint64_t line, const uint64_t *slots)
{
	if (op->masked) {
		op->n_masked++;
		return;
	}
	if (!c->busy && gaspdb_modules_are_behind(c))
		gaspdb_modules_catch_up(c);
	if (!op->polls)
		any_event(c, op, phase, 0, file, line, slots);
	else if (!gaspdb_is_traced(c) && phase == GASPDB_PHASE_END)
		end_counted_poll(c, op, file, line, slots);
	else if (gaspdb_is_traced(c) && phase == GASPDB_PHASE_START)
		start_poll(c, op, file, line, slots);
	else if (phase == GASPDB_PHASE_END)
		end_poll(c, op, file, line, slots);
	else
		any_event(c, op, phase, 0, file, line, slots);
}

static GASPDB_COLD void special_event(struct gaspdb_context *c,
				      struct gaspdb_op_state *op,
				      enum gaspdb_phase phase, const char *file,
				      uint64_t line, const uint64_t *slots)
{
	masked_or_poll(c, op, phase, file, line, slots);
	if (op->sync)
		gaspdb_upc_clocks_event(c, (enum gaspdb_upc_sync)op->sync,
					phase, file, line);
}

/* --- the hot path --------------------------------------------------------- */

/*
 * The three functions below only tail-call each other, so none saves registers
 * where the slots are the caller's.
 */

/* Writes the arguments, the end of the record. */
static __attribute__((noinline)) void put_rest(struct gaspdb_context *c,
					       struct gaspdb_site *site,
					       const struct gaspdb_plan *plan,
					       const uint64_t *slots,
					       unsigned char *p)
{
	p = gaspdb_put_arguments(c, site, plan, plan->n, slots, p);
	gaspdb_log_writer_commit(&c->log, p);
	gaspdb_done(c);
}

/* Records an event at another site than the last one's. c is busy, c->ticks is
   the event's. */
static __attribute__((noinline)) void
other_site(struct gaspdb_context *c, struct gaspdb_op_state *op,
	   enum gaspdb_phase phase, const char *file, uint64_t line,
	   const uint64_t *slots)
{
	const struct gaspdb_plan *plan = &op->plan[phase];
	const unsigned n = plan->n_usual;
	const struct gaspdb_site_key key = { op, file, line };
	struct gaspdb_site *site = gaspdb_site_lookup(c, &key);
	unsigned char *p;

	if (GASPDB_UNLIKELY(!site || !gaspdb_event_is_usual(c, c->ticks, n))) {
		if (site && !op->moves.parts &&
		    gaspdb_profile_takes(c, phase, site, c->ticks, plan->n,
					 slots)) {
			gaspdb_done(c);
			return;
		}
		gaspdb_done(c);
		any_event(c, op, phase, c->ticks, file, line, slots);
		return;
	}
	p = gaspdb_put_other(c, phase | n << GASPDB_ARGS_SHIFT, site, c->ticks);
	put_rest(c, site, plan, slots, p);
}

/* Counts an event in a profile that stands for the trace.  c is busy, c->ticks
   is the event's. */
static __attribute__((noinline)) void
counted_event(struct gaspdb_context *c, struct gaspdb_op_state *op,
	      enum gaspdb_phase phase, const char *file, uint64_t line,
	      const uint64_t *slots)
{
	const struct gaspdb_plan *plan = &op->plan[phase];
	const struct gaspdb_site_key key = { op, file, line };
	struct gaspdb_site *site;

	/* Parts of pointers-to-shared are not read yet. */
	if (GASPDB_LIKELY(!op->moves.parts)) {
		if (phase == GASPDB_PHASE_END &&
		    gaspdb_profile_has_node(c->profile, op)) {
			gaspdb_profile_ended(c, op, c->ticks, plan->n, slots);
			gaspdb_done(c);
			return;
		}
		site = gaspdb_site_find(c, &key);
		if (GASPDB_LIKELY(site != NULL)) {
			c->last = site;
			gaspdb_profile_event(c, phase, site, c->ticks, plan->n,
					     slots);
			gaspdb_done(c);
			return;
		}
	}
	gaspdb_done(c);
	any_event(c, op, phase, c->ticks, file, line, slots);
}

static inline void system_event(struct gaspdb_context *c,
				struct gaspdb_op_state *op,
				enum gaspdb_phase phase, const char *file,
				uint64_t line, const uint64_t *slots)
{
	const struct gaspdb_plan *plan = &op->plan[phase];
	const unsigned n = plan->n_usual;
	const struct gaspdb_site_key key = { op, file, line };
	const uint64_t ticks = gaspdb_clock_quick();
	unsigned char *p;

	if (GASPDB_UNLIKELY(!ticks || c->busy ||
			    gaspdb_modules_are_behind(c))) {
		any_event(c, op, phase, 0, file, line, slots);
		return;
	}
	if (!gaspdb_begin_idle(c))
		return;
	if (!gaspdb_site_is(c->last, &key) ||
	    !gaspdb_event_is_usual(c, ticks, n)) {
		c->ticks = ticks;
		if (gaspdb_is_profile_only(c))
			counted_event(c, op, phase, file, line, slots);
		else
			other_site(c, op, phase, file, line, slots);
		return;
	}
	p = gaspdb_put_same(c, phase | n << GASPDB_ARGS_SHIFT, ticks);
	if (n) {
		put_rest(c, c->last, plan, slots, p);
		return;
	}
	gaspdb_log_writer_commit(&c->log, p);
	gaspdb_done(c);
}

/* Whether recording is off.  A context that is not live may be a forked
   child's, which has no operations yet: odd_event revives it. */
static inline bool is_off(const struct gaspdb_context *c)
{
	return !c->on && c->live && !gaspdb_profiles_all();
}

static GASPDB_COLD void user_event(struct gaspdb_context *c, unsigned tag,
				   enum gaspdb_phase phase, const char *file,
				   uint64_t line, va_list ap)
{
	if (!c->live && !gaspdb_context_revive(c))
		return;
	if (gaspdb_user_event_is_recorded(c, tag, phase))
		gaspdb_user_event_raise(c, tag, phase, gaspdb_clock_ticks(),
					NULL, file, line, ap);
}

/* Barriers are counted while recording is off, too. */
static void synchronizes(struct gaspdb_context *c, unsigned tag,
			 enum gaspdb_phase phase, const char *file,
			 uint64_t line)
{
	const enum gaspdb_upc_sync sync = gaspdb_upc_sync_of(
		(enum gaspdb_event)(event_of_tag[tag] - 1));

	if (sync)
		gaspdb_upc_clocks_event(c, sync, phase, file, line);
}

/* Records the first event of a tag, a user event, or an event in a forked
   child. */
static GASPDB_COLD void odd_event(struct gaspdb_context *c, unsigned tag,
				  enum gaspdb_phase phase, const char *file,
				  uint64_t line, va_list ap)
{
	struct gaspdb_op_state *op;
	uint64_t room[GASPDB_PASSED_MAX];

	if (!is_system(tag)) {
		user_event(c, tag, phase, file, line, ap);
		return;
	}
	if (gaspdb_context_is_off(c)) {
		synchronizes(c, tag, phase, file, line);
		return;
	}
	op = find_op(c, tag);
	if (!op)
		return;
	if (op->special)
		special_event(c, op, phase, file, line,
			      gaspdb_slots_of(&op->plan[phase], ap, room));
	else
		any_event(c, op, phase, 0, file, line,
			  gaspdb_slots_of(&op->plan[phase], ap, room));
}

/* Counts an event while recording is off.  false: it is a user event, which may
   switch recording on. */
static GASPDB_COLD bool is_dropped(struct gaspdb_context *c, unsigned tag,
				   enum gaspdb_phase phase, const char *file,
				   uint64_t line)
{
	if (!is_system(tag) && gaspdb_has_phases())
		return false;
	c->n_off++;
	if (is_system(tag))
		synchronizes(c, tag, phase, file, line);
	return true;
}

/* Records an event of either entry point. */
static inline __attribute__((always_inline)) void
notify(struct gaspdb_context *c, enum gaspdb_path path, unsigned tag,
       gasp_evttype_t type, const char *file, uint64_t line, va_list ap)
{
	const enum gaspdb_phase phase = phase_of(type);
	struct gaspdb_op_state *op;
	uint64_t room[GASPDB_PASSED_MAX];

	if (!c || (is_off(c) && is_dropped(c, tag, phase, file, line)))
		return;
	if (GASPDB_UNLIKELY(!(c->paths & 1u << path)))
		gaspdb_context_emit_cost(c, path);
	if (GASPDB_UNLIKELY(tag >= GASPDB_TAGS_MAX || !c->op_of_tag[tag])) {
		odd_event(c, tag, phase, file, line, ap);
		return;
	}
	op = c->op_of_tag[tag];
	if (GASPDB_UNLIKELY(op->special)) {
		special_event(c, op, phase, file, line,
			      gaspdb_slots_of(&op->plan[phase], ap, room));
		return;
	}
	system_event(c, op, phase, file, line,
		     gaspdb_slots_of(&op->plan[phase], ap, room));
}

GASPDB_EXPORT void gasp_event_notifyVA(gasp_context_t context,
				       unsigned int evttag,
				       gasp_evttype_t evttype,
				       const char *filename, int linenum,
				       int colnum, va_list varargs)
{
	notify((void *)context, GASPDB_PATH_LIST, evttag, evttype, filename,
	       gaspdb_line(linenum, colnum), varargs);
}

GASPDB_EXPORT void gasp_event_notify(gasp_context_t context,
				     unsigned int evttag,
				     gasp_evttype_t evttype,
				     const char *filename, int linenum,
				     int colnum, ...)
{
	va_list ap;

	va_start(ap, colnum);
	notify((void *)context, GASPDB_PATH_NOTIFY, evttag, evttype, filename,
	       gaspdb_line(linenum, colnum), ap);
	va_end(ap);
}

extern __typeof__(gasp_event_notifyVA)
	gaspdb_own_list GASPDB_OWN(gasp_event_notifyVA);
extern __typeof__(gasp_event_notify)
	gaspdb_own_notify GASPDB_OWN(gasp_event_notify);

GASPDB_EXPORT int gasp_control(gasp_context_t context, int on)
{
	return gaspdb_control((void *)context, on);
}

GASPDB_EXPORT unsigned int gasp_create_event(gasp_context_t context,
					     const char *name, const char *desc)
{
	return gaspdb_user_event_new((void *)context, name, desc);
}
