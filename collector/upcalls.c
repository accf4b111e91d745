/* SPDX-License-Identifier: BSD-2-Clause */
/* Asking the UPC program. */
#include "upcalls.h"

#include <inttypes.h>
#include <string.h>

#include "clock.h"
#include "dialect.h"
#include "include/gaspdb_upc.h"
#include "process.h"

#pragma weak gaspdb_upc_mythread
#pragma weak gaspdb_upc_threads
#pragma weak gaspdb_upc_pts_thread
#pragma weak gaspdb_upc_pts_phase
#pragma weak gaspdb_upc_pts_address
#pragma weak gaspdb_upc_barrier
#pragma weak gaspdb_upc_clock_ns
#pragma weak gaspdb_upc_sync_flags

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
	int flags[6];	     /* as in gaspdb_upc.h */
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
	if (gaspdb_upc_sync_flags)
		gaspdb_upc_sync_flags(a.flags);
	a.end = gaspdb_clock_ticks();
	return a;
}

/* Whether c is live is looked at only after this: the process's end looks in
   the other order. */
static void end_upcall(struct gaspdb_context *c)
{
	c->upcall = false;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Events raised meanwhile are the tool's own. */
static struct answers ask_for(struct gaspdb_context *c)
{
	struct answers a;

	if (!c || !gaspdb_begin(c))
		return ask();
	c->upcall = true;
	a = ask();
	end_upcall(c);
	gaspdb_done(c);
	return a;
}

/* Another model in the process may have told the rank before. */
static void tell_thread(struct gaspdb_context *c, const struct answers *a)
{
	const bool knows_threads = a->threads >= 0;

	if (a->thread < 0 || gaspdb_context_has_rank(c) ||
	    (knows_threads && a->threads <= a->thread))
		return;
	if (gaspdb_begin(c)) {
		gaspdb_context_tell_rank(c, a->thread, a->threads);
		gaspdb_done(c);
	}
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
	if (gaspdb_upc_sync_flags)
		gaspdb_metaf("upc_sync_flags", "%d %d %d %d %d %d", a.flags[0],
			     a.flags[1], a.flags[2], a.flags[3], a.flags[4],
			     a.flags[5]);
	gaspdb_metaf("init_ticks", "%" PRIu64, gaspdb_clock_ticks());
	gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", a.start, a.end);
}

/* --- pointers-to-shared --------------------------------------------------- */

#ifndef GASPDB_UPC_PTS_SIZE
#define GASPDB_UPC_PTS_SIZE 0
#endif
enum { PTS_BYTES = GASPDB_UPC_PTS_SIZE };

static bool asks_about_pointers(void)
{
	return gaspdb_upc_pts_thread ||
	       (!PTS_BYTES && (gaspdb_upc_pts_address || gaspdb_upc_pts_phase));
}

/* Equal bytes, equal numbers; up to 16 bytes, the bytes themselves. */
static void read_bytes(const void *pts, uint64_t *low, uint64_t *high)
{
	uint64_t word[4] = { 0 };

	memcpy(word, pts, PTS_BYTES);
	*low = word[0];
	*high = word[1];
	if (PTS_BYTES > 16) {
		*low = (word[0] ^ word[2] * 0x9e3779b97f4a7c15u) +
		       word[3] * 0xc2b2ae3d27d4eb4fu;
		*high = (word[1] ^ word[3] * 0x9e3779b97f4a7c15u) +
			word[2] * 0xc2b2ae3d27d4eb4fu;
	}
}

/* The bytes tell address and phase too, if in the runtime's way: there is no
   need to ask. */
enum part { VALUE, HIGH, THREAD, PHASE, N_PARTS };
static const struct gaspdb_pts_part kinds[N_PARTS] = {
	[VALUE] = { "", 'p' },
	[HIGH] = { "_high", 'p' },
	[THREAD] = { "_thread", 'i' },
	[PHASE] = { "_phase", 'z' },
};

static bool has_part(enum part part)
{
	switch (part) {
	case VALUE:
		return PTS_BYTES > 0 || gaspdb_upc_pts_address;
	case HIGH:
		return PTS_BYTES > 8;
	case THREAD:
		return gaspdb_upc_pts_thread;
	default:
		return !PTS_BYTES && gaspdb_upc_pts_phase;
	}
}

/* By an upcall; pts NULL: nobody's. */
static uint64_t ask_part(enum part part, const void *pts)
{
	if (!pts)
		return part == THREAD ? UINT64_MAX : 0;
	if (part == THREAD)
		return (uint64_t)(int64_t)gaspdb_upc_pts_thread(pts);
	return part == PHASE ? gaspdb_upc_pts_phase(pts)
			     : gaspdb_upc_pts_address(pts);
}

unsigned gaspdb_pts_parts(struct gaspdb_pts_part *parts)
{
	unsigned n = 0;

	for (enum part part = VALUE; part < N_PARTS; part++)
		if (has_part(part))
			parts[n++] = kinds[part];
	return n;
}

static unsigned read_parts(const void *pts, uint64_t *parts)
{
	uint64_t bytes[2] = { 0 };
	unsigned n = 0;

	if (pts)
		read_bytes(pts, &bytes[0], &bytes[1]);
	for (enum part part = VALUE; part < N_PARTS; part++)
		if (has_part(part))
			parts[n++] = part <= HIGH && PTS_BYTES > 0
					     ? bytes[part]
					     : ask_part(part, pts);
	return n;
}

/* Asking takes a few ns, or, with events of its own, far more. */
#define LONG_NS 500

unsigned gaspdb_pts_read(struct gaspdb_context *c, const void *pts,
			 uint64_t *parts)
{
	uint64_t start;
	unsigned n;

	if (!asks_about_pointers())
		return read_parts(pts, parts);
	start = gaspdb_clock_ticks();
	c->upcall = true;
	n = read_parts(pts, parts);
	end_upcall(c);
	if (!c->upcall_start)
		c->upcall_start = start;
	c->upcall_end = gaspdb_clock_ticks();
	return n;
}

void gaspdb_upcalls_tell_time(struct gaspdb_context *c)
{
	const uint64_t start = c->upcall_start, end = c->upcall_end;

	c->upcall_start = 0;
	if (start && (double)(end - start) * 1e9 >
			     LONG_NS * (double)gaspdb_process.ticks_hz)
		gaspdb_emit_other(c, GASPDB_RECORD_TOOL, "uu", start, end);
}
