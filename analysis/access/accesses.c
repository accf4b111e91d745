/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dispatch of events to the analyses of accesses. The source of an event
   determines which analyses use it. */
#include "analysis/access/accesses.h"

#include <stdlib.h>

#include "analysis/access/arguments.h"
#include "analysis/access/hand_made.h"
#include "analysis/access/starvation.h"
#include "analysis/access/transfers.h"
#include "analysis/engine/scan.h"
#include "analysis/signals/delivery_times.h"
#include "sql/passes/access.h"
#include "sql/passes/engine.h"

/* Uses of a source's events, bits. */
enum { TRANSFERS = 1, STARVATION = 2, HAND_MADE = 4, SEPARATION = 8 };

typedef struct {
	struct gaspdb_run *run;
	unsigned char *uses; /* by source */
	struct gaspdb_access_arguments arguments;
	struct gaspdb_transfers *transfers;
	struct gaspdb_starvation *starvation;
	struct gaspdb_delivery_times *deliveries;
	struct gaspdb_hand_made hand_made;
	int64_t thread, process;
	sqlite3_stmt *gaps;	    /* starts, by thread and time */
	int64_t gap_thread, gap_ns; /* the next; thread INT64_MAX: none */
	int64_t next_gap_ns; /* gap_ns if it is of this thread, else INT64_MAX
			      */
} accesses;

static void add_hand_made(accesses *a, const struct gaspdb_event *e,
			  const struct gaspdb_run_source *source)
{
	int64_t target;

	target = gaspdb_run_process(a->run, e->peer);
	if (target == GASPDB_NONE || target == a->process || e->open)
		return;
	if (source->type == GASPDB_TYPE_put)
		gaspdb_delivery_times_put(a->deliveries, e->duration_ns);
	gaspdb_hand_made_add(
		&a->hand_made,
		&(struct gaspdb_access){
			.event = e->id,
			.source = e->source,
			.thread = e->thread,
			.peer = target,
			.bytes = e->bytes != GASPDB_NONE ? e->bytes : 0,
			.duration_ns = e->duration_ns },
		e->start_ns);
}

/* End groups at a synchronization. An allocation or free of no memory does not
   synchronize, which depends on the arguments of the call. */
static void process_separation(accesses *a, const struct gaspdb_event *e,
			       const struct gaspdb_run_source *source)
{
	if (source->allocates) {
		struct gaspdb_access_values given;

		gaspdb_access_get(&a->arguments, e,
				  GASPDB_ACCESS_BIT(ADDRESS) |
					  GASPDB_ACCESS_BIT(OLD_ADDRESS),
				  &given);
		if (gaspdb_is_of_nothing(
			    source->type, e->bytes,
			    gaspdb_access_value(&given, GASPDB_ACCESS_ADDRESS,
						GASPDB_NONE),
			    gaspdb_access_value(&given,
						GASPDB_ACCESS_OLD_ADDRESS, 0)))
			return;
	}
	gaspdb_transfers_separate(a->transfers);
	gaspdb_hand_made_separate(&a->hand_made);
}

static void next_gap(accesses *a)
{
	const bool any = gaspdb_row(a->run, a->gaps);

	a->gap_thread = any ? sqlite3_column_int64(a->gaps, 0) : INT64_MAX;
	a->gap_ns = any ? sqlite3_column_int64(a->gaps, 1) : 0;
}

/* Advance to the thread's first gap from ns on. */
static void find_gap(accesses *a, int64_t ns)
{
	while (a->gap_thread < a->thread ||
	       (a->gap_thread == a->thread && a->gap_ns < ns))
		next_gap(a);
	a->next_gap_ns = a->gap_thread == a->thread ? a->gap_ns : INT64_MAX;
}

/* End groups at a gap: the thread may have made unrecorded calls in it. */
static void cross_gap(accesses *a, int64_t ns)
{
	find_gap(a, ns);
	gaspdb_transfers_interrupt(a->transfers);
	gaspdb_hand_made_separate(&a->hand_made);
}

static void next_thread(accesses *a, int64_t thread)
{
	a->thread = thread;
	a->process = gaspdb_run_process(a->run, thread);
	find_gap(a, INT64_MIN);
	gaspdb_hand_made_separate(&a->hand_made);
	gaspdb_transfers_thread(a->transfers, thread);
}

static void process_uses(accesses *a, const struct gaspdb_event *e,
			 const struct gaspdb_run_source *source, unsigned uses)
{
	if (uses & SEPARATION)
		process_separation(a, e, source);
	if (uses & TRANSFERS)
		gaspdb_transfers_consume(a->transfers, e, source);
	if (uses & STARVATION)
		gaspdb_starvation_add(a->starvation, e, source);
	if (uses & HAND_MADE)
		add_hand_made(a, e, source);
}

