/* SPDX-License-Identifier: BSD-2-Clause */
/* Asking the UPC program. */
#include "upcalls.h"

#include <inttypes.h>
#include <stdio.h>

#include "clock.h"
#include "dialect.h"
#include "include/gaspdb_upc.h"

#pragma weak gaspdb_upc_mythread
#pragma weak gaspdb_upc_threads
#pragma weak gaspdb_upc_barrier
#pragma weak gaspdb_upc_clock_ns

/*
 * A weak thread-local has an address even where nobody defines it: so the build
 * says which of them there are, and they are not weak.
 */
#ifdef GASPDB_UPC_THREADS_process
extern int MYTHREAD, THREADS;
#elif defined GASPDB_UPC_THREADS_pthreads
extern __thread int MYTHREAD;
extern int THREADS;
#else
enum { MYTHREAD = -1, THREADS = -1 };
#endif

struct answers {
	int thread, threads; /* -1: not known */
	uint64_t start, end; /* ticks: of asking */
	uint64_t clock_ns;   /* the program's clock at end */
};

static struct answers ask(void)
{
	struct answers a = { .start = gaspdb_clock_ticks() };

	a.thread = gaspdb_upc_mythread ? gaspdb_upc_mythread() : MYTHREAD;
	a.threads = gaspdb_upc_threads ? gaspdb_upc_threads() : THREADS;
	if (gaspdb_upc_barrier)
		gaspdb_upc_barrier();
	if (gaspdb_upc_clock_ns)
		a.clock_ns = gaspdb_upc_clock_ns();
	a.end = gaspdb_clock_ticks();
	return a;
}

/* Events raised meanwhile are the tool's own. */
static struct answers ask_for(struct gaspdb_context *c)
{
	struct answers a;

	if (!c || !gaspdb_begin(c))
		return ask();
	c->upcall = true;
	a = ask();
	c->upcall = false;
	gaspdb_done(c);
	return a;
}

/* Another model in the process may have told the rank before. */
static void tell_thread(struct gaspdb_context *c, const struct answers *a)
{
	if (a->thread < 0 || a->threads <= a->thread || c->told_rank)
		return;
	c->told_rank = true;
	gaspdb_metaf("rank", "%d", a->thread);
	gaspdb_metaf("ranks", "%d", a->threads);
}

void gaspdb_upcalls_thread(struct gaspdb_context *c)
{
	const struct answers a = ask_for(c);

	if (!c)
		return;
	tell_thread(c, &a);
	gaspdb_meta("runtime", gaspdb_dialect_name);
	if (gaspdb_dialect_limits)
		gaspdb_meta("limits", gaspdb_dialect_limits);
	if (gaspdb_upc_clock_ns)
		gaspdb_metaf("upc_clock", "%" PRIu64 " %" PRIu64, a.end,
			     a.clock_ns);
	gaspdb_metaf("init_ticks", "%" PRIu64, gaspdb_clock_ticks());
	gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", a.start, a.end);
}
