/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that is asked of accesses of other processes' memory, of each event what
 * its source says that it is of use for.
 */
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

/* Who wants the events of a source, bits. */
enum { TRANSFERS = 1, STARVATION = 2, BY_HAND = 4, SEPARATION = 8 };

typedef struct {
	struct gaspdb_run *run;
	unsigned char *wanted; /* by source */
	struct gaspdb_access_arguments arguments;
	struct gaspdb_transfers *transfers;
	struct gaspdb_starvation *starvation;
	struct gaspdb_delivery_times *deliveries;
	struct gaspdb_hand_made hand;
	int64_t thread, process;
	sqlite3_stmt *gaps; /* by thread and time */
	/* The next one: this thread's or a later one's; thread INT64_MAX: none.
	 */
	int64_t gap_thread, gap_ns;
	int64_t until_ns; /* gap_ns if it is this thread's, else INT64_MAX */
} accesses;

static void take_by_hand(accesses *a, const struct gaspdb_event *e,
			 const struct gaspdb_run_source *source)
{
	int64_t target;

	target = gaspdb_run_process(a->run, e->peer);
	if (target == GASPDB_NONE || target == a->process || e->open)
		return;
	if (source->type == GASPDB_TYPE_put)
		gaspdb_delivery_times_put(a->deliveries, e->duration_ns);
	gaspdb_hand_made_add(
		&a->hand,
		&(struct gaspdb_access){
			.event = e->id,
			.source = e->source,
			.thread = e->thread,
			.peer = target,
			.bytes = e->bytes != GASPDB_NONE ? e->bytes : 0,
			.duration_ns = e->duration_ns },
		e->start_ns);
}

/* Calls that allocate or free tell only one by one whether they do anything. */
static void separate(accesses *a, const struct gaspdb_event *e,
		     const struct gaspdb_run_source *source)
{
	if (source->allocates) {
		struct gaspdb_access_values given;

		gaspdb_access_ask(&a->arguments, e,
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
	gaspdb_hand_made_separate(&a->hand);
}

static void next_gap(accesses *a)
{
	const bool any = gaspdb_row(a->run, a->gaps);

	a->gap_thread = any ? sqlite3_column_int64(a->gaps, 0) : INT64_MAX;
	a->gap_ns = any ? sqlite3_column_int64(a->gaps, 1) : 0;
}

/* Go to the thread's first gap that does not begin before. */
static void find_gap(accesses *a, int64_t ns)
{
	while (a->gap_thread < a->thread ||
	       (a->gap_thread == a->thread && a->gap_ns < ns))
		next_gap(a);
	a->until_ns = a->gap_thread == a->thread ? a->gap_ns : INT64_MAX;
}

/* In what was not recorded the thread may have done anything. */
static void pass_gaps(accesses *a, int64_t ns)
{
	find_gap(a, ns);
	gaspdb_transfers_interrupt(a->transfers);
	gaspdb_hand_made_separate(&a->hand);
}

static void next_thread(accesses *a, int64_t thread)
{
	a->thread = thread;
	a->process = gaspdb_run_process(a->run, thread);
	find_gap(a, INT64_MIN);
	gaspdb_hand_made_separate(&a->hand);
	gaspdb_transfers_thread(a->transfers, thread);
}

static void take_for_all(accesses *a, const struct gaspdb_event *e,
			 const struct gaspdb_run_source *source,
			 unsigned wanted)
{
	if (wanted & SEPARATION)
		separate(a, e, source);
	if (wanted & TRANSFERS)
		gaspdb_transfers_consume(a->transfers, e, source);
	if (wanted & STARVATION)
		gaspdb_starvation_add(a->starvation, e, source);
	if (wanted & BY_HAND)
		take_by_hand(a, e, source);
}

/* Most are of use for one thing, if for any. */
static inline void take_wanted(accesses *a, const struct gaspdb_event *e)
{
	const struct gaspdb_run_source *source;
	unsigned wanted;

	if ((uint64_t)e->source >= (uint64_t)a->run->n_sources ||
	    a->process == GASPDB_NONE)
		return;
	source = &a->run->sources[e->source];
	wanted = a->wanted[e->source];
	if (wanted == TRANSFERS)
		gaspdb_transfers_consume(a->transfers, e, source);
	else if (wanted == SEPARATION)
		separate(a, e, source);
	else if (wanted)
		take_for_all(a, e, source, wanted);
}

/* The first of a thread, or the first after a gap.  It is no part of take(),
   which has no need for a frame then. */
static __attribute__((noinline)) void take_first(accesses *a,
						 const struct gaspdb_event *e)
{
	if (e->thread != a->thread)
		next_thread(a, e->thread);
	if (e->start_ns > a->until_ns)
		pass_gaps(a, e->start_ns);
	take_wanted(a, e);
}

static void take(void *user, const struct gaspdb_event *e)
{
	accesses *a = user;

	if (e->thread != a->thread || e->start_ns > a->until_ns)
		take_first(a, e);
	else
		take_wanted(a, e);
}

static unsigned char wanted_by(const accesses *a,
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
	if ((gaspdb_hand_made_wanted(&a->hand) || a->deliveries) && blocks)
		by |= BY_HAND;
	if (gaspdb_source_separates(source))
		by |= SEPARATION;
	return by;
}

static void choose_wanted(accesses *a)
{
	const struct gaspdb_run *run = a->run;

	for (int64_t i = 0; a->wanted && i < run->n_sources; i++)
		if (gaspdb_run_source(run, i))
			a->wanted[i] = wanted_by(a, &run->sources[i]);
}

/* NULL: there are none, or a failure. */
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
	gaspdb_hand_made_open(&a->hand, run);
	a->wanted = gaspdb_zeroed(run, (size_t)run->n_sources, 1);
	choose_wanted(a);
	a->gaps = gaspdb_prepare(run, gaspdb_sql_gap_starts);
	next_gap(a);
	return a;
}

static void close_accesses(void *user)
{
	accesses *a = user;

	gaspdb_transfers_close(a->transfers);
	gaspdb_delivery_times_close(a->deliveries);
	gaspdb_hand_made_close(&a->hand);
	gaspdb_starvation_close(a->starvation);
	gaspdb_access_arguments_close(&a->arguments);
	sqlite3_finalize(a->gaps);
	free(a->wanted);
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