/* Most sources have one use or none. */
static inline void process_event(accesses *a, const struct gaspdb_event *e)
{
	const struct gaspdb_run_source *source;
	unsigned uses;

	if ((uint64_t)e->source >= (uint64_t)a->run->n_sources ||
	    a->process == GASPDB_NONE)
		return;
	source = &a->run->sources[e->source];
	uses = a->uses[e->source];
	if (uses == TRANSFERS)
		gaspdb_transfers_consume(a->transfers, e, source);
	else if (uses == SEPARATION)
		process_separation(a, e, source);
	else if (uses)
		process_uses(a, e, source, uses);
}

/* Process the first event of a thread, or after a gap. Not inline, so that
   take() needs no stack frame. */
static __attribute__((noinline)) void
process_first(accesses *a, const struct gaspdb_event *e)
{
	if (e->thread != a->thread)
		next_thread(a, e->thread);
	if (e->start_ns > a->next_gap_ns)
		cross_gap(a, e->start_ns);
	process_event(a, e);
}

static void take(void *user, const struct gaspdb_event *e)
{
	accesses *a = user;

	if (e->thread != a->thread || e->start_ns > a->next_gap_ns)
		process_first(a, e);
	else
		process_event(a, e);
}

static unsigned char uses_of(const accesses *a,
			     const struct gaspdb_run_source *source)
{
	const bool blocks =
		source->blocking_access && (source->type == GASPDB_TYPE_get ||
					    source->type == GASPDB_TYPE_put);
	unsigned char by = 0;

	if (gaspdb_transfers_needs(source))
		by |= TRANSFERS;
	if (a->starvation && source->call)
		by |= STARVATION;
	if ((gaspdb_hand_made_enabled(&a->hand_made) || a->deliveries) &&
	    blocks)
		by |= HAND_MADE;
	if (gaspdb_source_separates(source))
		by |= SEPARATION;
	return by;
}

static void load_uses(accesses *a)
{
	const struct gaspdb_run *run = a->run;

	for (int64_t i = 0; a->uses && i < run->n_sources; i++)
		if (gaspdb_run_source(run, i))
			a->uses[i] = uses_of(a, &run->sources[i]);
}

/* NULL: no accesses, or a failure. */
static void *open_accesses(struct gaspdb_run *run)
{
	static const enum gaspdb_type types[] = {
		GASPDB_TYPE_get,    GASPDB_TYPE_get_nb,
		GASPDB_TYPE_put,    GASPDB_TYPE_put_nb,
		GASPDB_TYPE_atomic, GASPDB_TYPE_atomic_fetch,
		GASPDB_TYPE_copy,   GASPDB_TYPE_copy_nb
	};
	accesses *a;

	if (!gaspdb_run_has(run, types, sizeof types / sizeof *types))
		return NULL;
	a = gaspdb_zeroed(run, 1, sizeof *a);
	if (!a)
		return NULL;
	a->run = run;
	a->thread = a->process = GASPDB_NONE;
	gaspdb_access_arguments_open(&a->arguments, run);
	a->transfers = gaspdb_transfers_open(run, &a->arguments);
	a->starvation = gaspdb_starvation_open(run);
	a->deliveries = gaspdb_delivery_times_open(run);
	gaspdb_hand_made_open(&a->hand_made, run);
	a->uses = gaspdb_zeroed(run, (size_t)run->n_sources, 1);
	load_uses(a);
	a->gaps = gaspdb_prepare(run, gaspdb_sql_gap_starts);
	next_gap(a);
	return a;
}

static void close_accesses(void *user)
{
	accesses *a = user;

	gaspdb_transfers_close(a->transfers);
	gaspdb_delivery_times_close(a->deliveries);
	gaspdb_hand_made_close(&a->hand_made);
	gaspdb_starvation_close(a->starvation);
	gaspdb_access_arguments_close(&a->arguments);
	sqlite3_finalize(a->gaps);
	free(a->uses);
	free(a);
}

const struct gaspdb_event_pass gaspdb_accesses = { open_accesses, take,
						   close_accesses };

enum gaspdb_status gaspdb_pass_line_times(struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_any_found_line);
	const bool any = gaspdb_row(run, stmt);

	sqlite3_finalize(stmt);
	if (any)
		gaspdb_exec(run, gaspdb_sql_line_times);
	return run->status;
}
