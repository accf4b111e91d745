/* SPDX-License-Identifier: BSD-2-Clause */
/* Begin, end and hand-over of work for entities: events of model Mapping, at
   the place of the call. */
#define GASPDB_MAPPING_NOT_INLINE
#include "collector/include/gaspdb.h"

#include <stdatomic.h>

#include "collector/base/clock.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"

static const struct gaspdb_operation entity_op = { GASPDB_EVENT_ENTITY, NULL };
static const struct gaspdb_operation work_op = { GASPDB_EVENT_WORK, NULL };
static const struct gaspdb_operation put_op = { GASPDB_EVENT_WORK_PUT, NULL };

/* An event that is to be recorded. */
struct mapping_event {
	const struct gaspdb_operation *op;
	const void *pc;
	enum gaspdb_phase phase;
	unsigned n;
	uint64_t args[2]; /* the entity, and the work */
};

/* Records any event: the slow path. */
static GASPDB_COLD void any_event(struct gaspdb_context *c,
				  const struct mapping_event *e, uint64_t ticks)
{
	struct gaspdb_op_state *op;
	struct gaspdb_site *site = NULL;

	if (!gaspdb_entity_get((gaspdb_entity_t)e->args[0]))
		return; /* no handle of ours */
	if (!(c->paths & 1u << GASPDB_PATH_ADAPTER))
		gaspdb_context_emit_cost(c, GASPDB_PATH_ADAPTER);
	if (!c->busy && gaspdb_modules_are_behind(c))
		gaspdb_modules_catch_up(c);
	if (!gaspdb_begin(c))
		return;
	op = gaspdb_op_find(c, e->op);
	if (op && op->masked) {
		op->n_masked++;
		gaspdb_done(c);
		return;
	}
	if (op && gaspdb_entity_define(c, (gaspdb_entity_t)e->args[0]))
		site = gaspdb_site_pc(c, e->op, op, e->pc);
	if (site)
		gaspdb_emit_event(c, e->phase, site, ticks, e->n, e->args);
	else
		gaspdb_event_lose(c, e->phase, ticks);
	gaspdb_done(c);
}

/* The site to record at; NULL: not defined yet.  An end has no place of its
   own: it is recorded at the last event's site, if that is of its operation. */
static inline struct gaspdb_site *site_of(struct gaspdb_context *c,
					  const struct mapping_event *e)
{
	const struct gaspdb_site_key key = { e->op, e->pc, 0 };

	if (e->phase == GASPDB_PHASE_END && c->last->key.what == e->op)
		return c->last;
	return gaspdb_site_find(c, &key);
}

/* gaspdb_put_event() for arguments that are all of code u. */
static inline void put(struct gaspdb_context *c, const struct mapping_event *e,
		       struct gaspdb_site *site, uint64_t ticks)
{
	const unsigned head = e->phase | e->n << GASPDB_ARGS_SHIFT;
	unsigned char *p = site == c->last
				   ? gaspdb_put_same(c, head, ticks)
				   : gaspdb_put_other(c, head, site, ticks);

	for (unsigned i = 0; i < e->n; i++)
		p = gaspdb_put_number(p, e->args[i]);
	gaspdb_log_writer_commit(&c->log, p);
}

static inline void record(struct gaspdb_context *c,
			  const struct mapping_event *e, uint64_t ticks)
{
	struct gaspdb_site *site;

	if (GASPDB_UNLIKELY(
		    c->busy || gaspdb_modules_are_behind(c) ||
		    !gaspdb_entity_is_defined(&c->entities,
					      (gaspdb_entity_t)e->args[0]))) {
		any_event(c, e, ticks);
		return;
	}
	if (!gaspdb_begin_idle(c))
		return;
	site = site_of(c, e);
	if (GASPDB_UNLIKELY(!site || site->op->masked ||
			    !gaspdb_event_is_usual(c, ticks, e->n))) {
		gaspdb_done(c);
		any_event(c, e, ticks);
		return;
	}
	put(c, e, site, ticks);
	gaspdb_done(c);
}

/* The context, if its recording is on.  frame: that of the function called. */
static inline struct gaspdb_context *recorded(uintptr_t frame)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (GASPDB_UNLIKELY(!c))
		return NULL;
	gaspdb_functions_check(c, frame);
	if (GASPDB_LIKELY(c->on))
		return c;
	c->n_off++;
	return gaspdb_profiles_all() ? c : NULL;
}

#define FRAME ((uintptr_t)__builtin_frame_address(0))

GASPDB_EXPORT void gaspdb_entity_begin(gaspdb_entity_t entity)
{
	struct gaspdb_context *c = entity ? recorded(FRAME) : NULL;

	if (c)
		record(c,
		       &(struct mapping_event){ &entity_op,
						GASPDB_CALLER,
						GASPDB_PHASE_START,
						1,
						{ entity } },
		       gaspdb_clock_ticks());
}

GASPDB_EXPORT void gaspdb_entity_end(gaspdb_entity_t entity)
{
	const uint64_t ticks = entity ? gaspdb_clock_ticks() : 0;
	struct gaspdb_context *c = entity ? recorded(FRAME) : NULL;

	if (c)
		record(c,
		       &(struct mapping_event){ &entity_op,
						GASPDB_CALLER,
						GASPDB_PHASE_END,
						1,
						{ entity } },
		       ticks);
}

/* --- work that is handed over --------------------------------------------- */

GASPDB_EXPORT gaspdb_work_t gaspdb_work_put(gaspdb_entity_t entity)
{
	static atomic_uint_least64_t n;
	struct gaspdb_context *c;
	uint64_t number;

	if (!gaspdb_entity_get(entity) || !gaspdb_context_get())
		return 0;
	number = atomic_fetch_add_explicit(&n, 1, memory_order_relaxed) + 1;
	c = recorded(FRAME);
	if (c)
		record(c,
		       &(struct mapping_event){ &put_op,
						GASPDB_CALLER,
						GASPDB_PHASE_ATOMIC,
						2,
						{ entity, number } },
		       gaspdb_clock_ticks());
	return number << GASPDB_ENTITY_BITS | entity;
}

static inline struct mapping_event
work_event(gaspdb_work_t work, enum gaspdb_phase phase, const void *pc)
{
	return (struct mapping_event){ &work_op,
				       pc,
				       phase,
				       2,
				       { work & ((1u << GASPDB_ENTITY_BITS) -
						 1),
					 work >> GASPDB_ENTITY_BITS } };
}

GASPDB_EXPORT void gaspdb_work_begin(gaspdb_work_t work)
{
	const struct mapping_event e =
		work_event(work, GASPDB_PHASE_START, GASPDB_CALLER);
	struct gaspdb_context *c = work ? recorded(FRAME) : NULL;

	if (c)
		record(c, &e, gaspdb_clock_ticks());
}

GASPDB_EXPORT void gaspdb_work_end(gaspdb_work_t work)
{
	const uint64_t ticks = work ? gaspdb_clock_ticks() : 0;
	const struct mapping_event e =
		work_event(work, GASPDB_PHASE_END, GASPDB_CALLER);
	struct gaspdb_context *c = work ? recorded(FRAME) : NULL;

	if (c)
		record(c, &e, ticks);
}
