/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measurement of the cost of an event: a context that writes into memory
 * records events by the same path as the thread's.  Block changes are not
 * included: TOOL records have them.
 */
#include "collector/core/event_cost.h"

#include <stdlib.h>

#include "collector/base/clock.h"
#include "collector/base/pages.h"
#include "collector/core/event.h"
#include "collector/gasp/dialect.h"
#include "collector/process/layers.h"

#define PAIRS	   64 /* of START and END, per batch */
#define BATCHES	   15
#define PAIR_BYTES (2 * (3 + 7) * GASPDB_VARINT_MAX) /* at most */
#define LOG_BYTES  (32u << 10)

_Static_assert(LOG_BYTES > PAIRS * PAIR_BYTES + 2 * GASPDB_EVENT_ROOM + 4096,
	       "a batch fits the block, with the definitions of the first");

/* gasp.c, adapter.c: own names, never another tool's functions. */
extern __typeof__(gasp_event_notify) gaspdb_own_notify GASPDB_HIDDEN;
extern __typeof__(gasp_event_notifyVA) gaspdb_own_list GASPDB_HIDDEN;
extern __typeof__(gaspdb_start) gaspdb_own_start GASPDB_HIDDEN;
extern __typeof__(gaspdb_end) gaspdb_own_end GASPDB_HIDDEN;

/* The checks of gaspdb_enter(). */
static __attribute__((noinline)) bool enter(struct gaspdb_context *c,
					    const void *pc)
{
	struct gaspdb_entry e = { .pc = pc };

	gaspdb_entry_pass_on(&e);
	return (gaspdb_caller_at(e.pc) == GASPDB_RUNTIME) + (gaspdb_context_current() == c) +
	       gaspdb_context_is_behind(c);
}

/* A put or a send with a request: its arguments, and its wrapper's work. */
static void adapter_pair(struct gaspdb_context *c, uint64_t i)
{
	static const struct gaspdb_operation op = { GASPDB_EVENT_SHMEM_PUT,
						    NULL };
	volatile bool entered = enter(c, &op);

	(void)entered;
	gaspdb_own_start(c, &op, &op, 7,
			 (uint64_t[]){ i % 4, (uintptr_t)&op + 8 * i,
				       (uintptr_t)c, 8 * i, 0, i, 1 });
	gaspdb_own_end(c, &op, &op, 0, NULL);
	gaspdb_leave(c);
}

/* An event of two arguments, none of which needs an upcall. */
static void notify_pair(struct gaspdb_context *c, uint64_t i)
{
#ifdef GASP_UPC_NOTIFY
	gasp_context_t context = (gasp_context_t)(void *)c;

	gaspdb_own_notify(context, GASP_UPC_NOTIFY, GASP_START, "", 1, 1, 1,
			  (int)i);
	gaspdb_own_notify(context, GASP_UPC_NOTIFY, GASP_END, "", 1, 1, 1,
			  (int)i);
#else
	(void)c;
	(void)i;
#endif
}

/* Passes its arguments on, as runtimes do. */
#ifdef GASP_UPC_NOTIFY
static __attribute__((noinline)) void
pass_on(struct gaspdb_context *c, gasp_evttype_t type, int line, ...)
{
	va_list ap;

	va_start(ap, line);
	gaspdb_own_list((gasp_context_t)(void *)c, GASP_UPC_NOTIFY, type, "",
			line, 1, ap);
	va_end(ap);
}
#endif

static void list_pair(struct gaspdb_context *c, uint64_t i)
{
#ifdef GASP_UPC_NOTIFY
	pass_on(c, GASP_START, 1, 1, (int)i);
	pass_on(c, GASP_END, 1, 1, (int)i);
#else
	(void)c;
	(void)i;
#endif
}

static void (*const pairs[GASPDB_N_PATHS])(struct gaspdb_context *,
					   uint64_t) = {
	[GASPDB_PATH_ADAPTER] = adapter_pair,
	[GASPDB_PATH_NOTIFY] = notify_pair,
	[GASPDB_PATH_LIST] = list_pair,
};

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Empties the block. */
static void rewind_log(struct gaspdb_context *c)
{
	c->log.at = c->log.block + GASPDB_BH_BYTES;
	c->log.last_ticks = gaspdb_clock_ticks();
}

static double measure(struct gaspdb_context *c,
		      void (*pair)(struct gaspdb_context *, uint64_t))
{
	uint64_t ticks[BATCHES];

	/* The first pair defines the operation, which the program's masks may
	   mask. */
	pair(c, 0);
	gaspdb_op_unmask(c);
	for (unsigned batch = 0; batch < BATCHES; batch++) {
		rewind_log(c);
		const uint64_t start = gaspdb_clock_ticks();

		for (uint64_t i = 0; i < PAIRS; i++)
			pair(c, i);
		ticks[batch] = gaspdb_clock_ticks() - start;
	}
	qsort(ticks, BATCHES, sizeof *ticks, compare);
	return (double)ticks[BATCHES / 2] / (2 * PAIRS);
}

static double measure_apart(enum gaspdb_path path)
{
	struct gaspdb_context *c = gaspdb_pages(sizeof *c);
	unsigned char *log = gaspdb_pages(LOG_BYTES);
	double cost = 0;

	if (c && log) {
		gaspdb_sites_init(c);
		c->log.block = log;
		c->log.limit = log + LOG_BYTES;
		c->log.due_ticks = UINT64_MAX;
		c->live = c->on = true;
		/* The addresses are in no module of the program. */
		c->no_modules = true;
		rewind_log(c);
		c->paths = ~0u; /* no cost records */
		c->profile_only = gaspdb_mode == GASPDB_MODE_PROFILE;
		if (c->profile_only && !gaspdb_profile_begin_apart(c))
			c->live = false;
		cost = measure(c, pairs[path]);
		gaspdb_tables_free(c);
		gaspdb_ops_free(c);
	}
	if (log)
		munmap(log, LOG_BYTES);
	if (c)
		munmap(c, sizeof *c);
	return cost;
}

double gaspdb_event_cost(enum gaspdb_path path)
{
	static double known[GASPDB_N_PATHS];
	double cost;

	/* Two threads may both measure: either result will do. */
	__atomic_load(&known[path], &cost, __ATOMIC_RELAXED);
	if (cost == 0) {
		cost = measure_apart(path);
		__atomic_store(&known[path], &cost, __ATOMIC_RELAXED);
	}
	return cost;
}
