/* SPDX-License-Identifier: BSD-2-Clause */
/* When the hosts' clocks are sampled in UPC programs. */
#include "collector/gasp/clocks.h"

#include "collector/core/clocks/sampler.h"
#include "collector/gasp/dialect.h"
#include "collector/log/log_format.h"

/* How long leaders are waited for at the exit.  A thread that calls exit() does
   not come to it. */
#define EXIT_SECONDS 2

static struct gaspdb_leaders leaders; /* of the process's one leader */
static struct gaspdb_sampler sampler = GASPDB_SAMPLER_NONE;

/* The calling UPC thread. */
static __thread struct {
	struct gaspdb_context *c;
	int thread, threads;
	enum {
		AWAY,	   /* it has not said its host */
		IS_HERE,   /* leaders are not chosen */
		LEADS,
		DONE
	} state;
	uint64_t barriers; /* that have ended */
	const char *file;  /* of the last upc_notify */
	uint64_t line;
} own;

enum gaspdb_upc_sync gaspdb_upc_sync_of(enum gaspdb_event event)
{
	switch (event) {
	case GASPDB_EVENT_UPC_NOTIFY:
		return GASPDB_UPC_NOTIFY;
	case GASPDB_EVENT_UPC_WAIT:
		return GASPDB_UPC_WAIT;
	case GASPDB_EVENT_UPC_BARRIER:
		return GASPDB_UPC_WHOLE_BARRIER;
	case GASPDB_EVENT_UPC_COLLECTIVE_EXIT:
		return GASPDB_UPC_EXIT;
	default:
		return GASPDB_UPC_NO_SYNC;
	}
}

/* --- start ---------------------------------------------------------------- */

/* Before a barrier: says the host, as soon as the words are there. */
static void say_host(void)
{
	if (own.state == AWAY && gaspdb_upc_has_words()) {
		gaspdb_upc_say_host(own.thread, own.c);
		own.state = IS_HERE;
	}
}

void gaspdb_upc_clocks_thread(struct gaspdb_context *c, int thread, int threads)
{
	int64_t period_ns;
	bool is_set;

	own.c = c;
	own.thread = thread;
	own.threads = threads;
	own.state = thread >= 0 && threads > 1 && thread < threads &&
				    gaspdb_sampling_is_wished(&period_ns,
							      &is_set)
			    ? AWAY
			    : DONE;
	say_host();
}

static void lead(void)
{
	bool is_set;

	own.state = LEADS;
	gaspdb_sampling_is_wished(&sampler.period_ns, &is_set);
	sampler.leaders = &leaders;
	gaspdb_sampler_emit_facts(&sampler);
	gaspdb_sampler_take(&sampler, own.c, GASPDB_SAMPLE_AT_START,
			    GASPDB_SAMPLE_SECONDS);
}

void gaspdb_upc_clocks_begin(void)
{
	const uint64_t start = gaspdb_ticks();
	const char *why;
	bool is_leader;

	if (own.state != IS_HERE)
		return;
	own.state = DONE;
	why = gaspdb_upc_find_leaders(&leaders, own.thread, own.threads,
				      &is_leader);
	if (!own.c)
		return;
	if (why)
		gaspdb_meta("clock_sampling_failed", why);
	gaspdb_record(own.c, GASPDB_RECORD_TOOL, "uu", start, gaspdb_ticks());
	if (is_leader)
		lead();
}

/* --- events --------------------------------------------------------------- */

bool gaspdb_upc_clocks_counts(void)
{
	return own.c && own.state != DONE;
}

/*
 * Whether the event ends a barrier that all threads have entered, and between
 * whose halves they do nothing.  Where a runtime says it in two halves, those of
 * a whole one have one place.
 */
static bool ends_barrier(enum gaspdb_upc_sync sync, enum gaspdb_phase phase,
			 const char *file, uint64_t line)
{
#ifdef GASP_UPC_BARRIER
	(void)file, (void)line;
	return sync == GASPDB_UPC_WHOLE_BARRIER && phase == GASPDB_PHASE_END;
#else
	if (sync == GASPDB_UPC_NOTIFY && phase == GASPDB_PHASE_START) {
		own.file = file;
		own.line = line;
	}
	return sync == GASPDB_UPC_WAIT && phase == GASPDB_PHASE_END && file &&
	       file == own.file && line == own.line;
#endif
}

static void after_barrier(void)
{
	own.barriers++;
	if (own.state == IS_HERE)
		gaspdb_upc_clocks_begin();
	else if (own.state == LEADS &&
		 gaspdb_sampler_is_due(&sampler, own.barriers))
		gaspdb_sampler_take(&sampler, own.c, own.barriers,
				    GASPDB_SAMPLE_SECONDS);
}

static void at_exit(void)
{
	if (own.state == LEADS && !sampler.stopped)
		gaspdb_sampler_take(&sampler, own.c, GASPDB_SAMPLE_AT_END,
				    EXIT_SECONDS);
	own.state = DONE;
}

void gaspdb_upc_clocks_event(struct gaspdb_context *c,
			     enum gaspdb_upc_sync sync, enum gaspdb_phase phase,
			     const char *file, uint64_t line)
{
	/* Not of upcalls, and not where costs are measured. */
	if (c != own.c || own.state == DONE || c->busy || !c->live)
		return;
	if (sync == GASPDB_UPC_EXIT)
		at_exit();
	else if (ends_barrier(sync, phase, file, line))
		after_barrier();
	else if (phase == GASPDB_PHASE_START && sync != GASPDB_UPC_WAIT)
		say_host();
}
