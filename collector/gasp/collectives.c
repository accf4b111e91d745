/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of UPC collectives that the program's wrappers raise
 * (gaspdb_collectives.upc), because its runtime raises none.
 */
#include "collector/base/clock.h"
#include "collector/core/context.h"
#include "collector/core/emit.h"
#include "collector/gasp/dialect.h"
#include "collector/gasp/gasp_operations.h"
#include "collector/include/gaspdb_upc.h"

#define N_KINDS (GASPDB_UPC_SORT + 1)

/* The events' rows are in the order of the kinds. */
_Static_assert(GASPDB_EVENT_UPC_ALL_SORT - GASPDB_EVENT_UPC_ALL_BROADCAST ==
		       GASPDB_UPC_SORT,
	       "a row for each kind");

static enum gaspdb_event event_of(const struct gaspdb_upc_collective *call)
{
	return (enum gaspdb_event)(GASPDB_EVENT_UPC_ALL_BROADCAST +
				   (unsigned)call->kind);
}

/* Events that have a tag in the runtime's header: it raises them itself. */
static const bool is_raised[GASPDB_N_EVENTS] = {
#define TAG(tag, event) [(event)] = true,
#include "gasp_tags.h"
};

static bool is_wrapped(const struct gaspdb_upc_collective *call)
{
	return (unsigned)call->kind < N_KINDS && !is_raised[event_of(call)];
}

/* The operation of a wrapper, defined at first use. c is busy. */
static struct gaspdb_op_state *find_op(struct gaspdb_context *c,
				       const struct gaspdb_upc_collective *call)
{
	struct gaspdb_op_state *op = gaspdb_op_lookup(c, call);

	return op ? op
		  : gaspdb_gasp_operation(c, call, call->name,
					  &gaspdb_events[event_of(call)]);
}

/* A call that the runtime makes to itself. */
static GASPDB_COLD void count_nested(struct gaspdb_context *c,
				     const struct gaspdb_upc_collective *call)
{
	struct gaspdb_op_state *op;

	if (!gaspdb_begin(c))
		return;
	op = find_op(c, call);
	if (op)
		op->nested++;
	gaspdb_done(c);
}

/* Writes an event, or counts it. c is busy. */
static void emit(struct gaspdb_context *c, enum gaspdb_phase phase,
		 const struct gaspdb_upc_collective *call, const void *place,
		 uint64_t ticks, const uint64_t *arguments)
{
	struct gaspdb_op_state *op = find_op(c, call);
	uint64_t values[GASPDB_GASP_VALUES_MAX];
	struct gaspdb_site *site;

	if (op && op->masked) {
		op->n_masked++;
		return;
	}
	if (op)
		gaspdb_gasp_values(c, &op->plan[phase], arguments, values);
	if (!c->live) /* an upcall has ended the process */
		return;
	site = op ? gaspdb_site_pc(c, call, op, place) : NULL;
	if (site)
		gaspdb_emit_event(c, phase, site, ticks, op->plan[phase].n,
				  values);
	else
		gaspdb_event_lose(c, phase, ticks);
	gaspdb_upcalls_emit_time(c);
}

static void event(struct gaspdb_context *c, enum gaspdb_phase phase,
		  const struct gaspdb_upc_collective *call, const void *place,
		  const uint64_t *arguments)
{
	const uint64_t ticks = gaspdb_clock_ticks();

	if (gaspdb_context_is_off(c)) {
		c->n_off++;
		return;
	}
	if (!(c->paths & 1u << GASPDB_PATH_ADAPTER))
		gaspdb_context_emit_cost(c, GASPDB_PATH_ADAPTER);
	if (!c->busy && gaspdb_modules_are_behind(c))
		gaspdb_modules_catch_up(c);
	if (!gaspdb_begin(c))
		return;
	emit(c, phase, call, place, ticks, arguments);
	gaspdb_done(c);
}

/* Enters a wrapper whose caller's stack is above frame.  false: it is called
   within another one. */
static bool enter(struct gaspdb_context *c, uintptr_t frame)
{
	if (GASPDB_UNLIKELY(c->depth > 0 && frame >= c->frame))
		gaspdb_calls_left(c);
	if (c->depth++ > 0)
		return false;
	c->frame = frame;
	return true;
}

GASPDB_EXPORT void
gaspdb_upc_collective_start(const struct gaspdb_upc_collective *call,
			    const void *place, const uint64_t *arguments)
{
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	struct gaspdb_context *c = gaspdb_context_current();

	if (!c || !is_wrapped(call))
		return;
	if (!enter(c, frame)) {
		count_nested(c, call);
		return;
	}
	gaspdb_functions_check(c, frame);
	event(c, GASPDB_PHASE_START, call, place, arguments);
}

GASPDB_EXPORT void
gaspdb_upc_collective_end(const struct gaspdb_upc_collective *call,
			  const void *place)
{
	struct gaspdb_context *c = gaspdb_context_current();

	if (!c || !is_wrapped(call) || !c->depth || --c->depth > 0)
		return;
	event(c, GASPDB_PHASE_END, call, place, NULL);
}
