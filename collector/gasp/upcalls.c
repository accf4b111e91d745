/* SPDX-License-Identifier: BSD-2-Clause */
/* Upcalls to the UPC program. */
#include "collector/gasp/upcalls.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "collector/base/clock.h"
#include "collector/core/emit.h"
#include "collector/gasp/clocks.h"
#include "collector/gasp/dialect.h"
#include "collector/include/gaspdb_upc.h"
#include "collector/process/process.h"

#pragma weak gaspdb_upc_mythread
#pragma weak gaspdb_upc_threads
#pragma weak gaspdb_upc_pts_thread
#pragma weak gaspdb_upc_pts_phase
#pragma weak gaspdb_upc_pts_address
#pragma weak gaspdb_upc_pts_size
#pragma weak gaspdb_upc_barrier
#pragma weak gaspdb_upc_clock_ns
#pragma weak gaspdb_upc_sync_flags
#pragma weak gaspdb_upc_records_collectives

/* A weak thread-local has an address even if it is undefined: so the build says
   which exist, and they are not weak. */
#ifdef GASPDB_UPC_THREADS_process
extern int MYTHREAD, THREADS;
#elif defined GASPDB_UPC_THREADS_pthreads
extern __thread int MYTHREAD;
extern int THREADS;
#else
enum { MYTHREAD = -1, THREADS = -1 };
#endif

#ifndef GASPDB_UPC_PTS_SIZE
#define GASPDB_UPC_PTS_SIZE 0
#endif
enum { PTS_BYTES_MAX = 32 };

/* Bytes of a pointer-to-shared, 0: not known; and THREADS.  All threads of a
   process find the same before their first event. */
static atomic_size_t pts_bytes = GASPDB_UPC_PTS_SIZE;
static atomic_int known_threads;

struct answers {
	int thread, threads; /* -1: not known */
	uint64_t start, end; /* ticks of the upcalls */
	uint64_t clock_ns;   /* the program's clock at end */
	size_t pts_bytes;    /* 0: not known */
	int flags[6];	     /* as in gaspdb_upc.h */
};

/* Before the barrier. */
static void ask(struct answers *a)
{
	a->thread = gaspdb_upc_mythread ? gaspdb_upc_mythread() : MYTHREAD;
	a->threads = gaspdb_upc_threads ? gaspdb_upc_threads() : THREADS;
	if (gaspdb_upc_pts_size)
		a->pts_bytes = gaspdb_upc_pts_size();
}

/* After it. */
static void ask_more(struct answers *a)
{
	if (gaspdb_upc_clock_ns)
		a->clock_ns = gaspdb_upc_clock_ns();
	if (gaspdb_upc_sync_flags)
		gaspdb_upc_sync_flags(a->flags);
	a->end = gaspdb_clock_ticks();
}

/* All threads have said their hosts before the barrier. */
static void meet(struct gaspdb_context *c, const struct answers *a)
{
	struct gaspdb_context *upcall;

	gaspdb_upc_clocks_thread(c, a->thread, a->threads);
	if (!gaspdb_upc_barrier)
		return;
	upcall = gaspdb_upcall_begin(c);
	gaspdb_upc_barrier();
	gaspdb_upcall_end(upcall);
}

static struct answers ask_for(struct gaspdb_context *c)
{
	struct gaspdb_context *upcall = gaspdb_upcall_begin(c);
	struct answers a = { .start = gaspdb_clock_ticks() };

	ask(&a);
	gaspdb_upcall_end(upcall);
	meet(c, &a);
	upcall = gaspdb_upcall_begin(c);
	ask_more(&a);
	gaspdb_upcall_end(upcall);
	return a;
}

/* Logs the thread's number, unless another model has logged a rank. */
static void emit_thread(struct gaspdb_context *c, const struct answers *a)
{
	const bool knows_threads = a->threads >= 0;

	if (a->thread < 0 || gaspdb_context_has_rank(c) ||
	    (knows_threads && a->threads <= a->thread))
		return;
	if (gaspdb_begin(c)) {
		gaspdb_context_emit_rank(c, a->thread, a->threads);
		gaspdb_done(c);
	}
}

/*
 * Takes over the program's own facts about pointers, whatever the build said.
 */
static void learn_pointers(const struct answers *a)
{
	if (a->pts_bytes > 0 && a->pts_bytes <= PTS_BYTES_MAX &&
	    a->pts_bytes != pts_bytes)
		pts_bytes = a->pts_bytes;
	if (a->threads > 0 && a->threads != known_threads)
		known_threads = a->threads;
}

static void emit_facts(struct gaspdb_context *c, const struct answers *a)
{
	const char *limits =
		gaspdb_dialect_limits(gaspdb_upc_records_collectives &&
				      gaspdb_upc_records_collectives());

	emit_thread(c, a);
	gaspdb_meta("runtime", gaspdb_dialect_name);
	if (limits)
		gaspdb_meta("limits", limits);
	if (gaspdb_upc_clock_ns)
		gaspdb_metaf("upc_clock", "%" PRIu64 " %" PRIu64, a->end,
			     a->clock_ns);
	if (gaspdb_upc_sync_flags)
		gaspdb_metaf("upc_sync_flags", "%d %d %d %d %d %d", a->flags[0],
			     a->flags[1], a->flags[2], a->flags[3], a->flags[4],
			     a->flags[5]);
	if (pts_bytes)
		gaspdb_metaf("upc_pts_bytes", "%zu", pts_bytes);
	gaspdb_metaf("init_ticks", "%" PRIu64, gaspdb_clock_ticks());
	gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", a->start, a->end);
}

