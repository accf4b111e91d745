/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The heap in the logs.  A HEAP record has all counters of a place so far, so
 * it may be in any thread's log, and the last one counts.  A process's log can
 * begin with it: then the first allocation by the program's own code makes the
 * log.
 */
#include "collector/core/heap/heap.h"

#include <dlfcn.h>
#include <string.h>

#include "collector/base/clock.h"
#include "collector/base/environment.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"
#include "collector/core/python/places.h"
#include "collector/process/layers.h"
#include "collector/process/process.h"

#ifndef GASPDB_UPC_OBJECT

struct gaspdb_heap *gaspdb_heap_logged;

/* By gaspdb_heap_call. */
static const struct gaspdb_operation operations[] = {
	[GASPDB_HEAP_MALLOC] = { GASPDB_EVENT_C_MALLOC, "malloc" },
	[GASPDB_HEAP_CALLOC] = { GASPDB_EVENT_C_MALLOC, "calloc" },
	[GASPDB_HEAP_REALLOC] = { GASPDB_EVENT_C_REALLOC, "realloc" },
	[GASPDB_HEAP_ALIGNED] = { GASPDB_EVENT_C_MALLOC, "aligned_alloc" },
	[GASPDB_HEAP_NEW] = { GASPDB_EVENT_C_MALLOC, "operator new" },
	[GASPDB_HEAP_RUNTIME] = { GASPDB_EVENT_C_MALLOC, "malloc" },
	[GASPDB_HEAP_FREE] = { GASPDB_EVENT_C_FREE, "free" },
};

/* --- callers -------------------------------------------------------------- */

static uint32_t classify(const void *pc)
{
	const enum gaspdb_caller caller = gaspdb_caller_at(pc);

	if (caller == GASPDB_PROGRAM)
		return GASPDB_HEAP_SELF;
	return gaspdb_is_for_program(caller) ? GASPDB_HEAP_ASK
					     : GASPDB_HEAP_MODULE;
}

/* The program's place for which a library allocates. */
static const void *place(const void *pc)
{
	struct gaspdb_context *c = gaspdb_context_current();
	const void *found;

	if (!c || c->busy)
		return NULL;
	found = gaspdb_caller_at(pc) == GASPDB_BINDING
			? gaspdb_python_place(pc)
			: gaspdb_caller_of_library(c, pc);
	return found == pc ? NULL : found;
}

/* --- counters ------------------------------------------------------------- */

/* c is busy. */
static const struct gaspdb_site *site_of(struct gaspdb_context *c, uint64_t key)
{
	const enum gaspdb_heap_call call = gaspdb_heap_call_of(key);
	const void *address = gaspdb_heap_address(key);
	struct gaspdb_op_state *op = gaspdb_op_find(c, &operations[call]);

	if (!op)
		return NULL;
	return call == GASPDB_HEAP_RUNTIME
		       ? gaspdb_site_line(c, op, address, 0)
		       : gaspdb_site_pc(c, &operations[call], op, address);
}

static void log_place(struct gaspdb_context *c, struct gaspdb_heap_place *p,
		      uint64_t ticks)
{
	const struct gaspdb_site *site;
	struct gaspdb_heap_place now;

	gaspdb_heap_lock(&p->lock);
	now.blocks = p->blocks;
	now.bytes = p->bytes;
	now.frees = p->frees;
	now.live_bytes = p->live_bytes;
	now.peak_bytes = p->peak_bytes;
	now.largest_bytes = p->largest_bytes;
	now.failed = p->failed;
	gaspdb_heap_unlock(&p->lock);
	if (now.blocks + now.frees + now.failed == p->logged ||
	    !gaspdb_begin(c))
		return;
	p->logged = now.blocks + now.frees + now.failed;
	site = site_of(c, p->key);
	if (site)
		gaspdb_emit_other(c, GASPDB_RECORD_HEAP, "uuuuuuuuu",
				  (uint64_t)gaspdb_site_number(site->id), ticks, now.blocks, now.bytes,
				  now.frees, now.live_bytes, now.peak_bytes,
				  now.largest_bytes, now.failed);
	else
		gaspdb_context_lose(c);
	gaspdb_done(c);
}

/* The process's own record: its live bytes are the sum of all places', as far
   as other threads do not allocate meanwhile. */
static void log_process(struct gaspdb_context *c, struct gaspdb_heap *heap,
			uint64_t ticks)
{
	int64_t live = heap->live_bytes, peak = heap->peak_bytes;

	if (live < 0)
		live = 0;
	if (peak < live)
		peak = live;
	gaspdb_record(c, GASPDB_RECORD_HEAP, "uuuuuuuuuuu", UINT64_C(0), ticks,
		      UINT64_C(0), UINT64_C(0), UINT64_C(0), (uint64_t)live,
		      (uint64_t)peak, UINT64_C(0), UINT64_C(0),
		      (uint64_t)heap->unknown_frees, (uint64_t)heap->uncounted);
}

/* Sets when the next records are due. */
static void wait_again(const struct gaspdb_context *c, struct gaspdb_heap *heap)
{
	const int64_t now = gaspdb_heap_ns();
	int64_t wait = (now - heap->start_ns) / 1024;

	if (wait < GASPDB_HEAP_LEAST_NS)
		wait = GASPDB_HEAP_LEAST_NS;
	if (wait > GASPDB_HEAP_MOST_NS)
		wait = GASPDB_HEAP_MOST_NS;
	/* A profile's log keeps its size: few records, ever further apart. */
	if (gaspdb_is_profile_only(c))
		wait += now - heap->start_ns;
	heap->due_ns = now + wait;
}

