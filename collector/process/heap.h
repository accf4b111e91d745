/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interface between libgaspdb-memory.so, which counts the process's private
 * memory by the place that allocates it, and the collector, which knows what a
 * caller is and writes the counters to the log.
 *
 * Counters are the process's, exact and cumulative.  The collector logs those
 * that have changed, now and then: the last values in the logs are the totals.
 */
#ifndef GASPDB_COLLECTOR_PROCESS_HEAP_H
#define GASPDB_COLLECTOR_PROCESS_HEAP_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Functions that allocate; RUNTIME: any, for a runtime, libc or the loader. */
enum gaspdb_heap_call {
	GASPDB_HEAP_MALLOC,
	GASPDB_HEAP_CALLOC,
	GASPDB_HEAP_REALLOC,
	GASPDB_HEAP_ALIGNED,
	GASPDB_HEAP_NEW,
	GASPDB_HEAP_RUNTIME,
	GASPDB_HEAP_CALLS
};

/* Blocks of at least this size are events, too; those of impossible sizes are
   not. */
#define GASPDB_HEAP_EVENT_BYTES 4096
#define GASPDB_HEAP_EVENT_MOST	(UINT64_C(1) << 47)

#define GASPDB_HEAP_PLACES 65536
#define GASPDB_HEAP_SLOTS  (2 * GASPDB_HEAP_PLACES) /* a power of two */

/* What is known of a caller: it counts for itself, for a place that is asked
   for at each call, or (these and above, less MODULE) for its module's place.
 */
enum {
	GASPDB_HEAP_UNKNOWN, /* not asked yet: the collector is not there */
	GASPDB_HEAP_SELF,
	GASPDB_HEAP_ASK,
	GASPDB_HEAP_MODULE
};

/* The bits of a key that are the call. */
#define GASPDB_HEAP_CALL_BITS 4

/* A place: a return address, a source place, or a module's path (RUNTIME). */
struct gaspdb_heap_place {
	_Alignas(64) _Atomic uint64_t key; /* place, call + 1; 0: none */
	_Atomic uint32_t counts_for;
	/* The index of its module's place: ASK: where there is no better one;
	   UNKNOWN: meanwhile (the program itself: its own index); 0: none. */
	uint32_t module;
	atomic_uint lock; /* of the counters */
	/* Sizes are those asked for, in bytes. */
	uint64_t blocks, bytes, frees, live_bytes, peak_bytes, largest_bytes;
	uint64_t failed; /* calls that returned nothing */
	/* The collector's. */
	uint64_t logged; /* blocks + frees + failed when it was last logged */
};

static inline const void *gaspdb_heap_address(uint64_t key)
{
	return (const void *)(uintptr_t)(key >> GASPDB_HEAP_CALL_BITS);
}

static inline enum gaspdb_heap_call gaspdb_heap_call_of(uint64_t key)
{
	return (enum gaspdb_heap_call)(
		(key & ((1u << GASPDB_HEAP_CALL_BITS) - 1)) - 1);
}

/* What the collector adds.  Called by a thread that is counting, whose own
   allocations meanwhile are not counted. errno may change. */
struct gaspdb_heap_event {
	const void *context, *pc;
};
struct gaspdb_heap_hooks {
	/* What a caller counts for: SELF, ASK, or MODULE, its own. */
	uint32_t (*classify)(const void *pc);
	/* The place of a caller that is asked for; NULL: none is known. */
	const void *(*place)(const void *pc);
	/* Logs the counters that have changed; false: it cannot. */
	bool (*log)(void);
	/* Record the call that allocates or frees a large block, if it is the
	   program's; false: not recorded. bytes, old: 0 where the function has
	   no such argument. */
	bool (*start)(struct gaspdb_heap_event *event,
		      enum gaspdb_heap_call call, const void *pc,
		      uint64_t bytes, const void *old);
	void (*end)(const struct gaspdb_heap_event *event,
		    enum gaspdb_heap_call call, uint64_t bytes, const void *old,
		    const void *address);
};
/* The call of free, for start and end. */
#define GASPDB_HEAP_FREE GASPDB_HEAP_CALLS

/* In pages that a forked child finds zero. */
struct gaspdb_heap {
	atomic_bool on;
	_Atomic(const struct gaspdb_heap_hooks *) hooks; /* NULL: not yet */
	/* Since the counters were last logged something has changed; and
	   CLOCK_MONOTONIC_COARSE (ns) when they are due again. */
	atomic_bool changed;
	_Atomic int64_t due_ns;
	atomic_flag logging;
	int64_t start_ns;
	_Alignas(64) _Atomic int64_t live_bytes, peak_bytes; /* of all places */
	_Atomic uint64_t unknown_frees; /* of blocks that were not counted */
	_Atomic uint64_t uncounted;	/* calls: signal handlers', no memory */
	atomic_uint n_places;		/* from 1 */
	_Atomic uint32_t slots[GASPDB_HEAP_SLOTS]; /* hash table of places */
	struct gaspdb_heap_place places[GASPDB_HEAP_PLACES];
};

/* Logged at least this far apart; later a thousandth of the time so far, but
   not more than MOST. */
#define GASPDB_HEAP_LEAST_NS 10000000
#define GASPDB_HEAP_MOST_NS  1000000000

/* Locks a place's counters; no call is made while they are locked. */
static inline void gaspdb_heap_lock(atomic_uint *lock)
{
	unsigned tries = 0;

	while (atomic_exchange_explicit(lock, 1, memory_order_acquire))
		while (atomic_load_explicit(lock, memory_order_relaxed))
			if (++tries % 64 == 0)
				sched_yield();
}

static inline void gaspdb_heap_unlock(atomic_uint *lock)
{
	atomic_store_explicit(lock, 0, memory_order_release);
}

/* In libgaspdb-memory.so: the process's heap, NULL if it is not counted. begin:
   called when a runtime has started, with the hooks. */
#define GASPDB_HEAP_BEGIN "gaspdb_heap_begin"
typedef struct gaspdb_heap *
gaspdb_heap_begin_fn(const struct gaspdb_heap_hooks *hooks);

/* In libgaspdb.so: begins to log the heap, as when a runtime has started. */
#define GASPDB_HEAP_ATTACH "gaspdb_heap_attach"
typedef bool gaspdb_heap_attach_fn(gaspdb_heap_begin_fn *begin);

/* The clock of start_ns and due_ns, which is read for a few ns, and jumps by
   some ms. */
static inline int64_t gaspdb_heap_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