void gaspdb_upcalls_thread(struct gaspdb_context *c)
{
	const struct answers a = ask_for(c);

	learn_pointers(&a);
	if (c)
		emit_facts(c, &a);
	if (gaspdb_upc_barrier)
		gaspdb_upc_clocks_begin();
}

/* --- pointers-to-shared --------------------------------------------------- */

/*
 * A pointer-to-shared is logged as owner and address, by upcalls; else as its
 * bytes.  The bytes depend on a size that the user may have set wrongly, so
 * they come second.
 */
static bool asks_place(void)
{
	return gaspdb_upc_pts_address && gaspdb_upc_pts_thread;
}

static bool reads_bytes(void)
{
	return pts_bytes && !asks_place();
}

static bool asks_about_pointers(void)
{
	return gaspdb_upc_pts_thread ||
	       (!reads_bytes() &&
		(gaspdb_upc_pts_address || gaspdb_upc_pts_phase));
}

/* Encodes a pointer's bytes: equal bytes give equal numbers; up to 16 bytes are
   logged unchanged. */
static void read_bytes(const void *pts, uint64_t *low, uint64_t *high)
{
	uint64_t word[4] = { 0 };

	memcpy(word, pts, pts_bytes);
	*low = word[0];
	*high = word[1];
	if (pts_bytes > 16) {
		*low = (word[0] ^ word[2] * 0x9e3779b97f4a7c15u) +
		       word[3] * 0xc2b2ae3d27d4eb4fu;
		*high = (word[1] ^ word[3] * 0x9e3779b97f4a7c15u) +
			word[2] * 0xc2b2ae3d27d4eb4fu;
	}
}

/* Kinds of parts.  The bytes include address and phase in the runtime's
   encoding. */
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
		return reads_bytes() || gaspdb_upc_pts_address;
	case HIGH:
		return reads_bytes() && pts_bytes > 8;
	case THREAD:
		return gaspdb_upc_pts_thread;
	default:
		return !reads_bytes() && gaspdb_upc_pts_phase;
	}
}

/* Value of a part by an upcall; pts NULL: no owner. */
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

/* --- check of UPC_PTS_SIZE ------------------------------------------------ */

/* Set if pointers-to-shared have 8 bytes although UPC_PTS_SIZE is 16: the upper
   bytes are stack remains. */
static atomic_bool is_packed;

/* Whether a half of a lock's pointer has a thread number and phase 0, in either
   order. */
static bool is_owner(uint64_t half)
{
	const uint32_t low = (uint32_t)half, high = (uint32_t)(half >> 32);

	return (high == 0 && low < (uint32_t)known_threads) ||
	       (low == 0 && high < (uint32_t)known_threads);
}

/* Checks a lock's pointer of 16 bytes: an address in one half, owner and phase
   in the other; a lock's phase is 0. */
static void check_lock(struct gaspdb_context *c, const uint64_t *bytes)
{
	if (pts_bytes != 16 || known_threads < 1 || is_owner(bytes[0]) ||
	    is_owner(bytes[1]) || atomic_exchange(&is_packed, true))
		return;
	gaspdb_context_emit(c, "upc_pts_packed", "16");
}

static unsigned read_parts(struct gaspdb_context *c, const void *pts,
			   bool is_lock, uint64_t *parts)
{
	uint64_t bytes[2] = { 0 };
	unsigned n = 0;

	if (pts && reads_bytes()) {
		read_bytes(pts, &bytes[0], &bytes[1]);
		if (is_lock)
			check_lock(c, bytes);
		if (atomic_load_explicit(&is_packed, memory_order_relaxed))
			bytes[1] = 0;
	}
	for (enum part part = VALUE; part < N_PARTS; part++)
		if (has_part(part))
			parts[n++] = part <= HIGH && reads_bytes()
					     ? bytes[part]
					     : ask_part(part, pts);
	return n;
}

/* Longer upcalls are logged: they take a few ns, or with events of their own
   far more. */
#define LONG_NS 500

unsigned gaspdb_pts_read(struct gaspdb_context *c, const void *pts,
			 bool is_lock, uint64_t *parts)
{
	uint64_t start;
	unsigned n;

	if (!asks_about_pointers())
		return read_parts(c, pts, is_lock, parts);
	start = gaspdb_clock_ticks();
	c->upcall = true;
	n = read_parts(c, pts, is_lock, parts);
	gaspdb_upcall_over(c);
	if (!c->upcall_start)
		c->upcall_start = start;
	c->upcall_end = gaspdb_clock_ticks();
	return n;
}

void gaspdb_upcalls_emit_time(struct gaspdb_context *c)
{
	const uint64_t start = c->upcall_start, end = c->upcall_end;

	c->upcall_start = 0;
	if (start && (double)(end - start) * 1e9 >
			     LONG_NS * (double)gaspdb_process.ticks_hz) {
		gaspdb_profile_tool(c, start, end);
		if (gaspdb_is_traced(c))
			gaspdb_emit_other(c, GASPDB_RECORD_TOOL, "uu", start,
					  end);
	}
}