/* Bytes of all records, at most. */
static uint64_t bytes_of(const struct gaspdb_heap *heap)
{
	return (uint64_t)atomic_load(&heap->n_places) * 80;
}

/* heap->logging is taken. */
static bool log_to(struct gaspdb_context *c)
{
	struct gaspdb_heap *heap = gaspdb_heap_logged;
	uint64_t ticks;
	uint32_t n;

	if (!c || !heap || c->busy)
		return false;
	/* At the end they are needed most. */
	if (heap->on && !gaspdb_rest_has_room(c, 2 * bytes_of(heap))) {
		wait_again(c, heap);
		return true;
	}
	atomic_store(&heap->changed, false);
	n = atomic_load(&heap->n_places);
	if (gaspdb_context_is_behind(c))
		gaspdb_context_catch_up(c);
	ticks = gaspdb_clock_ticks();
	for (uint32_t i = 1; i <= n && i < GASPDB_HEAP_PLACES; i++)
		if (heap->places[i].key)
			log_place(c, &heap->places[i], ticks);
	log_process(c, heap, ticks);
	wait_again(c, heap);
	return true;
}

/* The context to log to.  A thread that has recorded nothing gets none, unless
   the process has none yet, or no other thread has logged for long. */
static struct gaspdb_context *context_now(void)
{
	struct gaspdb_context *c = gaspdb_context_current();

	return c || (gaspdb_process.n_contexts &&
		     gaspdb_heap_ns() - gaspdb_heap_logged->due_ns <
			     GASPDB_HEAP_MOST_NS)
		       ? c
		       : gaspdb_context_get();
}

static bool log_now(void)
{
	return log_to(context_now());
}

void gaspdb_heap_log(void)
{
	struct gaspdb_heap *heap = gaspdb_heap_logged;
	struct gaspdb_context *c = gaspdb_context_current();

	if (!heap || !heap->on || !c ||
	    atomic_flag_test_and_set(&heap->logging))
		return;
	log_to(c);
	atomic_flag_clear(&heap->logging);
}

void gaspdb_heap_log_due(void)
{
	if (gaspdb_heap_ns() >= gaspdb_heap_logged->due_ns)
		gaspdb_heap_log();
}

/* --- events of large blocks ----------------------------------------------- */

static bool start(struct gaspdb_heap_event *event, enum gaspdb_heap_call call,
		  const void *pc, uint64_t bytes, const void *old)
{
	const struct gaspdb_operation *op = &operations[call];
	const void *at = gaspdb_caller_at(pc) == GASPDB_LIBC ? place(pc) : pc;
	struct gaspdb_context *c = at ? gaspdb_enter_libc(op, &at) : NULL;

	if (!c)
		return false;
	*event = (struct gaspdb_heap_event){ c, at };
	if (call == GASPDB_HEAP_FREE)
		gaspdb_start(c, op, at, 1, (uint64_t[]){ (uintptr_t)old });
	else if (call == GASPDB_HEAP_REALLOC)
		gaspdb_start(c, op, at, 2,
			     (uint64_t[]){ (uintptr_t)old, bytes });
	else
		gaspdb_start(c, op, at, 1, &bytes);
	return true;
}

static void end(const struct gaspdb_heap_event *event,
		enum gaspdb_heap_call call, uint64_t bytes, const void *old,
		const void *address)
{
	struct gaspdb_context *c = (void *)(uintptr_t)event->context;
	const struct gaspdb_operation *op = &operations[call];

	if (call == GASPDB_HEAP_FREE)
		gaspdb_end(c, op, event->pc, 1, (uint64_t[]){ (uintptr_t)old });
	else if (call == GASPDB_HEAP_REALLOC)
		gaspdb_end(c, op, event->pc, 3,
			   (uint64_t[]){ (uintptr_t)old, bytes,
					 (uintptr_t)address });
	else
		gaspdb_end(c, op, event->pc, 2,
			   (uint64_t[]){ bytes, (uintptr_t)address });
	gaspdb_leave(c);
}

/* --- the start, and the end ----------------------------------------------- */

static const struct gaspdb_heap_hooks hooks = { classify, place, log_now, start,
						end };

extern gaspdb_heap_attach_fn gaspdb_heap_attach;
GASPDB_EXPORT bool gaspdb_heap_attach(gaspdb_heap_begin_fn *begin)
{
	if (gaspdb_is_privileged() || gaspdb_heap_logged)
		return gaspdb_heap_logged != NULL;
	gaspdb_libc_begin();
	gaspdb_heap_logged = begin(&hooks);
	return gaspdb_heap_logged != NULL;
}

void gaspdb_heap_start(void)
{
	gaspdb_heap_begin_fn *begin;

	if (gaspdb_heap_logged)
		return;
	*(void **)&begin = dlsym(RTLD_DEFAULT, GASPDB_HEAP_BEGIN);
	if (begin)
		gaspdb_heap_attach(begin);
}

void gaspdb_heap_finish(bool make)
{
	struct gaspdb_heap *heap = gaspdb_heap_logged;
	struct gaspdb_context *c;

	if (!heap || !heap->on)
		return;
	c = gaspdb_context_current();
	if (!c && make)
		c = gaspdb_context_get();
	if (!c || c->busy || !c->live)
		return;
	heap->on = false;
	log_to(c);
}

#endif
